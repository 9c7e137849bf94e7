#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/io/xla/mlir_scanner.h"
#include "core/io/xla/mlir_sharding.h"

namespace core::xla {

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
