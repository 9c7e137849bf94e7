#include <QApplication>
#include <QDir>
#include <QSignalSpy>
#include <QtTest>

#include "gpt_sample.h"
#include "ui/canvas/canvas.h"
#include "ui/theme/theme.h"

using namespace ui;

namespace {

int distinctColours(const QImage& image) {
  QSet<QRgb> seen;
  for (int y = 0; y < image.height(); y += 2)
    for (int x = 0; x < image.width(); x += 2) seen.insert(image.pixel(x, y));
  return static_cast<int>(seen.size());
}

}  // namespace

// Pictures of the canvas for a person to look at, beside a report of what is drawn, which is compared.
class CanvasPicturesTest : public QObject {
  Q_OBJECT

 private:
  void save(Canvas& canvas, const QString& name) {
    QDir dir(QStringLiteral(MESHWRIGHT_BIN "/../screenshots"));
    dir.mkpath(".");
    QVERIFY(canvas.grab().save(dir.filePath(name + ".png")));
  }

 private slots:
  void folded();
};

void CanvasPicturesTest::folded() {
  core::Graph graph = sample::gpt();
  core::Fold fold = core::fold(graph);
  auto analysis = sample::analysisOf(graph);
  auto scene = std::make_shared<const Scene>(buildScene(graph, fold, analysis.get()));
  for (auto [appearance, word] : {std::pair{Appearance::light, "light"}, {Appearance::dark, "dark"}}) {
    applyAppearance(*qApp, appearance);
    Canvas canvas;
    canvas.setReducedMotion(true);
    canvas.setLayoutProgram(QStringLiteral(MESHWRIGHT_BIN "/meshwright-layout"));
    canvas.resize(1280, 720);
    QSignalSpy done(&canvas, &Canvas::layoutFinished);
    canvas.setScene(scene);
    QVERIFY(done.count() || done.wait(10000));
    save(canvas, QStringLiteral("canvas_folded_%1").arg(word));
    QCOMPARE(canvas.dump(),
             QStringLiteral("detail standard, overlay 0\ninput tokens\nop wte\nop add\nstack h x4\ngroup ln_f\n"
                            "op einsum\noutput einsum\npills: \u2207AR data; \u2207AR data\n"));
    QVERIFY(distinctColours(canvas.grab().toImage()) > 30);  // something is drawn, in this theme
    canvas.resize(1920, 1080);
    canvas.setExpanded(SceneRef::of(core::StackId(0)), true);
    QVERIFY(done.wait(10000));
    canvas.fitAll();
    QVERIFY(!canvas.usedFallback());
    save(canvas, QStringLiteral("canvas_stack_%1").arg(word));
    canvas.expandAll();
    QVERIFY(done.wait(10000));
    canvas.fitAll();
    save(canvas, QStringLiteral("canvas_all_%1").arg(word));
    canvas.reveal(SceneRef::of(*graph.findTensor("h.0.mlp.c_fc.weight")));
    canvas.zoomBy(1.2 / canvas.zoom());
    canvas.reveal(SceneRef::of(*graph.findTensor("h.0.mlp.c_fc.weight")));
    save(canvas, QStringLiteral("canvas_detail_%1").arg(word));
    canvas.setOverlay(Overlay::memory);
    canvas.fitAll();
    save(canvas, QStringLiteral("canvas_overlay_%1").arg(word));
    QVERIFY(!canvas.usedFallback());
  }
}

QTEST_MAIN(CanvasPicturesTest)
#include "canvas_pictures_test.moc"
