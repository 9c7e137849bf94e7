#pragma once

#include <QPointF>
#include <QWidget>
#include <vector>

namespace ui {

struct CurveSeries {
  QString name;
  std::vector<QPointF> points;  // x ascending
  bool dashed = false;          // predicted, or another run
  int tone = 0;                 // 0 = accent, then the theme's axis hues
};

struct CurveData {
  std::vector<CurveSeries> series;
  QString xLabel;  // "step"
  QString yLabel;  // "loss"
  bool logarithmic = false;
};

// Lines over a common x: a loss curve. Hover reads values; Left and Right move the reading by a point.
class Curve : public QWidget {
  Q_OBJECT

 public:
  explicit Curve(QWidget* parent = nullptr);
  void setData(CurveData data);
  void append(std::size_t series, QPointF point);  // a live run
  const CurveData& data() const { return data_; }
  QSize sizeHint() const override { return {420, 220}; }
  QSize minimumSizeHint() const override { return {200, 120}; }

 signals:
  void pointHovered(double x);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  struct Range {
    double low = 0, high = 1;
  };
  QRectF plotRect() const;
  Range xRange() const;
  Range yRange() const;
  double yValue(double y) const;  // after the logarithm
  QPointF toScreen(QPointF point, const QRectF& plot, Range x, Range y) const;
  void paintAxes(QPainter& painter, const QRectF& plot, Range x, Range y) const;
  void paintSeries(QPainter& painter, const CurveSeries& series, const QRectF& plot, Range x, Range y) const;
  void paintReading(QPainter& painter, const QRectF& plot, Range x, Range y) const;
  void read(int point);

  CurveData data_;
  int reading_ = -1;  // point of the longest series
};

}  // namespace ui
