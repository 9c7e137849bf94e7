#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/xla/hlo_scanner.h"
#include "core/io/xla/module.h"

// Shardings as HLO writes them: positions of a grid of devices, without names of axes.

namespace core::xla {

// A part of the number of a device: (number / stride) % size.
struct Digit {
  std::int64_t stride = 1;
  std::int64_t size = 1;
  bool operator==(const Digit&) const = default;
};

// Per axis of the tensor the digits that choose its part, major first. Empty: every device has it whole.
//
//   {devices=[2,1,4]<=[2,4] last_tile_dim_replicate}    axis 0 by (number / 4) % 2, axis 1 whole
struct Tiling {
  std::vector<std::vector<Digit>> axes;
  bool operator==(const Tiling&) const = default;
};

// One tiling, or one a value of a tuple. Reads "{replicated}", "{devices=[2,1]<=[2]}", "{devices=[2,1]0,1}", "{maximal device=0}"
// (as whole) and "{{...}, {...}}".
std::vector<Tiling> readTilings(Scanner& scan);

// "#sdy.mesh<[\"data\"=2, \"model\"=4]>" anywhere in `attributes`: the one with as many devices as there are partitions.
std::vector<Axis> namedMesh(std::string_view attributes, std::int64_t partitions);

// The mesh whose axes make up all digits, and the tilings in its words. Axes are those of `named` where they fit, else parts of
// them (tensor_1, tensor_2), else x, y, z. Error where no such mesh exists: digits of 6 = 2 x 3 and 3 x 2.
class MeshOf {
 public:
  MeshOf(const std::vector<Tiling>& tilings, const std::vector<Axis>& named, std::int64_t partitions);

  const std::vector<Axis>& axes() const { return axes_; }
  Sharding sharding(const Tiling& tiling) const;

 private:
  std::vector<Axis> axes_;             // major first
  std::vector<std::int64_t> strides_;  // of each
};

}  // namespace core::xla
