#include "ui/session/run_prediction.h"

#include <QCoreApplication>

#include "core/io/plan_file.h"
#include "core/io/program_file.h"
#include "core/mesh/machine.h"
#include "core/run/run_folder.h"
#include "core/spmd/roll.h"

namespace ui {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("RunPrediction", text);
}

}  // namespace

RunPredictionRef predictRun(const std::string& path) {
  core::RunFolder folder = core::openRunFolder(path);
  auto found = std::make_shared<RunPrediction>();
  found->program = std::make_shared<const core::Program>(core::flatten(core::readProgram(folder.program())));  // named as the trace is
  std::string machine = core::readPlan(folder.plan()).variant().machine;
  found->machine = QString::fromStdString(machine);
  if (machine.empty()) {
    found->missing = tr("nothing predicted: the run's variant has no machine. Choose one and run again");
    return found;
  }
  try {
    core::Machine read = core::readMachine(machine);
    found->machine = QString::fromStdString(read.name);
    for (std::int64_t rank = 0; rank < found->program->mesh.devices(); ++rank)
      found->cost.devices.push_back(core::costOf(*found->program, found->program->mesh.coordinate(rank), &read));
    found->ranks = core::simulate(found->cost);
  } catch (const core::Error& error) {
    found->missing = tr("nothing predicted: %1").arg(QString::fromStdString(error.text()));
  }
  return found;
}

}  // namespace ui
