#pragma once

#include <QFrame>
#include <vector>

#include "ui/models/layout_edits.h"

class QLabel;
class QListWidget;

namespace ui {

class Session;

// One edit that can be chosen, or why it cannot.
struct EditChoice {
  QString label;    // "model 2"
  QString refusal;  // empty = legal
  NamedEdit edit;
};

// The keyboard's way to the main gesture: a list of edits with the effect of each. Up, Down, Enter or a digit choose,
// Esc leaves.
class EditChooser : public QFrame {
  Q_OBJECT

 public:
  EditChooser(Session& session, const QString& title, std::vector<EditChoice> choices, QWidget* parent);

  void popup(const QPoint& globalPosition);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void choose(int row);
  void setEffect(int row, const QString& text, bool legal);

  Session& session_;
  std::vector<EditChoice> choices_;
  QListWidget* list_;
};

}  // namespace ui
