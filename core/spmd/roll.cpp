#include "core/spmd/roll.h"

#include <algorithm>
#include <cassert>
#include <unordered_map>

#include "core/base/hash.h"
#include "core/graph/fold_items.h"
#include "core/base/labels.h"

namespace core {
namespace {

// The same but for the names that random numbers are drawn by.
Expression withoutSeeds(Expression expression) {
  for (Node& node : expression.nodes) node.seed.clear();
  return expression;
}

// A layer's instructions in a stretch of equal ones.
struct Stretch {
  std::size_t begin = 0, period = 0, count = 0;
  int step = 0;  // 1 or -1: the layer of the next iteration
};

class Lengthening {
 public:
  Lengthening(const Program& program, const Shortened& few, const Graph& graph, const Layers& layers)
      : old_(program), few_(few), graph_(graph), layers_(layers), left_(static_cast<int>(few.layers.size())), more_(layers.count - left_) {}

  std::optional<Program> run() {
    numberVersions();
    readSigns();
    if (!findStretches()) return std::nullopt;
    makeBuffers();
    for (std::size_t i = 0; i < old_.instructions.size();) {
      const auto stretch = std::find_if(stretches_.begin(), stretches_.end(), [&](const Stretch& one) { return one.begin == i; });
      if (stretch == stretches_.end()) {
        made_.instructions.push_back(copied(old_.instructions[i++]));
        continue;
      }
      if (!roll(*stretch)) return std::nullopt;
      i += stretch->period * stretch->count;
    }
    return std::move(made_);
  }

 private:
  // A buffer among those of its tensor: the value as it is made, then each reshard of it.
  struct Part {
    Layers::Place place;
    int version = 0;
  };

  const Part& part(BufferId id) const { return parts_[id.index()]; }
  // The layer, in the short model, whose work an instruction is; -1 for none.
  int layerOf(const Instruction& one) const { return one.outputs.empty() || part(one.outputs[0]).place.role < 0 ? -1 : part(one.outputs[0]).place.layer; }
  int inWhole(int layer) const { return few_.layers[static_cast<std::size_t>(layer)]; }

  void numberVersions() {
    std::vector<int> versions(few_.graph.tensors.size(), 0);
    parts_.reserve(old_.buffers.size());
    for (const Buffer& buffer : old_.buffers) {
      const std::size_t tensor = buffer.tensor.index();
      parts_.push_back({few_.places[tensor], versions[tensor]++});
    }
  }

  // --- what has to be equal for two instructions to be one, in two layers ---

  std::uint64_t signOf(BufferId id) const {
    const Buffer& buffer = old_.buffers[id.index()];
    std::uint64_t sign = static_cast<std::uint64_t>(buffer.dtype);
    for (std::int64_t size : buffer.sizes) sign = hashWith(sign, static_cast<std::uint64_t>(size));
    for (const AxisList& axes : buffer.placement.sharding.dims) {
      sign = hashWith(sign, 77);
      for (AxisId axis : axes) sign = hashWith(sign, axis + 1u);
    }
    sign = hashWith(sign, buffer.placement.sharding.partial.bits + 4096 * static_cast<std::uint64_t>(buffer.placement.sharding.reduction));
    for (const Window& window : buffer.placement.windows)
      for (std::int64_t number : {window.extent, window.low, window.high}) sign = hashWith(sign, static_cast<std::uint64_t>(number));
    return sign;
  }

  std::uint64_t signOf(const Instruction& one, std::size_t at) {
    if (layerOf(one) < 0) return hashWith(0xA110F, at);  // stands alone
    std::uint64_t sign = hashWith(static_cast<std::uint64_t>(one.kind), static_cast<std::uint64_t>(expressionNumber(one.expression)));
    sign = hashWith(sign, hashText(one.op));
    for (const AxisList& axes : one.loopAxes) {
      sign = hashWith(sign, 99);
      for (AxisId axis : axes) sign = hashWith(sign, axis + 1u);
    }
    sign = hashWith(sign, static_cast<std::uint64_t>(one.collective.kind) + 16 * static_cast<std::uint64_t>(one.collective.reduction));
    sign = hashWith(sign, static_cast<std::uint64_t>(one.collective.splitDim + 1) + 256 * static_cast<std::uint64_t>(one.collective.concatDim + 1));
    for (AxisId axis : one.collective.axes) sign = hashWith(sign, axis + 1u);
    for (BufferId id : one.inputs) sign = hashWith(sign, signOf(id));
    for (BufferId id : one.outputs) {
      sign = hashWith(sign, signOf(id) + static_cast<std::uint64_t>(old_.buffers[id.index()].memoryClass) + 1);
      sign = hashWith(sign, static_cast<std::uint64_t>(part(id).place.role) * 64 + static_cast<std::uint64_t>(part(id).version));
    }
    return sign;
  }

