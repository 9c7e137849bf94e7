#include "ui/document/recovery.h"

#include <sys/wait.h>
#include <unistd.h>

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

#include "../../core/plan/edit/small_plan.h"
#include "core/plan/edit/layout.h"

using namespace ui;

class RecoveryTest : public QObject {
  Q_OBJECT

 private slots:
  void whatWasNotSavedIsThereAfterAKill();
  void nothingIsLeftAfterASave();
  void aLivingProcessIsNotRecovered();
  void aCutJournalIsLeftOut();
};

namespace {

bool splitBatch(Document& document) {
  return document.apply("Split batch over data",
                        [](core::Plan plan) { return core::addRule(std::move(plan), "batch", "data"); });
}

}  // namespace

void RecoveryTest::whatWasNotSavedIsThereAfterAKill() {
  QTemporaryDir folder;
  pid_t child = fork();
  if (child == 0) {
    Document document;
    Recovery recovery(document, folder.path());
    document.show(smallPlan());
    splitBatch(document);
    recovery.flush();
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  QVERIFY(WIFSIGNALED(status));

  std::vector<Recoverable> found = Recovery::find(folder.path());
  QCOMPARE(found.size(), 1u);
  QCOMPARE(found[0].name, QString("small"));
  core::Plan plan = Recovery::read(found[0], planJson());
  QCOMPARE(core::ruleAxes(plan.variant().layout, "batch"), std::vector<std::string>{"data"});
  Recovery::discard(found[0]);
  QVERIFY(QDir(folder.path()).isEmpty());
}

void RecoveryTest::nothingIsLeftAfterASave() {
  QTemporaryDir folder, plans;
  Document document;
  Recovery recovery(document, folder.path());
  document.show(smallPlan());
  splitBatch(document);
  recovery.flush();
  QCOMPARE(QDir(folder.path()).entryList({"*.recovery"}).size(), 1);
  document.saveAs(plans.filePath("a.plan.json"));
  QCOMPARE(QDir(folder.path()).entryList({"*.recovery"}).size(), 0);
}

void RecoveryTest::aLivingProcessIsNotRecovered() {
  QTemporaryDir folder;
  Document document;
  Recovery recovery(document, folder.path());
  document.show(smallPlan());
  splitBatch(document);
  recovery.flush();
  QVERIFY(Recovery::find(folder.path()).empty());
}

void RecoveryTest::aCutJournalIsLeftOut() {
  QTemporaryDir folder;
  for (const char* text : {"", "{", "{\"format\":\"meshwright.recovery/1\"}", "{\"format\":\"other/1\"}\n{}"}) {
    QFile file(folder.filePath("x.recovery"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
    file.close();
    QVERIFY(Recovery::find(folder.path()).empty());
  }
}

QTEST_GUILESS_MAIN(RecoveryTest)
#include "recovery_test.moc"
