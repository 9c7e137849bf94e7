#include <QtTest>

#include "executor/local_cluster.h"
#include "tests/executor/movement.h"

using namespace executor;
using core::BufferId;
using core::Instruction;
using core::InstructionKind;

class InterpreterTest : public QObject {
  Q_OBJECT

 private slots:
  void aStateTakesItsValueAfterTheStep();
  void repeatsGoThroughTheirViews();
  void whatIsFreedIsPoisoned();
  void lossesAndWishesToStopAreSummed();
  void memoryIsCountedWhileBound();
  void placeKeepsOneShareOfAValue();
};

namespace {

const core::Mesh alone = core::Mesh::of("");

int add(core::Program& program, const std::string& name, const movement::Sizes& sizes, bool persistent, core::Placement placement = {}) {
  if (placement.sharding.dims.empty()) placement.sharding = core::Sharding::replicated(sizes.size());
  program.buffers.push_back(movement::buffer(name, sizes, placement, program.mesh, program.arenaBytes));
  program.buffers.back().persistent = persistent;
  return static_cast<int>(program.buffers.size()) - 1;
}

// y[i] = x[i] + number
int plus(core::Program& program, std::int64_t size, double number) {
  core::Expression expression{.operands = {"x"}, .loops = {{.name = "i", .extent = size}}};
  expression.nodes = {{.kind = core::Node::Kind::read, .operand = 0, .axes = {{.terms = {{0, 1}}}}},
                      {.kind = core::Node::Kind::constant, .value = number},
                      {.kind = core::Node::Kind::binary, .a = 0, .b = 1, .function = core::Function::add}};
  expression.outputs = {{.name = "y", .loops = {0}, .root = 2, .dtype = core::DType::f64}};
  program.expressions.push_back(expression);
  return static_cast<int>(program.expressions.size()) - 1;
}

Instruction compute(int expression, int from, int to) {
  return {.kind = InstructionKind::compute, .name = "plus " + std::to_string(to), .op = "add", .inputs = {BufferId(from)}, .outputs = {BufferId(to)}, .expression = expression, .loopAxes = {{}}};
}

}  // namespace

void InterpreterTest::aStateTakesItsValueAfterTheStep() {
  core::Program program{.mesh = alone};
  const int state = add(program, "w", {3}, true), value = add(program, "w'", {3}, false);
  program.states = {BufferId(state)};
  program.instructions = {compute(plus(program, 3, 1), state, value),
                          {.kind = InstructionKind::update, .name = "update", .inputs = {BufferId(value)}, .outputs = {BufferId(state)}},
                          {.kind = InstructionKind::free, .name = "free", .inputs = {BufferId(value)}}};
  LocalCluster cluster(program, {.checking = true});
  cluster.set(BufferId(state), Tensor::of(core::DType::f64, {3}, std::vector<double>{1, 2, 3}));
  cluster.step();
  cluster.step();
  QCOMPARE(cluster.get("w").values(), (std::vector<double>{3, 4, 5}));
  QCOMPARE(cluster.counted(0).flops(), std::int64_t{3});
}

void InterpreterTest::repeatsGoThroughTheirViews() {
  core::Program program{.mesh = alone};
  const int x = add(program, "x", {2}, true);
  std::vector<BufferId> values{BufferId(x)};
  for (int i = 1; i <= 3; ++i) values.push_back(BufferId(add(program, "x" + std::to_string(i), {2}, false)));
  const int from = add(program, "from", {2}, false), to = add(program, "to", {2}, false);
  Instruction repeat{.kind = InstructionKind::repeat, .name = "layers", .body = {compute(plus(program, 2, 10), from, to)}, .count = 3};
  repeat.views = {{BufferId(from), {values[0], values[1], values[2]}}, {BufferId(to), {values[1], values[2], values[3]}}};
  program.instructions = {repeat};
  program.inputs = {BufferId(x)};
  program.outputs = {values[3]};
  LocalCluster cluster(program, {.checking = true});
  cluster.set("x", Tensor::of(core::DType::f64, {2}, std::vector<double>{1, 2}));
  cluster.step();
  QCOMPARE(cluster.get(values[3]).values(), (std::vector<double>{31, 32}));
  QCOMPARE(cluster.counted(0).instructions.size(), std::size_t{3});
  QCOMPARE(cluster.counted(0).instructions[2].instruction, 3);
  QCOMPARE(cluster.counted(0).instructions[2].iteration, 2);
}

