#include "ui/canvas/picture.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "ui/canvas/words.h"

namespace ui {

namespace {

constexpr double portWidth = 10;

int levelOf(const Visible& visible, int node, std::size_t after) {
  for (std::size_t l = after + 1; l < visible.levels.size(); ++l)  // inner levels stand behind outer ones
    if (visible.levels[l].container == node) return static_cast<int>(l);
  return -1;
}

// A row of ports keeps its distance by itself.
double topPadding(const VisibleLevel& level) {
  return level.inPorts.empty() ? groupPadding : 2;
}
double bottomPadding(const VisibleLevel& level) {
  return level.outPorts.empty() ? groupPadding : 2;
}

QSizeF openSize(const Scene& scene, const NodeSizes& sizes, const LevelLayout& layout, const VisibleLevel& level) {
  double width = std::max(layout.size.width(), sizes.headerWidth(scene, level.container) - 2 * groupPadding);
  return {width + 2 * groupPadding, layout.size.height() + groupHeader + topPadding(level) + bottomPadding(level)};
}

// Where the content of an unfolded node begins: in the middle, when the header is wider.
QPointF contentOffset(const Scene& scene, const NodeSizes& sizes, const LevelLayout& layout,
                      const VisibleLevel& level) {
  double slack = openSize(scene, sizes, layout, level).width() - 2 * groupPadding - layout.size.width();
  return {groupPadding + slack / 2, groupHeader + topPadding(level)};
}

// x of a value's port inside an unfolded child, from the child's left.
double portOffset(const Scene& scene, const Visible& visible, const NodeSizes& sizes,
                  const std::vector<LevelLayout>& layouts, int childLevel, int tensor, bool in) {
  const VisibleLevel& level = visible.levels[static_cast<std::size_t>(childLevel)];
  const auto& ports = in ? level.inPorts : level.outPorts;
  auto found = std::find(ports.begin(), ports.end(), tensor);
  if (found == ports.end()) return -1;
  auto index = static_cast<std::size_t>(found - ports.begin());
  const LevelLayout& layout = layouts[static_cast<std::size_t>(childLevel)];
  QRectF box = layout.boxes[static_cast<std::size_t>(in ? level.inBox(index) : level.outBox(index))];
  return contentOffset(scene, sizes, layout, level).x() + box.center().x();
}

class Composer {
 public:
  Composer(const Scene& scene, const Visible& visible, const NodeSizes& sizes, const std::vector<LevelLayout>& layouts)
      : scene_(scene), visible_(visible), sizes_(sizes), layouts_(layouts) {
    picture_.at.assign(scene.nodes.size(), -1);
    picture_.shownAs = visible.shownAs;
  }

  Picture run() {
    placeLevel(0, {0, 0}, -1);
    placePills();
    summarise();
    std::vector<QRectF> nodeRects, edgeRects;
    for (const PictureNode& node : picture_.nodes) {
      nodeRects.push_back(node.rect);
      picture_.bounds |= node.rect;
    }
    for (const PictureEdge& edge : picture_.edges) edgeRects.push_back(picture_.edgeBounds(edge));
    for (const QRectF& r : edgeRects) picture_.bounds |= r.adjusted(0, 0, 0.01, 0.01);
    picture_.nodeGrid = GridIndex(nodeRects);
    picture_.edgeGrid = GridIndex(edgeRects);
    for (const LevelLayout& layout : layouts_) picture_.fallback |= layout.fallback;
    return std::move(picture_);
  }

