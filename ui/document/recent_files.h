#pragma once

#include <QObject>
#include <QString>
#include <vector>

namespace ui {

struct RecentFile {
  QString path;
  bool pinned = false;
  bool operator==(const RecentFile&) const = default;
};

// The last files that were opened, pinned ones first, kept in the person's settings.
class RecentFiles : public QObject {
  Q_OBJECT

 public:
  static constexpr std::size_t most = 15;

  explicit RecentFiles(QObject* parent = nullptr);
  const std::vector<RecentFile>& files() const { return files_; }
  void add(const QString& path);
  void setPinned(const QString& path, bool pinned);
  void remove(const QString& path);

 signals:
  void changed();

 private:
  void keep();

  std::vector<RecentFile> files_;
};

}  // namespace ui
