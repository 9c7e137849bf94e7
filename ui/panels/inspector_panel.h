#pragma once

#include <QWidget>
#include <vector>

#include "core/plan/analyze.h"
#include "ui/models/layout_edits.h"

class QCheckBox;
class QLabel;

namespace ui {

class AxisChip;
class DimensionChip;
class FlowLayout;
class Session;

// What is selected, in full: a tensor's dimensions as chips that axes can be dropped on (a pin), what a device holds of
// it, the collectives that move it and why it is split as it is; an operator's inputs, outputs and cost; a dimension's
// carriers.
class InspectorPanel : public QWidget {
  Q_OBJECT

 public:
  explicit InspectorPanel(Session& session);

 private:
  void refresh();
  void rebuild();
  void showTensor(const QString& name);
  void showOperator(const QString& name);
  void showDimension(const QString& name);
  void showAxis(const QString& name);
  void showInstruction(const QString& name);
  void showScope(const QString& name);
  void showModel();
  void showText(const QString& title, const QString& facts, const QString& why = {});

  void showChips(core::TensorId tensor);
  void clearChips();
  void refreshTargets();
  void addAxisChips(const core::Mesh& mesh);
  void connectDimension(DimensionChip* chip, const QString& dimension);
  void chooseAxis(DimensionChip* chip, const QString& dimension);
  core::Pin pin() const;  // from which edits of the shown tensor begin
  NamedEdit split(const QString& dimension, const QString& axis) const { return splitTensor(pin(), dimension, axis); }
  QString refusal(const NamedEdit& edit) const;
  void follow(const QString& link);

  Session& session_;
  QLabel* title_;
  QLabel* facts_;
  QLabel* why_;
  QLabel* pinNote_;
  QWidget* chipsHost_;
  QWidget* axesHost_;
  QWidget* dimensionsHost_;
  FlowLayout* axes_;
  FlowLayout* dimensions_;
  QCheckBox* onlyHere_;
  QString tensor_;  // shown; empty = another kind of thing
  std::vector<DimensionChip*> dimensionChips_;
  std::vector<AxisChip*> axisChips_;
};

}  // namespace ui
