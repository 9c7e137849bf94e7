#include "ui/panels/estimate_panel.h"

#include <QGraphicsOpacityEffect>
#include <QHeaderView>
#include <QSplitter>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/models/estimate_rows.h"
#include "ui/panels/parts/section.h"
#include "ui/panels/parts/shortage_box.h"
#include "ui/session/session.h"
#include "ui/widgets/memory_bar.h"
#include "ui/widgets/number_text.h"

namespace ui {
namespace {

void setDimmed(QWidget* widget, bool dimmed) {
  if (!dimmed) return widget->setGraphicsEffect(nullptr);
  auto* effect = new QGraphicsOpacityEffect;
  effect->setOpacity(0.45);
  widget->setGraphicsEffect(effect);
}

}  // namespace

EstimatePanel::EstimatePanel(Session& session)
    : session_(session),
      source_(textLabel("estimateSource", tr("Where these figures are from"))),
      assumptions_(textLabel("estimateAssumptions", tr("Assumptions"))),
      summary_(textLabel("estimateSummary", tr("Summary"))),
      bar_(new MemoryBar),
      traffic_(new QTreeWidget) {
  setObjectName("estimatePanel");
  setAccessibleName(tr("Estimate"));
  auto* split = new QSplitter(Qt::Horizontal);
  split->setObjectName("estimateSplit");
  split->setAccessibleName(tr("Memory and communication"));
  split->addWidget(makeMemory());
  split->addWidget(makeTraffic());
  split->setStretchFactor(0, 1);
  split->setStretchFactor(1, 1);
  split->setSizes({500, 500});
  split->setChildrenCollapsible(false);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(split);

  connect(summary_, &QLabel::linkActivated, &session_, [this] { session_.showPanel("mesh"); });
  connect(bar_, &MemoryBar::segmentActivated, this, &EstimatePanel::selectLargest);
  connect(&session_, &Session::analysisChanged, this, &EstimatePanel::refresh);
  connect(&session_, &Session::staleChanged, this, &EstimatePanel::refreshStale);
  connect(&session_.run(), &RunWatch::comparisonChanged, this, &EstimatePanel::refreshMemory);
  refresh();
}

QWidget* EstimatePanel::makeMemory() {
  bar_->setObjectName("memoryBar");
  bar_->setAccessibleName(tr("Memory of a device by class"));
  auto* content = new QWidget;
  content->setObjectName("estimateMemory");
  content->setAccessibleName(tr("Memory"));
  auto* column = panelColumn(content);
  column->addWidget(source_);
  column->addWidget(bar_);
  column->addWidget(new ShortageCauses(session_));
  column->addWidget(assumptions_);
  column->addStretch();
  return scrolled(content, "estimateMemoryScroll");
}

QWidget* EstimatePanel::makeTraffic() {
  traffic_->setObjectName("trafficTable");
  traffic_->setAccessibleName(tr("Communication per axis and collective"));
  traffic_->setRootIsDecorated(false);
  traffic_->setMinimumHeight(70);  // and no more is asked for: the rest of the panel is its
  traffic_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
  traffic_->setUniformRowHeights(true);
  traffic_->setAlternatingRowColors(true);
  traffic_->setHeaderLabels({tr("Axis"), tr("Collective"), tr("Calls"), tr("Payload"), tr("Sent"), tr("Time")});
  traffic_->header()->setStretchLastSection(false);
  traffic_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  traffic_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  auto* content = new QWidget;
  content->setObjectName("estimateTraffic");
  content->setAccessibleName(tr("Communication and time"));
  auto* column = panelColumn(content);
  column->addWidget(summary_);
  column->addWidget(new ShortageReliefs(session_));
  column->addWidget(traffic_, 1);
  return scrolled(content, "estimateTrafficScroll");
}

void EstimatePanel::refresh() {
  refreshMemory();
  refreshTraffic();
  refreshSummary();
  refreshStale();
}

void EstimatePanel::refreshStale() {
  bool stale = session_.stale();
  MemoryBarData data = bar_->data();
  data.stale = stale;
  bar_->setData(data);
  for (QWidget* widget : std::initializer_list<QWidget*>{traffic_, summary_, assumptions_}) setDimmed(widget, stale);
  source_->setText(sourceText(session_));
}

void EstimatePanel::refreshMemory() {
  std::optional<std::int64_t> measured = measuredPeak(session_);
  bar_->setData(memoryBars(session_.analysis(), session_.stale(), measured));
  assumptions_->setText(assumptionsText(session_.analysis()));
}

void EstimatePanel::refreshTraffic() {
  traffic_->clear();
  for (const QStringList& cells : trafficRows(session_.analysis())) {
    auto* row = new QTreeWidgetItem(traffic_, cells);
    for (int column = 2; column < cells.size(); ++column)
      row->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
  }
}

void EstimatePanel::refreshSummary() {
  summary_->setText(costSummary(session_.analysis()));
}

// A segment stands for its largest tensors: they are selected.
void EstimatePanel::selectLargest(int, int memoryClass) {
  QStringList names = largestTensors(session_.analysis(), static_cast<core::MemoryClass>(memoryClass), 5);
  if (names.isEmpty()) return;
  session_.select({Selection::Kind::tensor, names});
  session_.say(tr("Largest: %1").arg(names.join(QStringLiteral(", "))));
}

}  // namespace ui
