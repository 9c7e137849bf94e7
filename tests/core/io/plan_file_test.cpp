#include "core/io/plan_file.h"

#include <QTemporaryDir>
#include <QTest>

#include "core/base/error.h"
#include "core/io/file.h"
#include "core/ops/builder.h"
#include "tests/support/schema.h"

using namespace core;

namespace {

InlineSource inlineBytes(std::size_t bytes) { return {std::make_shared<const std::vector<std::byte>>(bytes, std::byte{0xAB})}; }

// One of everything that a plan can hold.
Plan everything() {
  GraphBuilder build;
  build.pushScope("block/0");
  const TensorId x = build.input("x", "batch:8 in:4");
  const TensorId w = build.state("w", build.shape("in out:6"), DType::f32, StateKind::parameter,
                                 FileSource{.path = "/weights/a.bin", .fileBytes = 1000, .offset = 100, .bytes = 96, .stored = DType::f32, .chunkHashes = {0xFEDCBA9876543210u}});
  const TensorId slot = build.state("adam.m/w", build.shape("in out"), DType::f64, StateKind::slot, Initializer{Initializer::Kind::uniform, -0.5, 0.1});
  const TensorId scale = build.constant("scale", build.shape("out"), DType::f32, inlineBytes(24));
  const TensorId mask = build.constant("mask", {}, DType::f32, Initializer{Initializer::Kind::constant, -std::numeric_limits<double>::infinity(), 0});
  const TensorId y = build.plus(build.times(build.einsum({x, w}, "batch out"), scale), mask);
  build.update(slot, build.cast(build.times(w, 2.0), DType::f64));
  build.output(y);
  Graph graph = build.take();
  graph.name = "model \"é\"";
  graph.dims.push_back({"free", 0});
  graph.aliases["both"] = "batch";
  graph.operators[0].attributes["an_integer"] = std::int64_t{3};
  graph.operators[0].attributes["a_number"] = 3.0;
  graph.operators[0].attributes["infinite"] = std::numeric_limits<double>::infinity();
  graph.operators[0].attributes["none"] = std::vector<std::int64_t>{};
  graph.operators[0].attributes["numbers"] = std::vector<double>{0.5, -std::numeric_limits<double>::infinity()};
  graph.operators[0].attributes["texts"] = std::vector<std::string>{"a", ""};
  graph.operators[0].attributes["dims"] = Shape{DimId(1), DimId(0)};
  Plan plan{.name = "a plan", .graph = std::make_shared<const Graph>(std::move(graph)), .origin = "/models/model.onnx", .importNotes = {"one", "two"}, .current = 1, .runs = {"/runs/1"}};
  plan.variants.push_back({.name = "A"});
  plan.variants.push_back({.name = "B",
                           .mesh = Mesh::of("data:2,model:3"),
                           .layout = {.rules = {{"batch", {"data", "model"}}}, .pins = {{"adam.*", {{"in", {"data"}}}}, {"x", {}}}, .choices = {{"einsum", "k", {"model"}}}},
                           .step = {.training = true, .loss = LossKind::crossEntropy, .lossOutput = "y", .optimizer = {OptimizerKind::momentum, 0.25, 0.5, 0.125, 0.75, 1e-300}, .precision = Precision::bf16, .microbatches = 4, .seed = 18446744073709551615u},
                           .data = {Data::Kind::text, "/texts/a.txt"},
                           .machine = "h100"});
  return plan;
}

std::string complaint(const std::string& text) {
  try {
    parsePlan(text, "a.plan.json");
  } catch (const Error& error) {
    return error.text();
  }
  return {};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw Error{.what = "the test's text has no " + from};
  return text.replace(at, from.size(), to);
}

}  // namespace

class PlanFileTest : public QObject {
  Q_OBJECT
 private slots:
  void readsBackWhatItWrites() {
    const Plan plan = everything();
    const std::string text = printPlan(plan);
    QVERIFY(parsePlan(text, "text") == plan);
    QCOMPARE(printPlan(parsePlan(text, "text")), text);
    QCOMPARE(schemaComplaint(text, "plan"), "");
  }

