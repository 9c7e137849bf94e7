#include "core/cost/memory.h"

#include <QtTest>

#include "tests/core/cost/small_program.h"

using namespace core;
using namespace core::tests;

class MemoryTest : public QObject {
  Q_OBJECT

 private slots:
  void buffersLiveFromTheirFirstWriteToTheirFree();
  void aliasesAddNothing();
  void eachIterationHasItsOwnBuffers();
  void whatLivesInAFusedBodyOnlyTakesNothing();
  void paddingIsWhatNobodyReads();
};

namespace {

std::int64_t in(const MemoryAt& memory, MemoryClass memoryClass) { return memory.bytes[static_cast<std::size_t>(memoryClass)]; }

}  // namespace

void MemoryTest::buffersLiveFromTheirFirstWriteToTheirFree() {
  ProgramBuilder build("m:1");
  const BufferId w = build.buffer("w", {4, 4}, placed({{}, {}}), MemoryClass::parameters, true);
  const BufferId a = build.buffer("a", {4, 4}, placed({{}, {}})), b = build.buffer("b", {4, 4}, placed({{}, {}}));
  const BufferId c = build.buffer("c", {4, 4}, placed({{}, {}}), MemoryClass::gradients);
  const int matmul = build.matmul(4, 4, 4);
  build.compute("one", matmul, {{}, {}, {}}, {w, w}, {a});
  build.compute("two", matmul, {{}, {}, {}}, {a, w}, {b});
  build.free({a});
  build.compute("three", matmul, {{}, {}, {}}, {b, b}, {c});
  build.free({b, c});
  const MemoryUse use = memoryUse(build.program);
  const std::vector<std::int64_t> expected{128, 192, 128, 192, 64};
  for (std::size_t i = 0; i < expected.size(); ++i) QCOMPARE(use.after[i].total(), expected[i]);
  QCOMPARE(use.peak.total(), 192);
  QCOMPARE(use.at, std::string("two"));  // the first moment of the peak
  QCOMPARE(in(use.peak, MemoryClass::parameters), 64);
  QCOMPARE(in(use.peak, MemoryClass::activations), 128);
  QCOMPARE(in(use.peak, MemoryClass::gradients), 0);
}

void MemoryTest::aliasesAddNothing() {
  ProgramBuilder build("m:2");
  const BufferId x = build.buffer("x", {16}, placed({{}})), sum = build.buffer("sum", {16}, placed({{}}), MemoryClass::communication);
  build.program.buffers[sum.index()].alias = x;
  build.add({.kind = InstructionKind::place, .name = "make", .outputs = {x}});
  build.collective("reduce", CollectiveKind::allReduce, {0}, {x}, {sum});
  build.free({x});  // and with it the sum, which lies in its bytes
  const MemoryUse use = memoryUse(build.program);
  const std::vector<std::int64_t> expected{64, 64, 64, 0};
  for (std::size_t i = 0; i < expected.size(); ++i) QCOMPARE(use.after[i].total(), expected[i]);
  QCOMPARE(in(use.peak, MemoryClass::activations), 64);
}

void MemoryTest::eachIterationHasItsOwnBuffers() {
  ProgramBuilder build("m:1");
  const BufferId slot = build.buffer("h", {16}, placed({{}}));
  const BufferId first = build.buffer("h.0", {16}, placed({{}})), second = build.buffer("h.1", {16}, placed({{}}));
  Instruction repeat{.kind = InstructionKind::repeat, .name = "layers", .body = {{.kind = InstructionKind::place, .name = "make", .outputs = {slot}}}};
  repeat.count = 2;
  repeat.views = {{slot, {first, second}}};
  build.add(repeat);
  build.free({first});
  build.free({second});
  const MemoryUse use = memoryUse(build.program);
  const std::vector<std::int64_t> expected{64, 128, 64, 0};
  QCOMPARE(use.after.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) QCOMPARE(use.after[i].total(), expected[i]);
}

void MemoryTest::whatLivesInAFusedBodyOnlyTakesNothing() {
  ProgramBuilder build("m:1");
  const BufferId inner = build.buffer("inner", {16}, placed({{}})), y = build.buffer("y", {16}, placed({{}}));
  Instruction fused{.kind = InstructionKind::fused, .name = "chain", .outputs = {y}};
  fused.body = {{.kind = InstructionKind::place, .name = "a", .outputs = {inner}}, {.kind = InstructionKind::place, .name = "b", .outputs = {y}}};
  build.add(fused);
  QCOMPARE(memoryUse(build.program).peak.total(), 64);
}

// jax-ml/jax#26946: 17 rows over 8 are 3 3 3 3 3 2 0 0; 192 bytes on each device
void MemoryTest::paddingIsWhatNobodyReads() {
  ProgramBuilder build("m:8");
  const BufferId w = build.buffer("W", {17, 16}, placed({{0}, {}}), MemoryClass::parameters, true);
  QCOMPARE(memoryUse(build.program).peak.total(), 192);
  QCOMPARE(paddingBytes(build.program, {w}, {0}), 0);
  QCOMPARE(paddingBytes(build.program, {w}, {5}), 64);
  QCOMPARE(paddingBytes(build.program, {w}, {7}), 192);
}

QTEST_GUILESS_MAIN(MemoryTest)
#include "memory_test.moc"
