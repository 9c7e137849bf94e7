#include <QtTest>

#include "core/ops/builder.h"
#include "core/spmd/partition.h"
#include "core/spmd/passes/passes.h"
#include "executor/local_cluster.h"

using namespace core;

namespace {

Program stack(int layers) {
  GraphBuilder build;
  TensorId x = build.input("x", "batch:4 width:6", DType::f64);
  const DimId width = build.dim("width", 6);
  const DimId hidden = build.dim("hidden", 8);
  const DimId batch = build.dim("batch", 4);
  for (int i = 0; i < layers; ++i) {
    build.pushScope("layer_" + std::to_string(i));
    const std::string name = "layer_" + std::to_string(i);
    const TensorId up = build.parameter(name + ".up", Shape{width, hidden}, std::nullopt, DType::f64);
    const TensorId down = build.parameter(name + ".down", Shape{hidden, width}, std::nullopt, DType::f64);
    x = build.plus(x, build.einsum({build.unary(Function::tanh, build.einsum({x, up}, Shape{batch, hidden})), down}, Shape{batch, width}));
    build.popScope();
  }
  build.output(x);
  return partition(build.graph(), Layout::of("hidden:model"), Mesh::of("model:2"), {}).program;
}

std::vector<double> outputOf(const Program& program) {
  executor::LocalCluster cluster(program, {.seed = 3, .checking = true});
  std::vector<double> numbers(24);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i % 7) - 3;
  cluster.set("x", executor::Tensor::of(DType::f64, {4, 6}, numbers));
  cluster.step();
  return cluster.get(program.outputs[0]).values();
}

Program withoutReasons(Program program) {
  for (Instruction& one : program.instructions) one.reason.clear();
  for (Instruction& one : program.instructions) one.pair = -1;
  return program;
}

}  // namespace

class RollTest : public QObject {
  Q_OBJECT
 private slots:
  void foldsEqualLayers();
  void flattensToWhatItWas();
  void computesTheSame();
};

void RollTest::foldsEqualLayers() {
  const Program rolled = rollRepeats(stack(8));
  const auto repeat = std::find_if(rolled.instructions.begin(), rolled.instructions.end(), [](const Instruction& one) { return one.kind == InstructionKind::repeat; });
  QVERIFY(repeat != rolled.instructions.end());
  QVERIFY2(repeat->count >= 6, print(rolled).c_str());
  QCOMPARE(rolled.instructions.size(), rollRepeats(stack(16)).instructions.size());
}

void RollTest::flattensToWhatItWas() {
  const Program flat = stack(8);
  QVERIFY(withoutReasons(flatten(rollRepeats(flat))) == withoutReasons(flat));
}

void RollTest::computesTheSame() { QCOMPARE(outputOf(rollRepeats(stack(8))), outputOf(stack(8))); }

QTEST_GUILESS_MAIN(RollTest)
#include "roll_test.moc"
