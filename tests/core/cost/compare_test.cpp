#include "core/cost/compare.h"

#include <QtTest>

#include "tests/core/cost/small_program.h"

using namespace core;
using namespace core::tests;

class CompareTest : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void equalCountsAreExact();
  void aByteMoreIsTold();
  void aFlopLessIsTold();
  void aWrongPeakIsTold();
  void whatWasNotCountedIsTold();
  void whatTheProgramLacksIsTold();
  void missingAndForeignRanksAreTold();
  void secondsNeverCount();

 private:
  // What an executor that does as it is told counts in three steps.
  Counted faithful() const;

  Program program_;
};

void CompareTest::init() {
  ProgramBuilder build("data:2");
  const BufferId x = build.buffer("x", {5, 3}, placed({{0}, {}}), MemoryClass::inputs, true), w = build.buffer("w", {3, 4}, placed({{}, {}}), MemoryClass::parameters, true);
  const BufferId y = build.buffer("y", {5, 4}, placed({{0}, {}})), whole = build.buffer("y whole", {5, 4}, placed({{}, {}}), MemoryClass::communication);
  build.compute("matmul", build.matmul(5, 4, 3), {{0}, {}, {}}, {x, w}, {y});
  build.collective("gather", CollectiveKind::allGather, {0}, {y}, {whole}, -1, 0);
  build.free({y});
  program_ = build.program;
}

Counted CompareTest::faithful() const {
  Counted counted;
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    const std::int64_t rows = rank == 0 ? 3 : 2;
    CountedRank one{.rank = rank};
    one.instructions = {{.name = "matmul", .times = 3, .flops = 3 * rows * 4 * 6, .seconds = 0.3},
                        {.name = "gather", .times = 3, .bytesIn = 3 * 48, .bytesOut = 3 * 96, .seconds = 0.6},
                        {.name = "gather (wait)", .times = 3}};
    one.peak = MemoryAt{};
    one.peak->bytes[static_cast<std::size_t>(MemoryClass::inputs)] = 36;
    one.peak->bytes[static_cast<std::size_t>(MemoryClass::parameters)] = 48;
    one.peak->bytes[static_cast<std::size_t>(MemoryClass::activations)] = 48;
    one.peak->bytes[static_cast<std::size_t>(MemoryClass::communication)] = 80;
    one.runtimeBytes = 12345;
    counted.ranks.push_back(one);
  }
  return counted;
}

void CompareTest::equalCountsAreExact() {
  const Comparison found = compare(program_, nullptr, faithful());
  QVERIFY2(found.exact, found.differences.empty() ? "" : found.differences.front().c_str());
  QCOMPARE(found.instructions.size(), 6u);
  QCOMPARE(found.ranks.size(), 2u);
  QCOMPARE(found.ranks[0].predicted.flops, 3 * 72);
  QCOMPARE(found.ranks[1].counted.flops, 3 * 48);
  QCOMPARE(found.ranks[0].runtimeBytes, 12345);
  QCOMPARE(found.ranks[0].measuredComputeSeconds, 0.1);
  QCOMPARE(found.ranks[0].measuredCommunicationSeconds, 0.2);
}

void CompareTest::aByteMoreIsTold() {
  Counted counted = faithful();
  ++counted.ranks[1].instructions[1].bytesOut;
  const Comparison found = compare(program_, nullptr, counted);
  QVERIFY(!found.exact);
  QVERIFY(found.ranks[0].exact && !found.ranks[1].exact);
  QCOMPARE(found.differences, std::vector<std::string>{"gather, rank 1: predicted 288 bytes out, counted 289"});
}

void CompareTest::aFlopLessIsTold() {
  Counted counted = faithful();
  --counted.ranks[0].instructions[0].flops;
  QCOMPARE(compare(program_, nullptr, counted).differences, std::vector<std::string>{"matmul, rank 0: predicted 216 flops, counted 215"});
}

void CompareTest::aWrongPeakIsTold() {
  Counted counted = faithful();
  counted.ranks[0].peak->bytes[static_cast<std::size_t>(MemoryClass::activations)] += 4;
  QCOMPARE(compare(program_, nullptr, counted).differences.size(), 1u);
  counted.ranks[0].peak.reset();
  QVERIFY(!compare(program_, nullptr, counted).exact);
}

void CompareTest::whatWasNotCountedIsTold() {
  Counted counted = faithful();
  counted.ranks[0].instructions.erase(counted.ranks[0].instructions.begin());
  const Comparison found = compare(program_, nullptr, counted);
  QVERIFY(!found.exact);
  QCOMPARE(found.differences.front(), std::string("matmul, rank 0: the program has it, but it was never counted"));
}

void CompareTest::whatTheProgramLacksIsTold() {
  Counted counted = faithful();
  counted.ranks[0].instructions.push_back({.name = "stray", .times = 3});
  const Comparison found = compare(program_, nullptr, counted);
  QVERIFY(!found.exact);
  QVERIFY(found.differences.front().find("stray") != std::string::npos);
}

void CompareTest::missingAndForeignRanksAreTold() {
  Counted counted = faithful();
  counted.ranks.pop_back();
  QVERIFY(!compare(program_, nullptr, counted).exact);
  counted = faithful();
  counted.ranks[1].rank = 7;
  QVERIFY(!compare(program_, nullptr, counted).exact);
  counted = faithful();
  counted.ranks.push_back(counted.ranks[0]);
  QVERIFY(!compare(program_, nullptr, counted).exact);
  QVERIFY(!compare(program_, nullptr, {}).exact);
}

void CompareTest::secondsNeverCount() {
  const Machine machine = roundMachine();
  Counted counted = faithful();
  counted.ranks[0].instructions[0].seconds = 1e9;
  const Comparison found = compare(program_, &machine, counted);
  QVERIFY(found.exact);
  QVERIFY(found.predictedStepSeconds.has_value());
  QVERIFY(*found.instructions[0].predictedSeconds > 0);
}

QTEST_GUILESS_MAIN(CompareTest)
#include "compare_test.moc"
