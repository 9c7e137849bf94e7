#include <QtTest>

#include "core/ops/builder.h"
#include "core/plan/analyze.h"
#include "executor/local_cluster.h"
#include "tests/support/run_graph.h"

using namespace core;

// A wrong size is caught wherever it is planted: in the estimate, in a call, in the program that was written down.

namespace {

Program trainingProgram() {
  GraphBuilder build;
  const TensorId x = build.input("x", "b:6 d_x:5"), w = build.parameter("w", "d_x:5 d_h:7"), v = build.parameter("v", "d_h:7 d_x:5");
  build.output(build.einsum({build.unary(Function::tanh, build.einsum({x, w}, "b d_h")), v}, "b d_x"));
  auto plan = std::make_shared<Plan>();
  plan->graph = std::make_shared<const Graph>(build.take());
  Variant variant{.name = "A", .mesh = Mesh::of("r:2,c:2"), .layout = Layout::of("b:r;d_h:c")};
  variant.step.training = true;
  plan->variants.push_back(variant);
  return *analyze(plan, 0).program;
}

Counted counted(const Program& program) {
  executor::LocalCluster cluster(program);
  for (BufferId id : program.inputs) {
    const Buffer& input = program.buffers[id.index()];
    std::int64_t elements = 1;
    for (std::int64_t size : input.sizes) elements *= size;
    cluster.set(id, executor::Tensor::of(input.dtype, input.sizes, std::vector<double>(static_cast<std::size_t>(elements), 0.5)));
  }
  cluster.step();
  return tests::countedOf(program, cluster);
}

std::size_t firstOf(const Program& program, InstructionKind kind) {
  for (std::size_t i = 0; i < program.instructions.size(); ++i)
    if (program.instructions[i].kind == kind) return i;
  return program.instructions.size();
}

bool names(const Comparison& compared, const std::string& instruction) {
  return std::any_of(compared.differences.begin(), compared.differences.end(), [&](const std::string& one) { return one.starts_with(instruction); });
}

}  // namespace

class PlantedTest : public QObject {
  Q_OBJECT

 private slots:
  void nothingPlantedIsExact();
  void inTheEstimateOfFlops();
  void inTheEstimateOfBytes();
  void inTheEstimateOfMemory();
  void inACall();
  void inAKernel();
  void inTheProgram();
};

void PlantedTest::nothingPlantedIsExact() {
  const Program program = trainingProgram();
  const Comparison compared = compare(program, nullptr, counted(program));
  QVERIFY2(compared.exact, compared.differences.empty() ? "" : compared.differences.front().c_str());
  QVERIFY(compared.ranks[0].counted.flops > 0);
  QVERIFY(compared.ranks[0].counted.bytesIn > 8);
}

void PlantedTest::inTheEstimateOfFlops() {
  const Program program = trainingProgram();
  Program wrong = program;
  Instruction& compute = wrong.instructions[firstOf(wrong, InstructionKind::compute)];
  for (Loop& loop : wrong.expressions[static_cast<std::size_t>(compute.expression)].loops) ++loop.extent;
  const Comparison compared = compare(wrong, nullptr, counted(program));
  QVERIFY(!compared.exact);
  QVERIFY(names(compared, compute.name));
}

void PlantedTest::inTheEstimateOfBytes() {
  const Program program = trainingProgram();
  Program wrong = program;
  const Instruction& start = wrong.instructions[firstOf(wrong, InstructionKind::start)];
  wrong.buffers[start.inputs[0].index()].bytes += 4;
  const Comparison compared = compare(wrong, nullptr, counted(program));
  QVERIFY(!compared.exact);
  QVERIFY(names(compared, start.name));
}

void PlantedTest::inTheEstimateOfMemory() {
  const Program program = trainingProgram();
  Program wrong = program;
  wrong.buffers[wrong.states[0].index()].bytes += 64;
  const Comparison compared = compare(wrong, nullptr, counted(program));
  QVERIFY(!compared.exact);
  QVERIFY(names(compared, "memory of "));
}

// One gradient does not travel in the bucket: its call is smaller than was predicted.
void PlantedTest::inACall() {
  const Program program = trainingProgram();
  Program run = program;
  Instruction* bucket = nullptr;
  for (Instruction& one : run.instructions)
    if (one.kind == InstructionKind::start && one.inputs.size() > 1) bucket = &one;
  QVERIFY(bucket);
  bucket->inputs.pop_back();
  bucket->outputs.pop_back();
  const Comparison compared = compare(program, nullptr, counted(run));
  QVERIFY(!compared.exact);
  QVERIFY(names(compared, bucket->name));
}

// One rank counts a flop more than was predicted of it.
void PlantedTest::inAKernel() {
  const Program program = trainingProgram();
  Counted wrong = counted(program);
  for (CountedInstruction& one : wrong.ranks[3].instructions)
    if (one.flops > 0) {
      ++one.flops;
      const Comparison compared = compare(program, nullptr, wrong);
      QVERIFY(!compared.exact && names(compared, one.name));
      return;
    }
  QFAIL("nothing was computed");
}

void PlantedTest::inTheProgram() {
  Program program = trainingProgram();
  QVERIFY(verify(program).empty());
  ++program.buffers[program.states[0].index()].localShape[0];
  QVERIFY(!verify(program).empty());
}

QTEST_GUILESS_MAIN(PlantedTest)
#include "planted_test.moc"
