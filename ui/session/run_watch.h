#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/run/events.h"
#include "core/run/run_folder.h"
#include "core/run/trace.h"

namespace ui {

// Follows one run through its folder. A run that goes on and one that is over are read the same way: what is new in
// the files since the last look. Knows no process.
class RunWatch : public QObject {
  Q_OBJECT

 public:
  enum class State { none, preparing, running, done, stopped, failed, lost };

  explicit RunWatch(QObject* parent = nullptr);

  // The folder may not be there yet: then the run is being prepared. `errors`: where its starter's messages go.
  void open(const QString& folder, const QString& errors = {});
  void close();
  bool isOpen() const { return !folder_.path.empty(); }
  const core::RunFolder& folder() const { return folder_; }

  State state() const { return state_; }
  bool live() const { return state_ == State::preparing || state_ == State::running; }
  const std::optional<core::RunInfo>& info() const { return info_; }
  const std::optional<core::StartedEvent>& started() const { return started_; }
  const std::vector<core::StepEvent>& steps() const { return steps_; }
  const std::optional<core::FinishedEvent>& finished() const { return finished_; }
  const core::Trace& trace() const { return trace_; }  // as it grows; clocks of the ranks as they are
  const std::optional<core::Plan>& plan() const { return plan_; }
  QString problem() const { return problem_; }         // in a sentence; empty = none
  QString log() const { return log_; }
  std::int64_t ranks() const;

  void requestStop();
  void poll();  // now; else by a timer while the run is live

 signals:
  void opened();
  void stateChanged();
  void stepsChanged();
  void traceChanged();
  void logChanged();

 private:
  void readEvents();
  void readInfo();
  void readTrace();
  void readLog();
  void take(const core::Event& event);
  void setState(State state);
  void fail(const QString& problem);

  core::RunFolder folder_;
  QString errors_;
  State state_ = State::none;
  std::unique_ptr<core::EventReader> events_;
  std::map<std::int64_t, core::TraceReader> traces_;
  std::optional<core::RunInfo> info_;
  std::optional<core::StartedEvent> started_;
  std::optional<core::FinishedEvent> finished_;
  std::optional<core::Plan> plan_;
  std::vector<core::StepEvent> steps_;
  core::Trace trace_;
  QString problem_;
  QString log_;
  qint64 logRead_ = 0;
  double openedAt_ = 0;
  QTimer timer_;
};

QString runStateText(RunWatch::State state);  // "Running"

}  // namespace ui
