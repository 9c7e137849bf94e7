#include <QtTest>

#include <algorithm>
#include <map>

#include "core/io/import.h"
#include "core/plan/analyze.h"
#include "core/spmd/roll.h"

using namespace core;

namespace {

constexpr int layers = 4;

std::shared_ptr<const Program> trainingProgram(const char* layout, const char* mesh) {
  auto plan = std::make_shared<Plan>();
  plan->graph = importModel(std::string(MESHWRIGHT_SOURCE) + "/samples/models/gpt_bytes.onnx", {}).graph;
  Variant variant{.name = "A", .mesh = Mesh::of(mesh), .layout = Layout::of(layout)};
  variant.step.training = true;
  plan->variants.push_back(variant);
  const Analysis analysis = analyze(plan, 0);
  for (const Diagnostic& one : analysis.diagnostics)
    if (one.severity == Diagnostic::Severity::error) qWarning("%s", one.text().c_str());
  return analysis.program ? std::make_shared<const Program>(flatten(*analysis.program)) : nullptr;  // each layer for itself
}

struct Found {
  std::map<std::string, std::vector<const Instruction*>> byAxes;  // "all-reduce model"
  int controls = 0;
};

Found collectivesOf(const Program& program) {
  Found found;
  for (const Instruction& one : program.instructions) {
    found.controls += one.kind == InstructionKind::control;
    if (one.kind != InstructionKind::start) continue;
    std::string key(toString(one.collective.kind));
    for (AxisId axis : one.collective.axes) key += " " + program.mesh.axes[axis].name;
    found.byAxes[key].push_back(&one);
  }
  return found;
}

QString listed(const Found& found) {
  QString text;
  for (const auto& [key, all] : found.byAxes) {
    text += QStringLiteral("%1 x%2\n").arg(QString::fromStdString(key)).arg(all.size());
    for (const Instruction* one : all) text += "  " + QString::fromStdString(one->name + ": " + one->reason) + "\n";
  }
  return text;
}

}  // namespace

// What Megatron counts: Shoeybi et al. 2019, section 3.
class KnownPatternsTest : public QObject {
  Q_OBJECT
 private slots:
  void tensorParallelReducesTheResidualTwiceEachWay();
  void dataParallelReducesGradientsOnce();
};

void KnownPatternsTest::tensorParallelReducesTheResidualTwiceEachWay() {
  const auto program = trainingProgram("batch:data;heads:model;ffn:model", "data:2,model:2");
  QVERIFY(program);
  const Found found = collectivesOf(*program);
  QVERIFY2(found.byAxes.size() == 2, qPrintable(listed(found)));
  const auto& model = found.byAxes.at("all-reduce model");
  QVERIFY2(model.size() == 4 * layers, qPrintable(listed(found)));
  for (const Instruction* one : model) {
    QVERIFY2(one->inputs.size() == 1, qPrintable(listed(found)));
    QCOMPARE(program->buffers[one->inputs[0].index()].bytes, 4 * 32 * 64 * 4);  // half the batch of 8, seq 32, d_model 64, f32
  }
  QVERIFY2(found.byAxes.at("all-reduce data").size() == 1, qPrintable(listed(found)));
  QCOMPARE(found.controls, 1);
  // The packed query-key-value weight is split by heads as it lies.
  for (const Instruction& one : program->instructions)
    if (one.kind == InstructionKind::place || one.kind == InstructionKind::start)
      for (BufferId id : one.inputs) QVERIFY(program->buffers[id.index()].name.find("c_attn.weight") == std::string::npos || program->buffers[id.index()].name.rfind("grad/", 0) == 0);
}

void KnownPatternsTest::dataParallelReducesGradientsOnce() {
  const auto program = trainingProgram("batch:data", "data:2,model:2");
  QVERIFY(program);
  const Found found = collectivesOf(*program);
  QVERIFY2(found.byAxes.size() == 1 && found.byAxes.count("all-reduce data") == 1, qPrintable(listed(found)));
  QVERIFY2(found.byAxes.at("all-reduce data").size() == 1, qPrintable(listed(found)));
  QCOMPARE(found.controls, 1);
}

QTEST_GUILESS_MAIN(KnownPatternsTest)
#include "known_patterns_test.moc"
