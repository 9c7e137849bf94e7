#include "ui/session/run_comparison.h"

#include "core/io/plan_file.h"
#include "core/io/program_file.h"
#include "core/run/counted_trace.h"
#include "core/run/run_folder.h"

namespace ui {

RunComparisonRef compareRun(const std::string& path) {
  core::RunFolder folder = core::openRunFolder(path);
  core::Counted counted = core::countedFrom(core::readTrace(path));
  if (counted.ranks.empty()) return {};
  std::string machineName = core::readPlan(folder.plan()).variant().machine;
  std::optional<core::Machine> machine;
  if (!machineName.empty()) machine = core::readMachine(machineName);
  auto found = std::make_shared<RunComparison>();
  found->program = std::make_shared<const core::Program>(core::readProgram(folder.program()));
  if (machine) found->machine = machine->name;
  found->comparison = core::compare(*found->program, machine ? &*machine : nullptr, counted);
  return found;
}

}  // namespace ui
