#pragma once

#include <string>
#include <string_view>

#include "core/mesh/machine.h"

// A machine as a file; every figure with its source. The schema is resources/schemas/machine.schema.json.
//
//   {
//     "format": "meshwright.machine/1",
//     "name": "H100 SXM",
//     "levels": [{"name": "NVLink", "devices": 8, "topology": "switch", "bandwidth": {"value": 4.5e11, "source": "..."}, ...}],
//     "peak": {"bf16": {"value": 9.89e14, "source": "..."}, ...}, ...
//   }

namespace core {

Machine machineFromJson(std::string_view text, const std::string& where);  // Error with the place of what is wrong
std::string toJson(const Machine& machine);
void writeMachine(const Machine& machine, const std::string& path);

}  // namespace core
