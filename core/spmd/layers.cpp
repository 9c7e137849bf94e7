#include "core/spmd/layers.h"

#include <algorithm>
#include <string_view>

#include "core/base/hash.h"
#include "core/graph/fold_items.h"
#include "core/layout/resolve.h"
#include "core/base/labels.h"

namespace core {
namespace {

constexpr int leastLayers = 4;

struct HashAttribute {
  std::uint64_t operator()(std::int64_t value) const { return static_cast<std::uint64_t>(value); }
  std::uint64_t operator()(double value) const { return hashBytes(std::as_bytes(std::span(&value, 1))); }
  std::uint64_t operator()(const std::string& value) const { return hashText(value); }
  std::uint64_t operator()(const std::vector<std::string>& values) const {
    std::uint64_t hash = values.size();
    for (const std::string& value : values) hash = hashWith(hash, hashText(value));
    return hash;
  }
  template <class T>
  std::uint64_t operator()(const std::vector<T>& values) const {
    return hashBytes(std::as_bytes(std::span(values)));
  }
};

// What has to be equal for two operators to be the same one of two layers, but for the wiring.
class Codes {
 public:
  Codes(const Graph& graph, const Layout& layout, const Mesh& mesh) : graph_(graph), resolved_(resolve(layout, graph, mesh)) {
    for (const auto& [name, axes] : resolved_.choices) chosen_.push_back(name.first);
    for (const Tensor& tensor : graph.tensors) tensors_.push_back(codeOf(tensor));
    for (const auto& [tensor, pin] : resolved_.pins)
      for (const AxisList& axes : pin.first) tensors_[tensor.index()] = hashWith(tensors_[tensor.index()], codeOf(axes));
  }

  std::uint64_t operator()(const Operator& op) const {
    std::uint64_t hash = hashText(op.kind);
    for (const auto& [name, value] : op.attributes) {
      hash = hashWith(hash, hashText(name));
      if (name != "origin" && name != "seed") hash = hashWith(hash, std::visit(HashAttribute{}, value));
    }
    for (TensorId input : op.inputs) hash = hashWith(hash, tensors_[input.index()]);
    for (TensorId output : op.outputs) hash = hashWith(hash, tensors_[output.index()] + 1);
    if (!chosen_.empty() && std::binary_search(chosen_.begin(), chosen_.end(), op.name))
      for (const auto& [name, axes] : resolved_.choices)
        if (name.first == op.name) hash = hashWith(hashWith(hash, hashText(name.second)), codeOf(axes));
    return hash;
  }

 private:
  static std::uint64_t codeOf(const AxisList& axes) {
    std::uint64_t hash = 1;
    for (AxisId axis : axes) hash = hashWith(hash, axis + 1u);
    return hash;
  }

  static std::uint64_t codeOf(const Tensor& tensor) {
    std::uint64_t hash = static_cast<std::uint64_t>(tensor.dtype) + 64 * static_cast<std::uint64_t>(tensor.kind) + 256 * static_cast<std::uint64_t>(tensor.state);
    for (DimId dim : tensor.shape) hash = hashWith(hash, dim.index());
    return hash;
  }

  const Graph& graph_;
  ResolvedLayout resolved_;
  std::vector<std::string> chosen_;  // names of operators, sorted
  std::vector<std::uint64_t> tensors_;
};

// One pass through the layers: `period` operators a layer from `begin` on; iteration i is layer first + step * i.
struct Run {
  std::size_t begin = 0, period = 0, count = 0;
  int first = 0, step = 0;
  int layer(std::size_t iteration) const { return first + step * static_cast<int>(iteration); }
  std::size_t iteration(int layer) const { return static_cast<std::size_t>((layer - first) * step); }
  bool holds(int layer) const { return (layer - first) * step >= 0 && iteration(layer) < count; }
};

class Finding {
 public:
  Finding(const Graph& graph, const Layout& layout, const Mesh& mesh, TensorId loss) : graph_(graph), loss_(loss) {
    const Codes code(graph, layout, mesh);
    codes_.reserve(graph.operators.size());
    for (const Operator& op : graph.operators) codes_.push_back(code(op));
  }

  std::optional<Layers> run() {
    std::vector<Run> open = candidates();
    if (open.empty()) return std::nullopt;
    Run main = open.front();
    open.erase(open.begin());
    main.step = 1;
    found_.count = static_cast<int>(main.count);
    found_.places.resize(graph_.tensors.size());
    take(main);
    for (bool progress = true; progress;) {
      progress = false;
      for (Run& one : open) {
        if (one.step != 0 || !placed(one)) continue;
        take(one);
        progress = true;
      }
    }
    if (!nameLayers() || !wiredAlike() || !apart()) return std::nullopt;
    return std::move(found_);
  }

