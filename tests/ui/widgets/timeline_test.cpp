#include "ui/widgets/timeline.h"

#include <QApplication>
#include <QSignalSpy>
#include <QWheelEvent>
#include <QtTest>

#include "ui/theme/theme.h"

using namespace ui;

namespace {

TimelineLane lane(TimelineLane::Kind kind, std::initializer_list<TimelineSlice> slices) {
  TimelineLane made;
  made.kind = kind;
  for (const TimelineSlice& slice : slices) made.append(slice);
  return made;
}

TimelineData twoRanks() {
  TimelineData data;
  data.labels = {"einsum", "all-reduce", "gelu", ""};
  data.axes = {"data", "model"};
  for (int rank = 0; rank < 2; ++rank) {
    TimelineRow row{.name = QStringLiteral("model %1").arg(rank)};
    row.lanes.push_back(lane(TimelineLane::Kind::compute, {{0, 2, 0}, {3, 4, 2}, {6, 9, 0}}));
    row.lanes.push_back(lane(TimelineLane::Kind::communication, {{2, 2.8, 1, 1}, {4, 6, 1, 1}}));
    row.lanes.push_back(lane(TimelineLane::Kind::waiting, {{2.8, 3, 3}}));
    data.rows.push_back(std::move(row));
  }
  return data;
}

// 1.5 s of compute, then half a second of communication.
std::vector<TimelinePrediction> predicted() {
  TimelinePrediction one{.seconds = 2};
  one.lanes.push_back(lane(TimelineLane::Kind::compute, {{0, 1.5, 0}}));
  one.lanes.push_back(lane(TimelineLane::Kind::communication, {{1.5, 2, 1, 1}}));
  one.lanes.push_back(lane(TimelineLane::Kind::waiting, {}));
  return {one, one};
}

double drawn(const std::vector<TimelineColumn>& columns) {
  double pixels = 0;
  for (const TimelineColumn& column : columns) pixels += column.width * column.share;
  return pixels;
}

}  // namespace

class TimelineTest : public QObject {
  Q_OBJECT

 private:
  std::unique_ptr<Timeline> timeline_;

 private slots:
  void init() {
    timeline_ = std::make_unique<Timeline>();
    timeline_->resize(1000, 240);
    timeline_->setData(twoRanks());
    timeline_->show();
    QVERIFY(QTest::qWaitForWindowExposed(timeline_.get()));
    timeline_->setFocus();
  }

  void slicesThatOverlapAreCut() {
    TimelineLane made = lane(TimelineLane::Kind::compute, {{0, 2, 0}, {1, 3, 1}});
    QCOMPARE(made.start[1], 2.0);
    QCOMPARE(made.covered(0, 10), 3.0);
    QCOMPARE(made.covered(1, 2.5), 1.5);
    QCOMPARE(made.firstAfter(2), std::size_t{1});
  }

  void wideSlicesAreBoxes() {
    TimelineLane made = lane(TimelineLane::Kind::compute, {{0, 2, 0}, {3, 4, 1}});
    auto columns = columnsOf(made, {0, 10}, 100);
    QCOMPARE(columns.size(), std::size_t{2});
    QCOMPARE(columns[0].width, 20.0);
    QCOMPARE(columns[1].slice, std::ptrdiff_t{1});
  }

  void smallSlicesBecomeDensityAndNoneIsLost() {
    TimelineLane made;
    for (int i = 0; i < 10000; ++i) made.append({i * 0.001, i * 0.001 + 0.00025, i % 7});
    auto columns = columnsOf(made, {0, 10}, 500);
    QVERIFY(columns.size() <= 501);
    QVERIFY(std::abs(drawn(columns) - 125) < 1);  // a quarter of 500 pixels
    for (const TimelineColumn& column : columns) QCOMPARE(column.slice, std::ptrdiff_t{-1});
  }

  void aWideSliceBehindSmallOnesInOnePixelIsDrawn() {
    TimelineLane made;
    for (int i = 0; i < 50; ++i) made.append({0.001 * i, 0.001 * i + 0.0005, 0});
    made.append({0.06, 5, 1});
    auto columns = columnsOf(made, {0, 10}, 100);
    QVERIFY(std::any_of(columns.begin(), columns.end(), [](const auto& c) { return c.slice == 50 && c.width > 49; }));
  }

