#include "ui/main_window/start_page.h"

#include <QAction>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/actions/actions.h"
#include "ui/document/recent_files.h"
#include "ui/panels/parts/section.h"
#include "ui/theme/icon.h"

namespace ui {
namespace {

QPushButton* door(const Actions& actions, const QString& id, const QString& title, const QString& line,
                  const QString& iconName) {
  auto* button = new QPushButton;
  button->setObjectName("door:" + id);
  button->setAccessibleName(title);
  button->setAccessibleDescription(line);
  button->setMinimumSize(210, 118);
  auto* column = new QVBoxLayout(button);
  column->setContentsMargins(16, 14, 16, 14);
  auto* picture = new QLabel;
  picture->setObjectName("doorIcon:" + id);
  picture->setAccessibleName(title);
  picture->setPixmap(icon(iconName).pixmap(28, 28));
  auto* heading = sectionHeading(title, "doorTitle:" + id);
  auto* text = mutedLabel(line, "doorText:" + id);
  for (QLabel* label : {picture, heading, text}) {
    label->setAttribute(Qt::WA_TransparentForMouseEvents);
    column->addWidget(label);
  }
  QObject::connect(button, &QPushButton::clicked, actions[id], &QAction::trigger);
  return button;
}

}  // namespace

StartPage::StartPage(const Actions& actions, RecentFiles& recent, QWidget* parent)
    : QWidget(parent), recent_(recent), list_(new QListWidget) {
  setObjectName("startPage");
  setAccessibleName(tr("Start"));
  QLabel* name = sectionHeading(QStringLiteral("Meshwright"), "startTitle");
  QFont font = name->font();
  font.setPointSizeF(font.pointSizeF() * 2.2);
  name->setFont(font);
  QLabel* claim = mutedLabel(
      tr("Lay a tensor program out on a mesh of processors, see what it costs each of them, run it, and watch."),
      "startClaim");
  auto* doors = new QHBoxLayout;
  doors->setSpacing(14);
  doors->addWidget(door(actions, "file.open", tr("Open a model"),
                        tr("ONNX, a Hugging Face config, or a plan. Or drop a file anywhere."), "import"));
  doors->addWidget(door(actions, "file.sample", tr("Open the sample"),
                        tr("A small Transformer on a 2×2 mesh, laid out and ready to run."), "graph"));
  doors->addWidget(door(actions, "file.new", tr("New model"), tr("A GPT of your own size, from layers."), "new"));
  list_->setObjectName("recentList");
  list_->setAccessibleName(tr("Recent files"));
  list_->setMaximumHeight(220);

  auto* column = new QVBoxLayout;
  column->setSpacing(12);
  column->addStretch(2);
  column->addWidget(name);
  column->addWidget(claim);
  column->addSpacing(10);
  column->addLayout(doors);
  column->addSpacing(10);
  column->addWidget(sectionHeading(tr("Recent"), "recentHeading"));
  column->addWidget(list_);
  column->addStretch(3);
  auto* all = new QHBoxLayout(this);
  all->addStretch(1);
  all->addLayout(column, 6);
  all->addStretch(1);

  connect(list_, &QListWidget::itemActivated, this,
          [this](QListWidgetItem* item) { emit fileChosen(item->data(Qt::UserRole).toString()); });
  connect(list_, &QListWidget::itemClicked, this,
          [this](QListWidgetItem* item) { emit fileChosen(item->data(Qt::UserRole).toString()); });
  connect(&recent_, &RecentFiles::changed, this, &StartPage::refresh);
  refresh();
}

void StartPage::refresh() {
  list_->clear();
  for (const RecentFile& file : recent_.files()) {
    QFileInfo info(file.path);
    auto* item = new QListWidgetItem(QStringLiteral("%1    %2").arg(info.fileName(), info.absolutePath()), list_);
    item->setData(Qt::UserRole, file.path);
    if (file.pinned) item->setIcon(icon("pin"));
    if (!info.exists()) item->setFlags(Qt::NoItemFlags);
  }
  bool any = list_->count() > 0;
  list_->setVisible(any);
  if (auto* heading = findChild<QLabel*>("recentHeading")) heading->setVisible(any);
}

}  // namespace ui
