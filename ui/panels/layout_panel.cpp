#include "ui/panels/layout_panel.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "core/plan/edit/layout.h"
#include "core/plan/edit/presets.h"
#include "ui/models/mesh_tags.h"
#include "ui/panels/parts/edit_chooser.h"
#include "ui/panels/parts/flow_layout.h"
#include "ui/panels/parts/section.h"
#include "ui/session/session.h"
#include "ui/widgets/chip.h"

namespace ui {
namespace {

constexpr int dimensionsWithoutFilter = 14;

struct ShownDimension {
  QString name;
  qint64 size = 0;
  int tensors = 0;
};

// Those that tensors carry; the batch first, then by how much of the graph they reach.
std::vector<ShownDimension> shownDimensions(const core::Graph& graph) {
  std::vector<int> carriers(graph.dims.size());
  for (const core::Tensor& tensor : graph.tensors)
    for (core::DimId dim : tensor.shape) ++carriers[dim.index()];
  std::vector<ShownDimension> shown;
  for (std::size_t i = 0; i < graph.dims.size(); ++i)
    if (carriers[i] > 0) shown.push_back({QString::fromStdString(graph.dims[i].name), graph.dims[i].size, carriers[i]});
  QString batch = QString::fromStdString(core::batchDimension(graph).value_or(""));
  std::stable_sort(shown.begin(), shown.end(), [&](const ShownDimension& a, const ShownDimension& b) {
    return std::tuple(a.name != batch, -a.tensors) < std::tuple(b.name != batch, -b.tensors);
  });
  return shown;
}

QStringList ruledBy(const core::Layout& layout, const QString& axis) {
  QStringList dimensions;
  for (const core::Rule& rule : layout.rules)
    if (std::find(rule.axes.begin(), rule.axes.end(), axis.toStdString()) != rule.axes.end())
      dimensions << QString::fromStdString(rule.dimension);
  return dimensions;
}

QPushButton* presetButton(const QString& text, const QString& name, const QString& tip) {
  auto* button = new QPushButton(text);
  button->setObjectName(name);
  button->setAccessibleName(text);
  button->setToolTip(tip);
  return button;
}

// Chips that are no longer there go; later, since one of them may be the sender.
template <class Map>
void removeOthers(Map& chips, const QStringList& kept) {
  for (auto it = chips.begin(); it != chips.end();) {
    if (kept.contains(it.key())) {
      ++it;
      continue;
    }
    it.value()->hide();
    it.value()->deleteLater();
    it = chips.erase(it);
  }
}

void reorder(QLayout* flow, const std::vector<QWidget*>& widgets) {
  while (QLayoutItem* item = flow->takeAt(0)) delete item;
  for (QWidget* widget : widgets) flow->addWidget(widget);
}

}  // namespace

LayoutPanel::LayoutPanel(Session& session)
    : session_(session),
      axesHost_(new QWidget),
      dimensionsHost_(new QWidget),
      filter_(new QLineEdit),
      hint_(mutedLabel(QString(), "layoutHint")) {
  setObjectName("layoutPanel");
  setAccessibleName(tr("Layout"));
  axes_ = new FlowLayout(axesHost_);
  axesHost_->setObjectName("layoutAxes");
  axesHost_->setAccessibleName(tr("Axes of the mesh"));
  dimensions_ = new FlowLayout(dimensionsHost_);
  dimensionsHost_->setObjectName("layoutDimensions");
  dimensionsHost_->setAccessibleName(tr("Dimensions of the model"));
  filter_->setObjectName("dimensionFilter");
  filter_->setAccessibleName(tr("Filter dimensions"));
  filter_->setPlaceholderText(tr("Filter dimensions"));
  filter_->setClearButtonEnabled(true);

  auto* content = new QWidget;
  content->setObjectName("layoutContent");
  content->setAccessibleName(tr("Layout"));
  auto* column = panelColumn(content);
  column->addWidget(makePresets());
  column->addWidget(sectionHeading(tr("Mesh axes"), "axesHeading"));
  column->addWidget(axesHost_);
  column->addWidget(sectionHeading(tr("Dimensions"), "dimensionsHeading"));
  column->addWidget(filter_);
  column->addWidget(dimensionsHost_);
  column->addWidget(hint_);
  column->addStretch();
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(scrolled(content, "layoutScroll"));

  connect(filter_, &QLineEdit::textChanged, this, &LayoutPanel::refreshFilter);
  connect(&session_.document(), &Document::opened, this, &LayoutPanel::refresh);
  connect(&session_.document(), &Document::changed, this, &LayoutPanel::refresh);
  connect(&session_, &Session::draggedChanged, this, &LayoutPanel::refreshTargets);
  refresh();
}

QWidget* LayoutPanel::makePresets() {
  auto* row = new QWidget;
  row->setObjectName("layoutPresets");
  row->setAccessibleName(tr("Layouts in one click"));
  auto* line = new QHBoxLayout(row);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(6);
  QPushButton* data = presetButton(tr("Data-parallel"), "presetDataParallel",
                                   tr("Every axis splits the batch; parameters are whole on each device"));
  QPushButton* model =
      presetButton(tr("Megatron"), "presetMegatron",
                   tr("Heads, feed-forward and vocabulary over the model axis, batch over the data axis"));
  QPushButton* clear =
      presetButton(tr("Clear"), "presetClear", tr("No rules, pins or choices: everything whole on each device"));
  connect(data, &QPushButton::clicked, this,
          [this] { session_.apply(tr("Data-parallel layout"), core::dataParallel); });
  connect(model, &QPushButton::clicked, this, [this] { session_.apply(tr("Megatron layout"), core::megatron); });
  connect(clear, &QPushButton::clicked, this, [this] {
    session_.apply(tr("Clear layout"), [](core::Plan plan) { return core::setLayout(std::move(plan), {}); });
  });
  for (QPushButton* button : {data, model, clear}) line->addWidget(button);
  line->addStretch();
  return row;
}

void LayoutPanel::refresh() {
  setEnabled(session_.isOpen());
  if (!session_.isOpen()) return;
  refreshAxes();
  refreshDimensions();
  refreshTargets();
  refreshFilter();
  bool noMesh = session_.document().plan().variant().mesh.axes.empty();
  hint_->setText(
      noMesh
          ? tr("The mesh has no axes yet: add one in the Mesh panel.")
          : tr("Drag a dimension onto an axis, or an axis onto a dimension. Enter lists the choices, Del takes off."));
}

void LayoutPanel::refreshAxes() {
  const core::Variant& variant = session_.document().plan().variant();
  QStringList names = axisNames(variant.mesh);
  removeOthers(axisChips_, names);
  std::vector<QWidget*> order;
  for (std::size_t i = 0; i < variant.mesh.axes.size(); ++i) {
    AxisTag tag = axisTag(variant.mesh, static_cast<core::AxisId>(i));
    AxisChip* chip = axisChip(tag.name);
    chip->setData({tag, ruledBy(variant.layout, tag.name), {}}, names);
    order.push_back(chip);
  }
  reorder(axes_, order);
}

void LayoutPanel::refreshDimensions() {
  const core::Plan& plan = session_.document().plan();
  QStringList names;
  std::vector<QWidget*> order;
  for (const ShownDimension& one : shownDimensions(*plan.graph)) {
    DimensionChipData data{.name = one.name, .size = one.size, .tensors = one.tensors};
    data.axes = axisTags(plan.variant().mesh, core::ruleAxes(plan.variant().layout, one.name.toStdString()));
    data.source = data.axes.empty() ? ChipSource::none : ChipSource::rule;
    data.padding = paddingOf(one.size, data.axes);
    DimensionChip* chip = dimensionChip(one.name);
    chip->setData(data, axisNames(plan.variant().mesh));
    names << one.name;
    order.push_back(chip);
  }
  removeOthers(dimensionChips_, names);
  reorder(dimensions_, order);
}

void LayoutPanel::refreshTargets() {
  if (!session_.isOpen()) return;
  const Selection& air = session_.dragged();
  QStringList names = axisNames(session_.document().plan().variant().mesh);
  for (auto it = dimensionChips_.begin(); it != dimensionChips_.end(); ++it) {
    bool target = air.kind == Selection::Kind::axis;
    DimensionChipData data = it.value()->data();
    data.refusal = target ? refusal(splitDimension(it.key(), air.first())) : QString();
    it.value()->setData(data, names);
    it.value()->setTargetLit(target);
  }
  for (auto it = axisChips_.begin(); it != axisChips_.end(); ++it) {
    bool target = air.kind == Selection::Kind::dimension;
    AxisChipData data = it.value()->data();
    data.refusal = target ? refusal(splitDimension(air.first(), it.key())) : QString();
    it.value()->setData(data, names);
    it.value()->setTargetLit(target);
  }
}

void LayoutPanel::refreshFilter() {
  filter_->setVisible(dimensionChips_.size() > dimensionsWithoutFilter);
  for (auto it = dimensionChips_.begin(); it != dimensionChips_.end(); ++it)
    it.value()->setVisible(!filter_->isVisibleTo(this) || filter_->text().isEmpty() ||
                           it.key().contains(filter_->text(), Qt::CaseInsensitive));
}

AxisChip* LayoutPanel::axisChip(const QString& name) {
  AxisChip*& chip = axisChips_[name];
  if (!chip) {
    chip = new AxisChip(axesHost_);
    chip->setObjectName("axis:" + name);
    connectChip(chip, name, true);
  }
  return chip;
}

DimensionChip* LayoutPanel::dimensionChip(const QString& name) {
  DimensionChip*& chip = dimensionChips_[name];
  if (!chip) {
    chip = new DimensionChip(dimensionsHost_);
    chip->setObjectName("dimension:" + name);
    connectChip(chip, name, false);
  }
  return chip;
}

void LayoutPanel::connectChip(Chip* chip, const QString& name, bool isAxis) {
  using Kind = Selection::Kind;
  chip->installEventFilter(this);
  connect(chip, &Chip::dragStarted, this, [this, name, isAxis] {
    session_.setDragged({isAxis ? Kind::axis : Kind::dimension, {name}});
  });
  connect(chip, &Chip::dragEnded, this, [this] {
    session_.setDragged({});
    session_.endPreview();
  });
  connect(chip, &Chip::previewed, this, [this, name, isAxis](const QString& other, const QPoint& at) {
    NamedEdit edit = isAxis ? splitDimension(other, name) : splitDimension(name, other);
    session_.previewAt(edit.name, edit.edit, at);
  });
  connect(chip, &Chip::previewEnded, &session_, &Session::endPreview);
  connect(chip, &Chip::dropped, this,
          [this, name, isAxis](const QString& other) { isAxis ? applySplit(other, name) : applySplit(name, other); });
  connect(chip, &Chip::activated, this, [this, name, isAxis] { isAxis ? chooseDimension(name) : chooseAxis(name); });
  connect(chip, &Chip::removeRequested, this, [this, name, isAxis](const QString& axis) {
    if (isAxis) return removeFromAxis(name);
    NamedEdit edit = unsplitDimension(name, axis);
    session_.apply(edit.name, edit.edit);
  });
}

QString LayoutPanel::refusal(const NamedEdit& edit) const {
  return refusalOf(session_.document().plan(), session_.graph(), edit.edit);
}

void LayoutPanel::applySplit(const QString& dimension, const QString& axis) {
  NamedEdit edit = splitDimension(dimension, axis);
  session_.endPreview();
  if (QString why = refusal(edit); !why.isEmpty()) {
    emit session_.failed(why);
    return;
  }
  session_.apply(edit.name, edit.edit);
}

void LayoutPanel::removeFromAxis(const QString& axis) {
  session_.apply(tr("Take everything off %1").arg(axis), [axis = axis.toStdString()](core::Plan plan) {
    std::vector<core::Rule> rules = plan.variant().layout.rules;
    for (const core::Rule& rule : rules) plan = core::removeRule(std::move(plan), rule.dimension, axis);
    return plan;
  });
}

void LayoutPanel::chooseAxis(const QString& dimension) {
  const core::Variant& variant = session_.document().plan().variant();
  std::vector<EditChoice> choices;
  for (const core::MeshAxis& axis : variant.mesh.axes) {
    QString name = QString::fromStdString(axis.name);
    bool isOn = ruledBy(variant.layout, name).contains(dimension);
    NamedEdit edit = isOn ? unsplitDimension(dimension, name) : splitDimension(dimension, name);
    choices.push_back(
        {isOn ? tr("off %1").arg(name) : tr("over %1 (%2)").arg(name).arg(axis.size), refusal(edit), edit});
  }
  DimensionChip* chip = dimensionChip(dimension);
  auto* chooser = new EditChooser(session_, tr("Split %1").arg(dimension), std::move(choices), this);
  chooser->popup(chip->mapToGlobal(QPoint(0, chip->height() + 2)));
}

void LayoutPanel::chooseDimension(const QString& axis) {
  const core::Plan& plan = session_.document().plan();
  QStringList on = ruledBy(plan.variant().layout, axis);
  std::vector<EditChoice> choices;
  for (const ShownDimension& one : shownDimensions(*plan.graph)) {
    NamedEdit edit = on.contains(one.name) ? unsplitDimension(one.name, axis) : splitDimension(one.name, axis);
    choices.push_back({on.contains(one.name) ? tr("%1 off").arg(one.name) : tr("%1 %2").arg(one.name).arg(one.size),
                       refusal(edit), edit});
  }
  AxisChip* chip = axisChip(axis);
  auto* chooser = new EditChooser(session_, tr("Split over %1").arg(axis), std::move(choices), this);
  chooser->popup(chip->mapToGlobal(QPoint(0, chip->height() + 2)));
}

bool LayoutPanel::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::FocusIn) {
    if (auto* dimension = qobject_cast<DimensionChip*>(watched))
      session_.select({Selection::Kind::dimension, {dimension->data().name}});
    if (auto* axis = qobject_cast<AxisChip*>(watched))
      session_.select({Selection::Kind::axis, {axis->data().axis.name}});
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace ui
