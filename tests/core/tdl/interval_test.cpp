#include "core/tdl/interval.h"

#include <QtTest>
#include <set>

#include "tests/support/expressions.h"

using namespace core;
using tests::express;

namespace {

// Every index that the loops reach, one by one.
std::set<std::int64_t> reached(const AxisIndex& index, const std::vector<Range>& loops) {
  std::set<std::int64_t> sums{index.offset};
  for (std::size_t loop = 0; loop < loops.size(); ++loop) {
    std::int64_t factor = 0;
    bool stands = false;
    for (const LoopTerm& term : index.terms)
      if (term.loop == static_cast<int>(loop)) factor += term.factor, stands = true;
    if (!stands) continue;
    std::set<std::int64_t> next;
    for (std::int64_t sum : sums)
      for (std::int64_t i = loops[loop].start; i < loops[loop].end(); ++i) next.insert(sum + factor * i);
    sums = std::move(next);
  }
  std::set<std::int64_t> found;
  for (std::int64_t sum : sums) {
    std::int64_t quotient = sum;
    while (quotient % index.divide != 0) --quotient;
    quotient /= index.divide;
    if (index.modulo != 0) {
      while (quotient < 0) quotient += index.modulo;
      quotient %= index.modulo;
    }
    found.insert(quotient);
  }
  return found;
}

AxisIndex randomIndex(tests::Random& random) {
  AxisIndex index{.offset = random.integer(-9, 9),
                  .divide = random.chance(0.5) ? random.integer(2, 5) : 1,
                  .modulo = random.chance(0.5) ? random.integer(1, 7) : 0};
  for (std::int64_t i = random.integer(0, 4); i > 0; --i)
    index.terms.push_back({static_cast<int>(random.integer(0, 2)), random.integer(-4, 4)});
  return index;
}

}  // namespace

class IntervalTest : public QObject {
  Q_OBJECT
 private slots:
  void holdsWhatIsReadAndNoMore();
  void theExamplesOfTheHeader();
  void cutsToTheOperandAndJoinsAllReads();
  void greatFactorsDoNotOverflow();
};

void IntervalTest::holdsWhatIsReadAndNoMore() {
  tests::Random random("interval");
  int exact = 0;
  for (int round = 0; round < 20'000; ++round) {
    const AxisIndex index = randomIndex(random);
    std::vector<Range> loops;
    for (int i = 0; i < 3; ++i) loops.push_back({random.integer(0, 5), random.integer(0, 4)});
    const std::set<std::int64_t> truth = reached(index, loops);
    const Interval found = indexInterval(index, loops, 100);
    QCOMPARE(found.empty(), truth.empty());
    if (truth.empty()) continue;
    QVERIFY(found.low <= *truth.begin() && found.high >= *truth.rbegin());
    const bool tight = found == Interval{*truth.begin(), *truth.rbegin()};
    exact += tight;
    if (index.modulo == 0)
      QVERIFY(tight);
    else
      QVERIFY(tight || found == (Interval{0, index.modulo - 1}));
  }
  QVERIFY(exact > 10'000);
}

void IntervalTest::theExamplesOfTheHeader() {
  const auto of = [](const AxisIndex& index, std::vector<Range> loops) { return indexInterval(index, loops, 99); };
  QCOMPARE(of({.terms = {{0, 2}, {1, 1}}}, {{0, 4}, {0, 3}}), (Interval{0, 8}));
  QCOMPARE(of({.terms = {{0, 4}, {1, 1}}}, {{2, 2}, {0, 4}}), (Interval{8, 15}));
  QCOMPARE(of({.terms = {{0, 1}}, .divide = 4}, {{4, 8}}), (Interval{1, 2}));
  QCOMPARE(of({.terms = {{0, 1}}, .modulo = 4}, {{4, 8}}), (Interval{0, 3}));
  QCOMPARE(of({.terms = {{0, 1}}, .modulo = 4}, {{5, 2}}), (Interval{1, 2}));
  QCOMPARE(of({.kind = AxisIndex::Kind::lookup, .loop = 0}, {{3, 2}}), (Interval{3, 4}));
  QCOMPARE(of({.kind = AxisIndex::Kind::whole}, {{3, 2}}), (Interval{0, 98}));
}

void IntervalTest::cutsToTheOperandAndJoinsAllReads() {
  const Expression made =
      express("y[i:10] = (x[i-1] else 0) + (x[i+1] else 0) + w[0]", {{"x", {"d"}, {10}}, {"w", {"e"}, {4}}});
  const std::vector<Range> first{{0, 4}}, last{{7, 3}};
  const std::vector<std::int64_t> sizes{10}, four{4};
  QCOMPARE(operandIntervals(made, 0, sizes, first)[0], (Interval{0, 4}));
  QCOMPARE(operandIntervals(made, 0, sizes, last)[0], (Interval{6, 9}));
  QCOMPARE(operandIntervals(made, 1, four, first)[0], (Interval{0, 0}));
}

void IntervalTest::greatFactorsDoNotOverflow() {
  const std::int64_t huge = std::int64_t{1} << 62;
  const Interval found = indexInterval({.terms = {{0, huge}, {1, huge}}}, std::vector<Range>{{0, 4}, {0, 4}}, 10);
  QCOMPARE(found, (Interval{0, INT64_MAX}));
}

QTEST_GUILESS_MAIN(IntervalTest)
#include "interval_test.moc"
