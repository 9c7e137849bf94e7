#pragma once

#include <string>
#include <string_view>

#include "core/mesh/machine.h"

// Machines as files; core/mesh/machine.h has readMachine and machineNames. Every figure stands there with its source:
//
//   {
//     "format": "meshwright.machine/1",
//     "name": "H100 SXM",
//     "levels": [{"name": "NVLink", "devices": 8, "topology": "switch", "bandwidth": {"value": 4.5e11, "source": "..."}, ...}],
//     "peak": {"bf16": {"value": 9.89e14, "source": "..."}, ...}, ...
//   }

namespace core {

Machine parseMachine(std::string_view text, const std::string& where);  // Error with the place of what is wrong
std::string printMachine(const Machine& machine);
void writeMachine(const Machine& machine, const std::string& path);

// Where `calibrate` puts the machine that it measured, to be found by its name.
std::string userMachineFile(const std::string& name);

}  // namespace core
