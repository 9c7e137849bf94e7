#include "ui/document/document.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <random>

#include "../../core/plan/edit/small_plan.h"
#include "core/plan/edit/graph.h"
#include "core/plan/edit/layout.h"
#include "core/plan/edit/mesh.h"
#include "core/plan/edit/variants.h"

using ui::Document;
using ui::Edit;

class DocumentTest : public QObject {
  Q_OBJECT

 private slots:
  void anEditIsOneUndoEntryWithItsName();
  void anEditThatChangesNothingIsNoEntry();
  void anEditThatThrowsChangesNothing();
  void aNewEditDropsWhatWasUndone();
  void savesAndOpensEqual();
  void isDirtyUntilItIsBackWhereItWasSaved();
  void aFailedSaveLeavesTheOldFile();
  void aFailedOpenLeavesWhatWasOpen();
  void undoingRandomEditsGivesTheInitialBytes();
};

namespace {

Edit split(const char* dimension, const char* axis) {
  return [=](core::Plan plan) { return core::addRule(std::move(plan), dimension, axis); };
}

QByteArray bytesOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// Any of the edits that the window offers, with arguments of which some are wrong.
Edit randomEdit(std::mt19937& random) {
  auto pick = [&](std::initializer_list<const char*> words) {
    return std::string(*(words.begin() + random() % words.size()));
  };
  std::string dimension = pick({"batch", "d_model", "ffn", "nothing"}), axis = pick({"data", "model", "other"});
  switch (random() % 14) {
    case 0:
      return [=](core::Plan plan) { return core::addRule(std::move(plan), dimension, axis); };
    case 1:
      return [=](core::Plan plan) { return core::removeRule(std::move(plan), dimension, axis); };
    case 2:
      return [=](core::Plan plan) { return core::setPin(std::move(plan), {"W", {{dimension, {axis}}}}); };
    case 3:
      return [](core::Plan plan) { return core::removePin(std::move(plan), "W"); };
    case 4:
      return [=](core::Plan plan) { return core::resizeAxis(std::move(plan), axis, 4); };
    case 5:
      return [=](core::Plan plan) { return core::renameAxis(std::move(plan), axis, "other"); };
    case 6:
      return [=](core::Plan plan) { return core::removeAxis(std::move(plan), axis); };
    case 7:
      return [](core::Plan plan) { return core::addAxis(std::move(plan), "data", 2); };
    case 8:
      return [](core::Plan plan) { return core::duplicateVariant(std::move(plan), 0); };
    case 9:
      return [n = random() % 3](core::Plan plan) { return core::selectVariant(std::move(plan), n); };
    case 10:
      return [=](core::Plan plan) { return core::renameDimension(std::move(plan), dimension, "renamed"); };
    case 11:
      return [](core::Plan plan) { return core::renameTensor(std::move(plan), "W", "V"); };
    case 12:
      return [](core::Plan plan) { return core::deleteOperator(std::move(plan), "mlp/y"); };
    default:
      return [](core::Plan plan) { return core::setStep(std::move(plan), {.training = true}); };
  }
}

}  // namespace

void DocumentTest::anEditIsOneUndoEntryWithItsName() {
  Document document;
  document.show(smallPlan());
  QSignalSpy changed(&document, &Document::changed);
  QVERIFY(document.apply("Split batch over data", split("batch", "data")));
  QCOMPARE(changed.count(), 1);
  QCOMPARE(document.history().size(), 2);
  QCOMPARE(document.undoName(), QString("Split batch over data"));
  document.undo();
  QVERIFY(document.plan() == smallPlan());
  QCOMPARE(document.redoName(), QString("Split batch over data"));
  document.redo();
  QCOMPARE(document.plan().variant().layout.rules.size(), 1u);
}

void DocumentTest::anEditThatChangesNothingIsNoEntry() {
  Document document;
  document.show(smallPlan());
  QVERIFY(!document.apply("nothing", [](core::Plan plan) { return plan; }));
  QVERIFY(!document.canUndo());
}

