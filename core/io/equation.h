#pragma once

#include <optional>
#include <string>
#include <vector>

namespace core {

// "bij,jk->bik" as letters an operand; the output of "ij,jk" is the letters that stand once, sorted. Nothing for what is not
// read: an ellipsis, a letter twice in one operand (a diagonal), or a wrong number of operands.
struct Equation {
  std::vector<std::string> inputs;
  std::string output;
};
std::optional<Equation> parseEquation(const std::string& text, std::size_t operands);

}  // namespace core
