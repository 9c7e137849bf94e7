#include "ui/widgets/timeline.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/theme/theme.h"
#include "ui/widgets/number_text.h"
#include "ui/widgets/paint_tools.h"
#include "ui/widgets/timeline_paint.h"

namespace ui {
namespace {

constexpr double namesWidth = 120, overviewHeight = 30, rulerHeight = 20;

QString laneWord(TimelineLane::Kind kind) {
  switch (kind) {
    case TimelineLane::Kind::compute:
      return Timeline::tr("compute");
    case TimelineLane::Kind::communication:
      return Timeline::tr("communication");
    case TimelineLane::Kind::waiting:
      return Timeline::tr("waiting");
  }
  return {};
}

}  // namespace

// What the mouse is doing, or did last: a range stays until the next one.
struct Timeline::Drag {
  enum class Kind { none, range, pan, overview } kind = Kind::none;
  QPointF from;
  TimelineView view;
  double scroll = 0;
  bool hasRange = false;
  double rangeStart = 0, rangeEnd = 0;
  double pointer = 0;  // time under the pointer, for the keys
};

Timeline::Timeline(QWidget* parent) : QWidget(parent), drag_(std::make_unique<Drag>()) {
  setObjectName(QStringLiteral("timeline"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAccessibleName(tr("Timeline"));
}

Timeline::~Timeline() = default;

void Timeline::setData(TimelineData data) {
  data_ = std::move(data);
  selected_ = {};
  highlighted_ = -1;
  fit();
  setAccessibleDescription(tr("%1 ranks, %2 slices").arg(data_.rows.size()).arg(data_.sliceCount()));
}

void Timeline::append(int row, TimelineLane::Kind kind, const TimelineSlice& slice) {
  for (TimelineLane& lane : data_.rows[static_cast<std::size_t>(row)].lanes)
    if (lane.kind == kind) lane.append(slice);
  if (following_ && slice.end > view_.end) view_ = view_.moved(slice.end - view_.end);
  update();
}

void Timeline::beginStep(int row, double start) {
  data_.rows[static_cast<std::size_t>(row)].steps.push_back(start);
  update();
}

void Timeline::setPredictions(std::vector<TimelinePrediction> byRow) {
  for (std::size_t row = 0; row < data_.rows.size() && row < byRow.size(); ++row)
    data_.rows[row].predicted = std::move(byRow[row]);
  update();
}

void Timeline::setLive(bool live) {
  live_ = live;
  update();
}

QString Timeline::stateText() const {
  if (!live_) return {};
  if (following_) return tr("\u25CF Following");
  return behind() > 0 ? tr("\u2016 %1 behind").arg(secondsText(behind())) : tr("\u2016 Paused");
}

TimelineGeometry Timeline::geometry() const {
  TimelineGeometry g;
  double right = width();
  g.overview = {namesWidth, 0, right - namesWidth, overviewHeight};
  g.ruler = {namesWidth, overviewHeight, right - namesWidth, rulerHeight};
  g.names = {0, overviewHeight + rulerHeight, namesWidth, height() - overviewHeight - rulerHeight};
  g.plot = {namesWidth, overviewHeight + rulerHeight, right - namesWidth, height() - overviewHeight - rulerHeight};
  const bool predicted = data_.hasPrediction();
  std::size_t lanes = 0;
  for (const TimelineRow& row : data_.rows) lanes += std::max<std::size_t>(1, row.lanes.size());
  if (lanes)
    g.laneHeight = std::clamp(
        (g.plot.height() - g.rowGap * static_cast<double>(data_.rows.size())) / static_cast<double>(lanes),
        predicted ? 13.0 : 8.0, predicted ? 34.0 : 20.0);
  g.scroll = scroll_;
  g.predicted = predicted;
  return g;
}

void Timeline::setView(double start, double end) {
  if (!(end > start)) return;
  view_ = {start, end};
  emitView();
}

void Timeline::fit() {
  double start = data_.start(), end = std::max(data_.end(), start + 1e-6);
  double room = (end - start) * 0.01;
  setView(start - room, end + room);
}

void Timeline::setFollowing(bool following) {
  if (following_ == following) return;
  following_ = following;
  if (following) view_ = view_.moved(data_.end() - view_.end);  // keeps the zoom
  emit followingChanged(following);
  emitView();
}

double Timeline::behind() const {
  return std::max(0.0, data_.end() - view_.end);
}

void Timeline::emitView() {
  update();
  emit viewChanged(view_.start, view_.end);
}

void Timeline::userMoved() {
  if (following_) {
    following_ = false;
    emit followingChanged(false);
  }
  emitView();
}

void Timeline::setHighlighted(int label) {
  highlighted_ = label;
  update();
}

TimelineHit Timeline::hitTest(QPointF at) const {
  TimelineGeometry g = geometry();
  if (!g.plot.contains(at)) return {};
  for (int r = 0; r < static_cast<int>(data_.rows.size()); ++r)
    for (int l = 0; l < static_cast<int>(data_.rows[static_cast<std::size_t>(r)].lanes.size()); ++l) {
      QRectF area = g.laneRect(data_, r, l);
      if (at.y() < area.top() || at.y() >= (g.predicted ? area.bottom() + 1 : area.top() + g.laneHeight)) continue;
      const TimelineLane& lane = data_.rows[static_cast<std::size_t>(r)].lanes[static_cast<std::size_t>(l)];
      double slack = view_.width() / g.plot.width();  // half a pixel each way
      std::size_t i = lane.firstAfter(g.time(at.x(), view_) - slack);
      bool hit = i < lane.size() && lane.start[i] <= g.time(at.x(), view_) + slack;
      return {r, l, hit ? static_cast<std::ptrdiff_t>(i) : -1};
    }
  return {};
}

TimelineHit Timeline::predictedAt(QPointF at) const {
  TimelineGeometry g = geometry();
  if (!g.predicted || !g.plot.contains(at)) return {};
  const double time = g.time(at.x(), view_), slack = view_.width() / g.plot.width();
  for (int r = 0; r < static_cast<int>(data_.rows.size()); ++r) {
    const TimelineRow& row = data_.rows[static_cast<std::size_t>(r)];
    for (int l = 0; l < static_cast<int>(row.predicted.lanes.size()); ++l) {
      if (!g.predictedRect(data_, r, l).contains(at)) continue;
      auto step = std::upper_bound(row.steps.begin(), row.steps.end(), time);
      if (step == row.steps.begin()) return {r, l, -1};
      const TimelineLane& lane = row.predicted.lanes[static_cast<std::size_t>(l)];
      const double own = time - *std::prev(step);
      std::size_t i = lane.firstAfter(own - slack);
      bool hit = i < lane.size() && lane.start[i] <= own + slack;
      return {r, l, hit ? static_cast<std::ptrdiff_t>(i) : -1};
    }
  }
  return {};
}

QRectF Timeline::sliceRect(const TimelineHit& hit) const {
  if (!hit.valid()) return {};
  TimelineGeometry g = geometry();
  const TimelineLane& lane = data_.rows[static_cast<std::size_t>(hit.row)].lanes[static_cast<std::size_t>(hit.lane)];
  QRectF area = g.laneRect(data_, hit.row, hit.lane);
  auto i = static_cast<std::size_t>(hit.slice);
  return {QPointF(g.x(lane.start[i], view_), area.top()), QPointF(g.x(lane.end[i], view_), area.bottom())};
}

void Timeline::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), theme().surface);
  if (data_.rows.empty()) {
    painter.setPen(theme().muted);
    painter.drawText(rect(), Qt::AlignCenter, tr("No trace yet"));
    return;
  }
  TimelineGeometry g = geometry();
  paintTimeline(painter,
                {data_, view_, g, highlighted_, selected_, marks_, drag_->hasRange, drag_->rangeStart, drag_->rangeEnd},
                font());
  paintTimelineCorner(painter, g, stateText(), following_, font());
  if (hasFocus()) paintFocusRing(painter, QRectF(rect()), 2);
}

