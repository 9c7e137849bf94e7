#include "executor/place.h"

#include "executor/collectives/reduce.h"

namespace executor {
namespace {

// Off coordinate 0 of an axis that only the output is partial over, and that splits nothing of the input, the value is another rank's.
bool hasSay(const core::Buffer& from, const core::Buffer& to, const core::Mesh& mesh, const core::Coordinate& at) {
  const core::AxisSet split = from.placement.sharding.used();
  for (core::AxisId axis = 0; axis < mesh.axes.size(); ++axis) {
    const bool becomesPartial = to.placement.sharding.partial.contains(axis) && !from.placement.sharding.partial.contains(axis);
    if (becomesPartial && !split.contains(axis) && at[axis] != 0) return false;
  }
  return true;
}

}  // namespace

PreparedPlace preparePlace(const core::Buffer& from, const core::Buffer& to, const core::Mesh& mesh, const core::Coordinate& at) {
  const Held input = heldOf(from, mesh, at), output = heldOf(to, mesh, at);
  PreparedPlace place{.dtype = to.dtype, .reduction = to.placement.sharding.reduction, .elements = output.elements()};
  place.fills = !to.placement.sharding.partial.empty();
  if (hasSay(from, to, mesh, at)) place.copies.push_back(copyOf(intersect(input.ranges, output.ranges), input, output));
  return place;
}

void run(const PreparedPlace& place, const std::byte* input, std::byte* output) {
  if (place.fills) fillIdentity(place.dtype, place.reduction, output, place.elements);
  for (const BoxCopy& one : place.copies) run(one, input, output, core::byteSize(place.dtype));
}

}  // namespace executor
