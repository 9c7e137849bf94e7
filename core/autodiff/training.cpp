#include "core/autodiff/training.h"

#include <fmt/format.h>

#include "core/autodiff/gradient.h"
#include "core/autodiff/loss.h"
#include "core/autodiff/optimizer.h"
#include "core/autodiff/precision.h"
#include "core/base/error.h"
#include "core/graph/prune.h"

namespace core {
namespace {

// A loss is computed in f32 whatever the model is stored in.
void widenOutputs(GraphBuilder& build) {
  std::vector<TensorId> outputs = build.graph().outputs;
  for (TensorId& id : outputs) {
    if (build.graph()[id].dtype != DType::bf16) continue;
    const std::string name = build.graph()[id].name;
    build.nextName(name + "/f32");
    id = build.cast(id, DType::f32);
  }
  build.edit().outputs = std::move(outputs);
}

std::vector<TensorId> parametersOf(const Graph& graph) {
  std::vector<TensorId> found;
  for (TensorId id : graph.states())
    if (graph[id].state == StateKind::parameter && isFloating(graph[id].dtype)) found.push_back(id);
  return found;
}

std::string listText(const std::vector<std::string>& names) {
  std::string text = names[0];
  for (std::size_t i = 1; i < names.size() && i < 3; ++i) text += ", " + names[i];
  return names.size() > 3 ? fmt::format("{} and {} more", text, names.size() - 3) : text;
}

std::vector<Trained> trainedParameters(GraphBuilder& build, TensorId loss, std::vector<std::string>& notes) {
  const std::vector<TensorId> parameters = parametersOf(build.graph());
  const std::vector<TensorId> found = gradients(build, loss, parameters);
  std::vector<Trained> trained;
  std::vector<std::string> untouched;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (found[i].valid())
      trained.push_back({parameters[i], found[i]});
    else
      untouched.push_back(build.graph()[parameters[i]].name);
  }
  if (trained.empty())
    throw Error{.what = "nothing to train: the loss depends on no parameter",
                .where = build.graph().name,
                .right = "a model with parameters, or inference"};
  if (!untouched.empty())
    notes.push_back("not trained, since the loss does not depend on them: " + listText(untouched));
  return trained;
}

}  // namespace

TrainingGraph trainingStep(const Graph& forward, const Step& step) {
  if (step.microbatches != 1)
    throw Error{.what = fmt::format("{} microbatches", step.microbatches),
                .where = forward.name,
                .right = "1: a step is not cut into parts yet"};
  GraphBuilder build(step.precision == Precision::bf16 ? inBf16(forward) : forward);
  widenOutputs(build);
  TrainingGraph made;
  const Loss loss = addLoss(build, step);
  made.notes.push_back(loss.note);
  addOptimizer(build, step.optimizer, trainedParameters(build, loss.value, made.notes));
  made.notes.push_back(describe(step.optimizer));
  build.edit().outputs = {loss.value};
  made.graph = prune(build.take());
  made.loss = made.graph.outputs[0];
  return made;
}

Graph inferenceStep(const Graph& forward) {
  Graph kept = forward;
  for (Operator& op : kept.operators)
    if (op.kind == "dropout") {
      op.kind = "identity";
      op.attributes.clear();
      op.outputs.resize(1);
    }
  return prune(kept);
}

}  // namespace core