void Timeline::select(const TimelineHit& hit) {
  selected_ = hit;
  if (!hit.valid()) {
    highlighted_ = -1;
    emit sliceSelected(-1, hit.row);
  } else {
    const TimelineLane& lane = data_.rows[static_cast<std::size_t>(hit.row)].lanes[static_cast<std::size_t>(hit.lane)];
    TimelineSlice slice = lane[static_cast<std::size_t>(hit.slice)];
    highlighted_ = slice.label;
    setAccessibleDescription(tr("%1, %2, %3")
                                 .arg(data_.labels.value(slice.label),
                                      data_.rows[static_cast<std::size_t>(hit.row)].name,
                                      secondsText(slice.end - slice.start)));
    emit sliceSelected(slice.label, hit.row);
  }
  update();
}

void Timeline::step(int direction) {
  if (data_.rows.empty()) return;
  TimelineHit hit = selected_;
  if (hit.row < 0) hit = {0, 0, -1};
  const auto& lanes = data_.rows[static_cast<std::size_t>(hit.row)].lanes;
  if (lanes.empty()) return;
  const TimelineLane& lane = lanes[static_cast<std::size_t>(hit.lane)];
  if (lane.size() == 0) return;
  auto last = static_cast<std::ptrdiff_t>(lane.size()) - 1;
  hit.slice = hit.slice < 0 ? std::min(last, static_cast<std::ptrdiff_t>(lane.firstAfter(view_.start)))
                            : std::clamp<std::ptrdiff_t>(hit.slice + direction, 0, last);
  select(hit);
  TimelineSlice slice = lane[static_cast<std::size_t>(hit.slice)];
  if (slice.start < view_.start || slice.end > view_.end) {
    view_ = view_.moved((slice.start + slice.end) / 2 - (view_.start + view_.end) / 2);
    userMoved();
  }
}

