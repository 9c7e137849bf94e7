#include "core/tdl/print.h"

#include <QtTest>

#include "core/base/error.h"
#include "core/tdl/evaluate.h"
#include "tests/support/expressions.h"

using namespace core;
using tests::express;

class PrintTest : public QObject {
  Q_OBJECT
 private slots:
  void writesTheShortForm();
  void whatIsPrintedParsesBackToTheSame();
};

void PrintTest::writesTheShortForm() {
  const auto same = [](const char* text, Bindings bindings) {
    QCOMPARE(print(express(text, std::move(bindings))), text);
  };
  const BoundOperand a{"a", {"m", "k"}, {2, 3}}, b{"b", {"k", "n"}, {3, 4}}, x{"x", {"d"}, {12}};
  same("y[i,j] = sum(k) a[i,k] * b[k,j]", {.operands = {a, b}});
  same("y[i] = (sum(k) a[i,k]) * 2", {.operands = {a}});
  same("y[a,b] = x[4*a+b]", {.operands = {x}, .extents = {{"a", 3}, {"b", 4}}});
  same("y[d] = a[d / 3,d % 3]", {.operands = {a}, .extents = {{"d", 6}}});
  same("y[i] = (x[2*i-3] else -inf)", {.operands = {x}, .extents = {{"i", 9}}});
  same("m[i,j] = select(j <= i, 0, -inf)", {.extents = {{"i", 3}, {"j", 3}}});
  same("y[d] = -(x[d] - (1 - x[d])) / elu(x[d], 0.5)", {.operands = {x}});
  same("y[d] = select(uniform(\"drop/0\", d) < 0.1, 0, f32(x[d]))", {.operands = {x}});
  QCOMPARE(print(express("y[*b] = a[*b]", {a}), true), "y[m:2,k:3] = a[m,k]");
  QCOMPARE(print(express("v[b,k:2], i[b,k] = opaque(a[b,:])", {a})), "v[b,k], i[b,k] = opaque(a[b,:])");
}

void PrintTest::whatIsPrintedParsesBackToTheSame() {
  tests::Random random("print");
  for (int i = 0; i < 3000; ++i) {
    const tests::RandomExpression made = tests::randomExpression(random);
    const Expression expected = canonical(made.expression);
    const std::string text = print(made.expression, true);
    Bindings bindings{.operands = made.operands};
    for (const ExpressionOutput& output : expected.outputs) bindings.dtypes.push_back(output.dtype);
    try {
      const Expression found = canonical(express(text, bindings));
      QVERIFY2(found == expected, (text + "\n" + print(found, true)).c_str());
      QCOMPARE(print(found, true), print(expected, true));
    } catch (const Error& error) {
      QFAIL((text + "\n" + error.text()).c_str());
    }
  }
}

QTEST_GUILESS_MAIN(PrintTest)
#include "print_test.moc"
