#include "core/spmd/partition.h"

#include <QtTest>

#include <algorithm>

#include "core/ops/builder.h"
#include "executor/local_cluster.h"

using namespace core;

namespace {

Program programFor(const Graph& graph, std::string_view layout, std::string_view mesh) {
  Program program = partition(graph, Layout::of(layout), Mesh::of(mesh), {}).program;
  const std::vector<Diagnostic> wrong = verify(program);
  if (!wrong.empty()) qWarning("%s\n%s", wrong[0].text().c_str(), print(program).c_str());
  return program;
}

std::vector<std::string> collectives(const Program& program) {
  std::vector<std::string> found;
  for (const Instruction& one : program.instructions) {
    if (one.kind != InstructionKind::start) continue;
    std::string text(toString(one.collective.kind));
    for (AxisId axis : one.collective.axes) text += " " + program.mesh.axes[axis].name;
    found.push_back(text);
  }
  return found;
}

executor::Tensor filled(const Graph& graph, TensorId tensor) {
  std::vector<double> numbers;
  for (std::int64_t i = 0; i < graph.elements(tensor); ++i) numbers.push_back(static_cast<double>((i * 7 + tensor.value * 3) % 13) - 6);
  return executor::Tensor::of(graph[tensor].dtype, graph.sizes(tensor), numbers);
}

std::vector<double> runOn(const Graph& graph, std::string_view layout, std::string_view mesh) {
  const Program program = programFor(graph, layout, mesh);
  executor::LocalCluster cluster(program, {.checking = true, .loadsStates = false});
  for (std::size_t b = 0; b < program.buffers.size(); ++b)
    if (program.buffers[b].persistent && graph[program.buffers[b].tensor].kind != TensorKind::constant) cluster.set(BufferId(static_cast<std::int64_t>(b)), filled(graph, program.buffers[b].tensor));
  cluster.step();
  return cluster.get(program.outputs[0]).values();
}

Graph mlp() {
  GraphBuilder build;
  const TensorId x = build.input("x", "batch:6 in:4", DType::f64);
  const TensorId first = build.parameter("first", "in hidden:5", DType::f64);
  const TensorId second = build.parameter("second", "hidden out:3", DType::f64);
  build.output(build.einsum({build.unary(Function::relu, build.einsum({x, first}, "batch hidden")), second}, "batch out"));
  return build.take();
}

}  // namespace

class PartitionTest : public QObject {
  Q_OBJECT
 private slots:
  void needsNoCollectiveForASplitBatch();
  void reducesOnceForAContractedSplit();
  void keepsSumsPartialThroughLinearOperators();
  void equalsOneDeviceUnderEveryLayout_data();
  void equalsOneDeviceUnderEveryLayout();
};

void PartitionTest::needsNoCollectiveForASplitBatch() { QCOMPARE(collectives(programFor(mlp(), "batch:data", "data:2")), std::vector<std::string>{}); }

void PartitionTest::reducesOnceForAContractedSplit() {
  QCOMPARE(collectives(programFor(mlp(), "hidden:model", "model:2")), std::vector<std::string>{"all-reduce model"});
}

// y = sum(a) x; z = 3*y; w = z + sum(a) x2; relu(w): one all-reduce, of w.
void PartitionTest::keepsSumsPartialThroughLinearOperators() {
  GraphBuilder build;
  const TensorId x = build.input("x", "a:8 b:16"), x2 = build.input("x2", "a b");
  const Shape over = build.shape("a");
  const TensorId w = build.plus(build.times(build.sum(x, over), 3.0), build.sum(x2, over));
  build.output(build.unary(Function::relu, w));
  const Program program = programFor(build.graph(), "a:m", "m:2");
  QCOMPARE(collectives(program), std::vector<std::string>{"all-reduce m"});
  const auto start = std::find_if(program.instructions.begin(), program.instructions.end(), [](const Instruction& one) { return one.kind == InstructionKind::start; });
  QCOMPARE(program.buffers[start->inputs[0].index()].bytes, 64);
}

void PartitionTest::equalsOneDeviceUnderEveryLayout_data() {
  QTest::addColumn<QString>("layout");
  QTest::addColumn<QString>("mesh");
  for (const char* mesh : {"p:2", "p:3", "p:2,q:2"})
    for (const char* layout : {"batch:p", "in:p", "hidden:p", "out:p", "batch:p;hidden:q", "in:p;hidden:q", "hidden:p;out:q", "hidden:p;hidden:q", "batch:q;batch:p", "in:q;out:p"})
      if (QString(mesh).contains('q') || !QString(layout).contains('q')) QTest::addRow("%s on %s", layout, mesh) << QString(layout) << QString(mesh);
}

void PartitionTest::equalsOneDeviceUnderEveryLayout() {
  QFETCH(QString, layout);
  QFETCH(QString, mesh);
  QCOMPARE(runOn(mlp(), layout.toStdString(), mesh.toStdString()), runOn(mlp(), "", ""));
}

QTEST_GUILESS_MAIN(PartitionTest)
#include "partition_test.moc"
