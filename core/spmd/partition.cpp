#include "core/spmd/partition.h"

#include "core/spmd/emit.h"
#include "core/spmd/partials.h"
#include "core/spmd/passes/passes.h"

namespace core {

Partitioned partition(const Graph& graph, const Layout& layout, const Mesh& mesh, const PartitionOptions& options) {
  const Templates templates(graph, mesh);
  Decisions decisions = propagate(graph, templates, layout, mesh);
  const Partials partials = placePartials(graph, templates, decisions, mesh, options.loss);
  Program program = emit(graph, templates, decisions, partials, mesh, options.loss);
  // What a value has is decided where it is produced.
  std::vector<TensorLayout> layouts = std::move(decisions.tensors);
  std::vector<bool> seen(layouts.size(), false);
  for (const Buffer& buffer : program.buffers) {
    if (!buffer.tensor.valid() || seen[buffer.tensor.index()]) continue;
    seen[buffer.tensor.index()] = true;
    TensorLayout& layoutOfTensor = layouts[buffer.tensor.index()];
    for (std::size_t d = 0; d < layoutOfTensor.origins.size(); ++d)
      if (!(layoutOfTensor.sharding.dims[d] == buffer.placement.sharding.dims[d])) layoutOfTensor.origins[d] = Origin::propagated;
    layoutOfTensor.sharding = buffer.placement.sharding;
  }
  if (options.sink) program = sinkToReaders(std::move(program));
  if (options.bucketCollectives) program = bucketCollectives(std::move(program), options.bucketBytes);
  if (options.fuse) program = fuse(std::move(program));
  if (options.updateInPlace) program = reuseInPlace(std::move(program));
  return {planMemory(std::move(program)), std::move(layouts)};
}

}  // namespace core
