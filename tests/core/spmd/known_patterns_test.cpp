#include <QtTest>

#include <algorithm>
#include <map>

#include "core/io/import.h"
#include "core/ops/builder.h"
#include "core/ops/windows.h"
#include "core/plan/analyze.h"
#include "core/spmd/partition.h"
#include "core/spmd/redistribute.h"
#include "core/spmd/roll.h"

using namespace core;

namespace {

constexpr int layers = 4;

std::shared_ptr<const Program> trainingProgram(const char* layout, const char* mesh) {
  auto plan = std::make_shared<Plan>();
  plan->graph = importModel(std::string(MESHWRIGHT_SOURCE) + "/samples/models/gpt_bytes.onnx", {}).graph;
  Variant variant{.name = "A", .mesh = Mesh::of(mesh), .layout = Layout::of(layout)};
  variant.step.training = true;
  plan->variants.push_back(variant);
  const Analysis analysis = analyze(plan, 0);
  for (const Diagnostic& one : analysis.diagnostics)
    if (one.severity == Diagnostic::Severity::error) qWarning("%s", one.text().c_str());
  return analysis.program ? std::make_shared<const Program>(flatten(*analysis.program)) : nullptr;  // each layer for itself
}

struct Found {
  std::map<std::string, std::vector<const Instruction*>> byAxes;  // "all-reduce model"
  int controls = 0;
};

Found collectivesOf(const Program& program) {
  Found found;
  for (const Instruction& one : program.instructions) {
    found.controls += one.kind == InstructionKind::control;
    if (one.kind != InstructionKind::start) continue;
    std::string key(toString(one.collective.kind));
    for (AxisId axis : one.collective.axes) key += " " + program.mesh.axes[axis].name;
    found.byAxes[key].push_back(&one);
  }
  return found;
}

QString listed(const Found& found) {
  QString text;
  for (const auto& [key, all] : found.byAxes) {
    text += QStringLiteral("%1 x%2\n").arg(QString::fromStdString(key)).arg(all.size());
    for (const Instruction* one : all) text += "  " + QString::fromStdString(one->name + ": " + one->reason) + "\n";
  }
  return text;
}

}  // namespace

// What Megatron counts: Shoeybi et al. 2019, section 3.
class KnownPatternsTest : public QObject {
  Q_OBJECT
 private slots:
  void tensorParallelReducesTheResidualTwiceEachWay();
  void dataParallelReducesGradientsOnce();
  void spatialPartitioningExchangesHalosOnly();
  void groupedConvolutionsMoveNothing();
};

void KnownPatternsTest::tensorParallelReducesTheResidualTwiceEachWay() {
  const auto program = trainingProgram("batch:data;heads:model;ffn:model", "data:2,model:2");
  QVERIFY(program);
  const Found found = collectivesOf(*program);
  QVERIFY2(found.byAxes.size() == 2, qPrintable(listed(found)));
  const auto& model = found.byAxes.at("all-reduce model");
  QVERIFY2(model.size() == 4 * layers, qPrintable(listed(found)));
  for (const Instruction* one : model) {
    QVERIFY2(one->inputs.size() == 1, qPrintable(listed(found)));
    QCOMPARE(program->buffers[one->inputs[0].index()].bytes, 4 * 32 * 64 * 4);  // half the batch of 8, seq 32, d_model 64, f32
  }
  QVERIFY2(found.byAxes.at("all-reduce data").size() == 1, qPrintable(listed(found)));
  QCOMPARE(found.controls, 1);
  // The packed query-key-value weight is split by heads as it lies.
  for (const Instruction& one : program->instructions)
    if (one.kind == InstructionKind::place || one.kind == InstructionKind::start)
      for (BufferId id : one.inputs) QVERIFY(program->buffers[id.index()].name.find("c_attn.weight") == std::string::npos || program->buffers[id.index()].name.rfind("grad/", 0) == 0);
}

void KnownPatternsTest::dataParallelReducesGradientsOnce() {
  const auto program = trainingProgram("batch:data", "data:2,model:2");
  QVERIFY(program);
  const Found found = collectivesOf(*program);
  QVERIFY2(found.byAxes.size() == 1 && found.byAxes.count("all-reduce data") == 1, qPrintable(listed(found)));
  QVERIFY2(found.byAxes.at("all-reduce data").size() == 1, qPrintable(listed(found)));
  QCOMPARE(found.controls, 1);
}

// GShard, section 3.3.4: the split of an image's rows goes through a whole network, and each convolution fetches the rows beyond its own.
void KnownPatternsTest::spatialPartitioningExchangesHalosOnly() {
  GraphBuilder build;
  const TensorId x = build.input("x", "n:2 c:3 h:32 w:8");
  const DimId h = build.dim("h", 32), w = build.dim("w", 8), k = build.dim("k", 3), l = build.dim("l", 3), half = build.dim("h2", 16);
  const TensorId a = build.parameter("a", "f:4 c k l"), b = build.parameter("b", "g:5 f k l"), d = build.parameter("d", "o:2 g k l");
  const TensorId first = build.unary(Function::relu, build.convolution(x, a, build.shape("n f h w"), {{h, k, h, 1, 1, 1}, {w, l, w, 1, 1, 1}}));
  const TensorId second = build.unary(Function::relu, build.convolution(first, b, build.shape("n g h2 w"), {{h, k, half, 2, 1, 1}, {w, l, w, 1, 1, 1}}));
  build.output(build.convolution(second, d, build.shape("n o h2 w"), {{half, k, half, 1, 1, 1}, {w, l, w, 1, 1, 1}}));
  const Graph graph = build.take();
  const Mesh mesh = Mesh::of("rows:4");
  const Program program = partition(graph, Layout::of("h:rows"), mesh, {}).program;
  const Found found = collectivesOf(program);
  QVERIFY2(found.byAxes.size() == 1 && found.byAxes.count("redistribute rows") == 1, qPrintable(listed(found)));
  std::vector<std::int64_t> sent;  // by a device in the middle, in elements
  for (const Instruction* one : found.byAxes.at("redistribute rows")) sent.push_back(planRedistribute(program.buffers[one->inputs[0].index()], program.buffers[one->outputs[0].index()], mesh, 1).elementsSent());
  // One row to either neighbour; through the steps of two, whose window looks up one row and down none, to the next alone.
  QCOMPARE(sent, (std::vector<std::int64_t>{2 * (2 * 3 * 8), 2 * 4 * 8, 2 * (2 * 5 * 8)}));
}

// What is split along its groups, or along the batch, needs nothing of anybody.
void KnownPatternsTest::groupedConvolutionsMoveNothing() {
  for (const char* layout : {"n:m", "g:m"}) {
    GraphBuilder build;
    const TensorId x = build.input("x", "n:4 g:4 c:2 h:9"), w = build.parameter("w", "g f:3 c k:3");
    const DimId h = build.dim("h", 9), k = build.dim("k", 3);
    build.output(build.convolution(x, w, build.shape("n g f h"), {{h, k, h, 1, 1, 1}}));
    const Found found = collectivesOf(partition(build.take(), Layout::of(layout), Mesh::of("m:4"), {}).program);
    QVERIFY2(found.byAxes.empty(), qPrintable(listed(found)));
  }
}

QTEST_GUILESS_MAIN(KnownPatternsTest)
#include "known_patterns_test.moc"
