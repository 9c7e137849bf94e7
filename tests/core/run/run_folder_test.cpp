#include "core/run/run_folder.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/base/error.h"
#include "core/io/file.h"
#include "tests/support/schema.h"

using namespace core;

class RunFolderTest : public QObject {
  Q_OBJECT
 private slots:
  void readsBackItsInfo() {
    QTemporaryDir folder;
    const RunFolder run = createRunFolder(folder.filePath("a/b/run").toStdString());
    const RunInfo info{.pid = 12,
                       .host = "node",
                       .started = 1764500000.25,
                       .heartbeat = 1764500010.5,
                       .state = RunState::stopped,
                       .ranks = 4,
                       .variant = "A",
                       .settings = {.steps = 50, .data = {Data::Kind::text, "/texts/a.txt"}, .checkpointEvery = 10, .from = "/runs/0", .seed = 18446744073709551615u, .threads = 2, .inference = true}};
    writeRunInfo(run, info);
    QVERIFY(readRunInfo(run) == info);
    QVERIFY(isRunFolder(run.path));
    QCOMPARE(schemaComplaint(readText(run.run()), "run"), "");
  }

  void refusesAFolderThatHoldsARunAndAPathThroughAFile() {
    QTemporaryDir folder;
    const std::string path = folder.filePath("run").toStdString();
    writeRunInfo(createRunFolder(path), {});
    QVERIFY_EXCEPTION_THROWN(createRunFolder(path), Error);
    QFile file(folder.filePath("file"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    try {
      createRunFolder(folder.filePath("file/below/run").toStdString());
      QFAIL("a folder below a file was made");
    } catch (const Error& error) {
      QVERIFY2(error.text().find("file is a file, not a folder") != std::string::npos, error.text().c_str());
    }
    QVERIFY_EXCEPTION_THROWN(openRunFolder(folder.filePath("nothing").toStdString()), Error);
    QVERIFY_EXCEPTION_THROWN(openRunFolder(folder.path().toStdString()), Error);
  }

  void noticesThatNobodyLooksAfterARun() {
    const RunInfo info{.heartbeat = 100, .state = RunState::running};
    QVERIFY(!isOrphaned(info, 105));
    QVERIFY(isOrphaned(info, 120));
    QVERIFY(!isOrphaned({.heartbeat = 100, .state = RunState::done}, 120));
  }
};

QTEST_GUILESS_MAIN(RunFolderTest)
#include "run_folder_test.moc"
