#include "ui/panels/mesh_panel.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <map>

#include "core/plan/edit/mesh.h"
#include "core/plan/edit/variants.h"
#include "ui/models/mesh_tags.h"
#include "ui/panels/parts/flow_layout.h"
#include "ui/panels/parts/section.h"
#include "ui/session/session.h"
#include "ui/theme/icon.h"
#include "ui/widgets/rank_grid.h"

namespace ui {
namespace {

constexpr const char* meshKey = "mesh";
constexpr int largestGrid = 4096;  // cells that are drawn

QToolButton* rowButton(const char* iconName, const QString& name, const QString& tip) {
  auto* button = new QToolButton;
  button->setObjectName(name);
  button->setAccessibleName(tip);
  button->setToolTip(tip);
  button->setIcon(icon(iconName));
  button->setAutoRaise(true);
  return button;
}

QStringList knownMachines() {
  QStringList names;
  for (const std::string& name : core::machineNames()) names << QString::fromStdString(name);
  return names;
}

// Ranks that hold the same slice of a tensor get the same number.
std::vector<int> sliceGroups(const core::Sharding& sharding, const core::Mesh& mesh) {
  std::map<std::vector<std::int64_t>, int> seen;
  std::vector<int> groups;
  for (std::int64_t rank = 0; rank < mesh.devices(); ++rank) {
    core::Coordinate at = mesh.coordinate(rank);
    std::vector<std::int64_t> key;
    for (const core::AxisList& axes : sharding.dims)
      for (core::AxisId axis : axes) key.push_back(at[axis]);
    groups.push_back(seen.try_emplace(key, static_cast<int>(seen.size())).first->second);
  }
  return groups;
}

}  // namespace

MeshPanel::MeshPanel(Session& session)
    : session_(session),
      text_(new QLineEdit),
      effect_(mutedLabel(QString(), "meshEffect")),
      rowsHost_(new QWidget),
      rows_(new QGridLayout(rowsHost_)),
      product_(mutedLabel(QString(), "meshProduct")),
      grid_(new RankGrid),
      gridNote_(mutedLabel(QString(), "meshGridNote")),
      machine_(new QComboBox) {
  setObjectName("meshPanel");
  setAccessibleName(tr("Mesh"));
  text_->setObjectName("meshText");
  text_->setAccessibleName(tr("Mesh as text"));
  text_->setToolTip(tr("Axes in order, the last one runs fastest: data:4, model:2"));
  rowsHost_->setObjectName("meshRows");
  rowsHost_->setAccessibleName(tr("Axes"));
  rows_->setContentsMargins(0, 0, 0, 0);
  grid_->setObjectName("meshGrid");
  grid_->setAccessibleName(tr("Devices of the mesh"));
  machine_->setObjectName("meshMachine");
  machine_->setAccessibleName(tr("Machine"));
  machine_->setEditable(true);
  machine_->setInsertPolicy(QComboBox::NoInsert);
  machine_->addItem(tr("none: bytes only"), QString());
  for (const QString& name : knownMachines()) machine_->addItem(name, name);

  auto* content = new QWidget;
  content->setObjectName("meshContent");
  content->setAccessibleName(tr("Mesh"));
  auto* column = panelColumn(content);
  column->addWidget(text_);
  column->addWidget(effect_);
  column->addWidget(rowsHost_);
  column->addWidget(makePresets());
  column->addWidget(product_);
  column->addWidget(grid_);
  column->addWidget(gridNote_);
  column->addWidget(sectionHeading(tr("Machine"), "machineHeading"));
  column->addWidget(machine_);
  column->addStretch();
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(scrolled(content, "meshScroll"));

  connect(text_, &QLineEdit::textEdited, this, &MeshPanel::previewText);
  connect(text_, &QLineEdit::returnPressed, this, &MeshPanel::applyText);
  connect(machine_, &QComboBox::activated, this, &MeshPanel::applyMachine);
  connect(machine_->lineEdit(), &QLineEdit::returnPressed, this, &MeshPanel::applyMachine);
  connect(&session_.document(), &Document::opened, this, &MeshPanel::refresh);
  connect(&session_.document(), &Document::changed, this, &MeshPanel::refresh);
  connect(&session_, &Session::selectionChanged, this, &MeshPanel::showSlices);
  connect(&session_, &Session::analysisChanged, this, &MeshPanel::showSlices);
  connect(&session_, &Session::previewed, this, [this](const QString& key, const Effect& effect) {
    if (key == meshKey) effect_->setText(tr("Enter applies: %1").arg(summaryText(effect)));
  });
  refresh();
}

QWidget* MeshPanel::makePresets() {
  auto* host = new QWidget;
  host->setObjectName("meshPresets");
  host->setAccessibleName(tr("Meshes in one click"));
  auto* flow = new FlowLayout(host);
  const std::pair<const char*, const char*> presets[] = {
      {"2×2", "data:2,model:2"}, {"4×2", "data:4,model:2"}, {"4×8", "data:4,model:8"}, {"16×8", "data:16,model:8"}};
  for (const auto& [label, mesh] : presets) {
    auto* button = new QPushButton(QString::fromUtf8(label));
    button->setObjectName(QStringLiteral("mesh:%1").arg(mesh));
    button->setAccessibleName(tr("Mesh %1").arg(mesh));
    connect(button, &QPushButton::clicked, this, [this, mesh = std::string(mesh)] {
      session_.apply(tr("Mesh %1").arg(QString::fromStdString(mesh)),
                     [mesh](core::Plan plan) { return core::setMesh(std::move(plan), core::Mesh::of(mesh)); });
    });
    flow->addWidget(button);
  }
  auto* add = new QPushButton(tr("Add axis"));
  add->setObjectName("meshAddAxis");
  add->setAccessibleName(tr("Add axis"));
  connect(add, &QPushButton::clicked, this, [this] {
    session_.apply(tr("Add axis"), [](core::Plan plan) {
      const core::Mesh& mesh = plan.variant().mesh;
      for (const char* name : {"data", "model", "expert", "pipe"})
        if (!mesh.find(name)) return core::addAxis(std::move(plan), name, 2);
      return core::addAxis(std::move(plan), "axis" + std::to_string(mesh.axes.size()), 2);
    });
  });
  flow->addWidget(add);
  return host;
}

void MeshPanel::refresh() {
  setEnabled(session_.isOpen());
  if (!session_.isOpen()) return;
  const core::Variant& variant = session_.document().plan().variant();
  text_->setText(QString::fromStdString(core::print(variant.mesh)));
  effect_->clear();
  effect_->hide();
  product_->setText(meshText(variant.mesh));
  QString machine = QString::fromStdString(variant.machine);
  int index = machine_->findData(machine);
  machine_->setCurrentIndex(index);
  if (index < 0) machine_->setEditText(machine);
  refreshRows();
  refreshGrid();
}

void MeshPanel::refreshRows() {
  while (QLayoutItem* item = rows_->takeAt(0)) {
    if (QWidget* widget = item->widget()) widget->hide(), widget->deleteLater();
    delete item;
  }
  const core::Mesh& mesh = session_.document().plan().variant().mesh;
  int count = static_cast<int>(mesh.axes.size());
  for (int i = 0; i < count; ++i)
    addRow(i, QString::fromStdString(mesh.axes[static_cast<std::size_t>(i)].name),
           mesh.axes[static_cast<std::size_t>(i)].size, count);
}

void MeshPanel::addRow(int row, const QString& name, qint64 size, int count) {
  std::string axis = name.toStdString();
  auto* label = new QLineEdit(name);
  label->setObjectName("axisName:" + name);
  label->setAccessibleName(tr("Name of axis %1").arg(name));
  auto* spin = new QSpinBox;
  spin->setObjectName("axisSize:" + name);
  spin->setAccessibleName(tr("Size of axis %1").arg(name));
  spin->setRange(1, 65536);
  spin->setValue(static_cast<int>(size));
  spin->setKeyboardTracking(false);
  QToolButton* up = rowButton("back", "axisUp:" + name, tr("Make %1 more major").arg(name));
  up->setEnabled(row > 0 && count > 1);
  QToolButton* remove = rowButton("remove", "axisRemove:" + name, tr("Remove axis %1").arg(name));
  connect(label, &QLineEdit::editingFinished, this, [this, label, axis] {
    std::string to = label->text().trimmed().toStdString();
    if (to == axis) return;
    if (!session_.apply(tr("Rename axis %1").arg(QString::fromStdString(axis)),
                        [axis, to](core::Plan plan) { return core::renameAxis(std::move(plan), axis, to); }))
      label->setText(QString::fromStdString(axis));
  });
  connect(spin, &QSpinBox::valueChanged, this, [this, axis](int value) {
    session_.apply(tr("Resize axis %1 to %2").arg(QString::fromStdString(axis)).arg(value),
                   [axis, value](core::Plan plan) { return core::resizeAxis(std::move(plan), axis, value); });
  });
  connect(up, &QToolButton::clicked, this, [this, axis, row] {
    session_.apply(tr("Move axis %1").arg(QString::fromStdString(axis)), [axis, row](core::Plan plan) {
      return core::moveAxis(std::move(plan), axis, static_cast<std::size_t>(row - 1));
    });
  });
  connect(remove, &QToolButton::clicked, this, [this, axis] {
    session_.apply(tr("Remove axis %1").arg(QString::fromStdString(axis)),
                   [axis](core::Plan plan) { return core::removeAxis(std::move(plan), axis); });
  });
  int column = 0;
  for (QWidget* widget : std::initializer_list<QWidget*>{label, spin, up, remove})
    rows_->addWidget(widget, row, column++);
  rows_->setColumnStretch(0, 1);
}

void MeshPanel::refreshGrid() {
  const core::Mesh& mesh = session_.document().plan().variant().mesh;
  RankGridData data;
  std::int64_t devices = std::min<std::int64_t>(mesh.devices(), largestGrid);
  data.cells.resize(static_cast<std::size_t>(devices));
  if (!mesh.axes.empty()) {
    data.columns = static_cast<int>(std::min<std::int64_t>(mesh.axes.back().size, 64));
    data.columnAxis = QString::fromStdString(mesh.axes.back().name);
    if (mesh.axes.size() > 1) data.rowAxis = QString::fromStdString(mesh.axes.front().name);
  }
  if (session_.analysis().machine && !session_.analysis().machine->levels.empty())
    data.hostSize = static_cast<int>(session_.analysis().machine->levels.front().devices);
  grid_->setData(data);
  showSlices();
}

void MeshPanel::showSlices() {
  if (!session_.isOpen()) return;
  RankGridData data = grid_->data();
  for (RankCell& cell : data.cells) cell.group = -1;
  QString note;
  const core::Analysis& analysis = session_.analysis();
  const Selection& selection = session_.selection();
  if (selection.kind == Selection::Kind::tensor && analysis.step && !session_.stale()) {
    auto tensor = analysis.step->findTensor(selection.first().toStdString());
    const core::Mesh& mesh = session_.document().plan().variant().mesh;
    if (tensor && tensor->index() < analysis.layouts.size() &&
        static_cast<std::int64_t>(data.cells.size()) == mesh.devices()) {
      std::vector<int> groups = sliceGroups(analysis.layouts.sharding(tensor->index()), mesh);
      for (std::size_t i = 0; i < groups.size(); ++i) data.cells[i].group = groups[i];
      note = tr("Devices with the same number hold the same slice of %1.").arg(selection.first());
    }
  }
  gridNote_->setText(note);
  gridNote_->setVisible(!note.isEmpty());
  if (data != grid_->data()) grid_->setData(data);
}

void MeshPanel::previewText() {
  effect_->show();
  try {
    core::Mesh mesh = core::Mesh::of(text_->text().toStdString());
    effect_->setText(tr("estimating …"));
    session_.preview({{meshKey, [mesh](core::Plan plan) { return core::setMesh(std::move(plan), mesh); }}});
  } catch (const core::Error& error) {
    effect_->setText(QString::fromStdString(error.text()));
  }
}

void MeshPanel::applyText() {
  std::string text = text_->text().toStdString();
  session_.apply(tr("Mesh %1").arg(text_->text()),
                 [text](core::Plan plan) { return core::setMesh(std::move(plan), core::Mesh::of(text)); });
}

void MeshPanel::applyMachine() {
  int known = machine_->findText(machine_->currentText());
  std::string name = (known >= 0 ? machine_->itemData(known).toString() : machine_->currentText()).toStdString();
  session_.apply(name.empty() ? tr("No machine") : tr("Machine %1").arg(QString::fromStdString(name)),
                 [name](core::Plan plan) { return core::setMachine(std::move(plan), name); });
}

}  // namespace ui
