#include "ui/document/document.h"

#include <QDir>
#include <QFileInfo>
namespace ui {

Document::Document(PlanFormat format, QObject* parent) : QObject(parent), format_(std::move(format)) {}

QString Document::name() const {
  if (!isOpen()) return {};
  if (!path_.isEmpty()) return QFileInfo(path_).fileName();
  return plan().name.empty() ? tr("untitled") : QString::fromStdString(plan().name);
}

QString Document::folder() const {
  return path_.isEmpty() ? QDir::currentPath() : QFileInfo(path_).absolutePath();
}

int Document::stepsSinceSave() const {
  for (std::size_t i = 0; i < steps_.size(); ++i)
    if (steps_[i].plan == saved_) return std::abs(static_cast<int>(position_) - static_cast<int>(i));
  return static_cast<int>(position_) + 1;
}

void Document::begin(core::Plan plan, const QString& path, bool isSaved) {
  auto first = std::make_shared<const core::Plan>(std::move(plan));
  path_ = path.isEmpty() ? path : QFileInfo(path).absoluteFilePath();
  steps_ = {{tr("Open"), first}};
  position_ = 0;
  saved_ = isSaved ? first : nullptr;
  emit opened();
  emit changed();
}

void Document::open(const QString& path) {
  begin(format_.read(path.toStdString()), path, true);
}

void Document::show(core::Plan plan, const QString& path) {
  begin(std::move(plan), path, false);
}

void Document::saveAs(const QString& path) {
  format_.write(plan(), path.toStdString());
  path_ = QFileInfo(path).absoluteFilePath();
  saved_ = snapshot();
  emit saved();
}

void Document::close() {
  steps_.clear();
  position_ = 0;
  path_.clear();
  saved_.reset();
  emit opened();
}

bool Document::apply(const QString& name, const Edit& edit) {
  core::Plan next = edit(plan());
  if (next == plan()) return false;
  steps_.resize(position_ + 1);
  steps_.push_back({name, std::make_shared<const core::Plan>(std::move(next))});
  ++position_;
  emit changed();
  return true;
}

QStringList Document::history() const {
  QStringList names;
  for (const Step& step : steps_) names << step.name;
  return names;
}

void Document::goTo(int position) {
  if (position < 0 || position >= static_cast<int>(steps_.size()) || position == this->position()) return;
  position_ = static_cast<std::size_t>(position);
  emit changed();
}

}  // namespace ui
