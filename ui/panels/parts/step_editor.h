#pragma once

#include <QWidget>

#include "core/plan/plan.h"

class QComboBox;
class QDoubleSpinBox;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace ui {

class Session;

// What a step does and is fed: each change is one undo entry.
class StepEditor : public QWidget {
  Q_OBJECT

 public:
  explicit StepEditor(Session& session, QWidget* parent = nullptr);

 private:
  void refresh();
  void applyStep();
  void applyData();
  void browse();
  core::Step step() const;
  core::Data data() const;

  Session& session_;
  bool filling_ = false;
  QComboBox* mode_;
  QComboBox* loss_;
  QComboBox* optimizer_;
  QDoubleSpinBox* rate_;
  QComboBox* precision_;
  QSpinBox* microbatches_;
  QSpinBox* seed_;
  QComboBox* data_;
  QLineEdit* path_;
  QPushButton* browse_;
};

}  // namespace ui
