#include <QtTest>
#include <set>

#include "core/autodiff/training.h"
#include "core/cost/cost.h"
#include "core/io/program_file.h"
#include "core/layers/gpt.h"
#include "core/mesh/machine.h"
#include "core/ops/builder.h"
#include "core/ops/expand.h"
#include "core/spmd/partition.h"
#include "core/spmd/roll.h"
#include "executor/local_cluster.h"
#include "tests/support/run_graph.h"

using namespace core;

// Equal layers are partitioned once and run as a repeat: the same numbers, sizes and bytes as without.

namespace {

// Layers of two products, with what may differ between layers and must not be lost: a dropout of its own, and odd ends.
Graph stack(int layers, bool dropout) {
  GraphBuilder build;
  TensorId x = build.input("x", "batch:4 width:6", DType::f64);
  const DimId width = build.dim("width", 6), hidden = build.dim("hidden", 8), batch = build.dim("batch", 4);
  for (int i = 0; i < layers; ++i) {
    const std::string name = "layer." + std::to_string(i + 3);
    build.pushScope(name);
    const TensorId up = build.parameter(name + ".up", Shape{width, hidden}, std::nullopt, DType::f64);
    const TensorId down = build.parameter(name + ".down", Shape{hidden, width}, std::nullopt, DType::f64);
    TensorId inner = build.unary(Function::tanh, build.einsum({x, up}, Shape{batch, hidden}));
    if (dropout) inner = build.dropout(inner, 0.5, name + "/drop");
    x = build.plus(x, build.einsum({inner, down}, Shape{batch, width}));
    build.popScope();
  }
  build.output(x);
  return build.graph();
}

struct Training {
  Graph graph;
  TensorId loss;
};

Training trained(const Graph& forward) {
  Step step;
  step.training = true;
  const TrainingGraph training = trainingStep(forward, step);
  Training made{expand(training.graph), {}};
  made.loss = *made.graph.findTensor(training.graph[training.loss].name);
  return made;
}

int repeats(const Program& program) {
  return static_cast<int>(std::count_if(program.instructions.begin(), program.instructions.end(), [](const Instruction& one) { return one.kind == InstructionKind::repeat; }));
}

std::vector<double> ramp(std::size_t count) {
  std::vector<double> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<double>(i * 37 % 19) / 19 - 0.4;
  return numbers;
}

// The losses of some steps; each instruction is watched.
std::vector<double> losses(const Program& program) {
  executor::LocalCluster cluster(program, {.seed = 3, .checking = true});
  for (BufferId id : program.inputs) {
    const Buffer& input = program.buffers[id.index()];
    std::size_t elements = 1;
    for (std::int64_t size : input.sizes) elements *= static_cast<std::size_t>(size);
    std::vector<double> numbers = ramp(elements);
    if (input.dtype == DType::i64)
      for (std::size_t i = 0; i < elements; ++i) numbers[i] = static_cast<double>(i * 7 % 11);
    cluster.set(id, executor::Tensor::of(input.dtype, input.sizes, numbers));
  }
  std::vector<double> found;
  for (int step = 0; step < 4; ++step) found.push_back(*cluster.step().loss);
  return found;
}

void compareLosses(const std::vector<double>& found, const std::vector<double>& expected) {
  QCOMPARE(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    QVERIFY2(std::abs(found[i] - expected[i]) <= 1e-5 * std::abs(expected[i]), qPrintable(QStringLiteral("step %1: %2, not %3").arg(i).arg(found[i]).arg(expected[i])));
}

}  // namespace

class RollTest : public QObject {
  Q_OBJECT
 private slots:
  void foldsEqualLayers();
  void trainsTheSame_data();
  void trainsTheSame();
  void countsWhatItPredicts();
  void eachLayerDropsItsOwn();
  void savesAsMuchMemory();
  void aPinInTheMiddleIsKept();
  void isReadBackAsWritten();
};

void RollTest::foldsEqualLayers() {
  const Training few = trained(stack(6, false)), many = trained(stack(12, false));
  const Layout layout = Layout::of("hidden:model");
  const Mesh mesh = Mesh::of("model:2");
  const Program program = partition(few.graph, layout, mesh, {.loss = few.loss}).program;
  QVERIFY2(repeats(program) == 3, print(program).c_str());  // forward, backward, optimizer
  QCOMPARE(partition(many.graph, layout, mesh, {.loss = many.loss}).program.instructions.size(), program.instructions.size());
}

void RollTest::trainsTheSame_data() {
  QTest::addColumn<QString>("layout");
  QTest::addColumn<QString>("mesh");
  QTest::newRow("one device") << "" << "model:1";
  QTest::newRow("tensor") << "hidden:model" << "model:2";
  QTest::newRow("data") << "batch:data" << "data:2";
  QTest::newRow("data, uneven") << "batch:data" << "data:3";
  QTest::newRow("2-D") << "batch:data;hidden:model" << "data:2,model:2";
  QTest::newRow("the residual") << "width:model;batch:data" << "data:2,model:2";
  QTest::newRow("two axes") << "hidden:data;hidden:model" << "data:2,model:2";
}

void RollTest::trainsTheSame() {
  QFETCH(QString, layout);
  QFETCH(QString, mesh);
  for (const int layers : {5, 6, 9}) {
    for (const bool dropout : {false, true}) {
      const Training training = trained(stack(layers, dropout));
      const auto made = [&](bool roll) { return partition(training.graph, Layout::of(layout.toStdString()), Mesh::of(mesh.toStdString()), {.loss = training.loss, .roll = roll}).program; };
      const Program flat = made(false), rolled = made(true), flattened = flatten(rolled);
      QCOMPARE(repeats(flat), 0);
      QVERIFY2(repeats(rolled) > 0, qPrintable(QStringLiteral("%1 layers, dropout %2").arg(layers).arg(dropout)));
      QCOMPARE(repeats(flattened), 0);
      for (const Program* program : {&flat, &rolled, &flattened}) {
        const auto problems = verify(*program);
        QVERIFY2(problems.empty(), problems.empty() ? "" : problems[0].text().c_str());
      }
      // What is priced is priced alike: new values that lie in their states' bytes too.
      const Machine machine = readMachine("h100");
      const Cost inRepeats = estimate(rolled, &machine), unrolled = estimate(flattened, &machine);
      for (std::size_t d = 0; d < unrolled.devices.size(); ++d) {
        QCOMPARE(inRepeats.devices[d].flops, unrolled.devices[d].flops);
        QCOMPARE(inRepeats.devices[d].peak.total(), unrolled.devices[d].peak.total());
        QVERIFY(qFuzzyCompare(*inRepeats.devices[d].computeSeconds, *unrolled.devices[d].computeSeconds));
        QVERIFY(qFuzzyCompare(*inRepeats.devices[d].stepSeconds, *unrolled.devices[d].stepSeconds));
      }
      const std::vector<double> expected = losses(flat);
      QVERIFY(expected.back() < expected.front());
      compareLosses(losses(rolled), expected);
      compareLosses(losses(flattened), expected);
    }
  }
}

void RollTest::countsWhatItPredicts() {
  const Graph graph = stack(7, false);
  for (const char* layout : {"batch:data;hidden:model", "width:model"}) {
    const tests::GraphRun run = tests::runGraph(graph, Layout::of(layout), Mesh::of("data:2,model:2"), {{*graph.findTensor("x"), {{4, 6}, ramp(24)}}});
    QVERIFY(repeats(run.program) > 0);
    QVERIFY2(run.wrong.empty(), run.wrong.empty() ? "" : run.wrong[0].c_str());
    const tests::GraphRun flat = tests::runGraph(graph, Layout::of(layout), Mesh::of("data:2,model:2"), {{*graph.findTensor("x"), {{4, 6}, ramp(24)}}}, {.roll = false});
    for (std::size_t i = 0; i < run.outputs[0].values.size(); ++i) QVERIFY(std::abs(run.outputs[0].values[i] - flat.outputs[0].values[i]) < 1e-12);
  }
}

// If all layers drew the same numbers, the first would be dropped as the last one is.
void RollTest::eachLayerDropsItsOwn() {
  const Training training = trained(stack(6, true));
  const Program program = flatten(partition(training.graph, {}, Mesh::of("model:1"), {.loss = training.loss}).program);
  std::set<std::string> seeds;
  for (const Expression& expression : program.expressions)
    for (const Node& node : expression.nodes)
      if (node.kind == Node::Kind::random && node.seed.find('{') == std::string::npos) seeds.insert(node.seed);
  QCOMPARE(seeds.size(), std::size_t{6});
}

void RollTest::savesAsMuchMemory() {
  const Training training = trained(gpt({.layers = 6, .modelSize = 16, .heads = 4, .vocab = 32, .seq = 8, .batch = 4}));
  for (const char* layout : {"", "batch:data;heads:model;ffn:model", "seq:data;vocab:model"}) {
    const auto made = [&](bool roll) { return partition(training.graph, Layout::of(layout), Mesh::of("data:2,model:2"), {.loss = training.loss, .roll = roll}).program; };
    const Program flat = made(false), rolled = made(true);
    QVERIFY(repeats(rolled) > 0);
    // What isn't fused across layers may cost a residual more.
    QVERIFY2(rolled.arenaBytes <= flat.arenaBytes * 1.05, qPrintable(QStringLiteral("%1 bytes, not %2").arg(rolled.arenaBytes).arg(flat.arenaBytes)));
    compareLosses(losses(rolled), losses(flat));
  }
}

void RollTest::aPinInTheMiddleIsKept() {
  const Training training = trained(stack(9, false));
  Layout layout = Layout::of("batch:data");
  layout.pins.push_back({"layer.7.up", {{"hidden", {"model"}}}});
  const auto made = partition(training.graph, layout, Mesh::of("data:2,model:2"), {.loss = training.loss});
  const auto has = [&](const char* name) { return made.layouts.sharding(training.graph.findTensor(name)->index()).dims[1].size(); };
  QCOMPARE(has("layer.7.up"), std::size_t{1});
  QCOMPARE(has("layer.6.up"), std::size_t{0});
  QVERIFY(verify(made.program).empty());
  compareLosses(losses(made.program), losses(partition(training.graph, layout, Mesh::of("data:2,model:2"), {.loss = training.loss, .roll = false}).program));
}

void RollTest::isReadBackAsWritten() {
  const Training training = trained(stack(6, true));
  const Program program = partition(training.graph, Layout::of("hidden:model"), Mesh::of("model:2"), {.loss = training.loss}).program;
  QVERIFY(repeats(program) > 0);
  QTemporaryDir folder;
  const std::string path = folder.filePath("program.json").toStdString();
  writeProgram(program, path);
  QVERIFY(readProgram(path) == program);
}

QTEST_GUILESS_MAIN(RollTest)
#include "roll_test.moc"
