#include <QtTest>
#include <cmath>

#include "core/layers/experts.h"
#include "core/layers/heads.h"
#include "core/layers/relative_bias.h"
#include "core/layers/rotary.h"
#include "core/ops/expand.h"
#include "tests/support/graph_values.h"

using namespace core;

namespace {

std::vector<double> evaluated(GraphBuilder& build, TensorId x, const std::vector<double>& values) {
  Graph graph = expand(build.take());
  const TensorId id = *graph.findTensor(graph[x].name);
  return tests::evaluateGraph(graph, {{id, Array{graph.sizes(id), values}}})[graph.outputs[0].index()].values;
}

}  // namespace

class PartsTest : public QObject {
  Q_OBJECT
 private slots:
  void keepsTheGreatest();
  void keepsTheFirstOfEqualOnes();
  void turnsPairsByTheirPlace();
  void stretchesAnglesAsPublished();
  void sharesBucketsAmongFarDistances();
  void namesHeadsByHowManyShareKeys();
};

void PartsTest::keepsTheGreatest() {
  GraphBuilder build;
  const TensorId x = build.input("x", "token:2 experts:5");
  build.output(greatest(build, "top", x, *build.graph().findDim("experts"), 2));
  QCOMPARE(evaluated(build, x, {5, 1, 4, 2, 3, -1, -2, -5, -3, -4}), (std::vector<double>{1, 0, 1, 0, 0, 1, 1, 0, 0, 0}));
}

void PartsTest::keepsTheFirstOfEqualOnes() {
  GraphBuilder build;
  const TensorId x = build.input("x", "experts:4");
  build.output(greatest(build, "top", x, *build.graph().findDim("experts"), 2));
  QCOMPARE(evaluated(build, x, {1, 3, 3, 3}), (std::vector<double>{0, 1, 1, 0}));
}

// Place s turns pair (a, b) by s times its angle.
void PartsTest::turnsPairsByTheirPlace() {
  for (const Pairs pairs : {Pairs::halves, Pairs::neighbours}) {
    GraphBuilder build;
    const TensorId x = build.input("x", "seq:3 size:4");
    const DimId seq = *build.graph().findDim("seq"), size = *build.graph().findDim("size");
    const RotaryTable table = rotaryTable(build, "rotary", seq, build.dim("half", 2), {.theta = 100}, pairs);
    build.output(rotate(build, "turn", x, size, table));
    const std::vector<double> y = evaluated(build, x, {1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4});
    const bool halves = pairs == Pairs::halves;
    const double a = 1, b = halves ? 3 : 2;  // the first pair, whose angle is 1
    for (int s = 0; s < 3; ++s) {
      QVERIFY(std::abs(y[s * 4] - (a * std::cos(s) - b * std::sin(s))) < 1e-6);
      QVERIFY(std::abs(y[s * 4 + (halves ? 2 : 1)] - (b * std::cos(s) + a * std::sin(s))) < 1e-6);
    }
  }
}

void PartsTest::stretchesAnglesAsPublished() {
  const Rotary plain{.theta = 10000};
  const std::vector<double> angles = rotaryAngles(plain, 8);
  QCOMPARE(angles, (std::vector<double>{1, std::pow(10000, -0.25), std::pow(10000, -0.5), std::pow(10000, -0.75)}));
  Rotary llama = plain;
  llama.scaling = Rotary::Scaling::llama3;
  llama.factor = 8;
  llama.trainedPositions = 8192;
  const std::vector<double> stretched = rotaryAngles(llama, 8);
  QCOMPARE(stretched[0], angles[0]);      // turns often: kept
  QCOMPARE(stretched[1], angles[1]);
  QCOMPARE(stretched[2], angles[2]);      // 13 turns
  const double turns = 8192 * angles[3] / (2 * M_PI), smooth = (turns - 1) / 3;
  QVERIFY(turns > 1 && turns < 4);        // between: blended
  QVERIFY(std::abs(stretched[3] - ((1 - smooth) * angles[3] / 8 + smooth * angles[3])) < 1e-12);
  QCOMPARE(yarnMagnitude(1), 1.0);
  QVERIFY(std::abs(yarnMagnitude(40) - (0.1 * std::log(40) + 1)) < 1e-12);
}

void PartsTest::sharesBucketsAmongFarDistances() {
  const std::vector<std::int64_t> found = distanceBuckets(16, 128);  // T5's, one way of 32
  QCOMPARE(found.size(), std::size_t{128});
  for (std::int64_t distance = 0; distance < 8; ++distance) QCOMPARE(found[static_cast<std::size_t>(distance)], distance);
  QCOMPARE(found[8], 8);
  QCOMPARE(found[16], 10);
  QCOMPARE(found[64], 14);
  QCOMPARE(found[127], 15);
  QVERIFY(std::is_sorted(found.begin(), found.end()));
}

void PartsTest::namesHeadsByHowManyShareKeys() {
  const auto named = [](std::int64_t heads, std::int64_t keyHeads) {
    GraphBuilder build;
    const Heads found = headsOf(build, heads, keyHeads);
    std::string text;
    for (DimId dim : found.queries) text += build.graph()[dim].name + ":" + std::to_string(build.graph().size(dim)) + " ";
    text += "|";
    for (DimId dim : found.keys) text += " " + build.graph()[dim].name;
    return text;
  };
  QCOMPARE(named(8, 8), std::string("heads:8 | heads"));
  QCOMPARE(named(8, 2), std::string("kv_heads:2 group:4 | kv_heads"));
  QCOMPARE(named(8, 1), std::string("heads:8 |"));
}

QTEST_GUILESS_MAIN(PartsTest)
#include "parts_test.moc"