void Timeline::wheelEvent(QWheelEvent* event) {
  TimelineGeometry g = geometry();
  QPoint angle = event->angleDelta();
  double steps = angle.y() / 120.0;
  if (event->modifiers() & Qt::ControlModifier) {
    view_ = view_.zoomed(std::pow(1.25, steps), g.time(event->position().x(), view_));
    userMoved();
  } else if ((event->modifiers() & Qt::ShiftModifier) || std::abs(angle.x()) > std::abs(angle.y())) {
    double by = (angle.x() ? angle.x() : angle.y()) / 120.0;
    view_ = view_.moved(-by * view_.width() * 0.1);
    userMoved();
  } else {
    scroll_ = std::clamp(scroll_ - steps * 40, 0.0, std::max(0.0, g.totalHeight(data_) - g.plot.height()));
    update();
  }
  event->accept();
}

void Timeline::mousePressEvent(QMouseEvent* event) {
  TimelineGeometry g = geometry();
  bool pan = event->button() == Qt::MiddleButton ||
             (event->button() == Qt::LeftButton && (event->modifiers() & Qt::ShiftModifier));
  drag_->from = event->position();
  drag_->view = view_;
  drag_->scroll = scroll_;
  if (pan)
    drag_->kind = Drag::Kind::pan;
  else if (event->button() == Qt::LeftButton)
    drag_->kind = g.overview.contains(event->position()) ? Drag::Kind::overview : Drag::Kind::range;
  if (drag_->kind == Drag::Kind::overview) mouseMoveEvent(event);
}

void Timeline::mouseMoveEvent(QMouseEvent* event) {
  TimelineGeometry g = geometry();
  drag_->pointer = g.time(event->position().x(), view_);
  QPointF by = event->position() - drag_->from;
  if (drag_->kind == Drag::Kind::pan) {
    view_ = drag_->view.moved(-by.x() / g.plot.width() * view_.width());
    scroll_ = std::clamp(drag_->scroll - by.y(), 0.0, std::max(0.0, g.totalHeight(data_) - g.plot.height()));
    userMoved();
  } else if (drag_->kind == Drag::Kind::overview) {
    double share = (event->position().x() - g.overview.left()) / g.overview.width();
    double at = data_.start() + share * (data_.end() - data_.start());
    view_ = {at - view_.width() / 2, at + view_.width() / 2};
    userMoved();
  } else if (drag_->kind == Drag::Kind::range && std::abs(by.x()) > 4) {
    drag_->hasRange = true;
    drag_->rangeStart = g.time(drag_->from.x(), view_);
    drag_->rangeEnd = drag_->pointer;
    update();
  }
}