 private:
  const Operator& at(const Run& run, int layer, std::size_t position) const { return graph_.operators[run.begin + run.iteration(layer) * run.period + position]; }
  Layers::Place& place(TensorId tensor) { return found_.places[tensor.index()]; }
  // Layers that have a neighbour on either side; the outer two may be fed and read otherwise.
  int lastInner() const { return found_.count - 2; }

  // Repetitions that don't overlap, the longest first.
  std::vector<Run> candidates() const {
    std::vector<Run> found;
    for (const folding::Repeat& repeat : folding::repeats(codes_)) {
      if (repeat.count < static_cast<std::size_t>(leastLayers)) continue;
      const std::size_t end = repeat.begin + repeat.count * repeat.period;
      const bool free = std::none_of(found.begin(), found.end(), [&](const Run& other) { return repeat.begin < other.begin + other.period * other.count && other.begin < end; });
      if (free) found.push_back({bestPhase(repeat), repeat.period, repeat.count});
    }
    return found;
  }

  // A layer begins where the number in the names changes, or else where fewest values cross from one to the next: at its residual.
  std::size_t bestPhase(const folding::Repeat& repeat) const {
    std::size_t best = 0;
    std::pair<std::size_t, std::size_t> fewest{graph_.operators.size(), 0};
    for (std::size_t phase = 0; phase <= repeat.slack && phase < repeat.period; ++phase) {
      const std::size_t cut = repeat.begin + repeat.period + phase;
      std::pair<std::size_t, std::size_t> found{strangers(cut, repeat.period), crossing(cut, repeat.period)};
      if (found >= fewest) continue;
      fewest = found;
      best = phase;
    }
    return repeat.begin + best;
  }

  // Operators of a layer that begins here whose names hold another number than the first one's.
  std::size_t strangers(std::size_t cut, std::size_t period) const {
    std::size_t found = 0;
    for (std::size_t i = cut; i < cut + period && i < graph_.operators.size(); ++i) found += firstNumber(graph_.operators[i].name) != firstNumber(graph_.operators[cut].name);
    return found;
  }

  static std::string_view firstNumber(std::string_view name) {
    constexpr std::string_view digits = "0123456789";
    const std::size_t from = name.find_first_of(digits);
    if (from == std::string_view::npos) return {};
    return name.substr(from, name.find_first_not_of(digits, from) - from);
  }

  std::size_t crossing(std::size_t cut, std::size_t period) const {
    std::vector<TensorId> found;
    for (std::size_t i = cut; i < cut + period && i < graph_.operators.size(); ++i)
      for (TensorId input : graph_.operators[i].inputs) {
        const OperatorId maker = graph_[input].producer;
        if (maker.valid() && maker.index() < cut && maker.index() + period >= cut && std::find(found.begin(), found.end(), input) == found.end()) found.push_back(input);
      }
    return found.size();
  }

  // Which layer an iteration is: as the weights that it reads say, else the values.
  bool placed(Run& run) {
    for (const bool weights : {true, false}) {
      for (std::size_t j = 0; j < run.period; ++j) {
        const Operator &one = graph_.operators[run.begin + run.period + j], &next = graph_.operators[run.begin + 2 * run.period + j];
        for (std::size_t k = 0; k < one.inputs.size(); ++k) {
          const Layers::Place a = place(one.inputs[k]), b = place(next.inputs[k]);
          if (a.role < 0 || a.role != b.role || std::abs(b.layer - a.layer) != 1 || graph_[one.inputs[k]].producer.valid() == weights) continue;
          run.step = b.layer - a.layer;
          run.first = a.layer - run.step;
          for (int layer = 1; layer <= lastInner(); ++layer)
            if (!run.holds(layer)) return run.step = 0, false;
          return true;
        }
      }
    }
    return false;
  }

  void take(const Run& run) {
    for (std::size_t j = 0; j < run.period; ++j) {
      const Operator& one = at(run, 1, j);
      for (std::size_t k = 0; k < one.inputs.size(); ++k) takeOwn(run, j, k);
      for (std::size_t o = 0; o < one.outputs.size(); ++o) {
        const int role = addRole();
        for (int layer = 0; layer < found_.count; ++layer)
          if (run.holds(layer)) set(at(run, layer, j).outputs[o], role, layer);
      }
    }
    runs_.push_back(run);
  }

  // What comes from outside and is another tensor in each layer: a weight of its own.
  void takeOwn(const Run& run, std::size_t j, std::size_t k) {
    const TensorId first = at(run, 1, j).inputs[k];
    if (place(first).role >= 0 || graph_[first].producer.valid() || at(run, 2, j).inputs[k] == first) return;
    const int role = addRole();
    for (int layer = 0; layer < found_.count; ++layer) {
      if (!run.holds(layer)) continue;
      const TensorId tensor = at(run, layer, j).inputs[k];
      if (place(tensor).role < 0 && !graph_[tensor].producer.valid()) set(tensor, role, layer);
    }
  }

  int addRole() {
    found_.members.emplace_back(static_cast<std::size_t>(found_.count));
    return static_cast<int>(found_.members.size()) - 1;
  }

