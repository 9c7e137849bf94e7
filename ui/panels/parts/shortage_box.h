#pragma once

#include <QLabel>
#include <QWidget>

class QVBoxLayout;

namespace ui {

class Session;

// What takes most of the memory at the peak, where that is more than the machine has; a click selects its tensors.
// Hidden where it fits.
class ShortageCauses : public QLabel {
  Q_OBJECT

 public:
  explicit ShortageCauses(Session& session);

 private:
  void refresh();
  void selectCause(const QString& link);

  Session& session_;
};

// A button for each of the single changes that help most, with what it comes to. Hidden where nothing has to help.
class ShortageReliefs : public QWidget {
  Q_OBJECT

 public:
  explicit ShortageReliefs(Session& session);

 private:
  void refresh();

  Session& session_;
  QLabel* heading_;
  QVBoxLayout* offers_;
};

}  // namespace ui
