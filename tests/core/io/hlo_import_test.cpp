#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>
#include <filesystem>
#include <set>

#include "core/base/error.h"
#include "core/io/import.h"
#include "core/plan/analyze.h"
#include "tests/support/shared_models.h"

// What XLA dumped of JAX models opens as its person wrote it: the mesh, the shardings, the bytes of every device.

using namespace core;
namespace fs = std::filesystem;

class HloImportTest : public QObject {
  Q_OBJECT
 private slots:
  void bytesPerDeviceAreTheFiles_data();
  void bytesPerDeviceAreTheFiles();
  void dimensionsHaveNames_data();
  void dimensionsHaveNames();
  void shardingsArePins();
};

namespace {

const std::string own = MESHWRIGHT_SOURCE "/tests/data/hlo/";

std::optional<std::string> fileOf(const std::string& name) {
  std::vector<std::string> folders{own};
  if (const auto models = tests::sharedModels()) folders.push_back(*models + "/hlo/");
  for (const std::string& folder : folders)
    for (const char* ending : {"", ".gz"})
      if (fs::exists(folder + name + ending)) return folder + name + ending;
  return std::nullopt;
}

Analysis analysisOf(const Import& found) {
  Plan plan{.name = "hlo", .graph = found.graph};
  plan.variants = {{.name = "A", .mesh = found.mesh, .layout = found.layout}};
  return analyze(std::make_shared<const Plan>(plan), 0);
}

// Of all that is there before the step but the program's constants.
std::int64_t givenBytes(const Analysis& analysis) {
  std::int64_t bytes = 0;
  for (const Buffer& buffer : analysis.program->buffers)
    if (buffer.persistent && buffer.tensor.valid() && !buffer.alias.valid() && (*analysis.step)[buffer.tensor].kind != TensorKind::constant) bytes += buffer.bytes;
  return bytes;
}

}  // namespace

void HloImportTest::bytesPerDeviceAreTheFiles_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<qint64>("partitions");
  QTest::addColumn<qint64>("bytes");
  QFile file(QString::fromStdString(own + "facts.json"));
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QJsonObject facts = QJsonDocument::fromJson(file.readAll()).object();
  for (auto it = facts.begin(); it != facts.end(); ++it) {
    const QJsonArray row = it.value().toArray();
    QTest::newRow(qPrintable(it.key())) << it.key() << qint64(row[0].toInteger()) << qint64(row[4].toInteger());
  }
}

void HloImportTest::bytesPerDeviceAreTheFiles() {
  QFETCH(QString, name);
  QFETCH(qint64, partitions);
  QFETCH(qint64, bytes);
  const auto path = fileOf(name.toStdString());
  if (!path) QSKIP("needs the folder of shared models (MESHWRIGHT_MODELS)");
  const Import found = importModel(*path, {});
  QCOMPARE(found.report.format, std::string("HLO"));
  QCOMPARE(found.mesh.devices(), partitions);
  const Analysis analysis = analysisOf(found);
  for (const Diagnostic& one : analysis.diagnostics) QVERIFY2(one.severity != Diagnostic::Severity::error, one.what.c_str());
  QVERIFY(analysis.program != nullptr);
  QCOMPARE(givenBytes(analysis), bytes);
}

void HloImportTest::dimensionsHaveNames_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QStringList>("dims");
  QTest::newRow("vit") << "vit.infer_4gpu.jit_predict_step.hlo.txt" << QStringList{"batch:8", "height:224", "width:224", "channels:3", "d_model:768", "heads:12", "head_dim:64", "ffn:3072", "kernel_height:16", "kernel_width:16"};
  QTest::newRow("resnet") << "imagenette.infer_2gpu.jit_predict_step.hlo.txt" << QStringList{"batch:32", "height:224", "width:224", "channels:3", "height_s2:112", "height_s32:7", "classes:10"};
  QTest::newRow("mixtral") << "mixtral_8x7b.infer_8gpu.jit__prefill_jit.hlo.txt" << QStringList{"vocab:32000", "d_model:4096"};
  QTest::newRow("t5") << "flan_t5_large.infer_4gpu.jit_predict_step.hlo.txt" << QStringList{"batch:4", "d_model:1024", "heads:16", "head_dim:64", "vocab:32128"};
}

void HloImportTest::dimensionsHaveNames() {
  QFETCH(QString, name);
  QFETCH(QStringList, dims);
  const auto path = fileOf(name.toStdString());
  if (!path) QSKIP("needs the folder of shared models (MESHWRIGHT_MODELS)");
  const Import found = importModel(*path, {});
  std::set<QString> all;
  for (const Dim& dim : found.graph->dims) all.insert(QString("%1:%2").arg(QString::fromStdString(dim.name)).arg(dim.size));
  for (const QString& one : dims) QVERIFY2(all.count(one) > 0, qPrintable(QString("no %1 among %2").arg(one, QStringList(all.begin(), all.end()).join(' '))));
}

void HloImportTest::shardingsArePins() {
  const Import found = importModel(own + "vit.infer_4gpu.jit_predict_step.hlo.txt.gz", {});
  QCOMPARE(found.graph->name, std::string("vit.infer_4gpu.jit_predict_step"));
  QCOMPARE(print(found.mesh), std::string("fsdp:4"));
  auto pinOf = [&](const std::string& tensor) {
    for (const Pin& pin : found.layout.pins)
      if (pin.tensor == tensor) return pin;
    return Pin();
  };
  // {devices=[4,1,1]<=[4]} of [12,64,768] and {devices=[4]<=[4]} of [3072]
  QCOMPARE(pinOf("Transformer.encoderblock_1.MultiHeadDotProductAttention_0.out.kernel").dims, (std::vector<Rule>{{"heads", {"fsdp"}}}));
  QCOMPARE(pinOf("Transformer.encoderblock_1.MlpBlock_0.Dense_0.bias").dims, (std::vector<Rule>{{"ffn", {"fsdp"}}}));
}

QTEST_APPLESS_MAIN(HloImportTest)
#include "hlo_import_test.moc"
