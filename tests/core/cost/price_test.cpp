#include "core/cost/price.h"

#include <QtTest>

#include "tests/core/cost/small_program.h"

using namespace core;
using namespace core::tests;

class PriceTest : public QObject {
  Q_OBJECT

 private slots:
  void flopsFollowTheValidExtents();
  void aReducedLoopCountsItsOwnRange();
  void aLookupReadsItsRowsOnly();
  void payloadsAreThoseOfTheCalls();
  void unevenPayloadsArePadded();
  void aBucketIsTheSumOfItsParts();
  void redistributeMovesItsIndexSets();
  void aBodyOfARepeatCountsEachTime();
  void anUpdateInPlaceMovesNothing();
  void secondsAreTheSlowerOfComputingAndMoving();
  void withoutAMachineThereAreNoSeconds();
  void controlMovesEightBytes();
  void figuresThatDoNotFitAreRefused();
};

void PriceTest::flopsFollowTheValidExtents() {
  ProgramBuilder build("data:2");
  const BufferId a = build.buffer("a", {5, 3}, placed({{0}, {}})), b = build.buffer("b", {3, 4}, placed({{}, {}}));
  const BufferId y = build.buffer("y", {5, 4}, placed({{0}, {}}));
  const Instruction one = build.compute("matmul", build.matmul(5, 4, 3), {{0}, {}, {}}, {a, b}, {y});
  QCOMPARE(price(build.program, one, {0}, nullptr).flops, 3 * 4 * (3 + 3));
  QCOMPARE(price(build.program, one, {1}, nullptr).flops, 2 * 4 * (3 + 3));
  QCOMPARE(price(build.program, one, {1}, nullptr).bytesTouched, (3 * 3 + 3 * 4 + 3 * 4) * 4);  // padded on both
  QCOMPARE(wholeFlops(build.program, one), 5 * 4 * (3 + 3));
}

// tenstorrent/tt-metal#22977: 130 over 4 is 33, 33, 33, 31
void PriceTest::aReducedLoopCountsItsOwnRange() {
  ProgramBuilder build("r:2,c:4");
  const BufferId a = build.buffer("a", {256, 130}, placed({{}, {1}})), b = build.buffer("b", {130, 128}, placed({{1}, {}}));
  Placement partial = placed({{}, {}});
  partial.sharding.partial.insert(1);
  const BufferId y = build.buffer("y", {256, 128}, partial);
  const Instruction one = build.compute("matmul", build.matmul(256, 128, 130), {{}, {}, {1}}, {a, b}, {y});
  const std::vector<std::int64_t> rows{33, 33, 33, 31};
  for (std::int64_t c = 0; c < 4; ++c) QCOMPARE(price(build.program, one, {1, c}, nullptr).flops, 256 * 128 * 2 * rows[static_cast<std::size_t>(c)]);
  QCOMPARE(build.program.buffers[a.index()].localShape, (std::vector<std::int64_t>{256, 33}));
}

void PriceTest::aLookupReadsItsRowsOnly() {
  ProgramBuilder build("m:1");
  const BufferId table = build.buffer("table", {1000, 8}, placed({{}, {}})), ids = build.buffer("ids", {5}, placed({{}}), MemoryClass::inputs, true, DType::i64);
  const BufferId y = build.buffer("y", {5, 8}, placed({{}, {}}));
  Expression expression{.operands = {"table", "ids"}};
  expression.loops = {{.name = "b", .extent = 5}, {.name = "d", .extent = 8}, {.name = "v", .extent = 1000, .kind = Loop::Kind::lookup}};
  expression.nodes = {{.kind = Node::Kind::read, .operand = 1, .axes = {AxisIndex{.terms = {{.loop = 0}}}}},
                      {.kind = Node::Kind::read, .operand = 0,
                       .axes = {AxisIndex{.kind = AxisIndex::Kind::lookup, .node = 0, .loop = 2}, AxisIndex{.terms = {{.loop = 1}}}}}};
  expression.outputs = {{.name = "y", .loops = {0, 1}, .root = 1}};
  build.program.expressions.push_back(expression);
  const Instruction one = build.compute("embedding", 0, {{}, {}, {}}, {table, ids}, {y});
  const InstructionCost cost = price(build.program, one, {0}, nullptr);
  QCOMPARE(cost.flops, 0);
  QCOMPARE(cost.bytesTouched, 5 * 8 * 4 + 5 * 8 + 5 * 8 * 4);
}

