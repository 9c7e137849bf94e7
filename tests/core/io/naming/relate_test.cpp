#include "core/io/naming/relate.h"

#include <QtTest>

#include "tests/support/positional_model.h"

using namespace core;
using namespace tests;

class RelateTest : public QObject {
  Q_OBJECT
 private slots:
  void renamesASquareLayerWhereItMeetsTheResidual();
  void renamesTheActivationWhenASquareWeightIsUsedTwice();
  void tiesAnAutoencoderWithoutARename();
  void renamesKeysAndValuesOfASingleHead();
  void renamesAThirdTimeWithoutAnOutputProjection();
  void givesXPlusItsTransposeAThirdName();
  void crossesAttentionWithoutARename();
  void keepsThreeSequencesOfACache();
  void factorsHeadsOfGroupedQueries();
  void splitsAPackedWeight();
  void keepsAReshapeThatNoNamesCanSay();
  void viewsASharedVectorOnceAUse();
  void bindsASymbolThatTheGraphContradicts();
  void takesAxesOfSizeOneAway();

 private:
  // Attention of queries over keys and values [batch, sequence, width], without heads; the product with the values.
  static int attend(PositionalModel& m, int q, int k, int v) {
    int scores = m.node("MatMul", {q, m.node("Transpose", {k}, {{"perm", std::vector<std::int64_t>{0, 2, 1}}})});
    return m.node("MatMul", {m.node("Softmax", {scores}, {{"axis", std::int64_t{-1}}}), v});
  }
};

void RelateTest::renamesASquareLayerWhereItMeetsTheResidual() {
  PositionalModel m;
  int x = m.input("x", {4, 32});
  int h = m.node("MatMul", {x, m.weight("fc.weight", {32, 32})});
  int y = m.node("Add", {h, x});
  m.output(y);
  Named named = nameAxes(m.model);
  QCOMPARE(named.renames, 1);
  QCOMPARE(named.axes[std::size_t(y)], named.axes[std::size_t(x)]);  // the stream keeps its name
  QVERIFY(named.axes[std::size_t(h)] != named.axes[std::size_t(x)]);
}

void RelateTest::renamesTheActivationWhenASquareWeightIsUsedTwice() {
  PositionalModel m;
  int x = m.input("x", {4, 32}), w = m.weight("fc.weight", {32, 32});
  int h = m.node("MatMul", {x, w});
  m.output(m.node("MatMul", {h, w}));
  Named named = nameAxes(m.model);
  QCOMPARE(named.renames, 1);
  QCOMPARE(named.classes, std::size_t(3));
}

void RelateTest::tiesAnAutoencoderWithoutARename() {
  PositionalModel m;
  int x = m.input("x", {4, 32}), w = m.weight("fc.weight", {32, 8});
  int code = m.node("MatMul", {x, w});
  int y = m.node("MatMul", {code, m.node("Transpose", {w}, {{"perm", std::vector<std::int64_t>{1, 0}}})});
  m.output(y);
  Named named = nameAxes(m.model);
  QCOMPARE(named.renames, 0);
  QCOMPARE(named.axes[std::size_t(y)], named.axes[std::size_t(x)]);
}

void RelateTest::renamesKeysAndValuesOfASingleHead() {
  PositionalModel m;
  int x = m.input("x", {32, 32, 32});
  auto projected = [&](const char* name) { return m.node("MatMul", {x, m.weight(name, {32, 32})}); };
  int y = attend(m, projected("q.weight"), projected("k.weight"), projected("v.weight"));
  m.output(m.node("MatMul", {y, m.weight("o.weight", {32, 32})}));
  Named named = nameAxes(m.model);
  QCOMPARE(named.renames, 2);
  QCOMPARE(named.reshapes, 0);
}

void RelateTest::renamesAThirdTimeWithoutAnOutputProjection() {
  PositionalModel m;
  int x = m.input("x", {32, 32, 32});
  auto projected = [&](const char* name) { return m.node("MatMul", {x, m.weight(name, {32, 32})}); };
  int y = attend(m, projected("q.weight"), projected("k.weight"), projected("v.weight"));
  m.output(m.node("Add", {x, y}));
  QCOMPARE(nameAxes(m.model).renames, 3);
}

void RelateTest::givesXPlusItsTransposeAThirdName() {
  PositionalModel m;
  int x = m.input("x", {6, 6});
  int y = m.node("Add", {x, m.node("Transpose", {x})});
  m.output(y);
  Named named = nameAxes(m.model);
  QCOMPARE(named.classes, std::size_t(3));
  QCOMPARE(named.renames, 3);  // both sides to the third name, and the transpose's other axis
}

void RelateTest::crossesAttentionWithoutARename() {
  PositionalModel m;
  int x = m.input("x", {2, 5, 16}), memory = m.input("memory", {2, 7, 16});
  auto projected = [&](int of, const char* name) { return m.node("MatMul", {of, m.weight(name, {16, 16})}); };
  int y = attend(m, projected(x, "q.weight"), projected(memory, "k.weight"), projected(memory, "v.weight"));
  m.output(y);
  Named named = nameAxes(m.model);
  QCOMPARE(named.renames, 0);
  QVERIFY2(named.axes[std::size_t(y)].find("seq:5") != std::string::npos, named.axes[std::size_t(y)].c_str());
}

