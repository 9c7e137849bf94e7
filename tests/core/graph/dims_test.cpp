#include "core/graph/dims.h"

#include <QtTest>

#include "core/base/error.h"
#include "core/ops/builder.h"
#include "core/ops/check.h"

using namespace core;

namespace {

// A packed axis taken apart and put together again, positions of which seq is a part.
Graph model() {
  GraphBuilder build;
  const TensorId x = build.input("x", "batch:2 seq:8 d_model:48");
  const TensorId table = build.parameter("wpe.weight", "positions:16 d_model");
  build.nextName("places");
  const TensorId places = build.slice(table, build.dim("positions", 16), build.dim("seq", 8), 0);
  const TensorId sum = build.plus(x, places);
  build.nextName("apart");
  const TensorId apart = build.split(sum, build.dim("d_model", 48), build.shape("heads:4 head_dim:12"));
  build.nextName("together");
  build.output(build.merge(apart, build.shape("heads head_dim"), build.dim("joined", 48)));
  return build.take();
}

std::int64_t sizeOf(const Graph& graph, const char* name) {
  return graph.size(dimOf(graph, name));
}

template <class Action>
std::string errorOf(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.text();
  }
  return "no error";
}

}  // namespace

class DimsTest : public QObject {
  Q_OBJECT
 private slots:
  void renamesAndKeepsTheOldNameAsAnAlias();
  void refusesATakenName();
  void bindsWhatFollowsFromAPart();
  void bindsWhatFollowsFromAWhole();
  void bindsSymbols();
  void refusesContradictions();
  void refusesASizeThatASliceLeaves();
  void refusesAnotherSizeThanThatOfTheValues();
};

void DimsTest::renamesAndKeepsTheOldNameAsAnAlias() {
  const Graph renamed = renameDim(renameDim(model(), "d_model", "width"), "width", "features");
  QCOMPARE(renamed.size(*renamed.findDim("features")), 48);
  QCOMPARE(renamed.aliases.at("d_model"), std::string("features"));
  QCOMPARE(renamed.aliases.at("width"), std::string("features"));
  QVERIFY(dimOf(renamed, "d_model") == *renamed.findDim("features"));
}

void DimsTest::refusesATakenName() {
  QVERIFY(errorOf([] { renameDim(model(), "seq", "batch"); }).find("already a dimension \"batch\"") !=
          std::string::npos);
  QVERIFY(errorOf([] { renameDim(model(), "seq", "a b"); }).find("letters, digits and _") != std::string::npos);
  QVERIFY(errorOf([] { renameDim(model(), "sek", "s"); }).find("\"seq\"") != std::string::npos);
}

void DimsTest::bindsWhatFollowsFromAPart() {
  const Graph bound = bindDim(model(), "heads", 8);
  QCOMPARE(sizeOf(bound, "d_model"), 96);
  QCOMPARE(sizeOf(bound, "joined"), 96);
  QCOMPARE(sizeOf(bound, "head_dim"), 12);
  QVERIFY(checkOperators(bound).empty());
}

void DimsTest::bindsWhatFollowsFromAWhole() {
  const Graph bound = bindDim(model(), "d_model", 24);
  QCOMPARE(sizeOf(bound, "heads"), 2);
  QCOMPARE(sizeOf(bound, "joined"), 24);
  QVERIFY(checkOperators(bound).empty());
  const Graph both = bindDims(model(), {{"d_model", 24}, {"heads", 4}});
  QCOMPARE(sizeOf(both, "head_dim"), 6);
}

void DimsTest::bindsSymbols() {
  GraphBuilder build;
  const TensorId a = build.input("a", "past:? d:4"), b = build.input("b", "new:3 d");
  build.output(build.concat({a, b}, build.shape("past:? new:3"), build.dim("total", 0)));
  const Graph bound = bindDim(build.graph(), "past", 5);
  QCOMPARE(sizeOf(bound, "total"), 8);
  QCOMPARE(sizeOf(bindDim(build.graph(), "total", 10), "past"), 7);
  QVERIFY(checkOperators(bound).empty());
}

void DimsTest::refusesContradictions() {
  const std::string wrong = errorOf([] { bindDims(model(), {{"d_model", 48}, {"heads", 5}}); });
  QVERIFY2(wrong.find("apart") != std::string::npos && wrong.find("multiple") != std::string::npos, wrong.c_str());
  const std::string all = errorOf([] { bindDims(model(), {{"d_model", 48}, {"heads", 4}, {"head_dim", 10}}); });
  QVERIFY2(all.find("40") != std::string::npos && all.find("48") != std::string::npos, all.c_str());
  QVERIFY(errorOf([] { bindDim(model(), "heads", 0); }).find("1 or more") != std::string::npos);
  QVERIFY(errorOf([] { bindDim(model(), "heads", std::int64_t{1} << 62); }).find("64 bits") != std::string::npos);
}

void DimsTest::refusesASizeThatASliceLeaves() {
  const std::string wrong = errorOf([] { bindDim(model(), "seq", 17); });
  QVERIFY2(wrong.find("places") != std::string::npos && wrong.find("positions") != std::string::npos, wrong.c_str());
  QCOMPARE(sizeOf(bindDim(model(), "seq", 16), "seq"), 16);
}

void DimsTest::refusesAnotherSizeThanThatOfTheValues() {
  GraphBuilder build;
  build.parameter(
      "w", build.shape("a:4 b:3"),
      FileSource{.path = "w.bin", .fileBytes = 48, .offset = 0, .bytes = 48, .stored = DType::f32, .chunkHashes = {}});
  const std::string wrong = errorOf([&] { bindDim(build.graph(), "a", 5); });
  QVERIFY2(wrong.find("the values of \"w\" have 4") != std::string::npos, wrong.c_str());
}

QTEST_GUILESS_MAIN(DimsTest)
#include "dims_test.moc"
