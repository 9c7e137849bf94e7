#include "ui/models/layout_edits.h"

#include <QTest>

#include "../fake_analysis.h"
#include "core/plan/edit/layout.h"

using namespace ui;

class LayoutEditsTest : public QObject {
  Q_OBJECT

 private slots:
  void aSecondDimensionOfATensorOnOneAxisIsRefused();
  void whatWasWrongBeforeIsNoRefusal();
  void patternsCoverTheLayersAndNothingElse();
  void aPinBeginsAsTheTensorIs();
  void paddingIsSaid();
};

void LayoutEditsTest::aSecondDimensionOfATensorOnOneAxisIsRefused() {
  core::Plan plan = core::addRule(smallPlan(), "ffn", "model");
  QString why = refusalOf(plan, *plan.graph, splitDimension("d_model", "model").edit);
  QVERIFY2(why.contains("model") && why.contains("ffn"), qPrintable(why));
  QCOMPARE(refusalOf(plan, *plan.graph, splitDimension("d_model", "data").edit), QString());
}

void LayoutEditsTest::whatWasWrongBeforeIsNoRefusal() {
  core::Plan plan = core::addRule(core::addRule(smallPlan(), "ffn", "model"), "d_model", "model");
  QCOMPARE(refusalOf(plan, *plan.graph, splitDimension("batch", "data").edit), QString());
}

void LayoutEditsTest::patternsCoverTheLayersAndNothingElse() {
  core::Graph graph;
  graph.dims = {{"a", 2}, {"b", 3}};
  core::Shape ab{core::DimId(0), core::DimId(1)}, a{core::DimId(0)};
  graph.tensors = {{.name = "h.0.fc.weight", .shape = ab},
                   {.name = "h.1.fc.weight", .shape = ab},
                   {.name = "h.0.fc.bias", .shape = a},
                   {.name = "h.1.fc.bias", .shape = ab},
                   {.name = "top", .shape = a}};
  QCOMPARE(patternOf(graph, "h.0.fc.weight"), QString("h.*.fc.weight"));
  QCOMPARE(matches(graph, "h.*.fc.weight"), 2);
  QCOMPARE(patternOf(graph, "h.0.fc.bias"), QString("h.0.fc.bias"));  // the other layer's has another shape
  QCOMPARE(patternOf(graph, "top"), QString("top"));
}

void LayoutEditsTest::aPinBeginsAsTheTensorIs() {
  core::Plan plan = core::addRule(smallPlan(), "ffn", "model");
  core::Analysis analysis = fakeAnalysis(std::make_shared<const core::Plan>(plan), 0);
  QCOMPARE(pinOf(analysis, core::TensorId(1), "W"), (core::Pin{"W", {{"ffn", {"model"}}}}));
}

void LayoutEditsTest::paddingIsSaid() {
  QCOMPARE(paddingNote(4096, {2, 2}), QString());
  QVERIFY(paddingNote(4096, {3}).contains("4098"));
}

QTEST_GUILESS_MAIN(LayoutEditsTest)
#include "layout_edits_test.moc"
