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
