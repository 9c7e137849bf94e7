#include <QDir>
#include <QSignalSpy>
#include <QtTest>

#include "core/io/layout_file.h"
#include "core/plan/analyze.h"
#include "core/plan/edit/layout.h"
#include "core/plan/edit/mesh.h"
#include "gpt_sample.h"
#include "tests/support/several_plans.h"
#include "ui/canvas/canvas.h"
#include "ui/theme/theme.h"

using namespace ui;

namespace {

// Every sample: plans, models, and the first plan under every layout.
std::vector<std::pair<std::string, core::Plan>> samples() {
  const std::string folder = MESHWRIGHT_SOURCE "/samples";
  std::vector<std::pair<std::string, core::Plan>> found = tests::severalPlans();
  for (const QFileInfo& file : QDir(QString::fromStdString(folder + "/plans")).entryInfoList({"*.plan.json"}))
    found.emplace_back(file.fileName().toStdString(), core::readPlan(file.filePath().toStdString()));
  core::Plan first = found.back().second;
  for (const QFileInfo& file : QDir(QString::fromStdString(folder + "/layouts")).entryInfoList({"*.layout.json"})) {
    core::LayoutFile read = core::readLayoutFile(file.filePath().toStdString());
    core::Plan plan = read.mesh ? core::setMesh(first, *read.mesh) : first;
    found.emplace_back(file.fileName().toStdString(), core::setLayout(plan, read.layout));
  }
  return found;
}

std::shared_ptr<const Scene> sceneOf(const core::Plan& plan) {
  auto kept = std::make_shared<const core::Plan>(plan);
  core::Analysis analysis = core::flattened(core::analyze(kept, kept->current));
  return std::make_shared<const Scene>(buildScene(*plan.graph, core::fold(*plan.graph), &analysis));
}

}  // namespace

// A pill says something about an edge or a row; what it covers cannot be read.
class PillsTest : public QObject {
  Q_OBJECT

 private:
  struct Counts {
    int pills = 0, placed = 0;
  };

  std::vector<QRectF> nodesOf(const Canvas& canvas) const {
    std::vector<QRectF> nodes;
    for (const SceneNode& node : canvas.scene()->nodes)
      if (&node != &canvas.scene()->nodes[0] && canvas.isDrawnClosed(node.ref()))
        nodes.push_back(canvas.rectOf(node.ref()));
    return nodes;
  }

  Counts verify(const Canvas& canvas, const std::string& where) {
    Counts counts;
    std::vector<QRectF> nodes = nodesOf(canvas), pills;
    if (nodes.empty()) qFatal("nothing is drawn");
    for (std::size_t p = 0; p < canvas.scene()->pills.size(); ++p) {
      QRectF pill = canvas.rectOf({SceneRef::Kind::collective, static_cast<int>(p)});
      if (pill.isEmpty()) continue;
      ++counts.placed;
      for (const QRectF& node : nodes)
        if (pill.intersects(node))
          QTest::qFail(qPrintable(QString::fromStdString(where) + ": a pill on a node"), __FILE__, __LINE__);
      for (const QRectF& other : pills)
        if (pill.intersects(other))
          QTest::qFail(qPrintable(QString::fromStdString(where) + ": a pill on a pill"), __FILE__, __LINE__);
      pills.push_back(pill);
    }
    counts.pills = canvas.pillCount();
    return counts;
  }

 private slots:
  void neverCoverANode_data() {
    QTest::addColumn<int>("index");
    std::vector<std::pair<std::string, core::Plan>> all = samples();
    for (std::size_t i = 0; i < all.size(); ++i) QTest::newRow(all[i].first.c_str()) << static_cast<int>(i);
  }

  void neverCoverANode() {
    QFETCH(int, index);
    const auto [name, plan] = samples()[static_cast<std::size_t>(index)];
    applyAppearance(*qApp, Appearance::light);
    Canvas canvas;
    canvas.setReducedMotion(true);
    canvas.setLayoutProgram(QStringLiteral(MESHWRIGHT_BIN "/meshwright-layout"));
    canvas.resize(695, 400);
    QSignalSpy done(&canvas, &Canvas::layoutFinished);
    canvas.setScene(sceneOf(plan));
    QVERIFY(done.count() || done.wait(10000));
    for (bool unfolded : {false, true}) {
      if (unfolded) {
        canvas.expandAll();
        QVERIFY(done.wait(10000));
      }
      for (QSize size : {QSize(695, 400), QSize(1300, 780), QSize(3000, 2400)}) {
        canvas.resize(size);
        canvas.fitAll();
        Counts fitted = verify(canvas, name);
        QVERIFY2(fitted.placed >= fitted.pills * 9 / 10 || canvas.zoom() < 0.3 || fitted.pills > 150,
                 qPrintable(QStringLiteral("%1 of %2 at %3").arg(fitted.placed).arg(fitted.pills).arg(canvas.zoom())));
        for (double zoom : {0.15, 0.42, 0.5, 0.79, 0.81, 1.0, 1.3, 2.0}) {
          canvas.zoomBy(zoom / canvas.zoom());
          verify(canvas, name);
        }
      }
    }
  }

  // Where there is room all of them say what they move.
  void theSampleShowsAllOfThem() {
    Canvas canvas;
    canvas.setReducedMotion(true);
    canvas.setLayoutProgram(QStringLiteral(MESHWRIGHT_BIN "/meshwright-layout"));
    canvas.resize(695, 400);
    QSignalSpy done(&canvas, &Canvas::layoutFinished);
    canvas.setScene(sceneOf(core::readPlan(MESHWRIGHT_SOURCE "/samples/plans/transformer.plan.json")));
    QVERIFY(done.count() || done.wait(10000));
    canvas.fitAll();
    Counts counts = verify(canvas, "sample");
    QVERIFY(counts.pills > 5);
    QCOMPARE(counts.placed, counts.pills);
    for (std::size_t p = 0; p < canvas.scene()->pills.size(); ++p) {
      SceneRef pill{SceneRef::Kind::collective, static_cast<int>(p)};
      QRectF rect = canvas.rectOf(pill);
      if (rect.isEmpty()) continue;  // inside a folded node
      QVERIFY(rect.width() > 40);
      QCOMPARE(canvas.at(rect.center()), pill);
    }
  }

  void panningMovesThemWithTheirNodes() {
    Canvas canvas;
    canvas.setReducedMotion(true);
    canvas.setLayoutProgram({});
    canvas.resize(695, 400);
    QSignalSpy done(&canvas, &Canvas::layoutFinished);
    canvas.setScene(sceneOf(core::readPlan(MESHWRIGHT_SOURCE "/samples/plans/transformer.plan.json")));
    QVERIFY(done.count() || done.wait(10000));
    canvas.fitAll();
    std::vector<QRectF> before;
    for (std::size_t p = 0; p < canvas.scene()->pills.size(); ++p)
      before.push_back(canvas.rectOf({SceneRef::Kind::collective, static_cast<int>(p)}));
    canvas.panBy({120, -70});
    for (std::size_t p = 0; p < before.size(); ++p) {
      QRectF after = canvas.rectOf({SceneRef::Kind::collective, static_cast<int>(p)});
      QCOMPARE(after.isEmpty(), before[p].isEmpty());
      if (!after.isEmpty())
        QVERIFY((before[p].translated(120, -70).center() - after.center()).manhattanLength() < 0.01);
    }
  }
};

QTEST_MAIN(PillsTest)
#include "pills_test.moc"
