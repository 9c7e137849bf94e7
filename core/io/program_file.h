#pragma once

#include <string>
#include <string_view>

#include "core/spmd/program.h"

// program.json: the Program that is run. Reading checks that every number names something; verify() checks what it means.

namespace core {

Program readProgram(const std::string& path);
void writeProgram(const Program& program, const std::string& path);  // atomically

Program parseProgram(std::string_view text, const std::string& where);
std::string printProgramJson(const Program& program);

}  // namespace core
