#include <QtTest>

#include <functional>

#include "core/ops/builder.h"
#include "core/spmd/partition.h"

using namespace core;

namespace {

Program sample() {
  GraphBuilder build;
  const TensorId x = build.input("x", "batch:6 in:4");
  const TensorId w = build.parameter("w", "in hidden:5");
  const TensorId h = build.unary(Function::relu, build.einsum({x, w}, "batch hidden"));
  build.output(build.einsum({h, build.parameter("v", "hidden out:3")}, "batch out"));
  return partition(build.graph(), Layout::of("batch:data;hidden:model"), Mesh::of("data:2,model:2"), {}).program;
}

Instruction& first(Program& program, InstructionKind kind) {
  for (Instruction& one : program.instructions)
    if (one.kind == kind) return one;
  qFatal("the sample has no such instruction");
}

struct Row {
  const char* name;
  std::function<void(Program&)> plant;
  const char* says;
};

const std::vector<Row>& rows() {
  static const std::vector<Row> all{
      {"a local size", [](Program& p) { ++p.buffers[0].localShape[0]; }, "local shape"},
      {"a size in bytes", [](Program& p) { p.buffers[1].bytes *= 2; }, "bytes"},
      {"a global size", [](Program& p) { p.buffers[0].sizes[0] = 8; }, "local shape"},
      {"a size of 0", [](Program& p) { p.buffers[0].sizes[0] = 0; }, "at least 1"},
      {"an axis twice", [](Program& p) { p.buffers[0].placement.sharding.dims[1] = p.buffers[0].placement.sharding.dims[0]; }, "axis twice"},
      {"an axis that is not there", [](Program& p) { p.buffers[0].placement.sharding.dims[1] = {5}; }, "lacks"},
      {"an offset outside", [](Program& p) { p.buffers[0].offset = p.arenaBytes; }, "outside the arena"},
      {"two in one place", [](Program& p) { p.buffers[1].offset = p.buffers[0].offset; }, "overlaps"},
      {"a loop less", [](Program& p) { first(p, InstructionKind::compute).loopAxes.pop_back(); }, "loops"},
      {"a loop split otherwise", [](Program& p) { first(p, InstructionKind::compute).loopAxes[0] = {}; }, "does not hold"},
      {"an unknown buffer", [](Program& p) { first(p, InstructionKind::compute).inputs[0] = BufferId(999); }, "does not exist"},
      {"an unknown expression", [](Program& p) { first(p, InstructionKind::compute).expression = 999; }, "expression"},
      {"another collective", [](Program& p) { first(p, InstructionKind::start).collective.kind = CollectiveKind::allGather; }, "does not turn"},
      {"another group", [](Program& p) { first(p, InstructionKind::start).collective.axes = {0}; }, "does not turn"},
      {"a free too early", [](Program& p) { std::swap(p.instructions[0], *std::find_if(p.instructions.begin(), p.instructions.end(), [](const Instruction& one) { return one.kind == InstructionKind::free; })); }, "live"},
  };
  return all;
}

}  // namespace

class VerifyTest : public QObject {
  Q_OBJECT
 private slots:
  void acceptsWhatPartitionMakes();
  void refusesWhatWasPlanted_data();
  void refusesWhatWasPlanted();
};

void VerifyTest::acceptsWhatPartitionMakes() { QVERIFY(verify(sample()).empty()); }

void VerifyTest::refusesWhatWasPlanted_data() {
  QTest::addColumn<int>("row");
  for (std::size_t i = 0; i < rows().size(); ++i) QTest::newRow(rows()[i].name) << static_cast<int>(i);
}

void VerifyTest::refusesWhatWasPlanted() {
  QFETCH(int, row);
  Program program = sample();
  rows()[static_cast<std::size_t>(row)].plant(program);
  const std::vector<Diagnostic> found = verify(program);
  QVERIFY(!found.empty());
  QVERIFY2(found[0].text().find(rows()[static_cast<std::size_t>(row)].says) != std::string::npos, found[0].text().c_str());
  QVERIFY(!found[0].where.empty());
}

QTEST_GUILESS_MAIN(VerifyTest)
#include "verify_test.moc"
