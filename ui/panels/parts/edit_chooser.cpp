#include "ui/panels/parts/edit_chooser.h"

#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QVBoxLayout>

#include "ui/session/session.h"

namespace ui {

EditChooser::EditChooser(Session& session, const QString& title, std::vector<EditChoice> choices, QWidget* parent)
    : QFrame(parent, Qt::Popup), session_(session), choices_(std::move(choices)), list_(new QListWidget) {
  setObjectName("editChooser");
  setAccessibleName(title);
  setAttribute(Qt::WA_DeleteOnClose);
  setFrameShape(QFrame::StyledPanel);
  auto* heading = new QLabel(QStringLiteral("<b>%1</b>").arg(title.toHtmlEscaped()));
  heading->setObjectName("chooserTitle");
  heading->setAccessibleName(title);
  list_->setObjectName("chooserList");
  list_->setAccessibleName(title);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setWordWrap(true);
  list_->installEventFilter(this);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(10, 8, 10, 8);
  column->addWidget(heading);
  column->addWidget(list_);

  std::vector<Proposal> proposals;
  for (std::size_t i = 0; i < choices_.size(); ++i) {
    list_->addItem(QString());
    bool legal = choices_[i].refusal.isEmpty();
    setEffect(static_cast<int>(i), legal ? tr("estimating …") : choices_[i].refusal, legal);
    if (legal) proposals.push_back({QString::number(i), choices_[i].edit.edit});
  }
  list_->setCurrentRow(0);
  connect(list_, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) { choose(list_->row(item)); });
  connect(&session_, &Session::previewed, this, [this](const QString& key, const Effect& effect) {
    bool isOurs = false;
    int row = key.toInt(&isOurs);
    if (isOurs && row < list_->count()) setEffect(row, summaryText(effect), effect.after.legal());
  });
  session_.preview(std::move(proposals));
}

void EditChooser::setEffect(int row, const QString& text, bool legal) {
  QListWidgetItem* item = list_->item(row);
  QString label = choices_[static_cast<std::size_t>(row)].label;
  item->setText(
      QStringLiteral("%1   %2%3\n      %4").arg(row + 1).arg(legal ? QString() : QStringLiteral("✕ "), label, text));
  item->setFlags(legal ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::NoItemFlags);
}

void EditChooser::popup(const QPoint& globalPosition) {
  constexpr int rowHeight = 46, width = 420;
  resize(width, 60 + rowHeight * qMin(8, list_->count()));
  move(globalPosition);
  show();
  list_->setFocus(Qt::PopupFocusReason);
}

void EditChooser::choose(int row) {
  if (row < 0 || row >= list_->count() || !(list_->item(row)->flags() & Qt::ItemIsEnabled)) return;
  NamedEdit edit = choices_[static_cast<std::size_t>(row)].edit;
  Session& session = session_;
  close();
  session.apply(edit.name, edit.edit);
}

bool EditChooser::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return QFrame::eventFilter(watched, event);
  auto* key = static_cast<QKeyEvent*>(event);
  if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
    choose(list_->currentRow());
  } else if (key->key() == Qt::Key_Escape) {
    session_.endPreview();
    close();
  } else if (key->key() >= Qt::Key_1 && key->key() <= Qt::Key_9) {
    choose(key->key() - Qt::Key_1);
  } else {
    return QFrame::eventFilter(watched, event);
  }
  return true;
}

}  // namespace ui
