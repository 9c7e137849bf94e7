#include <QtTest>

#include <algorithm>
#include <cmath>

#include "core/io/import.h"
#include "core/plan/analyze.h"
#include "executor/collectives/in_process.h"
#include "executor/data/batches.h"
#include "executor/interpreter.h"
#include "executor/states.h"
#include "tests/support/shared_models.h"

// Networks of convolutions, recurrences and experts, trained with images split by rows, columns and planes, states by features, and experts apart:

using namespace core;

namespace {

constexpr int steps = 20;

std::shared_ptr<const Program> trainingProgram(const std::shared_ptr<const Graph>& graph, const std::string& mesh, const std::string& layout) {
  auto plan = std::make_shared<Plan>();
  plan->graph = graph;
  Variant variant{.name = "A", .mesh = Mesh::of(mesh), .layout = Layout::of(layout)};
  variant.step.training = true;
  plan->variants.push_back(variant);
  const Analysis analysis = analyze(plan, 0);
  for (const Diagnostic& one : analysis.diagnostics)
    if (one.severity == Diagnostic::Severity::error) qWarning("%s", one.text().c_str());
  return analysis.program;
}

std::vector<double> losses(const Program& program, const std::string& folder) {
  executor::InProcessCommunicator communicator(program.mesh);
  executor::Interpreter interpreter(program, communicator, {});
  executor::loadStates(interpreter, program, 0, folder);
  const auto batches = executor::makeSynthetic(program, 0);
  const std::vector<executor::Input> inputs = executor::inputsOf(program);
  std::vector<double> found;
  for (int step = 1; step <= steps; ++step) {
    executor::feed(*batches, program, inputs, step, interpreter);
    found.push_back(*interpreter.step(step).loss);
  }
  return found;
}

}  // namespace

class ModelTrainingTest : public QObject {
  Q_OBJECT
 private slots:
  void learnsAlikeOnEveryMesh_data();
  void learnsAlikeOnEveryMesh();
};

void ModelTrainingTest::learnsAlikeOnEveryMesh_data() {
  QTest::addColumn<QString>("model");
  QTest::addColumn<QStringList>("layouts");  // a mesh, a bar, a layout
  QTest::newRow("resnet18_w8") << "resnet18_w8" << QStringList{"rows:2|height:rows", "rows:3|height:rows", "rows:2,columns:2|height:rows;width:columns", "data:2,rows:2|batch:data;height:rows"};
  QTest::newRow("unet3d") << "unet3d" << QStringList{"planes:2|depth:planes", "rows:3|height:rows", "rows:2,columns:2|height:rows;width:columns"};
  QTest::newRow("lstm_tagger") << "lstm_tagger" << QStringList{"data:2|batch:data", "model:2|hidden:model", "data:2,model:2|batch:data;emb:model"};
  QTest::newRow("moe_top2_dense") << "moe_top2_dense" << QStringList{"e:2|experts:e", "e:3|experts:e", "data:2,e:2|batch:data;experts:e"};
}

void ModelTrainingTest::learnsAlikeOnEveryMesh() {
  QFETCH(QString, model);
  QFETCH(QStringList, layouts);
  const auto models = tests::sharedModels();
  if (!models) QSKIP("needs the folder of shared models (MESHWRIGHT_MODELS)");
  const std::string folder = *models + "/onnx/torch/" + model.toStdString();
  const auto graph = importModel(folder + "/model.onnx", {}).graph;
  const auto whole = trainingProgram(graph, "", "");
  QVERIFY(whole);
  const std::vector<double> alone = losses(*whole, folder);
  QVERIFY2(alone.back() < alone.front(), qPrintable(QStringLiteral("the loss does not fall: %1 -> %2").arg(alone.front()).arg(alone.back())));
  for (const QString& one : layouts) {
    const auto program = trainingProgram(graph, one.section('|', 0, 0).toStdString(), one.section('|', 1).toStdString());
    QVERIFY2(program, qPrintable(one));
    const std::vector<double> found = losses(*program, folder);
    double worst = 0;
    for (int i = 0; i < steps; ++i) worst = std::max(worst, std::abs(found[i] - alone[i]) / std::abs(alone[i]));
    qInfo("%s: loss %.4f -> %.4f in %d steps, at most %.2g from one device", qPrintable(one), found.front(), found.back(), steps, worst);
    QVERIFY2(worst <= 1e-4, qPrintable(one));
  }
}

QTEST_GUILESS_MAIN(ModelTrainingTest)
#include "model_training_test.moc"
