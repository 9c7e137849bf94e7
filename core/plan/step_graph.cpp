#include "core/plan/step_graph.h"

#include <deque>
#include <mutex>

#include "core/autodiff/precision.h"
#include "core/autodiff/training.h"
#include "core/base/error.h"
#include "core/ops/check.h"
#include "core/ops/expand.h"

namespace core {
namespace {

constexpr std::size_t remembered = 4;

StepGraph make(const Graph& forward, const Step& step) {
  const std::vector<Diagnostic> wrong = checkOperators(forward);
  if (!wrong.empty()) throw Error{.what = wrong[0].what, .where = wrong[0].where, .right = wrong[0].right};
  StepGraph made;
  std::string loss;
  if (step.training) {
    TrainingGraph training = trainingStep(forward, step);
    loss = training.graph[training.loss].name;
    made.notes = std::move(training.notes);
    made.graph = std::make_shared<const Graph>(std::move(training.graph));
  } else {
    Graph graph = inferenceStep(forward);
    made.graph = std::make_shared<const Graph>(step.precision == Precision::bf16 ? inBf16(graph) : std::move(graph));
  }
  made.expanded = std::make_shared<const Graph>(expand(*made.graph));
  if (!loss.empty()) made.loss = made.expanded->findTensor(loss).value();
  return made;
}

struct Memory {
  std::shared_ptr<const Graph> forward;  // held, so that its address is not used again
  Step step;
  StepGraph made;
};

}  // namespace

StepGraph stepGraph(const std::shared_ptr<const Graph>& forward, const Step& step) {
  static std::mutex mutex;
  static std::deque<Memory> memories;
  {
    const std::lock_guard lock(mutex);
    for (const Memory& memory : memories)
      if (memory.forward == forward && memory.step == step) return memory.made;
  }
  StepGraph made = make(*forward, step);
  const std::lock_guard lock(mutex);
  memories.push_front({forward, step, made});
  if (memories.size() > remembered) memories.pop_back();
  return made;
}

}  // namespace core
