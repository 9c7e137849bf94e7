#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>
#include <optional>
#include <vector>

#include "core/run/events.h"
#include "core/run/run_folder.h"
#include "core/run/trace.h"
#include "ui/session/newest.h"
#include "ui/session/run_comparison.h"
#include "ui/session/run_prediction.h"

namespace ui {

// Follows one run through its folder. A run that goes on and one that is over are read the same way: what is new in
// the files since the last look. Knows no process.
class RunWatch : public QObject {
  Q_OBJECT

 public:
  enum class State { none, preparing, running, done, stopped, failed, lost };

  explicit RunWatch(QObject* parent = nullptr);

  // The folder may not be there yet: then the run is being prepared, as long as its starter lives; what that said
  // stands in the file `errors`.
  void open(const QString& folder, qint64 starter = 0, const QString& errors = {});
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
  QString problem() const { return problem_; }  // in a sentence; empty = none
  QString log() const { return log_; }
  const RunComparisonRef& comparison() const { return comparison_; }  // when the run is over
  const RunPredictionRef& prediction() const { return prediction_; }  // as soon as the run has a program
  std::int64_t ranks() const;

  void requestStop();
  void poll();  // now; else by a timer while the run is live
  void settle(int milliseconds);  // until all of a run that is over has been read and compared; for tests and pictures

 signals:
  void opened();
  void stateChanged();
  void stepsChanged();
  void traceChanged();
  void logChanged();
  void comparisonChanged();
  void predictionChanged();

 private:
  void readEvents();
  void readInfo();
  void readTrace();
  void takeTrace(const core::Trace& read);
  void readLog();
  void compare();
  void predict();
  void take(const core::Event& event);
  void setState(State state);
  void fail(const QString& problem);

  core::RunFolder folder_;
  QString errors_;
  State state_ = State::none;
  std::unique_ptr<core::EventReader> events_;
  struct TraceFiles;
  std::shared_ptr<TraceFiles> traces_;  // the reading thread's, while it reads
  std::optional<core::RunInfo> info_;
  std::optional<core::StartedEvent> started_;
  std::optional<core::FinishedEvent> finished_;
  std::optional<core::Plan> plan_;
  std::vector<core::StepEvent> steps_;
  core::Trace trace_;
  QString problem_;
  QString log_;
  qint64 logRead_ = 0;
  qint64 starter_ = 0;
  bool lookAgain_ = false;  // at the traces, when the look that goes on is over
  RunComparisonRef comparison_;
  RunPredictionRef prediction_;
  bool predicted_ = false;  // or being so
  Newest reader_;
  Newest comparer_;
  Newest predictor_;
  QTimer timer_;
};

QString runStateText(RunWatch::State state);  // "Running"

}  // namespace ui
