#include "ui/canvas/canvas.h"

#include <QAccessible>
#include <QApplication>
#include <QDragEnterEvent>
#include <QMimeData>
#include <QSignalSpy>
#include <QWheelEvent>
#include <QtTest>

#include "gpt_sample.h"
#include "ui/theme/theme.h"
#include "ui/widgets/chip.h"

using namespace ui;

// Driven by mouse and keys; laid out by our own layering, at once.
class CanvasTest : public QObject {
  Q_OBJECT

 private:
  core::Graph graph_ = sample::gpt();
  core::Fold fold_ = core::fold(graph_);
  std::shared_ptr<core::Analysis> analysis_ = sample::analysisOf(graph_);
  std::unique_ptr<Canvas> canvas_;

  SceneRef stack() const { return SceneRef::of(core::StackId(0)); }
  SceneRef op(const char* name) const {
    for (std::size_t i = 0; i < graph_.operators.size(); ++i)
      if (graph_.operators[i].name == name) return SceneRef::of(core::OperatorId(static_cast<int>(i)));
    return {};
  }
  SceneRef group(const char* path) const {
    for (std::size_t i = 0; i < fold_.groups.size(); ++i)
      if (fold_.groups[i].path == path) return SceneRef::of(core::GroupId(static_cast<int>(i)));
    return {};
  }
  QPoint middle(const SceneRef& ref) const { return canvas_->rectOf(ref).center().toPoint(); }
  QPoint header(const SceneRef& ref) const { return canvas_->rectOf(ref).topLeft().toPoint() + QPoint(60, 12); }

 private slots:
  void init();
  void theGraphStandsFolded();
  void aClickSelectsAndEscapeClears();
  void controlTogglesAndShiftAdds();
  void aRubberBandSelectsWhatItTouches();
  void aDoubleClickUnfoldsUnderThePointer();
  void keysFoldAndUnfold();
  void anotherInstanceCanBeSeen();
  void theWheelPansAndWithControlZoomsAtThePointer();
  void middleDragAndSpaceDragPan();
  void fitShowsAll();
  void arrowsWalkAlongEdgesAndThroughDimensions();
  void streamsAreSelected();
  void revealUnfoldsTheRightInstance();
  void aGroupCanBeEnteredAndLeft();
  void anAxisDropsOnADimension();
  void anIllegalDropSaysWhyAndDoesNothing();
  void aNewSceneKeepsWhatIsUnfoldedAndWhereOneIs();
  void hoverIsTold();
  void theSelectionIsAccessible();
  void collectivesCanBeClicked();
  void oneInstanceIsDrawnNotAll();
  void neighboursMoveAndArrive();
};

void CanvasTest::init() {
  canvas_ = std::make_unique<Canvas>();
  canvas_->setLayoutProgram(QString());
  canvas_->setReducedMotion(true);
  canvas_->resize(1280, 900);
  canvas_->show();
  QVERIFY(QTest::qWaitForWindowExposed(canvas_.get()));
  canvas_->setScene(std::make_shared<const Scene>(buildScene(graph_, fold_, analysis_.get())));
  canvas_->setFocus();
}

void CanvasTest::theGraphStandsFolded() {
  QCOMPARE(canvas_->dump().section('\n', 1, 5), QStringLiteral("input tokens\nop wte\nop add\nstack h x4\ngroup ln_f"));
}

void CanvasTest::aClickSelectsAndEscapeClears() {
  QSignalSpy changed(canvas_.get(), &Canvas::selectionChanged);
  QTest::mouseClick(canvas_.get(), Qt::LeftButton, {}, middle(stack()));
  QCOMPARE(canvas_->selection(), std::vector{stack()});
  QTest::keyClick(canvas_.get(), Qt::Key_Escape);
  QVERIFY(canvas_->selection().empty());
  QCOMPARE(changed.count(), 2);
}

