#include "ui/models/outline_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include "../fake_analysis.h"
#include "core/graph/fold.h"
#include "core/plan/edit/graph.h"
#include "core/plan/edit/layout.h"

using namespace ui;

class OutlineModelTest : public QObject {
  Q_OBJECT

 private slots:
  void isAModelWhateverIsShown();
  void figuresChangeWithoutNewRows();
  void findsWhatIsSelected();
};

namespace {

std::shared_ptr<const Scene> sceneOf(const core::Plan& plan) {
  core::Analysis analysis = fakeAnalysis(std::make_shared<const core::Plan>(plan), plan.current);
  return std::make_shared<const Scene>(buildScene(*plan.graph, core::fold(*plan.graph), &analysis));
}

}  // namespace

void OutlineModelTest::isAModelWhateverIsShown() {
  OutlineModel model;
  QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  model.setScene(sceneOf(smallPlan()));
  QVERIFY(model.rowCount() > 0);
  model.setScene(sceneOf(core::addRule(smallPlan(), "batch", "data")));
  model.setScene(sceneOf(core::deleteOperator(smallPlan(), "mlp/y")));
  model.setScene(nullptr);
  QCOMPARE(model.rowCount(), 0);
}

void OutlineModelTest::figuresChangeWithoutNewRows() {
  OutlineModel model;
  QVERIFY(model.setScene(sceneOf(smallPlan())));
  QSignalSpy reset(&model, &QAbstractItemModel::modelReset), changed(&model, &QAbstractItemModel::dataChanged);
  QVERIFY(!model.setScene(sceneOf(core::addRule(smallPlan(), "batch", "data"))));
  QCOMPARE(reset.count(), 0);
  QVERIFY(changed.count() > 0);
  QVERIFY(model.find(Selection::Kind::tensor, "mlp/h").data().toString().contains("batch:data"));
}

void OutlineModelTest::findsWhatIsSelected() {
  OutlineModel model;
  model.setScene(sceneOf(smallPlan()));
  for (const auto& [kind, name] : {std::pair{Selection::Kind::tensor, "W"}, {Selection::Kind::op, "mlp/h"}}) {
    QModelIndex found = model.find(kind, name);
    QVERIFY2(found.isValid(), name);
    QVERIFY(model.selectionAt(found).holds(kind, name));
  }
  QVERIFY(!model.find(Selection::Kind::tensor, "nothing").isValid());
}

QTEST_GUILESS_MAIN(OutlineModelTest)
#include "outline_model_test.moc"
