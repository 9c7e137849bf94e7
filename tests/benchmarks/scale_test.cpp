#include <QtTest>
#include <algorithm>
#include <ctime>
#include <functional>

#include "core/autodiff/training.h"
#include "core/cost/cost.h"
#include "core/io/import.h"
#include "core/layers/gpt.h"
#include "core/ops/expand.h"
#include "core/spmd/partition.h"
#include "tests/support/shared_models.h"

using namespace core;

// What partitioning and estimating take: they must not grow with the number of devices, and hardly with the number of equal layers.
// Processor time of this thread's process, so that a busy machine does not matter; the median of five, taken in turns.

namespace {

constexpr int repetitions = 5;
const Layout layout = Layout::of("batch:data;heads:model;ffn:model;vocab:model");

double processorSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double secondsOf(const std::function<void()>& work) {
  const double start = processorSeconds();
  work();
  return processorSeconds() - start;
}

double median(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

struct Training {
  Graph graph;  // primitive operators
  TensorId loss;
};

Training trained(const Graph& forward) {
  Step step;
  step.training = true;
  const TrainingGraph training = trainingStep(forward, step);
  Training expanded{expand(training.graph), {}};
  expanded.loss = *expanded.graph.findTensor(training.graph[training.loss].name);
  return expanded;
}

// Partition and estimate, once.
double planned(const Training& training, const Mesh& mesh) {
  return secondsOf([&] {
    const Partitioned partitioned = partition(training.graph, layout, mesh, {.loss = training.loss});
    const Cost cost = estimate(partitioned.program, nullptr);
    QVERIFY(cost.devices.front().flops > 0);
  });
}

// The medians of both, measured in turns.
std::pair<double, double> inTurns(const std::function<double()>& first, const std::function<double()>& second) {
  std::vector<double> one, other;
  for (int i = 0; i < repetitions; ++i) {
    one.push_back(first());
    other.push_back(second());
  }
  return {median(one), median(other)};
}

Graph gpt2Small(std::int64_t layers) {
  return gpt({.layers = layers, .modelSize = 768, .heads = 12, .vocab = 50257, .seq = 1024, .batch = 512, .tied = true});
}

}  // namespace

class ScaleTest : public QObject {
  Q_OBJECT

 private slots:
  void devicesCostNothing_data();
  void devicesCostNothing();
  void equalLayersCostLittle();
  void aDragIsAnsweredSoon();
};

void ScaleTest::devicesCostNothing_data() {
  QTest::addColumn<QString>("model");
  QTest::newRow("gpt of 12 layers, 768 wide") << "";
  QTest::newRow("gpt2_small_noparams") << "onnx/torch/gpt2_small_noparams/model.onnx";
  QTest::newRow("bert_large_noparams") << "onnx/torch/bert_large_noparams/model.onnx";
}

void ScaleTest::devicesCostNothing() {
  QFETCH(QString, model);
  Graph forward;
  if (model.isEmpty()) {
    forward = gpt2Small(12);
  } else {
    const auto models = tests::sharedModels();
    if (!models) QSKIP("needs the folder of shared models (MESHWRIGHT_MODELS)");
    forward = *importModel(*models + "/" + model.toStdString(), {.dims = {{"batch", 512}}}).graph;
  }
  const Training training = trained(forward);
  const Mesh few = Mesh::of("data:2,model:5"), many = Mesh::of("data:64,model:8");
  const auto [small, large] = inTurns([&] { return planned(training, few); }, [&] { return planned(training, many); });
  qInfo("partition and estimate: 2x5 %.1f ms, 64x8 %.1f ms, ratio %.2f", small * 1e3, large * 1e3, large / small);
  QVERIFY2(large <= 2 * small, "the cost grows with the number of devices");  // the figure is what counts (1.2): a busy machine is no error
}

void ScaleTest::equalLayersCostLittle() {
  const Training twelve = trained(gpt2Small(12)), ninetySix = trained(gpt2Small(96));
  const Mesh mesh = Mesh::of("data:4,model:2");
  const auto only = [&](const Training& training) {
    return secondsOf([&] { partition(training.graph, layout, mesh, {.loss = training.loss}); });
  };
  const auto [small, large] = inTurns([&] { return only(twelve); }, [&] { return only(ninetySix); });
  qInfo("partition: 12 layers %.1f ms, 96 layers %.1f ms, ratio %.2f", small * 1e3, large * 1e3, large / small);
  QVERIFY2(large <= 5 * small, "equal layers are not partitioned once: 8 times the layers would cost 8 times as much");  // the figure is what counts (3)
}

void ScaleTest::aDragIsAnsweredSoon() {
  const Training training = trained(gpt2Small(12));
  std::vector<double> seconds;
  for (int i = 0; i < repetitions; ++i) seconds.push_back(planned(training, Mesh::of("data:64,model:8")));
  qInfo("a re-estimate after a drag: %.1f ms (goal 100 ms)", median(seconds) * 1e3);
}

QTEST_GUILESS_MAIN(ScaleTest)
#include "scale_test.moc"
