#include "ui/graph_layout/layout_service.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QFutureWatcher>
#include <QProcess>
#include <QStandardPaths>
#include <QTimer>
#include <QtConcurrentRun>

#include "ui/graph_layout/dot_text.h"
#include "ui/graph_layout/layered.h"
#include "ui/graph_layout/route.h"

namespace ui {

namespace {

bool forChild(const LevelGraph& level) {
  return level.boxes.size() > 1 && level.boxes.size() <= LayoutService::largestForChild;
}

std::vector<LevelGraph> childLevels(const std::vector<LevelGraph>& levels) {
  std::vector<LevelGraph> some;
  for (const LevelGraph& level : levels)
    if (forChild(level)) some.push_back(level);
  return some;
}

LevelLayout ownLayout(const LevelGraph& level) {
  LevelLayout layout = route(level, layered(level));
  layout.fallback = true;
  return layout;
}

// Positions from the child where it gave them, else ours; routes are always ours.
std::vector<LevelLayout> finish(const std::vector<LevelGraph>& levels, const std::optional<QByteArray>& reply) {
  std::optional<std::vector<LevelPlacement>> placed;
  if (reply) placed = readReply(*reply, childLevels(levels));
  std::vector<LevelLayout> layouts;
  std::size_t next = 0;
  for (const LevelGraph& level : levels) {
    if (placed && forChild(level))
      layouts.push_back(route(level, (*placed)[next++]));
    else
      layouts.push_back(ownLayout(level));
    if (level.boxes.size() <= 1) layouts.back().fallback = false;  // nothing to choose
  }
  return layouts;
}

}  // namespace

std::vector<LevelLayout> layOutNow(const std::vector<LevelGraph>& levels) {
  return finish(levels, {});
}

QString LayoutService::programBesideUs() {
  QString own = QCoreApplication::applicationDirPath();
  QString beside = QStandardPaths::findExecutable(QStringLiteral("meshwright-layout"), {own});
  return beside.isEmpty() ? QStandardPaths::findExecutable(QStringLiteral("meshwright-layout")) : beside;
}

LayoutService::LayoutService(QObject* parent) : QObject(parent), program_(programBesideUs()), timer_(new QTimer(this)) {
  timer_->setSingleShot(true);
  connect(timer_, &QTimer::timeout, this, [this] { readChild(false); });
}

LayoutService::~LayoutService() {
  stopChild();
}

void LayoutService::setProgram(const QString& path) {
  program_ = path;
}

quint64 LayoutService::request(std::vector<LevelGraph> levels) {
  cancel();
  levels_ = std::move(levels);
  start();
  return ticket_;
}

void LayoutService::cancel() {
  ++ticket_;  // what still works answers an older ticket and is dropped
  stopChild();
  working_ = false;
}

void LayoutService::stopChild() {
  timer_->stop();
  if (!process_) return;
  process_->disconnect(this);
  connect(process_, &QProcess::finished, process_, &QObject::deleteLater);
  process_->kill();
  if (process_->state() == QProcess::NotRunning) process_->deleteLater();
  process_ = nullptr;
}

void LayoutService::start() {
  std::vector<LevelGraph> forTheChild = childLevels(levels_);
  if (program_.isEmpty() || forTheChild.empty()) return work({});
  QByteArray text;
  for (const LevelGraph& level : forTheChild) text += dotText(level);
  process_ = new QProcess(QCoreApplication::instance());  // outlives us until it is dead
  connect(process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) readChild(false);
  });
  connect(process_, &QProcess::finished, this,
          [this](int code, QProcess::ExitStatus status) { readChild(status == QProcess::NormalExit && code == 0); });
  timer_->start(deadline_);
  process_->start(program_, {QStringLiteral("-T"), QStringLiteral("json")});
  process_->write(text);
  process_->closeWriteChannel();
}

void LayoutService::readChild(bool good) {
  if (!process_) return;
  std::optional<QByteArray> reply;
  if (good) reply = process_->readAllStandardOutput();
  stopChild();
  work(std::move(reply));
}

void LayoutService::work(std::optional<QByteArray> reply) {
  working_ = true;
  auto* watcher = new QFutureWatcher<std::vector<LevelLayout>>(this);
  connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, ticket = ticket_] {
    watcher->deleteLater();
    if (ticket != ticket_) return;
    working_ = false;
    emit finished(ticket, watcher->result());
  });
  watcher->setFuture(QtConcurrent::run([levels = levels_, reply = std::move(reply)] { return finish(levels, reply); }));
}

}  // namespace ui
