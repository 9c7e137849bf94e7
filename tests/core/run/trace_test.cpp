#include "core/run/trace.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/base/error.h"
#include "core/io/chrome_trace.h"
#include "core/run/lines.h"
#include "core/run/run_folder.h"
#include "core/run/where.h"
#include "tests/support/schema.h"

using namespace core;

namespace {

const std::vector<TraceInstruction> instructions = {
    {"fc1", InstructionKind::compute, "einsum"}, {"all-reduce fc1", InstructionKind::start, "all-reduce"}, {"control", InstructionKind::control, ""}};

Span span(std::int32_t rank, std::int32_t instruction, double start, double end) {
  return {.rank = rank, .instruction = instruction, .step = 1, .start = start, .end = end, .bytesIn = 8, .bytesOut = 16, .flops = 1000};
}

}  // namespace

class TraceTest : public QObject {
  Q_OBJECT
 private slots:
  void readsBackWhatRanksWriteWithTheirClocksAligned() {
    QTemporaryDir folder;
    const RunFolder run = createRunFolder(folder.filePath("run").toStdString());
    // Rank 1's clock is 100 seconds ahead; both leave the control instruction at one time.
    for (std::int32_t rank : {0, 1}) {
      TraceWriter writer(run.trace(rank), rank, 2, 0, instructions);
      writer.write(span(rank, 0, 1 + 100 * rank, 2 + 100 * rank));
      writer.write(span(rank, 2, 2 + 100 * rank, 4 + 100 * rank));
      writer.write(MemoryCount{.rank = rank, .step = 1, .bytes = {1, 2, 3, 4, 5, 6}, .runtime = 7});
    }
    const Trace trace = readTrace(run.path);
    QCOMPARE(trace.ranks, 2);
    QVERIFY(trace.instructions == instructions);
    QCOMPARE(trace.spans.size(), 4u);
    QVERIFY(trace.spans[0] == span(0, 0, 0, 1));
    QVERIFY(trace.spans[3] == span(1, 2, 1, 3));
    QCOMPARE(trace.memory.size(), 2u);
    QVERIFY((trace.memory[1] == MemoryCount{.rank = 1, .step = 1, .bytes = {1, 2, 3, 4, 5, 6}, .runtime = 7}));
  }

  void readsUpToTheLastWholeLine() {
    QTemporaryDir folder;
    const std::string path = folder.filePath("rank.0.ndjson").toStdString();
    {
      TraceWriter writer(path, 0, 1, 0, instructions);
      writer.write(span(0, 0, 1, 2));
      writer.write(span(0, 1, 2, 3));
    }
    QFile file(QString::fromStdString(path));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray whole = file.readAll();
    for (qsizetype cut = 0; cut <= whole.size(); ++cut) {
      QFile shorter(folder.filePath("cut.ndjson"));
      QVERIFY(shorter.open(QIODevice::WriteOnly | QIODevice::Truncate));
      shorter.write(whole.left(cut));
      shorter.close();
      Trace trace;
      TraceReader(folder.filePath("cut.ndjson").toStdString()).poll(trace);
      QCOMPARE(trace.spans.size(), static_cast<std::size_t>(std::max<qsizetype>(0, whole.left(cut).count('\n') - 1)));
    }
  }

  void writesLinesOfItsSchema() {
    QTemporaryDir folder;
    const std::string path = folder.filePath("rank.0.ndjson").toStdString();
    {
      TraceWriter writer(path, 0, 1, 1764500000.25, instructions);
      writer.write(span(0, 0, 1, 2));
      writer.write(MemoryCount{.step = 1});
    }
    std::int64_t offset = 0;
    const auto lines = newLines(path, offset);
    QCOMPARE(lines.size(), 3u);
    for (const std::string& line : lines) QCOMPARE(schemaComplaint(line, "trace"), "");
  }

  // A reader that looks often meets the first line alone, and a trace that it hasn't filled before.
  void isReadInPieces() {
    QTemporaryDir folder;
    const std::string path = folder.filePath("rank.0.ndjson").toStdString();
    TraceReader reader(path);
    TraceWriter writer(path, 0, 1, 0, instructions);
    writer.flush();
    Trace first;
    reader.poll(first, 64);
    QCOMPARE(first.instructions, instructions);
    std::vector<Span> written;
    for (int i = 0; i < 50; ++i) {
      written.push_back(span(0, i % 2, i, i + 0.5));
      writer.write(written.back());
    }
    writer.flush();
    std::vector<Span> read;
    for (int looks = 0; looks < 50 && read.size() < written.size(); ++looks) {
      Trace more;
      reader.poll(more, 200);
      read.insert(read.end(), more.spans.begin(), more.spans.end());
    }
    QCOMPARE(read, written);
  }

  void refusesAnInstructionThatTheHeaderLacks() {
    QTemporaryDir folder;
    const std::string path = folder.filePath("rank.0.ndjson").toStdString();
    { TraceWriter(path, 0, 1, 0, instructions).write(span(0, 3, 1, 2)); }
    Trace trace;
    try {
      TraceReader(path).poll(trace);
      QFAIL("an unknown instruction was taken");
    } catch (const Error& error) {
      QVERIFY2(error.text().find("line 2: /1") != std::string::npos, error.text().c_str());
    }
  }

  void leavesAsAChromeTrace() {
    Trace trace{.instructions = instructions, .spans = {span(0, 0, 0, 0.001)}, .ranks = 1};
    const std::string text = printChromeTrace(trace, "a \"run\"");
    QVERIFY(text.find(R"("name":"fc1","cat":"compute,einsum","ph":"X","pid":0,"tid":0,"ts":0.000,"dur":1000.000)") != std::string::npos);
  }

  void remembersWhereARankWas() {
    QTemporaryDir folder;
    const std::string path = folder.filePath("where.0").toStdString();
    QVERIFY(!readWhere(path));
    {
      WhereWriter writer(path);
      writer.at(7, 42);
      QCOMPARE(readWhere(path)->step, 7);
      QCOMPARE(readWhere(path)->instruction, 42);
      QVERIFY(!readWhere(path)->finished);
      writer.finished();
    }
    QVERIFY(readWhere(path)->finished);
  }
};

QTEST_GUILESS_MAIN(TraceTest)
#include "trace_test.moc"
