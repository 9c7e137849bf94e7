#include <QtTest>

#include "executor/local_cluster.h"
#include "tests/executor/movement.h"

using namespace executor;
using movement::Sizes;

class CollectivesTest : public QObject {
  Q_OBJECT

 private slots:
  void eachMovesWhatItsPlacementsSay_data();
  void eachMovesWhatItsPlacementsSay();
  void reshardsReachEverySharding_data();
  void reshardsReachEverySharding();
  void redistributeReshapes();
  void redistributeFetchesHalos();
  void payloadIsThatOfTheCalls();
};

namespace {

// The number of wrong elements over all ranks; of a partial result after adding it up.
std::int64_t wrongAfter(const core::Program& program) {
  LocalCluster cluster(program, {.checking = true});
  for (std::int64_t rank = 0; rank < program.mesh.devices(); ++rank)
    movement::fill(program.buffers[0], program.mesh, program.mesh.coordinate(rank), cluster.block(rank, program.inputs[0]));
  cluster.step();
  const core::BufferId result = program.outputs[0];
  std::int64_t wrong = 0;
  if (program.buffers[result.index()].placement.sharding.partial.empty()) {
    for (std::int64_t rank = 0; rank < program.mesh.devices(); ++rank) wrong += movement::wrong(program, program.mesh.coordinate(rank), cluster.block(rank, result));
    return wrong;
  }
  const std::vector<double> values = cluster.get(result).values();
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] != movement::truth(static_cast<std::int64_t>(i), program.buffers[0].placement, program.mesh)) ++wrong;
  return wrong;
}

void meshesAndSizes(std::size_t mostAxes) {
  QTest::addColumn<QString>("mesh");
  QTest::addColumn<QList<qint64>>("sizes");
  for (const char* mesh : {"a:2", "a:3", "a:2,b:2", "a:2,b:3", "a:2,b:2,c:2"}) {
    if (core::Mesh::of(mesh).axes.size() > mostAxes) continue;
    QTest::addRow("%s 12x8", mesh) << mesh << QList<qint64>{12, 8};
    QTest::addRow("%s 7x5", mesh) << mesh << QList<qint64>{7, 5};
    QTest::addRow("%s 3x2", mesh) << mesh << QList<qint64>{3, 2};
  }
}

}  // namespace

void CollectivesTest::eachMovesWhatItsPlacementsSay_data() { meshesAndSizes(3); }

void CollectivesTest::eachMovesWhatItsPlacementsSay() {
  QFETCH(QString, mesh);
  QFETCH(QList<qint64>, sizes);
  for (const movement::Case& one : movement::table(core::Mesh::of(mesh.toStdString()), Sizes(sizes.begin(), sizes.end())))
    QVERIFY2(wrongAfter(one.program) == 0, (one.name + "\n" + core::print(one.program)).c_str());
}

void CollectivesTest::reshardsReachEverySharding_data() { meshesAndSizes(2); }

void CollectivesTest::reshardsReachEverySharding() {
  QFETCH(QString, mesh);
  QFETCH(QList<qint64>, sizes);
  const core::Mesh on = core::Mesh::of(mesh.toStdString());
  const std::vector<core::Sharding> all = movement::allShardings(2, on, true);
  for (const core::Sharding& from : all)
    for (const core::Sharding& to : all) {
      const core::Program program = movement::resharding(on, Sizes(sizes.begin(), sizes.end()), {from, {}}, {to, {}});
      QVERIFY2(wrongAfter(program) == 0, core::print(program).c_str());
    }
}

void CollectivesTest::redistributeReshapes() {
  const core::Mesh mesh = core::Mesh::of("a:2,b:2");
  const std::vector<Sizes> shapes{{16}, {2, 8}, {4, 4}, {2, 2, 4}, {2, 4, 2}};
  for (const Sizes& fromSizes : shapes)
    for (const Sizes& toSizes : shapes)
      for (const core::Sharding& from : movement::allShardings(fromSizes.size(), mesh, false))
        for (const core::Sharding& to : movement::allShardings(toSizes.size(), mesh, false)) {
          const core::Program program =
              movement::single(mesh, fromSizes, {from, {}}, toSizes, {to, {}}, {.kind = core::CollectiveKind::redistribute, .axes = movement::everyAxis(mesh)});
          QCOMPARE(wrongAfter(program), std::int64_t{0});
        }
}

void CollectivesTest::redistributeFetchesHalos() {
  for (const char* text : {"a:2", "a:3", "a:2,b:3"}) {
    const core::Mesh mesh = core::Mesh::of(text);
    for (std::int64_t reach : {1, 2, 4}) {
      core::Sharding rows = core::Sharding::replicated(2);
      rows.dims[0] = {0};
      const core::Placement halo{rows, {{.extent = 7, .factor = 1, .low = -reach, .high = 1}, {}}};
      for (const core::Placement& from : {core::Placement{rows, {}}, halo})
        QCOMPARE(wrongAfter(movement::single(mesh, {7, 3}, from, {7, 3}, halo, {.kind = core::CollectiveKind::redistribute, .axes = movement::everyAxis(mesh)})), std::int64_t{0});
    }
  }
}

void CollectivesTest::payloadIsThatOfTheCalls() {
  // 7 rows of 3 doubles over 2: blocks of 4 rows, padding included.
  const core::Mesh mesh = core::Mesh::of("a:2");
  core::Sharding rows = core::Sharding::replicated(2);
  rows.dims[0] = {0};
  const core::Program program =
      movement::single(mesh, {7, 3}, {rows, {}}, {7, 3}, {core::Sharding::replicated(2), {}}, {.kind = core::CollectiveKind::allGather, .axes = {0}, .concatDim = 0});
  LocalCluster cluster(program);
  cluster.step();
  QCOMPARE(cluster.counted(1).instructions[0].bytesIn, std::int64_t{4 * 3 * 8});
  QCOMPARE(cluster.counted(1).instructions[0].bytesOut, std::int64_t{2 * 4 * 3 * 8});
  QCOMPARE(cluster.counted(1).instructions[1].bytesIn, std::int64_t{0});
}

QTEST_GUILESS_MAIN(CollectivesTest)
#include "collectives_test.moc"
