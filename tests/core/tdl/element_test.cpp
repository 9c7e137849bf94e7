#include "core/tdl/element.h"

#include <QtTest>
#include <cmath>
#include <limits>

using namespace core;

class ElementTest : public QObject {
  Q_OBJECT
 private slots:
  void floatsAreRoundedToTheNearest();
  void everyHalfComesBack();
  void integersAreCutAndKeptInRange();
};

void ElementTest::floatsAreRoundedToTheNearest() {
  QCOMPARE(roundTo(DType::f32, 0.1), static_cast<double>(0.1f));
  QCOMPARE(roundTo(DType::f64, 0.1), 0.1);
  QCOMPARE(roundTo(DType::bf16, 1 + 0x1p-8), 1.0);  // a tie goes to even
  QCOMPARE(roundTo(DType::bf16, 1 + 3 * 0x1p-8), 1 + 0x1p-6);
  QCOMPARE(roundTo(DType::bf16, 1 + 0x1p-8 + 0x1p-40), 1 + 0x1p-7);  // not rounded twice
  QCOMPARE(roundTo(DType::bf16, 3.5e38), std::numeric_limits<double>::infinity());
  QCOMPARE(roundTo(DType::f16, 65519.0), 65504.0);
  QCOMPARE(roundTo(DType::f16, 65520.0), std::numeric_limits<double>::infinity());
  QCOMPARE(roundTo(DType::f16, 0x1p-24), 0x1p-24);
  QCOMPARE(roundTo(DType::f16, 1 + 0x1p-11), 1.0);
  QCOMPARE(roundTo(DType::f16, -2047.9999), -2048.0);
  for (DType dtype : {DType::f32, DType::bf16, DType::f16}) {
    QVERIFY(std::isnan(roundTo(dtype, std::numeric_limits<double>::quiet_NaN())));
    QVERIFY(std::isinf(roundTo(dtype, -std::numeric_limits<double>::infinity())));
    QVERIFY(std::signbit(roundTo(dtype, -0.0)));
  }
}

void ElementTest::everyHalfComesBack() {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    std::uint16_t half = static_cast<std::uint16_t>(bits), again = 0;
    const double value = loadElement(&half, 0, DType::f16);
    if (std::isnan(value)) continue;
    storeElement(&again, 0, DType::f16, value);
    QCOMPARE(again, half);
    const double brain = loadElement(&half, 0, DType::bf16);
    if (std::isnan(brain)) continue;
    storeElement(&again, 0, DType::bf16, brain);
    QCOMPARE(again, half);
  }
}

void ElementTest::integersAreCutAndKeptInRange() {
  QCOMPARE(roundTo(DType::i32, -2.9), -2.0);
  QCOMPARE(roundTo(DType::i32, 1e30), 2147483647.0);
  QCOMPARE(roundTo(DType::i32, -1e30), -2147483648.0);
  QCOMPARE(roundTo(DType::i64, 1e30), 9223372036854775807.0);
  QCOMPARE(roundTo(DType::i64, 9007199254740992.0), 9007199254740992.0);
  QCOMPARE(roundTo(DType::i64, std::numeric_limits<double>::quiet_NaN()), 0.0);
  QCOMPARE(roundTo(DType::boolean, -0.5), 1.0);
  QCOMPARE(roundTo(DType::boolean, 0), 0.0);
}

QTEST_GUILESS_MAIN(ElementTest)
#include "element_test.moc"