void PriceTest::payloadsAreThoseOfTheCalls() {
  ProgramBuilder build("m:4");
  const BufferId whole = build.buffer("whole", {8, 12}, placed({{}, {}})), rows = build.buffer("rows", {8, 12}, placed({{0}, {}}));
  const BufferId columns = build.buffer("columns", {8, 12}, placed({{}, {0}}));
  const auto cost = [&](CollectiveKind kind, BufferId in, BufferId out, int split, int concat) {
    build.collective("c", kind, {0}, {in}, {out}, split, concat);
    return price(build.program, build.program.instructions[build.program.instructions.size() - 2], {0}, nullptr);
  };
  const std::int64_t all = 8 * 12 * 4;
  const InstructionCost reduce = cost(CollectiveKind::allReduce, whole, whole, -1, -1);
  QCOMPARE(std::pair(reduce.bytesIn, reduce.bytesOut), std::pair(all, all));
  const InstructionCost gather = cost(CollectiveKind::allGather, rows, whole, -1, 0);
  QCOMPARE(std::pair(gather.bytesIn, gather.bytesOut), std::pair(all / 4, all));
  const InstructionCost scatter = cost(CollectiveKind::reduceScatter, whole, rows, 0, -1);
  QCOMPARE(std::pair(scatter.bytesIn, scatter.bytesOut), std::pair(all, all / 4));
  const InstructionCost exchange = cost(CollectiveKind::allToAll, rows, columns, 1, 0);
  QCOMPARE(std::pair(exchange.bytesIn, exchange.bytesOut), std::pair(all / 4, all / 4));
  QCOMPARE(exchange.wireBytes, all / 4 / 4 * 3);
}

// pytorch/pytorch#103306: [5,10] over 4 has 2, 2, 1, 0 rows; calls carry two from each
void PriceTest::unevenPayloadsArePadded() {
  ProgramBuilder build("m:4");
  const BufferId rows = build.buffer("rows", {5, 10}, placed({{0}, {}})), whole = build.buffer("whole", {5, 10}, placed({{}, {}}));
  const BufferId columns = build.buffer("columns", {5, 10}, placed({{}, {0}}));
  build.collective("gather", CollectiveKind::allGather, {0}, {rows}, {whole}, -1, 0);
  const InstructionCost gather = price(build.program, build.program.instructions[0], {3}, nullptr);
  QCOMPARE(gather.bytesIn, 2 * 10 * 4);
  QCOMPARE(gather.bytesOut, 4 * 2 * 10 * 4);
  build.collective("scatter", CollectiveKind::reduceScatter, {0}, {whole}, {rows}, 0, -1);
  QCOMPARE(price(build.program, build.program.instructions[2], {0}, nullptr).bytesIn, 4 * 2 * 10 * 4);
  build.collective("exchange", CollectiveKind::allToAll, {0}, {rows}, {columns}, 1, 0);
  QCOMPARE(price(build.program, build.program.instructions[4], {0}, nullptr).bytesIn, 4 * (2 * 3) * 4);  // chunks of 2 rows, 3 columns
}

void PriceTest::aBucketIsTheSumOfItsParts() {
  ProgramBuilder build("m:4");
  const BufferId a = build.buffer("a", {10}, placed({{}})), b = build.buffer("b", {7}, placed({{}}));
  build.collective("bucket", CollectiveKind::allReduce, {0}, {a, b}, {a, b});
  const InstructionCost cost = price(build.program, build.program.instructions[0], {2}, nullptr);
  QCOMPARE(cost.bytesIn, 17 * 4);
  QCOMPARE(cost.bytesOut, 17 * 4);
  QCOMPARE(cost.wireBytes, 2 * 3 * 5 * 4);  // 17 elements: chunks of 5
}

void PriceTest::redistributeMovesItsIndexSets() {
  ProgramBuilder build("m:4");
  const BufferId rows = build.buffer("x", {6, 256}, placed({{0}, {}})), flat = build.buffer("y", {1536}, placed({{0}}));
  build.collective("reshape", CollectiveKind::redistribute, {0}, {rows}, {flat});
  const auto moved = [&](std::int64_t rank) {
    const InstructionCost cost = price(build.program, build.program.instructions[0], {rank}, nullptr);
    return std::pair(cost.bytesIn, cost.bytesOut);
  };
  QCOMPARE(moved(0), std::pair(std::int64_t{128 * 4}, std::int64_t{0}));
  QCOMPARE(moved(2), std::pair(std::int64_t{384 * 4}, std::int64_t{256 * 4}));
  QCOMPARE(moved(3), std::pair(std::int64_t{0}, std::int64_t{384 * 4}));
}

