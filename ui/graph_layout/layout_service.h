#pragma once

#include <QObject>
#include <QString>
#include <optional>
#include <vector>

#include "ui/graph_layout/level.h"

class QProcess;
class QTimer;

namespace ui {

// Lays levels out through the child process `meshwright-layout`, with a deadline. Where the child is missing, slow,
// dies, or a level is too large for it, our own layering answers instead. Asynchronous; only the newest request is
// answered.
class LayoutService : public QObject {
  Q_OBJECT

 public:
  explicit LayoutService(QObject* parent = nullptr);
  ~LayoutService() override;

  static QString programBesideUs();  // meshwright-layout, or on PATH; empty when it is missing
  // That one, unless another is set; tests set others (a missing one, one that hangs). Empty = always our own
  // layering.
  void setProgram(const QString& path);
  void setDeadline(int milliseconds) { deadline_ = milliseconds; }
  static constexpr std::size_t largestForChild = 800;  // boxes of one level

  // Cancels what runs. `finished` follows, never from within this call, with this ticket.
  quint64 request(std::vector<LevelGraph> levels);
  void cancel();
  bool busy() const { return process_ != nullptr || working_; }

 signals:
  void finished(quint64 ticket, const std::vector<ui::LevelLayout>& layouts);

 private:
  void start();
  void readChild(bool good);
  void stopChild();
  void work(std::optional<QByteArray> reply);

  QString program_;
  int deadline_ = 2500;
  quint64 ticket_ = 0;
  std::vector<LevelGraph> levels_;
  QProcess* process_ = nullptr;
  QTimer* timer_ = nullptr;
  bool working_ = false;
};

// The same without waiting for a child: at once, by our own layering.
std::vector<LevelLayout> layOutNow(const std::vector<LevelGraph>& levels);

}  // namespace ui
