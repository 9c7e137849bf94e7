#include "ui/document/recent_files.h"

#include <QFileInfo>
#include <QSettings>
#include <algorithm>

namespace ui {
namespace {

auto named(const QString& path) {
  return [path](const RecentFile& file) { return file.path == path; };
}

}  // namespace

RecentFiles::RecentFiles(QObject* parent) : QObject(parent) {
  QSettings settings;
  int count = settings.beginReadArray("recent");
  for (int i = 0; i < count; ++i) {
    settings.setArrayIndex(i);
    files_.push_back({settings.value("path").toString(), settings.value("pinned").toBool()});
  }
}

void RecentFiles::add(const QString& path) {
  QString absolute = QFileInfo(path).absoluteFilePath();
  auto found = std::find_if(files_.begin(), files_.end(), named(absolute));
  RecentFile file{absolute, found != files_.end() && found->pinned};
  if (found != files_.end()) files_.erase(found);
  files_.insert(files_.begin(), file);
  keep();
}

void RecentFiles::setPinned(const QString& path, bool pinned) {
  for (RecentFile& file : files_)
    if (file.path == path) file.pinned = pinned;
  keep();
}

void RecentFiles::remove(const QString& path) {
  std::erase_if(files_, named(path));
  keep();
}

void RecentFiles::keep() {
  std::stable_partition(files_.begin(), files_.end(), [](const RecentFile& file) { return file.pinned; });
  if (files_.size() > most) files_.resize(most);
  QSettings settings;
  settings.beginWriteArray("recent", static_cast<int>(files_.size()));
  for (std::size_t i = 0; i < files_.size(); ++i) {
    settings.setArrayIndex(static_cast<int>(i));
    settings.setValue("path", files_[i].path);
    settings.setValue("pinned", files_[i].pinned);
  }
  settings.endArray();
  emit changed();
}

}  // namespace ui
