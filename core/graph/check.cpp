#include "core/graph/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "core/graph/size.h"

namespace core {
namespace {

class Check {
 public:
  explicit Check(const Graph& graph) : graph_(graph), maker_(graph.tensors.size(), -1) {}

  std::vector<Diagnostic> run() {
    dims();
    for (const Tensor& tensor : graph_.tensors) shape(tensor);
    names("tensor", graph_.tensors);
    names("operator", graph_.operators);
    operators();
    values();
    updates();
    for (TensorId id : graph_.outputs)
      if (!isTensor(id)) say("an output is no tensor of the graph", graph_.name, "");
    return std::move(found_);
  }

 private:
  void say(std::string what, const std::string& where, std::string right) {
    found_.push_back({.what = std::move(what), .where = where, .right = std::move(right)});
  }

  bool isTensor(TensorId id) const { return id.valid() && id.index() < graph_.tensors.size(); }

  template <class Things>
  void names(const char* what, const Things& things) {
    std::unordered_map<std::string_view, int> seen;
    for (const auto& thing : things) {
      if (thing.name.empty()) say(fmt::format("a {} has no name", what), graph_.name, "a name of its own");
      if (++seen[thing.name] == 2)
        say(fmt::format("two {}s are named \"{}\"", what, thing.name), thing.name, "names are unique");
    }
  }

  void dims() {
    names("dimension", graph_.dims);
    for (const Dim& dim : graph_.dims)
      if (dim.size < 0) say(fmt::format("dimension \"{}\" has size {}", dim.name, dim.size), dim.name, "1 or more");
  }

  void shape(const Tensor& tensor) {
    for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
      const DimId dim = tensor.shape[i];
      if (!dim.valid() || dim.index() >= graph_.dims.size())
        return say("a dimension is none of the graph", tensor.name, "");
      if (std::find(tensor.shape.begin(), tensor.shape.begin() + static_cast<std::ptrdiff_t>(i), dim) !=
          tensor.shape.begin() + static_cast<std::ptrdiff_t>(i))
        say(fmt::format("dimension \"{}\" stands twice", graph_[dim].name), tensor.name,
            "each dimension of a tensor has a name of its own");
    }
    try {
      source(tensor, bytesOf(tensor));
    } catch (const Error& error) {
      found_.push_back({.what = error.what, .where = error.where, .right = error.right});
    }
  }

  std::int64_t bytesOf(const Tensor& tensor) const {
    std::int64_t bytes = byteSize(tensor.dtype);
    for (DimId dim : tensor.shape)
      bytes = checkedProduct(bytes, std::max<std::int64_t>(graph_.size(dim), 0), tensor.name);
    return bytes;
  }

  void source(const Tensor& tensor, std::int64_t bytes) {
    const auto* held = std::get_if<InlineSource>(&tensor.source);
    const std::int64_t given = held && held->bytes ? static_cast<std::int64_t>(held->bytes->size()) : 0;
    if (held && bytes != 0 && given != bytes)
      say(fmt::format("{} bytes of values are given for {}", given, bytes), tensor.name,
          "as many as its dimensions hold");
    const auto* file = std::get_if<FileSource>(&tensor.source);
    const std::int64_t stored = bytes / byteSize(tensor.dtype) * byteSize(file ? file->stored : tensor.dtype);
    if (file && bytes != 0 && file->bytes != stored)
      say(fmt::format("the file holds {} bytes of it, its dimensions {}", file->bytes, stored), tensor.name,
          "the sizes with which it was saved");
  }

  void operators() {
    for (std::size_t i = 0; i < graph_.operators.size(); ++i)
      for (TensorId id : graph_.operators[i].outputs) made(graph_.operators[i], id, static_cast<int>(i));
    for (std::size_t i = 0; i < graph_.operators.size(); ++i)
      for (TensorId id : graph_.operators[i].inputs) read(graph_.operators[i], id, static_cast<int>(i));
  }

  void made(const Operator& op, TensorId id, int by) {
    if (!isTensor(id)) return say("an output is no tensor of the graph", op.name, "");
    const Tensor& tensor = graph_[id];
    if (tensor.kind != TensorKind::value)
      return say(fmt::format("\"{}\" is a {} and is made by an operator", tensor.name, toString(tensor.kind)), op.name,
                 "an operator makes values");
    if (maker_[id.index()] >= 0)
      say(fmt::format("\"{}\" is made twice", tensor.name), op.name, "one operator a tensor");
    if (tensor.producer != OperatorId(by))
      say(fmt::format("\"{}\" names another operator as its maker", tensor.name), op.name, "");
    maker_[id.index()] = by;
  }

