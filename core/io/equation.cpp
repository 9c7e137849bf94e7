#include "core/io/equation.h"

#include <algorithm>
#include <map>
#include <set>

namespace core {

std::optional<Equation> parseEquation(const std::string& text, std::size_t operands) {
  Equation equation{.inputs = {""}};
  bool output = false;
  std::map<char, int> counts;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == ' ') continue;
    if (c == ',' && !output) equation.inputs.emplace_back();
    else if (c == '-' && i + 1 < text.size() && text[i + 1] == '>' && !output) output = true, ++i;
    else if (std::isalpha(static_cast<unsigned char>(c))) (output ? equation.output : equation.inputs.back()).push_back(c), counts[c] += output ? 0 : 1;
    else return std::nullopt;
  }
  for (const std::string& letters : equation.inputs)
    if (std::set<char>(letters.begin(), letters.end()).size() != letters.size()) return std::nullopt;
  if (!output)
    for (auto [letter, count] : counts)
      if (count == 1) equation.output.push_back(letter);
  bool known = std::all_of(equation.output.begin(), equation.output.end(), [&](char c) { return counts.count(c) > 0; });
  bool once = std::set<char>(equation.output.begin(), equation.output.end()).size() == equation.output.size();
  if (!known || !once || equation.inputs.size() != operands) return std::nullopt;
  return equation;
}

}  // namespace core
