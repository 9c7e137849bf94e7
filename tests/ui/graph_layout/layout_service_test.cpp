#include "ui/graph_layout/layout_service.h"

#include <QElapsedTimer>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "ui/graph_layout/dot_text.h"
#include "ui/graph_layout/layered.h"

using namespace ui;

Q_DECLARE_METATYPE(std::vector<ui::LevelLayout>)

namespace {

const QString program = QStringLiteral(MESHWRIGHT_BIN "/meshwright-layout");

LevelGraph diamond() {
  LevelGraph graph;
  graph.boxes = {{100, 40}, {80, 30}, {120, 60}, {100, 40}};
  graph.edges = {{.from = 0, .to = 1}, {.from = 0, .to = 2}, {.from = 1, .to = 3}, {.from = 2, .to = 3}};
  return graph;
}

QString script(const QTemporaryDir& dir, const char* name, const QByteArray& body) {
  QString path = dir.filePath(QString::fromLatin1(name));
  QFile file(path);
  file.open(QIODevice::WriteOnly);
  file.write("#!/bin/sh\n" + body + "\n");
  file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  return path;
}

}  // namespace

class LayoutServiceTest : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir dir_;

  std::vector<LevelLayout> answer(LayoutService& service, std::vector<LevelGraph> levels, int milliseconds = 10000) {
    std::vector<LevelLayout> found;
    auto link = connect(&service, &LayoutService::finished, this,
                        [&](quint64, const std::vector<LevelLayout>& layouts) { found = layouts; });
    service.request(std::move(levels));
    QElapsedTimer timer;
    timer.start();
    while (found.empty() && timer.elapsed() < milliseconds) QTest::qWait(5);
    disconnect(link);
    return found;
  }

 private slots:
  void graphvizPlacesTheBoxes() {
    LayoutService service;
    service.setProgram(program);
    auto layouts = answer(service, {diamond(), diamond()});
    QCOMPARE(layouts.size(), std::size_t{2});
    QVERIFY(!layouts[0].fallback);
    QVERIFY(layouts[0].boxes[1].center().y() > layouts[0].boxes[0].bottom());
    QCOMPARE(layouts[0].boxes[1].center().y(), layouts[0].boxes[2].center().y());
    QVERIFY(!layouts[0].boxes[1].intersects(layouts[0].boxes[2]));
  }

  void aMissingChildIsReplacedByOurOwnLayering() {
    LayoutService service;
    service.setProgram("/nowhere/meshwright-layout");
    auto layouts = answer(service, {diamond()});
    QCOMPARE(layouts.size(), std::size_t{1});
    QVERIFY(layouts[0].fallback);
  }

  void aSlowOneIsKilledAtItsDeadline() {
    LayoutService service;
    service.setProgram(script(dir_, "slow", "exec sleep 60"));
    service.setDeadline(150);
    QElapsedTimer timer;
    timer.start();
    auto layouts = answer(service, {diamond()});
    QCOMPARE(layouts.size(), std::size_t{1});
    QVERIFY(layouts[0].fallback);
    QVERIFY(timer.elapsed() < 5000);
  }

  void oneThatDiesOrTalksNonsenseIsReplacedToo_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("dies") << QByteArray("cat > /dev/null; kill -SEGV $$");
    QTest::newRow("fails") << QByteArray("cat > /dev/null; exit 2");
    QTest::newRow("nonsense") << QByteArray("cat > /dev/null; echo hello");
    QTest::newRow("other boxes") << QByteArray(
        "cat > /dev/null; echo '{\"nodes\":[{\"name\":\"n0\",\"x\":1,\"y\":1}]}'");
    QTest::newRow("cut") << QByteArray("cat > /dev/null; printf '{\"nodes\":[{\"name\":\"n0\",'");
    QTest::newRow("reads nothing") << QByteArray("exit 0");
  }
  void oneThatDiesOrTalksNonsenseIsReplacedToo() {
    QFETCH(QByteArray, body);
    LayoutService service;
    service.setProgram(script(dir_, QTest::currentDataTag(), body));
    auto layouts = answer(service, {diamond()});
    QCOMPARE(layouts.size(), std::size_t{1});
    QVERIFY(layouts[0].fallback);
    QCOMPARE(layouts[0].boxes.size(), std::size_t{4});
  }

  void onlyTheNewestRequestIsAnswered() {
    LayoutService service;
    service.setProgram(program);
    QList<quint64> answered;
    connect(&service, &LayoutService::finished, this,
            [&](quint64 ticket, const std::vector<LevelLayout>&) { answered += ticket; });
    service.request({diamond()});
    service.request({diamond()});
    quint64 last = service.request({diamond()});
    QTRY_VERIFY_WITH_TIMEOUT(!answered.isEmpty(), 10000);
    QTest::qWait(300);
    QCOMPARE(answered, QList<quint64>{last});
  }

  void aLevelTooLargeForTheChildIsOurs() {
    LevelGraph large;
    for (std::size_t i = 0; i < LayoutService::largestForChild + 1; ++i) large.boxes.push_back({40, 20});
    LayoutService service;
    service.setProgram(program);
    auto layouts = answer(service, {large, diamond()});
    QCOMPARE(layouts.size(), std::size_t{2});
    QVERIFY(layouts[0].fallback);
    QVERIFY(!layouts[1].fallback);
  }

  void longAndBackEdgesAreLeftOutOfTheText() {
    LevelGraph graph;
    for (int i = 0; i < 100; ++i) graph.boxes.push_back({40, 20});
    for (int i = 1; i < 100; ++i) graph.edges.push_back({.from = i - 1, .to = i});
    graph.edges.push_back({.from = 0, .to = 99});
    graph.edges.push_back({.from = 50, .to = 49, .back = true});
    QByteArray text = dotText(graph);
    QCOMPARE(text.count("->"), 99);
  }

  void goneWhileAChildRuns() {
    auto service = std::make_unique<LayoutService>();
    service->setProgram(script(dir_, "slow2", "exec sleep 60"));
    service->request({diamond()});
    QTest::qWait(50);
    service.reset();  // kills it; nothing is left behind that could call back
    QTest::qWait(50);
  }
};

QTEST_GUILESS_MAIN(LayoutServiceTest)
#include "layout_service_test.moc"
