#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/io/naming/relater.h"
#include "core/io/onnx_emitter.h"

// LSTM, GRU and RNN, a step after the other: the products with the input stand before, all steps in one.

namespace core {
namespace {

using Site = Emitter::Site;
using Made = std::vector<TensorId>;

constexpr std::int64_t mostSteps = 512;
constexpr std::size_t mostStacked = 32;  // operands of one stack

class Recurrence {
 public:
  Recurrence(Emitter& emit, const Site& site) : emit_(emit), site_(site), build_(emit.build), type_(site.node.type), gates_(type_ == "LSTM" ? 4 : type_ == "GRU" ? 3 : 1) {
    const naming::Axes& x = site.relation.operands.at(0).axes;
    batchFirst_ = site.node.integer("layout", 0) != 0;
    seqAxis_ = x[batchFirst_ ? 1 : 0];
    steps_ = emit.names.atoms.product(emit.names.atoms.leaves(seqAxis_));
    const Shape seq = emit.shape(seqAxis_);
    if (!seq.empty() && build_.graph().size(seq[0]) == 0) throw Error{.what = naming::openSymbol, .where = {}, .right = {}};
    if (steps_ > mostSteps) throw Error{.what = fmt::format("{} steps", steps_), .where = {}, .right = fmt::format("up to {}", mostSteps)};
    if (site.node.attributes.count("clip") > 0) throw Error{.what = "clipped gates", .where = {}, .right = "gates as they are"};
    if (site.node.integer("input_forget", 0) != 0) throw Error{.what = "coupled gates", .where = {}, .right = "gates of their own"};
    readActivations();
  }

  Made run() {
    const Shape directions = emit_.shape(site_.relation.operands.at(1).axes.at(0));
    const std::string direction = site_.node.text("direction", "forward");
    const std::size_t count = direction == "bidirectional" ? 2 : 1;
    for (std::size_t d = 0; d < count; ++d) go(d, directions, direction == "reverse" || d == 1);
    Made made;
    for (std::size_t k = 0; k < site_.node.outputs.size(); ++k) {
      if (site_.node.outputs[k] < 0) {
        made.push_back(TensorId());
        continue;
      }
      const Shape shape = emit_.shape(site_.relation.outputs[k]);
      std::vector<TensorId> each;
      for (const std::array<TensorId, 3>& one : results_) each.push_back(one[k]);
      if (k == 0) emit_.nameNext(site_);
      made.push_back(count == 1 ? build_.transpose(each[0], shape) : build_.addOne("stack", each, {{"dim", directions}, {"indices", std::vector<std::int64_t>{0, 1}}, {"shape", shape}}));
    }
    return made;
  }

