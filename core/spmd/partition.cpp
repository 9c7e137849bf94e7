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

struct Emitted {
  Program program;
  std::vector<TensorLayout> layouts;
};

// Every operator with its collectives, in an order that is good for memory.
Emitted emitted(const Graph& graph, const Layout& layout, const Mesh& mesh, TensorId loss, bool sink, const std::vector<int>& layerOfTensor = {}) {
  const Templates templates(graph, mesh);
  Decisions decisions = propagate(graph, templates, layout, mesh);
  const Partials partials = placePartials(graph, templates, decisions, mesh, loss);
  Emitted result{emit(graph, templates, decisions, partials, mesh, loss), std::move(decisions.tensors)};
  takeWhatIsMade(result.layouts, result.program);
  if (sink) result.program = sinkToReaders(std::move(result.program), layerOfTensor);
  return result;
}

// Those of the whole model, from the short one's: what a layer in the middle has, all in the middle have.
TensorLayouts layoutsOfAll(std::vector<TensorLayout> few, const Shortened& shortened, const Graph& graph, const Layers& layers) {
  std::vector<TensorLayouts::Shared> shared;
  std::vector<TensorLayouts::Use> uses(graph.tensors.size());
  std::vector<std::string> labels;
  for (int layer : shortened.layers) labels.push_back(layers.labels[static_cast<std::size_t>(layer)]);
  std::vector<const TensorLayout*> second(layers.members.size(), nullptr), third = second;
  for (std::size_t t = 0; t < few.size(); ++t) {
    const Layers::Place place = shortened.places[t];
    if (place.role >= 0 && place.layer == 1) second[static_cast<std::size_t>(place.role)] = &few[t];
    if (place.role >= 0 && place.layer == 2) third[static_cast<std::size_t>(place.role)] = &few[t];
    uses[shortened.original[t].index()] = {t, 0};
  }
  const std::size_t middle = few.size();  // one a role, behind those of the short model
  shared.resize(middle);
  for (std::size_t role = 0; role < second.size(); ++role) {
    shared.push_back({*second[role], NameForm::of(second[role]->reason, 1, third[role]->reason, 2, labels)});
    for (std::size_t layer = 2; layer + 2 < static_cast<std::size_t>(layers.count); ++layer) uses[layers.members[role][layer].index()] = {middle + role, layer};
  }
  for (std::size_t t = 0; t < middle; ++t) shared[t].layout = std::move(few[t]);
  return TensorLayouts(std::move(shared), std::move(uses), layers.labels);
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
  Emitted short_ = emitted(few->graph, layout, mesh, lossOfFew, sink, layerOfTensor);
  auto program = lengthen(short_.program, *few, graph, *layers);
  if (!program) return std::nullopt;
  return Partitioned{std::move(*program), layoutsOfAll(std::move(short_.layouts), *few, graph, *layers)};
}

}  // namespace

Partitioned partition(const Graph& graph, const Layout& layout, const Mesh& mesh, const PartitionOptions& options) {
  std::optional<Partitioned> made;
  if (options.roll) made = emittedOnce(graph, layout, mesh, options.loss, options.sink);
  if (!made) {
    Emitted flat = emitted(graph, layout, mesh, options.loss, options.sink);
    made = {std::move(flat.program), std::move(flat.layouts)};
  }
  Program program = std::move(made->program);
  if (options.bucketCollectives) program = bucketCollectives(std::move(program), options.bucketBytes);
  if (options.reduceByAxis) program = reduceByAxis(std::move(program), options.byAxisBytes);
  if (options.fuse) program = fuse(std::move(program));
  if (options.updateInPlace) program = reuseInPlace(std::move(program));
  return {planMemory(std::move(program)), std::move(made->layouts)};
}

}  // namespace core
