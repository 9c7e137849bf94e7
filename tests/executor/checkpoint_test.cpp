#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

#include "executor/checkpoint.h"
#include "executor/collectives/in_process.h"
#include "executor/states.h"
#include "executor/tensor.h"
#include "tests/executor/movement.h"

using namespace executor;
using movement::Sizes;

class CheckpointTest : public QObject {
  Q_OBJECT

 private slots:
  void loadsOnEveryOtherMesh();
  void theNewestOfARunIsFound();
  void whatWasChangedIsRefused();
  void whatIsMissingIsRefused();
};

namespace {

// A program that does nothing, with two states: a table and a counter.
core::Program program(const char* mesh, const core::AxisList& rows, const core::AxisList& columns) {
  core::Program made{.mesh = core::Mesh::of(mesh)};
  core::Sharding sharding = core::Sharding::replicated(2);
  sharding.dims = {rows, columns};
  made.buffers = {movement::buffer("table", {7, 5}, {sharding, {}}, made.mesh, made.arenaBytes, core::DType::f32),
                  movement::buffer("count", {}, {}, made.mesh, made.arenaBytes, core::DType::i64)};
  for (core::Buffer& buffer : made.buffers) buffer.persistent = true;
  made.states = {core::BufferId(0), core::BufferId(1)};
  made.sources = {core::Initializer{core::Initializer::Kind::normal, 0, 1}, core::Initializer{core::Initializer::Kind::constant, 41, 0}};
  return made;
}

struct Ranks {
  core::Program made;
  InProcessCommunicator communicator;
  Interpreter interpreter;
  explicit Ranks(core::Program given) : made(std::move(given)), communicator(made.mesh), interpreter(made, communicator, {.checking = true}) {}

  Tensor state(std::size_t which) {
    std::vector<const std::byte*> blocks;
    for (std::size_t rank = 0; rank < interpreter.localRanks(); ++rank) blocks.push_back(interpreter.data(rank, made.states[which]));
    return gather(made.buffers[which], made.mesh, blocks);
  }
};

std::vector<core::Program> programs() {
  return {program("", {}, {}), program("a:2", {0}, {}), program("a:2", {}, {0}), program("a:3", {0}, {}), program("a:2,b:2", {0}, {1}), program("a:2,b:3", {1, 0}, {}), program("a:4,b:2", {}, {0, 1})};
}

std::string write(Ranks& ranks, const QTemporaryDir& folder, std::int64_t step) {
  const std::string checkpoints = folder.path().toStdString() + "/checkpoints";
  return checkpoints + "/" + writeCheckpoint(ranks.interpreter, ranks.made, ranks.communicator, checkpoints, step);
}

template <class F>
std::string refusal(F doing) {
  try {
    doing();
  } catch (const core::Error& error) {
    return error.text();
  }
  return "";
}

}  // namespace

void CheckpointTest::loadsOnEveryOtherMesh() {
  for (const core::Program& from : programs())
    for (const core::Program& to : programs()) {
      QTemporaryDir folder;
      Ranks before(from), after(to);
      loadStates(before.interpreter, before.made, 5, "");
      const std::string checkpoint = write(before, folder, 12);
      QCOMPARE(loadCheckpoint(after.interpreter, after.made, checkpoint), std::int64_t{12});
      QVERIFY(after.state(0) == before.state(0));
      QVERIFY(after.state(1) == before.state(1));
      QCOMPARE(after.state(1).values(), std::vector<double>{41});
    }
}

void CheckpointTest::theNewestOfARunIsFound() {
  QTemporaryDir folder;
  Ranks ranks(program("a:2", {0}, {}));
  for (std::int64_t step : {5, 10, 9}) write(ranks, folder, step);
  QCOMPARE(QString::fromStdString(findCheckpoint(folder.path().toStdString())), folder.path() + "/checkpoints/step-10");
  QVERIFY(!refusal([&] { findCheckpoint("/nowhere"); }).empty());
}

void CheckpointTest::whatWasChangedIsRefused() {
  QTemporaryDir folder;
  Ranks ranks(program("a:2", {0}, {}));
  const std::string checkpoint = write(ranks, folder, 1), file = checkpoint + "/rank.1.safetensors";
  {
    std::fstream changed(file, std::ios::in | std::ios::out | std::ios::binary);
    changed.seekp(-1, std::ios::end);
    changed.put('x');
  }
  QVERIFY(refusal([&] { loadCheckpoint(ranks.interpreter, ranks.made, checkpoint); }).find("table") != std::string::npos);
  std::ofstream(file, std::ios::trunc) << "cut";
  QVERIFY(!refusal([&] { loadCheckpoint(ranks.interpreter, ranks.made, checkpoint); }).empty());
}

void CheckpointTest::whatIsMissingIsRefused() {
  QTemporaryDir folder;
  Ranks ranks(program("", {}, {}));
  const std::string checkpoint = write(ranks, folder, 1);
  core::Program renamed = program("", {}, {});
  renamed.buffers[0].name = "another";
  Ranks other(renamed);
  QVERIFY(refusal([&] { loadCheckpoint(other.interpreter, other.made, checkpoint); }).find("another") != std::string::npos);
  core::Program larger = program("", {}, {});
  larger.buffers[0].sizes = {8, 5};
  larger.arenaBytes = 0;
  larger.buffers[0] = movement::buffer("table", {8, 5}, larger.buffers[0].placement, larger.mesh, larger.arenaBytes, core::DType::f32);
  larger.buffers[1].offset = larger.arenaBytes;
  larger.arenaBytes += 64;
  Ranks bigger(larger);
  QVERIFY(refusal([&] { loadCheckpoint(bigger.interpreter, bigger.made, checkpoint); }).find("table") != std::string::npos);
}

QTEST_GUILESS_MAIN(CheckpointTest)
#include "checkpoint_test.moc"
