#include "ui/canvas/visible.h"

#include <QtTest>

#include "gpt_sample.h"
#include "ui/canvas/grid_index.h"
#include "ui/canvas/view.h"

using namespace ui;

class VisibleTest : public QObject {
  Q_OBJECT

 private:
  core::Graph graph_ = sample::gpt();
  core::Fold fold_ = core::fold(graph_);
  Scene scene_ = buildScene(graph_, fold_, sample::analysisOf(graph_).get());

  int stackNode() const { return scene_.nodeOfStack[0]; }
  QString title(const VisibleLevel& level, int box) const {
    return scene_.nodes[static_cast<std::size_t>(level.children[static_cast<std::size_t>(box)])].title;
  }
  QString stackPath() const { return scene_.nodes[static_cast<std::size_t>(stackNode())].path; }

 private slots:
  void foldedEdgesRunBetweenWhatIsShown() {
    Visible visible = visibleOf(scene_, {});
    QCOMPARE(visible.levels.size(), std::size_t{1});
    QStringList found;
    for (const VisibleEdge& edge : visible.levels[0].edges)
      found += title(visible.levels[0], edge.from) + ">" + title(visible.levels[0], edge.to);
    QCOMPARE(found, QStringList({"tokens>wte", "wte>add", "add>h", "h>ln_f", "ln_f>einsum", "einsum>einsum"}));
  }

  void everyLeafIsShownAsSomething() {
    for (bool open : {false, true}) {
      Expansion expansion;
      if (open) expansion.open.insert(stackPath());
      Visible visible = visibleOf(scene_, expansion);
      for (std::size_t n = 0; n < scene_.nodes.size(); ++n) QVERIFY(visible.shownAs[n] >= 0);
    }
  }

  void theCarriedValueIsOneLoopAndBordersHavePorts() {
    Expansion expansion;
    expansion.open.insert(stackPath());
    Visible visible = visibleOf(scene_, expansion);
    const VisibleLevel& inside = visible.levels.at(1);
    QCOMPARE(inside.container, stackNode());
    QCOMPARE(inside.inPorts.size(), std::size_t{1});
    QCOMPARE(inside.outPorts.size(), std::size_t{1});
    QStringList back;
    for (const VisibleEdge& edge : inside.edges)
      if (edge.back) back += title(inside, edge.from) + ">" + title(inside, edge.to);
    back.sort();
    QCOMPARE(back, QStringList({"add_2>add", "add_2>ln_1"}));  // the residual: read by the norm and by the sum
  }

  void anyInstanceShowsTheSameEdges() {
    QList<std::size_t> counts;
    for (int instance = 0; instance < 4; ++instance) {
      Expansion expansion;
      expansion.open.insert(stackPath());
      expansion.instance[stackPath()] = instance;
      Visible visible = visibleOf(scene_, expansion);
      counts += visible.levels[1].edges.size();
      QCOMPARE(visible.levels[1].inPorts.size(), std::size_t{1});
    }
    QCOMPARE(counts, QList<std::size_t>(4, counts[0]));
  }

  void whatIsUnfoldedInOneInstanceIsSoInAll() {
    Expansion expansion;
    expansion.open.insert(stackPath());
    const SceneNode& first =
        scene_.nodes[static_cast<std::size_t>(scene_.nodes[static_cast<std::size_t>(stackNode())].children[0])];
    for (int child : first.children)
      if (unfolds(scene_.nodes[static_cast<std::size_t>(child)]))
        expansion.open.insert(scene_.nodes[static_cast<std::size_t>(child)].path);
    std::size_t levels = visibleOf(scene_, expansion).levels.size();
    QVERIFY(levels > 3);
    expansion.instance[stackPath()] = 2;
    QCOMPARE(visibleOf(scene_, expansion).levels.size(), levels);
  }

  void anEnteredStackHasOnlyItsOwn() {
    Visible visible = visibleOf(scene_, {}, stackNode());
    QCOMPARE(visible.levels.size(), std::size_t{1});
    QCOMPARE(visible.levels[0].inPorts.size(), std::size_t{1});
    QCOMPARE(visible.shownAs[static_cast<std::size_t>(scene_.nodeOfOperator[0])], -1);  // wte lies outside
  }

