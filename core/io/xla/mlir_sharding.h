#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/io/xla/module.h"

// Shardings as Shardy writes them: <@mesh, [{"a"}, {"b":(1)2, ?}], replicated={"c"}>.

namespace core::xla {

// An axis of a mesh, or a part of one: "b":(2)4 is the part of size 4 that has 2 positions before it.
struct AxisPart {
  std::string axis;
  std::int64_t before = 1;
  std::int64_t size = 0;  // 0: the whole axis
};

// <["a"=2, "b"=2], device_ids=[0, 1, 2, 3]>
struct DeviceMesh {
  std::vector<Axis> axes;
  std::vector<std::int64_t> order;  // of its devices; empty: 0, 1, 2 ...
  bool oneDevice = false;           // it names a device, not a mesh

  std::int64_t devices() const;
};

struct MeshSharding {
  std::string mesh;                            // its name
  std::shared_ptr<const DeviceMesh> own;       // it stands in the sharding itself
  std::vector<std::vector<AxisPart>> axes;     // per axis of the value; those that are said to be replicated or unreduced are left out
  std::size_t position = 0;                    // in the text
};

}  // namespace core::xla