void Timeline::mouseReleaseEvent(QMouseEvent* event) {
  bool click = (event->position() - drag_->from).manhattanLength() <= 4;
  if (drag_->kind == Drag::Kind::range && click) {
    drag_->hasRange = false;
    TimelineHit under = predictedAt(event->position());
    if (!under.valid()) {
      select(hitTest(event->position()));
    } else {
      const TimelineRow& row = data_.rows[static_cast<std::size_t>(under.row)];
      highlighted_ = row.predicted.lanes[static_cast<std::size_t>(under.lane)].label[static_cast<std::size_t>(under.slice)];
      selected_ = {under.row, under.lane, -1};
      emit sliceSelected(highlighted_, under.row);
      update();
    }
  } else if (drag_->kind == Drag::Kind::range && drag_->hasRange) {
    emit rangeSelected(std::min(drag_->rangeStart, drag_->rangeEnd), std::max(drag_->rangeStart, drag_->rangeEnd));
  }
  drag_->kind = Drag::Kind::none;
}

void Timeline::keyPressEvent(QKeyEvent* event) {
  double at = view_.start < drag_->pointer && drag_->pointer < view_.end && underMouse()
                  ? drag_->pointer
                  : (view_.start + view_.end) / 2;
  auto zoom = [&](double factor) {
    view_ = view_.zoomed(factor, at);
    userMoved();
  };
  auto pan = [&](double share) {
    view_ = view_.moved(share * view_.width());
    userMoved();
  };
  switch (event->key()) {
    case Qt::Key_W:
    case Qt::Key_Up:
      return zoom(1.3);
    case Qt::Key_S:
    case Qt::Key_Down:
      return zoom(1 / 1.3);
    case Qt::Key_A:
    case Qt::Key_Left:
      return pan(-0.12);
    case Qt::Key_D:
    case Qt::Key_Right:
      return pan(0.12);
    case Qt::Key_Comma:
      return step(-1);
    case Qt::Key_Period:
      return step(1);
    case Qt::Key_F:
      fit();
      return userMoved();
    case Qt::Key_M:
      marks_.push_back(at);
      return update();
    case Qt::Key_Escape:
      drag_->hasRange = false;
      return select({});
    case Qt::Key_End:
      return setFollowing(true);
    default:
      QWidget::keyPressEvent(event);
  }
}

bool Timeline::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  auto* help = static_cast<QHelpEvent*>(event);
  TimelineHit hit = hitTest(help->pos()), under = predictedAt(help->pos());
  if (!hit.valid() && !under.valid()) {
    QToolTip::hideText();
    return true;
  }
  if (under.valid()) {
    const TimelineRow& row = data_.rows[static_cast<std::size_t>(under.row)];
    const TimelineLane& lane = row.predicted.lanes[static_cast<std::size_t>(under.lane)];
    TimelineSlice slice = lane[static_cast<std::size_t>(under.slice)];
    QToolTip::showText(help->globalPos(),
                       tr("%1\n%2 \u00B7 %3, predicted\n%4 at %5 of the step")
                           .arg(data_.labels.value(slice.label), row.name, laneWord(lane.kind),
                                secondsText(slice.end - slice.start), secondsText(slice.start)),
                       this);
    return true;
  }
  const TimelineRow& row = data_.rows[static_cast<std::size_t>(hit.row)];
  const TimelineLane& lane = row.lanes[static_cast<std::size_t>(hit.lane)];
  TimelineSlice slice = lane[static_cast<std::size_t>(hit.slice)];
  QToolTip::showText(help->globalPos(),
                     tr("%1\n%2 \u00B7 %3\n%4 from %5")
                         .arg(data_.labels.value(slice.label), row.name, laneWord(lane.kind),
                              secondsText(slice.end - slice.start), secondsText(slice.start)),
                     this);
  return true;
}

}  // namespace ui
