#include "core/run/events.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "core/base/error.h"
#include "tests/support/schema.h"

using namespace core;

namespace {

void append(const std::string& path, const std::string& text) {
  QFile file(QString::fromStdString(path));
  QVERIFY(file.open(QIODevice::Append));
  file.write(text.data(), static_cast<qint64>(text.size()));
}

const std::vector<Event> examples = {
    StartedEvent{.ranks = 4, .mesh = "data:2,model:2", .firstStep = 3, .steps = 50, .time = 1764500000.25},
    StepEvent{.step = 3, .loss = 5.545, .seconds = 0.021},
    StepEvent{.step = 4, .seconds = 0.5},
    StepEvent{.step = 5, .loss = -std::numeric_limits<double>::infinity(), .seconds = 0.5},
    SpansEvent{.step = 4, .kinds = {{.kind = "compute", .calls = 212, .seconds = 0.017, .flops = 90211}, {.kind = "start", .calls = 2, .seconds = 0.001, .bytesIn = 7, .bytesOut = 9}}},
    CheckpointEvent{.step = 25, .path = "checkpoints/step-25"},
    FinishedEvent{.state = RunState::failed, .rank = 2, .step = 31, .instruction = "all-reduce h.0/attn", .message = "ended by \"signal 9\"\n(Killed)"},
    FinishedEvent{.state = RunState::done}};

}  // namespace

class EventsTest : public QObject {
  Q_OBJECT
 private slots:
  void readsBackWhatItWrites() {
    for (const Event& event : examples) {
      const std::string line = toLine(event);
      QVERIFY2(line.find('\n') == std::string::npos, line.c_str());
      QVERIFY2(parseEvent(line, "events") == event, line.c_str());
      QCOMPARE(schemaComplaint(line, "event"), "");
    }
    const Event nan = parseEvent(toLine(StepEvent{.step = 1, .loss = std::nan("")}), "events");
    QVERIFY(std::isnan(*std::get<StepEvent>(nan).loss));
  }

  void beginsAStepAsScriptsExpect() {
    QVERIFY(toLine(StepEvent{.step = 1, .loss = 5.5, .seconds = 0.25}).starts_with(R"({"event":"step","step":1,"loss":5.5)"));
  }

  void waitsForTheEndOfALine() {
    QTemporaryDir folder;
    const std::string path = folder.filePath("events.ndjson").toStdString();
    EventReader reader(path);
    QVERIFY(reader.poll().empty());
    const std::string line = toLine(examples[1]) + "\n";
    append(path, line.substr(0, 20));
    QVERIFY(reader.poll().empty());
    append(path, line.substr(20) + line + line.substr(0, 5));
    QCOMPARE(reader.poll().size(), 2u);
    append(path, line.substr(5));
    const auto last = reader.poll();
    QCOMPARE(last.size(), 1u);
    QVERIFY(last[0] == examples[1]);
  }

  void namesABrokenLineOnceAndGoesOn() {
    QTemporaryDir folder;
    const std::string path = folder.filePath("events.ndjson").toStdString();
    append(path, toLine(examples[1]) + "\n{\"event\":\"nonsense\"}\n");
    EventReader reader(path);
    try {
      reader.poll();
      QFAIL("a broken line was taken");
    } catch (const Error& error) {
      QVERIFY2(error.text().find("events.ndjson, line 2") != std::string::npos, error.text().c_str());
    }
    append(path, toLine(examples[2]) + "\n");
    QCOMPARE(reader.poll().size(), 1u);
  }

  void dropsALineThatWasCut() {
    QTemporaryDir folder;
    const std::string path = folder.filePath("events.ndjson").toStdString();
    append(path, toLine(examples[1]) + "\n{\"event\":\"st");
    EventWriter(path).write(examples.back());
    const auto all = EventReader(path).poll();
    QCOMPARE(all.size(), 2u);
    QVERIFY(all.back() == examples.back());
  }
};

QTEST_GUILESS_MAIN(EventsTest)
#include "events_test.moc"
