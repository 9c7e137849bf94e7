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
    const bool batchFirst = site.node.integer("layout", 0) != 0;
    seqAxis_ = x[batchFirst ? 1 : 0];
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

  void go(std::size_t d, const Shape& directions, bool backwards) {
    const TensorId x = emit_.operand(site_, 0), w = of(1, d, directions), r = of(2, d, directions), bias = of(3, d, directions), peep = of(7, d, directions);
    const Shape wGates = majorOf(1, 1, gates_), rGates = majorOf(2, 1, gates_), seq = emit_.shape(seqAxis_), read = emit_.shape(site_.relation.operands[2].axes[2]);
    const Shape hidden = emit_.shape(site_.relation.outputs[0].back()), biases = site_.has(3) ? majorOf(3, 1, 2 * gates_) : Shape{}, peeps = site_.has(7) ? majorOf(7, 1, 3) : Shape{};
    if (read.size() > 1 || hidden.size() > 1 || read.size() != hidden.size()) throw Error{.what = "states of several dimensions", .where = {}, .right = "one"};
    if (site_.has(4) && backwards) throw Error{.what = "lengths of sequences that go backwards", .where = {}, .right = "forwards"};
    const Shape batch = emit_.shape(site_.relation.operands[0].axes[site_.node.integer("layout", 0) != 0 ? 0 : 1]);
    Shape state = batch;
    state.insert(state.end(), hidden.begin(), hidden.end());
    const DType type = build_.graph()[x].dtype;
    Shape all = seq;
    all.insert(all.end(), state.begin(), state.end());
    std::vector<TensorId> fromInput, weights, ofState;
    for (std::int64_t g = 0; g < gates_; ++g) {
      TensorId product = build_.einsum({x, part(w, wGates, g, gates_)}, all);
      const TensorId inBias = part(bias, biases, g, 2 * gates_), stateBias = part(bias, biases, gates_ + g, 2 * gates_);
      if (inBias.valid()) product = build_.plus(product, inBias);
      const bool apart = type_ == "GRU" && g == 2;  // its second bias may stand inside of the reset
      if (stateBias.valid() && !apart) product = build_.plus(product, stateBias);
      fromInput.push_back(product);
      weights.push_back(part(r, rGates, g, gates_));
      ofState.push_back(apart ? stateBias : TensorId());
    }
    const auto start = [&](std::size_t operand) {
      const TensorId given = of(operand, d, directions);
      return given.valid() ? build_.transpose(given, state) : build_.broadcast(build_.scalar(0, type), state);
    };
    TensorId h = start(5), c = type_ == "LSTM" ? start(6) : TensorId();
    std::vector<TensorId> outputs(static_cast<std::size_t>(steps_));
    for (std::int64_t i = 0; i < steps_; ++i) {
      const std::int64_t t = backwards ? steps_ - 1 - i : i;
      build_.pushScope(fmt::format("step.{}", t));
      std::vector<TensorId> in;
      for (TensorId one : fromInput) in.push_back(seq.empty() ? one : build_.pick(one, seq[0], t));
      const TensorId last = hidden.empty() || hidden == read ? h : build_.rename(h, hidden[0], read[0]);
      const auto gate = [&](std::size_t g) { return build_.plus(in[g], build_.einsum({last, weights[g]}, state)); };
      TensorId nextH, nextC;
      if (type_ == "RNN") {
        nextH = build_.unary(activation(d, 0), gate(0));
      } else if (type_ == "GRU") {
        const TensorId update = build_.unary(activation(d, 0), gate(0)), reset = build_.unary(activation(d, 0), gate(1));
        TensorId candidate;
        if (site_.node.integer("linear_before_reset", 0) != 0) {
          TensorId inner = build_.einsum({last, weights[2]}, state);
          if (ofState[2].valid()) inner = build_.plus(inner, ofState[2]);
          candidate = build_.plus(in[2], build_.times(reset, inner));
        } else {
          const TensorId kept = build_.times(reset, h);
          const TensorId named = hidden.empty() || hidden == read ? kept : build_.rename(kept, hidden[0], read[0]);
          candidate = build_.plus(in[2], build_.einsum({named, weights[2]}, state));
          if (ofState[2].valid()) candidate = build_.plus(candidate, ofState[2]);
        }
        const TensorId fresh = build_.unary(activation(d, 1), candidate);
        nextH = build_.plus(build_.times(build_.binary(Function::subtract, 1.0, update), fresh), build_.times(update, h));
      } else {
        const auto peeped = [&](TensorId x0, std::int64_t which, TensorId cell) { return peep.valid() ? build_.plus(x0, build_.times(part(peep, peeps, which, 3), cell)) : x0; };
        const TensorId input = build_.unary(activation(d, 0), peeped(gate(0), 0, c)), forget = build_.unary(activation(d, 0), peeped(gate(2), 2, c));
        const TensorId fresh = build_.unary(activation(d, 1), gate(3));
        nextC = build_.plus(build_.times(forget, c), build_.times(input, fresh));
        const TensorId output = build_.unary(activation(d, 0), peeped(gate(1), 1, nextC));
        nextH = build_.times(output, build_.unary(activation(d, 2), nextC));
      }
      TensorId shown = nextH;
      if (site_.has(4)) {  // beyond its length a sequence keeps its state and gives nothing
        const TensorId goesOn = build_.binary(Function::greater, emit_.operand(site_, 4), static_cast<double>(t));
        shown = build_.select(goesOn, nextH, 0.0);
        nextH = build_.select(goesOn, nextH, h);
        if (nextC.valid()) nextC = build_.select(goesOn, nextC, c);
      }
      h = nextH;
      c = nextC;
      outputs[static_cast<std::size_t>(t)] = shown;
      build_.popScope();
    }
    results_.push_back({stacked(outputs, seq, all), h, c});
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