 private:
  void placeLevel(std::size_t l, QPointF origin, int container) {
    const VisibleLevel& level = visible_.levels[l];
    const LevelLayout& layout = layouts_[l];
    std::vector<int> drawn(layout.boxes.size(), -1);
    for (std::size_t c = 0; c < level.children.size(); ++c) {
      int node = level.children[c];
      drawn[c] = static_cast<int>(picture_.nodes.size());
      picture_.at[static_cast<std::size_t>(node)] = drawn[c];
      int inner = levelOf(visible_, node, l);
      picture_.nodes.push_back({node, layout.boxes[c].translated(origin), level.depth, inner >= 0, {}, {}});
      if (inner >= 0)
        placeLevel(static_cast<std::size_t>(inner),
                   picture_.nodes[static_cast<std::size_t>(drawn[c])].rect.topLeft() +
                       contentOffset(scene_, sizes_, layouts_[static_cast<std::size_t>(inner)],
                                     visible_.levels[static_cast<std::size_t>(inner)]),
                   drawn[c]);
    }
    for (std::size_t p = 0; p < level.inPorts.size(); ++p)
      addPort(layout, level.inBox(p), origin, level.inPorts[p], true, container);
    for (std::size_t p = 0; p < level.outPorts.size(); ++p)
      addPort(layout, level.outBox(p), origin, level.outPorts[p], false, container);
    for (std::size_t e = 0; e < level.edges.size(); ++e) {
      const VisibleEdge& edge = level.edges[e];
      PictureEdge made{
          static_cast<int>(picture_.points.size()), 0,         edge.tensor, drawn[static_cast<std::size_t>(edge.from)],
          drawn[static_cast<std::size_t>(edge.to)], container, edge.back,   edge.count};
      for (QPointF p : layout.routes[e].points) picture_.points.push_back(p + origin);
      made.pointCount = static_cast<int>(picture_.points.size()) - made.firstPoint;
      stretchToBorder(made, container);
      picture_.edges.push_back(made);
    }
  }

  // From the header's lower edge, and down to the lower border: the way goes on outside.
  void stretchToBorder(const PictureEdge& edge, int container) {
    if (container < 0 || edge.pointCount == 0) return;
    const QRectF& rect = picture_.nodes[static_cast<std::size_t>(container)].rect;
    if (edge.from < 0) picture_.points[static_cast<std::size_t>(edge.firstPoint)].setY(rect.top() + groupHeader);
    if (edge.to < 0)
      picture_.points[static_cast<std::size_t>(edge.firstPoint + edge.pointCount - 1)].setY(rect.bottom());
  }

  void addPort(const LevelLayout& layout, int box, QPointF origin, int tensor, bool in, int container) {
    QPointF at = layout.boxes[static_cast<std::size_t>(box)].center() + origin;
    if (container >= 0)
      at.setY(in ? picture_.nodes[static_cast<std::size_t>(container)].rect.top() + groupHeader
                 : picture_.nodes[static_cast<std::size_t>(container)].rect.bottom());
    picture_.ports.push_back({at, tensor, in});
  }

  // A collective sits on the way to the operator that needs it, else on the first way of its value, else on the value's
  // row.
  void placePills() {
    std::map<int, std::vector<int>> edgesOf;
    for (std::size_t e = 0; e < picture_.edges.size(); ++e)
      edgesOf[picture_.edges[e].tensor].push_back(static_cast<int>(e));
    for (std::size_t p = 0; p < scene_.pills.size(); ++p) {
      const ScenePill& pill = scene_.pills[p];
      int home = scene_.nodeOfTensor[static_cast<std::size_t>(pill.tensor)];
      int maker = home >= 0 ? drawnFor(home) : -1;
      int wanted = pill.consumer >= 0 ? drawnFor(pill.consumer) : -1;
      if (maker >= 0 && wanted == maker && picture_.nodes[static_cast<std::size_t>(maker)].node != home)
        continue;  // inside a folded node: its badge
      int edge = -1;
      if (!pill.gradient && edgesOf.count(pill.tensor))
        for (int e : edgesOf[pill.tensor]) {
          if (edge < 0 || (wanted >= 0 && picture_.edges[static_cast<std::size_t>(e)].to == wanted)) edge = e;
          if (picture_.edges[static_cast<std::size_t>(edge)].to == wanted) break;
        }
      if (edge >= 0) {
        picture_.pills.push_back(
            {static_cast<int>(p), middleOf(picture_.edges[static_cast<std::size_t>(edge)]), edge, -1});
      } else if (maker >= 0 && picture_.nodes[static_cast<std::size_t>(maker)].node == home) {
        const QRectF& rect = picture_.nodes[static_cast<std::size_t>(maker)].rect;
        const auto& rows = scene_.nodes[static_cast<std::size_t>(home)].rows;
        auto row = static_cast<double>(std::find(rows.begin(), rows.end(), pill.tensor) - rows.begin());
        picture_.pills.push_back(
            {static_cast<int>(p), {rect.right(), rect.top() + headerHeight + rowHeight * (row + 0.5)}, -1, maker});
      }
    }
  }

