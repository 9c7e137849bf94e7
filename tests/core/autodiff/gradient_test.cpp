#include "core/autodiff/gradient.h"

#include <QtTest>
#include <cmath>

#include "core/base/error.h"
#include "core/graph/prune.h"
#include "core/ops/check.h"
#include "tests/support/graph_values.h"

using namespace core;

namespace {

// The gradient of the sum of y by x, where x has these values.
std::vector<double> gradientAt(const std::string& shape, std::vector<double> numbers,
                               const std::function<TensorId(GraphBuilder&, TensorId)>& function) {
  GraphBuilder build;
  const TensorId x = build.input("x", build.shape(shape), DType::f64);
  const TensorId y = function(build, x);
  const TensorId loss = build.sum(y, build.graph()[y].shape);
  const TensorId of[] = {x};
  const TensorId gradient = gradients(build, loss, of)[0];
  const std::vector<std::int64_t> sizes = build.graph().sizes(x);
  return tests::evaluateGraph(build.graph(), {{x, Array{sizes, std::move(numbers)}}})[gradient.index()].values;
}

using Numbers = std::vector<double>;

}  // namespace

class GradientTest : public QObject {
  Q_OBJECT
 private slots:
  void addsUpWhatAllReadersGive();
  void namesTheGradientOfAState();
  void givesASharedGradientAName();
  void equalMaximaShare();
  void aNumberThatIsNoneDoesNotLeakThroughSelect();
  void productsWithZerosHaveGradients();
  void picksComeBackAsOneStack();
  void isNoneWhereTheLossDoesNotDepend();
  void refusesWhatIsNoLoss();
  void refusesAnOperatorWithoutGradient();
};

void GradientTest::addsUpWhatAllReadersGive() {
  const Numbers found = gradientAt("n:2", {3, 4}, [](GraphBuilder& build, TensorId x) {
    return build.plus(build.times(x, x), build.times(x, 5.0));
  });
  QCOMPARE(found, (Numbers{11, 13}));
}

void GradientTest::namesTheGradientOfAState() {
  GraphBuilder build;
  const TensorId x = build.input("x", "b:2 i:3"), w = build.parameter("W", "i o:4");
  build.nextName("fc");
  const TensorId loss = build.mean(build.einsum({x, w}, "b o"), build.shape("b o"));
  const TensorId of[] = {w};
  const TensorId gradient = gradients(build, loss, of)[0];
  QCOMPARE(build.graph()[gradient].name, std::string("grad/W"));
  QVERIFY(build.graph()[gradient].shape == build.graph()[w].shape);
  QCOMPARE(std::string(scopeOf(build.graph()[build.graph()[gradient].producer].name)), std::string("grad/fc"));
  QVERIFY(checkOperators(build.graph()).empty());
}

void GradientTest::givesASharedGradientAName() {
  GraphBuilder build;
  const TensorId a = build.parameter("a", "n:3"), b = build.parameter("b", "n");
  const TensorId loss = build.sum(build.plus(a, b), build.shape("n"));
  const TensorId of[] = {a, b};
  const std::vector<TensorId> found = gradients(build, loss, of);
  QCOMPARE(build.graph()[found[0]].name, std::string("grad/a"));
  QCOMPARE(build.graph()[found[1]].name, std::string("grad/b"));
  QVERIFY(checkOperators(build.graph()).empty());
}

void GradientTest::equalMaximaShare() {
  const auto most = [](GraphBuilder& build, TensorId x) {
    return build.reduce(Reduction::max, x, build.graph()[x].shape);
  };
  QCOMPARE(gradientAt("n:4", {1, 7, 7, 2}, most), (Numbers{0, 0.5, 0.5, 0}));
  const auto greater = [](GraphBuilder& build, TensorId x) { return build.binary(Function::maximum, x, 2.0); };
  QCOMPARE(gradientAt("n:3", {1, 2, 3}, greater), (Numbers{0, 0.5, 1}));
}

void GradientTest::aNumberThatIsNoneDoesNotLeakThroughSelect() {
  const Numbers found = gradientAt("n:2", {-1, 4}, [](GraphBuilder& build, TensorId x) {
    const TensorId positive = build.binary(Function::greater, x, 0.0);
    return build.select(positive, build.unary(Function::sqrt, build.select(positive, x, 1.0)), 0.0);
  });
  QCOMPARE(found, (Numbers{0, 0.25}));
}

void GradientTest::productsWithZerosHaveGradients() {
  const auto product = [](GraphBuilder& build, TensorId x) {
    return build.reduce(Reduction::product, x, build.graph()[x].shape);
  };
  QCOMPARE(gradientAt("n:3", {2, 3, 4}, product), (Numbers{12, 8, 6}));
  QCOMPARE(gradientAt("n:3", {2, 0, 4}, product), (Numbers{0, 8, 0}));
  QCOMPARE(gradientAt("n:3", {0, 0, 4}, product), (Numbers{0, 0, 0}));
}

void GradientTest::picksComeBackAsOneStack() {
  GraphBuilder build;
  const TensorId x = build.parameter("x", "q:3 n:2");
  const DimId q = build.dim("q", 3);
  const TensorId a = build.pick(x, q, 0), b = build.pick(x, q, 1), c = build.pick(x, q, 2);
  const TensorId loss = build.sum(build.times(build.times(a, b), c), build.shape("n"));
  const TensorId of[] = {x};
  const TensorId gradient = gradients(build, loss, of)[0];
  build.edit().outputs = {gradient};
  const Graph kept = prune(build.graph());
  int stacks = 0;
  for (const Operator& op : kept.operators) stacks += op.kind == "stack";
  QCOMPARE(stacks, 1);
  const std::vector<double> found =
      tests::evaluateGraph(kept, {{*kept.findTensor("x"), Array{{3, 2}, {1, 2, 3, 4, 5, 6}}}})[kept.outputs[0].index()]
          .values;
  QCOMPARE(found, (Numbers{15, 24, 5, 12, 3, 8}));
}

void GradientTest::isNoneWhereTheLossDoesNotDepend() {
  GraphBuilder build;
  const TensorId used = build.parameter("used", "n:3"), unused = build.parameter("unused", "n");
  build.unary(Function::exp, unused);
  const TensorId loss = build.sum(used, build.shape("n"));
  const TensorId of[] = {used, unused};
  const std::vector<TensorId> found = gradients(build, loss, of);
  QVERIFY(found[0].valid());
  QVERIFY(!found[1].valid());
}

void GradientTest::refusesWhatIsNoLoss() {
  GraphBuilder build;
  const TensorId x = build.input("x", "n:3");
  const TensorId of[] = {x};
  QVERIFY_THROWS_EXCEPTION(Error, gradients(build, x, of));
}

void GradientTest::refusesAnOperatorWithoutGradient() {
  GraphBuilder build;
  const TensorId w = build.parameter("w", "n:3");
  build.nextName("custom");
  const TensorId y = build.opaque("Custom", {w}, {build.shape("n")}, {DType::f32})[0];
  const TensorId loss = build.sum(y, build.shape("n"));
  const TensorId of[] = {w};
  try {
    gradients(build, loss, of);
    QFAIL("no error");
  } catch (const Error& error) {
    QCOMPARE(error.where, std::string("custom"));
  }
}

QTEST_GUILESS_MAIN(GradientTest)
#include "gradient_test.moc"
