#include "ui/panels/inspector_panel.h"

#include <QCheckBox>
#include <QVBoxLayout>

#include "core/plan/edit/layout.h"
#include "ui/models/facts.h"
#include "ui/models/mesh_tags.h"
#include "ui/panels/parts/edit_chooser.h"
#include "ui/panels/parts/flow_layout.h"
#include "ui/panels/parts/section.h"
#include "ui/session/session.h"
#include "ui/widgets/chip.h"

namespace ui {
namespace {

using Kind = Selection::Kind;

ChipSource sourceOf(core::Origin origin) {
  switch (origin) {
    case core::Origin::replicated:
      return ChipSource::none;
    case core::Origin::propagated:
      return ChipSource::inferred;
    case core::Origin::choice:
      return ChipSource::search;
    case core::Origin::rule:
      return ChipSource::rule;
    case core::Origin::pin:
      return ChipSource::pinned;
  }
  return ChipSource::none;
}

Kind kindOf(const QString& word) {
  if (word == "tensor") return Kind::tensor;
  if (word == "op") return Kind::op;
  if (word == "dimension") return Kind::dimension;
  if (word == "axis") return Kind::axis;
  if (word == "instruction") return Kind::instruction;
  return Kind::none;
}

}  // namespace

InspectorPanel::InspectorPanel(Session& session)
    : session_(session),
      title_(textLabel("inspectorTitle", tr("Selected"))),
      facts_(textLabel("inspectorFacts", tr("Facts"))),
      why_(textLabel("inspectorWhy", tr("Why it is split so"))),
      pinNote_(mutedLabel(QString(), "inspectorPinNote")),
      chipsHost_(new QWidget),
      axesHost_(new QWidget),
      dimensionsHost_(new QWidget),
      onlyHere_(new QCheckBox(tr("Only this layer"))) {
  setObjectName("inspectorPanel");
  setAccessibleName(tr("Inspector"));
  axes_ = new FlowLayout(axesHost_);
  axesHost_->setObjectName("inspectorAxes");
  axesHost_->setAccessibleName(tr("Axes to drop on a dimension of this tensor"));
  dimensions_ = new FlowLayout(dimensionsHost_);
  dimensionsHost_->setObjectName("inspectorDimensions");
  dimensionsHost_->setAccessibleName(tr("Dimensions of this tensor"));
  onlyHere_->setObjectName("inspectorOnlyHere");
  onlyHere_->setAccessibleName(tr("Pin only this layer, not its equals"));
  chipsHost_->setObjectName("inspectorChips");
  chipsHost_->setAccessibleName(tr("Sharding of this tensor"));
  auto* chips = new QVBoxLayout(chipsHost_);
  chips->setContentsMargins(0, 0, 0, 0);
  chips->setSpacing(6);
  for (QWidget* widget : std::initializer_list<QWidget*>{dimensionsHost_, axesHost_, onlyHere_, pinNote_})
    chips->addWidget(widget);

  auto* content = new QWidget;
  content->setObjectName("inspectorContent");
  content->setAccessibleName(tr("Inspector"));
  auto* column = panelColumn(content);
  for (QWidget* widget : std::initializer_list<QWidget*>{title_, chipsHost_, facts_}) column->addWidget(widget);
  column->addWidget(why_);
  column->addStretch();
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(scrolled(content, "inspectorScroll"));

  for (QLabel* label : {title_, facts_, why_}) connect(label, &QLabel::linkActivated, this, &InspectorPanel::follow);
  connect(onlyHere_, &QCheckBox::toggled, this, &InspectorPanel::refresh);
  connect(&session_, &Session::selectionChanged, this, &InspectorPanel::refresh);
  connect(&session_, &Session::analysisChanged, this, &InspectorPanel::refresh);
  connect(&session_.document(), &Document::opened, this, &InspectorPanel::refresh);
  connect(&session_.document(), &Document::changed, this, &InspectorPanel::refresh);
  connect(&session_, &Session::draggedChanged, this, &InspectorPanel::refreshTargets);
  connect(&session_, &Session::draggedChanged, this, &InspectorPanel::refresh, Qt::QueuedConnection);
  refresh();
}

void InspectorPanel::refresh() {
  if (!session_.dragged().empty()) return;  // the chip in the air may be one of ours; done when it has landed
  QWidget* focused = focusWidget();
  QString name = focused && dimensionsHost_->isAncestorOf(focused) ? focused->objectName() : QString();
  rebuild();
  if (auto* again = name.isEmpty() ? nullptr : dimensionsHost_->findChild<DimensionChip*>(name)) again->setFocus();
}

void InspectorPanel::rebuild() {
  setEnabled(session_.isOpen());
  tensor_.clear();
  clearChips();
  chipsHost_->hide();
  if (!session_.isOpen()) return showText(tr("Nothing is open"), {});
  const Selection& selection = session_.selection();
  switch (selection.kind) {
    case Kind::tensor:
      return showTensor(selection.first());
    case Kind::op:
      return showOperator(selection.first());
    case Kind::dimension:
      return showDimension(selection.first());
    case Kind::axis:
      return showAxis(selection.first());
    case Kind::instruction:
      return showInstruction(selection.first());
    case Kind::scope:
      return showScope(selection.first());
    case Kind::none:
      break;
  }
  showModel();
}

void InspectorPanel::showText(const QString& title, const QString& facts, const QString& why) {
  title_->setText(QStringLiteral("<b>%1</b>").arg(title.toHtmlEscaped()));
  facts_->setText(facts);
  why_->setText(why.isEmpty() ? QString() : QStringLiteral("<b>%1</b><br>%2").arg(tr("Why?"), why));
  why_->setVisible(!why.isEmpty());
}

void InspectorPanel::showTensor(const QString& name) {
  const core::Graph& graph = session_.graph();
  showText(name, tensorFacts(session_.analysis(), graph, name.toStdString()),
           tensorReason(session_.analysis(), name.toStdString()));
  std::optional<core::TensorId> id = graph.findTensor(name.toStdString());
  if (!id || graph[*id].shape.empty()) return;
  tensor_ = name;
  showChips(*id);
}

void InspectorPanel::showOperator(const QString& name) {
  showText(name, operatorFacts(session_.analysis(), session_.graph(), name.toStdString()));
}

void InspectorPanel::showDimension(const QString& name) {
  showText(tr("Dimension %1").arg(name),
           dimensionFacts(*session_.document().plan().graph, session_.document().plan().variant().layout,
                          name.toStdString()));
}

void InspectorPanel::showAxis(const QString& name) {
  showText(tr("Axis %1").arg(name),
           axisFacts(session_.analysis(), session_.document().plan().variant(), name.toStdString()));
}

void InspectorPanel::showInstruction(const QString& name) {
  showText(name, instructionFacts(session_.analysis(), name.toStdString()));
}

void InspectorPanel::showScope(const QString& name) {
  showText(name, scopeFacts(*session_.document().plan().graph, name.toStdString()));
}

void InspectorPanel::showModel() {
  const core::Plan& plan = session_.document().plan();
  showText(plan.name.empty() ? tr("Model") : QString::fromStdString(plan.name), modelFacts(plan));
}

void InspectorPanel::clearChips() {
  auto drop = [](Chip* chip) {
    chip->setObjectName({});  // its successor has the name
    chip->hide();
    chip->deleteLater();
  };
  for (DimensionChip* chip : dimensionChips_) drop(chip);
  for (AxisChip* chip : axisChips_) drop(chip);
  dimensionChips_.clear();
  axisChips_.clear();
}

void InspectorPanel::showChips(core::TensorId tensor) {
  const core::Analysis& analysis = session_.analysis();
  const core::Graph& graph = session_.graph();
  const core::Mesh& mesh = session_.document().plan().variant().mesh;
  bool known = analysis.step && !session_.stale() && tensor.index() < analysis.layouts.size();
  const core::Shape& shape = graph[tensor].shape;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    DimensionChipData data{.name = QString::fromStdString(graph[shape[d]].name), .size = graph.size(shape[d])};
    if (known) {
      const core::TensorLayout layout = analysis.layouts[tensor.index()];
      data.axes = axisTags(mesh, layout.sharding.dims[d]);
      data.source = d < layout.origins.size() ? sourceOf(layout.origins[d]) : ChipSource::none;
      data.padding = paddingOf(data.size, data.axes);
    }
    auto* chip = new DimensionChip(dimensionsHost_);
    chip->setObjectName("tensorDimension:" + data.name);
    chip->setData(data, axisNames(mesh));
    connectDimension(chip, data.name);
    dimensions_->addWidget(chip);
    dimensionChips_.push_back(chip);
  }
  addAxisChips(mesh);
  QString pattern = patternOf(graph, tensor_);
  onlyHere_->setVisible(pattern != tensor_);
  int count = matches(graph, QString::fromStdString(pin().tensor));
  pinNote_->setText(count > 1
                        ? tr("A drop here pins %1 tensors: %2").arg(count).arg(QString::fromStdString(pin().tensor))
                        : tr("A drop here pins this tensor."));
  chipsHost_->show();
  refreshTargets();
}