void InterpreterTest::whatIsFreedIsPoisoned() {
  core::Program program{.mesh = alone};
  const int x = add(program, "x", {2}, true), y = add(program, "y", {2}, false);
  program.inputs = {BufferId(x)};
  program.instructions = {compute(plus(program, 2, 1), x, y), {.kind = InstructionKind::free, .name = "free", .inputs = {BufferId(y)}}};
  LocalCluster cluster(program, {.checking = true});
  cluster.set("x", Tensor::zeros(core::DType::f64, {2}));
  cluster.step();
  QVERIFY(qIsNaN(cluster.get(BufferId(y)).values()[0]));
}

void InterpreterTest::lossesAndWishesToStopAreSummed() {
  // Partial over a: every rank has a share. Over b it is whole: one share counts.
  core::Program program{.mesh = core::Mesh::of("a:2,b:2")};
  core::Placement partial;
  partial.sharding.partial.insert(0);
  program.buffers.push_back(movement::buffer("loss", {}, partial, program.mesh, program.arenaBytes));
  program.buffers[0].persistent = true;
  program.loss = BufferId(0);
  program.instructions = {{.kind = InstructionKind::control, .name = "control", .inputs = {program.loss}}};
  LocalCluster cluster(program);
  for (std::int64_t rank = 0; rank < 4; ++rank) *reinterpret_cast<double*>(cluster.block(rank, program.loss)) = rank < 2 ? 1.5 : 2.0;
  const StepResult result = cluster.step();
  QCOMPARE(*result.loss, 3.5);
  QVERIFY(!result.stop);
  QCOMPARE(cluster.counted(3).instructions[0].bytesIn, std::int64_t{8});
  QCOMPARE(cluster.counted(3).instructions[0].bytesOut, std::int64_t{8});
}

void InterpreterTest::memoryIsCountedWhileBound() {
  core::Program program{.mesh = alone};
  const int x = add(program, "x", {4}, true), a = add(program, "a", {4}, false), b = add(program, "b", {4}, false), c = add(program, "c", {4}, false);
  program.buffers[static_cast<std::size_t>(x)].memoryClass = core::MemoryClass::inputs;
  program.buffers[static_cast<std::size_t>(c)].alias = BufferId(b);  // takes no bytes of its own
  program.buffers[static_cast<std::size_t>(c)].offset = program.buffers[static_cast<std::size_t>(b)].offset;
  program.inputs = {BufferId(x)};
  const int one = plus(program, 4, 1);
  program.instructions = {compute(one, x, a), compute(one, a, b), {.kind = InstructionKind::free, .name = "free", .inputs = {BufferId(a)}}, compute(one, b, c)};
  LocalCluster cluster(program);
  cluster.set("x", Tensor::zeros(core::DType::f64, {4}));
  cluster.step();
  QCOMPARE(cluster.counted(0).peak[static_cast<std::size_t>(core::MemoryClass::inputs)], std::int64_t{32});
  QCOMPARE(cluster.counted(0).peak[static_cast<std::size_t>(core::MemoryClass::activations)], std::int64_t{64});
}

void InterpreterTest::placeKeepsOneShareOfAValue() {
  core::Program program{.mesh = core::Mesh::of("a:3")};
  core::Placement partial{core::Sharding::replicated(1), {}}, split{core::Sharding::replicated(1), {}};
  partial.sharding.partial.insert(0);
  split.sharding.dims[0] = {0};
  const int whole = add(program, "whole", {5}, true), shares = add(program, "shares", {5}, false, partial);
  const int part = add(program, "part", {5}, false, split), again = add(program, "again", {5}, false, partial);
  program.inputs = {BufferId(whole)};
  program.instructions = {{.kind = InstructionKind::place, .name = "p", .inputs = {BufferId(whole)}, .outputs = {BufferId(shares)}},
                          {.kind = InstructionKind::place, .name = "q", .inputs = {BufferId(whole)}, .outputs = {BufferId(part)}},
                          {.kind = InstructionKind::place, .name = "r", .inputs = {BufferId(part)}, .outputs = {BufferId(again)}}};
  LocalCluster cluster(program, {.checking = true});
  const Tensor value = Tensor::of(core::DType::f64, {5}, std::vector<double>{1, 2, 3, 4, 5});
  cluster.set("whole", value);
  cluster.step();
  for (int buffer : {shares, part, again}) QCOMPARE(cluster.get(BufferId(buffer)).values(), value.values());
}

QTEST_GUILESS_MAIN(InterpreterTest)
#include "interpreter_test.moc"
