#include <QElapsedTimer>
#include <QImage>
#include <QSignalSpy>
#include <QtTest>
#include <ctime>

#include "ui/canvas/canvas.h"
#include "ui/theme/theme.h"
#include "ui/widgets/timeline.h"

using namespace ui;

// Times of frames, reported and never failing: window.md's budgets are goals for a quiet machine.
class CanvasFramesTest : public QObject {
  Q_OBJECT

 private:
  // Distinct operators without repeats, in groups of a hundred, so that unfolded all of them are on the canvas.
  static core::Graph graphOf(int operators) {
    core::Graph graph;
    graph.name = "bench";
    graph.dims = {{"batch", 8}, {"d", 64}};
    graph.tensors.push_back({.name = "x", .shape = {core::DimId(0), core::DimId(1)}, .kind = core::TensorKind::input});
    for (int i = 0; i < operators; ++i) {
      core::Operator op;
      op.name = "part_" + std::string(1, static_cast<char>('a' + (i / 2600) % 26)) +
                std::string(1, static_cast<char>('a' + (i / 100) % 26)) + "/op" + std::to_string(i);
      op.kind = "kind" + std::to_string(i);  // none equal another: nothing folds
      op.inputs.push_back(core::TensorId(i));
      if (i > 7 && i % 3 == 0) op.inputs.push_back(core::TensorId(i - 5));
      op.outputs.push_back(core::TensorId(i + 1));
      graph.tensors.push_back(
          {.name = op.name, .shape = {core::DimId(0), core::DimId(1)}, .producer = core::OperatorId(i)});
      graph.operators.push_back(std::move(op));
    }
    graph.outputs.push_back(core::TensorId(operators));
    return graph;
  }

  static void report(const char* what, QWidget& widget, int frames = 15) {
    QImage image(widget.size(), QImage::Format_ARGB32_Premultiplied);
    widget.render(&image);
    std::vector<double> times;
    for (int i = 0; i < frames; ++i) {
      std::clock_t before = std::clock();  // of this process alone: other load on the machine does not count
      widget.render(&image);
      times.push_back(static_cast<double>(std::clock() - before) * 1e3 / CLOCKS_PER_SEC);
    }
    std::sort(times.begin(), times.end());
    qInfo("%s: median %.1f ms, worst %.1f ms of processor time", what, times[times.size() / 2], times.back());
  }

 private slots:
  void canvas_data() {
    QTest::addColumn<int>("operators");
    QTest::newRow("10,000") << 10000;
    QTest::newRow("50,000") << 50000;
  }
  void canvas() {
    QFETCH(int, operators);
    applyAppearance(*qApp, Appearance::light);
    QElapsedTimer timer;
    timer.start();
    core::Graph graph = graphOf(operators);
    timer.restart();
    core::Fold fold = core::fold(graph);
    qInfo("fold: %lld ms", timer.restart());
    auto scene = std::make_shared<const Scene>(buildScene(graph, fold));
    qInfo("scene: %lld ms", timer.restart());
    Canvas canvas;
    canvas.setReducedMotion(true);
    canvas.setLayoutProgram(QString());
    canvas.resize(1920, 1080);
    canvas.show();
    canvas.setScene(scene);
    qInfo("folded layout: %lld ms", timer.restart());
    report("folded, all in view", canvas);
    timer.restart();
    canvas.expandAll();
    qInfo("unfolded layout: %lld ms", timer.restart());
    canvas.fitAll();
    report("unfolded, all in view", canvas);
    for (double zoom : {0.1, 0.3, 0.6, 1.0, 2.0}) {
      canvas.fitAll();
      canvas.zoomBy(zoom / canvas.zoom());
      report(qPrintable(QStringLiteral("unfolded, zoom %1").arg(zoom)), canvas);
    }
    canvas.setOverlay(Overlay::memory);
    canvas.fitAll();
    report("unfolded, memory overlay", canvas);
    timer.restart();
    for (int i = 0; i < 1000; ++i) canvas.at(QPointF(i, i / 2.0));
    qInfo("hit: %.3f ms each", static_cast<double>(timer.elapsed()) / 1000);
  }

  void timelineOfAMillionSlices() {
    TimelineData data;
    for (int i = 0; i < 300; ++i) data.labels += QStringLiteral("instruction %1").arg(i);
    for (int rank = 0; rank < 16; ++rank) {
      TimelineRow row{.name = QStringLiteral("rank %1").arg(rank),
                      .lanes = {{.kind = TimelineLane::Kind::compute},
                                {.kind = TimelineLane::Kind::communication},
                                {.kind = TimelineLane::Kind::waiting}}};
      for (int i = 0; i < 20833; ++i)
        for (std::size_t l = 0; l < 3; ++l)
          row.lanes[l].append({i * 0.003 + 0.001 * static_cast<double>(l),
                               i * 0.003 + 0.001 * static_cast<double>(l) + 0.0009, i % 300,
                               static_cast<std::int16_t>(l == 1 ? i % 2 : -1)});
      data.rows.push_back(std::move(row));
    }
    qInfo("%zu slices", data.sliceCount());
    Timeline timeline;
    timeline.resize(1920, 900);
    timeline.setData(std::move(data));
    report("all in view", timeline);
    for (double width : {10.0, 1.0, 0.1}) {
      timeline.setView(20, 20 + width);
      report(qPrintable(QStringLiteral("%1 s in view").arg(width)), timeline);
    }
  }
};

QTEST_MAIN(CanvasFramesTest)
#include "canvas_frames_test.moc"
