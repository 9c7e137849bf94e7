#include "ui/panels/timeline_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/panels/parts/section.h"
#include "ui/session/session.h"
#include "ui/widgets/number_text.h"
#include "ui/widgets/timeline.h"

namespace ui {

TimelinePanel::TimelinePanel(Session& session)
    : session_(session),
      timeline_(new Timeline),
      resume_(new QPushButton(tr("Resume"))),
      note_(mutedLabel(QString(), "timelineNote")) {
  setObjectName("timelinePanel");
  setAccessibleName(tr("Timeline"));
  timeline_->setObjectName("timeline");
  timeline_->setAccessibleName(tr("Spans by rank"));
  resume_->setObjectName("timelineResume");
  resume_->setAccessibleName(tr("Follow the newest spans again"));
  auto* row = new QHBoxLayout;
  row->addWidget(note_, 1);
  row->addWidget(resume_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(6, 4, 6, 4);
  column->setSpacing(4);
  column->addLayout(row);
  column->addWidget(timeline_, 1);

  RunWatch& run = session_.run();
  connect(&run, &RunWatch::opened, this, &TimelinePanel::restart);
  connect(&run, &RunWatch::traceChanged, this, &TimelinePanel::grow);
  connect(&run, &RunWatch::predictionChanged, this, &TimelinePanel::predict);
  connect(&run, &RunWatch::stateChanged, this, &TimelinePanel::follow);
  connect(timeline_, &Timeline::followingChanged, this, &TimelinePanel::follow);
  connect(resume_, &QPushButton::clicked, this, [this] { timeline_->setFollowing(true); });
  connect(timeline_, &Timeline::sliceSelected, this, [this](int label, int) {
    if (label >= 0) session_.select({Selection::Kind::instruction, {timeline_->data().labels.value(label)}});
  });
  connect(timeline_, &Timeline::rangeSelected, this,
          [this](double start, double end) { session_.say(tr("%1 chosen").arg(secondsText(end - start))); });
  connect(&session_, &Session::selectionChanged, this, &TimelinePanel::showSelection);
  restart();
}

void TimelinePanel::restart() {
  rows_ = {};
  timeline_->setData({});
  timeline_->setFollowing(true);
  follow();
}

void TimelinePanel::grow() {
  const core::Trace& trace = session_.run().trace();
  if (trace.instructions.empty()) return;
  if (!rows_.knows(trace) || static_cast<std::int64_t>(timeline_->data().rows.size()) != trace.ranks) {
    const auto& started = session_.run().started();
    const RunPredictionRef& predicted = session_.run().prediction();
    core::Mesh mesh = started ? core::Mesh::of(started->mesh) : core::Mesh{};
    TimelineData data = rows_.begin(trace, mesh, predicted ? predicted->program.get() : nullptr);
    for (const TraceRows::Addition& one : rows_.take(trace)) {
      if (one.row >= static_cast<int>(data.rows.size())) continue;
      TimelineRow& row = data.rows[static_cast<std::size_t>(one.row)];
      row.lanes[static_cast<std::size_t>(one.lane)].append(one.slice);
      if (one.beginsStep) row.steps.push_back(one.slice.start);
    }
    timeline_->setData(std::move(data));
    if (predicted) timeline_->setPredictions(predictionRows(trace, *predicted));
    timeline_->fit();
    timeline_->setFollowing(true);
  } else {
    for (const TraceRows::Addition& one : rows_.take(trace)) {
      if (one.beginsStep) timeline_->beginStep(one.row, one.slice.start);
      timeline_->append(one.row, one.lane, one.slice);
    }
  }
  follow();
}

// Comes behind the first spans: they are laid out again, now with the axes of the program that is run.
void TimelinePanel::predict() {
  if (session_.run().trace().instructions.empty()) return follow();
  TimelineView seen = timeline_->view();
  bool following = timeline_->following();
  rows_ = {};
  grow();
  if (following) return;
  timeline_->setFollowing(false);
  timeline_->setView(seen.start, seen.end);
}

void TimelinePanel::follow() {
  const RunWatch& run = session_.run();
  timeline_->setLive(run.live());
  bool behind = run.live() && !timeline_->following();
  resume_->setVisible(behind);
  if (!run.isOpen())
    note_->setText(tr("Start a run, or open the folder of one, and its spans stand here by rank."));
  else if (behind)
    note_->setText(tr("%1 behind").arg(secondsText(timeline_->behind())));
  else
    note_->setText(tr("Measured · %1 spans of %2 ranks%3")
                       .arg(run.trace().spans.size())
                       .arg(run.ranks())
                       .arg(predictedNote()));
}

QString TimelinePanel::predictedNote() const {
  const RunPredictionRef& predicted = session_.run().prediction();
  if (!predicted) return {};
  QString note = predicted->missing.isEmpty()
                     ? tr("below it, hatched: predicted for %1").arg(predicted->machine)
                     : predicted->missing;
  return QStringLiteral(" · ") + note;
}

void TimelinePanel::showSelection() {
  bool instruction = session_.selection().kind == Selection::Kind::instruction;
  timeline_->setHighlighted(
      instruction ? static_cast<int>(timeline_->data().labels.indexOf(session_.selection().first())) : -1);
}

}  // namespace ui
