#include "core/tdl/bind.h"

#include <QtTest>

#include "core/base/error.h"
#include "tests/support/expressions.h"

using namespace core;
using tests::express;

namespace {

const BoundOperand a{"a", {"m", "k"}, {2, 3}};
const BoundOperand b{"b", {"k", "n"}, {3, 4}};
const BoundOperand x{"x", {"batch", "seq", "d"}, {2, 5, 6}, {DimId(0), DimId(1), DimId(2)}};
const BoundOperand ids{"ids", {"batch", "seq"}, {2, 5}, {DimId(0), DimId(1)}, DType::i64};
const BoundOperand table{"table", {"vocab", "d"}, {9, 6}, {DimId(3), DimId(2)}};

std::string messageOf(const char* text, Bindings bindings) {
  try {
    express(text, std::move(bindings));
  } catch (const Error& error) {
    return error.text();
  }
  return "accepted";
}

}  // namespace

class BindTest : public QObject {
  Q_OBJECT
 private slots:
  void plainReadsGiveExtentsAndDimensions();
  void starsStandForTheDimensionsThatAreThere();
  void starsBroadcastByName();
  void starsCanBeReduced();
  void parametersBecomeNumbers();
  void aReadAsAnIndexIsALookup();
  void loopsMayBeGivenTheirExtent();
  void typesFollowTheOperands();
  void errorsNameWhatIsWrong_data();
  void errorsNameWhatIsWrong();
};

void BindTest::plainReadsGiveExtentsAndDimensions() {
  const Expression made = express("y[p,q] = sum(r) x[p,q,r]", {x});
  QCOMPARE(made.loops.size(), std::size_t{3});
  QCOMPARE(made.loops[2].extent, std::int64_t{6});
  QCOMPARE(made.loops[2].dim, DimId(2));
  QVERIFY(made.loops[2].kind == Loop::Kind::reduced);
}

void BindTest::starsStandForTheDimensionsThatAreThere() {
  const Expression made = express("y[*b,d] = table[ids[*b],d]", {table, ids});
  QCOMPARE(made.outputs[0].loops.size(), std::size_t{3});
  QCOMPARE(made.loops[0].name, "batch");
  QCOMPARE(made.loops[1].extent, std::int64_t{5});
  QCOMPARE(made.loops[0].dim, DimId(0));
  QCOMPARE(express("y[*b] = 2 * a[*b]", {BoundOperand{"a", {}, {}}}).outputs[0].loops.size(), std::size_t{0});
}

void BindTest::starsBroadcastByName() {
  const BoundOperand bias{"bias", {"d"}, {6}}, other{"other", {"seq", "extra"}, {5, 7}};
  const Expression made = express("y[*b] = bias[*b] + x[*b] + other[*b]", {bias, x, other});
  std::vector<std::string> names;
  for (int loop : made.outputs[0].loops) names.push_back(made.loops[static_cast<std::size_t>(loop)].name);
  QCOMPARE(names, (std::vector<std::string>{"batch", "seq", "d", "extra"}));
  QCOMPARE(print(made), "y[batch,seq,d,extra] = bias[d] + x[batch,seq,d] + other[seq,extra]");
}

void BindTest::starsCanBeReduced() {
  const BoundOperand dy{"dy", {"batch", "seq", "d"}, {2, 5, 6}};
  const Expression made = express("dt[v:9,d] = sum(*b) select(ids[*b] == v, dy[*b,d], 0)", {ids, dy});
  QCOMPARE(print(made), "dt[v,d] = sum(batch,seq) select(ids[batch,seq] == v, dy[batch,seq,d], 0)");
}

void BindTest::parametersBecomeNumbers() {
  const Expression made = express("y[a,b] = f * v[a*B + b]", {.operands = {{"v", {"d"}, {12}}},
                                                              .integers = {{"B", 4}},
                                                              .numbers = {{"f", 0.5}},
                                                              .extents = {{"a", 3}, {"b", 4}}});
  QCOMPARE(print(made), "y[a,b] = 0.5 * v[4*a+b]");
}

