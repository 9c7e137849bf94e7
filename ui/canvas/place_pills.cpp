#include "ui/canvas/place_pills.h"

#include <QFontMetricsF>
#include <QHash>
#include <algorithm>
#include <cmath>

#include "ui/canvas/look.h"
#include "ui/canvas/words.h"
#include "ui/widgets/paint_tools.h"

namespace ui {

namespace {

constexpr std::size_t fewPills = 150;  // so many are placed wherever they are, so that panning moves none
constexpr double around = 300;         // of more only those so near to the window
constexpr double besideNode = 6, belowNode = 3, between = 2;
constexpr double cell = 64;

// What stands already, by the cells that it touches.
class Taken {
 public:
  bool isFree(const QRectF& rect) const {
    bool free = true;
    each(rect, [&](qint64 key) {
      for (int i : cells_.value(key)) free = free && !rects_[static_cast<std::size_t>(i)].intersects(rect);
    });
    return free;
  }
  void add(const QRectF& rect) {
    each(rect, [&](qint64 key) { cells_[key].push_back(static_cast<int>(rects_.size())); });
    rects_.push_back(rect);
  }

 private:
  template <class Visit>
  static void each(const QRectF& rect, Visit visit) {
    auto at = [](double v) { return static_cast<qint64>(std::floor(v / cell)); };
    for (qint64 y = at(rect.top()); y <= at(rect.bottom()); ++y)
      for (qint64 x = at(rect.left()); x <= at(rect.right()); ++x) visit(x * 1'000'003 + y);
  }
  std::vector<QRectF> rects_;
  QHash<qint64, std::vector<int>> cells_;
};

class Placer {
 public:
  explicit Placer(const Look& look) : look_(look), metrics_(sized(look.font, 11, true)) {}

  std::vector<PlacedPill> run() {
    const std::vector<PicturePill>& pills = look_.picture.pills;
    std::vector<PlacedPill> placed(pills.size());
    QRectF near = QRectF(QPointF(0, 0), look_.widget).adjusted(-around, -around, around, around);
    for (std::size_t p = 0; p < pills.size(); ++p)
      if (pills.size() <= fewPills || near.contains(look_.view.toScreen(pills[p].at))) placed[p] = place(pills[p]);
    return placed;
  }

 private:
  PlacedPill place(const PicturePill& pill) {
    for (const QString& text : texts(pill)) {
      QSizeF size = text.isEmpty() ? QSizeF(8, 6) : QSizeF(metrics_.horizontalAdvance(text) + 22, height());
      for (QPointF corner : pill.node >= 0 ? besideRow(pill, size) : alongEdge(pill, size)) {
        QRectF rect(corner, size);
        if (!taken_.isFree(rect) || meetsNode(rect)) continue;
        taken_.add(rect.adjusted(-1, -1, 1, 1));
        return {rect, text};
      }
    }
    return {};
  }

  // Between nodes that stand close a pill is lower.
  double height() const { return look_.view.zoom < 0.8 ? 15 : 18; }

  // From what it says where there is room to a dot.
  QStringList texts(const PicturePill& placed) const {
    const ScenePill& pill = look_.scene.pills[static_cast<std::size_t>(placed.pill)];
    QStringList found;
    if (look_.detail >= Detail::standard) {
      if (look_.view.zoom >= 0.8) found << pillText(look_.scene, pill, look_.detail);
      found << pillText(look_.scene, pill, Detail::map);
      found << pillText(look_.scene, pill, Detail::overview);
    }
    return found << QString();
  }

  bool meetsNode(const QRectF& rect) const {
    constexpr double sheets = 10;  // that a stack shows behind itself
    for (int n : look_.picture.nodeGrid.touching(look_.view.toScene(rect.adjusted(-sheets, -sheets, 1, 1))))
      if (obstacle(look_.picture.nodes[static_cast<std::size_t>(n)]).intersects(rect)) return true;
    return false;
  }

  QRectF obstacle(const PictureNode& node) const {
    const SceneNode& s = look_.scene.nodes[static_cast<std::size_t>(node.node)];
    QRectF rect = look_.view.toScreen(node.rect);
    if (node.open) return headerParts(s, rect, look_.view.zoom).header;
    double behind = s.kind == SceneNodeKind::stack ? 9 * std::min(1.0, look_.view.zoom) : 0;
    return rect.adjusted(-1, -1, 1 + behind, 1 + behind);
  }

  std::vector<QPointF> besideRow(const PicturePill& pill, QSizeF size) const {
    QRectF node = look_.view.toScreen(look_.picture.nodes[static_cast<std::size_t>(pill.node)].rect);
    double right = node.right() + besideNode, left = node.left() - besideNode - size.width();
    double row = look_.view.toScreen(pill.at).y() - size.height() / 2, step = size.height() + between;
    std::vector<QPointF> corners{{right, row}, {left, row}};
    for (int k = 1; k <= 4; ++k)
      for (double y : {row + k * step, row - k * step}) corners.insert(corners.end(), {{right, y}, {left, y}});
    for (int k = 0; k < 3; ++k)
      for (double y : {node.bottom() + belowNode + k * step, node.top() - belowNode - size.height() - k * step})
        corners.insert(corners.end(),
                       {{node.left(), y}, {node.right() - size.width(), y}, {node.center().x() - size.width() / 2, y}});
    return corners;
  }

  // On it, from the middle of its longest upright stretch; then beside it.
  std::vector<QPointF> alongEdge(const PicturePill& pill, QSizeF size) const {
    const PictureEdge& edge = look_.picture.edges[static_cast<std::size_t>(pill.edge)];
    std::vector<QPointF> middles{look_.view.toScreen(pill.at)};
    for (int i = edge.firstPoint; i + 1 < edge.firstPoint + edge.pointCount; ++i) {
      QPointF a = look_.view.toScreen(look_.picture.points[static_cast<std::size_t>(i)]),
              b = look_.view.toScreen(look_.picture.points[static_cast<std::size_t>(i + 1)]);
      for (double share : {0.5, 0.25, 0.75}) middles.push_back(a + (b - a) * share);
    }
    std::vector<QPointF> corners;
    double step = size.height() + between;
    for (double aside : {0.0, size.width() / 2 + besideNode, -size.width() / 2 - besideNode})
      for (QPointF middle : middles)
        for (double down : {0.0, step, -step, 2 * step, -2 * step})
          corners.push_back(middle + QPointF(aside - size.width() / 2, down - size.height() / 2));
    return corners;
  }

  const Look& look_;
  QFontMetricsF metrics_;
  Taken taken_;
};

}  // namespace

std::vector<PlacedPill> placePills(const Look& look) {
  if (look.detail == Detail::overview) return std::vector<PlacedPill>(look.picture.pills.size());
  return Placer(look).run();
}

}  // namespace ui
