#include <QtTest>
#include <cmath>
#include <filesystem>

#include "core/base/text.h"
#include "core/io/import.h"
#include "core/plan/analyze.h"
#include "executor/local_cluster.h"

// A small model of every family learns, on one device and on four.

using namespace core;
namespace fs = std::filesystem;

namespace {

constexpr int steps = 20;

const fs::path recorded = fs::path(MESHWRIGHT_SOURCE) / "tests/data/config/recorded";

std::shared_ptr<const Plan> planOf(const QString& family, const std::string& mesh, const std::string& layout) {
  auto plan = std::make_shared<Plan>();
  std::map<std::string, std::int64_t> dims{{"batch", 4}};
  if (family != "vit") dims["seq"] = 10;
  if (family.startsWith("t5")) dims["target_seq"] = 6;
  plan->graph = importModel((recorded / family.toStdString() / "config.json").string(), {.dims = dims}).graph;
  Variant variant{.name = "A", .mesh = Mesh::of(mesh), .layout = Layout::of(layout)};
  variant.step.training = true;
  variant.step.loss = family == "vit" ? LossKind::crossEntropy : LossKind::automatic;
  variant.step.optimizer.kind = OptimizerKind::adam;
  variant.step.optimizer.learningRate = 0.01;
  plan->variants.push_back(variant);
  return plan;
}

// Always the same batch: numbers that fit what is indexed with them.
executor::Tensor batchOf(const Buffer& buffer, const std::string& name) {
  std::int64_t count = 1;
  for (std::int64_t size : buffer.sizes) count *= size;
  const int rows = name == "token_types" ? 2 : name == "labels" && buffer.sizes.size() == 1 ? 4 : 26;
  std::vector<double> values;
  for (std::int64_t i = 0; i < count; ++i)
    values.push_back(buffer.dtype == DType::f32 ? std::sin(0.37 * static_cast<double>(i * i)) : static_cast<double>((i * i * 7 + i * 3 + 1) % rows));
  return executor::Tensor::of(buffer.dtype, buffer.sizes, values);
}

std::vector<double> losses(const QString& family, const std::string& mesh, const std::string& layout) {
  const Analysis analysis = analyze(planOf(family, mesh, layout), 0);
  for (const Diagnostic& one : analysis.diagnostics)
    if (one.severity == Diagnostic::Severity::error) qWarning("%s", one.text().c_str());
  if (!analysis.program) return {};
  const Program& program = *analysis.program;
  executor::LocalCluster cluster(program);
  for (BufferId id : program.inputs) cluster.set(id, batchOf(program.buffers[id.index()], program.buffers[id.index()].name));
  std::vector<double> found;
  for (int i = 0; i < steps; ++i) found.push_back(cluster.step().loss.value_or(NAN));
  return found;
}

}  // namespace

class TrainConfigsTest : public QObject {
  Q_OBJECT
 private slots:
  void learns_data();
  void learns();
};

void TrainConfigsTest::learns_data() {
  QTest::addColumn<QString>("family");
  for (const auto& entry : fs::directory_iterator(recorded))
    if (entry.is_directory()) QTest::addRow("%s", entry.path().filename().c_str()) << QString::fromStdString(entry.path().filename().string());
}

void TrainConfigsTest::learns() {
  QFETCH(QString, family);
  const std::vector<double> alone = losses(family, "", "");
  QCOMPARE(alone.size(), std::size_t{steps});
  QVERIFY2(alone.back() < 0.9 * alone.front(), qPrintable(QStringLiteral("%1 -> %2").arg(alone.front()).arg(alone.back())));
  const char* layout = family == "vit" ? "batch:p;heads:q;ffn:q" : family == "mixtral" || family == "gpt_oss" || family == "deepseek_v3" ? "batch:p;heads:q;experts:q;vocab:q" : "batch:p;heads:q;ffn:q;vocab:q";
  const std::vector<double> together = losses(family, "p:2,q:2", layout);
  QCOMPARE(together.size(), std::size_t{steps});
  for (std::size_t i = 0; i < steps; ++i)
    QVERIFY2(std::abs(together[i] - alone[i]) < 1e-3 * std::abs(alone[i]), qPrintable(QStringLiteral("step %1: %2, alone %3").arg(i + 1).arg(together[i]).arg(alone[i])));
}

QTEST_GUILESS_MAIN(TrainConfigsTest)
#include "train_configs_test.moc"
