#pragma once

#include <QWidget>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace ui {

// One kind of device: how many are alike, and what they hold by class in the order of core::MemoryClass.
struct MemoryBarRow {
  QString label;                         // "B now", "28×"
  std::array<std::int64_t, 6> bytes{};   // parameters, gradients, optimizer, activations, communication, inputs
  std::optional<std::int64_t> measured;  // peak of a run: a tick
  QString note;                          // under the bar: what is assumed
  std::int64_t total() const;
  bool operator==(const MemoryBarRow&) const = default;
};

struct MemoryBarData {
  std::vector<MemoryBarRow> rows;        // one scale for all
  std::optional<std::int64_t> capacity;  // of the machine: a line; beyond it red outline, hatch and words
  bool stale = false;                    // an estimate that is being renewed: dimmed
  bool operator==(const MemoryBarData&) const = default;
};

QString memoryClassName(int memoryClass);  // "Parameters"

// Stacked bars of memory by class. Up and Down choose a row, Left and Right a segment, Enter activates it.
class MemoryBar : public QWidget {
  Q_OBJECT

 public:
  explicit MemoryBar(QWidget* parent = nullptr);
  void setData(MemoryBarData data);
  const MemoryBarData& data() const { return data_; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

  // Where a segment is drawn; empty when it has no bytes.
  QRectF segmentRect(int row, int memoryClass) const;

 signals:
  void segmentActivated(int row, int memoryClass);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  QRectF barRect(int row) const;
  double scale() const;  // pixels a byte
  std::pair<int, int> segmentAt(QPointF at) const;
  void paintRow(QPainter& painter, int row) const;
  void paintOverLimit(QPainter& painter, int row) const;
  QFont boldFont() const;
  std::int64_t overBytes(int row) const;  // negative where there is room
  QString overText(int row) const;
  QRectF overTag(int row) const;  // "over by 6.3 GB" beneath the bar; empty where it fits
  void paintCapacity(QPainter& painter) const;
  void paintLegend(QPainter& painter) const;
  void choose(int row, int memoryClass);
  QString describe(int row, int memoryClass) const;

  MemoryBarData data_;
  int row_ = 0;
  int class_ = 0;
};

}  // namespace ui