void RelateTest::keepsThreeSequencesOfACache() {
  PositionalModel m;
  int past = m.input("past", {"2", "past", "16"}), now = m.input("now", {"2", "seq", "16"});
  int all = m.node("Concat", {past, now}, {{"axis", std::int64_t{1}}});
  m.output(all, "present");
  Named named = nameAxes(m.model);
  QCOMPARE(named.renames, 0);
  std::set<std::string> sequences;
  for (int v : {past, now, all}) sequences.insert(named.axes[std::size_t(v)]);
  QCOMPARE(sequences.size(), std::size_t(3));
}

void RelateTest::factorsHeadsOfGroupedQueries() {
  PositionalModel m;
  int x = m.input("x", {2, 6, 32});
  int wq = m.weight("q.weight", {32, 32});
  int q = m.node("Transpose", {m.node("Reshape", {m.node("MatMul", {x, wq}), m.constant({2, 6, 4, 8})})}, {{"perm", std::vector<std::int64_t>{0, 2, 1, 3}}});
  int k = m.node("Transpose", {m.node("Reshape", {m.node("MatMul", {x, m.weight("k.weight", {32, 16})}), m.constant({2, 6, 2, 8})})}, {{"perm", std::vector<std::int64_t>{0, 2, 3, 1}}});
  int repeated = m.node("Reshape", {m.node("Expand", {m.node("Unsqueeze", {k, m.constant({2})}), m.constant({2, 2, 2, 8, 6})}), m.constant({2, 4, 8, 6})});
  m.output(m.node("MatMul", {q, repeated}));
  Named named = nameAxes(m.model);
  QCOMPARE(named.reshapes, 0);
  QCOMPARE(std::count(named.axes[std::size_t(wq)].begin(), named.axes[std::size_t(wq)].end(), ':'), 4);  // in | kv group head_dim
}

void RelateTest::splitsAPackedWeight() {
  PositionalModel m;
  int x = m.input("x", {2, 6, 32}), w = m.weight("qkv.weight", {32, 96});
  std::vector<int> parts = m.nodes("Split", {m.node("MatMul", {x, w}), m.constant({32, 32, 32})}, 3, {{"axis", std::int64_t{2}}});
  auto heads = [&](int part, std::vector<std::int64_t> order) { return m.node("Transpose", {m.node("Reshape", {part, m.constant({2, 6, 4, 8})})}, {{"perm", order}}); };
  int scores = m.node("MatMul", {heads(parts[0], {0, 2, 1, 3}), heads(parts[1], {0, 2, 3, 1})});
  m.output(m.node("MatMul", {m.node("Softmax", {scores}), heads(parts[2], {0, 2, 1, 3})}));
  Named named = nameAxes(m.model);
  QCOMPARE(named.axes[std::size_t(w)], std::string("features:32 | qkv:3 heads:4 head_dim:8"));
  QCOMPARE(named.axes[std::size_t(scores)], std::string("batch:2 | heads:4 | seq:6 | seq_kv:6"));
  QCOMPARE(named.renames, 2);
  QCOMPARE(named.reshapes, 0);
}

void RelateTest::keepsAReshapeThatNoNamesCanSay() {
  PositionalModel m;
  int x = m.input("x", {4, 34});
  m.output(m.node("Reshape", {x, m.constant({34, 4})}));
  QCOMPARE(nameAxes(m.model).reshapes, 0 + 1);
}

// One stored vector of zeros must not tie what it is added to.
void RelateTest::viewsASharedVectorOnceAUse() {
  PositionalModel m;
  int x = m.input("x", {4, 16}), zero = m.weight("zero.bias", {16});
  int h = m.node("Add", {m.node("MatMul", {x, m.weight("a.weight", {16, 16})}), zero});
  int y = m.node("Add", {m.node("MatMul", {h, m.weight("b.weight", {16, 16})}), zero});
  m.output(y);
  Named named = nameAxes(m.model);
  QVERIFY(named.axes[std::size_t(h)] != named.axes[std::size_t(y)]);
  QCOMPARE(named.renames, 1);  // of the vector, at its second use
}

void RelateTest::bindsASymbolThatTheGraphContradicts() {
  PositionalModel m;
  int x = m.input("x", std::vector<std::string>{"n", "8"});
  m.output(m.node("MatMul", {m.weight("w.weight", {4, 12}), x}));
  try {
    nameAxes(m.model);
    QFAIL("a symbol that has to be 12 was kept open");
  } catch (const naming::Rebind& rebind) {
    QCOMPARE(rebind.symbol, std::string("n"));
    QCOMPARE(rebind.size, std::int64_t(12));
  }
  QCOMPARE(nameAxes(m.model, {{"n", 12}}).renames, 0);
}

void RelateTest::takesAxesOfSizeOneAway() {
  PositionalModel m;
  int x = m.input("x", {1, 3, 4});
  int y = m.node("Squeeze", {x, m.constant({0})});
  m.output(y);
  Named named = nameAxes(m.model);
  QCOMPARE(named.classes, std::size_t(2));
  QVERIFY(named.axes[std::size_t(x)].ends_with(named.axes[std::size_t(y)]));
}

QTEST_GUILESS_MAIN(RelateTest)
#include "relate_test.moc"
