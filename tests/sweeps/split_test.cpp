// Sharded equals unsharded: every operator of the catalogue against every split of every loop that may be split, and
// every rule on its dimensions, on meshes of 2, 3 and 2x2 devices, in f64 and f32, held against the evaluator; and
// predicted equals counted each time. Of a composite each part is split in each way, and the whole by each rule.
#include <QtTest>
#include <cmath>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/ops/expand.h"
#include "core/ops/op.h"
#include "core/tdl/access.h"
#include "core/tdl/element.h"
#include "tests/support/run_graph.h"

using namespace core;

namespace {

// What may be split, by name: the loops of one operator, or the dimensions of a graph (op empty).
struct Splits {
  std::string op;
  std::vector<std::string> names;
};

Splits loopsOf(const Graph& graph, const Operator& op) {
  const Expression expression = expressionOf(graph, op);
  const std::vector<bool> splittable = splittableLoops(expression);
  Splits splits{op.name, {}};
  for (std::size_t loop = 0; loop < splittable.size(); ++loop)
    if (splittable[loop]) splits.names.push_back(expression.loops[loop].name);
  return splits;
}

Splits dimensionsOf(const Graph& graph) {
  Splits splits;
  for (const Dim& dim : graph.dims) splits.names.push_back(dim.name);
  return splits;
}

Layout chosen(const Splits& splits, const std::map<std::size_t, std::vector<std::string>>& axesOf) {
  Layout layout;
  for (const auto& [which, axes] : axesOf) {
    if (splits.op.empty())
      layout.rules.push_back({splits.names[which], axes});
    else
      layout.choices.push_back({splits.op, splits.names[which], axes});
  }
  return layout;
}

// Every way to give each axis of the mesh to one of the names or to none; two axes on one in both orders.
std::vector<Layout> allLayouts(const Splits& splits, const Mesh& mesh) {
  std::vector<Layout> layouts;
  const std::size_t none = splits.names.size();
  for (std::size_t first = 0; first <= none; ++first)
    for (std::size_t second = 0; second <= none; ++second) {
      if (mesh.axes.size() == 1 && second != none) continue;
      std::map<std::size_t, std::vector<std::string>> given;
      if (first != none) given[first].push_back(mesh.axes[0].name);
      if (second != none) given[second].push_back(mesh.axes[1].name);
      if (!given.empty()) layouts.push_back(chosen(splits, given));
      if (first == second && first != none)
        layouts.push_back(chosen(splits, {{first, {mesh.axes[1].name, mesh.axes[0].name}}}));
    }
  return layouts;
}

std::string describe(const Layout& layout, const Mesh& mesh) {
  std::string text = "on " + print(mesh) + ":";
  for (const Choice& choice : layout.choices)
    text += " " + choice.op + "/" + choice.loop + " over " + join(choice.axes, " ");
  for (const Rule& rule : layout.rules) text += " " + rule.dimension + " over " + join(rule.axes, " ");
  return text;
}

}  // namespace

class SplitTest : public QObject {
  Q_OBJECT
 private slots:
  void everySplitEqualsTheWhole_data();
  void everySplitEqualsTheWhole();
  void cleanupTestCase() {
    qInfo("%d runs of %d operators under every split of every loop, %d collectives", runs_, operators_, collectives_);
  }

 private:
  void sweep(const Graph& graph, double tolerance, tests::Random& random);
  void compare(const Graph& graph, const Layout& layout, const Mesh& mesh, const tests::Isolated& one,
               const std::vector<Array>& expected, double tolerance);

  int runs_ = 0, operators_ = 0, collectives_ = 0;
  QByteArray failure_;
};

void SplitTest::everySplitEqualsTheWhole_data() {
  QTest::addColumn<QString>("kind");
  for (const Op* op : allOps())
    QTest::newRow(std::string(op->name).c_str()) << QString::fromStdString(std::string(op->name));
}

void SplitTest::compare(const Graph& graph, const Layout& layout, const Mesh& mesh, const tests::Isolated& one,
                        const std::vector<Array>& expected, double tolerance) {
  std::map<TensorId, Array> inputs;
  for (const auto& [tensor, array] : one.inputs) inputs[graph.findTensor(one.graph[tensor].name).value()] = array;
  const tests::GraphRun run = tests::runGraph(graph, layout, mesh, inputs);
  const std::string where = one.graph.operators[0].kind + " " + describe(layout, mesh) + ": ";
  if (!run.wrong.empty()) {
    failure_ = (where + run.wrong[0]).c_str();
    return;
  }
  for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
    const Array& whole = expected[one.graph.outputs[i].index()];
    const double limit =
        isFloating(graph[graph.outputs[i]].dtype) ? tolerance * std::max(tests::largestSize(whole), 1e-300) : 0;
    const double difference = tests::largestDifference(run.outputs[i], whole);
    if (difference > limit) failure_ = (where + "differs by " + std::to_string(difference)).c_str();
  }
  ++runs_;
  collectives_ += tests::collectives(run.program);
}

void SplitTest::sweep(const Graph& example, double tolerance, tests::Random& random) {
  const RandomContext context{.seed = 0, .step = 1};
  const std::vector<Array> values = tests::evaluateGraph(example, tests::randomInputs(random, example), context);
  tests::Isolated one =
      tests::isolate(example, OperatorId(static_cast<std::int64_t>(example.operators.size()) - 1), values);
  for (auto& [tensor, array] : one.inputs)
    for (double& value : array.values) value = roundTo(one.graph[tensor].dtype, value);
  const std::vector<Array> expected = tests::evaluateGraph(one.graph, one.inputs, context);
  const Graph parts = expand(one.graph);
  std::vector<Splits> splits{dimensionsOf(parts)};
  for (const Operator& op : parts.operators) splits.push_back(loopsOf(parts, op));
  for (const char* mesh : {"m:2", "m:3", "a:2,b:2"})
    for (const Splits& each : splits)
      for (const Layout& layout : allLayouts(each, Mesh::of(mesh))) {
        if (hasErrors(check(layout, parts, Mesh::of(mesh)))) continue;
        try {
          compare(parts, layout, Mesh::of(mesh), one, expected, tolerance);
        } catch (const std::exception& unexpected) {  // of a library beneath a kernel
          failure_ =
              (one.graph.operators[0].kind + " " + describe(layout, Mesh::of(mesh)) + ": " + unexpected.what()).c_str();
        }
        if (!failure_.isEmpty()) return;
      }
}

void SplitTest::everySplitEqualsTheWhole() {
  QFETCH(QString, kind);
  const Op& row = findOp(kind.toStdString());
  tests::Random random("split/" + kind.toStdString());
  failure_.clear();
  try {
    for (const Graph& example : row.examples()) {
      sweep(tests::inDoublePrecision(example), 1e-12, random);
      if (failure_.isEmpty()) sweep(example, 1e-5, random);
      QVERIFY2(failure_.isEmpty(), failure_.constData());
    }
  } catch (const Error& error) {
    QFAIL(error.text().c_str());
  }
  ++operators_;
}

QTEST_GUILESS_MAIN(SplitTest)
#include "split_test.moc"
