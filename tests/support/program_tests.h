#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/io/positional.h"
#include "tests/support/split_cases.h"

// Programs that hold their own test, as JAX's for StableHLO do: @main calls @inputs and @expected, computes, and checks.

namespace tests {

struct ProgramTest {
  std::string text;  // the program alone: @main takes what @inputs made and returns what was checked
  std::vector<Tolerance> tolerances;  // of each output
  std::vector<core::positional::DataPtr> inputs, expected;  // nothing where an element type holds no values here
};

// Nothing where the program takes arguments, so that it has no values to be tested with.
std::optional<ProgramTest> programTest(const std::string& text);

}  // namespace tests
