#pragma once

#include <QFrame>

#include "ui/models/figures.h"

class QLabel;

namespace ui {

class Session;

// The box near the pointer while a drop hovers: what it would do to memory, communication and time, or why it may not
// be.
class EffectBox : public QFrame {
  Q_OBJECT

 public:
  explicit EffectBox(Session& session, QWidget* parent = nullptr);
  QString text() const;  // as it would be read aloud

 private:
  void begin(const QString& title, const QPoint& at);
  void show(const Effect& effect);
  void moveNear(const QPoint& at);

  QLabel* title_;
  QLabel* body_;
  QPoint at_;
};

QString effectTable(const Effect& effect);  // rich text, one row a figure that changes

}  // namespace ui