void DocumentTest::anEditThatThrowsChangesNothing() {
  Document document;
  document.show(smallPlan());
  QVERIFY_EXCEPTION_THROWN(
      document.apply("bad", [](core::Plan plan) { return core::resizeAxis(std::move(plan), "nothing", 2); }),
      core::Error);
  QVERIFY(!document.canUndo());
  QVERIFY(document.plan() == smallPlan());
}

void DocumentTest::aNewEditDropsWhatWasUndone() {
  Document document;
  document.show(smallPlan());
  document.apply("one", split("batch", "data"));
  document.undo();
  document.apply("two", split("ffn", "model"));
  QVERIFY(!document.canRedo());
  QCOMPARE(document.history(), (QStringList{"Open", "two"}));
}

void DocumentTest::savesAndOpensEqual() {
  QTemporaryDir folder;
  Document document;
  document.show(smallPlan());
  document.apply("one", split("batch", "data"));
  document.saveAs(folder.filePath("a.plan.json"));
  Document again;
  again.open(folder.filePath("a.plan.json"));
  QVERIFY(again.plan() == document.plan());
  QVERIFY(!again.isDirty());
  again.saveAs(folder.filePath("b.plan.json"));
  QCOMPARE(bytesOf(folder.filePath("b.plan.json")), bytesOf(folder.filePath("a.plan.json")));
}

void DocumentTest::isDirtyUntilItIsBackWhereItWasSaved() {
  QTemporaryDir folder;
  Document document;
  document.show(smallPlan());
  document.saveAs(folder.filePath("a.plan.json"));
  QVERIFY(!document.isDirty());
  document.apply("one", split("batch", "data"));
  document.apply("two", split("ffn", "model"));
  QVERIFY(document.isDirty());
  QCOMPARE(document.stepsSinceSave(), 2);
  document.goTo(0);
  QVERIFY(!document.isDirty());
}

void DocumentTest::aFailedSaveLeavesTheOldFile() {
  QTemporaryDir folder;
  Document document;
  document.show(smallPlan());
  document.saveAs(folder.filePath("a.plan.json"));
  QByteArray before = bytesOf(folder.filePath("a.plan.json"));

  ui::PlanFormat broken = ui::planJson();
  broken.write = [](const core::Plan&, const std::string& path) {
    throw core::Error{.what = "no space left", .where = path};
  };
  Document other(broken);
  other.open(folder.filePath("a.plan.json"));
  other.apply("one", split("batch", "data"));
  QVERIFY_EXCEPTION_THROWN(other.save(), core::Error);
  QVERIFY(other.isDirty());
  QCOMPARE(bytesOf(folder.filePath("a.plan.json")), before);
}

void DocumentTest::aFailedOpenLeavesWhatWasOpen() {
  QTemporaryDir folder;
  QFile file(folder.filePath("cut.plan.json"));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write("{\"format\": \"meshwright.plan/1\", ");
  file.close();
  Document document;
  document.show(smallPlan());
  QVERIFY_EXCEPTION_THROWN(document.open(file.fileName()), core::Error);
  QVERIFY_EXCEPTION_THROWN(document.open(folder.filePath("missing.plan.json")), core::Error);
  QVERIFY(document.plan() == smallPlan());
}

void DocumentTest::undoingRandomEditsGivesTheInitialBytes() {
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    Document document;
    document.show(smallPlan());
    std::string before = document.format().print(document.plan());
    for (int i = 0; i < 60; ++i) {
      try {
        if (random() % 5 == 0)
          document.undo();
        else
          document.apply("random", randomEdit(random));
      } catch (const core::Error&) {  // refused: a wrong argument, which must change nothing
      }
    }
    std::string last = document.format().print(document.plan());
    int end = document.position();
    document.goTo(0);
    QCOMPARE(document.format().print(document.plan()), before);
    document.goTo(end);
    QCOMPARE(document.format().print(document.plan()), last);
  }
}

QTEST_GUILESS_MAIN(DocumentTest)
#include "document_test.moc"