  void shardingsAndCollectivesAreJoinedByName() {
    const SceneTensor& weight = scene_.tensors[graph_.findTensor("h.1.mlp.c_fc.weight")->index()];
    QCOMPARE(weight.dims[1].axes, core::AxisList{1});
    QCOMPARE(weight.dims[1].local, qint64{128});
    QCOMPARE(weight.localBytes, weight.bytes / 2);
    QVERIFY(weight.dims[1].origin == core::Origin::pin);
    auto gradients =
        std::count_if(scene_.pills.begin(), scene_.pills.end(), [](const ScenePill& p) { return p.gradient; });
    QCOMPARE(static_cast<std::size_t>(gradients), graph_.states().size() + 4);  // and back through c_fc, once a layer
    QCOMPARE(scene_.pills.size() - static_cast<std::size_t>(gradients), std::size_t{8});  // two a layer
    QCOMPARE(scene_.describe(SceneRef::of(*graph_.findTensor("wpe.weight"))),
             QStringLiteral("tensor wpe.weight (seq 32, d_model 64)"));
  }

  void figuresAddUp() {
    double leaves = 0;
    for (const SceneNode& node : scene_.nodes)
      if (node.kind == SceneNodeKind::op || node.kind == SceneNodeKind::input) leaves += node.figures.memory;
    QVERIFY(std::abs(scene_.nodes[0].figures.memory - leaves) < 0.5);
    double once = 0;  // the tied embedding is read twice and counted once
    for (const SceneTensor& tensor : scene_.tensors)
      if (tensor.kind != core::TensorKind::constant) once += static_cast<double>(tensor.localBytes);
    QVERIFY(std::abs(scene_.nodes[0].figures.memory - once) < 0.5);
  }

  void unevenDimensionsShowTheirPadding() {
    core::GraphBuilder build;
    core::TensorId x = build.input("x", "n:17");
    build.output(build.unary(core::Function::relu, x));
    core::Graph graph = build.take();
    auto analysis = sample::analysisOf(graph);
    core::TensorLayout split = analysis->layouts[0];
    split.sharding.dims[0] = {0, 1};
    analysis->layouts = std::vector{split};
    Scene scene = buildScene(graph, core::fold(graph), analysis.get());
    QCOMPARE(scene.tensors[0].dims[0].local, qint64{5});
    QCOMPARE(scene.tensors[0].dims[0].padding, qint64{3});
  }

  void theGridFindsWhatTouches() {
    std::vector<QRectF> rects;
    for (int i = 0; i < 500; ++i) rects.push_back({(i % 25) * 40.0, (i / 25) * 30.0, 30, 20});
    rects.push_back({0, 0, 1000, 1000});  // large
    rects.push_back({55, 10, 0, 400});    // a line
    GridIndex grid(rects);
    for (QRectF window :
         {QRectF(50, 5, 1, 1), QRectF(41, 0, 100, 100), QRectF(-50, -50, 10, 10), QRectF(0, 0, 2000, 2000)}) {
      std::vector<int> expected;
      for (std::size_t i = 0; i < rects.size(); ++i)
        if (rects[i].left() <= window.right() && window.left() <= rects[i].right() &&
            rects[i].top() <= window.bottom() && window.top() <= rects[i].bottom())
          expected.push_back(static_cast<int>(i));
      QCOMPARE(grid.touching(window), expected);
    }
    QVERIFY(GridIndex().touching({0, 0, 1, 1}).empty());
  }

  void detailDoesNotFlickerAtABorder() {
    double border = 18 / nominalHeight;
    QCOMPARE(detailOf(border * 1.01, Detail::map), Detail::map);
    QCOMPARE(detailOf(border * 1.09, Detail::map), Detail::standard);
    QCOMPARE(detailOf(border * 0.99, Detail::standard), Detail::standard);
    QCOMPARE(detailOf(border * 0.9, Detail::standard), Detail::map);
    QCOMPARE(detailOf(0.05, Detail::full), Detail::overview);
  }

  void zoomKeepsThePointUnderThePointer() {
    View view{{10, 20}, 1.5};
    QPointF at(300, 200), before = view.toScene(at);
    QVERIFY((view.zoomed(1.7, at).toScene(at) - before).manhattanLength() < 1e-9);
    View fitted = View::fitting({0, 0, 1000, 500}, {800, 600});
    QVERIFY(QRectF(0, 0, 800, 600).contains(fitted.toScreen(QRectF(0, 0, 1000, 500))));
  }
};

QTEST_MAIN(VisibleTest)
#include "visible_test.moc"
