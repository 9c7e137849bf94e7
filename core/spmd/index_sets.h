#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/layout/sharding.h"
#include "core/mesh/mesh.h"

// How many elements a `redistribute` moves, from the sets of indices that devices hold and need; which ones, and who sends what
// several devices hold, says core/spmd/redistribute.h. The sets are products over groups of dimensions that map onto each other
// (a merge of heads and head_dim beside an untouched batch are two groups), so counting takes one small factor a group.
//
//   x [8], split over a:2 -> split over b:2, mesh a:2,b:2
//   device (0,1) holds 0..3, needs 4..7: receives 4; it sends 0..3 to (1,1)?  no: (1,1) needs 4..7. It sends nothing.
//   device (0,0) holds 0..3, needs 0..3: receives 0, sends 4 to (1,0)

namespace core {

struct Moved {
  std::int64_t sent = 0;      // elements, to other devices
  std::int64_t received = 0;  // ... from other devices
  bool operator==(const Moved&) const = default;
};

// Sizes may differ (a reshape: an element is its row-major number); the products are equal.
class Moves {
 public:
  Moves(const Placement& from, std::span<const std::int64_t> fromSizes, const Placement& to, std::span<const std::int64_t> toSizes, const Mesh& mesh);

  Moved at(const Coordinate& device) const;

  // All that `at` takes from one axis of the coordinate: two numbers on the axis with equal signatures give equal results.
  std::vector<std::int64_t> signature(AxisId axis, std::int64_t number) const;

 private:
  // Dimensions of the input and of the output with equal products, and what each device holds and needs of them.
  struct Group {
    std::size_t firstFrom = 0, endFrom = 0;
    std::size_t firstTo = 0, endTo = 0;
    std::vector<AxisId> fromAxes, toAxes, axes;    // that split them; `axes` is the union
    std::vector<std::vector<Range>> held, needed;  // runs of row-major numbers, by the coordinate on fromAxes, on toAxes
  };
  struct Factor {
    std::int64_t needed = 0;  // by the device
    std::int64_t stays = 0;   // of them it holds
    std::int64_t served = 0;  // of what it holds, needed by all devices that it may serve, itself among them
  };

  void makeGroups();
  std::vector<std::vector<Range>> runs(const Placement& placement, const std::vector<std::int64_t>& sizes, std::size_t first, std::size_t end,
                                       const std::vector<AxisId>& axes) const;
  Factor factor(const Group& group, const Coordinate& device) const;
  std::int64_t serves(const Group& group, const std::vector<Range>& held, const Coordinate& device) const;
  bool getsIdentity(const Coordinate& device) const;
  Moved throughWindows(const Coordinate& device) const;
  std::int64_t servedThroughWindows(const Coordinate& device, const Coordinate& receiver) const;

  Placement from_, to_;
  std::vector<std::int64_t> fromSizes_, toSizes_;
  Mesh mesh_;
  AxisSet used_;        // axes that split the input: along them devices serve each other
  AxisSet newPartial_;  // partial in the output alone: away from 0 a device gets the identity, that is nothing
  bool windows_ = false;
  std::vector<Group> groups_;
};

}  // namespace core
