#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace ui {

class Curve;
class RankGrid;
class Session;

// Settings of a run, Start and Stop, the ranks and the loss as they come, and afterwards predicted beside measured.
// A run that goes on and one that is over look the same: both are read from their folder.
class RunPanel : public QWidget {
  Q_OBJECT

 public:
  explicit RunPanel(Session& session);

 private:
  QWidget* makeSettings();
  QWidget* makeButtons();
  void refresh();
  void refreshState();
  void refreshRanks();
  void refreshLoss();
  void refreshOutcome();
  void start();
  void openRun();

  Session& session_;
  QSpinBox* steps_;
  QSpinBox* checkpoints_;
  QLineEdit* from_;
  QPushButton* start_;
  QPushButton* stop_;
  QPushButton* open_;
  QLabel* state_;
  QLabel* outcome_;
  RankGrid* ranks_;
  Curve* loss_;
};

}  // namespace ui
