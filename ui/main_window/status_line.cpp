#include "ui/main_window/status_line.h"

#include <QLabel>

#include "ui/canvas/canvas.h"
#include "ui/session/session.h"
#include "ui/theme/theme.h"
#include "ui/widgets/number_text.h"

namespace ui {

StatusLine::StatusLine(Session& session, Canvas& canvas, QWidget* parent) : QStatusBar(parent), session_(session) {
  setObjectName("statusLine");
  setAccessibleName(tr("Status"));
  setSizeGripEnabled(false);
  hint_ = part("statusHint", tr("Hint"));
  hint_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  addWidget(hint_, 1);
  selection_ = part("statusSelection", tr("Selection"));
  estimate_ = part("statusEstimate", tr("State of the estimate"));
  run_ = part("statusRun", tr("State of the run"));
  zoom_ = part("statusZoom", tr("Zoom"));
  for (QLabel* label : {selection_, estimate_, run_, zoom_}) addPermanentWidget(label);
  connect(&session_, &Session::said, this, [this](const QString& text) { showMessage(text, false); });
  connect(&session_, &Session::failed, this, [this](const QString& text) { showMessage(text, true); });
  connect(&session_, &Session::hinted, this,
          [this](const QString& text) { hint_->setText(text.isEmpty() ? message_ : text.toHtmlEscaped()); });
  connect(&session_, &Session::selectionChanged, this, &StatusLine::refreshSelection);
  connect(&session_, &Session::staleChanged, this, &StatusLine::refreshEstimate);
  connect(&session_, &Session::analysisChanged, this, &StatusLine::refreshEstimate);
  connect(&session_.run(), &RunWatch::stateChanged, this, &StatusLine::refreshRun);
  connect(&session_.run(), &RunWatch::stepsChanged, this, &StatusLine::refreshRun);
  connect(&canvas, &Canvas::zoomChanged, this,
          [this](double zoom) { zoom_->setText(QStringLiteral("%1 %").arg(qRound(zoom * 100))); });
  zoom_->setText(QStringLiteral("%1 %").arg(qRound(canvas.zoom() * 100)));
  showMessage(tr("Drag a dimension onto an axis. Ctrl+P goes anywhere, ? shows all keys."), false);
  refreshSelection();
  refreshEstimate();
  refreshRun();
}

QLabel* StatusLine::part(const QString& objectName, const QString& name) {
  auto* label = new QLabel;
  label->setObjectName(objectName);
  label->setAccessibleName(name);
  label->setContentsMargins(6, 1, 6, 1);
  return label;
}

// The accessible name changes with the text: that is what a screen reader announces.
void StatusLine::showMessage(const QString& text, bool isError) {
  message_ = isError
                 ? QStringLiteral("<span style='color:%1'>✕ %2</span>").arg(theme().error.name(), text.toHtmlEscaped())
                 : text.toHtmlEscaped();
  hint_->setText(message_);
  hint_->setToolTip(text);
  hint_->setAccessibleName(text);
}

void StatusLine::refreshSelection() {
  const Selection& selection = session_.selection();
  selection_->setText(selection.empty()             ? QString()
                      : selection.names.size() == 1 ? fontMetrics().elidedText(selection.first(), Qt::ElideMiddle, 220)
                                                    : tr("%1 selected").arg(selection.names.size()));
  selection_->setVisible(!selection.empty());
}

void StatusLine::refreshEstimate() {
  QString text;
  if (!session_.isOpen())
    text = tr("Nothing open");
  else if (session_.stale())
    text = QStringLiteral("<span style='color:%1'>◌ %2</span>").arg(theme().warning.name(), tr("Estimating …"));
  else if (!figuresOf(session_.analysis()).legal())
    text = QStringLiteral("<span style='color:%1'>✕ %2</span>")
               .arg(theme().error.name(), tr("%1 problems").arg(figuresOf(session_.analysis()).errors.size()));
  else
    text = QStringLiteral("<span style='color:%1'>✓</span> %2")
               .arg(theme().good.name(), tr("Estimate current, %1").arg(secondsText(session_.analysisSeconds())));
  estimate_->setText(text);
}

void StatusLine::refreshRun() {
  const RunWatch& run = session_.run();
  QString text = runStateText(run.state());
  if (run.live() && !run.steps().empty()) text += tr(" · step %1").arg(run.steps().back().step);
  run_->setText(text);
  run_->setVisible(run.isOpen());
}

}  // namespace ui
