#include "ui/main_window/command_palette.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/models/fuzzy.h"
#include "ui/theme/theme.h"

namespace ui {
namespace {

constexpr int mostShown = 200;
constexpr int indexRole = Qt::UserRole, detailRole = Qt::UserRole + 1, keysRole = Qt::UserRole + 2;

// Title left, where it belongs and its key right.
class PaletteDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
    return {200, option.fontMetrics.height() + 12};
  }
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    bool selected = option.state & QStyle::State_Selected;
    if (selected) painter->fillRect(option.rect, theme().accent);
    QRect inner = option.rect.adjusted(12, 0, -12, 0);
    painter->setPen(selected ? theme().onAccent : theme().text);
    painter->drawText(inner, Qt::AlignVCenter | Qt::AlignLeft,
                      option.fontMetrics.elidedText(index.data().toString(), Qt::ElideMiddle, inner.width() - 150));
    painter->setPen(selected ? theme().onAccent : theme().muted);
    QString keys = index.data(keysRole).toString();
    painter->drawText(inner, Qt::AlignVCenter | Qt::AlignRight,
                      keys.isEmpty() ? index.data(detailRole).toString() : keys);
  }
};

}  // namespace

CommandPalette::CommandPalette(QWidget* window)
    : QFrame(window, Qt::Popup), input_(new QLineEdit), list_(new QListView), model_(new QStandardItemModel(this)) {
  setObjectName("commandPalette");
  setAccessibleName(tr("Command palette"));
  setFrameShape(QFrame::StyledPanel);
  input_->setObjectName("paletteInput");
  input_->setAccessibleName(tr("What to find"));
  input_->installEventFilter(this);
  list_->setObjectName("paletteList");
  list_->setAccessibleName(tr("What was found"));
  list_->setModel(model_);
  list_->setItemDelegate(new PaletteDelegate(list_));
  list_->setFocusPolicy(Qt::NoFocus);
  list_->setUniformItemSizes(true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 8, 8, 8);
  column->addWidget(input_);
  column->addWidget(list_);
  connect(input_, &QLineEdit::textChanged, this, &CommandPalette::filter);
  connect(list_, &QListView::clicked, this, &CommandPalette::runCurrent);
}

void CommandPalette::open(const QString& placeholder, std::vector<PaletteItem> items) {
  items_ = std::move(items);
  input_->setPlaceholderText(placeholder);
  input_->clear();
  filter({});
  QWidget* window = parentWidget();
  resize(qMin(640, window->width() - 40), qMin(420, window->height() - 120));
  move(window->mapToGlobal(QPoint((window->width() - width()) / 2, 64)));
  show();
  input_->setFocus();
}

void CommandPalette::filter(const QString& text) {
  std::vector<std::pair<int, int>> found;  // score, index
  for (std::size_t i = 0; i < items_.size(); ++i) {
    std::optional<int> score = fuzzyScore(text, items_[i].title);
    if (!score) score = fuzzyScore(text, items_[i].detail + " " + items_[i].title);
    if (score) found.emplace_back(text.isEmpty() ? 0 : *score, static_cast<int>(i));
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  model_->clear();
  for (const auto& [score, i] : found) {
    if (model_->rowCount() >= mostShown) break;
    const PaletteItem& one = items_[static_cast<std::size_t>(i)];
    auto* item = new QStandardItem(one.title);
    item->setData(i, indexRole);
    item->setData(one.detail, detailRole);
    item->setData(one.keys, keysRole);
    item->setAccessibleDescription(one.detail);
    model_->appendRow(item);
  }
  list_->setCurrentIndex(model_->index(0, 0));
}

void CommandPalette::runCurrent() {
  QModelIndex current = list_->currentIndex();
  if (!current.isValid()) return;
  std::function<void()> run = items_[static_cast<std::size_t>(current.data(indexRole).toInt())].run;
  close();
  run();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return QFrame::eventFilter(watched, event);
  auto* key = static_cast<QKeyEvent*>(event);
  int row = list_->currentIndex().row(), step = 0;
  switch (key->key()) {
    case Qt::Key_Down:
      step = 1;
      break;
    case Qt::Key_Up:
      step = -1;
      break;
    case Qt::Key_PageDown:
      step = 10;
      break;
    case Qt::Key_PageUp:
      step = -10;
      break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      runCurrent();
      return true;
    case Qt::Key_Escape:
      close();
      return true;
    default:
      return QFrame::eventFilter(watched, event);
  }
  list_->setCurrentIndex(model_->index(std::clamp(row + step, 0, qMax(0, model_->rowCount() - 1)), 0));
  return true;
}

}  // namespace ui