void CanvasTest::controlTogglesAndShiftAdds() {
  SceneRef last = group("ln_f");
  QTest::mouseClick(canvas_.get(), Qt::LeftButton, {}, middle(stack()));
  QTest::mouseClick(canvas_.get(), Qt::LeftButton, Qt::ShiftModifier, middle(last));
  QCOMPARE(canvas_->selection(), (std::vector{stack(), last}));
  QTest::mouseClick(canvas_.get(), Qt::LeftButton, Qt::ControlModifier, middle(stack()));
  QCOMPARE(canvas_->selection(), std::vector{last});
}

void CanvasTest::aRubberBandSelectsWhatItTouches() {
  QRectF s = canvas_->rectOf(stack()), l = canvas_->rectOf(group("ln_f"));
  QPoint from(qRound(s.left()) - 60, qRound(s.top()) - 4), to(qRound(s.left()) + 30, qRound(l.top()) + 10);
  QTest::mousePress(canvas_.get(), Qt::LeftButton, {}, from);
  QTest::mouseMove(canvas_.get(), (from + to) / 2);
  QMouseEvent move(QEvent::MouseMove, to, canvas_->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
  QApplication::sendEvent(canvas_.get(), &move);
  QTest::mouseRelease(canvas_.get(), Qt::LeftButton, {}, to);
  QCOMPARE(canvas_->selection(), (std::vector{stack(), group("ln_f")}));
}

void CanvasTest::aDoubleClickUnfoldsUnderThePointer() {
  QPointF before = canvas_->rectOf(stack()).topLeft();
  QTest::mouseDClick(canvas_.get(), Qt::LeftButton, {}, header(stack()));
  QVERIFY(canvas_->isExpanded(stack()));
  QPointF after = canvas_->rectOf(stack()).topLeft();
  QVERIFY2((before - after).manhattanLength() < 1, "the header stays where it was");
  QTest::mouseDClick(canvas_.get(), Qt::LeftButton, {}, header(stack()));
  QVERIFY(!canvas_->isExpanded(stack()));
  QVERIFY((canvas_->rectOf(stack()).topLeft() - before).manhattanLength() < 1);
}

void CanvasTest::keysFoldAndUnfold() {
  canvas_->setSelection({stack()});
  QTest::keyClick(canvas_.get(), Qt::Key_Right, Qt::ControlModifier);
  QVERIFY(canvas_->isExpanded(stack()));
  QTest::keyClick(canvas_.get(), Qt::Key_Left, Qt::ControlModifier);
  QVERIFY(!canvas_->isExpanded(stack()));
  QTest::keyClick(canvas_.get(), Qt::Key_Return);
  QVERIFY(canvas_->isExpanded(stack()));
}

void CanvasTest::anotherInstanceCanBeSeen() {
  canvas_->setExpanded(stack(), true);
  canvas_->fitAll();
  QRectF frame = canvas_->rectOf(stack());
  QTest::mouseClick(canvas_.get(), Qt::LeftButton, {}, QPoint(qRound(frame.right()) - 14, qRound(frame.top()) + 8));
  QCOMPARE(canvas_->instance(core::StackId(0)), 1);
  QVERIFY(!canvas_->rectOf(group("h.1/attn")).isEmpty());
  canvas_->showInstance(core::StackId(0), -1);
  QCOMPARE(canvas_->instance(core::StackId(0)), 3);  // round the end
}

void CanvasTest::theWheelPansAndWithControlZoomsAtThePointer() {
  QPointF at(700, 300);
  SceneRef wte = op("wte/gather");
  QVERIFY(wte.valid());
  QRectF before = canvas_->rectOf(wte);
  QWheelEvent pan(at, canvas_->mapToGlobal(at), QPoint(), QPoint(0, -120), Qt::NoButton, Qt::NoModifier,
                  Qt::NoScrollPhase, false);
  QApplication::sendEvent(canvas_.get(), &pan);
  QCOMPARE(canvas_->rectOf(wte).topLeft().toPoint(), (before.topLeft() - QPointF(0, 60)).toPoint());
  double zoom = canvas_->zoom();
  QPointF corner = canvas_->rectOf(wte).topLeft();
  QWheelEvent closer(corner, canvas_->mapToGlobal(corner), QPoint(), QPoint(0, 120), Qt::NoButton, Qt::ControlModifier,
                     Qt::NoScrollPhase, false);
  QApplication::sendEvent(canvas_.get(), &closer);
  QVERIFY(canvas_->zoom() > zoom * 1.1);
  QVERIFY((canvas_->rectOf(wte).topLeft() - corner).manhattanLength() < 1);
}

void CanvasTest::middleDragAndSpaceDragPan() {
  QPointF before = canvas_->rectOf(stack()).topLeft();
  QTest::mousePress(canvas_.get(), Qt::MiddleButton, {}, QPoint(100, 100));
  QMouseEvent move(QEvent::MouseMove, QPointF(140, 130), canvas_->mapToGlobal(QPointF(140, 130)), Qt::NoButton,
                   Qt::MiddleButton, {});
  QApplication::sendEvent(canvas_.get(), &move);
  QTest::mouseRelease(canvas_.get(), Qt::MiddleButton, {}, QPoint(140, 130));
  QCOMPARE((canvas_->rectOf(stack()).topLeft() - before).toPoint(), QPoint(40, 30));
  QTest::keyPress(canvas_.get(), Qt::Key_Space);
  QTest::mousePress(canvas_.get(), Qt::LeftButton, {}, QPoint(140, 130));
  QMouseEvent back(QEvent::MouseMove, QPointF(100, 100), canvas_->mapToGlobal(QPointF(100, 100)), Qt::NoButton,
                   Qt::LeftButton, {});
  QApplication::sendEvent(canvas_.get(), &back);
  QTest::mouseRelease(canvas_.get(), Qt::LeftButton, {}, QPoint(100, 100));
  QTest::keyRelease(canvas_.get(), Qt::Key_Space);
  QVERIFY((canvas_->rectOf(stack()).topLeft() - before).manhattanLength() < 1);
  QVERIFY(canvas_->selection().empty());
}

void CanvasTest::fitShowsAll() {
  canvas_->expandAll();
  canvas_->panBy({5000, 5000});
  QTest::keyClick(canvas_.get(), Qt::Key_F, Qt::ShiftModifier);
  for (const char* name : {"wte/gather", "add"}) QVERIFY(QRectF(canvas_->rect()).contains(canvas_->rectOf(op(name))));
  canvas_->setSelection({stack()});
  QTest::keyClick(canvas_.get(), Qt::Key_F);
  QVERIFY(QRectF(canvas_->rect()).contains(canvas_->rectOf(stack())));
}

void CanvasTest::arrowsWalkAlongEdgesAndThroughDimensions() {
  canvas_->setSelection({op("wte/gather")});
  QTest::keyClick(canvas_.get(), Qt::Key_Down);
  QCOMPARE(canvas_->selection(), std::vector{op("add")});
  QTest::keyClick(canvas_.get(), Qt::Key_Down);
  QCOMPARE(canvas_->selection(), std::vector{stack()});
  QTest::keyClick(canvas_.get(), Qt::Key_Up);
  QTest::keyClick(canvas_.get(), Qt::Key_T);  // its first tensor: wpe.weight
  QCOMPARE(canvas_->selection(), std::vector{SceneRef::of(*graph_.findTensor("wpe.weight"))});
  QSignalSpy chosen(canvas_.get(), &Canvas::dimensionChosen), axes(canvas_.get(), &Canvas::axesRequested),
      pin(canvas_.get(), &Canvas::pinRequested);
  QTest::keyClick(canvas_.get(), Qt::Key_Right);
  QTest::keyClick(canvas_.get(), Qt::Key_Right);
  QCOMPARE(chosen.last().at(1).toInt(), 1);
  QTest::keyClick(canvas_.get(), Qt::Key_Return);
  QCOMPARE(axes.first().at(1).toString(), QStringLiteral("d_model"));
  QTest::keyClick(canvas_.get(), Qt::Key_P);
  QCOMPARE(pin.count(), 1);
}

void CanvasTest::streamsAreSelected() {
  canvas_->setSelection({op("add")});
  QTest::keyClick(canvas_.get(), Qt::Key_L);
  QCOMPARE(canvas_->selection().size(), std::size_t{3});  // itself, wte, tokens
  canvas_->setSelection({stack()});
  QTest::keyClick(canvas_.get(), Qt::Key_L, Qt::ShiftModifier);
  QCOMPARE(canvas_->selection().size(), std::size_t{4});  // itself, ln_f, einsum, output
}

void CanvasTest::revealUnfoldsTheRightInstance() {
  core::TensorId weight = *graph_.findTensor("h.2.mlp.c_fc.weight");
  canvas_->reveal(SceneRef::of(weight));
  QCOMPARE(canvas_->instance(core::StackId(0)), 2);
  QVERIFY(canvas_->isExpanded(stack()));
  QRectF rect = canvas_->rectOf(SceneRef::of(weight));
  QVERIFY(!rect.isEmpty());
  QVERIFY(QRectF(canvas_->rect()).intersects(rect));
}

void CanvasTest::aGroupCanBeEnteredAndLeft() {
  QSignalSpy entered(canvas_.get(), &Canvas::enteredChanged);
  canvas_->setSelection({stack()});
  QTest::keyClick(canvas_.get(), Qt::Key_Down, Qt::AltModifier);
  QCOMPARE(entered.count(), 1);
  QVERIFY(canvas_->rectOf(op("wte/gather")).isEmpty());
  QVERIFY(!canvas_->rectOf(group("h.0/attn")).isEmpty());
  QTest::keyClick(canvas_.get(), Qt::Key_Up, Qt::AltModifier);
  QVERIFY(!canvas_->rectOf(op("wte/gather")).isEmpty());
}

void CanvasTest::anAxisDropsOnADimension() {
  canvas_->zoomBy(1 / canvas_->zoom());
  core::TensorId weight = *graph_.findTensor("wpe.weight");
  canvas_->reveal(SceneRef::of(weight));
  QPointF at = canvas_->dimensionRect(weight, 0).center();
  QVERIFY(!at.isNull());
  QSignalSpy dropped(canvas_.get(), &Canvas::dropRequested), previewed(canvas_.get(), &Canvas::dropPreviewed),
      ended(canvas_.get(), &Canvas::previewEnded);
  std::unique_ptr<QMimeData> data(axisMimeData("model"));
  QDragEnterEvent enter(at.toPoint(), Qt::CopyAction, data.get(), Qt::LeftButton, {});
  QApplication::sendEvent(canvas_.get(), &enter);
  QDragMoveEvent move(at.toPoint(), Qt::CopyAction, data.get(), Qt::LeftButton, {});
  QApplication::sendEvent(canvas_.get(), &move);
  QVERIFY(move.isAccepted());
  QCOMPARE(previewed.first().at(1).toString(), QStringLiteral("seq"));
  QDropEvent drop(at, Qt::CopyAction, data.get(), Qt::LeftButton, Qt::AltModifier);
  QApplication::sendEvent(canvas_.get(), &drop);
  QCOMPARE(dropped.count(), 1);
  QCOMPARE(dropped.first().at(0).value<core::TensorId>(), weight);
  QCOMPARE(dropped.first().at(1).toString(), QStringLiteral("seq"));
  QCOMPARE(dropped.first().at(2).toString(), QStringLiteral("model"));
  QVERIFY(dropped.first().at(3).toBool());
  QCOMPARE(ended.count(), 1);
}

void CanvasTest::anIllegalDropSaysWhyAndDoesNothing() {
  canvas_->zoomBy(1 / canvas_->zoom());
  core::TensorId weight = *graph_.findTensor("wpe.weight");
  canvas_->reveal(SceneRef::of(weight));
  canvas_->setDropCheck([](core::TensorId, const QString& dimension, const QString& axis) {
    return QStringLiteral("%1 already splits %2").arg(axis, dimension);
  });
  QPointF at = canvas_->dimensionRect(weight, 0).center();
  QSignalSpy dropped(canvas_.get(), &Canvas::dropRequested);
  std::unique_ptr<QMimeData> data(axisMimeData("model"));
  QDragEnterEvent enter(at.toPoint(), Qt::CopyAction, data.get(), Qt::LeftButton, {});
  QApplication::sendEvent(canvas_.get(), &enter);
  QDragMoveEvent move(at.toPoint(), Qt::CopyAction, data.get(), Qt::LeftButton, {});
  QApplication::sendEvent(canvas_.get(), &move);
  QVERIFY(!move.isAccepted());
  QDropEvent drop(at, Qt::CopyAction, data.get(), Qt::LeftButton, {});
  QApplication::sendEvent(canvas_.get(), &drop);
  QCOMPARE(dropped.count(), 0);
}

void CanvasTest::aNewSceneKeepsWhatIsUnfoldedAndWhereOneIs() {
  canvas_->setExpanded(stack(), true);
  canvas_->zoomBy(1.3);
  canvas_->setSelection({op("add")});
  QRectF before = canvas_->rectOf(stack());
  canvas_->setScene(std::make_shared<const Scene>(buildScene(graph_, fold_)));  // the same graph before it is analysed
  QVERIFY(canvas_->isExpanded(stack()));
  QVERIFY2((canvas_->rectOf(stack()).topLeft() - before.topLeft()).manhattanLength() < 1,
           "a change of sharding moves nothing");
  QCOMPARE(canvas_->selection(), std::vector{op("add")});
}

void CanvasTest::hoverIsTold() {
  QSignalSpy hovered(canvas_.get(), &Canvas::hovered);
  QTest::mouseMove(canvas_.get(), middle(stack()));
  QTRY_COMPARE(hovered.count(), 1);
  QCOMPARE(hovered.first().at(0).value<SceneRef>(), stack());
}

void CanvasTest::theSelectionIsAccessible() {
  canvas_->setSelection({});
  QTest::mouseClick(canvas_.get(), Qt::LeftButton, {}, middle(stack()));
  QCOMPARE(canvas_->accessibleDescription(), QStringLiteral("4 times h, 22 operators each"));
  QAccessibleInterface* face = QAccessible::queryAccessibleInterface(canvas_.get());
  QVERIFY(face);
  QCOMPARE(face->text(QAccessible::Name), QStringLiteral("Graph"));
  QCOMPARE(face->childCount(), 3);  // itself, the operator above, the group below
  QVERIFY(face->child(0)->text(QAccessible::Name).startsWith("4 times h"));
  QVERIFY(face->child(0)->state().selected);
}

void CanvasTest::collectivesCanBeClicked() {
  canvas_->setExpanded(stack(), true);
  canvas_->fitAll();
  QVERIFY(canvas_->dump().contains("AR model"));
  SceneRef pill{SceneRef::Kind::collective, 0};
  QCOMPARE(canvas_->at(canvas_->rectOf(pill).center()), pill);
  QTest::mouseClick(canvas_.get(), Qt::LeftButton, {}, middle(pill));
  QCOMPARE(canvas_->selection(), std::vector{pill});
}

void CanvasTest::oneInstanceIsDrawnNotAll() {
  canvas_->expandAll();
  canvas_->fitAll();
  QString report = canvas_->dump();
  QCOMPARE(report.count("group attn"), 1);
  QCOMPARE(report.count(QStringLiteral("\u2207AR model")), 1);  // back through mlp/c_fc
  QCOMPARE(report.count("AR model"), 3);                       // and behind attn/c_proj and mlp/c_proj
}

void CanvasTest::neighboursMoveAndArrive() {
  canvas_->setReducedMotion(false);
  canvas_->fitAll();
  QSignalSpy arrived(canvas_.get(), &Canvas::layoutFinished);
  canvas_->setExpanded(stack(), true);
  QCOMPARE(arrived.count(), 0);  // on the way
  canvas_->grab();
  QVERIFY(arrived.wait(5000));
  QCOMPARE(arrived.count(), 1);
}

QTEST_MAIN(CanvasTest)
#include "canvas_test.moc"
