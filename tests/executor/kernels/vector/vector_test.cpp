#include <QtTest>
#include <cmath>
#include <limits>
#include <vector>

#include "core/tdl/function.h"
#include "executor/kernels/vector/vector.h"

using namespace executor;
using core::Function;

class VectorTest : public QObject {
  Q_OBJECT

 private slots:
  void functionsAreExactToAFewUnits_data();
  void functionsAreExactToAFewUnits();
  void reductionsOfAnyLength();
};

namespace {

std::vector<float> arguments(float low, float high) {
  std::vector<float> all{0.0f, -0.0f, 1e-40f, 1e-20f, -1e-20f, 1.0f, std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(), std::nanf("")};
  for (int i = 0; i <= 20000; ++i) all.push_back(low + (high - low) * static_cast<float>(i) / 20000);
  return all;
}

double unitsApart(float found, double right) {
  const float nearest = static_cast<float>(right);
  if (std::isnan(found) && std::isnan(nearest)) return 0;
  if (found == nearest) return 0;
  if (!std::isfinite(found) || !std::isfinite(nearest)) return 1e9;
  const double unit = std::max(std::abs(std::nextafter(nearest, INFINITY) - nearest), std::numeric_limits<float>::min());
  return std::abs(found - right) / unit;
}

}  // namespace

void VectorTest::functionsAreExactToAFewUnits_data() {
  QTest::addColumn<int>("function");
  QTest::addColumn<float>("low");
  QTest::addColumn<float>("high");
  QTest::addColumn<double>("units");
  const auto row = [](Function function, float low, float high, double units) {
    QTest::addRow("%s", std::string(core::toString(function)).c_str()) << static_cast<int>(function) << low << high << units;
  };
  row(Function::exp, -110, 95, 2);
  row(Function::log, 1e-3f, 1e4f, 2);
  row(Function::tanh, -12, 12, 3);
  row(Function::erf, -5, 5, 3);
  row(Function::sqrt, 0, 1e6f, 1);
  row(Function::rsqrt, 1e-3f, 1e6f, 2);
  row(Function::sigmoid, -80, 80, 4);
  row(Function::relu, -3, 3, 0);
  row(Function::abs, -3, 3, 0);
  row(Function::square, -100, 100, 1);
}

void VectorTest::functionsAreExactToAFewUnits() {
  QFETCH(int, function);
  QFETCH(float, low);
  QFETCH(float, high);
  QFETCH(double, units);
  const std::vector<float> a = arguments(low, high);
  std::vector<float> out(a.size());
  const VectorCode* levels[3];
  const int count = vectorLevels(levels);
  for (int level = 0; level < count; ++level) {
    levels[level]->unaryF(static_cast<Function>(function))(a.data(), out.data(), static_cast<std::int64_t>(a.size()));
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double right = core::valueOf(static_cast<Function>(function), static_cast<double>(a[i]));
      QVERIFY2(unitsApart(out[i], right) <= units,
               qPrintable(QString("%1(%2) = %3, is %4").arg(levels[level]->level).arg(static_cast<double>(a[i]), 0, 'g', 9).arg(static_cast<double>(out[i]), 0, 'g', 9).arg(right, 0, 'g', 12)));
    }
  }
}

void VectorTest::reductionsOfAnyLength() {
  const VectorCode& code = vectorCode();
  for (std::int64_t columns : {0, 1, 5, 31, 32, 33, 100}) {
    std::vector<float> a;
    for (std::int64_t i = 0; i < 3 * columns; ++i) a.push_back(static_cast<float>(i * 7 % 11) - 5);
    std::vector<float> sums(3), tops(3);
    code.reduceRowsF(core::Reduction::sum, a.data(), sums.data(), 3, columns);
    code.reduceRowsF(core::Reduction::max, a.data(), tops.data(), 3, columns);
    for (std::int64_t r = 0; r < 3; ++r) {
      float sum = 0, top = -INFINITY;
      for (std::int64_t c = 0; c < columns; ++c) {
        sum += a[static_cast<std::size_t>(r * columns + c)];
        top = std::max(top, a[static_cast<std::size_t>(r * columns + c)]);
      }
      QCOMPARE(sums[static_cast<std::size_t>(r)], sum);
      QCOMPARE(tops[static_cast<std::size_t>(r)], top);
    }
  }
}

QTEST_GUILESS_MAIN(VectorTest)
#include "vector_test.moc"