void InspectorPanel::addAxisChips(const core::Mesh& mesh) {
  for (std::size_t i = 0; i < mesh.axes.size(); ++i) {
    auto* chip = new AxisChip(axesHost_);
    AxisTag tag = axisTag(mesh, static_cast<core::AxisId>(i));
    chip->setObjectName("tensorAxis:" + tag.name);
    chip->setData({tag, {}, {}}, axisNames(mesh));
    connect(chip, &Chip::dragStarted, this, [this, name = tag.name] { session_.setDragged({Kind::axis, {name}}); });
    connect(chip, &Chip::dragEnded, this, [this] {
      session_.setDragged({});
      session_.endPreview();
    });
    connect(chip, &Chip::previewEnded, &session_, &Session::endPreview);
    axes_->addWidget(chip);
    axisChips_.push_back(chip);
  }
}

void InspectorPanel::connectDimension(DimensionChip* chip, const QString& dimension) {
  connect(chip, &Chip::dragStarted, this, [this, dimension] { session_.setDragged({Kind::dimension, {dimension}}); });
  connect(chip, &Chip::dragEnded, this, [this] {
    session_.setDragged({});
    session_.endPreview();
  });
  connect(chip, &Chip::previewed, this, [this, dimension](const QString& axis, const QPoint& at) {
    NamedEdit edit = split(dimension, axis);
    session_.previewAt(edit.name, edit.edit, at);
  });
  connect(chip, &Chip::previewEnded, &session_, &Session::endPreview);
  connect(chip, &Chip::dropped, this, [this, dimension](const QString& axis) {
    NamedEdit edit = split(dimension, axis);
    session_.endPreview();
    if (QString why = refusal(edit); !why.isEmpty()) return emit session_.failed(why);
    session_.apply(edit.name, edit.edit);
  });
  connect(chip, &Chip::activated, this, [this, chip, dimension] { chooseAxis(chip, dimension); });
  connect(chip, &Chip::removeRequested, this, [this, dimension](const QString& axis) {
    NamedEdit edit = unsplitTensor(pin(), dimension, axis);
    session_.apply(edit.name, edit.edit);
  });
  connect(chip, &Chip::pinRequested, this, [this] {
    bool isPinned = core::findPin(session_.document().plan().variant().layout, pin().tensor);
    NamedEdit edit = isPinned ? unpinTensor(QString::fromStdString(pin().tensor)) : pinTensor(pin());
    session_.apply(edit.name, edit.edit);
  });
}

