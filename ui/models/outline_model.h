#pragma once

#include <QAbstractItemModel>
#include <memory>
#include <vector>

#include "ui/canvas/scene.h"
#include "ui/session/selection.h"

namespace ui {

// The scene's tree as rows: groups and stacks, operators, and below these their tensors.
class OutlineModel : public QAbstractItemModel {
  Q_OBJECT

 public:
  explicit OutlineModel(QObject* parent = nullptr);

  // True when the rows are others; else only their figures changed and what is expanded stays.
  bool setScene(std::shared_ptr<const Scene> scene);

  Selection selectionAt(const QModelIndex& index) const;
  QModelIndex find(Selection::Kind kind, const QString& name) const;

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& index) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex&) const override { return 2; }
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  struct Row {
    int parent = -1;
    int place = 0;    // among its parent's children
    int node = -1;    // of the scene
    int tensor = -1;  // of the scene; -1 = the row is the node itself
    std::vector<int> children;
  };
  int addNode(int node, int parent);
  int add(Row row);
  const Row& rowOf(const QModelIndex& index) const { return rows_[static_cast<std::size_t>(index.internalId())]; }
  QString nameOf(const Row& row) const;
  QString titleOf(const Row& row) const;
  QString figureOf(const Row& row) const;

  std::shared_ptr<const Scene> scene_;
  std::vector<Row> rows_;  // [0] is the root, which is not shown
};

// What a node of the scene is called outside it.
Selection selectionOfNode(const Scene& scene, const SceneRef& ref);
// The scene's thing of a selected name; none when it has no such.
SceneRef refOf(const Scene& scene, Selection::Kind kind, const QString& name);
// "[batch:data, d_model]" of a tensor as it is split.
QString shardingText(const Scene& scene, const SceneTensor& tensor);

}  // namespace ui
