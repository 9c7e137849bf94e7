// Gradients equal finite differences in double precision: every operator of the catalogue, every example of it.
#include <QtTest>
#include <cmath>

#include "core/base/error.h"
#include "core/ops/builder.h"
#include "core/ops/op.h"
#include "tests/support/graph_values.h"

using namespace core;

namespace {

using Values = std::map<TensorId, Array>;

// What the loss is made of: loss = sum over outputs k of sum(weight_k * y_k).
Values outputWeights(tests::Random& random, const Graph& graph) {
  Values weights;
  for (TensorId output : graph.outputs)
    if (isFloating(graph[output].dtype)) weights[output] = tests::randomValues(random, graph, output);
  return weights;
}

double lossOf(const Graph& graph, const Values& inputs, const Values& weights) {
  const std::vector<Array> values = tests::evaluateGraph(graph, inputs);
  double loss = 0;
  for (const auto& [output, weight] : weights)
    for (std::size_t i = 0; i < weight.values.size(); ++i) loss += weight.values[i] * values[output.index()].values[i];
  return loss;
}

Array numericGradient(const Graph& graph, Values inputs, TensorId input, const Values& weights) {
  constexpr double step = 1e-5;
  Array gradient = inputs[input];
  for (std::size_t i = 0; i < gradient.values.size(); ++i) {
    double& x = inputs[input].values[i];
    const double kept = x;
    x = kept + step;
    const double above = lossOf(graph, inputs, weights);
    x = kept - step;
    const double below = lossOf(graph, inputs, weights);
    x = kept;
    gradient.values[i] = (above - below) / (2 * step);
  }
  return gradient;
}

// By input of the operator; an input without one has no entry.
std::vector<std::pair<TensorId, Array>> statedGradients(const Graph& graph, const Values& inputs,
                                                        const Values& weights) {
  GraphBuilder build(graph);
  const Operator op = graph.operators[0];
  Values given = inputs;
  std::vector<TensorId> gradients;
  for (TensorId output : op.outputs) {
    if (!weights.count(output)) {
      gradients.emplace_back();
      continue;
    }
    const Tensor& y = graph[output];
    gradients.push_back(build.input("weight/" + y.name, y.shape, y.dtype));
    given[gradients.back()] = weights.at(output);
  }
  const OperatorView view(build.graph(), op.name, op.kind, op.attributes, op.inputs);
  const std::vector<TensorId> stated = findOp(op.kind).gradient(build, {view, op.outputs, gradients});
  const std::vector<Array> values = tests::evaluateGraph(build.graph(), given);
  std::vector<std::pair<TensorId, Array>> found;
  for (std::size_t i = 0; i < stated.size(); ++i)
    if (stated[i].valid()) found.emplace_back(op.inputs[i], values[stated[i].index()]);
  return found;
}

// The same tensor read twice gets the sum of both.
Array gradientOf(TensorId input, const Array& like, const std::vector<std::pair<TensorId, Array>>& stated) {
  Array sum{like.sizes, std::vector<double>(like.values.size())};
  for (const auto& [of, gradient] : stated) {
    if (of != input) continue;
    if (gradient.sizes != sum.sizes) return gradient;
    for (std::size_t i = 0; i < sum.values.size(); ++i) sum.values[i] += gradient.values[i];
  }
  return sum;
}

}  // namespace

class GradientTest : public QObject {
  Q_OBJECT
 private slots:
  void equalsFiniteDifferences_data();
  void equalsFiniteDifferences();
  void cleanupTestCase() { qInfo("%d gradients of %d operators", gradients_, operators_); }

 private:
  int gradients_ = 0, operators_ = 0;
};

void GradientTest::equalsFiniteDifferences_data() {
  QTest::addColumn<QString>("kind");
  for (const Op* op : allOps())
    if (op->gradient) QTest::newRow(std::string(op->name).c_str()) << QString::fromStdString(std::string(op->name));
}

void GradientTest::equalsFiniteDifferences() {
  QFETCH(QString, kind);
  const Op& row = findOp(kind.toStdString());
  tests::Random random("gradient/" + kind.toStdString());
  bool any = false;
  try {
    for (const Graph& example : row.examples()) {
      const Graph graph = tests::inDoublePrecision(example);
      const std::vector<Array> values = tests::evaluateGraph(graph, tests::randomInputs(random, graph));
      for (std::size_t at = 0; at < graph.operators.size(); ++at) {
        if (graph.operators[at].kind != row.name) continue;
        const tests::Isolated one = tests::isolate(graph, OperatorId(static_cast<std::int64_t>(at)), values);
        const Values weights = outputWeights(random, one.graph);
        if (weights.empty()) continue;
        const auto stated = statedGradients(one.graph, one.inputs, weights);
        for (const auto& [input, value] : one.inputs) {
          if (!isFloating(one.graph[input].dtype)) continue;
          // Linear in dy, and differentiated by that alone: gradients of gradients are not offered.
          if (row.name == "derivative" && input != one.graph.operators[0].inputs[0]) continue;
          const Array numeric = numericGradient(one.graph, one.inputs, input, weights);
          const Array found = gradientOf(input, value, stated);
          const double limit = 1e-6 * std::max(1.0, tests::largestSize(numeric));
          QVERIFY2(tests::largestDifference(numeric, found) < limit,
                   (kind.toStdString() + ": gradient of " + one.graph[input].name + " is off by " +
                    std::to_string(tests::largestDifference(numeric, found)))
                       .c_str());
          ++gradients_;
          any = true;
        }
      }
    }
  } catch (const Error& error) {
    QFAIL(error.text().c_str());
  }
  operators_ += any;
}

QTEST_GUILESS_MAIN(GradientTest)
#include "gradient_test.moc"
