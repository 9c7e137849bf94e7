#include <QFontMetricsF>
#include <QPainter>
#include <cmath>

#include "ui/canvas/look.h"
#include "ui/theme/theme.h"
#include "ui/widgets/number_text.h"
#include "ui/widgets/paint_tools.h"

namespace ui {

namespace {

// Pinned, rule, search, inferred, undecided: what decided most of a node's tensors.
int sourceIndex(const SceneNode& node) {
  const SceneFigures& f = node.figures;
  if (f.pins) return 0;
  if (f.rules) return 1;
  if (f.choices) return 2;
  return f.inferred ? 3 : 4;
}

double sourceShare(int index) {
  constexpr double shares[] = {0.62, 0.44, 0.3, 0.16, 0.0};
  return shares[index];
}

QColor scaleColour(double share) {
  return mix(theme().surface, theme().text, 0.72 * share);
}

void paintMarks(QPainter& painter, const Look& look, const std::vector<int>& visible) {
  painter.setBrush(Qt::NoBrush);
  for (int n : visible) {
    int node = look.picture.nodes[static_cast<std::size_t>(n)].node;
    if (!look.markedNodes[static_cast<std::size_t>(node)]) continue;
    QRectF rect = look.rect(n).adjusted(-4, -4, 4, 4);
    painter.setPen(cosmetic(theme().warning, 2.5, Qt::DotLine));
    painter.drawRoundedRect(rect, 8, 8);
  }
}

void paintRefusal(QPainter& painter, const Look& look) {
  if (!look.target.valid() || look.refusal.isEmpty()) return;
  const Theme& t = theme();
  painter.setFont(sized(look.font, leastTextPixels, true));
  double width = QFontMetricsF(painter.font()).horizontalAdvance(look.refusal) + 20;
  QRectF box((look.widget.width() - width) / 2, look.widget.height() - 44, width, 28);
  painter.setPen(cosmetic(t.error, 1.5));
  painter.setBrush(t.surface);
  painter.drawRoundedRect(box, 5, 5);
  writeText(painter, box, look.refusal, t.error, Qt::AlignCenter);
}

void paintLegendScale(QPainter& painter, const Look& look, QRectF box) {
  const Theme& t = theme();
  QRectF bar(box.left() + 10, box.top() + 28, box.width() - 20, 9);
  for (int i = 0; i < 24; ++i)
    painter.fillRect(QRectF(bar.left() + bar.width() * i / 24, bar.top(), bar.width() / 24 + 1, bar.height()),
                     scaleColour((i + 0.5) / 24));
  painter.setBrush(Qt::NoBrush);
  painter.setPen(cosmetic(t.strong));
  painter.drawRect(bar);
  SceneNode most;
  most.figures.memory = most.figures.flops = most.figures.communication = look.overlayMost;
  if (look.scene.nodes[0].figures.seconds >= 0) most.figures.seconds = look.overlayMost;
  QRectF numbers(bar.left(), bar.bottom() + 2, bar.width(), 16);
  writeText(painter, numbers, QStringLiteral("0"), t.muted);
  writeText(painter, numbers, look.overlayMost > 0 ? overlayText(most, look.overlay) : Canvas::tr("not known"), t.muted,
            Qt::AlignRight | Qt::AlignVCenter);
}

void paintLegendSources(QPainter& painter, QRectF box) {
  const Theme& t = theme();
  const QString words[] = {Canvas::tr("pinned by you"), Canvas::tr("rule"), Canvas::tr("found by a search"),
                           Canvas::tr("inferred"), Canvas::tr("undecided: whole")};
  for (int i = 0; i < 5; ++i) {
    QRectF row(box.left() + 10, box.top() + 26 + 18 * i, box.width() - 20, 18);
    QRectF swatch(row.left(), row.top() + 3, 14, 12);
    painter.setPen(cosmetic(t.strong, 1, i >= 2 && i < 4 ? Qt::DashLine : Qt::SolidLine));
    painter.setBrush(mix(t.surface, t.accent, sourceShare(i)));
    painter.drawRect(swatch);
    paintSource(painter, {swatch.center().x(), swatch.center().y()},
                i == 0   ? ChipSource::pinned
                : i == 2 ? ChipSource::search
                         : ChipSource::none,
                t.text);
    writeText(painter, row.adjusted(22, 0, 0, 0), words[i], t.text);
  }
}

}  // namespace

QRectF Look::rect(int pictureNode) const {
  const QRectF& to = picture.nodes[static_cast<std::size_t>(pictureNode)].rect;
  if (progress >= 1 || !before) return view.toScreen(to);
  const QRectF& from = (*before)[static_cast<std::size_t>(pictureNode)];
  auto between = [&](double a, double b) { return a + (b - a) * progress; };
  return view.toScreen(QRectF(between(from.x(), to.x()), between(from.y(), to.y()), between(from.width(), to.width()),
                              between(from.height(), to.height())));
}

void writeText(QPainter& painter, const QRectF& rect, const QString& text, const QColor& colour, int flags) {
  if (text.isEmpty() || rect.width() < 6) return;
  painter.setPen(colour);
  QFontMetricsF metrics(painter.font());
  QString fitting = metrics.horizontalAdvance(text) > rect.width() + 0.5
                        ? metrics.elidedText(text, Qt::ElideRight, rect.width())
                        : text;
  painter.drawText(rect, flags | Qt::TextSingleLine, fitting);
}

void writeWhole(QPainter& painter, const QRectF& rect, const QString& text, const QColor& colour, int flags) {
  if (QFontMetricsF(painter.font()).horizontalAdvance(text) <= rect.width())
    writeText(painter, rect, text, colour, flags);
}

double overlayValue(const SceneNode& node, Overlay overlay) {
  switch (overlay) {
    case Overlay::memory:
      return node.figures.memory;
    case Overlay::compute:
      return node.figures.seconds >= 0 ? node.figures.seconds : node.figures.flops;
    case Overlay::communication:
      return node.figures.communication;
    default:
      return -1;
  }
}

QString overlayText(const SceneNode& node, Overlay overlay) {
  const SceneFigures& f = node.figures;
  switch (overlay) {
    case Overlay::memory:
      return f.memory > 0 ? bytesText(static_cast<qint64>(f.memory)) : QString();
    case Overlay::compute:
      return f.seconds > 0 ? secondsText(f.seconds) : f.flops > 0 ? flopsText(f.flops) : QString();
    case Overlay::communication:
      return f.communication > 0 ? bytesText(static_cast<qint64>(f.communication)) : QString();
    default:
      return {};
  }
}

QColor nodeFill(const Look& look, const SceneNode& node) {
  const Theme& t = theme();
  if (look.overlay == Overlay::layoutSource) return mix(t.surface, t.accent, sourceShare(sourceIndex(node)));
  double value = overlayValue(node, look.overlay);
  if (value > 0 && look.overlayMost > 0) return scaleColour(std::sqrt(std::min(1.0, value / look.overlayMost)));
  return node.opaque ? t.sunken : t.surface;
}

QString overlayName(Overlay overlay) {
  switch (overlay) {
    case Overlay::none:
      return Canvas::tr("No overlay");
    case Overlay::memory:
      return Canvas::tr("Memory per device");
    case Overlay::compute:
      return Canvas::tr("Compute time");
    case Overlay::communication:
      return Canvas::tr("Communication");
    case Overlay::layoutSource:
      return Canvas::tr("Who decided the layout");
  }
  return {};
}

// A badge at the corner: a triangle with a mark for a warning, a disc for an error.
void paintProblem(QPainter& painter, const SceneNode& node, const QRectF& rect) {
  if (node.problem < 2 || rect.height() < 14) return;
  const Theme& t = theme();
  QPointF c = rect.topRight() + QPointF(-2, 1);
  painter.setPen(cosmetic(t.surface, 1.5));
  painter.setBrush(node.problem == 3 ? t.error : t.warning);
  if (node.problem == 3)
    painter.drawEllipse(c, 8, 8);
  else
    painter.drawPolygon(QPolygonF({c + QPointF(0, -9), c + QPointF(9, 7), c + QPointF(-9, 7)}));
  painter.setFont(sized(painter.font(), 11, true));
  writeText(painter, QRectF(c.x() - 8, c.y() - 7, 16, 15), QStringLiteral("!"),
            textOn(node.problem == 3 ? t.error : t.warning), Qt::AlignCenter);
}

void paintLegend(QPainter& painter, const Look& look) {
  if (look.overlay == Overlay::none) return;
  const Theme& t = theme();
  bool sources = look.overlay == Overlay::layoutSource;
  QRectF box(14, look.widget.height() - (sources ? 134 : 74), 200, sources ? 122 : 60);
  QColor ground = t.surface;
  ground.setAlphaF(0.94f);
  painter.setPen(cosmetic(t.border));
  painter.setBrush(ground);
  painter.drawRoundedRect(box, 6, 6);
  painter.setFont(sized(look.font, leastTextPixels, true));
  QString name = overlayName(look.overlay);
  if (look.overlay == Overlay::compute && look.scene.nodes[0].figures.seconds < 0) name = Canvas::tr("Compute work");
  if (look.overlay == Overlay::memory && !look.scene.analysed) name = Canvas::tr("Memory, one device");
  writeText(painter, QRectF(box.left() + 10, box.top() + 5, box.width() - 20, 18), name, t.text);
  painter.setFont(sized(look.font, leastTextPixels));
  if (sources)
    paintLegendSources(painter, box);
  else
    paintLegendScale(painter, look, box);
}

void paintCanvas(QPainter& painter, const Look& look) {
  painter.fillRect(QRectF(QPointF(0, 0), look.widget), theme().ground);
  painter.setRenderHint(QPainter::Antialiasing, look.detail > Detail::overview);
  QRectF window = look.view.toScene(QRectF(QPointF(-20, -20), look.widget + QSizeF(40, 40)));
  std::vector<int> visible;
  if (look.progress < 1) {
    for (std::size_t n = 0; n < look.picture.nodes.size(); ++n) visible.push_back(static_cast<int>(n));
  } else {
    visible = look.picture.nodeGrid.touching(window);
  }
  for (int n : visible)
    if (look.picture.nodes[static_cast<std::size_t>(n)].open) paintOpen(painter, look, n);
  painter.setOpacity(look.progress);
  paintEdges(painter, look);
  painter.setOpacity(1);
  for (int n : visible) {
    const PictureNode& node = look.picture.nodes[static_cast<std::size_t>(n)];
    if (node.open)
      paintHeader(painter, look, n);
    else if (unfolds(look.scene.nodes[static_cast<std::size_t>(node.node)]))
      paintCard(painter, look, n);
    else
      paintLeaf(painter, look, n);
  }
  painter.setRenderHint(QPainter::Antialiasing, true);
  painter.setOpacity(look.progress);
  paintPills(painter, look);
  painter.setOpacity(1);
  paintMarks(painter, look, visible);
  paintLegend(painter, look);
  paintRefusal(painter, look);
  if (look.focused) paintFocusRing(painter, QRectF(QPointF(0, 0), look.widget), 2);
}

}  // namespace ui
