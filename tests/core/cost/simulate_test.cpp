#include "core/cost/simulate.h"

#include <QtTest>

#include "tests/core/cost/small_program.h"

using namespace core;
using namespace core::tests;

class SimulateTest : public QObject {
  Q_OBJECT

 private slots:
  void computesOneAfterTheOther();
  void communicationRunsBesideWhatStandsBeforeItsWait();
  void collectivesWaitForTheSlowestDevice();
  void thereIsNoTraceWithoutSeconds();
};

namespace {

constexpr double ms = 1e-3;

// Local work of so many megabytes: a millisecond each on the round machine.
void addWork(ProgramBuilder& build, const std::string& name, std::int64_t megabytes, AxisList axes = {}) {
  const BufferId y = build.buffer(name, {megabytes * 250'000}, placed({axes}));
  build.add({.kind = InstructionKind::place, .name = name, .outputs = {y}});
}

bool close(double a, double b) { return std::abs(a - b) < 1e-9; }

}  // namespace

void SimulateTest::computesOneAfterTheOther() {
  ProgramBuilder build("m:1");
  addWork(build, "a", 3);
  addWork(build, "b", 1);
  const Machine machine = roundMachine();
  const std::vector<PredictedTrace> traces = simulate(estimate(build.program, &machine));
  QCOMPARE(traces.size(), 1u);
  QCOMPARE(traces[0].spans.size(), 2u);
  QVERIFY(close(traces[0].spans[1].start, 3 * ms) && close(traces[0].spans[1].end, 4 * ms));
  QVERIFY(close(traces[0].seconds, 4 * ms));
}

void SimulateTest::communicationRunsBesideWhatStandsBeforeItsWait() {
  ProgramBuilder build("m:2");
  Machine machine = roundMachine();
  machine.levels[0].latency.value = 0;
  addWork(build, "a", 2);
  const BufferId x = build.buffer("x", {1'250'000}, placed({{}}));  // 5 MB: 2 * 2.5 MB on the wire
  build.collective("sum", CollectiveKind::allReduce, {0}, {x}, {x});
  const Instruction wait = build.program.instructions.back();
  build.program.instructions.pop_back();
  addWork(build, "b", 1);
  build.add(wait);
  addWork(build, "c", 1);
  const std::vector<PredictedTrace> traces = simulate(estimate(build.program, &machine));
  const std::vector<PredictedSpan>& spans = traces[0].spans;
  QCOMPARE(spans.size(), 5u);
  QVERIFY(spans[1].communication && close(spans[1].start, 2 * ms) && close(spans[1].end, 7 * ms));
  QVERIFY(!spans[2].communication && close(spans[2].start, 2 * ms) && close(spans[2].end, 3 * ms));
  QVERIFY(close(spans[3].start, 3 * ms) && close(spans[3].end, 7 * ms));  // idle
  QVERIFY(close(traces[0].seconds, 8 * ms));
}

void SimulateTest::collectivesWaitForTheSlowestDevice() {
  ProgramBuilder build("m:2");
  Machine machine = roundMachine();
  machine.levels[0].latency.value = 0;
  const BufferId x = build.buffer("x", {3, 3}, placed({{0}, {}})), w = build.buffer("w", {3, 3}, placed({{}, {}})), y = build.buffer("y", {3, 3}, placed({{0}, {}}));
  machine.memoryBandwidth.value = 1e15;
  machine.peak[DType::f32].value = 36e3;  // 2 rows of 3 by 3: 36 flops, 1 ms
  build.compute("matmul", build.matmul(3, 3, 3), {{0}, {}, {}}, {x, w}, {y});
  build.add({.kind = InstructionKind::control, .name = "control"});
  const std::vector<PredictedTrace> traces = simulate(estimate(build.program, &machine));
  QCOMPARE(traces.size(), 2u);
  QVERIFY(close(traces[1].spans[0].end, 0.5 * ms));
  QVERIFY(close(traces[1].spans[1].start, 1 * ms));
  QCOMPARE(traces[0].seconds, traces[1].seconds);
}

void SimulateTest::thereIsNoTraceWithoutSeconds() {
  ProgramBuilder build("m:1");
  addWork(build, "a", 1);
  QVERIFY(simulate(estimate(build.program, nullptr)).empty());
}

QTEST_GUILESS_MAIN(SimulateTest)
#include "simulate_test.moc"
