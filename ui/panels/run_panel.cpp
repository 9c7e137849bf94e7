#include "ui/panels/run_panel.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "core/plan/edit/variants.h"
#include "ui/models/run_rows.h"
#include "ui/panels/parts/section.h"
#include "ui/panels/parts/step_editor.h"
#include "ui/session/run_starter.h"
#include "ui/session/session.h"
#include "ui/theme/icon.h"
#include "ui/widgets/curve.h"
#include "ui/widgets/rank_grid.h"

namespace ui {

RunPanel::RunPanel(Session& session)
    : session_(session),
      steps_(new QSpinBox),
      checkpoints_(new QSpinBox),
      from_(new QLineEdit),
      start_(new QPushButton(icon("run"), tr("Run"))),
      stop_(new QPushButton(icon("stop"), tr("Stop"))),
      open_(new QPushButton(tr("Open run …"))),
      state_(textLabel("runState", tr("State of the run"))),
      outcome_(textLabel("runOutcome", tr("Predicted beside measured"))),
      ranks_(new RankGrid),
      loss_(new Curve) {
  setObjectName("runPanel");
  setAccessibleName(tr("Run"));
  ranks_->setObjectName("runRanks");
  ranks_->setAccessibleName(tr("Ranks"));
  loss_->setObjectName("runLoss");
  loss_->setAccessibleName(tr("Loss by step"));
  auto* content = new QWidget;
  content->setObjectName("runContent");
  content->setAccessibleName(tr("Run"));
  auto* column = panelColumn(content);
  column->addWidget(makeButtons());
  column->addWidget(state_);
  column->addWidget(loss_);
  column->addWidget(ranks_);
  column->addWidget(outcome_);
  column->addWidget(sectionHeading(tr("Settings"), "runSettingsHeading"));
  column->addWidget(makeSettings());
  column->addStretch();
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(scrolled(content, "runScroll"));

  RunWatch& run = session_.run();
  connect(start_, &QPushButton::clicked, this, &RunPanel::start);
  connect(stop_, &QPushButton::clicked, &run, &RunWatch::requestStop);
  connect(open_, &QPushButton::clicked, this, &RunPanel::openRun);
  connect(&run, &RunWatch::opened, this, &RunPanel::refresh);
  connect(&run, &RunWatch::stateChanged, this, &RunPanel::refreshState);
  connect(&run, &RunWatch::stepsChanged, this, &RunPanel::refreshLoss);
  connect(&run, &RunWatch::traceChanged, this, &RunPanel::refreshRanks);
  connect(&run, &RunWatch::comparisonChanged, this, &RunPanel::refreshOutcome);
  connect(&session_.document(), &Document::opened, this, &RunPanel::refreshState);
  refresh();
}

QWidget* RunPanel::makeButtons() {
  start_->setObjectName("runStart");
  start_->setAccessibleName(tr("Start the run"));
  start_->setProperty("primary", true);
  stop_->setObjectName("runStop");
  stop_->setAccessibleName(tr("Stop the run after its step"));
  open_->setObjectName("runOpen");
  open_->setAccessibleName(tr("Open the folder of a run"));
  auto* row = new QWidget;
  row->setObjectName("runButtons");
  row->setAccessibleName(tr("Start and stop"));
  auto* line = new QHBoxLayout(row);
  line->setContentsMargins(0, 0, 0, 0);
  for (QPushButton* button : {start_, stop_, open_}) line->addWidget(button);
  line->addStretch();
  return row;
}

QWidget* RunPanel::makeSettings() {
  steps_->setObjectName("runSteps");
  steps_->setAccessibleName(tr("Steps"));
  steps_->setRange(1, 1000000);
  steps_->setValue(50);
  checkpoints_->setObjectName("runCheckpoints");
  checkpoints_->setAccessibleName(tr("Steps between checkpoints"));
  checkpoints_->setRange(0, 1000000);
  checkpoints_->setSpecialValueText(tr("only the last"));
  from_->setObjectName("runFrom");
  from_->setAccessibleName(tr("Go on from a run or checkpoint"));
  from_->setPlaceholderText(tr("from the start"));
  auto* host = new QWidget;
  host->setObjectName("runSettings");
  host->setAccessibleName(tr("Settings of a run"));
  auto* column = new QVBoxLayout(host);
  column->setContentsMargins(0, 0, 0, 0);
  auto* form = new QFormLayout;
  form->addRow(tr("Steps"), steps_);
  form->addRow(tr("Checkpoint every"), checkpoints_);
  form->addRow(tr("Go on from"), from_);
  column->addLayout(form);
  column->addWidget(new StepEditor(session_));
  return host;
}

void RunPanel::refresh() {
  refreshState();
  refreshLoss();
  refreshRanks();
}

void RunPanel::refreshState() {
  const RunWatch& run = session_.run();
  start_->setEnabled(session_.isOpen() && !run.live());
  stop_->setEnabled(run.live());
  state_->setText(runStateLine(run));
  bool shown = run.isOpen();
  for (QWidget* widget : std::initializer_list<QWidget*>{loss_, ranks_, outcome_}) widget->setVisible(shown);
  refreshRanks();
  refreshOutcome();
}

void RunPanel::refreshRanks() {
  ranks_->setData(rankGrid(session_.run()));
}

void RunPanel::refreshLoss() {
  loss_->setData(lossCurve(session_.run()));
  state_->setText(runStateLine(session_.run()));
}

void RunPanel::refreshOutcome() {
  outcome_->setText(outcomeText(session_.run()));
}

void RunPanel::start() {
  if (!session_.isOpen()) return;
  const Document& document = session_.document();
  try {
    StartedRun started = startRun(document.plan(), {freeRunFolder(document.path(), document.name()), steps_->value(),
                                                    checkpoints_->value(), from_->text().trimmed()});
    session_.run().open(started.folder, started.process, started.errors);
    session_.apply(
        tr("Note run %1").arg(QFileInfo(started.folder).fileName()),
        [folder = started.folder.toStdString()](core::Plan plan) { return core::addRun(std::move(plan), folder); });
  } catch (const core::Error& error) {
    session_.report(error);
  }
}

void RunPanel::openRun() {
  QString folder = QFileDialog::getExistingDirectory(this, tr("Folder of a run"));
  if (!folder.isEmpty()) session_.openRun(folder);
}

}  // namespace ui
