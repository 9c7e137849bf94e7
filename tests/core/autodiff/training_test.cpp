#include "core/autodiff/training.h"

#include <QtTest>
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/layers/gpt.h"
#include "core/ops/builder.h"
#include "core/ops/check.h"
#include "core/ops/expand.h"
#include "tests/support/graph_values.h"

using namespace core;

namespace {

const GptSizes tiny{
    .layers = 2, .modelSize = 8, .heads = 2, .ffn = 12, .vocab = 7, .seq = 4, .positions = 5, .batch = 3};

Graph tinyGpt(bool tied = false) {
  GptSizes sizes = tiny;
  sizes.tied = tied;
  return gpt(sizes);
}

Graph perceptron() {
  GraphBuilder build;
  const TensorId x = build.input("x", "batch:4 in:3");
  build.output(build.unary(Function::tanh, build.einsum({x, build.parameter("w", "in out:2")}, "batch out")));
  return build.take();
}

// What a step is fed and what its states hold, of a graph whose composites are taken apart.
std::map<TensorId, Array> someValues(const Graph& graph) {
  tests::Random random("training");
  std::map<TensorId, Array> values;
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    const TensorId id(static_cast<std::int64_t>(i));
    const Tensor& tensor = graph[id];
    if (tensor.kind == TensorKind::input)
      values[id] = isFloating(tensor.dtype) ? tests::normalArray(random, graph.sizes(id))
                                            : tests::integerArray(random, graph.sizes(id), 0, tiny.vocab - 1);
    if (tensor.kind == TensorKind::state && tensor.state == StateKind::parameter) {
      values[id] = tests::normalArray(random, graph.sizes(id));
      for (double& value : values[id].values) value *= 0.5;
    }
  }
  return values;
}

// The gradient that the step computes, against the loss a little to both sides, at a few elements of each parameter.
void compareWithDifferences(const Graph& step, TensorId loss) {
  std::map<TensorId, Array> values = someValues(step);
  const std::vector<Array> found = tests::evaluateGraph(step, values);
  int compared = 0;
  for (TensorId parameter : step.states()) {
    if (step[parameter].state != StateKind::parameter) continue;
    const Array& gradient = found[step.findTensor("grad/" + step[parameter].name).value().index()];
    for (std::size_t at : {std::size_t{0}, gradient.values.size() / 2, gradient.values.size() - 1}) {
      double& x = values[parameter].values[at];
      const double kept = x, width = 1e-5;
      x = kept + width;
      const double above = tests::evaluateGraph(step, values)[loss.index()].values[0];
      x = kept - width;
      const double below = tests::evaluateGraph(step, values)[loss.index()].values[0];
      x = kept;
      const double expected = (above - below) / (2 * width);
      QVERIFY2(
          std::abs(gradient.values[at] - expected) < 1e-7 * std::max(1.0, std::abs(expected)),
          (step[parameter].name + ": " + std::to_string(gradient.values[at]) + " is not " + std::to_string(expected))
              .c_str());
      ++compared;
    }
  }
  QVERIFY(compared >= 3);
}

bool notes(const TrainingGraph& training, const std::string& text) {
  return std::any_of(training.notes.begin(), training.notes.end(),
                     [&](const std::string& note) { return note.find(text) != std::string::npos; });
}

std::string errorOf(const Graph& graph, const Step& step) {
  try {
    trainingStep(graph, step);
  } catch (const Error& error) {
    return error.text();
  }
  return "no error";
}

}  // namespace

class TrainingTest : public QObject {
  Q_OBJECT
 private slots:
  void gradientsOfAGptEqualDifferences_data();
  void gradientsOfAGptEqualDifferences();
  void takesAScalarOutputAsTheLoss();
  void takesCrossEntropyOverAVocabulary();
  void takesTheMeanSquareElse();
  void theLossThatWasAskedForWins();
  void keepsSlotsBesideTheParameters();
  void everyOptimizerUpdatesEveryParameter();
  void trainsABf16ModelWithWideMasters();
  void inferenceDropsNothing();
  void refusesWhatCannotBeTrained();
};

void TrainingTest::gradientsOfAGptEqualDifferences_data() {
  QTest::addColumn<bool>("tied");
  QTest::newRow("untied") << false;
  QTest::newRow("tied") << true;
}

void TrainingTest::gradientsOfAGptEqualDifferences() {
  QFETCH(bool, tied);
  const TrainingGraph training = trainingStep(tests::inDoublePrecision(tinyGpt(tied)), {.training = true});
  const Graph parts = expand(training.graph);
  QVERIFY(checkOperators(parts).empty());
  compareWithDifferences(parts, parts.findTensor("loss").value());
}

void TrainingTest::takesAScalarOutputAsTheLoss() {
  GraphBuilder build(perceptron());
  build.nextName("objective");
  build.output(build.sum(build.graph().outputs[0], build.shape("batch out")));
  const TrainingGraph training = trainingStep(build.graph(), {.training = true});
  QCOMPARE(training.graph[training.loss].name, std::string("objective"));
  QVERIFY(notes(training, "output \"objective\""));
  QVERIFY(training.graph.outputs == std::vector<TensorId>{training.loss});
}