void BindTest::aReadAsAnIndexIsALookup() {
  const Expression made = express("y[*b,d] = table[ids[*b],d] + table[ids[*b],d]", {table, ids});
  const auto lookups = std::count_if(made.loops.begin(), made.loops.end(),
                                     [](const Loop& loop) { return loop.kind == Loop::Kind::lookup; });
  QCOMPARE(lookups, 1);  // the same rows: one loop over the table
  QCOMPARE(made.loops.back().name, "vocab");
  QCOMPARE(made.loops.back().extent, std::int64_t{9});
}

void BindTest::loopsMayBeGivenTheirExtent() {
  QCOMPARE(express("y[i:2] = v[i]", {BoundOperand{"v", {"d"}, {5}}}).loops[0].extent, std::int64_t{2});
  QCOMPARE(express("y[i:7] = (v[i] else 0)", {BoundOperand{"v", {"d"}, {5}}}).loops[0].extent, std::int64_t{7});
  QCOMPARE(express("y[i] = (v[i] else 0) + w[i]", {BoundOperand{"v", {"d"}, {5}}, BoundOperand{"w", {"e"}, {7}}})
               .loops[0]
               .extent,
           std::int64_t{7});
}

void BindTest::typesFollowTheOperands() {
  const BoundOperand f{"f", {"d"}, {5}, {}, DType::f64}, i{"i", {"d"}, {5}, {}, DType::i64};
  const auto type = [&](const char* text) { return express(text, {f, i}).outputs[0].dtype; };
  QVERIFY(type("y[d] = f[d] + i[d]") == DType::f64);
  QVERIFY(type("y[d] = 2 * i[d]") == DType::i64);
  QVERIFY(type("y[d] = 2.5 * i[d]") == DType::f32);
  QVERIFY(type("y[d] = f[d] < i[d]") == DType::boolean);
  QVERIFY(type("y[d] = bf16(f[d])") == DType::bf16);
  QVERIFY(type("y[d:3] = d") == DType::i64);
  QVERIFY(type("y[d:3] = 1") == DType::f32);
}

void BindTest::errorsNameWhatIsWrong_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("message");
  QTest::newRow("operand") << "y[i] = aa[i]"
                           << "column 8 of \"y[i] = aa[i]\": there is no operand 'aa' (did you mean \"a\"?)";
  QTest::newRow("loop") << "y[i,j] = a[i,kk]"
                        << "'kk' is no loop or parameter here";
  QTest::newRow("rank") << "y[i] = a[i]"
                        << "'a' is read by 1 indices (it has 2 dimensions)";
  QTest::newRow("sizes") << "y[i,j] = a[i,j] + a[j,i]"
                         << "'j' runs to 3 but 'a' has 2 there";
  QTest::newRow("larger") << "y[i,j] = a[i,j] + b[i,j]"
                          << "'i' runs to 2 but 'b' has 3 there";
  QTest::newRow("extent") << "y[i,j] = a[i,2*j]"
                          << "nothing gives the extent of loop 'j'";
  QTest::newRow("function") << "y[i,j] = tanhh(a[i,j])"
                            << "there is no function 'tanhh' (did you mean \"tanh\"?)";
  QTest::newRow("arguments") << "y[i,j] = power(a[i,j])"
                             << "power got 1 arguments (it takes 2)";
  QTest::newRow("star") << "y[*c] = a[*b]"
                        << "no operand has *c";
  QTest::newRow("star not a loop") << "y[i] = a[*b] + a[i,i]"
                                   << "*b is no loop here";
  QTest::newRow("loop twice") << "y[i,i] = a[i,i]"
                              << "'i' stands twice";
  QTest::newRow("reduced twice") << "y[i] = sum(i) a[i,i]"
                                 << "'i' already runs here";
  QTest::newRow("uniform") << "y[i] = uniform(i)"
                           << "uniform needs a name first";
  QTest::newRow("negative rank") << "y = a[i,*b,*c]"
                                 << "'a' is read by 3 indices";
}

void BindTest::errorsNameWhatIsWrong() {
  QFETCH(QString, text);
  QFETCH(QString, message);
  const std::string found = messageOf(text.toUtf8().constData(), {.operands = {a, b}});
  QVERIFY2(QString::fromStdString(found).contains(message), found.c_str());
}

QTEST_GUILESS_MAIN(BindTest)
#include "bind_test.moc"
