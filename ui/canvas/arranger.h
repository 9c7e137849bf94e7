#pragma once

#include <QHash>
#include <QObject>
#include <memory>
#include <vector>

#include "ui/canvas/picture.h"
#include "ui/graph_layout/layout_service.h"

namespace ui {

// Turns a scene and what is unfolded into a picture: the innermost levels first, all of one depth in one request, what
// was laid out before from memory. Asynchronous; only the newest request is answered.
class Arranger : public QObject {
  Q_OBJECT

 public:
  explicit Arranger(QObject* parent = nullptr);

  void arrange(std::shared_ptr<const Scene> scene, const Expansion& expansion, int root, const QFont& font);
  void cancel();
  bool busy() const { return running_; }
  // Empty: our own layering, and `arranged` comes before arrange() returns.
  void setProgram(const QString& path);
  LayoutService& service() { return service_; }

 signals:
  void arranged(std::shared_ptr<const ui::Picture> picture);

 private:
  void next();
  void take(const std::vector<LevelLayout>& layouts);
  void finish();

  struct Known {
    LevelGraph graph;
    LevelLayout layout;
  };
  LayoutService service_;
  bool immediate_ = false;
  bool running_ = false;
  quint64 ticket_ = 0;
  std::shared_ptr<const Scene> scene_;
  Visible visible_;
  NodeSizes sizes_;
  std::vector<LevelLayout> layouts_;
  std::vector<std::size_t> wave_;  // levels asked for
  std::vector<LevelGraph> asked_;
  int depth_ = 0;
  QHash<QString, Known> known_;  // by path
};

}  // namespace ui
