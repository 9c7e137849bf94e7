#include "core/tdl/function.h"

#include <QtTest>
#include <cmath>
#include <limits>
#include <set>

#include "core/tdl/reduction.h"

using namespace core;

class FunctionTest : public QObject {
  Q_OBJECT
 private slots:
  void everyNameIsFoundAndUnique();
  void valuesAreThoseOfTheBooks();
  void valuesOfTwoNumbers();
  void greatNumbersDoNotOverflow();
  void nanPassesThrough();
  void comparisonAndLogicCostNothing();
  void identitiesChangeNothing();
};

void FunctionTest::everyNameIsFoundAndUnique() {
  std::set<std::string_view> names;
  for (const FunctionRow& row : allFunctions()) {
    QVERIFY(names.insert(row.name).second);
    QVERIFY(findFunction(row.name) == row.function);
  }
  QVERIFY(!findFunction("nonsense"));
}

void FunctionTest::valuesAreThoseOfTheBooks() {
  const auto near = [](double a, double b) { return std::abs(a - b) < 1e-12; };
  QVERIFY(near(valueOf(Function::gelu, 1), 0.8413447460685429));
  QVERIFY(near(valueOf(Function::geluTanh, 1), 0.8411919906082768));
  QVERIFY(near(valueOf(Function::silu, 1), 0.7310585786300049));
  QVERIFY(near(valueOf(Function::mish, 1), 0.8650983882673103));
  QVERIFY(near(valueOf(Function::softplus, 0), std::log(2)));
  QVERIFY(near(valueOf(Function::selu, -1), -1.1113307378125628));
  QVERIFY(near(valueOf(Function::elu, -1, 2), 2 * std::expm1(-1)));
  QVERIFY(near(valueOf(Function::leakyRelu, -3, 0.1), -0.3));
  QVERIFY(near(valueOf(Function::hardSigmoid, 1, 0.2), 0.7));
  QVERIFY(near(valueOf(Function::hardSwish, 1), 2.0 / 3));
  QCOMPARE(valueOf(Function::round, 2.5), 2.0);
  QCOMPARE(valueOf(Function::round, -1.5), -2.0);
  QCOMPARE(valueOf(Function::sign, -4), -1.0);
  QCOMPARE(valueOf(Function::logicalNot, 0), 1.0);
  QCOMPARE(rowOf(Function::leakyRelu).parameter.value(), 0.01);
}

void FunctionTest::valuesOfTwoNumbers() {
  QCOMPARE(valueOf2(Function::floorDivide, -7, 2), -4.0);
  QCOMPARE(valueOf2(Function::floorModulo, -7, 3), 2.0);
  QCOMPARE(valueOf2(Function::floorModulo, 7, -3), -2.0);
  QCOMPARE(valueOf2(Function::truncatedModulo, -7, 3), -1.0);
  QCOMPARE(valueOf2(Function::power, 2, 10), 1024.0);
  QCOMPARE(valueOf2(Function::logicalXor, 3, 0), 1.0);
  QCOMPARE(valueOf2(Function::lessEqual, 2, 2), 1.0);
}

void FunctionTest::greatNumbersDoNotOverflow() {
  QCOMPARE(valueOf(Function::sigmoid, -1000), 0.0);
  QCOMPARE(valueOf(Function::sigmoid, 1000), 1.0);
  QCOMPARE(valueOf(Function::softplus, 1000), 1000.0);
  QCOMPARE(valueOf(Function::mish, -1000), -0.0);
}

void FunctionTest::nanPassesThrough() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  QVERIFY(std::isnan(valueOf(Function::relu, nan)));
  QVERIFY(std::isnan(valueOf2(Function::maximum, nan, 1)) && std::isnan(valueOf2(Function::maximum, 1, nan)));
  QVERIFY(std::isnan(valueOf2(Function::minimum, nan, 1)) && std::isnan(valueOf2(Function::minimum, 1, nan)));
  QVERIFY(std::isnan(combine(Reduction::max, nan, 1)) && std::isnan(combine(Reduction::max, 1, nan)));
  QVERIFY(std::isnan(valueOf(Function::softplus, nan)));
}

void FunctionTest::comparisonAndLogicCostNothing() {
  QCOMPARE(flopsOf(Function::less), std::int64_t{0});
  QCOMPARE(flopsOf(Function::logicalNot), std::int64_t{0});
  QCOMPARE(flopsOf(Function::identity), std::int64_t{0});
  QCOMPARE(flopsOf(Function::gelu), std::int64_t{1});
  QCOMPARE(flopsOf(Function::multiply), std::int64_t{1});
}

void FunctionTest::identitiesChangeNothing() {
  for (Reduction reduction : {Reduction::sum, Reduction::product, Reduction::max, Reduction::min, Reduction::logicalAnd,
                              Reduction::logicalOr}) {
    QVERIFY(findReduction(toString(reduction)) == reduction);
    for (double value : {0.0, 1.0}) QCOMPARE(combine(reduction, identityOf(reduction), value), value);
  }
  QCOMPARE(combine(Reduction::max, identityOf(Reduction::max), -5.0), -5.0);
  QCOMPARE(combine(Reduction::product, 3, 4), 12.0);
}

QTEST_GUILESS_MAIN(FunctionTest)
#include "function_test.moc"
