#include "core/layers/gpt.h"

#include <QtTest>

#include "core/base/error.h"
#include "core/ops/check.h"
#include "core/ops/expand.h"
#include "tests/support/graph_values.h"

using namespace core;

class GptTest : public QObject {
  Q_OBJECT
 private slots:
  void hasTheParametersOfItsFamily();
  void namesWhatAPersonWouldName();
  void looksOnlyBack();
  void readsTheTableAgainWhereTied();
  void refusesSizesThatDoNotGoTogether();
};

void GptTest::hasTheParametersOfItsFamily() {
  const std::int64_t layers = 4, d = 256, ffn = 1024, vocab = 1024, seq = 128;
  const Graph graph =
      gpt({.layers = layers, .modelSize = d, .heads = 4, .ffn = ffn, .vocab = vocab, .seq = seq, .batch = 16});
  const std::int64_t block = 4 * d + 4 * (d * d + d) + (d * ffn + ffn) + (ffn * d + d);
  QCOMPARE(graph.parameterCount(), vocab * d + seq * d + layers * block + 2 * d + d * vocab);
  QVERIFY(checkOperators(graph).empty());
}

void GptTest::namesWhatAPersonWouldName() {
  const Graph graph =
      gpt({.layers = 2, .modelSize = 32, .heads = 4, .vocab = 50, .seq = 16, .positions = 64, .batch = 8});
  const std::map<std::string, std::int64_t> expected{{"batch", 8}, {"seq", 16},     {"seq_kv", 16},
                                                     {"heads", 4}, {"head_dim", 8}, {"d_model", 32},
                                                     {"ffn", 128}, {"vocab", 50},   {"positions", 64}};
  std::map<std::string, std::int64_t> found;
  for (const Dim& dim : graph.dims) found[dim.name] = dim.size;
  QVERIFY(found == expected);
  QVERIFY(graph.findTensor("h.1.attn.q.weight"));
  QVERIFY(graph.findTensor("h.1.mlp.up.bias"));
  QCOMPARE(graph[graph.outputs[0]].name, std::string("logits"));
}

void GptTest::looksOnlyBack() {
  const Graph graph = tests::inDoublePrecision(
      expand(gpt({.layers = 1, .modelSize = 8, .heads = 2, .vocab = 6, .seq = 4, .batch = 1})));
  const TensorId tokens = *graph.findTensor("tokens");
  const auto logits = [&](std::vector<double> ids) {
    return tests::evaluateGraph(graph, {{tokens, Array{{1, 4}, std::move(ids)}}})[graph.outputs[0].index()].values;
  };
  const std::vector<double> first = logits({1, 2, 3, 4}), second = logits({1, 2, 5, 4});
  for (std::size_t i = 0; i < 2 * 6; ++i) QCOMPARE(first[i], second[i]);
  QVERIFY(!std::equal(first.begin() + 12, first.end(), second.begin() + 12));
}

void GptTest::readsTheTableAgainWhereTied() {
  const GptSizes sizes{.layers = 1, .modelSize = 8, .heads = 2, .vocab = 6, .seq = 4, .batch = 1};
  GptSizes tied = sizes;
  tied.tied = true;
  QCOMPARE(gpt(sizes).parameterCount() - gpt(tied).parameterCount(), 48);
}

void GptTest::refusesSizesThatDoNotGoTogether() {
  QVERIFY_THROWS_EXCEPTION(Error, gpt({.modelSize = 10, .heads = 4}));
  QVERIFY_THROWS_EXCEPTION(Error, gpt({.layers = 0}));
  QVERIFY_THROWS_EXCEPTION(Error, gpt({.seq = 16, .positions = 8}));
  QVERIFY_THROWS_EXCEPTION(Error, gpt({.vocab = -1}));
}

QTEST_GUILESS_MAIN(GptTest)
#include "gpt_test.moc"
