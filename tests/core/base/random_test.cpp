#include "core/base/random.h"

#include <QtTest>
#include <cmath>

using namespace core;

class RandomTest : public QObject {
  Q_OBJECT
 private slots:
  void philoxGivesTheAnswersOfItsAuthors();
  void uniformNumbersLieInTheUnitIntervalEvenly();
  void normalNumbersHaveMeanZeroAndDeviationOne();
  void integersStayBelowTheirBound();
  void everyPartOfTheKeyMatters();
};

// The file kat_vectors of Random123: counter, key, answer.
void RandomTest::philoxGivesTheAnswersOfItsAuthors() {
  QVERIFY((philox({0, 0, 0, 0}, {0, 0}) == PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr std::uint32_t ones = 0xffffffff;
  QVERIFY(
      (philox({ones, ones, ones, ones}, {ones, ones}) == PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  QVERIFY((philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
           PhiloxBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

void RandomTest::uniformNumbersLieInTheUnitIntervalEvenly() {
  const RandomKey key = randomKey(7, "dropout/0");
  constexpr int count = 100'000;
  double sum = 0;
  std::array<int, 10> bins{};
  for (int i = 0; i < count; ++i) {
    const double one = uniformAt(key, static_cast<std::uint64_t>(i));
    QVERIFY(one >= 0 && one < 1);
    QCOMPARE(static_cast<double>(static_cast<float>(one)), one);
    sum += one;
    ++bins[static_cast<std::size_t>(one * 10)];
  }
  QVERIFY(std::abs(sum / count - 0.5) < 5e-3);
  for (int bin : bins) QVERIFY(std::abs(bin - count / 10) < 500);  // five standard deviations
}

void RandomTest::normalNumbersHaveMeanZeroAndDeviationOne() {
  const RandomKey key = randomKey(0, "h.0.mlp.c_fc.weight");
  constexpr int count = 100'000;
  double sum = 0, squares = 0, fourth = 0;
  for (int i = 0; i < count; ++i) {
    const double one = normalAt(key, static_cast<std::uint64_t>(i));
    QVERIFY(std::isfinite(one));
    sum += one;
    squares += one * one;
    fourth += one * one * one * one;
  }
  QVERIFY(std::abs(sum / count) < 0.015);
  QVERIFY(std::abs(squares / count - 1) < 0.02);
  QVERIFY(std::abs(fourth / count - 3) < 0.15);
}

void RandomTest::integersStayBelowTheirBound() {
  const RandomKey key = randomKey(3, "labels");
  std::array<int, 7> seen{};
  for (std::uint64_t i = 0; i < 7000; ++i) {
    const std::uint64_t one = integerAt(key, i, 7);
    QVERIFY(one < 7);
    ++seen[one];
  }
  for (int count : seen) QVERIFY(std::abs(count - 1000) < 150);
}

void RandomTest::everyPartOfTheKeyMatters() {
  const RandomKey key = randomKey(1, "a", 2, 3);
  const PhiloxBlock words = wordsAt(key, 5);
  QVERIFY(wordsAt(randomKey(2, "a", 2, 3), 5) != words);
  QVERIFY(wordsAt(randomKey(1, "b", 2, 3), 5) != words);
  QVERIFY(wordsAt(randomKey(1, "a", 3, 3), 5) != words);
  QVERIFY(wordsAt(randomKey(1, "a", 2, 4), 5) != words);
  QVERIFY(wordsAt(key, 6) != words);
  QVERIFY(wordsAt(key, 5 + (std::uint64_t{1} << 32)) != words);
  QVERIFY(wordsAt(randomKey(1, "a", 2, 3), 5) == words);
}

QTEST_GUILESS_MAIN(RandomTest)
#include "random_test.moc"
