#include "core/base/units.h"

#include <QtTest>

using namespace core;

class UnitsTest : public QObject {
  Q_OBJECT
 private slots:
  void bytes();
  void seconds();
  void counts();
};

void UnitsTest::bytes() {
  QCOMPARE(bytesText(0), "0 B");
  QCOMPARE(bytesText(512), "512 B");
  QCOMPARE(bytesText(1024), "1 KiB");
  QCOMPARE(bytesText(1536), "1.5 KiB");
  QCOMPARE(bytesText(14'602'888'806), "13.6 GiB");
  QCOMPARE(bytesText(-1536), "-1.5 KiB");
  QCOMPARE(bytesText((std::int64_t{1} << 20) - 1), "1 MiB");  // not "1024 KiB"
  QCOMPARE(bytesText(INT64_MAX), "8 EiB");
}

void UnitsTest::seconds() {
  QCOMPARE(secondsText(0), "0 ns");
  QCOMPARE(secondsText(0.0384), "38.4 ms");
  QCOMPARE(secondsText(2.5e-6), "2.5 µs");
  QCOMPARE(secondsText(1.25), "1.25 s");
  QCOMPARE(secondsText(119.2), "119 s");
  QCOMPARE(secondsText(125), "2 min 5 s");
  QCOMPARE(secondsText(12'000), "3 h 20 min");
}

void UnitsTest::counts() {
  QCOMPARE(countText(0), "0");
  QCOMPARE(countText(999), "999");
  QCOMPARE(countText(124'439'808), "124,439,808");
  QCOMPARE(countText(-1234), "-1,234");
  QCOMPARE(shortCount(950), "950");
  QCOMPARE(shortCount(124'439'808), "124 M");
  QCOMPARE(flopsText(3.2e9), "3.2 Gflop");
  QCOMPARE(rateText(4.5e9), "4.5 GB/s");
  QCOMPARE(percentText(0.125), "12.5 %");
}

QTEST_GUILESS_MAIN(UnitsTest)
#include "units_test.moc"
