#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/io/xla/mlir_scanner.h"
#include "core/io/xla/module.h"

// Shardings as Shardy writes them: <@mesh, [{"a"}, {"b":(1)2, ?}], replicated={"c"}>.

namespace core::xla {

// An axis of a mesh, or a part of one: "b":(2)4 is the part of size 4 that has 2 positions before it.
struct AxisPart {
  std::string axis;
  std::int64_t before = 1;
  std::int64_t size = 0;  // 0: the whole axis
};

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

// All shardings of a module brought onto one mesh. Axes of which parts are used, or which other meshes of as many devices cut
// elsewhere, are split into parts: a:4 becomes a_1:2 a_2:2.
class MeshUnion {
 public:
  explicit MeshUnion(const MlirScanner& scan) : scan_(scan) {}

  void declare(const std::string& name, DeviceMesh mesh, std::size_t position);
  void use(const MeshSharding& sharding) { uses_.push_back(sharding); }

  void join();                              // after all uses; Error where no mesh has all parts
  std::vector<Axis> axes() const;           // major first
  std::optional<Sharding> sharding(const MeshSharding& from) const;  // nothing where it is on one device only

 private:
  struct Span {
    std::int64_t low, high;  // strides: the axis makes number / low % (high / low) of a device
  };
  const DeviceMesh& meshOf(const MeshSharding& sharding) const;
  Span spanOf(const DeviceMesh& mesh, const AxisPart& part, std::size_t position) const;
  std::vector<std::int64_t> cutsOf(const DeviceMesh& mesh) const;
  void name(const DeviceMesh& mesh);

  const MlirScanner& scan_;
  std::map<std::string, DeviceMesh> meshes_;
  std::vector<MeshSharding> uses_;
  std::vector<std::int64_t> cuts_;   // strides at which axes begin and end, minor first
  std::vector<std::string> names_;   // of the axis between each two cuts
};

}  // namespace core::xla
