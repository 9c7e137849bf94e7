#include "ui/main_window/tool_bar.h"

#include <QComboBox>
#include <QFrame>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/plan/edit/variants.h"
#include "ui/actions/actions.h"
#include "ui/models/estimate_rows.h"
#include "ui/models/mesh_tags.h"
#include "ui/panels/parts/section.h"
#include "ui/panels/parts/step_editor.h"
#include "ui/session/session.h"
#include "ui/theme/icon.h"

namespace ui {

ToolBar::ToolBar(Session& session, const Actions& actions, QWidget* parent)
    : QToolBar(tr("Toolbar"), parent),
      session_(session),
      variant_(new QComboBox),
      mesh_(chip("toolMesh", tr("Mesh"))),
      step_(chip("toolStep", tr("Step"))) {
  setObjectName("toolBar");
  setAccessibleName(tr("Toolbar"));
  setMovable(false);
  setIconSize({18, 18});
  variant_->setObjectName("toolVariant");
  variant_->setAccessibleName(tr("Variant"));
  variant_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  mesh_->setIcon(icon("mesh"));
  step_->setIcon(icon("settings"));

  for (const char* id : {"file.open", "file.save"}) addAction(actions[id]);
  addSeparator();
  for (const char* id : {"edit.undo", "edit.redo"}) addAction(actions[id]);
  addSeparator();
  addWidget(mutedLabel(tr(" Variant "), "toolVariantLabel"));
  addWidget(variant_);
  addAction(actions["layout.duplicate"]);
  addSeparator();
  addWidget(mesh_);
  addWidget(step_);
  auto* space = new QWidget;
  space->setObjectName("toolSpace");
  space->setAccessibleName(tr("Space"));
  space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  addWidget(space);
  auto* go = chip("toolGo", tr("Go to anything"));
  go->setText(tr("Find op, tensor, command …   Ctrl+P"));
  go->setIcon(icon("search"));
  connect(go, &QToolButton::clicked, actions["edit.goTo"], &QAction::trigger);
  addWidget(go);
  addSeparator();
  for (const char* id : {"run.start", "run.stop"}) addAction(actions[id]);
  if (QWidget* run = widgetForAction(actions["run.start"]))
    static_cast<QToolButton*>(run)->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  for (QAction* action : this->actions())
    if (QWidget* button = widgetForAction(action); button && button->objectName().isEmpty()) {
      button->setObjectName("tool:" + action->objectName());
      button->setAccessibleName(action->isSeparator() ? tr("Line") : actionTitle(action));
    }
  actions["run.start"]->setIconText(tr("Run"));

  connect(mesh_, &QToolButton::clicked, this, &ToolBar::meshRequested);
  connect(step_, &QToolButton::clicked, this, &ToolBar::openStep);
  connect(variant_, &QComboBox::activated, this, [this](int index) {
    session_.apply(tr("Go to variant %1").arg(variant_->itemText(index)), [index](core::Plan plan) {
      return core::selectVariant(std::move(plan), static_cast<std::size_t>(index));
    });
  });
  connect(&session_.document(), &Document::opened, this, &ToolBar::refresh);
  connect(&session_.document(), &Document::changed, this, &ToolBar::refresh);
  refresh();
}

QToolButton* ToolBar::chip(const QString& objectName, const QString& name) {
  auto* button = new QToolButton;
  button->setObjectName(objectName);
  button->setAccessibleName(name);
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

void ToolBar::refresh() {
  bool open = session_.isOpen();
  variant_->clear();
  for (QWidget* widget : std::initializer_list<QWidget*>{variant_, mesh_, step_}) widget->setEnabled(open);
  if (!open) {
    mesh_->setText(tr("Mesh"));
    step_->setText(tr("Step"));
    return;
  }
  const core::Plan& plan = session_.document().plan();
  for (const core::Variant& variant : plan.variants) variant_->addItem(QString::fromStdString(variant.name));
  variant_->setCurrentIndex(static_cast<int>(plan.current));
  mesh_->setText(meshText(plan.variant().mesh));
  mesh_->setToolTip(tr("Mesh %1. Click to edit.").arg(meshText(plan.variant().mesh)));
  step_->setText(stepText(plan.variant().step));
  step_->setToolTip(tr("What a step does: %1. Click to edit.").arg(stepText(plan.variant().step)));
}

void ToolBar::openStep() {
  auto* popup = new QFrame(this, Qt::Popup);
  popup->setObjectName("stepPopup");
  popup->setAccessibleName(tr("Step"));
  popup->setAttribute(Qt::WA_DeleteOnClose);
  popup->setFrameShape(QFrame::StyledPanel);
  auto* column = new QVBoxLayout(popup);
  column->addWidget(new StepEditor(session_));
  popup->adjustSize();
  popup->move(step_->mapToGlobal(QPoint(0, step_->height() + 2)));
  popup->show();
}

}  // namespace ui
