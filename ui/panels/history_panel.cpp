#include "ui/panels/history_panel.h"

#include <QListWidget>
#include <QVBoxLayout>

#include "ui/session/session.h"

namespace ui {

HistoryPanel::HistoryPanel(Session& session) : session_(session), list_(new QListWidget) {
  setObjectName("historyPanel");
  setAccessibleName(tr("History"));
  list_->setObjectName("historyList");
  list_->setAccessibleName(tr("Steps of the document"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(list_);
  connect(list_, &QListWidget::itemClicked, this,
          [this](QListWidgetItem* item) { session_.document().goTo(list_->row(item)); });
  connect(list_, &QListWidget::itemActivated, this,
          [this](QListWidgetItem* item) { session_.document().goTo(list_->row(item)); });
  connect(&session_.document(), &Document::opened, this, &HistoryPanel::refresh);
  connect(&session_.document(), &Document::changed, this, &HistoryPanel::refresh);
  refresh();
}

void HistoryPanel::refresh() {
  QStringList names = session_.document().history();
  int at = session_.document().position();
  list_->clear();
  list_->addItems(names);
  for (int i = at + 1; i < list_->count(); ++i)
    list_->item(i)->setForeground(palette().brush(QPalette::PlaceholderText));  // undone
  list_->setCurrentRow(names.isEmpty() ? -1 : at);
}

}  // namespace ui
