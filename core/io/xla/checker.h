#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "core/io/xla/module.h"

namespace core::xla {

using Integers = std::vector<std::int64_t>;

// An instruction while it is checked. All members that return something throw where it is not there or does not fit.
struct Checked {
  static constexpr std::int64_t largest = std::int64_t{1} << 40;  // of a stride, an offset, a window

  const Module& module;
  const Computation& computation;
  const Instruction& instruction;
  const std::string& path;

  const Type& operand(std::size_t i) const;
  const Type& result(std::size_t i = 0) const;
  std::size_t rank(std::size_t i = 0) const { return operand(i).sizes.size(); }
  Integers list(const char* name, std::size_t count) const;                              // as many numbers
  Integers atLeast(const char* name, std::size_t count, std::int64_t least) const;       // none below
  Integers axes(std::initializer_list<const char*> names, std::size_t rank) const;       // of all these lists, none twice
  std::size_t axis(const char* name, std::size_t rank) const;
  void operands(std::size_t count) const;
  [[noreturn]] void fail(const std::string& what) const;
};

const std::map<std::string, void (*)(const Checked&)>& checkRules();  // by opcode

}  // namespace core::xla
