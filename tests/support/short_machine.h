#pragma once

#include <string>

#include "core/io/machine_files.h"
#include "core/plan/analyze.h"
#include "core/plan/edit/variants.h"

// Plans on machines whose memory is too small for them.

namespace tests {

// The plan on a machine like `like` whose devices have this share of the memory that the plan needs; the machine's file is written to `file`.
inline core::Plan tooLarge(core::Plan plan, const std::string& like, double share, const std::string& file) {
  plan = core::setMachine(std::move(plan), like);
  const core::Analysis whole = core::analyze(std::make_shared<const core::Plan>(plan), plan.current);
  core::Machine machine = core::readMachine(like);
  machine.memory = {static_cast<double>(whole.cost->arenaBytes) * share, "made up"};
  core::writeMachine(machine, file);
  return core::setMachine(std::move(plan), file);
}

}  // namespace tests
