#include "core/graph/check.h"

#include <QtTest>

#include "core/ops/builder.h"
#include "core/ops/check.h"

using namespace core;

namespace {

Graph chain() {
  GraphBuilder build;
  TensorId x = build.input("x", "a:4 b:3");
  for (const char* name : {"first", "second", "third"}) {
    build.nextName(name);
    x = build.unary(Function::exp, x);
  }
  build.output(x);
  return build.take();
}

bool found(const std::vector<Diagnostic>& diagnostics, const std::string& what, const std::string& where) {
  for (const Diagnostic& one : diagnostics)
    if (one.what.find(what) != std::string::npos && one.where == where) return true;
  return false;
}

}  // namespace

class CheckTest : public QObject {
  Q_OBJECT
 private slots:
  void findsNothingInAGoodGraph();
  void findsNamesThatStandTwice();
  void findsADimensionTwiceInOneTensor();
  void findsOperatorsOutOfOrder();
  void putsOperatorsInOrder();
  void namesACycle();
  void findsSizesBeyond64Bits();
  void findsUpdatesOfWhatIsNoState();
  void findsValuesOfAnotherSize();
  void comparesOperatorsWithTheCatalogue();
};

void CheckTest::findsNothingInAGoodGraph() {
  QVERIFY(checkOperators(chain()).empty());
}

void CheckTest::findsNamesThatStandTwice() {
  Graph graph = chain();
  graph.operators[1].name = "first";
  graph.tensors[2].name = "x";
  graph.dims.push_back({"a", 9});
  const auto all = check(graph);
  QVERIFY(found(all, "two operators are named \"first\"", "first"));
  QVERIFY(found(all, "two tensors are named \"x\"", "x"));
  QVERIFY(found(all, "two dimensions are named \"a\"", "a"));
}

void CheckTest::findsADimensionTwiceInOneTensor() {
  Graph graph = chain();
  graph.tensors[1].shape = {DimId(0), DimId(0)};
  QVERIFY(found(check(graph), "dimension \"a\" stands twice", "first"));
}

void CheckTest::findsOperatorsOutOfOrder() {
  Graph graph = chain();
  std::swap(graph.operators[0], graph.operators[2]);
  QVERIFY(found(check(graph), "it reads \"second\", which second makes only later", "third"));
}

void CheckTest::putsOperatorsInOrder() {
  Graph graph = chain();
  std::swap(graph.operators[0], graph.operators[2]);
  QVERIFY(inOrder(graph) == chain());
}

void CheckTest::namesACycle() {
  Graph graph = chain();
  graph.operators[0].inputs = graph.operators[1].outputs;
  QVERIFY(hasErrors(check(graph)));
  try {
    inOrder(graph);
    QFAIL("no error");
  } catch (const Error& error) {
    QVERIFY2(error.what.find("first") != std::string::npos && error.what.find("second") != std::string::npos &&
                 error.what.find("third") == std::string::npos,
             error.what.c_str());
  }
}

void CheckTest::findsSizesBeyond64Bits() {
  Graph graph = chain();
  graph.dims[0].size = std::int64_t{1} << 62;
  QVERIFY(found(check(graph), "64 bits", "x"));
  graph.dims[0].size = -4;
  QVERIFY(found(check(graph), "has size -4", "a"));
}

void CheckTest::findsUpdatesOfWhatIsNoState() {
  Graph graph = chain();
  graph.updates.push_back({TensorId(0), TensorId(1)});
  QVERIFY(found(check(graph), "is updated and is no state", "x"));
}

void CheckTest::findsValuesOfAnotherSize() {
  GraphBuilder build;
  build.constant("c", build.shape("n:3"), DType::f32, InlineSource{std::make_shared<const std::vector<std::byte>>(8)});
  QVERIFY(found(check(build.graph()), "8 bytes of values are given for 12", "c"));
}

void CheckTest::comparesOperatorsWithTheCatalogue() {
  Graph graph = chain();
  graph.operators[0].kind = "expp";
  graph.tensors[2].dtype = DType::f64;
  const auto all = checkOperators(graph);
  QVERIFY(found(all, "no operator \"expp\"", "first"));
  QVERIFY(found(all, "\"second\" is said to be [a:4 b:3] f64 and is [a:4 b:3] f32", "second"));
}

QTEST_GUILESS_MAIN(CheckTest)
#include "check_test.moc"
