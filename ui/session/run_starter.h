#pragma once

#include <QString>
#include <QStringList>
#include <cstdint>

#include "core/plan/plan.h"

// Starts `meshwright-cli run` as a process of its own, which outlives the window. All that comes back comes through the
// run folder.

namespace ui {

struct RunRequest {
  QString folder;  // that the run makes
  std::int64_t steps = 50;
  std::int64_t checkpointEvery = 0;  // 0 = only at the end
  QString from;                      // run folder or checkpoint to go on from
};

struct StartedRun {
  QString folder;
  qint64 process = 0;
  QString errors;  // file with what the starter said before there was a folder
};

// The plan is written beside the folder first, with absolute paths. core::Error when the program is missing or will not
// start.
StartedRun startRun(const core::Plan& plan, const RunRequest& request);

QString supervisorProgram();  // meshwright-cli beside this program, or what tests set; Error when it is missing
void setSupervisorProgram(const QString& path);

// runs/<plan>-1, -2, ...: the first that is free, beside the plan or in the person's data folder.
QString freeRunFolder(const QString& planPath, const QString& planName);

QStringList runArguments(const core::Plan& plan, const QString& planFile, const RunRequest& request);

}  // namespace ui
