#include "ui/panels/log_panel.h"

#include <QFontDatabase>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QVBoxLayout>

#include "ui/session/session.h"

namespace ui {

LogPanel::LogPanel(Session& session) : session_(session), filter_(new QLineEdit), text_(new QPlainTextEdit) {
  setObjectName("logPanel");
  setAccessibleName(tr("Log"));
  filter_->setObjectName("logFilter");
  filter_->setAccessibleName(tr("Filter the log"));
  filter_->setPlaceholderText(tr("Only lines that hold …"));
  filter_->setClearButtonEnabled(true);
  text_->setObjectName("logText");
  text_->setAccessibleName(tr("Log of the run"));
  text_->setReadOnly(true);
  text_->setTabChangesFocus(true);
  text_->setLineWrapMode(QPlainTextEdit::NoWrap);
  text_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 6, 8, 6);
  column->addWidget(filter_);
  column->addWidget(text_);
  connect(filter_, &QLineEdit::textChanged, this, &LogPanel::refresh);
  connect(&session_.run(), &RunWatch::logChanged, this, &LogPanel::refresh);
  connect(&session_.run(), &RunWatch::stateChanged, this, &LogPanel::refresh);
  refresh();
}

void LogPanel::refresh() {
  const RunWatch& run = session_.run();
  QString text = run.log();
  if (!run.problem().isEmpty()) text += QStringLiteral("\n%1\n").arg(run.problem());
  if (!filter_->text().isEmpty()) text = text.split('\n').filter(filter_->text(), Qt::CaseInsensitive).join('\n');
  bool atEnd = text_->verticalScrollBar()->value() >= text_->verticalScrollBar()->maximum() - 2;
  text_->setPlainText(run.isOpen() ? text : tr("No run is open."));
  if (atEnd) text_->verticalScrollBar()->setValue(text_->verticalScrollBar()->maximum());
}

}  // namespace ui
