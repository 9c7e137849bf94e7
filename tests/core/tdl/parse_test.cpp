#include "core/tdl/parse.h"

#include <QtTest>

#include "core/base/error.h"

using namespace core;

class ParseTest : public QObject {
  Q_OBJECT
 private slots:
  void readsTheLinesOfTheDesign_data();
  void readsTheLinesOfTheDesign();
  void signsBindAsInC();
  void aReductionTakesTheProductOnItsRight();
  void errorsPointAtTheColumn_data();
  void errorsPointAtTheColumn();
  void bombsAreRefused();
};

void ParseTest::readsTheLinesOfTheDesign_data() {
  QTest::addColumn<QString>("text");
  for (const char* text :
       {"y[i,j]     = sum(k) a[i,k] * b[k,j]",
        "y[n,p,q,f] = sum(c,u,v) (x[n, s*p+u-o, s*q+v-o, c] else 0) * w[u,v,c,f]", "y[*b,d]    = table[ids[*b], d]",
        "dt[v,d]    = sum(*b) select(ids[*b] == v, dy[*b,d], 0)", "m[i,j]     = select(j <= i, 0, -inf)",
        "y[a,b]     = x[a*B + b]", "y[d]       = x[d / B, d % B]", "v[b,k], i[b,k] = opaque(x[b,:])",
        "s = sum(i:4) x[i]", "y[] = x[]"})
    QTest::newRow(text) << text;
}

void ParseTest::readsTheLinesOfTheDesign() {
  QFETCH(QString, text);
  const Definition found = parseDefinition(text.toStdString());
  QVERIFY(!found.outputs.empty());
  QVERIFY(!found.values.empty());
}

void ParseTest::signsBindAsInC() {
  const Term sum = parseDefinition("y[i] = a[i] - b[i] * c[i] - d[i] < 2").values[0];
  QCOMPARE(sum.name, "<");
  QCOMPARE(sum.children[0].name, "-");
  QCOMPARE(sum.children[0].children[0].name, "-");
  QCOMPARE(sum.children[0].children[0].children[1].name, "*");
}

void ParseTest::aReductionTakesTheProductOnItsRight() {
  const Term sum = parseDefinition("y[i] = sum(k) a[i,k] * b[k] + c[i]").values[0];
  QCOMPARE(sum.name, "+");
  QVERIFY(sum.children[0].kind == Term::Kind::reduce);
  QCOMPARE(sum.children[0].children[0].name, "*");
}

void ParseTest::errorsPointAtTheColumn_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<int>("column");
  QTest::addColumn<QString>("right");
  QTest::newRow("unclosed read") << "y[i] = x[i" << 11 << "expected an operator, ',' or ']'";
  QTest::newRow("no value") << "y[i] =" << 7 << "expected a value";
  QTest::newRow("no equals") << "y[i] x[i]" << 6 << "expected '=' and a value";
  QTest::newRow("strange sign") << "y[i] = x[i] # 2" << 13 << "names, numbers";
  QTest::newRow("half a sum") << "y[i] = x[i] + " << 15 << "expected a value";
  QTest::newRow("two values") << "y[i], z[i] = x[i]" << 14 << "one value for each output";
  QTest::newRow("rest") << "y[i] = x[i] x[i]" << 13 << "expected an operator or the end";
  QTest::newRow("extent") << "y[i:0] = x[i]" << 5 << "a whole number";
  QTest::newRow("else behind a sum") << "y[i] = (x[i] + 1 else 0)" << 18 << "'else' stands behind a read";
  QTest::newRow("open text") << "y[i] = uniform(\"a" << 16 << "it ends with another";
  QTest::newRow("values in a reduction") << "y[i] = max(a[i], b[i])" << 13 << "expected ',' or ')'";
  QTest::newRow("nothing") << "" << 1 << "the name of an output";
}

void ParseTest::errorsPointAtTheColumn() {
  QFETCH(QString, text);
  QFETCH(int, column);
  QFETCH(QString, right);
  try {
    parseDefinition(text.toStdString());
    QFAIL("was accepted");
  } catch (const Error& error) {
    QVERIFY2(error.where.starts_with("column " + std::to_string(column) + " of"), error.text().c_str());
    QVERIFY2(QString::fromStdString(error.right).contains(right), error.text().c_str());
  }
}

void ParseTest::bombsAreRefused() {
  QVERIFY_THROWS_EXCEPTION(Error, parseDefinition("y = " + std::string(100'000, '(')));
  std::string sum = "y = 1";
  for (int i = 0; i < 100'000; ++i) sum += "+1";
  QVERIFY_THROWS_EXCEPTION(Error, parseDefinition(sum));
  QVERIFY_THROWS_EXCEPTION(Error, parseDefinition("y = 1e999"));
}

QTEST_GUILESS_MAIN(ParseTest)
#include "parse_test.moc"
