#pragma once

#include <QHash>
#include <QWidget>

#include "ui/models/layout_edits.h"

class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace ui {

class AxisChip;
class Chip;
class DimensionChip;
class FlowLayout;
class Session;

// Every dimension of the model beside the axes of the mesh. A dimension dropped on an axis, or an axis on a dimension,
// is a rule for the whole graph; Enter on either lists what it could go on, with the effect of each.
class LayoutPanel : public QWidget {
  Q_OBJECT

 public:
  explicit LayoutPanel(Session& session);

 private:
  QWidget* makePresets();
  void refresh();
  void refreshAxes();
  void refreshDimensions();
  void refreshTargets();
  void refreshFilter();
  AxisChip* axisChip(const QString& name);
  DimensionChip* dimensionChip(const QString& name);
  void connectChip(Chip* chip, const QString& name, bool isAxis);
  void applySplit(const QString& dimension, const QString& axis);
  void removeFromAxis(const QString& axis);
  void chooseAxis(const QString& dimension);
  void chooseDimension(const QString& axis);
  QString refusal(const NamedEdit& edit) const;
  bool eventFilter(QObject* watched, QEvent* event) override;

  Session& session_;
  QVBoxLayout* axes_;
  FlowLayout* dimensions_;
  QWidget* axesHost_;
  QWidget* dimensionsHost_;
  QLineEdit* filter_;
  QLabel* hint_;
  QHash<QString, AxisChip*> axisChips_;
  QHash<QString, DimensionChip*> dimensionChips_;
};

}  // namespace ui
