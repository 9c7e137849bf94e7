#include "core/cost/collective_time.h"

#include <QtTest>

#include "tests/core/cost/small_program.h"

using namespace core;
using namespace core::tests;

class CollectiveTimeTest : public QObject {
  Q_OBJECT

 private slots:
  void ranksFillTheLevelsInOrder();
  void groupsThatDoNotFitAUnitCrossIt();
  void neighboursFarApartOnARingShareItsLinks();
  void aTorusHasARingForEveryAxis();
  void wireBytesAreTheUsualOnes();
  void unevenChunksAreWholeElements();
  void severalAxesReduceWhatIsLeft();
  void secondsFollowAlphaAndBeta();
  void theFastestLinkComesFirst();
  void allToAllOnARingIsBoundByItsMiddle();
  void sizesBeyond32BitsDoNotWrap();
};

void CollectiveTimeTest::ranksFillTheLevelsInOrder() {
  const Machine machine = roundMachine();
  const Mesh mesh = Mesh::of("data:4,model:4");
  QCOMPARE(linkOf(1, mesh, machine).bandwidth, 1e9);  // ranks 0..3
  QCOMPARE(linkOf(0, mesh, machine).bandwidth, 1e8);  // ranks 0, 4, 8, 12
  QCOMPARE(linkOf(0, mesh, machine).latency, 1e-5);
  QCOMPARE(linkOf(1, Mesh::of("data:2,model:2"), machine).bandwidth, 1e9);
  QCOMPARE(linkOf(0, Mesh::of("data:2,model:2"), machine).bandwidth, 1e9);  // four ranks are one unit
  QCOMPARE(linkOf(0, Mesh::of("data:2,model:8"), machine).bandwidth, 1e8);
  QCOMPARE(linkOf(1, Mesh::of("data:2,model:8"), machine).bandwidth, 1e8);
}

void CollectiveTimeTest::groupsThatDoNotFitAUnitCrossIt() {
  const Machine machine = roundMachine();
  QCOMPARE(linkOf(1, Mesh::of("data:2,model:3"), machine).bandwidth, 1e8);  // ranks 3, 4, 5 lie in two units of four
  QCOMPARE(linkOf(0, Mesh::of("model:3"), machine).bandwidth, 1e9);
}

void CollectiveTimeTest::neighboursFarApartOnARingShareItsLinks() {
  Machine machine = roundMachine();
  machine.levels = {{.name = "ring", .devices = 8, .topology = Topology::ring, .bandwidth = {1e9, "test"}, .latency = {1e-6, "test"}}};
  const Mesh mesh = Mesh::of("data:4,model:2");
  QCOMPARE(linkOf(0, mesh, machine).bandwidth, 2 * 1e9 / 2);               // closes the ring, two apart
  QCOMPARE(linkOf(1, mesh, machine).bandwidth, 1e9);                       // a pair
  QCOMPARE(linkOf(0, Mesh::of("model:8"), machine).bandwidth, 2e9);        // the ring itself, both directions
  QCOMPARE(linkOf(1, Mesh::of("data:2,model:4"), machine).bandwidth, 1e9); // a line of four: one direction at a time
}

void CollectiveTimeTest::aTorusHasARingForEveryAxis() {
  Machine machine = roundMachine();
  machine.levels = {{.name = "torus", .devices = 64, .topology = Topology::torus, .bandwidth = {1e9, "test"}, .latency = {1e-6, "test"}}};
  const Mesh mesh = Mesh::of("data:8,model:8");
  QCOMPARE(linkOf(0, mesh, machine).bandwidth, 2e9);
  QCOMPARE(linkOf(1, mesh, machine).bandwidth, 2e9);
}

// design 5: bytes a device sends, B = its local bytes, n = 4
void CollectiveTimeTest::wireBytesAreTheUsualOnes() {
  const Mesh mesh = Mesh::of("m:4");
  const auto sent = [&](CollectiveKind kind, std::int64_t bytes) { return wireBytes({.kind = kind, .axes = {0}, .bytes = bytes, .elementBytes = 4}, mesh); };
  QCOMPARE(sent(CollectiveKind::allGather, 400), 3 * 400);            // (n-1)·B
  QCOMPARE(sent(CollectiveKind::allToAll, 100), 3 * 100);             // (n-1)/n·B, B = 4 chunks of 100
  QCOMPARE(sent(CollectiveKind::allReduce, 400), 2 * 3 * 100);        // 2(n-1)/n·B
  QCOMPARE(sent(CollectiveKind::reduceScatter, 100), 3 * 100);        // (n-1)/n·B, B = 4 results of 100
  QCOMPARE(sent(CollectiveKind::collectivePermute, 400), 400);
  QCOMPARE(wireBytes({.kind = CollectiveKind::allReduce, .axes = {0}, .bytes = 400, .elementBytes = 4}, Mesh::of("m:1")), 0);
}

