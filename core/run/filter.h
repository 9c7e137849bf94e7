#pragma once

#include <string>
#include <vector>

namespace core {

// Runs a program on `input` and returns its output. Error when it fails, with what it said, or takes longer than `seconds`:
// it is killed then.
std::string filter(const std::vector<std::string>& argv, const std::string& input, double seconds);

}  // namespace core
