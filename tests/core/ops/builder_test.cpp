#include "core/ops/builder.h"

#include <QtTest>
#include <set>

#include "core/base/error.h"
#include "core/ops/check.h"
#include "core/ops/elementwise.h"
#include "core/ops/op.h"
#include "core/ops/require.h"

using namespace core;

namespace {

template <class Action>
std::string errorOf(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.text();
  }
  return "no error";
}

bool says(const std::string& text, std::initializer_list<const char*> parts) {
  for (const char* part : parts)
    if (text.find(part) == std::string::npos) {
      qWarning("\"%s\" lacks \"%s\"", text.c_str(), part);
      return false;
    }
  return true;
}

}  // namespace

class BuilderTest : public QObject {
  Q_OBJECT
 private slots:
  void namesOperatorsByKindAndScope();
  void broadcastsByName();
  void givesEveryOperatorItsShape();
  void refusesWhatDoesNotFit();
  void refusesMixedTypes();
  void chargesOneSizeAName();
  void initialisesWeightsByRank();
  void theTableIsWhole();
  void rowsStandInTheOrderOfTheFunctions();
};

void BuilderTest::namesOperatorsByKindAndScope() {
  GraphBuilder build;
  const TensorId x = build.input("x", "a:4");
  build.pushScope("decoder");
  build.pushScope("layer_0");
  QCOMPARE(build.graph()[build.unary(Function::exp, x)].name, std::string("decoder/layer_0/exp"));
  QCOMPARE(build.graph()[build.unary(Function::exp, x)].name, std::string("decoder/layer_0/exp_2"));
  build.nextName("mine");
  QCOMPARE(build.graph()[build.unary(Function::exp, x)].name, std::string("mine"));
  build.popScope();
  QCOMPARE(build.graph()[build.unary(Function::exp, x)].name, std::string("decoder/exp"));
  QVERIFY(says(errorOf([&] { build.input("x", "a"); }), {"two tensors or operators are named \"x\""}));
}

void BuilderTest::broadcastsByName() {
  GraphBuilder build;
  const TensorId bias = build.input("bias", "d:3"), x = build.input("x", "batch:2 seq:4 d"),
                 row = build.input("row", "e:5");
  QVERIFY(build.graph()[build.plus(bias, x)].shape == build.shape("batch seq d"));
  QVERIFY(build.graph()[build.times(row, bias)].shape == build.shape("e d"));
}

void BuilderTest::givesEveryOperatorItsShape() {
  GraphBuilder build;
  const TensorId x = build.input("x", "a:4 b:6 c:2");
  const auto shape = [&](TensorId id) { return shapeText(build.graph(), build.graph()[id].shape); };
  const DimId a = build.dim("a", 4), b = build.dim("b", 6);
  QCOMPARE(shape(build.sum(x, {b})), std::string("[a:4 c:2]"));
  QCOMPARE(shape(build.transpose(x, build.shape("c a b"))), std::string("[c:2 a:4 b:6]"));
  QCOMPARE(shape(build.rename(x, a, build.dim("z", 4))), std::string("[z:4 b:6 c:2]"));
  QCOMPARE(shape(build.split(x, b, build.shape("p:3 q:2"))), std::string("[a:4 p:3 q:2 c:2]"));
  QCOMPARE(shape(build.merge(x, {a, b}, build.dim("ab", 24))), std::string("[ab:24 c:2]"));
  QCOMPARE(shape(build.slice(x, b, build.dim("s", 2), 1, 3)), std::string("[a:4 s:2 c:2]"));
  QCOMPARE(shape(build.pick(x, b, 5)), std::string("[a:4 c:2]"));
  QCOMPARE(shape(build.pad(x, a, build.dim("wide", 9), 2)), std::string("[wide:9 b:6 c:2]"));
  QCOMPARE(shape(build.concat({x, x}, {a, a}, build.dim("twice", 8))), std::string("[twice:8 b:6 c:2]"));
  const TensorId ids = build.input("ids", "n:7", DType::i32);
  QCOMPARE(shape(build.gather(x, b, ids)), std::string("[a:4 n:7 c:2]"));
  QCOMPARE(shape(build.scatterAdd(ids, build.input("updates", "n c"), build.shape("n"), b)), std::string("[b:6 c:2]"));
  QCOMPARE(shape(build.iota(b)), std::string("[b:6]"));
  QCOMPARE(shape(build.softmax(x, b)), std::string("[a:4 b:6 c:2]"));
  QVERIFY(build.graph()[build.binary(Function::less, x, 0.5)].dtype == DType::boolean);
  QVERIFY(build.graph()[build.cast(x, DType::f64)].dtype == DType::f64);
  QVERIFY(checkOperators(build.graph()).empty());
}