  // Templates that differ in seeds alone count as one.
  int expressionNumber(int expression) {
    if (expression < 0 || !drawsNumbers(old_.expressions[static_cast<std::size_t>(expression)])) return expression;
    const Expression plain = withoutSeeds(old_.expressions[static_cast<std::size_t>(expression)]);
    for (std::size_t i = 0; i < seedless_.size(); ++i)
      if (seedless_[i] == plain) return -2 - static_cast<int>(i);
    seedless_.push_back(plain);
    return -1 - static_cast<int>(seedless_.size());
  }

  void readSigns() {
    for (std::size_t i = 0; i < old_.instructions.size(); ++i) signs_.push_back(signOf(old_.instructions[i], i));
  }

  // --- stretches ---

  bool findStretches() {
    std::vector<bool> taken(signs_.size(), false);
    for (const folding::Repeat& repeat : folding::repeats(signs_)) {
      Stretch one{repeat.begin, repeat.period, repeat.count};
      const auto from = taken.begin() + static_cast<std::ptrdiff_t>(one.begin), to = from + static_cast<std::ptrdiff_t>(one.period * one.count);
      if (std::find(from, to, true) != to || !stepsThroughLayers(one)) continue;
      std::fill(from, to, true);
      stretches_.push_back(one);
    }
    // The layers in the middle are there as often as is wanted only if all of their work repeats.
    for (std::size_t i = 0; i < signs_.size(); ++i) {
      const int layer = layerOf(old_.instructions[i]);
      if (layer > 0 && layer < left_ - 1 && !taken[i]) return false;
    }
    return true;
  }

  bool stepsThroughLayers(Stretch& one) const {
    one.step = layerOf(old_.instructions[one.begin + one.period]) - layerOf(old_.instructions[one.begin]);
    if (std::abs(one.step) != 1) return false;
    for (std::size_t position = 0; position < one.period; ++position) {
      int least = left_, most = -1;
      for (std::size_t i = 0; i < one.count; ++i) {
        const int layer = layerOf(old_.instructions[one.begin + i * one.period + position]);
        if (i > 0 && layer - layerOf(old_.instructions[one.begin + (i - 1) * one.period + position]) != one.step) return false;
        least = std::min(least, layer);
        most = std::max(most, layer);
      }
      if (least > 1 || most < left_ - 2) return false;
    }
    return true;
  }

  // --- buffers of the whole model ---

  void makeBuffers() {
    made_.mesh = old_.mesh;
    made_.expressions = old_.expressions;
    ids_.resize(layers_.members.size());
    kept_.resize(old_.buffers.size());
    std::size_t buffers = 2 * old_.buffers.size();  // as many again for what stands for others in repeats
    for (const Part& one : parts_) buffers += one.place.role >= 0 && one.place.layer == 1 ? static_cast<std::size_t>(more_) : 0;
    made_.buffers.reserve(buffers);
    made_.sources.reserve(buffers);
    for (std::size_t b = 0; b < old_.buffers.size(); ++b) {
      const Part& one = parts_[b];
      kept_[b] = addBuffer(old_.buffers[b], few_.original[old_.buffers[b].tensor.index()]);
      if (one.place.role < 0) continue;
      remember(one, inWhole(one.place.layer), kept_[b]);
      if (one.place.layer != 1) continue;
      for (int layer = 2; layer < 2 + more_; ++layer)
        remember(one, layer, addBuffer(old_.buffers[b], layers_.members[static_cast<std::size_t>(one.place.role)][static_cast<std::size_t>(layer)]));
    }
    std::vector<BufferId> first(graph_.tensors.size());
    for (std::size_t b = made_.buffers.size(); b-- > 0;) first[made_.buffers[b].tensor.index()] = BufferId(static_cast<std::int64_t>(b));
    for (std::size_t t = 0; t < graph_.tensors.size(); ++t) {
      if (graph_.tensors[t].kind == TensorKind::input) made_.inputs.push_back(first[t]);
      if (graph_.tensors[t].kind == TensorKind::state) made_.states.push_back(first[t]);
    }
    for (BufferId id : old_.outputs) made_.outputs.push_back(kept_[id.index()]);
    if (old_.loss.valid()) made_.loss = kept_[old_.loss.index()];
  }

