#pragma once

#include <QWidget>

class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;

namespace ui {

class RankGrid;
class Session;

// The mesh as text, as rows of axes and as a picture of its devices, and the machine that they are.
class MeshPanel : public QWidget {
  Q_OBJECT

 public:
  explicit MeshPanel(Session& session);

 private:
  QWidget* makePresets();
  void refresh();
  void refreshRows();
  void addRow(int row, const QString& name, qint64 size, int count);
  void refreshGrid();
  void showSlices();
  void previewText();
  void applyText();
  void applyMachine();

  Session& session_;
  QLineEdit* text_;
  QLabel* effect_;
  QWidget* rowsHost_;
  QGridLayout* rows_;
  QLabel* product_;
  RankGrid* grid_;
  QLabel* gridNote_;
  QComboBox* machine_;
};

}  // namespace ui
