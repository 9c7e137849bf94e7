#include "ui/models/outline_model.h"

#include "ui/widgets/number_text.h"

namespace ui {
namespace {

bool sameRows(const Scene& a, const Scene& b) {
  if (a.nodes.size() != b.nodes.size() || a.tensors.size() != b.tensors.size()) return false;
  for (std::size_t i = 0; i < a.nodes.size(); ++i)
    if (a.nodes[i].path != b.nodes[i].path || a.nodes[i].children != b.nodes[i].children ||
        a.nodes[i].rows != b.nodes[i].rows || a.nodes[i].title != b.nodes[i].title)
      return false;
  for (std::size_t i = 0; i < a.tensors.size(); ++i)
    if (a.tensors[i].name != b.tensors[i].name) return false;
  return true;
}

}  // namespace

OutlineModel::OutlineModel(QObject* parent) : QAbstractItemModel(parent), rows_(1) {}

bool OutlineModel::setScene(std::shared_ptr<const Scene> scene) {
  bool same = scene && scene_ && sameRows(*scene, *scene_);
  if (same) {
    scene_ = std::move(scene);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (int count = static_cast<int>(rows_[i].children.size())) {
        QModelIndex above = i == 0 ? QModelIndex() : createIndex(rows_[i].place, 0, quintptr(i));
        emit dataChanged(index(0, 0, above), index(count - 1, 1, above));
      }
    return false;
  }
  beginResetModel();
  scene_ = std::move(scene);
  rows_.assign(1, {});
  if (scene_ && !scene_->nodes.empty())
    for (int child : scene_->nodes[0].children) addNode(child, 0);
  endResetModel();
  return true;
}

int OutlineModel::add(Row row) {
  int id = static_cast<int>(rows_.size());
  std::vector<int>& siblings = rows_[static_cast<std::size_t>(row.parent)].children;
  row.place = static_cast<int>(siblings.size());
  siblings.push_back(id);
  rows_.push_back(std::move(row));
  return id;
}

int OutlineModel::addNode(int node, int parent) {
  int id = add({.parent = parent, .node = node});
  const SceneNode& one = scene_->nodes[static_cast<std::size_t>(node)];
  for (int tensor : one.rows) add({.parent = id, .node = node, .tensor = tensor});
  for (int child : one.children) addNode(child, id);
  return id;
}

QModelIndex OutlineModel::index(int row, int column, const QModelIndex& parent) const {
  const Row& above = parent.isValid() ? rowOf(parent) : rows_[0];
  if (row < 0 || row >= static_cast<int>(above.children.size())) return {};
  return createIndex(row, column, quintptr(above.children[static_cast<std::size_t>(row)]));
}

QModelIndex OutlineModel::parent(const QModelIndex& index) const {
  if (!index.isValid() || rowOf(index).parent <= 0) return {};
  int parent = rowOf(index).parent;
  return createIndex(rows_[static_cast<std::size_t>(parent)].place, 0, quintptr(parent));
}

int OutlineModel::rowCount(const QModelIndex& parent) const {
  if (parent.column() > 0) return 0;
  return static_cast<int>((parent.isValid() ? rowOf(parent) : rows_[0]).children.size());
}

QString OutlineModel::nameOf(const Row& row) const {
  if (row.tensor >= 0) return scene_->tensors[static_cast<std::size_t>(row.tensor)].name;
  return scene_->nodes[static_cast<std::size_t>(row.node)].path;
}

QString OutlineModel::titleOf(const Row& row) const {
  if (row.tensor >= 0) {
    const SceneTensor& tensor = scene_->tensors[static_cast<std::size_t>(row.tensor)];
    return tensor.name + QStringLiteral("  ") + shardingText(*scene_, tensor);
  }
  const SceneNode& node = scene_->nodes[static_cast<std::size_t>(row.node)];
  return node.multiplicity > 1 ? QStringLiteral("%1  ×%2").arg(node.title).arg(node.multiplicity) : node.title;
}

QString OutlineModel::figureOf(const Row& row) const {
  double bytes = row.tensor >= 0 ? double(scene_->tensors[static_cast<std::size_t>(row.tensor)].localBytes)
                                 : scene_->nodes[static_cast<std::size_t>(row.node)].figures.memory;
  return bytes > 0 ? bytesText(static_cast<std::int64_t>(bytes)) : QString();
}

QVariant OutlineModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || !scene_) return {};
  const Row& row = rowOf(index);
  switch (role) {
    case Qt::DisplayRole:
      return index.column() == 0 ? titleOf(row) : figureOf(row);
    case Qt::TextAlignmentRole:
      return index.column() == 0 ? int(Qt::AlignLeft | Qt::AlignVCenter) : int(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::ToolTipRole:
      return nameOf(row);
    default:
      return {};
  }
}

QVariant OutlineModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  return section == 0 ? tr("Name") : tr("Memory");
}

Selection OutlineModel::selectionAt(const QModelIndex& index) const {
  if (!index.isValid() || !scene_) return {};
  const Row& row = rowOf(index);
  if (row.tensor >= 0) return {Selection::Kind::tensor, {nameOf(row)}};
  return selectionOfNode(*scene_, scene_->nodes[static_cast<std::size_t>(row.node)].ref());
}

QModelIndex OutlineModel::find(Selection::Kind kind, const QString& name) const {
  for (std::size_t i = 1; i < rows_.size(); ++i) {
    QModelIndex at = createIndex(rows_[i].place, 0, quintptr(i));
    if (selectionAt(at).holds(kind, name)) return at;
  }
  return {};
}

Selection selectionOfNode(const Scene& scene, const SceneRef& ref) {
  if (ref.kind == SceneRef::Kind::tensor)
    return {Selection::Kind::tensor, {scene.tensors[static_cast<std::size_t>(ref.index)].name}};
  if (ref.kind == SceneRef::Kind::collective)
    return {Selection::Kind::instruction, {scene.pills[static_cast<std::size_t>(ref.index)].name}};
  std::optional<int> node = scene.nodeOf(ref);
  if (!node) return {};
  const SceneNode& one = scene.nodes[static_cast<std::size_t>(*node)];
  return {ref.kind == SceneRef::Kind::op ? Selection::Kind::op : Selection::Kind::scope, {one.path}};
}

SceneRef refOf(const Scene& scene, Selection::Kind kind, const QString& name) {
  if (kind == Selection::Kind::tensor) {
    for (std::size_t i = 0; i < scene.tensors.size(); ++i)
      if (scene.tensors[i].name == name) return {SceneRef::Kind::tensor, static_cast<int>(i)};
  } else if (kind == Selection::Kind::instruction) {
    for (std::size_t i = 0; i < scene.pills.size(); ++i)
      if (scene.pills[i].name == name) return {SceneRef::Kind::collective, static_cast<int>(i)};
  } else if (kind == Selection::Kind::op || kind == Selection::Kind::scope) {
    for (const SceneNode& node : scene.nodes)
      if (node.path == name && (node.ref().kind == SceneRef::Kind::op) == (kind == Selection::Kind::op))
        return node.ref();
  }
  return {};
}

QString shardingText(const Scene& scene, const SceneTensor& tensor) {
  QStringList parts;
  for (const SceneDim& dim : tensor.dims) {
    QStringList axes;
    for (core::AxisId axis : dim.axes) axes << scene.axes.value(axis);
    parts << (axes.isEmpty() ? dim.name : QStringLiteral("%1:%2").arg(dim.name, axes.join('+')));
  }
  return QStringLiteral("[%1]").arg(parts.join(QStringLiteral(", ")));
}

}  // namespace ui