  BufferId addBuffer(const Buffer& model, TensorId tensor) {
    const std::string &name = graph_[tensor].name, &nameOfModel = few_.graph[model.tensor].name;
    Buffer& made = made_.buffers.emplace_back();
    made.name.reserve(name.size() + model.name.size() - nameOfModel.size());
    made.name.append(name).append(model.name, nameOfModel.size());
    made.tensor = tensor;
    made.dims = model.dims;
    made.sizes = model.sizes;
    made.placement = model.placement;
    made.dtype = model.dtype;
    made.memoryClass = model.memoryClass;
    made.localShape = model.localShape;
    made.bytes = model.bytes;
    made.persistent = model.persistent;
    if (model.persistent) made_.sources.push_back(graph_[tensor].source);
    else made_.sources.emplace_back();
    return BufferId(static_cast<std::int64_t>(made_.buffers.size()) - 1);
  }

  void remember(const Part& part, int layer, BufferId id) {
    auto& versions = ids_[static_cast<std::size_t>(part.place.role)];
    if (versions.size() <= static_cast<std::size_t>(part.version)) versions.resize(static_cast<std::size_t>(part.version) + 1);
    auto& ids = versions[static_cast<std::size_t>(part.version)];
    ids.resize(static_cast<std::size_t>(layers_.count));
    ids[static_cast<std::size_t>(layer)] = id;
  }

  Instruction copied(Instruction one) const {
    for (auto* ids : {&one.inputs, &one.outputs})
      for (BufferId& id : *ids) id = kept_[id.index()];
    return one;
  }

  // --- repeats ---

  // Which iterations there are: of the short program, or one that it lacks (then `layer` is the one in the whole model).
  struct Iteration {
    const Instruction* shown = nullptr;
    int layer = 0;
  };

  std::vector<Iteration> iterationsOf(const Stretch& stretch, std::size_t position) const {
    std::vector<Iteration> all;
    all.reserve(stretch.count + static_cast<std::size_t>(more_));
    for (std::size_t i = 0; i < stretch.count; ++i) {
      const Instruction& one = old_.instructions[stretch.begin + i * stretch.period + position];
      const int layer = layerOf(one), last = stretch.step > 0 ? 1 : left_ - 2;
      all.push_back({&one, inWhole(layer)});
      if (layer != last) continue;
      for (int k = 0; k < more_; ++k) all.push_back({nullptr, stretch.step > 0 ? 2 + k : 1 + more_ - k});
    }
    return all;
  }

  // The outer layers may go by other names ("grad/embedded" where others have "grad/h.3/residual"): then they stay outside.
  bool roll(const Stretch& stretch) {
    for (const auto& [before, after] : {std::pair<std::size_t, std::size_t>{0, 0}, {0, 1}, {1, 0}, {1, 1}}) {
      if (stretch.count < before + after + 2) break;
      Stretch inner{stretch.begin + before * stretch.period, stretch.period, stretch.count - before - after, stretch.step};
      if (!stepsThroughLayers(inner)) continue;
      const std::size_t buffers = made_.buffers.size(), expressions = made_.expressions.size();
      auto repeat = rolled(inner);
      if (!repeat) {
        made_.buffers.resize(buffers);
        made_.sources.resize(buffers);
        made_.expressions.resize(expressions);
        continue;
      }
      const std::size_t end = stretch.begin + stretch.period * stretch.count;
      for (std::size_t i = stretch.begin; i < inner.begin; ++i) made_.instructions.push_back(copied(old_.instructions[i]));
      made_.instructions.push_back(std::move(*repeat));
      for (std::size_t i = inner.begin + inner.period * inner.count; i < end; ++i) made_.instructions.push_back(copied(old_.instructions[i]));
      return true;
    }
    return false;
  }