void TrainingTest::takesCrossEntropyOverAVocabulary() {
  const TrainingGraph training = trainingStep(tinyGpt(), {.training = true});
  const TensorId labels = training.graph.findTensor("labels").value();
  QVERIFY(training.graph[labels].kind == TensorKind::input);
  QVERIFY(training.graph[labels].shape == training.graph[*training.graph.findTensor("tokens")].shape);
  QVERIFY(notes(training, "cross-entropy of \"logits\" over \"vocab\""));
  QVERIFY(training.graph[training.loss].shape.empty());
  QCOMPARE(training.graph[training.loss].name, std::string("loss"));
}

void TrainingTest::takesTheMeanSquareElse() {
  const TrainingGraph training = trainingStep(perceptron(), {.training = true});
  QVERIFY(training.graph[training.graph.findTensor("target").value()].shape ==
          training.graph[*training.graph.findTensor("tanh")].shape);
  QVERIFY(notes(training, "mean square distance of \"tanh\""));
  const Graph parts = tests::inDoublePrecision(expand(training.graph));
  compareWithDifferences(parts, parts.findTensor("loss").value());
}

void TrainingTest::theLossThatWasAskedForWins() {
  const TrainingGraph square = trainingStep(tinyGpt(), {.training = true, .loss = LossKind::meanSquare});
  QVERIFY(notes(square, "mean square"));
  const TrainingGraph entropy = trainingStep(perceptron(), {.training = true, .loss = LossKind::crossEntropy});
  QVERIFY(entropy.graph[*entropy.graph.findTensor("labels")].shape.size() == 1);
  QVERIFY(errorOf(perceptron(), {.training = true, .loss = LossKind::scalarOutput}).find("no output is a number") !=
          std::string::npos);
  QVERIFY(errorOf(perceptron(), {.training = true, .lossOutput = "tahn"}).find("\"tanh\"") != std::string::npos);
}

void TrainingTest::keepsSlotsBesideTheParameters() {
  const Graph graph = trainingStep(perceptron(), {.training = true}).graph;
  const Tensor& slot = graph[graph.findTensor("adam.m/w").value()];
  QVERIFY(slot.kind == TensorKind::state && slot.state == StateKind::slot &&
          slot.shape == graph[*graph.findTensor("w")].shape);
  QVERIFY(graph.findTensor("adam.v/w"));
  QVERIFY(graph.findTensor("grad/w"));
  const Tensor& step = graph[graph.findTensor("adam.step").value()];
  QVERIFY(step.state == StateKind::counter && step.dtype == DType::i64 && step.shape.empty());
  QCOMPARE(graph.updates.size(), 4u);
}

void TrainingTest::everyOptimizerUpdatesEveryParameter() {
  for (OptimizerKind kind : {OptimizerKind::sgd, OptimizerKind::momentum, OptimizerKind::adam}) {
    const Step step{.training = true, .optimizer = {.kind = kind, .learningRate = 0.1}};
    const Graph parts = tests::inDoublePrecision(expand(trainingStep(perceptron(), step).graph));
    std::map<TensorId, Array> values = someValues(parts);
    const double before = tests::evaluateGraph(parts, values)[parts.outputs[0].index()].values[0];
    for (int i = 0; i < 20; ++i) {
      const std::vector<Array> found = tests::evaluateGraph(parts, values);
      for (const Update& update : parts.updates) values[update.state] = found[update.value.index()];
    }
    const double after = tests::evaluateGraph(parts, values)[parts.outputs[0].index()].values[0];
    QVERIFY2(after < before, std::to_string(after).c_str());
  }
}

void TrainingTest::trainsABf16ModelWithWideMasters() {
  const Graph graph = trainingStep(tinyGpt(), {.training = true, .precision = Precision::bf16}).graph;
  QVERIFY(checkOperators(graph).empty());
  const auto typeOf = [&](const char* name) { return graph[graph.findTensor(name).value()].dtype; };
  QVERIFY(typeOf("h.0.mlp.up.weight") == DType::f32);
  QVERIFY(typeOf("h.0/mlp/gelu") == DType::bf16);
  QVERIFY(typeOf("grad/h.0/mlp/gelu/derivative") == DType::bf16);
  QVERIFY(typeOf("grad/h.0.mlp.up.weight") == DType::f32);
  QVERIFY(typeOf("adam.m/h.0.mlp.up.weight") == DType::f32);
  QVERIFY(typeOf("loss") == DType::f32);
}

void TrainingTest::inferenceDropsNothing() {
  GraphBuilder build;
  const TensorId x = build.input("x", "n:3");
  build.nextName("drop");
  const TensorId y = build.dropout(x, 0.5, "seed");
  build.output(build.times(y, 2.0));
  const Graph graph = inferenceStep(build.graph());
  QVERIFY(checkOperators(graph).empty());
  const auto found = tests::evaluateGraph(graph, {{*graph.findTensor("x"), Array{{3}, {1, 2, 3}}}});
  QCOMPARE(found[graph.outputs[0].index()].values, (std::vector<double>{2, 4, 6}));
}

void TrainingTest::refusesWhatCannotBeTrained() {
  GraphBuilder build;
  build.output(build.unary(Function::exp, build.input("x", "n:3")));
  QVERIFY(errorOf(build.graph(), {.training = true}).find("nothing to train") != std::string::npos);
  QVERIFY(errorOf(perceptron(), {.training = true, .microbatches = 2}).find("2 microbatches") != std::string::npos);
  GraphBuilder integers;
  integers.output(integers.plus(integers.input("i", integers.shape("n:3"), DType::i64), 1.0));
  QVERIFY(errorOf(integers.graph(), {.training = true}).find("no floating output") != std::string::npos);
}

QTEST_GUILESS_MAIN(TrainingTest)
#include "training_test.moc"
