#include "core/spmd/index_sets.h"

#include <QtTest>
#include <random>

#include "core/spmd/redistribute.h"
#include "tests/core/cost/small_program.h"

using namespace core;
using namespace core::tests;

class IndexSetsTest : public QObject {
  Q_OBJECT

 private slots:
  void theExampleOfTheHeader();
  void unevenRowsMoveToTheirNewPlaces();
  void countsAreThoseOfThePlan_data();
  void countsAreThoseOfThePlan();
  void equalSignaturesMoveEqually();
  void whatIsSentIsReceived();
};

namespace {

std::vector<Placement> allPlacements(std::size_t rank, const Mesh& mesh) {
  std::vector<Placement> all{placed(std::vector<AxisList>(rank))};
  for (AxisId axis = 0; axis < mesh.axes.size(); ++axis) {
    std::vector<Placement> more = all;
    for (const Placement& one : all)
      for (std::size_t d = 0; d < rank; ++d)
        for (bool front : {false, true}) {
          if (front && one.sharding.dims[d].empty()) continue;
          Placement next = one;
          AxisList& axes = next.sharding.dims[d];
          if (!front) axes.push_back(axis);
          else {
            AxisList list{axis};
            for (AxisId other : axes) list.push_back(other);
            axes = list;
          }
          more.push_back(next);
        }
    all = std::move(more);
  }
  return all;
}

Buffer bufferOf(const Placement& placement, const std::vector<std::int64_t>& sizes) {
  Buffer buffer;
  buffer.name = "x";
  buffer.sizes = sizes;
  buffer.placement = placement;
  return buffer;
}

}  // namespace

void IndexSetsTest::theExampleOfTheHeader() {
  const Mesh mesh = Mesh::of("a:2,b:2");
  const std::vector<std::int64_t> sizes{8};
  const Moves moves(placed({{0}}), sizes, placed({{1}}), sizes, mesh);
  QCOMPARE(moves.at({0, 1}), (Moved{0, 4}));
  QCOMPARE(moves.at({0, 0}), (Moved{4, 0}));
  QCOMPARE(moves.at({1, 0}), (Moved{0, 4}));
}

// pytorch/pytorch#143372: [6,256] over 4 has 512, 512, 512, 0 elements, [1536] has 384 each
void IndexSetsTest::unevenRowsMoveToTheirNewPlaces() {
  const Mesh mesh = Mesh::of("m:4");
  const Moves moves(placed({{0}, {}}), std::vector<std::int64_t>{6, 256}, placed({{0}}), std::vector<std::int64_t>{1536}, mesh);
  QCOMPARE(moves.at({0}), (Moved{128, 0}));
  QCOMPARE(moves.at({1}), (Moved{256, 128}));
  QCOMPARE(moves.at({2}), (Moved{384, 256}));
  QCOMPARE(moves.at({3}), (Moved{0, 384}));
}

void IndexSetsTest::countsAreThoseOfThePlan_data() {
  QTest::addColumn<QString>("mesh");
  QTest::addColumn<QList<qint64>>("from");
  QTest::addColumn<QList<qint64>>("to");
  const QList<qint64> even{4, 8}, uneven{5, 3}, flat{15}, three{3, 5}, merged{32}, split{2, 2, 8}, ones{1, 32, 1};
  for (const char* mesh : {"a:2,b:2", "a:3", "a:2,b:3"}) {
    QTest::addRow("even, %s", mesh) << mesh << even << even;
    QTest::addRow("uneven, %s", mesh) << mesh << uneven << uneven;
    QTest::addRow("merge, %s", mesh) << mesh << even << merged;
    QTest::addRow("split a dimension, %s", mesh) << mesh << even << split;
    QTest::addRow("uneven merge, %s", mesh) << mesh << uneven << flat;
    QTest::addRow("uneven reshape, %s", mesh) << mesh << uneven << three;
    QTest::addRow("dimensions of one, %s", mesh) << mesh << even << ones;
  }
}