void PriceTest::aBodyOfARepeatCountsEachTime() {
  ProgramBuilder build("m:1");
  const BufferId a = build.buffer("a", {2, 2}, placed({{}, {}})), y = build.buffer("y", {2, 2}, placed({{}, {}}));
  Instruction repeat{.kind = InstructionKind::repeat, .name = "layers"};
  repeat.body.push_back(build.compute("matmul", build.matmul(2, 2, 2), {{}, {}, {}}, {a, a}, {y}));
  repeat.count = 12;
  QCOMPARE(price(build.program, repeat, {0}, nullptr).flops, 12 * 16);
  QCOMPARE(price(build.program, repeat, {0}, nullptr).bytesTouched, 12 * 2 * 16);  // a once, y once
  QCOMPARE(wholeFlops(build.program, repeat), 12 * 16);
}

void PriceTest::anUpdateInPlaceMovesNothing() {
  ProgramBuilder build("m:1");
  const BufferId state = build.buffer("W", {10}, placed({{}}), MemoryClass::parameters, true), value = build.buffer("W'", {10}, placed({{}}));
  const Instruction update{.kind = InstructionKind::update, .name = "update W", .inputs = {value}, .outputs = {state}};
  QCOMPARE(price(build.program, update, {0}, nullptr).bytesTouched, 80);
  build.program.buffers[value.index()].alias = state;
  QCOMPARE(price(build.program, update, {0}, nullptr).bytesTouched, 0);
}

void PriceTest::secondsAreTheSlowerOfComputingAndMoving() {
  ProgramBuilder build("m:1");
  Machine machine = roundMachine();
  const BufferId a = build.buffer("a", {100, 100}, placed({{}, {}})), y = build.buffer("y", {100, 100}, placed({{}, {}}));
  const Instruction one = build.compute("matmul", build.matmul(100, 100, 100), {{}, {}, {}}, {a, a}, {y});
  QCOMPARE(*price(build.program, one, {0}, &machine).seconds, 2e6 / 1e9);
  machine.efficiency = {{1e6, 0.5}, {1e7, 0.5}};
  machine.launch.value = 1e-6;
  QCOMPARE(*price(build.program, one, {0}, &machine).seconds, 4e6 / 1e9 + 1e-6);
  machine.memoryBandwidth.value = 1e6;  // 80,000 bytes
  QCOMPARE(*price(build.program, one, {0}, &machine).seconds, 0.08 + 1e-6);
  machine.peak[DType::bf16] = {8e9, "test"};
  machine.memoryBandwidth.value = 1e12;
  build.program.buffers[y.index()].dtype = DType::bf16;
  QCOMPARE(*price(build.program, one, {0}, &machine).seconds, 2e6 / 4e9 + 1e-6);
}

void PriceTest::withoutAMachineThereAreNoSeconds() {
  ProgramBuilder build("m:4");
  const BufferId a = build.buffer("a", {10}, placed({{}}));
  build.collective("sum", CollectiveKind::allReduce, {0}, {a}, {a});
  for (const Instruction& one : build.program.instructions) QVERIFY(!price(build.program, one, {0}, nullptr).seconds);
}

void PriceTest::controlMovesEightBytes() {
  ProgramBuilder build("data:4,model:4");
  const Machine machine = roundMachine();
  const Instruction control{.kind = InstructionKind::control, .name = "control"};
  const InstructionCost cost = price(build.program, control, {0, 0}, &machine);
  QCOMPARE(cost.bytesIn, 8);
  QCOMPARE(cost.bytesOut, 8);
  QVERIFY(*cost.seconds > 0);
}

void PriceTest::figuresThatDoNotFitAreRefused() {
  ProgramBuilder build("m:1");
  const BufferId a = build.buffer("a", {1}, placed({{}}));
  const std::int64_t large = std::int64_t{1} << 30;
  const Instruction one = build.compute("matmul", build.matmul(large, large, large), {{}, {}, {}}, {a, a}, {a});
  QVERIFY_EXCEPTION_THROWN(price(build.program, one, {0}, nullptr), Error);
}

QTEST_GUILESS_MAIN(PriceTest)
#include "price_test.moc"