void CollectiveTimeTest::unevenChunksAreWholeElements() {
  const Message message{.kind = CollectiveKind::allReduce, .axes = {0}, .bytes = 40, .elementBytes = 4};
  QCOMPARE(wireBytes(message, Mesh::of("m:4")), 2 * 3 * 3 * 4);  // ten elements: chunks of three
}

void CollectiveTimeTest::severalAxesReduceWhatIsLeft() {
  const Message message{.kind = CollectiveKind::allReduce, .axes = {0, 1}, .bytes = 3200, .elementBytes = 4};
  // scatter along the first: 3 of 4 quarters; along the second 1 of 2 halves of a quarter; and back
  QCOMPARE(wireBytes(message, Mesh::of("a:4,b:2")), 2 * (3 * 800 + 400));
}

void CollectiveTimeTest::secondsFollowAlphaAndBeta() {
  const Machine machine = roundMachine();
  const Mesh mesh = Mesh::of("data:4,model:4");
  const auto close = [](double a, double b) { return std::abs(a - b) < 1e-12; };
  const Message inner{.kind = CollectiveKind::allReduce, .axes = {1}, .bytes = 4'000'000, .elementBytes = 4};
  QVERIFY(close(collectiveSeconds(inner, mesh, machine), 2 * (2e-6 + 3e6 / 1e9)));  // 2 messages of log2(4), 3 MB, twice
  const Message gather{.kind = CollectiveKind::allGather, .axes = {0}, .bytes = 1'000'000, .elementBytes = 4};
  QVERIFY(close(collectiveSeconds(gather, mesh, machine), 2e-5 + 3e6 / 1e8));
  QCOMPARE(collectiveSeconds(inner, Mesh::of("data:4,model:1"), machine), 0.0);
}

void CollectiveTimeTest::theFastestLinkComesFirst() {
  const Machine machine = roundMachine();
  const Mesh mesh = Mesh::of("data:4,model:4");
  const AxisList expected{1, 0};
  QVERIFY(fastestFirst({0, 1}, mesh, machine) == expected);
  const Message both{.kind = CollectiveKind::allReduce, .axes = {0, 1}, .bytes = 16'000'000, .elementBytes = 4};
  // 12 MB inside, a quarter is left: 3 MB between units; twice
  const double expectedSeconds = 2 * (2e-6 + 12e6 / 1e9 + 2e-5 + 3e6 / 1e8);
  QVERIFY(std::abs(collectiveSeconds(both, mesh, machine) - expectedSeconds) < 1e-12);
}

void CollectiveTimeTest::allToAllOnARingIsBoundByItsMiddle() {
  Machine machine = roundMachine();
  machine.levels = {{.name = "ring", .devices = 8, .topology = Topology::ring, .bandwidth = {1e9, "test"}, .latency = {0, "test"}}};
  const Message message{.kind = CollectiveKind::allToAll, .axes = {0}, .bytes = 1000, .elementBytes = 4};
  // n·n/8 chunks over each directed link: 8 chunks of 1,000 bytes
  QVERIFY(std::abs(collectiveSeconds(message, Mesh::of("m:8"), machine) - 8000 / 1e9) < 1e-15);
}

// open-mpi/ompi#9616 and its kin: W[65536,65536] f32 is 17,179,869,184 bytes
void CollectiveTimeTest::sizesBeyond32BitsDoNotWrap() {
  const std::int64_t bytes = 17'179'869'184;
  QCOMPARE(wireBytes({.kind = CollectiveKind::allReduce, .axes = {0}, .bytes = bytes, .elementBytes = 4}, Mesh::of("m:4")), bytes / 4 * 6);
  const Message huge{.kind = CollectiveKind::allGather, .axes = {0}, .bytes = std::int64_t{1} << 61, .elementBytes = 4};
  QVERIFY_EXCEPTION_THROWN(wireBytes(huge, Mesh::of("m:16")), Error);
}

QTEST_GUILESS_MAIN(CollectiveTimeTest)
#include "collective_time_test.moc"
