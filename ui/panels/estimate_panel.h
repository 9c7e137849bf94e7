#pragma once

#include <QWidget>

class QLabel;
class QTreeWidget;

namespace ui {

class MemoryBar;
class Session;

// What the current layout costs a device: memory by class for each kind of device against the machine's, communication
// per axis and collective, seconds of a step, padding. Old values stay, dimmed, until new ones are there.
class EstimatePanel : public QWidget {
  Q_OBJECT

 public:
  explicit EstimatePanel(Session& session);

 private:
  QWidget* makeMemory();
  QWidget* makeTraffic();
  void refresh();
  void refreshStale();
  void refreshMemory();
  void refreshTraffic();
  void refreshSummary();
  void selectLargest(int row, int memoryClass);

  Session& session_;
  QLabel* source_;
  QLabel* assumptions_;
  QLabel* summary_;
  MemoryBar* bar_;
  QTreeWidget* traffic_;
};

}  // namespace ui