  void zoomKeepsWhatIsUnderThePointer() {
    TimelineView view{0, 10};
    TimelineView closer = view.zoomed(2, 2);
    QCOMPARE(closer.width(), 5.0);
    QCOMPARE((2 - closer.start) / closer.width(), 0.2);
  }

  void keysZoomPanAndFit() {
    double width = timeline_->view().width();
    QTest::keyClick(timeline_.get(), Qt::Key_W);
    QVERIFY(timeline_->view().width() < width);
    double start = timeline_->view().start;
    QTest::keyClick(timeline_.get(), Qt::Key_D);
    QVERIFY(timeline_->view().start > start);
    QTest::keyClick(timeline_.get(), Qt::Key_Left);
    QVERIFY(std::abs(timeline_->view().start - start) < 1e-9);
    QTest::keyClick(timeline_.get(), Qt::Key_F);
    QCOMPARE(timeline_->view().width(), width);
  }

  void aMoveEndsFollowingAndResumeKeepsTheZoom() {
    QVERIFY(timeline_->following());
    QTest::keyClick(timeline_.get(), Qt::Key_W);
    QVERIFY(!timeline_->following());
    QTest::keyClick(timeline_.get(), Qt::Key_A);
    QVERIFY(timeline_->behind() > 0);
    double width = timeline_->view().width();
    timeline_->setFollowing(true);
    QVERIFY(std::abs(timeline_->view().width() - width) < 1e-12);
    QVERIFY(timeline_->behind() < 1e-9);
    timeline_->append(0, TimelineLane::Kind::compute, {10, 12, 0});
    QVERIFY(std::abs(timeline_->view().end - 12) < 1e-9);
  }

  void onlyWhatStillComesIsFollowedOrPaused() {
    QVERIFY(timeline_->stateText().contains("Following"));
    QTest::keyClick(timeline_.get(), Qt::Key_F);
    QVERIFY(timeline_->stateText().contains("Paused"));
    timeline_->setLive(false);
    QVERIFY(timeline_->stateText().isEmpty());
    QTest::keyClick(timeline_.get(), Qt::Key_A);
    QTest::keyClick(timeline_.get(), Qt::Key_A);
    QVERIFY(timeline_->stateText().isEmpty());
  }

  // The corner over the names belongs to them and says what the strip beside it is, also when nothing comes any more.
  void theCornerIsNoEmptyBox() {
    for (bool live : {true, false}) {
      timeline_->setLive(live);
      QImage image = timeline_->grab().toImage();
      QCOMPARE(image.pixelColor(6, 6), image.pixelColor(6, image.height() - 7));  // within the focus ring
      int written = 0;
      for (int y = 4; y < 26; ++y)
        for (int x = 6; x < 80; ++x) written += image.pixelColor(x, y) != theme().ground;
      QVERIFY2(written > 40, live ? "live" : "over");
    }
  }

  void aStepIsShownUntilTheNextOneBegins() {
    TimelineRow row;
    row.steps = {0, 2, 4, 6};
    row.predicted.seconds = 3;
    std::vector<StepSpan> seen = stepsIn(row, {1, 5}, 400);
    QCOMPARE(seen.size(), std::size_t{3});
    QCOMPARE(seen[0].start, 0.0);
    QCOMPARE(seen[0].end, 2.0);  // cut: what was predicted takes longer than what was measured
    QCOMPARE(seen[2].end, 6.0);
    row.predicted.seconds = 0.5;
    QCOMPARE(stepsIn(row, {1, 5}, 400).size(), std::size_t{2});  // the first has ended before the view begins
  }

  void manyStepsInOnePixelAreOne() {
    TimelineRow row;
    for (int i = 0; i < 100000; ++i) row.steps.push_back(i);
    row.predicted.seconds = 0.5;
    std::vector<StepSpan> seen = stepsIn(row, {0, 100000}, 100);
    QVERIFY(seen.size() <= 101);
    std::size_t steps = 0;
    for (const StepSpan& one : seen) steps += one.count;
    QCOMPARE(steps, std::size_t{100000});
  }

