#include "ui/canvas/arranger.h"

namespace ui {

Arranger::Arranger(QObject* parent) : QObject(parent) {
  connect(&service_, &LayoutService::finished, this, [this](quint64 ticket, const std::vector<LevelLayout>& layouts) {
    if (running_ && ticket == ticket_) take(layouts);
  });
}

void Arranger::setProgram(const QString& path) {
  service_.setProgram(path);
  immediate_ = path.isEmpty();
  known_.clear();
}

void Arranger::arrange(std::shared_ptr<const Scene> scene, const Expansion& expansion, int root, const QFont& font) {
  service_.cancel();
  scene_ = std::move(scene);
  sizes_ = NodeSizes(font);
  visible_ = visibleOf(*scene_, expansion, root);
  layouts_.assign(visible_.levels.size(), {});
  depth_ = 0;
  for (const VisibleLevel& level : visible_.levels) depth_ = std::max(depth_, level.depth);
  running_ = true;
  next();
}

void Arranger::cancel() {
  service_.cancel();
  running_ = false;
}

// Levels of the present depth that are not known yet; with none of them, the next depth outward.
void Arranger::next() {
  for (; depth_ >= 0; --depth_) {
    wave_.clear();
    asked_.clear();
    for (std::size_t l = 0; l < visible_.levels.size(); ++l) {
      if (visible_.levels[l].depth != depth_) continue;
      LevelGraph graph = levelGraphOf(*scene_, visible_, l, sizes_, layouts_);
      const QString& path = scene_->nodes[static_cast<std::size_t>(visible_.levels[l].container)].path;
      if (auto known = known_.constFind(path); known != known_.constEnd() && known->graph == graph) {
        layouts_[l] = known->layout;
        continue;
      }
      wave_.push_back(l);
      asked_.push_back(std::move(graph));
    }
    if (wave_.empty()) continue;
    if (immediate_) {
      take(layOutNow(asked_));
      return;
    }
    ticket_ = service_.request(asked_);
    return;
  }
  finish();
}

void Arranger::take(const std::vector<LevelLayout>& layouts) {
  for (std::size_t i = 0; i < wave_.size(); ++i) {
    layouts_[wave_[i]] = layouts[i];
    const QString& path = scene_->nodes[static_cast<std::size_t>(visible_.levels[wave_[i]].container)].path;
    known_.insert(path, {asked_[i], layouts[i]});
  }
  --depth_;
  next();
}

void Arranger::finish() {
  running_ = false;
  emit arranged(std::make_shared<Picture>(compose(*scene_, visible_, sizes_, layouts_)));
}

}  // namespace ui
