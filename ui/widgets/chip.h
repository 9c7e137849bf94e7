#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

class QMimeData;

namespace ui {

// How a decision came about; drawn apart always: pinned solid with a pin, rule solid, inferred outline, search outline
// with a spark.
enum class ChipSource { none, inferred, rule, pinned, search };

struct AxisTag {
  QString name;
  int index = 0;  // in the mesh: hue, letter and hatch
  qint64 size = 1;
  bool operator==(const AxisTag&) const = default;
};

struct DimensionChipData {
  QString name;               // "heads"
  qint64 size = 0;            // 0 = "?"
  int tensors = 0;            // how many carry it; 0 = not said
  std::vector<AxisTag> axes;  // major first
  ChipSource source = ChipSource::none;
  qint64 padding = 0;  // "+2"
  QString refusal;     // why a drop would be illegal now; empty = legal
  bool operator==(const DimensionChipData&) const = default;
};

struct AxisChipData {
  AxisTag axis;
  QStringList dimensions;  // split over it now
  QString refusal;
  bool operator==(const AxisChipData&) const = default;
};

inline constexpr int chipHeight = 30;

// What a drag carries.
inline constexpr const char* dimensionMime = "application/x-meshwright-dimension";
inline constexpr const char* axisMime = "application/x-meshwright-axis";
QMimeData* dimensionMimeData(const QString& name);
QMimeData* axisMimeData(const QString& name);
QString droppedDimension(const QMimeData* data);  // empty = none
QString droppedAxis(const QMimeData* data);

// Common to both chips: a focusable tile that can be dragged and that a chip of the other kind can be dropped on.
// While such a drag hovers, `previewed` asks for the effect (the window shows a box); `previewEnded` withdraws it.
class Chip : public QWidget {
  Q_OBJECT

 public:
  explicit Chip(QWidget* parent = nullptr);
  QSize minimumSizeHint() const override { return sizeHint(); }
  // Lit while a chip of the other kind is in the air anywhere in the window.
  void setTargetLit(bool lit);

 signals:
  void dropped(const QString& name);  // of the dimension or axis that was dropped here
  void previewed(const QString& name, const QPoint& globalPosition);
  void previewEnded();
  void dragStarted(const QString& name);
  void dragEnded();
  void activated();                           // Enter: list what it could be dropped on
  void removeRequested(const QString& axis);  // Del; empty = all of its axes
  void pinRequested();                        // P

 protected:
  virtual QString dragName() const = 0;
  virtual QMimeData* dragData() const = 0;
  virtual QString droppedName(const QMimeData* data) const = 0;
  virtual QString refusal() const = 0;
  virtual void paintChip(QPainter& painter) const = 0;

  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragMoveEvent(QDragMoveEvent* event) override;
  void dragLeaveEvent(QDragLeaveEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void enterEvent(QEnterEvent* event) override;
  void leaveEvent(QEvent* event) override;

  bool hovered_ = false;
  bool targeted_ = false;  // a drag is over it
  bool lit_ = false;

 private:
  void startDrag();
  QPoint pressedAt_;
};

// `batch 8 [d×2]`
class DimensionChip : public Chip {
  Q_OBJECT

 public:
  explicit DimensionChip(QWidget* parent = nullptr);
  void setData(DimensionChipData data, const QStringList& meshAxes);
  const DimensionChipData& data() const { return data_; }
  QSize sizeHint() const override;

 protected:
  QString dragName() const override { return data_.name; }
  QMimeData* dragData() const override { return dimensionMimeData(data_.name); }
  QString droppedName(const QMimeData* data) const override { return droppedAxis(data); }
  QString refusal() const override { return data_.refusal; }
  void paintChip(QPainter& painter) const override;

 private:
  DimensionChipData data_;
  QStringList meshAxes_;
};

// `data 2`, with the dimensions that it splits
class AxisChip : public Chip {
  Q_OBJECT

 public:
  explicit AxisChip(QWidget* parent = nullptr);
  void setData(AxisChipData data, const QStringList& meshAxes);
  const AxisChipData& data() const { return data_; }
  QSize sizeHint() const override;

 protected:
  QString dragName() const override { return data_.axis.name; }
  QMimeData* dragData() const override { return axisMimeData(data_.axis.name); }
  QString droppedName(const QMimeData* data) const override { return droppedDimension(data); }
  QString refusal() const override { return data_.refusal; }
  void paintChip(QPainter& painter) const override;

 private:
  AxisChipData data_;
  QStringList meshAxes_;
};

}  // namespace ui
