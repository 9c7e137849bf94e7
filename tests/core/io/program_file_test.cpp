#include "core/io/program_file.h"

#include <QTest>
#include <random>

#include "core/base/error.h"
#include "core/ops/builder.h"
#include "core/spmd/partition.h"
#include "tests/support/schema.h"

using namespace core;

namespace {

Program mlp() {
  GraphBuilder build;
  const TensorId x = build.input("x", "batch:6 in:4"), ids = build.input("ids", "batch", DType::i64);
  const TensorId first = build.parameter("first", "in hidden:5"), table = build.parameter("table", "rows:7 hidden");
  const TensorId y = build.plus(build.einsum({x, first}, "batch hidden"), build.gather(table, build.dim("rows", 7), ids));
  build.output(build.sum(build.unary(Function::relu, y), build.shape("hidden")));
  return partition(build.take(), Layout::of("batch:data;hidden:model;rows:data"), Mesh::of("data:2,model:2"), {}).program;
}

// One of everything that a program can hold, whether it makes sense or not.
Program everything() {
  Program program = mlp();
  Buffer& buffer = program.buffers[0];
  buffer.placement.windows.assign(buffer.sizes.size(), Window{});
  buffer.placement.windows[0] = {.extent = 9, .factor = 2, .low = -3, .high = 4, .divide = 5};
  buffer.alias = BufferId(1);
  program.sources.resize(program.buffers.size());
  program.sources[0] = Initializer{Initializer::Kind::normal, 0, 0.02};
  program.loss = BufferId(0);
  program.arenaBytes = 4096;
  Expression& expression = program.expressions[0];
  expression.nodes.push_back({.kind = Node::Kind::random, .loops = {0}, .dtype = DType::bf16, .seed = "dropout \"1\""});
  expression.nodes.push_back({.kind = Node::Kind::constant, .value = -std::numeric_limits<double>::infinity()});
  expression.nodes.push_back({.kind = Node::Kind::reduce, .a = 0, .loops = {0}, .reduction = Reduction::max});
  Instruction repeat{.kind = InstructionKind::repeat, .name = "layers", .reason = "blocks h.0 to h.3 are equal", .body = program.instructions, .count = 3};
  repeat.views.push_back({BufferId(0), {BufferId(0), BufferId(1), BufferId(2)}});
  program.instructions.push_back(repeat);
  program.instructions.push_back({.kind = InstructionKind::start,
                                  .name = "exchange",
                                  .origin = "x",
                                  .inputs = {BufferId(0)},
                                  .outputs = {BufferId(1)},
                                  .attributes = {{"dims", Shape{DimId(3)}}, {"scale", 0.5}},
                                  .collective = {.kind = CollectiveKind::allToAll, .axes = {1, 0}, .reduction = Reduction::max, .splitDim = 1, .concatDim = 0},
                                  .pair = 7});
  return program;
}

std::string complaint(const std::string& text) {
  try {
    parseProgram(text, "program.json");
  } catch (const Error& error) {
    return error.text();
  }
  return {};
}

}  // namespace

class ProgramFileTest : public QObject {
  Q_OBJECT
 private slots:
  void readsBackWhatItWrites() {
    for (const Program& program : {mlp(), everything()}) {
      const std::string text = printProgramJson(program);
      QVERIFY(parseProgram(text, "text") == program);
      QCOMPARE(printProgramJson(parseProgram(text, "text")), text);
      QCOMPARE(schemaComplaint(text, "program"), "");
    }
  }

  void refusesAFileThatIsCutAnywhere() {
    const std::string text = printProgramJson(everything());
    for (std::size_t cut = 0; cut + 1 < text.size(); cut += 64) QVERIFY(complaint(text.substr(0, cut)).starts_with("program.json: not JSON at line "));
  }

  // Numbers in a program name buffers, loops, nodes: a changed one is refused, or makes another program, but never a crash.
  void survivesChangedDigits() {
    const std::string text = printProgramJson(everything());
    std::mt19937 random(1);
    int refused = 0;
    for (int round = 0; round < 3000; ++round) {
      std::string changed = text;
      for (std::size_t at = random() % text.size();; at = (at + 1) % text.size())
        if (changed[at] >= '0' && changed[at] <= '9') {
          changed[at] = static_cast<char>('0' + random() % 10);
          break;
        }
      refused += complaint(changed).empty() ? 0 : 1;
    }
    QVERIFY2(refused > 100, "hardly any change was noticed");
  }

  void refusesWrongPrograms_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("words");
    QTest::newRow("no such buffer") << "\"loss\": 0" << "\"loss\": 999" << "program.json: /loss: 999 is out of range";
    QTest::newRow("no such axis") << "\"axes\": [\"model\", \"data\"]" << "\"axes\": [\"model\", \"date\"]" << "the mesh has no axis \"date\" (one of data, model)";
    QTest::newRow("iterations") << "\"count\": 3" << "\"count\": 4" << "3 buffers (4, one for each iteration)";
    QTest::newRow("class") << "\"class\": \"inputs\"" << "\"class\": \"input\"" << "unknown \"input\"";
    QTest::newRow("size 0") << "\"sizes\": [6, 4]" << "\"sizes\": [6, 0]" << "/sizes/1: 0 is out of range";
    QTest::newRow("huge") << "\"sizes\": [6, 4]" << "\"sizes\": [6, 4611686018427387904]" << "more bytes than 64 bits count";
  }
  void refusesWrongPrograms() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, words);
    std::string text = printProgramJson(everything());
    const std::size_t at = text.find(from.toStdString());
    QVERIFY(at != std::string::npos);
    const std::string said = complaint(text.replace(at, static_cast<std::size_t>(from.size()), to.toStdString()));
    QVERIFY2(QString::fromStdString(said).contains(words), said.c_str());
  }
};

QTEST_GUILESS_MAIN(ProgramFileTest)
#include "program_file_test.moc"