 private:
  void readActivations() {
    static const std::map<std::string, Function> known{{"sigmoid", Function::sigmoid}, {"tanh", Function::tanh}, {"relu", Function::relu}, {"softplus", Function::softplus}};
    std::vector<std::string> names = type_ == "LSTM" ? std::vector<std::string>{"Sigmoid", "Tanh", "Tanh"} : type_ == "GRU" ? std::vector<std::string>{"Sigmoid", "Tanh"} : std::vector<std::string>{"Tanh"};
    const std::size_t each = names.size();
    const std::size_t count = site_.node.text("direction", "forward") == "bidirectional" ? 2 : 1;
    for (std::size_t d = 1; d < count; ++d) names.insert(names.end(), names.begin(), names.begin() + static_cast<std::ptrdiff_t>(each));
    if (auto given = site_.node.attributes.find("activations"); given != site_.node.attributes.end())
      if (const auto* list = std::get_if<std::vector<std::string>>(&given->second); list && !list->empty()) names = *list;
    if (names.size() != each * count) throw Error{.what = "as many activations as it has gates are wanted", .where = {}, .right = fmt::format("{}", each * count)};
    for (std::string name : names) {
      std::transform(name.begin(), name.end(), name.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
      const auto found = known.find(name);
      if (found == known.end()) throw Error{.what = "activation \"" + name + "\"", .where = {}, .right = "sigmoid, tanh, relu or softplus"};
      activations_.push_back(found->second);
    }
    activationsEach_ = each;
  }

  Function activation(std::size_t direction, std::size_t i) const { return activations_[direction * activationsEach_ + i]; }

  // An operand of one direction; invalid where it is left out.
  TensorId of(std::size_t operand, std::size_t direction, const Shape& directions) {
    if (!site_.has(operand)) return {};
    const TensorId x = emit_.operand(site_, operand);
    return directions.empty() ? x : build_.pick(x, directions[0], static_cast<std::int64_t>(direction));
  }

  // Part i of the major dimension of those that begin an axis; the whole where there is but one.
  TensorId part(TensorId x, const Shape& major, std::int64_t i, std::int64_t count) {
    if (count == 1 || !x.valid()) return x;
    // (two biases, gates) may stand as one dimension or as two
    if (major.size() == 1) return build_.pick(x, major[0], i);
    if (major.size() != 2) throw Error{.what = "gates that are cut otherwise elsewhere", .where = {}, .right = "one dimension"};
    const std::int64_t minor = build_.graph().size(major[1]);
    return build_.pick(build_.pick(x, major[0], i / minor), major[1], i % minor);
  }

  Shape majorOf(std::size_t operand, std::size_t axis, std::int64_t count) {
    const naming::Axis& whole = site_.relation.operands[operand].axes[axis];
    Shape dims;
    std::int64_t size = 1;
    for (naming::AtomId leaf : emit_.names.atoms.leaves(whole)) {
      if (size >= count) break;
      size *= emit_.names.atoms.size(leaf);
      dims.push_back(emit_.dim(leaf));
    }
    return dims;
  }

  // What one direction needs in every step.
  struct Direction {
    std::size_t number = 0;
    std::vector<TensorId> fromInput, weights;  // a gate each: the product with the input and the biases, all steps; what the state is multiplied with
    TensorId candidateBias;                    // of a GRU: may stand inside of the reset
    TensorId peep;
    Shape peeps;       // the dimensions that tell the peepholes apart
    Shape hidden, read;  // the state as it is made, and as the product reads it
    Shape state;
  };

  struct State {
    TensorId h, c;
  };

  Direction direction(std::size_t d, const Shape& directions) {
    Direction one{.number = d};
    one.read = emit_.shape(site_.relation.operands[2].axes[2]);
    one.hidden = emit_.shape(site_.relation.outputs[0].back());
    if (one.read.size() > 1 || one.hidden.size() > 1 || one.read.size() != one.hidden.size()) throw Error{.what = "states of several dimensions", .where = {}, .right = "one"};
    one.state = emit_.shape(site_.relation.operands[0].axes[batchFirst_ ? 0 : 1]);
    one.state.insert(one.state.end(), one.hidden.begin(), one.hidden.end());
    one.peep = of(7, d, directions);
    if (one.peep.valid()) one.peeps = majorOf(7, 1, 3);
    multiplyInput(one, directions);
    return one;
  }

  void multiplyInput(Direction& one, const Shape& directions) {
    const TensorId x = emit_.operand(site_, 0), w = of(1, one.number, directions), r = of(2, one.number, directions), bias = of(3, one.number, directions);
    const Shape inW = majorOf(1, 1, gates_), inR = majorOf(2, 1, gates_), inBias = bias.valid() ? majorOf(3, 1, 2 * gates_) : Shape{};
    for (std::int64_t g = 0; g < gates_; ++g) {
      TensorId product = build_.einsum({x, part(w, inW, g, gates_)}, allSteps(one));
      if (bias.valid()) product = build_.plus(product, part(bias, inBias, g, 2 * gates_));
      const bool candidate = type_ == "GRU" && g == 2;
      if (bias.valid() && candidate) one.candidateBias = part(bias, inBias, gates_ + g, 2 * gates_);
      else if (bias.valid()) product = build_.plus(product, part(bias, inBias, gates_ + g, 2 * gates_));
      one.fromInput.push_back(product);
      one.weights.push_back(part(r, inR, g, gates_));
    }
  }

  Shape allSteps(const Direction& one) {
    Shape all = emit_.shape(seqAxis_);
    all.insert(all.end(), one.state.begin(), one.state.end());
    return all;
  }

  // The state as products read it: by a name of its own, for what they make has its name.
  TensorId asRead(const Direction& one, TensorId x) { return one.hidden == one.read ? x : build_.rename(x, one.hidden[0], one.read[0]); }

  TensorId fromState(const Direction& one, TensorId state, std::size_t gate) { return build_.einsum({state, one.weights[gate]}, one.state); }

  void go(std::size_t d, const Shape& directions, bool backwards) {
    if (site_.has(4) && backwards) throw Error{.what = "lengths of sequences that go backwards", .where = {}, .right = "forwards"};
    const Direction one = direction(d, directions);
    const Shape seq = emit_.shape(seqAxis_);
    State now{start(5, one, directions), type_ == "LSTM" ? start(6, one, directions) : TensorId()};
    std::vector<TensorId> outputs(static_cast<std::size_t>(steps_));
    for (std::int64_t i = 0; i < steps_; ++i) {
      const std::int64_t t = backwards ? steps_ - 1 - i : i;
      build_.pushScope(fmt::format("step.{}", t));
      std::vector<TensorId> in;
      for (TensorId product : one.fromInput) in.push_back(seq.empty() ? product : build_.pick(product, seq[0], t));
      State next = type_ == "RNN" ? rnnStep(one, in, now) : type_ == "GRU" ? gruStep(one, in, now) : lstmStep(one, in, now);
      outputs[static_cast<std::size_t>(t)] = next.h;
      if (site_.has(4)) outputs[static_cast<std::size_t>(t)] = keepBeyondEnd(t, now, next);
      now = next;
      build_.popScope();
    }
    results_.push_back({stacked(outputs, seq, allSteps(one)), now.h, now.c});
  }

  TensorId start(std::size_t operand, const Direction& one, const Shape& directions) {
    const TensorId given = of(operand, one.number, directions);
    return given.valid() ? build_.transpose(given, one.state) : build_.broadcast(build_.scalar(0, build_.graph()[emit_.operand(site_, 0)].dtype), one.state);
  }

  // Beyond its length a sequence keeps its state, and gives nothing.
  TensorId keepBeyondEnd(std::int64_t t, const State& now, State& next) {
    const TensorId goesOn = build_.binary(Function::greater, emit_.operand(site_, 4), static_cast<double>(t));
    const TensorId shown = build_.select(goesOn, next.h, 0.0);
    next.h = build_.select(goesOn, next.h, now.h);
    if (next.c.valid()) next.c = build_.select(goesOn, next.c, now.c);
    return shown;
  }

  State rnnStep(const Direction& one, const std::vector<TensorId>& in, const State& now) {
    return {build_.unary(activation(one.number, 0), build_.plus(in[0], fromState(one, asRead(one, now.h), 0))), {}};
  }

  // Cho et al. 2014; gates: update, reset, candidate.
  State gruStep(const Direction& one, const std::vector<TensorId>& in, const State& now) {
    const TensorId last = asRead(one, now.h);
    const auto gate = [&](std::size_t g) { return build_.unary(activation(one.number, 0), build_.plus(in[g], fromState(one, last, g))); };
    const TensorId update = gate(0), reset = gate(1);
    const bool resetAfter = site_.node.integer("linear_before_reset", 0) != 0;
    TensorId inner = resetAfter ? fromState(one, last, 2) : fromState(one, asRead(one, build_.times(reset, now.h)), 2);
    if (one.candidateBias.valid()) inner = build_.plus(inner, one.candidateBias);
    if (resetAfter) inner = build_.times(reset, inner);
    const TensorId fresh = build_.unary(activation(one.number, 1), build_.plus(in[2], inner));
    return {build_.plus(build_.times(build_.binary(Function::subtract, 1.0, update), fresh), build_.times(update, now.h)), {}};
  }

  // Hochreiter and Schmidhuber 1997, with peepholes as Gers et al. 2002 have them; gates: input, output, forget, cell.
  State lstmStep(const Direction& one, const std::vector<TensorId>& in, const State& now) {
    const TensorId last = asRead(one, now.h);
    const auto gate = [&](std::size_t g) { return build_.plus(in[g], fromState(one, last, g)); };
    const auto peeped = [&](std::size_t g, TensorId cell) { return one.peep.valid() ? build_.plus(gate(g), build_.times(part(one.peep, one.peeps, static_cast<std::int64_t>(g), 3), cell)) : gate(g); };
    const TensorId input = build_.unary(activation(one.number, 0), peeped(0, now.c)), forget = build_.unary(activation(one.number, 0), peeped(2, now.c));
    const TensorId fresh = build_.unary(activation(one.number, 1), gate(3));
    const TensorId cell = build_.plus(build_.times(forget, now.c), build_.times(input, fresh));
    const TensorId output = build_.unary(activation(one.number, 0), peeped(1, cell));
    return {build_.times(output, build_.unary(activation(one.number, 2), cell)), cell};
  }

  // Over a dimension, in groups where they are many.
  TensorId stacked(const std::vector<TensorId>& steps, const Shape& seq, const Shape& shape) {
    if (seq.empty()) return steps[0];
    const auto stack = [&](std::size_t from, std::size_t count, DimId dim) {
      std::vector<std::int64_t> places;
      for (std::size_t i = 0; i < count; ++i) places.push_back(static_cast<std::int64_t>(i));
      Shape own = shape;
      std::replace(own.begin(), own.end(), seq[0], dim);
      return build_.addOne("stack", {steps.begin() + static_cast<std::ptrdiff_t>(from), steps.begin() + static_cast<std::ptrdiff_t>(from + count)}, {{"dim", Shape{dim}}, {"indices", places}, {"shape", own}});
    };
    if (steps.size() <= mostStacked) return stack(0, steps.size(), seq[0]);
    std::vector<TensorId> groups;
    Shape dims;
    for (std::size_t from = 0; from < steps.size(); from += mostStacked) {
      const std::size_t count = std::min(mostStacked, steps.size() - from);
      dims.push_back(build_.newDim("steps", static_cast<std::int64_t>(count)));
      groups.push_back(stack(from, count, dims.back()));
    }
    return build_.concat(groups, dims, seq[0]);
  }

  Emitter& emit_;
  const Site& site_;
  GraphBuilder& build_;
  std::string type_;
  std::int64_t gates_, steps_ = 1;
  bool batchFirst_ = false;
  naming::Axis seqAxis_;
  std::vector<Function> activations_;
  std::size_t activationsEach_ = 1;
  std::vector<std::array<TensorId, 3>> results_;  // per direction: all steps, the last state, the last cell
};

Made recurrent(Emitter& emit, const Site& site) { return Recurrence(emit, site).run(); }

}  // namespace

const std::map<std::string, EmitRule>& emitRecurrent() {
  static const std::map<std::string, EmitRule> table{{"LSTM", recurrent}, {"GRU", recurrent}, {"RNN", recurrent}};
  return table;
}

}  // namespace core