  void read(const Operator& op, TensorId id, int by) {
    if (!isTensor(id)) return say("an input is no tensor of the graph", op.name, "");
    if (maker_[id.index()] == by)
      return say(fmt::format("it reads \"{}\", which it makes itself", graph_[id].name), op.name,
                 "a graph without cycles");
    if (maker_[id.index()] > by)
      say(fmt::format("it reads \"{}\", which {} makes only later", graph_[id].name,
                      graph_.operators[static_cast<std::size_t>(maker_[id.index()])].name),
          op.name, "operators in order, without cycles");
  }

  void values() {
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i)
      if (graph_.tensors[i].kind == TensorKind::value && maker_[i] < 0)
        say(fmt::format("nothing makes \"{}\"", graph_.tensors[i].name), graph_.tensors[i].name,
            "an operator, or another kind of tensor");
  }

  void updates() {
    std::vector<bool> seen(graph_.tensors.size());
    for (const Update& update : graph_.updates) {
      if (!isTensor(update.state) || !isTensor(update.value)) {
        say("an update names no tensor of the graph", graph_.name, "");
        continue;
      }
      const Tensor &state = graph_[update.state], &value = graph_[update.value];
      if (state.kind != TensorKind::state)
        say(fmt::format("\"{}\" is updated and is no state", state.name), state.name, "only states are updated");
      if (seen[update.state.index()])
        say(fmt::format("state \"{}\" is updated twice", state.name), state.name, "one update a state");
      if (state.shape != value.shape || state.dtype != value.dtype)
        say(fmt::format("state \"{}\" is to take \"{}\", which is of other dimensions or type", state.name, value.name),
            state.name, "a value like the state");
      seen[update.state.index()] = true;
    }
  }

  const Graph& graph_;
  std::vector<int> maker_;  // by tensor: the operator that makes it
  std::vector<Diagnostic> found_;
};

// Depth first, so that what stands in order stays as it is; a stack of our own, since chains are long.
class Order {
 public:
  explicit Order(const Graph& graph)
      : graph_(graph), maker_(graph.tensors.size(), -1), state_(graph.operators.size(), waiting) {
    for (std::size_t i = 0; i < graph.operators.size(); ++i)
      for (TensorId id : graph.operators[i].outputs) maker_[id.index()] = static_cast<int>(i);
  }

  std::vector<std::size_t> run() {
    for (std::size_t i = 0; i < state_.size(); ++i) visit(i);
    return std::move(order_);
  }

 private:
  enum State { waiting, open, done };
  struct Frame {
    std::size_t op;
    std::size_t next = 0;  // input
  };

  void visit(std::size_t from) {
    if (state_[from] != waiting) return;
    std::vector<Frame> stack{{from}};
    state_[from] = open;
    while (!stack.empty()) {
      Frame& top = stack.back();
      const std::vector<TensorId>& inputs = graph_.operators[top.op].inputs;
      if (top.next == inputs.size()) {
        state_[top.op] = done;
        order_.push_back(top.op);
        stack.pop_back();
        continue;
      }
      const int maker = maker_[inputs[top.next++].index()];
      if (maker < 0 || state_[static_cast<std::size_t>(maker)] == done) continue;
      if (state_[static_cast<std::size_t>(maker)] == open) refuseCycle(stack, static_cast<std::size_t>(maker));
      state_[static_cast<std::size_t>(maker)] = open;
      stack.push_back({static_cast<std::size_t>(maker)});
    }
  }

  [[noreturn]] void refuseCycle(const std::vector<Frame>& stack, std::size_t first) const {
    std::string path;
    bool inside = false;
    for (const Frame& frame : stack) {
      inside |= frame.op == first;
      if (inside) path = graph_.operators[frame.op].name + (path.empty() ? "" : " <- ") + path;
    }
    throw Error{.what = "operators need each other's results: " + path,
                .where = graph_.operators[first].name,
                .right = "a graph without cycles"};
  }

  const Graph& graph_;
  std::vector<int> maker_;
  std::vector<State> state_;
  std::vector<std::size_t> order_;
};

}  // namespace

std::vector<Diagnostic> check(const Graph& graph) {
  return Check(graph).run();
}

Graph inOrder(const Graph& graph) {
  const std::vector<std::size_t> order = Order(graph).run();
  Graph sorted = graph;
  for (std::size_t i = 0; i < order.size(); ++i) {
    sorted.operators[i] = graph.operators[order[i]];
    for (TensorId id : sorted.operators[i].outputs)
      sorted.tensors[id.index()].producer = OperatorId(static_cast<std::int64_t>(i));
  }
  return sorted;
}

}  // namespace core
