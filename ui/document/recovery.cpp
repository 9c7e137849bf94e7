#include "ui/document/recovery.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
#include <QStandardPaths>
#include <QUuid>
#include <algorithm>

namespace ui {
namespace {

constexpr int quietMilliseconds = 150;  // a burst of edits is one write
constexpr const char* formatName = "meshwright.recovery/1";

QString lockOf(const QString& file) {
  return file.chopped(QStringLiteral(".recovery").size()) + ".lock";
}

QByteArray header(const Document& document) {
  QJsonObject object{{"format", formatName},
                     {"path", document.path()},
                     {"name", document.name()},
                     {"steps", document.stepsSinceSave()},
                     {"time", QDateTime::currentDateTime().toString(Qt::ISODate)}};
  return QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n';
}

std::optional<Recoverable> readHeader(const QString& file) {
  QFile in(file);
  if (!in.open(QIODevice::ReadOnly)) return {};
  QJsonObject object = QJsonDocument::fromJson(in.readLine()).object();
  if (object["format"] != formatName || in.atEnd()) return {};
  return Recoverable{file, object["path"].toString(), object["name"].toString(), object["steps"].toInt(),
                     QDateTime::fromString(object["time"].toString(), Qt::ISODate)};
}

}  // namespace

QString Recovery::defaultFolder() {
  return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) + "/recovery";
}

Recovery::Recovery(Document& document, const QString& folder, QObject* parent)
    : QObject(parent), document_(document), folder_(folder) {
  writer_.setMaxThreadCount(1);
  delay_.setSingleShot(true);
  delay_.setInterval(quietMilliseconds);
  connect(&delay_, &QTimer::timeout, this, &Recovery::write);
  connect(&document_, &Document::opened, this, &Recovery::forget);
  connect(&document_, &Document::changed, this, &Recovery::note);
  connect(&document_, &Document::saved, this, &Recovery::forget);
}

Recovery::~Recovery() {
  delay_.stop();
  writer_.waitForDone();
  forget();
}

void Recovery::note() {
  if (document_.isDirty())
    delay_.start();
  else
    forget();
}

void Recovery::write() {
  if (!document_.isOpen()) return;
  if (file_.isEmpty()) {
    QDir().mkpath(folder_);
    file_ = folder_ + "/" + QUuid::createUuid().toString(QUuid::WithoutBraces) + ".recovery";
    lock_ = std::make_unique<QLockFile>(lockOf(file_));
    lock_->setStaleLockTime(0);
    lock_->tryLock();
  }
  // The plan is printed by the writer: a large one takes longer than a frame.
  writer_.start(
      [file = file_, head = header(document_), plan = document_.snapshot(), print = document_.format().print] {
        QSaveFile out(file);
        if (!out.open(QIODevice::WriteOnly)) return;  // a full disk must not stop the work; saving will say so
        out.write(head);
        out.write(QByteArray::fromStdString(print(*plan)));
        out.commit();
      });
}

void Recovery::flush() {
  if (delay_.isActive()) {
    delay_.stop();
    write();
  }
  writer_.waitForDone();
}

void Recovery::forget() {
  delay_.stop();
  writer_.waitForDone();
  if (!file_.isEmpty()) QFile::remove(file_);
  file_.clear();
  lock_.reset();
}

std::vector<Recoverable> Recovery::find(const QString& folder) {
  std::vector<Recoverable> found;
  for (const QFileInfo& info : QDir(folder).entryInfoList({"*.recovery"}, QDir::Files)) {
    QLockFile lock(lockOf(info.filePath()));
    lock.setStaleLockTime(0);
    if (!lock.tryLock()) continue;  // its process lives
    if (auto one = readHeader(info.filePath())) found.push_back(*one);
  }
  std::sort(found.begin(), found.end(), [](const Recoverable& a, const Recoverable& b) { return a.time > b.time; });
  return found;
}

core::Plan Recovery::read(const Recoverable& found, const PlanFormat& format) {
  QFile in(found.file);
  if (!in.open(QIODevice::ReadOnly))
    throw core::Error{
        .what = "cannot be read", .where = found.file.toStdString(), .right = in.errorString().toStdString()};
  in.readLine();
  return format.parse(in.readAll().toStdString(), found.file.toStdString());
}

void Recovery::discard(const Recoverable& found) {
  QFile::remove(found.file);
  QFile::remove(lockOf(found.file));
}

}  // namespace ui
