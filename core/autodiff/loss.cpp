#include "core/autodiff/loss.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/ops/require.h"

namespace core {
namespace {

bool isInteger(DType type) {
  return type == DType::i32 || type == DType::i64;
}

// The input from which integers come, through operators that only pass them on.
std::optional<TensorId> inputBehind(const Graph& graph, TensorId id) {
  while (graph[id].kind == TensorKind::value && graph[id].producer.valid()) {
    const Operator& op = graph[graph[id].producer];
    if (op.inputs.size() != 1) return std::nullopt;
    id = op.inputs[0];
  }
  return graph[id].kind == TensorKind::input ? std::optional(id) : std::nullopt;
}

// Outputs in the order in which they are asked: one by name, or all.
std::vector<TensorId> candidates(const Graph& graph, const Step& step) {
  std::vector<TensorId> found;
  std::vector<std::string> names;
  for (TensorId id : graph.outputs) {
    names.push_back(graph[id].name);
    if (isFloating(graph[id].dtype) && (step.lossOutput.empty() || graph[id].name == step.lossOutput))
      found.push_back(id);
  }
  if (!found.empty()) return found;
  if (step.lossOutput.empty())
    throw Error{.what = "the model has no floating output to train on",
                .where = graph.name,
                .right = "an output to make a loss of"};
  throw Error{.what = fmt::format("no floating output \"{}\" to make a loss of", step.lossOutput),
              .where = graph.name,
              .right = didYouMean(step.lossOutput, names)};
}

struct Labelled {
  TensorId output;
  Shape labels;  // dimensions
  DType type = DType::i64;
};

// An output over the rows of an embedding, at the places of its ids.
std::optional<Labelled> overVocabulary(const Graph& graph, TensorId output) {
  const Shape& shape = graph[output].shape;
  if (shape.empty()) return std::nullopt;
  for (const Operator& op : graph.operators) {
    if (op.kind != "gather" || std::get<Shape>(op.attributes.at("rows"))[0] != shape.back()) continue;
    const auto ids = inputBehind(graph, op.inputs[1]);
    if (!ids || !isInteger(graph[*ids].dtype)) continue;
    const Shape& places = graph[op.inputs[1]].shape;
    if (places.size() + 1 != shape.size() || !without(places, shape).empty()) continue;
    return Labelled{output, places, graph[*ids].dtype};
  }
  return std::nullopt;
}

// The input of that name if the model has it and it fits, else a new one.
TensorId fedInput(GraphBuilder& build, const std::string& name, const Shape& shape, DType type) {
  if (const auto found = build.graph().findTensor(name)) {
    const Tensor& tensor = build.graph()[*found];
    if (tensor.kind == TensorKind::input && tensor.shape == shape && tensor.dtype == type) return *found;
    throw Error{
        .what = fmt::format("\"{}\" is already the name of something else", name),
        .where = build.graph().name,
        .right = fmt::format("an input {} {} of that name, or none", shapeText(build.graph(), shape), toString(type))};
  }
  return build.input(name, shape, type);
}

TensorId meanOfAll(GraphBuilder& build, TensorId x) {
  const Shape over = build.graph()[x].shape;
  build.nextName("loss");
  return over.empty() ? build.unary(Function::identity, x) : build.mean(x, over);
}

Loss crossEntropy(GraphBuilder& build, const Labelled& at) {
  const DimId classes = build.graph()[at.output].shape.back();
  const TensorId labels = fedInput(build, "labels", at.labels, at.type);
  build.nextName("loss/cross_entropy");
  const TensorId each = build.crossEntropy(at.output, classes, labels);
  const std::string note =
      fmt::format("loss: cross-entropy of \"{}\" over \"{}\" against input \"labels\" {}, the mean over all of them",
                  build.graph()[at.output].name, build.graph()[classes].name, shapeText(build.graph(), at.labels));
  return {meanOfAll(build, each), note};
}

Loss meanSquare(GraphBuilder& build, TensorId output) {
  const Tensor from = build.graph()[output];
  const TensorId target = fedInput(build, "target", from.shape, from.dtype);
  build.nextName("loss/difference");
  const TensorId difference = build.minus(output, target);
  build.nextName("loss/square");
  const TensorId square = build.unary(Function::square, difference);
  return {meanOfAll(build, square), fmt::format("loss: mean square distance of \"{}\" from input \"target\" {}",
                                                from.name, shapeText(build.graph(), from.shape))};
}

Loss scalarOutput(GraphBuilder& build, TensorId output) {
  return {output, fmt::format("loss: output \"{}\"", build.graph()[output].name)};
}

const TensorId* scalarAmong(const Graph& graph, const std::vector<TensorId>& outputs) {
  const auto found = std::find_if(outputs.begin(), outputs.end(), [&](TensorId id) { return graph[id].shape.empty(); });
  return found == outputs.end() ? nullptr : &*found;
}

Loss automatic(GraphBuilder& build, const std::vector<TensorId>& outputs) {
  if (const TensorId* scalar = scalarAmong(build.graph(), outputs)) return scalarOutput(build, *scalar);
  for (TensorId output : outputs)
    if (const auto labelled = overVocabulary(build.graph(), output)) return crossEntropy(build, *labelled);
  return meanSquare(build, outputs.front());
}

}  // namespace

Loss addLoss(GraphBuilder& build, const Step& step) {
  const std::vector<TensorId> outputs = candidates(build.graph(), step);
  switch (step.loss) {
    case LossKind::automatic:
      return automatic(build, outputs);
    case LossKind::meanSquare:
      return meanSquare(build, outputs.front());
    case LossKind::scalarOutput:
      if (const TensorId* scalar = scalarAmong(build.graph(), outputs)) return scalarOutput(build, *scalar);
      throw Error{.what = "no output is a number",
                  .where = build.graph().name,
                  .right = "an output without dimensions, or another kind of loss"};
    case LossKind::crossEntropy: {
      const Shape& shape = build.graph()[outputs.front()].shape;
      if (shape.empty())
        throw Error{.what = fmt::format("output \"{}\" has no classes", build.graph()[outputs.front()].name),
                    .where = build.graph().name,
                    .right = "an output whose last dimension is the classes"};
      if (const auto labelled = overVocabulary(build.graph(), outputs.front())) return crossEntropy(build, *labelled);
      return crossEntropy(build, {outputs.front(), Shape(shape.begin(), shape.end() - 1), DType::i64});
    }
  }
  return automatic(build, outputs);
}

}  // namespace core
