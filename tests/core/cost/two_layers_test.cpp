#include <QtTest>
#include <map>

#include "core/ops/builder.h"
#include "core/plan/analyze.h"

using namespace core;

// Two fully-connected layers y = f(x w) v, trained; what Mesh-TensorFlow's table says of each layout, derived anew:
//
//   layout        all-reduced forward   all-reduced backward
//   b:n           0                     2 d_x d_h (gradients)
//   d_h:n         b d_x (y)             b d_x (dx)
//   d_x:n         b d_h (before f)      b d_h (dh)
//   b:r, d_h:c    (b/r) d_x over c      (b/r) d_x over c, 2 d_x d_h / c over r
//   b:r, d_x:c    (b/r) d_h over c      (b/r) d_h over c, 2 d_x d_h / c over r
//
// x is a parameter here, so that dx is asked for; where b is split its gradient is local.

namespace {

constexpr std::int64_t b = 16, dx = 12, dh = 20;

Analysis analysed(const std::string& mesh, const std::string& layout) {
  GraphBuilder build;
  const TensorId x = build.parameter("x", "b:16 d_x:12"), w = build.parameter("w", "d_x:12 d_h:20"), v = build.parameter("v", "d_h:20 d_x:12");
  build.output(build.einsum({build.unary(Function::tanh, build.einsum({x, w}, "b d_h")), v}, "b d_x"));
  auto plan = std::make_shared<Plan>();
  plan->graph = std::make_shared<const Graph>(build.take());
  Variant variant{.name = "A", .mesh = Mesh::of(mesh), .layout = Layout::of(layout)};
  variant.step.training = true;
  variant.step.optimizer.kind = OptimizerKind::sgd;
  plan->variants.push_back(variant);
  return analyze(plan, 0);
}

// Elements of all-reduces by axis, those of single numbers left out.
std::map<std::string, std::int64_t> reduced(const Analysis& analysis) {
  std::map<std::string, std::int64_t> elements;
  for (const PricedInstruction& one : analysis.cost->devices.front().instructions) {
    if (one.instruction->kind != InstructionKind::start || one.cost.bytesIn <= 8) continue;
    std::string axes;
    for (AxisId axis : one.instruction->collective.axes) axes += analysis.program->mesh.axes[axis].name;
    if (one.instruction->collective.kind != CollectiveKind::allReduce) axes = std::string(toString(one.instruction->collective.kind)) + " " + axes;
    elements[axes] += one.cost.bytesIn / 4;
  }
  return elements;
}

using Expected = std::map<std::string, std::int64_t>;

}  // namespace

class TwoLayersTest : public QObject {
  Q_OBJECT

 private slots:
  void allReducesAreThoseOfTheTable_data();
  void allReducesAreThoseOfTheTable();
  void workIsSplitOrRedundant();
  void parametersAreStoredAsTheTableSays();
};

Q_DECLARE_METATYPE(Expected)

void TwoLayersTest::allReducesAreThoseOfTheTable_data() {
  QTest::addColumn<QString>("mesh");
  QTest::addColumn<QString>("layout");
  QTest::addColumn<Expected>("expected");
  QTest::newRow("replicated") << "n:4" << "" << Expected{};
  QTest::newRow("b:n") << "n:4" << "b:n" << Expected{{"n", 2 * dx * dh}};
  QTest::newRow("d_h:n") << "n:4" << "d_h:n" << Expected{{"n", 2 * b * dx}};
  QTest::newRow("d_x:n") << "n:4" << "d_x:n" << Expected{{"n", 2 * b * dh}};
  QTest::newRow("b:r, d_h:c") << "r:2,c:4" << "b:r;d_h:c" << Expected{{"c", 2 * b / 2 * dx}, {"r", 2 * dx * dh / 4}};
  QTest::newRow("b:r, d_x:c") << "r:2,c:4" << "b:r;d_x:c" << Expected{{"c", 2 * b / 2 * dh}, {"r", 2 * dx * dh / 4}};
}

void TwoLayersTest::allReducesAreThoseOfTheTable() {
  QFETCH(QString, mesh);
  QFETCH(QString, layout);
  QFETCH(Expected, expected);
  const Analysis analysis = analysed(mesh.toStdString(), layout.toStdString());
  QVERIFY2(analysis.cost, analysis.diagnostics.empty() ? "" : analysis.diagnostics.front().text().c_str());
  const Expected found = reduced(analysis);
  if (found != expected) qInfo("%s", print(*analysis.program).c_str());
  QVERIFY(found == expected);
}

// 12 b d_x d_h flops a step in products, divided among all devices; replicated, every device does all of it.
void TwoLayersTest::workIsSplitOrRedundant() {
  const Analysis whole = analysed("n:1", ""), replicated = analysed("n:4", ""), split = analysed("r:2,c:2", "b:r;d_h:c");
  const std::int64_t useful = whole.cost->usefulFlops;
  QVERIFY(useful >= 12 * b * dx * dh);
  QCOMPARE(replicated.cost->redundantFlops, 3 * useful);
  for (const PricedInstruction& one : split.cost->devices.front().instructions)
    if (one.instruction->op == "einsum") QCOMPARE(one.cost.flops, 2 * b * dx * dh / 4);
}

void TwoLayersTest::parametersAreStoredAsTheTableSays() {
  const auto parameters = [](const char* mesh, const char* layout) {
    return analysed(mesh, layout).cost->devices.front().peak.bytes[static_cast<std::size_t>(MemoryClass::parameters)] / 4;
  };
  QCOMPARE(parameters("n:4", "b:n"), b / 4 * dx + 2 * dx * dh);
  QCOMPARE(parameters("n:4", "d_h:n"), b * dx + 2 * dx * dh / 4);
  QCOMPARE(parameters("n:4", "d_x:n"), b * dx / 4 + 2 * dx * dh / 4);
  QCOMPARE(parameters("r:2,c:4", "b:r;d_h:c"), b / 2 * dx + 2 * dx * dh / 4);
}

QTEST_GUILESS_MAIN(TwoLayersTest)
#include "two_layers_test.moc"
