#include "core/ops/expand.h"

#include <QtTest>
#include <cmath>

#include "core/base/error.h"
#include "core/ops/builder.h"
#include "core/ops/check.h"
#include "core/ops/op.h"
#include "tests/support/graph_values.h"

using namespace core;

namespace {

Array outputOf(const Graph& composites, const std::map<std::string, std::vector<double>>& given) {
  const Graph graph = expand(composites);
  std::map<TensorId, Array> values;
  for (const auto& [name, numbers] : given)
    values[*graph.findTensor(name)] = Array{graph.sizes(*graph.findTensor(name)), numbers};
  return tests::evaluateGraph(graph, values)[graph.outputs[0].index()];
}

}  // namespace

class ExpandTest : public QObject {
  Q_OBJECT
 private slots:
  void keepsTheNamesOfWhatACompositeMakes();
  void leavesAGraphWithoutCompositesAsItIs();
  void takesEveryExampleApart();
  void softmaxDoesNotOverflow();
  void crossEntropyIsMinusTheLogarithmOfTheLabelsShare();
  void layerNormHasMeanZeroAndDeviationOne();
  void dropoutKeepsTheMean();
  void normalNumbersHaveTheirMeanAndDeviation();
  void adamStepsAsWritten();
};

void ExpandTest::keepsTheNamesOfWhatACompositeMakes() {
  GraphBuilder build;
  const TensorId x = build.input("x", "a:4 d:6");
  build.nextName("h.0/ln_1/LayerNorm");
  const TensorId y = build.layerNorm(x, build.shape("d"), TensorId(), TensorId(), 1e-5);
  build.nextName("after");
  build.output(build.unary(Function::exp, y));
  const Graph parts = expand(build.graph());
  QVERIFY(checkOperators(parts).empty());
  QVERIFY(parts.findTensor("h.0/ln_1/LayerNorm"));
  QCOMPARE(parts.operators.front().name, std::string("h.0/ln_1/LayerNorm/mean"));
  QCOMPARE(std::get<std::string>(parts.operators.front().attributes.at("origin")), std::string("h.0/ln_1/LayerNorm"));
  QCOMPARE(parts.operators.back().name, std::string("after"));
  QVERIFY(parts.operators.back().attributes.count("origin") == 0);
  QCOMPARE(parts[parts.operators.back().inputs[0]].name, std::string("h.0/ln_1/LayerNorm"));
}

void ExpandTest::leavesAGraphWithoutCompositesAsItIs() {
  GraphBuilder build;
  const TensorId x = build.input("x", "a:4"), w = build.parameter("w", "a");
  const TensorId y = build.times(x, w);
  build.output(y);
  build.update(w, y);
  QVERIFY(print(expand(build.graph())) == print(build.graph()));
}

void ExpandTest::takesEveryExampleApart() {
  int composites = 0;
  for (const Op* op : allOps()) {
    if (!op->expand) continue;
    ++composites;
    for (const Graph& graph : op->examples()) {
      const Graph parts = expand(graph);
      const auto wrong = checkOperators(parts);
      QVERIFY2(wrong.empty(), wrong.empty() ? "" : wrong[0].text().c_str());
      for (const Operator& part : parts.operators) QVERIFY(findOp(part.kind).expression);
      QCOMPARE(parts[parts.outputs[0]].name, graph[graph.outputs[0]].name);
      QVERIFY(parts[parts.outputs[0]].shape == graph[graph.outputs[0]].shape);
    }
  }
  QVERIFY(composites >= 6);
}

void ExpandTest::softmaxDoesNotOverflow() {
  GraphBuilder build;
  const TensorId x = build.input("x", "k:8");
  build.output(build.softmax(x, build.shape("k")[0]));
  const double expected[] = {0.000577, 0.001567, 0.004261, 0.011582, 0.031482, 0.085577, 0.232622, 0.632333};
  for (double shift : {0.0, 1000.0, -1000.0}) {
    std::vector<double> numbers;
    for (int i = 1; i <= 8; ++i) numbers.push_back(i + shift);
    const Array y = outputOf(build.graph(), {{"x", numbers}});
    for (std::size_t i = 0; i < 8; ++i) QVERIFY(std::abs(y.values[i] - expected[i]) < 1e-6);
  }
}

