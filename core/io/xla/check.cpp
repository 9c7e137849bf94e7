#include "core/io/xla/check.h"

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/io/xla/checker.h"

namespace core::xla {

const Type& Checked::operand(std::size_t i) const {
  if (i >= instruction.operands.size()) fail(fmt::format("it has {} operands", instruction.operands.size()));
  return computation.values[static_cast<std::size_t>(instruction.operands[i])].type;
}

const Type& Checked::result(std::size_t i) const {
  if (i >= instruction.results.size()) fail(fmt::format("it makes {} values", instruction.results.size()));
  return computation.values[static_cast<std::size_t>(instruction.results[i])].type;
}

Integers Checked::list(const char* name, std::size_t count) const {
  Integers values = instruction.integers(name);
  if (values.size() != count) fail(fmt::format("{} has {} numbers, {} belong there", name, values.size(), count));
  return values;
}

Integers Checked::atLeast(const char* name, std::size_t count, std::int64_t least) const {
  Integers values = list(name, count);
  for (std::int64_t value : values)
    if (value < least || value > largest) fail(fmt::format("{} has the number {}", name, value));
  return values;
}

Integers Checked::axes(std::initializer_list<const char*> names, std::size_t rank) const {
  std::vector<bool> seen(rank);
  Integers all;
  for (const char* name : names)
    for (std::int64_t axis : instruction.integers(name)) {
      if (axis < 0 || axis >= static_cast<std::int64_t>(rank)) fail(fmt::format("{} names axis {} of {}", name, axis, rank));
      if (seen[static_cast<std::size_t>(axis)]) fail(fmt::format("{} names axis {} twice", name, axis));
      seen[static_cast<std::size_t>(axis)] = true;
      all.push_back(axis);
    }
  return all;
}

std::size_t Checked::axis(const char* name, std::size_t rank) const {
  const std::int64_t axis = instruction.integer(name, -1);
  if (axis < 0 || axis >= static_cast<std::int64_t>(rank)) fail(fmt::format("{} is {}, there are {} axes", name, axis, rank));
  return static_cast<std::size_t>(axis);
}

void Checked::operands(std::size_t count) const {
  if (instruction.operands.size() != count) fail(fmt::format("it has {} operands, {} belong there", instruction.operands.size(), count));
}

void Checked::fail(const std::string& what) const {
  throw Error{.what = fmt::format("\"{}\" is no whole instruction: {}", instruction.opcode, what), .where = fmt::format("{}:{}", path, instruction.line), .right = "attributes that fit its operands"};
}

namespace {

// A computation takes what it is called with, and gives what the instruction makes of it.
void takes(const Checked& at, int called, const std::vector<int>& given) {
  const Computation& computation = at.module.computations[static_cast<std::size_t>(called)];
  if (computation.parameters.size() != given.size()) at.fail(fmt::format("\"{}\" takes {} values, not {}", computation.name, computation.parameters.size(), given.size()));
  for (std::size_t i = 0; i < given.size(); ++i)
    if (computation.values[static_cast<std::size_t>(computation.parameters[i])].type != at.computation.values[static_cast<std::size_t>(given[i])].type) at.fail(fmt::format("\"{}\" takes another type than value {} has", computation.name, i));
}

void gives(const Checked& at, int called, const std::vector<Type>& wanted) {
  const Computation& computation = at.module.computations[static_cast<std::size_t>(called)];
  if (computation.results.size() != wanted.size()) at.fail(fmt::format("\"{}\" gives {} values, not {}", computation.name, computation.results.size(), wanted.size()));
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (computation.values[static_cast<std::size_t>(computation.results[i])].type != wanted[i]) at.fail(fmt::format("\"{}\" gives another type as value {}", computation.name, i));
}

void calls(const Checked& at) {
  const Instruction& one = at.instruction;
  std::vector<Type> results;
  for (std::size_t i = 0; i < one.results.size(); ++i) results.push_back(at.result(i));
  std::vector<int> given = one.captured;
  if (one.opcode != "if" && one.opcode != "case") given.insert(given.begin(), one.operands.begin(), one.operands.end());
  const bool loop = one.opcode == "while";
  const std::size_t least = loop || one.opcode == "if" ? 2 : 1;
  if (one.computations.size() < least || (least == 2 && one.computations.size() > 2)) at.fail(fmt::format("it has {} computations", one.computations.size()));
  for (std::size_t i = 0; i < one.computations.size(); ++i) {
    takes(at, one.computations[i], given);
    gives(at, one.computations[i], loop && i == 0 ? std::vector<Type>{{.element = "pred", .sizes = {}}} : results);
  }
}

}  // namespace

void check(const Module& module, const std::string& path) {
  for (const Computation& computation : module.computations)
    for (const Instruction& instruction : computation.instructions) {
      const Checked at{module, computation, instruction, path};
      if (auto rule = checkRules().find(instruction.opcode); rule != checkRules().end()) rule->second(at);
      for (const char* opcode : {"call", "composite", "while", "if", "case"})
        if (instruction.opcode == opcode) calls(at);
    }
}

}  // namespace core::xla
