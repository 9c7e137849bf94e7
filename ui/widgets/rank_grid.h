#pragma once

#include <QWidget>
#include <vector>

namespace ui {

enum class RankState { waiting, starting, running, done, failed, lost };
QString rankStateText(RankState state);

struct RankCell {
  RankState state = RankState::waiting;
  QString tip;     // host, step, last line
  int group = -1;  // ranks that hold the same slice have the same number; -1 = none shown
  bool operator==(const RankCell&) const = default;
};

// Ranks in the order of the mesh: the last axis runs along a row, the others down.
struct RankGridData {
  std::vector<RankCell> cells;
  int columns = 1;
  QString rowAxis;     // "data"
  QString columnAxis;  // "model"
  int hostSize = 0;    // so many ranks share a host, outlined; 0 = unknown
  bool operator==(const RankGridData&) const = default;
};

// One cell a rank: letter and colour of its state. Arrows move, Enter activates.
class RankGrid : public QWidget {
  Q_OBJECT

 public:
  explicit RankGrid(QWidget* parent = nullptr);
  void setData(RankGridData data);
  const RankGridData& data() const { return data_; }
  int selected() const { return selected_; }
  void setSelected(int rank);
  QRectF cellRect(int rank) const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {80, 48}; }

 signals:
  void selectedChanged(int rank);
  void rankHovered(int rank);  // -1 = none
  void rankActivated(int rank);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  int rankAt(QPointF at) const;
  double cellSize() const;
  void paintCell(QPainter& painter, int rank) const;

  RankGridData data_;
  int selected_ = -1;
  int hovered_ = -1;
};

}  // namespace ui
