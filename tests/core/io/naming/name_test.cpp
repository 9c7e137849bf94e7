#include "core/io/naming/name.h"

#include <QtTest>

#include "tests/support/positional_model.h"

using namespace core;
using namespace tests;

class NameTest : public QObject {
  Q_OBJECT
 private slots:
  void starsNumbersBeforeModules();
  void findsTheModuleOfAParameter();
  void makesIdentifiers();
  void sharesNamesOfRepeatedBlocks();
  void keepsEqualHiddenLayersApart();
  void takesSymbolsButNotMadeUpOnes();
  void names_data();
  void names();
};

void NameTest::starsNumbersBeforeModules() {
  QCOMPARE(naming::roleOf("h.0.c_fc.bias", false), std::string("h.*.c_fc.bias"));
  QCOMPARE(naming::roleOf("/h.12/attn/MatMul", true), std::string("/h.*/attn/MatMul"));
  QCOMPARE(naming::roleOf("res4_2_branch2a_w_0", false), std::string("res4_*_branch2a_w_0"));
  QCOMPARE(naming::roleOf("net.0.weight", false), std::string("net.0.weight"));
  QCOMPARE(naming::roleOf("/net/net.0/Gemm", true), std::string("/net/net.0/Gemm"));
  QCOMPARE(naming::roleOf("MatMul_3", true), std::string("MatMul_3"));
}

void NameTest::findsTheModuleOfAParameter() {
  QCOMPARE(naming::moduleOf("h.0.attn.c_attn.weight"), std::string("h.0.attn.c_attn"));
  QCOMPARE(naming::moduleOf("conv5_4_w_0"), std::string("conv5_4"));
  QCOMPARE(naming::moduleOf("weight"), std::string("weight"));
}

void NameTest::makesIdentifiers() {
  QCOMPARE(naming::identifier("gpu_0/data_0"), std::string("gpu_0_data_0"));
  QCOMPARE(naming::identifier("0"), std::string("dim_0"));
  QCOMPARE(naming::identifier("//"), std::string("dim"));
}

// x + W2 relu(W1 x), twice, with names that say so: one hidden dimension.
void NameTest::sharesNamesOfRepeatedBlocks() {
  PositionalModel m;
  int x = m.input("x", {4, 16}), stream = x;
  std::vector<int> hidden;
  for (int i = 0; i < 2; ++i) {
    std::string scope = "h." + std::to_string(i);
    hidden.push_back(m.node("Relu", {m.node("MatMul", {stream, m.weight(scope + ".up.weight", {16, 64})}, {}, "/" + scope + "/up/MatMul")}));
    stream = m.node("Add", {stream, m.node("MatMul", {hidden.back(), m.weight(scope + ".down.weight", {64, 16})}, {}, "/" + scope + "/down/MatMul")});
  }
  m.output(stream);
  Named named = nameAxes(m.model);
  QCOMPARE(named.axes[std::size_t(hidden[0])], named.axes[std::size_t(hidden[1])]);
  QCOMPARE(named.classes, std::size_t(3));
}

void NameTest::keepsEqualHiddenLayersApart() {
  PositionalModel m;
  int x = m.input("x", {4, 16});
  int a = m.node("MatMul", {x, m.weight("net.0.weight", {16, 64})}), b = m.node("MatMul", {a, m.weight("net.2.weight", {64, 64})});
  m.output(m.node("MatMul", {b, m.weight("net.4.weight", {64, 5})}), "logits");
  Named named = nameAxes(m.model);
  QCOMPARE(named.axes[std::size_t(a)], std::string("batch:4 | hidden:64"));
  QCOMPARE(named.axes[std::size_t(b)], std::string("batch:4 | hidden_2:64"));
}

void NameTest::takesSymbolsButNotMadeUpOnes() {
  PositionalModel m;
  int x = m.input("x", std::vector<std::string>{"rows", "unk__3"});
  m.output(m.node("Relu", {x}));
  Named named = nameAxes(m.model, {{"rows", 6}, {"unk__3", 9}});
  QCOMPARE(named.axes[std::size_t(x)], std::string("rows:6 | features:9"));
}

void NameTest::names_data() {
  QTest::addColumn<QString>("table");
  QTest::addColumn<QString>("rows");
  QTest::newRow("word table") << "wte.weight" << "vocab";
  QTest::newRow("positions") << "wpe.weight" << "positions";
  QTest::newRow("the only one") << "lookup.weight" << "vocab";
}

void NameTest::names() {
  QFETCH(QString, table);
  QFETCH(QString, rows);
  PositionalModel m;
  int ids = m.input("ids", {4, 7}, DType::i64), weight = m.weight(table.toStdString(), {50, 16});
  m.output(m.node("Gather", {weight, ids}));
  QVERIFY2(QString::fromStdString(nameAxes(m.model).axes[std::size_t(weight)]).startsWith(rows + ":50"), nameAxes(m.model).axes[std::size_t(weight)].c_str());
}

QTEST_GUILESS_MAIN(NameTest)
#include "name_test.moc"
