#include "core/tdl/flops.h"

#include <QtTest>

#include "tests/support/expressions.h"

using namespace core;
using tests::express;

namespace {

std::int64_t flopsOfWhole(const Expression& expression) {
  std::vector<std::int64_t> extents;
  for (const Loop& loop : expression.loops) extents.push_back(loop.extent);
  return flops(expression, extents);
}

}  // namespace

class FlopsTest : public QObject {
  Q_OBJECT
 private slots:
  void countsWhatIsDone_data();
  void countsWhatIsDone();
  void countsThePartThatRuns();
  void doesNotWrap();
};

void FlopsTest::countsWhatIsDone_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<qint64>("count");
  QTest::newRow("matmul") << "y[i,j] = sum(k) a[i,k] * b[k,j]" << qint64{2 * 4 * 2 * 3};
  QTest::newRow("sum") << "y[i] = sum(k) a[i,k]" << qint64{6};
  QTest::newRow("copy") << "y[i,k] = a[i,k]" << qint64{0};
  QTest::newRow("function") << "y[i,k] = gelu(a[i,k])" << qint64{6};
  QTest::newRow("select") << "y[i,k] = select(a[i,k] < 0, 0, 2 * a[i,k])" << qint64{6};
  QTest::newRow("cast and logic") << "y[i,k] = f64(not(a[i,k] == 1 && a[i,k] < 2))" << qint64{0};
  QTest::newRow("lookup") << "y[k] = a[b[k,0], k]" << qint64{0};
  QTest::newRow("lookup of a sum") << "y[k] = a[b[k,0] + 1, k]" << qint64{3};
  QTest::newRow("scatter adds each update once") << "y[v:9,k] = sum(m) select(c[m] == v, a[m,k], 0)" << qint64{2 * 3};
  QTest::newRow("a label's column") << "y[m] = sum(k) select(c[m] == k, a[m,k], 0)" << qint64{2};
  QTest::newRow("two outputs") << "y[i], z = sum(k) a[i,k], sum(k,n) b[k,n]" << qint64{6 + 12};
}

void FlopsTest::countsWhatIsDone() {
  QFETCH(QString, text);
  QFETCH(qint64, count);
  QCOMPARE(flopsOfWhole(express(text.toStdString(), {{"a", {"m", "k"}, {2, 3}}, {"b", {"k", "n"}, {3, 4}}, {"c", {"m"}, {2}}})),
           std::int64_t{count});
}

void FlopsTest::countsThePartThatRuns() {
  const Expression matmul =
      express("y[i,j] = sum(k) a[i,k] * b[k,j]", {{"a", {"m", "k"}, {2, 3}}, {"b", {"k", "n"}, {3, 4}}});
  QCOMPARE(flops(matmul, std::vector<std::int64_t>{1, 4, 2}), std::int64_t{16});
  QCOMPARE(flops(matmul, std::vector<std::int64_t>{1, 4, 0}), std::int64_t{0});
}

void FlopsTest::doesNotWrap() {
  const Expression made = express("y[i:4000000000000,j:4000000000000] = i + j", std::vector<BoundOperand>{});
  QCOMPARE(flopsOfWhole(made), INT64_MAX);
}

QTEST_GUILESS_MAIN(FlopsTest)
#include "flops_test.moc"
