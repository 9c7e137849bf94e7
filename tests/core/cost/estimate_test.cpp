#include <QtTest>

#include "core/cost/cost.h"
#include "tests/core/cost/small_program.h"

using namespace core;
using namespace core::tests;

class EstimateTest : public QObject {
  Q_OBJECT

 private slots:
  void replicatedWorkIsRedundant();
  void splitWorkIsNot();
  void unevenDevicesHaveTheirOwnFigures();
  void trafficIsSummedByAxisAndKind();
  void largestShardsCountEverywhere();
  void memoryFitsOrDoesNot();
  void theStepIsAsLongAsItsSlowestDevice();
  void manyDevicesCostNoMore();
};

namespace {

Program matmulOver(const char* mesh, std::int64_t rows, AxisList axes) {
  ProgramBuilder build(mesh);
  const BufferId x = build.buffer("x", {rows, 3}, placed({axes, {}}), MemoryClass::inputs, true);
  const BufferId w = build.buffer("w", {3, 4}, placed({{}, {}}), MemoryClass::parameters, true), y = build.buffer("y", {rows, 4}, placed({axes, {}}));
  build.compute("matmul", build.matmul(rows, 4, 3), {axes, {}, {}}, {x, w}, {y});
  return build.program;
}

}  // namespace

void EstimateTest::replicatedWorkIsRedundant() {
  const Cost cost = estimate(matmulOver("m:4", 8, {}), nullptr);
  QCOMPARE(cost.usefulFlops, 8 * 4 * 6);
  QCOMPARE(cost.redundantFlops, 3 * 8 * 4 * 6);
  QVERIFY(!cost.stepSeconds());
}

void EstimateTest::splitWorkIsNot() {
  QCOMPARE(estimate(matmulOver("m:4", 8, {0}), nullptr).redundantFlops, 0);
  QCOMPARE(estimate(matmulOver("m:4", 7, {0}), nullptr).redundantFlops, 0);
}

void EstimateTest::unevenDevicesHaveTheirOwnFigures() {
  const Cost cost = estimate(matmulOver("m:4", 10, {0}), nullptr);  // 3 3 3 1
  QCOMPARE(cost.devices.size(), 2u);
  QCOMPARE(cost.devices[0].devices, 3);
  QCOMPARE(cost.devices[0].flops, 3 * 4 * 6);
  QCOMPARE(cost.devices[1].devices, 1);
  QCOMPARE(cost.devices[1].flops, 1 * 4 * 6);
  QCOMPARE(cost.devices[0].paddingBytes, 0);
  QCOMPARE(cost.devices[1].paddingBytes, 2 * (3 + 4) * 4);
  QCOMPARE(cost.paddingBytes, 2 * (3 + 4) * 4);
  QCOMPARE(cost.devices[0].peak.total(), (3 * 3 + 3 * 4 + 3 * 4) * 4);
}

void EstimateTest::trafficIsSummedByAxisAndKind() {
  ProgramBuilder build("data:2,model:4");
  const BufferId a = build.buffer("a", {100}, placed({{}})), b = build.buffer("b", {50}, placed({{}}));
  build.collective("one", CollectiveKind::allReduce, {1}, {a}, {a});
  build.collective("two", CollectiveKind::allReduce, {1}, {b}, {b});
  build.collective("three", CollectiveKind::allReduce, {0}, {a}, {a});
  build.add({.kind = InstructionKind::control, .name = "control"});
  const Cost cost = estimate(build.program, nullptr);
  const std::vector<AxisTraffic>& traffic = cost.devices.front().traffic;
  QCOMPARE(traffic.size(), 3u);
  QCOMPARE(traffic[0].calls, 2);
  QCOMPARE(traffic[0].payloadBytes, 600);
  QCOMPARE(traffic[0].wireBytes, 2 * 3 * (100 + 52));
  QCOMPARE(traffic[1].wireBytes, 400);
  QCOMPARE(traffic[2].payloadBytes, 8);
  QCOMPARE(cost.devices.front().bytesIn, 1008);
}

// vllm-project/vllm#31474 and marin-community/levanter#429
void EstimateTest::largestShardsCountEverywhere() {
  ProgramBuilder build("m:6");
  build.buffer("W", {151552, 1}, placed({{0}, {}}), MemoryClass::parameters, true);
  QCOMPARE(estimate(build.program, nullptr).devices.front().peak.total(), 25259 * 4);
  ProgramBuilder five("m:5");
  five.buffer("W", {768}, placed({{0}}), MemoryClass::parameters, true);
  QCOMPARE(estimate(five.program, nullptr).devices.front().peak.total(), 154 * 4);
}

// modular/modular#6268: per device 21 - 4 - 5 GB are left, whatever the other devices have
void EstimateTest::memoryFitsOrDoesNot() {
  ProgramBuilder build("m:4");
  const std::int64_t giga = 1'000'000'000;
  build.buffer("weights", {4 * giga}, placed({{0}}), MemoryClass::parameters, true);
  build.buffer("activations", {5 * giga / 4}, placed({{}}), MemoryClass::activations, true);
  Machine machine = roundMachine();
  machine.memory.value = 21e9;
  const Cost cost = estimate(build.program, &machine);
  QCOMPARE(cost.devices.front().peak.total(), 9 * giga);
  QCOMPARE(*cost.memoryLimit - cost.arenaBytes, 12 * giga);
  QVERIFY(cost.fits());
  machine.memory.value = 8.9e9;
  QVERIFY(!estimate(build.program, &machine).fits());
}

void EstimateTest::theStepIsAsLongAsItsSlowestDevice() {
  const Machine machine = roundMachine();
  const Cost cost = estimate(matmulOver("m:4", 10, {0}), &machine);
  QCOMPARE(*cost.devices[0].computeSeconds, (9 + 12 + 12) * 4 / 1e9);  // bound by memory, padded, on both
  QCOMPARE(*cost.stepSeconds(), *cost.devices[0].stepSeconds);
  QCOMPARE(*cost.devices[0].communicationSeconds, 0.0);
}

void EstimateTest::manyDevicesCostNoMore() {
  const auto classes = [](const char* mesh) { return estimate(matmulOver(mesh, 100'003, {0}), nullptr).devices.size(); };
  QCOMPARE(classes("m:8"), 2u);
  QCOMPARE(classes("m:8192"), 3u);  // some are empty there
}

QTEST_GUILESS_MAIN(EstimateTest)
#include "estimate_test.moc"