  std::optional<Instruction> rolled(const Stretch& stretch) {
    Instruction repeat{.kind = InstructionKind::repeat, .count = static_cast<std::int64_t>(stretch.count) + more_};
    slots_.clear();
    std::vector<Texts> texts;
    // Labels in the order of the iterations, of all layers: a name may hold a neighbour's.
    std::vector<std::string> labels = layers_.labels;
    if (stretch.step < 0) std::reverse(labels.begin(), labels.end());
    int least = 0, most = 0;
    for (std::size_t position = 0; position < stretch.period; ++position) {
      const std::vector<Iteration> all = iterationsOf(stretch, position);
      auto body = merged(all, repeat);
      const auto text = textsOf(all, labels, firstLabel(stretch, 0));
      if (!body || !text) return std::nullopt;
      repeat.body.push_back(std::move(*body));
      texts.push_back(*text);
      for (const auto& form : {texts.back().name, texts.back().origin, texts.back().reason, texts.back().seed}) {
        if (!form) continue;
        least = std::min(least, form->least());
        most = std::max(most, form->most());
      }
    }
    const std::ptrdiff_t first = firstLabel(stretch, 0);
    if (first + least < 0 || first + static_cast<std::ptrdiff_t>(repeat.count) + most > static_cast<std::ptrdiff_t>(labels.size())) return std::nullopt;
    repeat.labels.assign(labels.begin() + first + least, labels.begin() + first + static_cast<std::ptrdiff_t>(repeat.count) + most);
    for (std::size_t position = 0; position < stretch.period; ++position) {
      Instruction& one = repeat.body[position];
      one.name = texts[position].name->text(least);
      one.origin = texts[position].origin->text(least);
      if (texts[position].reason) one.reason = texts[position].reason->text(least);
      if (texts[position].seed) seedBy(one, texts[position].seed->text(least));
    }
    const std::size_t from = static_cast<std::size_t>(first), to = from + static_cast<std::size_t>(repeat.count) - 1;
    repeat.name = "layers " + labels[from] + " to " + labels[to] + " from " + withLabels(repeat.body.front().name, repeat.labels, 0);
    repeat.reason = std::to_string(repeat.count) + " equal layers, " + std::to_string(stretch.period) + " instructions each";
    return repeat;
  }

  // Where the label of a position's first iteration stands among those in the order of the iterations.
  std::ptrdiff_t firstLabel(const Stretch& stretch, std::size_t position) const {
    const int layer = inWhole(layerOf(old_.instructions[stretch.begin + position]));
    return stretch.step > 0 ? layer : layers_.count - 1 - layer;
  }

  struct Texts {
    std::optional<NameForm> name, origin, reason, seed;
  };

