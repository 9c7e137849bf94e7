#include <QtTest>

#include <algorithm>
#include <cmath>

#include "core/io/import.h"
#include "core/plan/analyze.h"
#include "executor/collectives/in_process.h"
#include "executor/data/batches.h"
#include "executor/interpreter.h"
#include "executor/states.h"

using namespace core;

namespace {

constexpr int steps = 50;

const std::string sources = MESHWRIGHT_SOURCE;

std::shared_ptr<const Program> trainingProgram(const char* mesh, const char* layout) {
  static const auto graph = importModel(sources + "/samples/models/gpt_bytes.onnx", {}).graph;
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

std::vector<double> losses(const Program& program) {
  executor::InProcessCommunicator communicator(program.mesh);
  executor::Interpreter interpreter(program, communicator, {});
  executor::loadStates(interpreter, program, 0, sources + "/samples/models");
  const auto batches = executor::makeText(program, sources + "/LICENSE", 0);
  const std::vector<executor::Input> inputs = executor::inputsOf(program);
  std::vector<double> found;
  for (int step = 1; step <= steps; ++step) {
    executor::feed(*batches, program, inputs, step, interpreter);
    found.push_back(*interpreter.step(step).loss);
  }
  return found;
}

}  // namespace

class SameLossTest : public QObject {
  Q_OBJECT
 private slots:
  void isTheSameOnEveryMesh_data();
  void isTheSameOnEveryMesh();
};

void SameLossTest::isTheSameOnEveryMesh_data() {
  QTest::addColumn<QString>("mesh");
  QTest::addColumn<QString>("layout");
  const auto row = [](const char* mesh, const char* layout) { QTest::addRow("%s on %s", layout, mesh) << QString(mesh) << QString(layout); };
  row("data:2", "batch:data");
  row("model:2", "heads:model;ffn:model;vocab:model");
  row("seq:2", "seq:seq");
  row("data:2,model:2", "batch:data;heads:model;ffn:model");
  row("data:2,model:2", "batch:data;batch:model");
  row("data:2,model:2", "seq:data;heads:model;ffn:model");
  row("data:2,model:2,seq:2", "batch:data;heads:model;ffn:model;seq:seq");
}

// Text, trained on real numbers of the model file.
void SameLossTest::isTheSameOnEveryMesh() {
  static const std::vector<double> alone = losses(*trainingProgram("", ""));
  QVERIFY2(*std::min_element(alone.end() - 5, alone.end()) < 0.8 * alone.front(), "the loss does not fall");
  QFETCH(QString, mesh);
  QFETCH(QString, layout);
  const auto program = trainingProgram(qPrintable(mesh), qPrintable(layout));
  QVERIFY(program);
  const std::vector<double> found = losses(*program);
  double worst = 0;
  for (int i = 0; i < steps; ++i) worst = std::max(worst, std::abs(found[i] - alone[i]) / std::abs(alone[i]));
  qInfo("loss %.4f -> %.4f in %d steps, at most %.2g from one device", found.front(), found.back(), steps, worst);
  QVERIFY(worst <= 1e-4);
}

QTEST_GUILESS_MAIN(SameLossTest)
#include "same_loss_test.moc"