void ExpandTest::crossEntropyIsMinusTheLogarithmOfTheLabelsShare() {
  GraphBuilder build;
  const TensorId x = build.input("x", "b:2 k:3"), labels = build.input("labels", "b", DType::i64);
  build.output(build.crossEntropy(x, build.shape("k")[0], labels));
  const Array y = outputOf(build.graph(), {{"x", {1, 2, 3, 500, -500, 0}}, {"labels", {0, 1}}});
  QVERIFY(std::abs(y.values[0] - std::log(1 + std::exp(1.0) + std::exp(2.0))) < 1e-12);
  QCOMPARE(y.values[1], 1000.0);
}

void ExpandTest::layerNormHasMeanZeroAndDeviationOne() {
  GraphBuilder build;
  const TensorId x = build.input("x", "d:4"), scale = build.input("scale", "d"), bias = build.input("bias", "d");
  build.output(build.layerNorm(x, build.shape("d"), scale, bias, 0));
  const Array y = outputOf(build.graph(), {{"x", {1, 2, 3, 6}}, {"scale", {1, 1, 1, 2}}, {"bias", {0, 0, 0, 10}}});
  const double deviation = std::sqrt((4 + 1 + 0 + 9) / 4.0);
  const double expected[] = {-2 / deviation, -1 / deviation, 0, 2 * 3 / deviation + 10};
  for (std::size_t i = 0; i < 4; ++i) QVERIFY(std::abs(y.values[i] - expected[i]) < 1e-12);
}

void ExpandTest::dropoutKeepsTheMean() {
  GraphBuilder build;
  const TensorId x = build.input("x", "n:4000");
  build.output(build.dropout(x, 0.25, "drop"));
  const Array y = outputOf(build.graph(), {{"x", std::vector<double>(4000, 3.0)}});
  double sum = 0;
  for (double value : y.values) {
    QVERIFY(value == 0 || std::abs(value - 4.0) < 1e-12);
    sum += value;
  }
  QVERIFY(std::abs(sum / 4000 - 3) < 0.15);
}

void ExpandTest::normalNumbersHaveTheirMeanAndDeviation() {
  GraphBuilder build;
  build.output(build.addOne(
      "normal", {}, {{"shape", build.shape("n:4000")}, {"seed", std::string("s")}, {"mean", 5.0}, {"deviation", 2.0}}));
  const Array y = outputOf(build.graph(), {});
  double sum = 0, squares = 0;
  for (double value : y.values) {
    QVERIFY(std::isfinite(value));
    sum += value;
    squares += (value - 5) * (value - 5);
  }
  QVERIFY(std::abs(sum / 4000 - 5) < 0.15);
  QVERIFY(std::abs(std::sqrt(squares / 4000) - 2) < 0.1);
}

void ExpandTest::adamStepsAsWritten() {
  GraphBuilder build;
  const TensorId step = build.input("step", Shape{}, DType::i64);
  const auto rates = build.add(
      "adam_rates", {step}, {{"learning_rate", 0.1}, {"beta1", 0.9}, {"beta2", 0.99}, {"dtype", std::string("f64")}});
  std::vector<TensorId> inputs;
  for (const char* name : {"w", "g", "m", "v"}) inputs.push_back(build.input(name, build.shape("n:1"), DType::f64));
  inputs.insert(inputs.end(), rates.begin(), rates.end());
  build.output(build.add("adam", inputs, {{"beta1", 0.9}, {"beta2", 0.99}, {"epsilon", 1e-8}})[0]);
  const Array w = outputOf(build.graph(), {{"step", {3}}, {"w", {2}}, {"g", {0.5}}, {"m", {0.2}}, {"v", {0.04}}});
  const double m = 0.9 * 0.2 + 0.1 * 0.5, v = 0.99 * 0.04 + 0.01 * 0.25;
  const double mhat = m / (1 - std::pow(0.9, 3)), vhat = v / (1 - std::pow(0.99, 3));
  QVERIFY(std::abs(w.values[0] - (2 - 0.1 * mhat / (std::sqrt(vhat) + 1e-8))) < 1e-12);
}

QTEST_GUILESS_MAIN(ExpandTest)
#include "expand_test.moc"