  void keepsPathsRelativeToItsFolder() {
    QTemporaryDir folder;
    Plan plan = everything();
    const std::string path = folder.filePath("a.plan.json").toStdString();
    plan.origin = folder.filePath("models/m.onnx").toStdString();
    plan.variants[0].machine = folder.filePath("mine.json").toStdString();
    writePlan(plan, path);
    QVERIFY(readText(path).find("\"models/m.onnx\"") != std::string::npos);
    QVERIFY(readText(path).find("\"mine.json\"") != std::string::npos);
    QVERIFY(readText(path).find("\"h100\"") != std::string::npos);
    QVERIFY(readPlan(path) == plan);
  }

  void refusesAFileThatIsCutAnywhere() {
    const std::string text = printPlan(everything());
    for (std::size_t cut = 0; cut + 1 < text.size(); cut += 64) {
      const std::string said = complaint(text.substr(0, cut));
      QVERIFY2(said.starts_with("a.plan.json: not JSON at line "), (std::to_string(cut) + ": " + said).c_str());
    }
  }

  void refusesWrongPlans_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const char* from, const char* to, const char* words) { QTest::newRow(name) << from << to << words; };
    row("another format", "meshwright.plan/1", "meshwright.plan/9", "this version reads \"meshwright.plan/1\"");
    row("unknown key", "\"current\": 1", "\"current\": 1, \"colour\": 2", "unknown key \"colour\"");
    row("no such variant", "\"current\": 1", "\"current\": 2", "/current: 2 is out of range (0 to 1)");
    row("variants alike", "\"name\": \"B\"", "\"name\": \"A\"", "/variants/1: two variants are named \"A\"");
    row("size 0", "\"name\": \"batch\", \"size\": 8", "\"name\": \"batch\", \"size\": 0", "/graph/dims/0/size: 0 is out of range (at least 1)");
    row("a huge size", "\"name\": \"batch\", \"size\": 8", "\"name\": \"batch\", \"size\": 4611686018427387904", "more bytes than 64 bits count");
    row("a size of text", "\"name\": \"batch\", \"size\": 8", "\"name\": \"batch\", \"size\": \"8\"", "/graph/dims/0/size: string instead of a whole number");
    row("dimensions alike", "\"name\": \"in\"", "\"name\": \"batch\"", "/graph/dims/1/name: two dimensions are named \"batch\"");
    row("tensors alike", "\"name\": \"adam.m/w\"", "\"name\": \"w\"", "two tensors are named \"w\"");
    row("unknown dimension", "\"shape\": [\"batch\", \"in\"]", "\"shape\": [\"batch\", \"inn\"]", "/graph/tensors/0/shape/1: the graph has no dimension \"inn\"");
    row("dimension twice", "\"shape\": [\"batch\", \"in\"]", "\"shape\": [\"in\", \"in\"]", "\"in\" stands twice in one tensor");
    row("unknown type", "\"dtype\": \"f64\"", "\"dtype\": \"f63\"", "unknown \"f63\" (one of \"f32\"");
    row("unknown tensor", "\"inputs\": [\"x\", \"w\"]", "\"inputs\": [\"x\", \"v\"]", "the graph has no tensor \"v\"");
    row("a cycle", "\"inputs\": [\"x\", \"w\"]", "\"inputs\": [\"block/0/einsum\", \"w\"]", "is read before an operator makes it");
    row("axis twice", "\"name\": \"model\", \"size\": 3", "\"name\": \"data\", \"size\": 3", "/variants/1/mesh/1: the axis \"data\" stands twice");
    row("axis of size 0", "\"name\": \"model\", \"size\": 3", "\"name\": \"model\", \"size\": 0", "/variants/1/mesh/1/size: 0 is out of range");
    row("values of another size", "\"values\": \"q6ur", "\"values\": \"", "bytes of values");
    row("a source beyond its file", "\"offset\": 100", "\"offset\": 990", "lie beyond the file's 1000");
    row("hashes", "[\"fedcba9876543210\"]", "[]", "one for every 16 MiB");
  }
  void refusesWrongPlans() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, words);
    const std::string said = complaint(replaced(printPlan(everything()), from.toStdString(), to.toStdString()));
    QVERIFY2(QString::fromStdString(said).contains(words), said.c_str());
    QVERIFY2(said.starts_with("a.plan.json: "), said.c_str());
  }
};

QTEST_GUILESS_MAIN(PlanFileTest)
#include "plan_file_test.moc"