void BuilderTest::refusesWhatDoesNotFit() {
  GraphBuilder build;
  const TensorId x = build.input("x", "a:4 b:6");
  const DimId a = build.dim("a", 4), b = build.dim("b", 6);
  QVERIFY(says(errorOf([&] { build.split(x, b, build.shape("p:4 q:2")); }), {"split", "\"b\" has size 6, not 8"}));
  QVERIFY(says(errorOf([&] { build.merge(x, {b, a}, build.dim("ba", 24)); }), {"side by side", "transpose first"}));
  QVERIFY(says(errorOf([&] { build.slice(x, b, build.dim("s", 3), 4); }), {"element 6", "\"b\" of size 6"}));
  QVERIFY(says(errorOf([&] { build.pick(x, b, 6); }), {"element 6"}));
  QVERIFY(says(errorOf([&] { build.rename(x, a, b); }), {"\"b\" twice"}));
  QVERIFY(says(errorOf([&] { build.rename(x, a, build.dim("c", 5)); }), {"\"c\" has size 5, not 4"}));
  QVERIFY(says(errorOf([&] { build.concat({x, x}, {a, a}, build.dim("d", 9)); }), {"\"d\" has size 9, not 8"}));
  QVERIFY(says(errorOf([&] { build.einsum({x}, "e:3"); }), {"\"e\"", "in no input"}));
  QVERIFY(says(errorOf([&] { build.sum(x, build.shape("e")); }), {"no dimension \"e\""}));
  QVERIFY(says(errorOf([&] { build.gather(x, b, x); }), {"i32 or i64"}));
  QVERIFY(says(errorOf([&] { build.addOne("softmx", {x}); }), {"no operator \"softmx\"", "softmax"}));
  QVERIFY(says(errorOf([&] { build.addOne("softmax", {x}); }), {"attribute \"dim\" is missing"}));
  QVERIFY(says(errorOf([&] { build.crossEntropy(x, b, x); }), {"i32 or i64"}));
  QVERIFY(says(errorOf([&] { build.dropout(x, 1.5, "d"); }), {"rate 1.5"}));
}

void BuilderTest::refusesMixedTypes() {
  GraphBuilder build;
  const TensorId x = build.input("x", "a:4"), ids = build.input("ids", "a", DType::i64),
                 wide = build.input("wide", "a", DType::f64);
  QVERIFY(says(errorOf([&] { build.plus(x, ids); }), {"f32 and i64", "cast"}));
  QVERIFY(says(errorOf([&] { build.einsum({x, wide}, "a"); }), {"f32 and f64", "cast"}));
  QVERIFY(says(errorOf([&] { build.unary(Function::exp, ids); }), {"i64", "cast"}));
  QVERIFY(says(errorOf([&] { build.select(x, x, x); }), {"f32", "bool"}));
  QVERIFY(build.graph()[build.plus(wide, 1.0)].dtype == DType::f64);
}

void BuilderTest::chargesOneSizeAName() {
  GraphBuilder build;
  build.input("x", "a:4");
  QVERIFY(says(errorOf([&] { build.input("y", "a:5"); }), {"\"a\" has size 4 and is given size 5"}));
  QVERIFY(says(errorOf([&] { build.input("y", "b"); }), {"\"b\" has no size yet"}));
  QVERIFY(says(errorOf([&] { build.input("y", "b:0"); }), {"1 or more"}));
  QVERIFY(says(errorOf([&] { build.input("y", "b:2 b:2"); }), {"stands twice"}));
  QVERIFY(says(errorOf([&] { build.input("y", "b-c:2"); }), {"letters, digits and _"}));
  QCOMPARE(build.graph()[build.newDim("a", 9)].name, std::string("a_2"));
}

void BuilderTest::initialisesWeightsByRank() {
  GraphBuilder build;
  const auto source = [&](const char* name, const char* shape) {
    return std::get<Initializer>(build.graph()[build.parameter(name, shape)].source);
  };
  QVERIFY((source("fc.weight", "a:4 b:3") == Initializer{Initializer::Kind::normal, 0, 0.02}));
  QVERIFY((source("ln.weight", "a") == Initializer{Initializer::Kind::constant, 1, 0}));
  QVERIFY((source("ln.bias", "a") == Initializer{Initializer::Kind::constant, 0, 0}));
}

void BuilderTest::theTableIsWhole() {
  const std::set<std::string_view> domains{"math", "shape", "index", "nn", "random", "optimizer"};
  std::set<std::string_view> names;
  for (const Op* op : allOps()) {
    const std::string name(op->name);
    QVERIFY2(names.insert(op->name).second, name.c_str());
    QVERIFY2(!op->summary.empty() && op->summary.back() == '.', name.c_str());
    QVERIFY2(!op->text.empty() && domains.count(op->domain) == 1, name.c_str());
    QVERIFY2((op->expression != nullptr) != (op->expand != nullptr), name.c_str());
    QVERIFY2(!op->examples().empty(), name.c_str());
    for (const Graph& graph : op->examples()) {
      const auto wrong = checkOperators(graph);
      QVERIFY2(wrong.empty(), wrong.empty() ? "" : wrong[0].text().c_str());
      QCOMPARE(std::count_if(graph.operators.begin(), graph.operators.end(),
                             [&](const Operator& one) { return one.kind == op->name; }) > 0,
               true);
    }
  }
}

void BuilderTest::rowsStandInTheOrderOfTheFunctions() {
  for (const UnaryRow& row : unaryRows()) QVERIFY2(&rowOfUnary(row.function) == &row, std::string(row.name).c_str());
  for (const BinaryRow& row : binaryRows()) QVERIFY2(&rowOfBinary(row.function) == &row, std::string(row.name).c_str());
  QCOMPARE(binaryRows().back().function, Function::logicalXor);
}

QTEST_GUILESS_MAIN(BuilderTest)
#include "builder_test.moc"