void InspectorPanel::chooseAxis(DimensionChip* chip, const QString& dimension) {
  std::vector<EditChoice> choices;
  for (const core::MeshAxis& axis : session_.document().plan().variant().mesh.axes) {
    QString name = QString::fromStdString(axis.name);
    bool isOn = std::any_of(chip->data().axes.begin(), chip->data().axes.end(),
                            [&](const AxisTag& tag) { return tag.name == name; });
    NamedEdit edit = isOn ? unsplitTensor(pin(), dimension, name) : split(dimension, name);
    choices.push_back(
        {isOn ? tr("off %1").arg(name) : tr("over %1 (%2)").arg(name).arg(axis.size), refusal(edit), edit});
  }
  auto* chooser = new EditChooser(session_, tr("Pin %1 of %2").arg(dimension, tensor_), std::move(choices), this);
  chooser->popup(chip->mapToGlobal(QPoint(0, chip->height() + 2)));
}

core::Pin InspectorPanel::pin() const {
  const core::Graph& graph = session_.graph();
  QString name = onlyHere_->isChecked() ? tensor_ : patternOf(graph, tensor_);
  const core::Layout& layout = session_.document().plan().variant().layout;
  if (const core::Pin* pinned = core::findPin(layout, name.toStdString())) return *pinned;
  std::optional<core::TensorId> id = graph.findTensor(tensor_.toStdString());
  return id ? pinOf(session_.analysis(), *id, name) : core::Pin{name.toStdString(), {}};
}

QString InspectorPanel::refusal(const NamedEdit& edit) const {
  return refusalOf(session_.document().plan(), session_.graph(), edit.edit);
}

void InspectorPanel::refreshTargets() {
  bool target = session_.dragged().kind == Kind::axis && !tensor_.isEmpty();
  for (DimensionChip* chip : dimensionChips_) {
    DimensionChipData data = chip->data();
    data.refusal = target ? refusal(split(data.name, session_.dragged().first())) : QString();
    chip->setData(data, axisNames(session_.document().plan().variant().mesh));
    chip->setTargetLit(target);
  }
}

void InspectorPanel::follow(const QString& link) {
  qsizetype colon = link.indexOf(':');
  if (colon > 0) session_.select({kindOf(link.left(colon)), {link.mid(colon + 1)}});
}

}  // namespace ui
