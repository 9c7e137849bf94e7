#include <QApplication>
#include <QDir>
#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QMimeData>
#include <QSignalSpy>
#include <QtTest>

#include "ui/theme/theme.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/curve.h"
#include "ui/widgets/memory_bar.h"
#include "ui/widgets/number_text.h"
#include "ui/widgets/rank_grid.h"
#include "ui/widgets/ticks.h"
#include "ui/widgets/timeline.h"

using namespace ui;

namespace {

MemoryBarData twoRows() {
  MemoryBarData data;
  data.rows.push_back(
      {.label = "B now",
       .bytes = {3'200'000'000, 3'200'000'000, 6'400'000'000, 21'000'000'000, 1'900'000'000, 400'000'000},
       .note = "assumes recompute = block, micro-batches = 1"});
  data.rows.push_back(
      {.label = "A base",
       .bytes = {12'800'000'000, 12'800'000'000, 25'600'000'000, 31'000'000'000, 3'000'000'000, 400'000'000}});
  data.capacity = 80'000'000'000;
  return data;
}

CurveData loss() {
  CurveData data{.xLabel = "step", .yLabel = "loss"};
  CurveSeries a{.name = "this run"}, b{.name = "run 11", .dashed = true, .tone = 2};
  for (int i = 1; i <= 50; ++i) {
    a.points.push_back({double(i), 1.6 + 4 * std::exp(-i / 12.0) + 0.08 * std::sin(i * 1.7)});
    b.points.push_back({double(i), 1.8 + 3.8 * std::exp(-i / 16.0) + 0.05 * std::sin(i * 2.1)});
  }
  data.series = {a, b};
  return data;
}

TimelineData trace() {
  TimelineData data;
  data.labels = {"embedding",    "h.0/attn/einsum",        "all-reduce h.0/attn/out",
                 "h.0/mlp/c_fc", "all-reduce h.0/mlp/out", "bucket of gradients"};
  data.axes = {"data", "model"};
  for (int rank = 0; rank < 4; ++rank) {
    TimelineRow row{.name = QStringLiteral("data %1 \u00B7 model %2").arg(rank / 2).arg(rank % 2),
                    .lanes = {{.kind = TimelineLane::Kind::compute},
                              {.kind = TimelineLane::Kind::communication},
                              {.kind = TimelineLane::Kind::waiting}}};
    double t = 0.002 * rank;
    for (int step = 0; step < 12; ++step)
      for (int part = 0; part < 6; ++part) {
        double length = 0.004 + 0.003 * ((part * 7 + step * 3 + rank) % 5);
        bool talk = part == 2 || part == 4 || part == 5;
        if (talk) row.lanes[2].append({t - 0.002, t, part});
        row.lanes[talk ? 1 : 0].append({t, t + length, part, static_cast<std::int16_t>(part == 5 ? 0 : 1)});
        t += length + (talk ? 0.002 : 0.0005);
      }
    data.rows.push_back(row);
  }
  data.rows[1].gaps.push_back({0.2, 0.24, 1200});
  return data;
}

}  // namespace

class WidgetsTest : public QObject {
  Q_OBJECT

 private slots:
  void numbersReadWell();
  void ticksAreRound();
  void aMemoryBarIsToScaleAndActivates();
  void beyondCapacityTheBarGoesOn();
  void theNoteLeavesWhatIsOverToBeRead();
  void theCurveReadsPointByPoint();
  void theRankGridIsWalkedAndActivated();
  void chipsTakeWhatTheyMay();
  void chipsAnswerTheKeyboard();
  void pictures();
};

void WidgetsTest::numbersReadWell() {
  QLocale::setDefault(QLocale::c());
  auto plain = [](QString text) { return text.replace(QChar(0x00A0), ' '); };
  QCOMPARE(plain(bytesText(512)), QStringLiteral("512 B"));
  QCOMPARE(plain(bytesText(3'355'443)), QStringLiteral("3.36 MB"));
  QCOMPARE(plain(bytesText(86'000'000'000)), QStringLiteral("86 GB"));
  QCOMPARE(plain(bytesText(999'600)), QStringLiteral("1.00 MB"));
  QCOMPARE(plain(signedBytesText(-22'300'000'000)), QStringLiteral("\u221222.3 GB"));
  QCOMPARE(plain(secondsText(0.412)), QStringLiteral("412 ms"));
  QCOMPARE(plain(secondsText(0.00041)), QStringLiteral("410 \u00B5s"));
  QCOMPARE(plain(secondsText(125)), QStringLiteral("2 min 5 s"));
  QCOMPARE(plain(flopsText(1.2e12)), QStringLiteral("1.20 Tflop"));
}

void WidgetsTest::ticksAreRound() {
  QCOMPARE(ticks(0, 10, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  QVERIFY(ticks(1, 1, 4).empty());
  QVERIFY(ticks(0, INFINITY, 4).empty());
}

void WidgetsTest::aMemoryBarIsToScaleAndActivates() {
  MemoryBar bar;
  bar.resize(800, 140);
  bar.setData(twoRows());
  QRectF optimizer = bar.segmentRect(0, 2), parameters = bar.segmentRect(0, 0);
  QVERIFY(std::abs(optimizer.width() - 2 * parameters.width()) < 0.01);
  QVERIFY(std::abs(bar.segmentRect(1, 0).width() - 4 * parameters.width()) < 0.01);
  QSignalSpy activated(&bar, &MemoryBar::segmentActivated);
  QTest::mouseClick(&bar, Qt::LeftButton, {}, bar.segmentRect(1, 3).center().toPoint());
  QCOMPARE(activated.takeFirst(), (QList<QVariant>{1, 3}));
  QTest::keyClick(&bar, Qt::Key_Left);
  QTest::keyClick(&bar, Qt::Key_Up);
  QTest::keyClick(&bar, Qt::Key_Return);
  QCOMPARE(activated.takeFirst(), (QList<QVariant>{0, 2}));
  QVERIFY(bar.accessibleDescription().contains("Optimizer"));
}

void WidgetsTest::beyondCapacityTheBarGoesOn() {
  MemoryBar bar;
  bar.resize(800, 140);
  bar.setData(twoRows());
  double perByte = bar.segmentRect(1, 0).width() / 12.8e9;
  QRectF last = bar.segmentRect(1, 5);
  QVERIFY(last.right() > bar.segmentRect(1, 0).left() + 80e9 * perByte);
  QVERIFY(last.right() <= bar.width());
}

void WidgetsTest::theNoteLeavesWhatIsOverToBeRead() {
  auto grabbed = [](const QString& note) {
    MemoryBar bar;
    bar.resize(380, bar.sizeHint().height());
    MemoryBarData data = twoRows();
    data.rows.resize(1);
    data.rows[0].note = note;
    data.capacity = data.rows[0].total() * 3 / 4;
    bar.setData(data);
    return bar.grab().toImage();
  };
  QImage without = grabbed({}), with = grabbed(QStringLiteral("peak at grad/loss/cross_entropy/cross_entropy_gradient"));
  QVERIFY(with != without);
  int tag = 0;
  for (int y = 0; y < with.height(); ++y)
    for (int x = 0; x < with.width(); ++x) {
      if (without.pixelColor(x, y) != theme().error) continue;
      ++tag;
      QCOMPARE(with.pixelColor(x, y), theme().error);
    }
  QVERIFY(tag > 500);
}

void WidgetsTest::theCurveReadsPointByPoint() {
  Curve curve;
  curve.resize(600, 240);
  curve.setData(loss());
  QSignalSpy hovered(&curve, &Curve::pointHovered);
  QTest::keyClick(&curve, Qt::Key_Left);
  QCOMPARE(hovered.last().at(0).toDouble(), 50.0);
  QTest::keyClick(&curve, Qt::Key_Home);
  QCOMPARE(hovered.last().at(0).toDouble(), 1.0);
  curve.append(0, {51, 1.5});
  QVERIFY(curve.accessibleDescription().contains("51"));
  CurveData odd = loss();
  odd.series[0].points[3].setY(NAN);
  odd.logarithmic = true;
  curve.setData(odd);
  curve.grab();
}

void WidgetsTest::theRankGridIsWalkedAndActivated() {
  RankGrid grid;
  grid.resize(200, 200);
  RankGridData data{.cells = std::vector<RankCell>(8), .columns = 4, .rowAxis = "data", .columnAxis = "model"};
  data.cells[5].state = RankState::failed;
  grid.setData(data);
  QSignalSpy selected(&grid, &RankGrid::selectedChanged), activated(&grid, &RankGrid::rankActivated);
  QTest::mouseClick(&grid, Qt::LeftButton, {}, grid.cellRect(1).center().toPoint());
  QTest::keyClick(&grid, Qt::Key_Down);
  QCOMPARE(grid.selected(), 5);
  QVERIFY(grid.accessibleDescription().contains("failed"));
  QTest::keyClick(&grid, Qt::Key_Down);
  QCOMPARE(grid.selected(), 5);
  QTest::keyClick(&grid, Qt::Key_Return);
  QCOMPARE(activated.first().at(0).toInt(), 5);
  data.cells.resize(2);
  grid.setData(data);
  QCOMPARE(grid.selected(), -1);
}

void WidgetsTest::chipsTakeWhatTheyMay() {
  DimensionChip chip;
  chip.setData({.name = "heads", .size = 32}, {"data", "model"});
  chip.resize(chip.sizeHint());
  QSignalSpy dropped(&chip, &Chip::dropped), previewed(&chip, &Chip::previewed);
  auto drop = [&](QMimeData* data) {
    QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, data, Qt::LeftButton, {});
    QApplication::sendEvent(&chip, &enter);
    QDropEvent event(QPointF(5, 5), Qt::CopyAction, data, Qt::LeftButton, {});
    QApplication::sendEvent(&chip, &event);
  };
  std::unique_ptr<QMimeData> axis(axisMimeData("model")), dimension(dimensionMimeData("batch"));
  drop(axis.get());
  QCOMPARE(dropped.takeFirst().at(0).toString(), QStringLiteral("model"));
  QCOMPARE(previewed.count(), 1);
  drop(dimension.get());  // a dimension does not go onto a dimension
  QVERIFY(dropped.isEmpty());
  chip.setData({.name = "heads", .size = 32, .refusal = "model already splits ffn"}, {"data", "model"});
  drop(axis.get());
  QVERIFY(dropped.isEmpty());
  QCOMPARE(chip.toolTip(), QStringLiteral("model already splits ffn"));
}

void WidgetsTest::chipsAnswerTheKeyboard() {
  AxisChip chip;
  chip.setData({.axis = {"model", 1, 2}, .dimensions = {"heads", "ffn"}}, {"data", "model"});
  QCOMPARE(chip.accessibleName(), QStringLiteral("Mesh axis model, 2 devices, splits heads, ffn"));
  QSignalSpy activated(&chip, &Chip::activated), removed(&chip, &Chip::removeRequested),
      pinned(&chip, &Chip::pinRequested);
  QTest::keyClick(&chip, Qt::Key_Return);
  QTest::keyClick(&chip, Qt::Key_Delete);
  QTest::keyClick(&chip, Qt::Key_P);
  QCOMPARE(activated.count() + removed.count() + pinned.count(), 3);
}

void WidgetsTest::pictures() {
  QDir dir(QStringLiteral(MESHWRIGHT_BIN "/../screenshots"));
  dir.mkpath(".");
  for (auto [appearance, word] : {std::pair{Appearance::light, "light"}, {Appearance::dark, "dark"}}) {
    applyAppearance(*qApp, appearance);
    QWidget window;
    auto* all = new QVBoxLayout(&window);
    auto* chips = new QHBoxLayout;
    QStringList axes{"data", "model"};
    auto* batch = new DimensionChip;
    batch->setData({.name = "batch", .size = 8, .tensors = 41, .axes = {{"data", 0, 2}}, .source = ChipSource::rule},
                   axes);
    auto* heads = new DimensionChip;
    heads->setData({.name = "heads", .size = 4, .tensors = 24, .axes = {{"model", 1, 2}}, .source = ChipSource::pinned},
                   axes);
    auto* ffn = new DimensionChip;
    ffn->setData({.name = "ffn",
                  .size = 255,
                  .tensors = 12,
                  .axes = {{"model", 1, 2}, {"data", 0, 2}},
                  .source = ChipSource::search,
                  .padding = 1},
                 axes);
    auto* seq = new DimensionChip;
    seq->setData({.name = "seq", .size = 32, .tensors = 41}, axes);
    auto* data = new AxisChip;
    data->setData({.axis = {"data", 0, 2}, .dimensions = {"batch"}}, axes);
    auto* model = new AxisChip;
    model->setData({.axis = {"model", 1, 2}}, axes);
    model->setTargetLit(true);
    for (QWidget* chip : std::initializer_list<QWidget*>{batch, heads, ffn, seq, data, model}) chips->addWidget(chip);
    chips->addStretch();
    all->addLayout(chips);
    auto* bar = new MemoryBar;
    bar->setData(twoRows());
    all->addWidget(bar);
    auto* middle = new QHBoxLayout;
    auto* curve = new Curve;
    curve->setData(loss());
    auto* grid = new RankGrid;
    RankGridData ranks{
        .cells = std::vector<RankCell>(32), .columns = 8, .rowAxis = "data", .columnAxis = "model", .hostSize = 8};
    for (std::size_t i = 0; i < 32; ++i)
      ranks.cells[i].state = i < 20    ? RankState::running
                             : i == 21 ? RankState::failed
                             : i == 22 ? RankState::lost
                             : i < 26  ? RankState::starting
                                       : RankState::waiting;
    grid->setData(ranks);
    middle->addWidget(curve, 1);
    middle->addWidget(grid);
    all->addLayout(middle);
    auto* timeline = new Timeline;
    timeline->setData(trace());
    timeline->setView(0.1, 0.3);
    all->addWidget(timeline, 1);
    window.resize(1280, 900);
    window.show();
    QTest::mouseClick(timeline, Qt::LeftButton, {}, timeline->sliceRect({1, 1, 8}).center().toPoint());
    QVERIFY(window.grab().save(dir.filePath(QStringLiteral("widgets_%1.png").arg(word))));
  }
}

QTEST_MAIN(WidgetsTest)
#include "widgets_test.moc"
