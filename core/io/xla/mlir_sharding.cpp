#include "core/io/xla/mlir_sharding.h"

#include <fmt/format.h>

#include "core/io/xla/mlir_reader.h"

namespace core::xla {

// {"a", "b":(1)2, ?}, and a priority behind it, {"a"}p0.
std::vector<AxisPart> MlirReader::axisParts() {
  std::vector<AxisPart> parts;
  scan.need("{");
  while (!scan.take("}")) {
    if (!scan.take("?")) {
      AxisPart part{.axis = scan.quoted()};
      if (scan.take(":")) {
        scan.need("(");
        part.before = scan.integer();
        scan.need(")");
        part.size = scan.integer();
        if (part.before < 1 || part.size < 1) scan.fail("a part of an axis has no size", "\"x\":(1)2");
      }
      parts.push_back(part);
    }
    if (scan.peek() != '}') scan.need(",");
  }
  if (scan.peek() == 'p') scan.word();
  return parts;
}

MeshSharding MlirReader::sharding() {
  scan.take("#sdy.sharding");
  scan.need("<");
  MeshSharding found;
  scan.peek();
  found.position = scan.position();
  if (scan.takeWord("mesh")) {
    found.own = std::make_shared<DeviceMesh>(mesh());
  } else {
    scan.need("@");
    found.mesh = scan.name();
  }
  scan.need(",");
  scan.need("[");
  while (!scan.take("]")) {
    found.axes.push_back(axisParts());
    if (scan.peek() != ']') scan.need(",");
  }
  scan.until({});  // replicated={...}, unreduced={...}: what is left over
  scan.need(">");
  return found;
}

std::vector<MeshSharding> MlirReader::shardings() {
  std::vector<MeshSharding> found;
  scan.need("[");
  while (!scan.take("]")) {
    found.push_back(sharding());
    if (scan.peek() != ']') scan.need(",");
  }
  return found;
}

DeviceMesh MlirReader::mesh() {
  DeviceMesh found;
  std::int64_t devices = 1;
  scan.need("<");
  scan.need("[");
  while (!scan.take("]")) {
    Axis axis{.name = scan.quoted()};
    scan.need("=");
    axis.size = scan.integer();
    if (axis.size < 1 || axis.size > (std::int64_t{1} << 31) / devices) scan.fail(fmt::format("the axis \"{}\" has no size that a mesh can have", axis.name), "1 to 2^31 devices in all");
    devices *= axis.size;
    found.axes.push_back(axis);
    if (scan.peek() != ']') scan.need(",");
  }
  if (scan.take(",")) {
    scan.needWord("device_ids");
    scan.need("=");
    found.order = scan.list();
    found.oneDevice = found.axes.empty();
    bool plain = true;
    for (std::size_t i = 0; i < found.order.size(); ++i) plain &= found.order[i] == static_cast<std::int64_t>(i);
    if (plain) found.order.clear();
  }
  scan.need(">");
  return found;
}

std::int64_t DeviceMesh::devices() const {
  std::int64_t all = 1;
  for (const Axis& axis : axes) all *= axis.size;
  return all;
}

}  // namespace core::xla
