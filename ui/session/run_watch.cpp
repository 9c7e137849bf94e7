#include "ui/session/run_watch.h"

#include <QFile>
#include <QFileInfo>

#include "core/io/plan_file.h"

namespace ui {
namespace {

constexpr int pollMilliseconds = 200;
constexpr double patienceSeconds = 60;  // for a run folder to appear
constexpr qint64 logKept = 512 * 1024;

QString textOf(const QString& file) {
  QFile in(file);
  return in.open(QIODevice::ReadOnly) ? QString::fromUtf8(in.read(16 * 1024)).trimmed() : QString();
}

RunWatch::State stateOf(core::RunState state) {
  switch (state) {
    case core::RunState::running: return RunWatch::State::running;
    case core::RunState::done: return RunWatch::State::done;
    case core::RunState::stopped: return RunWatch::State::stopped;
    case core::RunState::failed: return RunWatch::State::failed;
  }
  return RunWatch::State::none;
}

QString describe(const core::FinishedEvent& finished) {
  if (finished.state != core::RunState::failed) return {};
  QStringList parts;
  if (finished.rank) parts << RunWatch::tr("rank %1").arg(*finished.rank);
  if (finished.step) parts << RunWatch::tr("step %1").arg(*finished.step);
  if (!finished.instruction.empty()) parts << QString::fromStdString(finished.instruction);
  QString where = parts.join(QStringLiteral(", ")), what = QString::fromStdString(finished.message);
  return where.isEmpty() ? what : QStringLiteral("%1: %2").arg(where, what);
}

}  // namespace

RunWatch::RunWatch(QObject* parent) : QObject(parent) {
  timer_.setInterval(pollMilliseconds);
  connect(&timer_, &QTimer::timeout, this, &RunWatch::poll);
}

void RunWatch::open(const QString& folder, const QString& errors) {
  close();
  folder_ = {folder.toStdString()};
  errors_ = errors;
  events_ = std::make_unique<core::EventReader>(folder_.events());
  openedAt_ = core::secondsNow();
  state_ = State::preparing;
  emit opened();
  emit stateChanged();
  poll();
  if (live()) timer_.start();
}

void RunWatch::close() {
  timer_.stop();
  folder_ = {};
  events_.reset();
  traces_.clear();
  info_.reset();
  started_.reset();
  finished_.reset();
  plan_.reset();
  steps_.clear();
  trace_ = {};
  problem_.clear();
  log_.clear();
  logRead_ = 0;
  state_ = State::none;
  emit opened();
}

std::int64_t RunWatch::ranks() const {
  if (started_) return started_->ranks;
  return info_ ? info_->ranks : 0;
}

void RunWatch::requestStop() {
  if (live() && core::isRunFolder(folder_.path)) core::requestStop(folder_);
}

void RunWatch::poll() {
  if (!isOpen()) return;
  try {
    readInfo();
    readEvents();
    readTrace();
  } catch (const core::Error& error) {
    fail(QString::fromStdString(error.text()));
  }
  readLog();
  if (!live()) timer_.stop();
}

void RunWatch::readInfo() {
  if (!core::isRunFolder(folder_.path)) {
    QString said = textOf(errors_);
    if (!said.isEmpty() && said.contains(QStringLiteral(": "))) return fail(said);
    if (core::secondsNow() - openedAt_ > patienceSeconds) fail(tr("the run folder did not appear: is meshwright-cli installed beside this program?"));
    return;
  }
  info_ = core::readRunInfo(folder_);
  if (!plan_ && QFileInfo::exists(QString::fromStdString(folder_.plan()))) plan_ = core::readPlan(folder_.plan());
  if (core::isOrphaned(*info_, core::secondsNow())) {
    problem_ = tr("nobody has looked after this run for ten seconds; what it wrote is shown");
    setState(State::lost);
  } else if (!finished_) {
    setState(stateOf(info_->state));
  }
}

void RunWatch::readEvents() {
  std::vector<core::Event> found = events_->poll();
  std::size_t before = steps_.size();
  for (const core::Event& event : found) take(event);
  if (steps_.size() != before) emit stepsChanged();
}

void RunWatch::take(const core::Event& event) {
  if (const auto* started = std::get_if<core::StartedEvent>(&event)) {
    started_ = *started;
    emit stateChanged();
  } else if (const auto* step = std::get_if<core::StepEvent>(&event)) {
    steps_.push_back(*step);
  } else if (const auto* finished = std::get_if<core::FinishedEvent>(&event)) {
    finished_ = *finished;
    problem_ = describe(*finished);
    setState(stateOf(finished->state));
  }
}

void RunWatch::readTrace() {
  std::size_t before = trace_.spans.size() + trace_.memory.size();
  for (std::int64_t rank = 0; rank < ranks(); ++rank) traces_.try_emplace(rank, folder_.trace(rank)).first->second.poll(trace_);
  trace_.ranks = ranks();
  if (trace_.spans.size() + trace_.memory.size() != before) emit traceChanged();
}

void RunWatch::readLog() {
  QFile in(QString::fromStdString(folder_.log()));
  if (!in.open(QIODevice::ReadOnly) || in.size() <= logRead_) return;
  in.seek(qMax(logRead_, in.size() - logKept));
  log_ += QString::fromUtf8(in.readAll());
  logRead_ = in.pos();
  if (log_.size() > logKept) log_ = log_.right(logKept / 2);
  emit logChanged();
}

void RunWatch::setState(State state) {
  if (state == state_) return;
  state_ = state;
  emit stateChanged();
}

void RunWatch::fail(const QString& problem) {
  problem_ = problem;
  setState(State::failed);
}

QString runStateText(RunWatch::State state) {
  switch (state) {
    case RunWatch::State::none: return RunWatch::tr("No run");
    case RunWatch::State::preparing: return RunWatch::tr("Preparing");
    case RunWatch::State::running: return RunWatch::tr("Running");
    case RunWatch::State::done: return RunWatch::tr("Finished");
    case RunWatch::State::stopped: return RunWatch::tr("Stopped");
    case RunWatch::State::failed: return RunWatch::tr("Failed");
    case RunWatch::State::lost: return RunWatch::tr("Lost contact");
  }
  return {};
}

}  // namespace ui
