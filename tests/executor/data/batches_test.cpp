#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

#include "core/ops/builder.h"
#include "core/plan/analyze.h"
#include "executor/collectives/in_process.h"
#include "executor/data/arrays.h"
#include "executor/data/batches.h"
#include "executor/tensor.h"

using namespace executor;

class BatchesTest : public QObject {
  Q_OBJECT

 private slots:
  void idsAreBoundedByTheTableTheyIndex();
  void noLayoutChangesWhatIsFed_data();
  void noLayoutChangesWhatIsFed();
  void aStepFeedsWhatNoOtherStepDoes();
  void labelsAreTheNextIds();
  void aByteOutsideTheVocabularyIsRefused();
  void arraysAreTakenInTurn();
};

namespace {

// ids and labels of a small model of text.
core::Program program(const char* mesh, const char* layout) {
  core::GraphBuilder build;
  const core::TensorId ids = build.input("ids", "batch:4 seq:6", core::DType::i64);
  const core::TensorId labels = build.input("labels", "batch seq", core::DType::i64);
  const core::TensorId table = build.parameter("table", "vocab:16 d:8");
  const core::TensorId x = build.gather(table, build.dim("vocab", 16), ids);
  const core::TensorId head = build.parameter("head", "d classes:16");
  build.output(build.crossEntropy(build.einsum({x, head}, "batch seq classes"), build.dim("classes", 16), labels));
  auto plan = std::make_shared<core::Plan>();
  plan->graph = std::make_shared<core::Graph>(build.take());
  plan->variants = {core::Variant{.name = "A", .mesh = core::Mesh::of(mesh), .layout = core::Layout::of(layout)}};
  return *core::analyze(plan, 0).program;
}

std::vector<std::vector<double>> fed(const core::Program& made, const Batches& batches, std::int64_t step) {
  InProcessCommunicator communicator(made.mesh);
  Interpreter interpreter(made, communicator, {});
  feed(batches, made, inputsOf(made), step, interpreter);
  std::vector<std::vector<double>> all;
  for (core::BufferId id : made.inputs) {
    std::vector<const std::byte*> blocks;
    for (std::size_t rank = 0; rank < interpreter.localRanks(); ++rank) blocks.push_back(interpreter.data(rank, id));
    all.push_back(gather(made.buffers[id.index()], made.mesh, blocks).values());
  }
  return all;
}

QString textFile(const QTemporaryDir& folder, const std::string& text) {
  const QString path = folder.path() + "/text";
  std::ofstream(path.toStdString(), std::ios::binary) << text;
  return path;
}

}  // namespace

void BatchesTest::idsAreBoundedByTheTableTheyIndex() {
  for (const char* layout : {"", "vocab:a;classes:a", "batch:a"}) {
    const core::Program made = program("a:2", layout);
    for (const Input& one : inputsOf(made)) QCOMPARE(one.below, std::int64_t{16});
  }
}

void BatchesTest::noLayoutChangesWhatIsFed_data() {
  QTest::addColumn<QString>("mesh");
  QTest::addColumn<QString>("layout");
  QTest::newRow("batch") << "a:2" << "batch:a";
  QTest::newRow("uneven") << "a:3" << "batch:a";
  QTest::newRow("both") << "a:2,b:4" << "batch:a;seq:b";
}

void BatchesTest::noLayoutChangesWhatIsFed() {
  QFETCH(QString, mesh);
  QFETCH(QString, layout);
  const core::Program alone = program("", ""), split = program(qPrintable(mesh), qPrintable(layout));
  for (std::int64_t step : {1, 2}) QCOMPARE(fed(split, *makeSynthetic(split, 9), step), fed(alone, *makeSynthetic(alone, 9), step));
}

void BatchesTest::aStepFeedsWhatNoOtherStepDoes() {
  const core::Program made = program("", "");
  const auto batches = makeSynthetic(made, 9);
  QVERIFY(fed(made, *batches, 1) != fed(made, *batches, 2));
  QVERIFY(fed(made, *batches, 1) != fed(made, *makeSynthetic(made, 10), 1));
  QCOMPARE(fed(made, *batches, 3), fed(made, *batches, 3));
}

void BatchesTest::labelsAreTheNextIds() {
  QTemporaryDir folder;
  const core::Program made = program("", "");
  std::string text;
  for (int i = 0; i < 40; ++i) text += static_cast<char>(i * i % 16);
  for (const auto& batches : {makeSynthetic(made, 1), makeText(made, textFile(folder, text).toStdString(), 1)}) {
    const auto all = fed(made, *batches, 4);
    for (std::size_t row = 0; row < 4; ++row)
      for (std::size_t at = 0; at + 1 < 6; ++at) QCOMPARE(all[1][row * 6 + at], all[0][row * 6 + at + 1]);
  }
}

void BatchesTest::aByteOutsideTheVocabularyIsRefused() {
  QTemporaryDir folder;
  const core::Program made = program("", "");
  try {
    makeText(made, textFile(folder, std::string(30, '\3') + "A").toStdString(), 0);
    QFAIL("nothing was refused");
  } catch (const core::Error& error) {
    QVERIFY2(error.text().find("byte 65") != std::string::npos && error.text().find("16") != std::string::npos, error.text().c_str());
  }
  QVERIFY_EXCEPTION_THROWN(makeText(made, textFile(folder, "abc").toStdString(), 0), core::Error);
}

void BatchesTest::arraysAreTakenInTurn() {
  QTemporaryDir folder;
  const core::Program made = program("", "");
  for (const char* name : {"ids", "labels"}) {
    std::ofstream file((folder.path() + "/" + name + ".npy").toStdString(), std::ios::binary);
    std::string header = "{'descr': '<i8', 'fortran_order': False, 'shape': (6, 6), }";
    header.resize(118, ' ');
    file << "\x93NUMPY" << '\1' << '\0' << static_cast<char>(header.size()) << '\0' << header;
    for (std::int64_t i = 0; i < 36; ++i) file.write(reinterpret_cast<const char*>(&i), 8);
  }
  const auto batches = makeArrays(made, folder.path().toStdString());
  QCOMPARE(fed(made, *batches, 1)[0].front(), 0.0);
  QCOMPARE(fed(made, *batches, 2)[0].front(), 24.0);   // rows 4, 5, 0, 1
  QCOMPARE(fed(made, *batches, 2)[0].back(), 11.0);
  QVERIFY_EXCEPTION_THROWN(makeArrays(made, "/nowhere"), core::Error);
}

QTEST_GUILESS_MAIN(BatchesTest)
#include "batches_test.moc"
