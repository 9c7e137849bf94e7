#include "ui/graph_layout/route.h"

#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QtTest>

#include "ui/graph_layout/layered.h"
#include "ui/graph_layout/layering.h"

using namespace ui;

namespace {

LevelGraph chain(int count) {
  LevelGraph graph;
  for (int i = 0; i < count; ++i) graph.boxes.push_back({100, 40});
  for (int i = 1; i < count; ++i) graph.edges.push_back({.from = i - 1, .to = i});
  return graph;
}

LevelGraph random(int boxes, int edges, quint32 seed) {
  QRandomGenerator rng(seed);
  LevelGraph graph;
  for (int i = 0; i < boxes; ++i) graph.boxes.push_back({60.0 + rng.bounded(140), 30.0 + rng.bounded(60)});
  for (int i = 0; i < edges; ++i) {
    int from = rng.bounded(boxes), to = rng.bounded(boxes);
    if (from != to) graph.edges.push_back({.from = from, .to = to});
  }
  return graph;
}

bool orthogonal(const LevelRoute& route) {
  for (std::size_t i = 1; i < route.points.size(); ++i) {
    QPointF by = route.points[i] - route.points[i - 1];
    if (std::abs(by.x()) > 1e-6 && std::abs(by.y()) > 1e-6) return false;
  }
  return true;
}

// How far an edge runs through boxes that are not its ends.
int boxesCrossed(const LevelGraph& graph, const LevelLayout& layout) {
  int crossed = 0;
  for (std::size_t e = 0; e < graph.edges.size(); ++e)
    for (std::size_t i = 1; i < layout.routes[e].points.size(); ++i) {
      QPointF a = layout.routes[e].points[i - 1], b = layout.routes[e].points[i];
      QRectF stretch = QRectF(a, b).normalized().adjusted(-0.1, -0.1, 0.1, 0.1);
      for (std::size_t box = 0; box < layout.boxes.size(); ++box)
        crossed += layout.boxes[box].adjusted(2, 2, -2, -2).intersects(stretch);
    }
  return crossed;
}

}  // namespace

class RouteTest : public QObject {
  Q_OBJECT

 private slots:
  void aChainIsAStraightLine() {
    LevelGraph graph = chain(5);
    LevelLayout layout = route(graph, layered(graph));
    for (const LevelRoute& r : layout.routes) {
      QCOMPARE(r.points.size(), std::size_t{2});
      QCOMPARE(r.points[0].x(), r.points[1].x());
    }
    for (int i = 1; i < 5; ++i)
      QVERIFY(layout.boxes[static_cast<std::size_t>(i)].top() > layout.boxes[static_cast<std::size_t>(i - 1)].bottom());
  }

  void aLongEdgePassesBesideWhatIsBetween() {
    LevelGraph graph = chain(5);
    graph.edges.push_back({.from = 0, .to = 4});
    LevelLayout layout = route(graph, layered(graph));
    QVERIFY(orthogonal(layout.routes.back()));
    QCOMPARE(boxesCrossed(graph, layout), 0);
    QCOMPARE(layout.routes.back().points.front().y(), layout.boxes[0].bottom());
    QCOMPARE(layout.routes.back().points.back().y(), layout.boxes[4].top());
  }

  void boxesOfARowDoNotOverlapAndEdgesCrossNone_data() {
    QTest::addColumn<quint32>("seed");
    for (quint32 seed = 1; seed <= 20; ++seed) QTest::addRow("seed %u", seed) << seed;
  }
  void boxesOfARowDoNotOverlapAndEdgesCrossNone() {
    QFETCH(quint32, seed);
    LevelGraph graph = random(40, 70, seed);
    LevelLayout layout = route(graph, layered(graph));
    for (std::size_t a = 0; a < layout.boxes.size(); ++a)
      for (std::size_t b = a + 1; b < layout.boxes.size(); ++b) QVERIFY(!layout.boxes[a].intersects(layout.boxes[b]));
    for (const LevelRoute& r : layout.routes) QVERIFY(orthogonal(r));
    QCOMPARE(boxesCrossed(graph, layout), 0);
    QRectF all(QPointF(-1, -1), layout.size + QSizeF(2, 2));
    for (const QRectF& box : layout.boxes) QVERIFY(all.contains(box));
  }

  void aBackEdgeGoesAlongTheSide() {
    LevelGraph graph = chain(4);
    graph.edges.push_back({.from = 3, .to = 0, .back = true});
    LevelLayout layout = route(graph, layered(graph));
    QVERIFY(layout.boxes[0].top() < layout.boxes[3].top());  // it does not turn the flow round
    double right = 0;
    for (QPointF p : layout.routes.back().points) right = std::max(right, p.x());
    for (const QRectF& box : layout.boxes) QVERIFY(right > box.right());
    QCOMPARE(boxesCrossed(graph, layout), 0);
  }

  void cyclesAndSelfEdgesAreSurvived() {
    LevelGraph graph = chain(3);
    graph.edges.push_back({.from = 2, .to = 0});
    graph.edges.push_back({.from = 1, .to = 1});
    LevelLayout layout = route(graph, layered(graph));
    QCOMPARE(layout.boxes.size(), std::size_t{3});
    for (const LevelRoute& r : layout.routes) QVERIFY(r.points.size() >= 2);
    QCOMPARE(route(LevelGraph{}, layered(LevelGraph{})).boxes.size(), std::size_t{0});
  }

  void endsStandFirstAndLast() {
    LevelGraph graph = chain(4);
    graph.ends = {LevelEnd::none, LevelEnd::none, LevelEnd::bottom, LevelEnd::top};
    graph.edges = {{.from = 3, .to = 1}, {.from = 0, .to = 2}};
    Layering layering = layeringOf(graph);
    QCOMPARE(layering.rows[3], 0);
    QCOMPARE(layering.rows[2], layering.count - 1);
    QVERIFY(layering.rows[0] > 0 && layering.rows[1] > 0);
  }

  void placesThatAreAskedForAreKept() {
    LevelGraph graph = chain(2);
    graph.edges[0].fromAt = 20;
    graph.edges[0].toAt = 77;
    LevelLayout layout = route(graph, layered(graph));
    QCOMPARE(layout.routes[0].points.front().x(), layout.boxes[0].left() + 20);
    QCOMPARE(layout.routes[0].points.back().x(), layout.boxes[1].left() + 77);
  }

  void valuesOfOneNetShareTheirWay() {
    LevelGraph graph = chain(6);
    graph.edges.push_back({.from = 0, .to = 3, .net = 7});
    graph.edges.push_back({.from = 0, .to = 5, .net = 7});
    LevelLayout layout = route(graph, layered(graph));
    const auto &near = layout.routes[5].points, &far = layout.routes[6].points;
    QCOMPARE(near.front(), far.front());
    QCOMPARE(near[2].x(), far[2].x());
  }

  void tenThousandBoxesTakeWellUnderASecond() {
    LevelGraph graph = random(10000, 0, 5);
    QRandomGenerator rng(3);
    for (int i = 1; i < 10000; ++i) graph.edges.push_back({.from = std::max(0, i - 1 - rng.bounded(8)), .to = i});
    QElapsedTimer timer;
    timer.start();
    LevelPlacement placement = layered(graph);
    qint64 placed = timer.restart();
    LevelLayout layout = route(graph, placement);
    qInfo("10,000 boxes: placed in %lld ms, routed in %lld ms", placed, timer.elapsed());
    QVERIFY(placed + timer.elapsed() < 10000);  // a guard against a quadratic step
  }
};

QTEST_GUILESS_MAIN(RouteTest)
#include "route_test.moc"