  void set(TensorId tensor, int role, int layer) {
    place(tensor) = {role, layer};
    found_.members[static_cast<std::size_t>(role)][static_cast<std::size_t>(layer)] = tensor;
  }

  // The numbers in the names of the first pass; and that all names follow them: of operators, and of what no operator makes.
  bool nameLayers() {
    for (std::size_t j = 0; j < runs_[0].period && found_.labels.empty(); ++j) labelsFrom(j);
    if (found_.labels.empty()) return false;
    for (const Run& run : runs_)
      for (std::size_t j = 0; j < run.period; ++j)
        if (!named([&](int layer) -> const std::string& { return at(run, layer, j).name; }) || !originsNamed(run, j)) return false;
    for (const std::vector<TensorId>& members : found_.members)
      if (!graph_[members[1]].producer.valid() && !named([&](int layer) -> const std::string& { return graph_[members[static_cast<std::size_t>(layer)]].name; })) return false;
    return true;
  }

  void labelsFrom(std::size_t position) {
    const auto numbers = [&](int layer) {
      std::vector<std::string> found;
      const std::string& name = at(runs_[0], layer, position).name;
      for (std::size_t i = 0; i < name.size(); ++i) {
        if (name[i] < '0' || name[i] > '9') continue;
        if (i == 0 || name[i - 1] < '0' || name[i - 1] > '9') found.emplace_back();
        found.back() += name[i];
      }
      return found;
    };
    std::vector<std::vector<std::string>> all;
    for (int layer = 0; layer < found_.count; ++layer) {
      all.push_back(numbers(layer));
      if (all.back().size() != all.front().size()) return;
    }
    for (std::size_t n = 0; n < all[0].size(); ++n) {
      if (all[0][n] == all[1][n]) continue;
      for (const auto& one : all) found_.labels.push_back(one[n]);
      return;
    }
  }

  template <class Name>
  bool named(const Name& name) const {
    const auto form = NameForm::of(name(1), 1, name(2), 2, found_.labels);
    if (!form) return false;
    for (int layer = 1; layer <= lastInner(); ++layer)
      if (!form->matches(name(layer), static_cast<std::size_t>(layer), found_.labels)) return false;
    return true;
  }

  bool originsNamed(const Run& run, std::size_t position) const {
    for (const char* attribute : {"origin", "seed"}) {
      if (!at(run, 1, position).attributes.count(attribute)) continue;
      const auto text = [&](int layer) -> const std::string& { return std::get<std::string>(at(run, layer, position).attributes.at(attribute)); };
      if (!named(text)) return false;
    }
    return true;
  }

  // Between the outer layers, each operand is the same tensor for all, or plays the same part in the same layer or a neighbour.
  bool wiredAlike() {
    for (const Run& run : runs_) {
      for (std::size_t j = 0; j < run.period; ++j) {
        const Operator& model = at(run, 1, j);
        for (int layer = 1; layer <= lastInner(); ++layer) {
          const Operator& op = at(run, layer, j);
          if (op.inputs.size() != model.inputs.size() || op.outputs.size() != model.outputs.size()) return false;
          for (std::size_t k = 0; k < op.inputs.size(); ++k) {
            const Layers::Place want = place(model.inputs[k]), have = place(op.inputs[k]);
            if (want.role < 0 ? op.inputs[k] != model.inputs[k] : have.role != want.role || have.layer - layer != want.layer - 1 || std::abs(have.layer - layer) > 1) return false;
          }
        }
      }
    }
    std::vector<int> updatedBy(found_.members.size(), -1);
    for (const Update& update : graph_.updates) {
      const Layers::Place state = place(update.state), value = place(update.value);
      if ((state.role < 0) != (value.role < 0)) return false;
      if (state.role < 0) continue;
      int& role = updatedBy[static_cast<std::size_t>(state.role)];
      if (role < 0) role = value.role;
      if (role != value.role || state.layer != value.layer) return false;
    }
    return true;
  }

  // Nothing outside the layers reads one that may be left out.
  bool apart() {
    const auto leftOut = [&](TensorId tensor) { return place(tensor).role >= 0 && place(tensor).layer > 1 && place(tensor).layer < lastInner(); };
    for (TensorId output : graph_.outputs)
      if (leftOut(output)) return false;
    if (loss_.valid() && leftOut(loss_)) return false;
    for (const Operator& op : graph_.operators) {
      if (place(op.outputs[0]).role >= 0) continue;
      for (TensorId input : op.inputs)
        if (leftOut(input)) return false;
    }
    return true;
  }

  const Graph& graph_;
  TensorId loss_;
  std::vector<std::uint64_t> codes_;
  std::vector<Run> runs_;
  Layers found_;
};

}  // namespace

std::optional<Layers> findLayers(const Graph& graph, const Layout& layout, const Mesh& mesh, TensorId loss) { return Finding(graph, layout, mesh, loss).run(); }

}  // namespace core