  // What folded nodes hide, once for all frames.
  void summarise() {
    std::vector<std::map<QString, int>> counts(picture_.nodes.size());
    for (const ScenePill& pill : scene_.pills) {
      int home = pill.consumer >= 0 ? pill.consumer : scene_.nodeOfTensor[static_cast<std::size_t>(pill.tensor)];
      int n = home >= 0 ? drawnFor(home) : -1;
      if (n >= 0 && picture_.nodes[static_cast<std::size_t>(n)].node != home)
        counts[static_cast<std::size_t>(n)][collectiveLetters(pill.kind)] += pill.count;
    }
    for (std::size_t n = 0; n < counts.size(); ++n) {
      QStringList said;
      for (const auto& [letters, count] : counts[n]) said += QStringLiteral("%1 %2").arg(count).arg(letters);
      picture_.nodes[n].collectives = said.join(QStringLiteral(", "));
    }
    for (std::size_t s = 0; s < scene_.nodes.size(); ++s) {
      int n = drawnFor(static_cast<int>(s));
      if (n < 0) continue;
      for (int row : scene_.nodes[s].rows)
        for (const SceneDim& dim : scene_.tensors[static_cast<std::size_t>(row)].dims)
          for (core::AxisId axis : dim.axes) picture_.nodes[static_cast<std::size_t>(n)].axes.insert(axis);
    }
  }

  int drawnFor(int node) const {
    int shown = visible_.shownAs[static_cast<std::size_t>(node)];
    return shown < 0 ? -1 : picture_.at[static_cast<std::size_t>(shown)];
  }

  // The middle of its longest upright stretch.
  QPointF middleOf(const PictureEdge& edge) const {
    QPointF best;
    double longest = -1;
    for (int i = edge.firstPoint; i + 1 < edge.firstPoint + edge.pointCount; ++i) {
      QPointF a = picture_.points[static_cast<std::size_t>(i)], b = picture_.points[static_cast<std::size_t>(i + 1)];
      double length = std::abs(a.y() - b.y()) + 0.2 * std::abs(a.x() - b.x());
      if (length > longest) {
        longest = length;
        best = (a + b) / 2;
      }
    }
    return best;
  }

  const Scene& scene_;
  const Visible& visible_;
  const NodeSizes& sizes_;
  const std::vector<LevelLayout>& layouts_;
  Picture picture_;
};

}  // namespace

QRectF Picture::edgeBounds(const PictureEdge& edge) const {
  QRectF all;
  for (int i = edge.firstPoint; i < edge.firstPoint + edge.pointCount; ++i) {
    QRectF point(points[static_cast<std::size_t>(i)], QSizeF(0.01, 0.01));
    all = i == edge.firstPoint ? point : all.united(point);
  }
  return all;
}

LevelGraph levelGraphOf(const Scene& scene, const Visible& visible, std::size_t l, const NodeSizes& sizes,
                        const std::vector<LevelLayout>& layouts) {
  const VisibleLevel& level = visible.levels[l];
  LevelGraph graph;
  std::vector<int> inner;
  for (int child : level.children) {
    inner.push_back(levelOf(visible, child, l));
    graph.boxes.push_back(inner.back() >= 0 ? openSize(scene, sizes, layouts[static_cast<std::size_t>(inner.back())],
                                                       visible.levels[static_cast<std::size_t>(inner.back())])
                                            : sizes.of(scene, child));
    graph.ends.push_back(LevelEnd::none);
  }
  for (std::size_t p = 0; p < level.inPorts.size(); ++p) {
    graph.boxes.push_back({portWidth, 0});
    graph.ends.push_back(LevelEnd::top);
  }
  for (std::size_t p = 0; p < level.outPorts.size(); ++p) {
    graph.boxes.push_back({portWidth, 0});
    graph.ends.push_back(LevelEnd::bottom);
  }
  for (const VisibleEdge& edge : level.edges) {
    LevelEdge made{.from = edge.from, .to = edge.to, .back = edge.back, .net = edge.tensor};
    auto at = [&](int box, bool in) {
      auto b = static_cast<std::size_t>(box);
      return b < inner.size() && inner[b] >= 0 ? portOffset(scene, visible, sizes, layouts, inner[b], edge.tensor, in)
                                               : -1.0;
    };
    made.fromAt = at(edge.from, false);
    made.toAt = at(edge.to, true);
    graph.edges.push_back(made);
  }
  return graph;
}

Picture compose(const Scene& scene, const Visible& visible, const NodeSizes& sizes,
                const std::vector<LevelLayout>& layouts) {
  return Composer(scene, visible, sizes, layouts).run();
}

}  // namespace ui
