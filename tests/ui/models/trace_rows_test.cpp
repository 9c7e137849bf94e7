#include "ui/models/trace_rows.h"

#include <QTest>

#include "tests/core/cost/small_program.h"

using namespace ui;
using namespace core::tests;

// Two axes, a gradient's sum over the second, and a step of control.
class TraceRowsTest : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void anAxisComesFromTheProgramThatWasRun();
  void withoutAProgramNothingHasAnAxis();
  void everyStepOfARankBeginsOnce();
  void thePredictionHasTheLabelsOfTheTrace();

 private:
  core::Trace trace() const;
  core::Program program_;
};

void TraceRowsTest::init() {
  ProgramBuilder build("data:2,model:2");
  const core::BufferId x = build.buffer("x", {250'000}, placed({{}}));
  build.add({.kind = core::InstructionKind::place, .name = "fc", .outputs = {x}});
  build.collective("all-reduce fc", core::CollectiveKind::allReduce, {1}, {x}, {x});
  program_ = build.program;
}

core::Trace TraceRowsTest::trace() const {
  core::Trace trace{.instructions = core::traceInstructions(program_), .ranks = 2};
  for (std::int32_t rank = 0; rank < 2; ++rank)
    for (std::int64_t step = 1; step <= 3; ++step)
      for (std::int32_t i = 0; i < 3; ++i) {
        double start = 10 + double(step) + 0.25 * i;
        trace.spans.push_back({.rank = rank, .instruction = i, .step = step, .start = start, .end = start + 0.2});
      }
  return trace;
}

void TraceRowsTest::anAxisComesFromTheProgramThatWasRun() {
  TraceRows rows;
  const core::Trace read = trace();
  TimelineData data = rows.begin(read, program_.mesh, &program_);
  QCOMPARE(data.axes, (QStringList{"data", "model"}));
  QCOMPARE(data.rows.size(), std::size_t{2});
  for (const TraceRows::Addition& one : rows.take(read))
    if (one.lane == TimelineLane::Kind::communication) QCOMPARE(int(one.slice.axis), 1);
}

void TraceRowsTest::withoutAProgramNothingHasAnAxis() {
  TraceRows rows;
  const core::Trace read = trace();
  rows.begin(read, program_.mesh, nullptr);
  for (const TraceRows::Addition& one : rows.take(read)) QCOMPARE(int(one.slice.axis), -1);
}

void TraceRowsTest::everyStepOfARankBeginsOnce() {
  TraceRows rows;
  core::Trace read = trace();
  rows.begin(read, program_.mesh, &program_);
  std::vector<double> begins[2];
  // As it comes: a look at the files may end in the middle of a step.
  core::Trace grown = read;
  for (std::size_t seen : {std::size_t{4}, std::size_t{11}, read.spans.size()}) {
    grown.spans.assign(read.spans.begin(), read.spans.begin() + static_cast<std::ptrdiff_t>(seen));
    for (const TraceRows::Addition& one : rows.take(grown))
      if (one.beginsStep) begins[one.row].push_back(one.slice.start);
  }
  for (const std::vector<double>& rank : begins) QCOMPARE(rank, (std::vector<double>{0, 1, 2}));
}

void TraceRowsTest::thePredictionHasTheLabelsOfTheTrace() {
  const core::Machine machine = roundMachine();
  RunPrediction prediction{.program = std::make_shared<const core::Program>(program_)};
  for (std::int64_t rank = 0; rank < 2; ++rank)
    prediction.cost.devices.push_back(core::costOf(*prediction.program, program_.mesh.coordinate(rank), &machine));
  prediction.ranks = core::simulate(prediction.cost);
  const core::Trace read = trace();
  std::vector<TimelinePrediction> rows = predictionRows(read, prediction);
  QCOMPARE(rows.size(), std::size_t{2});
  for (const TimelinePrediction& row : rows) {
    QCOMPARE(row.lanes[0].size(), std::size_t{1});  // 1 MB at 1 GB/s
    QVERIFY(std::abs(row.lanes[0].end[0] - 1e-3) < 1e-9);
    QCOMPARE(read.instructions[std::size_t(row.lanes[0].label[0])].name, std::string("fc"));
    QCOMPARE(row.lanes[1].size(), std::size_t{1});
    QCOMPARE(read.instructions[std::size_t(row.lanes[1].label[0])].name, std::string("all-reduce fc"));
    QCOMPARE(int(row.lanes[1].axis[0]), 1);
    QCOMPARE(row.lanes[1].start[0], row.lanes[0].end[0]);
    QVERIFY(row.seconds >= row.lanes[1].end[0]);
  }
}

QTEST_GUILESS_MAIN(TraceRowsTest)
#include "trace_rows_test.moc"
