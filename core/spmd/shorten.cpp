#include <algorithm>
#include <cstdlib>

#include "core/spmd/layers.h"

namespace core {
namespace {

class Shortening {
 public:
  Shortening(const Graph& graph, const Layers& layers) : graph_(graph), layers_(layers) {
    const int kept = std::min(layers.count, 4);
    for (int layer = 0; layer < kept; ++layer) short_.layers.push_back(layer < 2 ? layer : layers.count - kept + layer);
    numbers_.assign(static_cast<std::size_t>(layers.count), -1);
    for (std::size_t i = 0; i < short_.layers.size(); ++i) numbers_[static_cast<std::size_t>(short_.layers[i])] = static_cast<int>(i);
  }

  std::optional<Shortened> run() {
    Graph& graph = short_.graph;
    graph.name = graph_.name;
    graph.dims = graph_.dims;
    graph.aliases = graph_.aliases;
    ids_.resize(graph_.tensors.size());
    for (std::size_t t = 0; t < graph_.tensors.size(); ++t) {
      if (!kept(TensorId(static_cast<std::int64_t>(t)))) continue;
      ids_[t] = TensorId(static_cast<std::int64_t>(graph.tensors.size()));
      graph.tensors.push_back(graph_.tensors[t]);
      short_.original.push_back(TensorId(static_cast<std::int64_t>(t)));
      const Layers::Place place = layers_.places[t];
      short_.places.push_back({place.role, place.role < 0 ? 0 : number(place.layer)});
    }
    for (const Operator& op : graph_.operators)
      if (kept(op.outputs[0]) && !copy(op)) return std::nullopt;
    for (const Update& update : graph_.updates)
      if (kept(update.state)) graph.updates.push_back({ids_[update.state.index()], ids_[update.value.index()]});
    for (TensorId output : graph_.outputs) graph.outputs.push_back(ids_[output.index()]);
    return std::move(short_);
  }

 private:
  int number(int layer) const { return numbers_[static_cast<std::size_t>(layer)]; }
  bool kept(TensorId tensor) const { return layers_[tensor].role < 0 || number(layers_[tensor].layer) >= 0; }

  bool copy(const Operator& op) {
    Operator made = op;
    const OperatorId id(static_cast<std::int64_t>(short_.graph.operators.size()));
    for (TensorId& input : made.inputs) {
      const auto meant = spliced(input, layers_[op.outputs[0]]);
      if (!meant) return false;
      input = *meant;
    }
    for (TensorId& output : made.outputs) {
      output = ids_[output.index()];
      short_.graph.tensors[output.index()].producer = id;
    }
    short_.graph.operators.push_back(std::move(made));
    return true;
  }

  // A neighbour that was left out is played by the one that is next now.
  std::optional<TensorId> spliced(TensorId tensor, Layers::Place reader) const {
    if (kept(tensor)) return ids_[tensor.index()];
    const Layers::Place place = layers_[tensor];
    const int next = reader.role < 0 || std::abs(place.layer - reader.layer) > 1 ? -1 : number(reader.layer) + place.layer - reader.layer;
    if (next < 0 || next >= static_cast<int>(short_.layers.size())) return std::nullopt;
    const TensorId stand = layers_.members[static_cast<std::size_t>(place.role)][static_cast<std::size_t>(short_.layers[static_cast<std::size_t>(next)])];
    if (!stand.valid()) return std::nullopt;
    return ids_[stand.index()];
  }

  const Graph& graph_;
  const Layers& layers_;
  std::vector<int> numbers_;   // per layer: its number among those that are left
  std::vector<TensorId> ids_;  // per tensor: in the short graph
  Shortened short_;
};

}  // namespace

std::optional<Shortened> shorten(const Graph& graph, const Layers& layers) { return Shortening(graph, layers).run(); }

}  // namespace core
