#pragma once

#include <QDialog>

#include "core/plan/plan.h"

class QSpinBox;

namespace ui {

// Asks for the sizes of a GPT that is built from layers.
class NewModelDialog : public QDialog {
  Q_OBJECT

 public:
  explicit NewModelDialog(QWidget* parent);
  core::Plan plan() const;  // core::Error when the sizes do not fit each other

 private:
  QSpinBox* spin(const QString& objectName, const QString& label, int low, int high, int value);

  QSpinBox* layers_;
  QSpinBox* width_;
  QSpinBox* heads_;
  QSpinBox* ffn_;
  QSpinBox* vocab_;
  QSpinBox* sequence_;
  QSpinBox* batch_;
};

}  // namespace ui
