#include "core/spmd/partition.h"

#include <algorithm>
#include <optional>

#include "core/spmd/emit.h"
#include "core/spmd/partials.h"
#include "core/base/labels.h"
#include "core/spmd/layers.h"
#include "core/spmd/passes/passes.h"
#include "core/spmd/roll.h"

namespace core {

namespace {

// What a value has is decided where it is produced.
void takeWhatIsMade(std::vector<TensorLayout>& layouts, const Program& program) {
  std::vector<bool> seen(layouts.size(), false);
  for (const Buffer& buffer : program.buffers) {
    if (!buffer.tensor.valid() || seen[buffer.tensor.index()]) continue;
    seen[buffer.tensor.index()] = true;
    TensorLayout& layout = layouts[buffer.tensor.index()];
    for (std::size_t d = 0; d < layout.origins.size(); ++d)
      if (!(layout.sharding.dims[d] == buffer.placement.sharding.dims[d])) layout.origins[d] = Origin::propagated;
    layout.sharding = buffer.placement.sharding;
  }
}

// Every operator with its collectives, in an order that is good for memory.
Partitioned emitted(const Graph& graph, const Layout& layout, const Mesh& mesh, TensorId loss, bool sink, const std::vector<int>& layerOfTensor = {}) {
  const Templates templates(graph, mesh);
  Decisions decisions = propagate(graph, templates, layout, mesh);
  const Partials partials = placePartials(graph, templates, decisions, mesh, loss);
  Partitioned result{emit(graph, templates, decisions, partials, mesh, loss), std::move(decisions.tensors)};
  takeWhatIsMade(result.layouts, result.program);
  if (sink) result.program = sinkToReaders(std::move(result.program), layerOfTensor);
  return result;
}

// What a tensor of a layer in the middle has, said with its own layer's name.
std::vector<TensorLayout> layoutsOfAll(const std::vector<TensorLayout>& few, const Shortened& shortened, const Graph& graph, const Layers& layers) {
  std::vector<TensorLayout> all(graph.tensors.size());
  const std::size_t left = shortened.layers.size();
  std::vector<std::string> labels;
  for (int layer : shortened.layers) labels.push_back(layers.labels[static_cast<std::size_t>(layer)]);
  std::vector<std::vector<const TensorLayout*>> byRole(layers.members.size(), std::vector<const TensorLayout*>(left, nullptr));
  for (std::size_t t = 0; t < few.size(); ++t) {
    const Layers::Place place = shortened.places[t];
    if (place.role >= 0) byRole[static_cast<std::size_t>(place.role)][static_cast<std::size_t>(place.layer)] = &few[t];
    all[shortened.original[t].index()] = few[t];
  }
  for (std::size_t role = 0; role < byRole.size(); ++role) {
    const TensorLayout *one = byRole[role][1], *next = byRole[role][2];
    const auto reason = NameForm::of(one->reason, 1, next->reason, 2, labels);
    for (std::size_t layer = 2; layer + 2 < static_cast<std::size_t>(layers.count); ++layer) {
      TensorLayout& made = all[layers.members[role][layer].index()];
      made.sharding = one->sharding;
      made.origins = one->origins;
      made.reason = reason ? reason->at(layer, layers.labels) : one->reason;
    }
  }
  return all;
}

// The same, of a graph whose layers are partitioned once; none where it has no equal layers.
std::optional<Partitioned> emittedOnce(const Graph& graph, const Layout& layout, const Mesh& mesh, TensorId loss, bool sink) {
  const auto layers = findLayers(graph, layout, mesh, loss);
  if (!layers) return std::nullopt;
  const auto few = shorten(graph, *layers);
  if (!few) return std::nullopt;
  const auto lossAt = std::find(few->original.begin(), few->original.end(), loss);
  const TensorId lossOfFew = lossAt == few->original.end() ? TensorId() : TensorId(lossAt - few->original.begin());
  std::vector<int> layerOfTensor;
  for (const Layers::Place place : few->places) layerOfTensor.push_back(place.role < 0 ? -1 : place.layer);
  const Partitioned short_ = emitted(few->graph, layout, mesh, lossOfFew, sink, layerOfTensor);
  auto program = lengthen(short_.program, *few, graph, *layers);
  if (!program) return std::nullopt;
  return Partitioned{std::move(*program), layoutsOfAll(short_.layouts, *few, graph, *layers)};
}

}  // namespace

Partitioned partition(const Graph& graph, const Layout& layout, const Mesh& mesh, const PartitionOptions& options) {
  std::optional<Partitioned> rolled;
  if (options.roll) rolled = emittedOnce(graph, layout, mesh, options.loss, options.sink);
  Partitioned result = rolled ? std::move(*rolled) : emitted(graph, layout, mesh, options.loss, options.sink);
  Program program = std::move(result.program);
  if (options.bucketCollectives) program = bucketCollectives(std::move(program), options.bucketBytes);
  if (options.reduceByAxis) program = reduceByAxis(std::move(program), options.byAxisBytes);
  if (options.fuse) program = fuse(std::move(program));
  if (options.updateInPlace) program = reuseInPlace(std::move(program));
  return {planMemory(std::move(program)), std::move(result.layouts)};
}

}  // namespace core