  void thePredictedStandsUnderTheMeasuredOfTheSameStepAndRank() {
    const QRectF alone = timeline_->sliceRect({0, 0, 0});
    timeline_->setPredictions(predicted());
    for (int row = 0; row < 2; ++row)
      for (double step : {0.0, 6.0}) timeline_->beginStep(row, step);
    const QRectF measured = timeline_->sliceRect({1, 0, 2});  // of the second step, at 6 s
    QVERIFY(measured.height() > 0 && alone.left() == timeline_->sliceRect({0, 0, 0}).left());
    const QPointF under(measured.left() + 2, measured.bottom() + 3);
    QCOMPARE(timeline_->predictedAt(under), (TimelineHit{1, 0, 0}));
    QVERIFY(!timeline_->hitTest(under).valid());
    QVERIFY(!timeline_->predictedAt(measured.center()).valid());
    // 1.5 s of compute predicted, 3 s measured: nothing stands under the last third
    QVERIFY(!timeline_->predictedAt(QPointF(measured.right() - 2, measured.bottom() + 3)).valid());

    QSignalSpy selected(timeline_.get(), &Timeline::sliceSelected);
    QTest::mouseClick(timeline_.get(), Qt::LeftButton, {}, under.toPoint());
    QCOMPARE(selected.first().at(0).toInt(), 0);
    QCOMPARE(selected.first().at(1).toInt(), 1);
  }

  // Rendered without hue, both parts of a lane still differ: the one is filled, the other an outline with a hatch.
  void thePredictedIsToldApartWithoutColour() {
    timeline_->setPredictions(predicted());
    timeline_->beginStep(0, 0);
    const QRectF measured = timeline_->sliceRect({0, 0, 0});
    QImage grey = timeline_->grab().toImage().convertToFormat(QImage::Format_Grayscale8);
    const qreal ratio = timeline_->devicePixelRatioF();
    const auto tones = [&](QRectF area) {
      QSet<int> found;
      for (int x = int(area.left()) + 70; x < int(area.right()) - 2; ++x)
        for (int y = int(area.top()) + 1; y < int(area.bottom()) - 1; ++y)
          found << qGray(grey.pixel(int(x * ratio), int(y * ratio)));
      return found.size();
    };
    QRectF left(measured.left(), measured.top(), measured.width() * 0.74, measured.height());
    QCOMPARE(tones(left), 1);
    QVERIFY(tones(left.translated(0, measured.height() + 1)) > 1);
  }

  void aClickSelectsTheInstructionOnAllRanks() {
    QSignalSpy selected(timeline_.get(), &Timeline::sliceSelected);
    QRectF rect = timeline_->sliceRect({1, 1, 1});
    QTest::mouseClick(timeline_.get(), Qt::LeftButton, {}, rect.center().toPoint());
    QCOMPARE(selected.first().at(0).toInt(), 1);
    QCOMPARE(selected.first().at(1).toInt(), 1);
    QCOMPARE(timeline_->highlighted(), 1);
    QTest::keyClick(timeline_.get(), Qt::Key_Comma);
    QCOMPARE(selected.count(), 2);
    QTest::keyClick(timeline_.get(), Qt::Key_Escape);
    QCOMPARE(timeline_->highlighted(), -1);
  }

  void aDragIsARange() {
    QSignalSpy range(timeline_.get(), &Timeline::rangeSelected);
    QTest::mousePress(timeline_.get(), Qt::LeftButton, {}, QPoint(300, 150));
    QMouseEvent move(QEvent::MouseMove, QPointF(500, 150), timeline_->mapToGlobal(QPointF(500, 150)), Qt::NoButton,
                     Qt::LeftButton, {});
    QApplication::sendEvent(timeline_.get(), &move);
    QTest::mouseRelease(timeline_.get(), Qt::LeftButton, {}, QPoint(500, 150));
    QCOMPARE(range.count(), 1);
    QVERIFY(range.first().at(1).toDouble() > range.first().at(0).toDouble());
  }

  void controlWheelZoomsAtThePointer() {
    QPointF at(600, 150);
    double width = timeline_->view().width();
    QWheelEvent wheel(at, timeline_->mapToGlobal(at), QPoint(), QPoint(0, 240), Qt::NoButton, Qt::ControlModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(timeline_.get(), &wheel);
    QVERIFY(timeline_->view().width() < width);
  }

  void anEmptyOneIsDrawnToo() {
    timeline_->setData({});
    timeline_->grab();
    TimelineData rows;
    rows.rows.push_back({.name = "rank 0"});
    timeline_->setData(rows);
    timeline_->grab();
    QTest::keyClick(timeline_.get(), Qt::Key_Period);
  }
};

QTEST_MAIN(TimelineTest)
#include "timeline_test.moc"
