#include "ui/session/run_watch.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QFileInfo>
#include <csignal>
#include <map>

#include "core/io/plan_file.h"

namespace ui {
namespace {

constexpr int pollMilliseconds = 200;
constexpr std::int64_t bytesAtOnce = 4 << 20;  // of a rank's trace: what is there is shown soon, however much more there is
constexpr qint64 logKept = 512 * 1024;

// A process that has ended but that nobody has waited for is no longer alive.
bool lives(qint64 pid) {
  if (pid <= 0 || (kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH)) return false;
  QFile stat(QStringLiteral("/proc/%1/stat").arg(pid));
  if (!stat.open(QIODevice::ReadOnly)) return true;
  QByteArray line = stat.readAll();
  return !line.mid(line.lastIndexOf(')')).startsWith(") Z");
}

QString textOf(const QString& file) {
  QFile in(file);
  return in.open(QIODevice::ReadOnly) ? QString::fromUtf8(in.read(16 * 1024)).trimmed() : QString();
}

RunWatch::State stateOf(core::RunState state) {
  switch (state) {
    case core::RunState::running:
      return RunWatch::State::running;
    case core::RunState::done:
      return RunWatch::State::done;
    case core::RunState::stopped:
      return RunWatch::State::stopped;
    case core::RunState::failed:
      return RunWatch::State::failed;
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

struct RunWatch::TraceFiles {
  std::map<std::int64_t, core::TraceReader> ranks;
  std::vector<core::TraceInstruction> instructions;  // named once, in a file's first line
};

RunWatch::RunWatch(QObject* parent) : QObject(parent) {
  timer_.setInterval(pollMilliseconds);
  connect(&timer_, &QTimer::timeout, this, &RunWatch::poll);
}

void RunWatch::open(const QString& folder, qint64 starter, const QString& errors) {
  close();
  folder_ = {folder.toStdString()};
  starter_ = starter;
  errors_ = errors;
  traces_ = std::make_shared<TraceFiles>();
  events_ = std::make_unique<core::EventReader>(folder_.events());
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
  reader_.cancel();
  comparer_.cancel();
  predictor_.cancel();
  lookAgain_ = false;
  comparison_.reset();
  prediction_.reset();
  predicted_ = false;
  traces_.reset();
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
    predict();
    readTrace();
  } catch (const core::Error& error) {
    fail(QString::fromStdString(error.text()));
  }
  readLog();
  if (!live()) timer_.stop();
}

void RunWatch::readInfo() {
  if (!core::isRunFolder(folder_.path)) {
    if (lives(starter_)) return;
    QString said = textOf(errors_);
    return fail(said.isEmpty() ? tr("the run ended before it had a folder, and said nothing") : said);
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

// Spans are many: they are read behind, by one reader at a time, so that none is lost or read twice.
void RunWatch::readTrace() {
  if (ranks() == 0) return;
  if (reader_.busy()) {
    lookAgain_ = true;
    return;
  }
  lookAgain_ = false;
  reader_.start([this, files = traces_, folder = folder_, ranks = ranks()]() -> Newest::Deliver {
    auto read = std::make_shared<core::Trace>();
    read->instructions = files->instructions;
    QString problem;
    try {
      for (std::int64_t rank = 0; rank < ranks; ++rank)
        files->ranks.try_emplace(rank, folder.trace(rank)).first->second.poll(*read, bytesAtOnce);
    } catch (const core::Error& error) {
      problem = QString::fromStdString(error.text());
    }
    files->instructions = read->instructions;
    return [this, read, problem] {
      if (!problem.isEmpty() && problem != problem_) {
        problem_ = problem;
        emit stateChanged();
      }
      takeTrace(*read);
    };
  });
}

void RunWatch::takeTrace(const core::Trace& read) {
  trace_.ranks = ranks();
  if (!read.instructions.empty()) trace_.instructions = read.instructions;
  trace_.spans.insert(trace_.spans.end(), read.spans.begin(), read.spans.end());
  trace_.memory.insert(trace_.memory.end(), read.memory.begin(), read.memory.end());
  if (!read.spans.empty() || !read.memory.empty()) emit traceChanged();
  if (lookAgain_ || (!live() && !read.spans.empty()))
    QMetaObject::invokeMethod(this, &RunWatch::readTrace, Qt::QueuedConnection);
  else if (!live() && !comparison_)
    compare();
}

void RunWatch::settle(int milliseconds) {
  QElapsedTimer clock;
  clock.start();
  auto unread = [this] { return isOpen() && problem_.isEmpty() && ranks() > 0 && ((!live() && !comparison_) || predictor_.busy()); };
  while (unread() && clock.elapsed() < milliseconds)
    QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 20);
}

void RunWatch::compare() {
  comparer_.start([this, path = folder_.path]() -> Newest::Deliver {
    try {
      RunComparisonRef found = compareRun(path);
      return [this, found] {
        comparison_ = found;
        emit comparisonChanged();
      };
    } catch (const core::Error& error) {
      return [this, text = QString::fromStdString(error.text())] {
        problem_ = text;
        emit stateChanged();
      };
    }
  });
}

// When the first rank speaks, the program that it was given stands in the folder.
void RunWatch::predict() {
  if (predicted_ || !started_) return;
  predicted_ = true;
  predictor_.start([this, path = folder_.path]() -> Newest::Deliver {
    RunPredictionRef found;
    try {
      found = predictRun(path);
    } catch (const core::Error& error) {
      auto broken = std::make_shared<RunPrediction>();
      broken->missing = tr("nothing predicted: %1").arg(QString::fromStdString(error.text()));
      found = broken;
    }
    return [this, found] {
      prediction_ = found;
      emit predictionChanged();
    };
  });
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
    case RunWatch::State::none:
      return RunWatch::tr("No run");
    case RunWatch::State::preparing:
      return RunWatch::tr("Preparing");
    case RunWatch::State::running:
      return RunWatch::tr("Running");
    case RunWatch::State::done:
      return RunWatch::tr("Finished");
    case RunWatch::State::stopped:
      return RunWatch::tr("Stopped");
    case RunWatch::State::failed:
      return RunWatch::tr("Failed");
    case RunWatch::State::lost:
      return RunWatch::tr("Lost contact");
  }
  return {};
}

}  // namespace ui
