#include <QtTest>

#include "core/ops/builder.h"
#include "core/spmd/partition.h"
#include "core/spmd/roll.h"
#include "tests/support/run_graph.h"

using namespace core;

// An all-reduce over several axes, one instruction an axis: the same sums for fewer bytes on the slower axes.
class ByAxisTest : public QObject {
  Q_OBJECT
 private slots:
  void isScatteredReducedAndGathered();
  void sumsTheSame_data();
  void sumsTheSame();
  void leavesWhatIsSmallOrDividesUnevenly();
  void worksInsideOfARepeat();
};

namespace {

std::map<TensorId, Array> inputsOf(const Graph& graph) {
  std::map<TensorId, Array> inputs;
  for (TensorId id : graph.inputs()) {
    Array values{graph.sizes(id), {}};
    for (std::int64_t i = 0; i < graph.elements(id); ++i) values.values.push_back(static_cast<double>(i * 31 % 17) / 17 - 0.4);
    inputs[id] = values;
  }
  return inputs;
}

// y[m,n] = sum(k) a[m,k] * b[k,n], k over all axes.
Graph product(const std::string& m, const std::string& n) {
  GraphBuilder build;
  const TensorId a = build.input("a", m + " k:16", DType::f64), b = build.input("b", "k:16 " + n, DType::f64);
  build.output(build.einsum({a, b}, build.shape(m.substr(0, m.find(':')) + " " + n.substr(0, n.find(':')))));
  return build.graph();
}

tests::GraphRun run(const Graph& graph, const char* layout, const char* mesh, bool byAxis) {
  return tests::runGraph(graph, Layout::of(layout), Mesh::of(mesh), inputsOf(graph), {.reduceByAxis = byAxis, .byAxisBytes = 0});
}

}  // namespace

void ByAxisTest::isScatteredReducedAndGathered() {
  const tests::GraphRun made = run(product("m:8", "n:6"), "k:x;k:y", "x:2,y:4", true);
  QVERIFY2(made.wrong.empty(), made.wrong.empty() ? "" : made.wrong[0].c_str());
  // 8x6 doubles; scattered over the four of y, the two of x sum what is left.
  QCOMPARE(tests::payload(made.program, CollectiveKind::reduceScatter), std::int64_t{8 * 6 * 8});
  QCOMPARE(tests::payload(made.program, CollectiveKind::allReduce), std::int64_t{8 * 6 * 8 / 4});
  QCOMPARE(tests::payload(made.program, CollectiveKind::allGather), std::int64_t{8 * 6 * 8 / 4});
  QCOMPARE(tests::collectives(made.program), 3);
}

void ByAxisTest::sumsTheSame_data() {
  QTest::addColumn<QString>("m");
  QTest::addColumn<QString>("n");
  QTest::addColumn<QString>("layout");
  QTest::addColumn<QString>("mesh");
  QTest::addColumn<int>("instructions");
  QTest::newRow("two axes") << "m:8" << "n:6" << "k:x;k:y" << "x:2,y:2" << 3;
  QTest::newRow("the second dimension") << "m:7" << "n:6" << "k:x;k:y" << "x:2,y:2" << 3;
  QTest::newRow("three axes") << "m:8" << "n:6" << "k:x;k:y;k:z" << "x:2,y:2,z:2" << 5;
  QTest::newRow("beside a split") << "m:8" << "n:6" << "m:z;k:x;k:y" << "x:2,y:2,z:2" << 3;
  QTest::newRow("uneven axes") << "m:9" << "n:6" << "k:x;k:y" << "x:2,y:3" << 3;
}

void ByAxisTest::sumsTheSame() {
  QFETCH(QString, m);
  QFETCH(QString, n);
  QFETCH(QString, layout);
  QFETCH(QString, mesh);
  QFETCH(int, instructions);
  const Graph graph = product(m.toStdString(), n.toStdString());
  const tests::GraphRun one = run(graph, qPrintable(layout), qPrintable(mesh), false), by = run(graph, qPrintable(layout), qPrintable(mesh), true);
  QVERIFY2(by.wrong.empty(), by.wrong.empty() ? "" : by.wrong[0].c_str());
  QCOMPARE(tests::collectives(one.program), 1);
  QCOMPARE(tests::collectives(by.program), instructions);
  QVERIFY(tests::largestDifference(by.outputs[0], one.outputs[0]) <= 1e-12);
}

void ByAxisTest::leavesWhatIsSmallOrDividesUnevenly() {
  QCOMPARE(tests::collectives(run(product("m:7", "n:5"), "k:x;k:y", "x:2,y:2", true).program), 1);
  const Graph graph = product("m:8", "n:6");
  QCOMPARE(tests::collectives(tests::runGraph(graph, Layout::of("k:x;k:y"), Mesh::of("x:2,y:2"), inputsOf(graph)).program), 1);
}

void ByAxisTest::worksInsideOfARepeat() {
  GraphBuilder build;
  TensorId x = build.input("x", "batch:4 width:8", DType::f64);
  for (int i = 0; i < 6; ++i) {
    const std::string name = "layer." + std::to_string(i);
    build.pushScope(name);
    const TensorId up = build.parameter(name + ".up", build.shape("width:8 hidden:8"), std::nullopt, DType::f64);
    const TensorId down = build.parameter(name + ".down", build.shape("hidden width"), std::nullopt, DType::f64);
    x = build.plus(x, build.einsum({build.unary(Function::tanh, build.einsum({x, up}, build.shape("batch hidden"))), down}, build.shape("batch width")));
    build.popScope();
  }
  build.output(x);
  const tests::GraphRun one = run(build.graph(), "hidden:x;hidden:y", "x:2,y:2", false), by = run(build.graph(), "hidden:x;hidden:y", "x:2,y:2", true);
  QVERIFY2(by.wrong.empty(), by.wrong.empty() ? "" : by.wrong[0].c_str());
  QCOMPARE(tests::collectives(by.program), 3 * tests::collectives(one.program));
  QVERIFY(tests::largestDifference(by.outputs[0], one.outputs[0]) <= 1e-12);
  QVERIFY(std::any_of(by.program.instructions.begin(), by.program.instructions.end(), [](const Instruction& each) { return each.kind == InstructionKind::repeat; }));
  const Program flat = flatten(by.program);
  QVERIFY2(verify(flat).empty(), verify(flat).empty() ? "" : verify(flat)[0].text().c_str());
}

QTEST_GUILESS_MAIN(ByAxisTest)
#include "by_axis_test.moc"