  // The forms of what is written in an instruction, from two iterations in the middle; all that are shown have to follow them.
  std::optional<Texts> textsOf(const std::vector<Iteration>& all, const std::vector<std::string>& labels, std::ptrdiff_t firstLabel) const {
    const auto [a, b] = models(all);
    const auto form = [&](const std::string& one, const std::string& other) {
      return NameForm::of(one, static_cast<std::size_t>(firstLabel) + a, other, static_cast<std::size_t>(firstLabel) + b, labels);
    };
    Texts texts{form(all[a].shown->name, all[b].shown->name), form(all[a].shown->origin, all[b].shown->origin), form(all[a].shown->reason, all[b].shown->reason), {}};
    if (!texts.name || !texts.origin) return std::nullopt;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::size_t label = static_cast<std::size_t>(firstLabel) + i;
      if (all[i].shown && (!texts.name->matches(all[i].shown->name, label, labels) || !texts.origin->matches(all[i].shown->origin, label, labels))) return std::nullopt;
    }
    if (all[a].shown->expression >= 0 && all[a].shown->expression != all[b].shown->expression) {
      texts.seed = form(seedOf(*all[a].shown), seedOf(*all[b].shown));
      if (!texts.seed) return std::nullopt;
      for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].shown && !texts.seed->matches(seedOf(*all[i].shown), static_cast<std::size_t>(firstLabel) + i, labels)) return std::nullopt;
    }
    return texts;
  }

  const std::string& seedOf(const Instruction& one) const {
    const Expression& expression = old_.expressions[static_cast<std::size_t>(one.expression)];
    return std::find_if(expression.nodes.begin(), expression.nodes.end(), [](const Node& node) { return node.kind == Node::Kind::random; })->seed;
  }

  void seedBy(Instruction& one, const std::string& seed) {
    Expression expression = made_.expressions[static_cast<std::size_t>(one.expression)];
    for (Node& node : expression.nodes)
      if (node.kind == Node::Kind::random) node.seed = seed;
    if (auto attribute = one.attributes.find("seed"); attribute != one.attributes.end()) attribute->second = seed;
    one.expression = static_cast<int>(made_.expressions.size());
    made_.expressions.push_back(std::move(expression));
  }

  // Two iterations beside each other whose layers both have neighbours: what those do, all in the middle do.
  std::pair<std::size_t, std::size_t> models(const std::vector<Iteration>& all) const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].shown && all[i].layer > 0 && all[i].layer < layers_.count - 1) found.push_back(i);
    assert(found.size() >= 2 && "a stretch goes through the middle");
    return {found[0], found[1]};
  }

  std::optional<Instruction> merged(const std::vector<Iteration>& all, Instruction& repeat) {
    const auto [a, b] = models(all);
    const Instruction &one = *all[a].shown, &next = *all[b].shown;
    for (const Iteration& each : all)
      if (each.shown && !sameAttributes(one.attributes, each.shown->attributes)) return std::nullopt;
    Instruction result = one;
    for (auto member : {&Instruction::inputs, &Instruction::outputs}) {
      for (std::size_t k = 0; k < (one.*member).size(); ++k) {
        const BufferId first = (one.*member)[k], second = (next.*member)[k];
        const Part &from = part(first), &to = part(second);
        const bool shared = first == second && from.place.role < 0;
        const bool moves = from.place.role >= 0 && from.place.role == to.place.role && from.version == to.version &&
                           to.place.layer - from.place.layer == layerOf(next) - layerOf(one);
        if (!shared && !moves) return std::nullopt;
        std::vector<BufferId> perIteration;
        perIteration.reserve(all.size());
        for (const Iteration& each : all) {
          if (each.shown) perIteration.push_back(meantBy((each.shown->*member)[k], layerOf(*each.shown)));
          else if (shared) perIteration.push_back(kept_[first.index()]);
          else perIteration.push_back(ids_[static_cast<std::size_t>(from.place.role)][static_cast<std::size_t>(from.version)][static_cast<std::size_t>(each.layer + from.place.layer - layerOf(one))]);
          if (!perIteration.back().valid()) return std::nullopt;
        }
        (result.*member)[k] = viewed(std::move(perIteration), repeat);
      }
    }
    return result;
  }

  // A layer's neighbour in the short model stands for its neighbour in the whole.
  BufferId meantBy(BufferId id, int reader) const {
    const Part& one = part(id);
    const bool acrossTheGap = one.place.role >= 0 && std::abs(one.place.layer - reader) == 1 && (one.place.layer > 1) != (reader > 1);
    if (!acrossTheGap) return kept_[id.index()];
    return ids_[static_cast<std::size_t>(one.place.role)][static_cast<std::size_t>(one.version)][static_cast<std::size_t>(inWhole(reader) + one.place.layer - reader)];
  }

  static bool sameAttributes(const Attributes& one, const Attributes& other) {
    return one.size() == other.size() && std::equal(one.begin(), one.end(), other.begin(), [](const auto& a, const auto& b) { return a.first == b.first && (a.first == "seed" || a.second == b.second); });
  }

  // The buffer itself where it is the same in all iterations; else one that stands for each iteration's: no bytes, no place.
  BufferId viewed(std::vector<BufferId> perIteration, Instruction& repeat) {
    if (std::equal(perIteration.begin() + 1, perIteration.end(), perIteration.begin())) return perIteration[0];
    std::uint64_t key = 0;
    for (BufferId id : perIteration) key = hashWith(key, id.index());
    const auto [known, isNew] = slots_.try_emplace(key, repeat.views.size());
    if (!isNew) {
      const IterationView& view = repeat.views[known->second];
      assert(view.perIteration == perIteration && "equal hashes of 64 bits");
      return view.slot;
    }
    const BufferId id(static_cast<std::int64_t>(made_.buffers.size()));
    Buffer slot = made_.buffers[perIteration[0].index()];
    slot.persistent = false;
    slot.tensor = {};
    made_.buffers.push_back(std::move(slot));
    made_.sources.emplace_back();
    repeat.views.push_back({id, std::move(perIteration)});
    return id;
  }

  const Program& old_;
  const Shortened& few_;
  const Graph& graph_;
  const Layers& layers_;
  int left_, more_;  // layers of the short model, and how many it lacks
  std::vector<Part> parts_;
  std::vector<std::uint64_t> signs_;
  std::vector<Expression> seedless_;
  std::vector<Stretch> stretches_;
  std::vector<BufferId> kept_;                            // per old buffer
  std::vector<std::vector<std::vector<BufferId>>> ids_;   // per role, version and layer of the whole model
  std::unordered_map<std::uint64_t, std::size_t> slots_;  // hash of what a view stands for -> its number in the repeat
  Program made_;
};

}  // namespace

std::optional<Program> lengthen(const Program& program, const Shortened& few, const Graph& graph, const Layers& layers) { return Lengthening(program, few, graph, layers).run(); }

}  // namespace core