void IndexSetsTest::countsAreThoseOfThePlan() {
  QFETCH(QString, mesh);
  QFETCH(QList<qint64>, from);
  QFETCH(QList<qint64>, to);
  const Mesh devices = Mesh::of(mesh.toStdString());
  const std::vector<std::int64_t> in(from.begin(), from.end()), out(to.begin(), to.end());
  for (const Placement& first : allPlacements(in.size(), devices))
    for (const Placement& second : allPlacements(out.size(), devices)) {
      const Moves moves(first, in, second, out, devices);
      for (std::int64_t rank = 0; rank < devices.devices(); ++rank) {
        const RedistributePlan plan = planRedistribute(bufferOf(first, in), bufferOf(second, out), devices, rank);
        const Moved counted = moves.at(devices.coordinate(rank));
        QCOMPARE(counted.sent, plan.elementsSent());
        QCOMPARE(counted.received, plan.elementsReceived());
      }
    }
}

void IndexSetsTest::equalSignaturesMoveEqually() {
  const Mesh mesh = Mesh::of("a:4,b:3");
  std::vector<Placement> all = allPlacements(2, mesh);
  Placement halo = placed({{0}, {}});
  halo.windows = {Window{.extent = 7, .low = -1, .high = 1}, Window{}};
  all.push_back(halo);
  Placement partial = placed({{0}, {}});
  partial.sharding.partial.insert(1);
  all.push_back(partial);
  const std::vector<std::int64_t> sizes{7, 5};
  for (const Placement& from : all)
    for (const Placement& to : all) {
      if ((from.sharding.partial.bits & ~to.sharding.partial.bits) != 0) continue;
      const Moves moves(from, sizes, to, sizes, mesh);
      for (AxisId axis = 0; axis < 2; ++axis)
        for (std::int64_t other = 0; other < mesh.size(1 - axis); ++other)
          for (std::int64_t i = 1; i < mesh.size(axis); ++i) {
            if (moves.signature(axis, i) != moves.signature(axis, i - 1)) continue;
            Coordinate one(2), next(2);
            one[axis] = i - 1;
            next[axis] = i;
            one[1 - axis] = next[1 - axis] = other;
            QCOMPARE(moves.at(one), moves.at(next));
          }
    }
}

// Halos and new partial axes included: all that is sent is received, and the plan says the same.
void IndexSetsTest::whatIsSentIsReceived() {
  std::mt19937 random(7);
  const Mesh mesh = Mesh::of("a:3,b:2");
  const std::vector<std::int64_t> sizes{7, 4};
  const std::vector<Placement> plain = allPlacements(2, mesh);
  for (int i = 0; i < 400; ++i) {
    Placement from = plain[random() % plain.size()], to = plain[random() % plain.size()];
    for (Placement* one : {&from, &to})
      if (random() % 2 == 0)
        for (std::size_t d = 0; d < 2; ++d)
          one->windows.push_back(one->sharding.dims[d].empty() ? Window{} : Window{.extent = sizes[d], .low = -static_cast<std::int64_t>(random() % 3), .high = static_cast<std::int64_t>(random() % 3)});
    for (AxisId axis = 0; axis < 2; ++axis)
      if (!to.sharding.used().contains(axis) && random() % 3 == 0) to.sharding.partial.insert(axis);
    const Moves moves(from, sizes, to, sizes, mesh);
    std::int64_t sent = 0, received = 0;
    for (std::int64_t rank = 0; rank < mesh.devices(); ++rank) {
      const Moved moved = moves.at(mesh.coordinate(rank));
      const RedistributePlan plan = planRedistribute(bufferOf(from, sizes), bufferOf(to, sizes), mesh, rank);
      QCOMPARE(moved.sent, plan.elementsSent());
      QCOMPARE(moved.received, plan.elementsReceived());
      sent += moved.sent;
      received += moved.received;
    }
    QCOMPARE(sent, received);
  }
}

QTEST_GUILESS_MAIN(IndexSetsTest)
#include "index_sets_test.moc"
