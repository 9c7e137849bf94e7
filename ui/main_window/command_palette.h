#pragma once

#include <QFrame>
#include <functional>
#include <vector>

class QLineEdit;
class QListView;
class QStandardItemModel;

namespace ui {

struct PaletteItem {
  QString title;   // what is matched first
  QString detail;  // "File", "tensor": shown dimmed, matched too
  QString keys;
  std::function<void()> run;
};

// Type a few letters of anything, in order: the best match is on top. Enter runs it, Esc leaves.
class CommandPalette : public QFrame {
  Q_OBJECT

 public:
  explicit CommandPalette(QWidget* window);
  void open(const QString& placeholder, std::vector<PaletteItem> items);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void filter(const QString& text);
  void runCurrent();

  QLineEdit* input_;
  QListView* list_;
  QStandardItemModel* model_;
  std::vector<PaletteItem> items_;
};

}  // namespace ui
