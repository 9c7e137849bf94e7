#include "core/io/xla/stablehlo.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/io/xla/check.h"
#include "core/io/xla/mlir_parser.h"

namespace core::xla {

Module parseStableHlo(std::string_view text, const std::string& path) {
  Module module = MlirParser(text, path).parse();
  check(module, path);
  return module;
}

Module MlirParser::parse() {
  module_.format = "StableHLO";
  if (scan_.text().starts_with("ML\xEFR")) throw Error{.what = "the file is MLIR bytecode", .where = scan_.place(0), .right = "StableHLO as text (stablehlo-translate --deserialize)"};
  items({});
  resolveCalls();
  refuseRecursion();
  resolveShardings();
  chooseEntry();
  nameArguments();
  for (Computation& computation : module_.computations)
    for (Instruction& instruction : computation.instructions) instruction.scope = reader_.nameOf(instruction.scope);
  return std::move(module_);
}

void MlirParser::resolveCalls() {
  for (const Call& call : calls_) {
    Instruction& instruction = module_.computations[static_cast<std::size_t>(call.computation)].instructions[static_cast<std::size_t>(call.instruction)];
    auto found = functions_.find(call.symbol);
    if (found == functions_.end() && instruction.opcode == "custom_call") continue;  // who knows its target knows its functions
    if (found == functions_.end()) scan_.failAt(call.position, fmt::format("the function @{} is not defined", call.symbol), "a function of this module");
    if (!found->second.hasBody) scan_.failAt(call.position, fmt::format("the function @{} has no body", call.symbol), "a function of this module");
    instruction.computations.push_back(found->second.computation);
  }
}

// Computations that call nothing are taken away, then those that called only such ones; what is left calls itself.
void MlirParser::refuseRecursion() const {
  const std::size_t count = module_.computations.size();
  std::vector<std::vector<std::size_t>> callers(count);
  std::vector<std::size_t> calls(count), ready;
  for (std::size_t i = 0; i < count; ++i) {
    for (const Instruction& instruction : module_.computations[i].instructions)
      for (int called : instruction.computations) callers[static_cast<std::size_t>(called)].push_back(i), ++calls[i];
    if (calls[i] == 0) ready.push_back(i);
  }
  for (std::size_t next = 0; next < ready.size(); ++next)
    for (std::size_t caller : callers[ready[next]])
      if (--calls[caller] == 0) ready.push_back(caller);
  for (const auto& [name, function] : functions_)
    if (function.hasBody && calls[static_cast<std::size_t>(function.computation)] > 0) scan_.failAt(function.position, fmt::format("the function @{} calls itself, or one that does", name), "a loop");
}

void MlirParser::chooseEntry() {
  std::vector<std::string> open;
  for (const auto& [name, function] : functions_)
    if (function.isPublic && function.hasBody) open.push_back(name);
  auto main = functions_.find("main");
  if (main == functions_.end() || !main->second.hasBody) {
    if (open.empty()) scan_.failAt(0, "the module has no function that could be run", "a function @main");
    if (open.size() > 1) scan_.failAt(functions_.at(open[1]).position, fmt::format("no function is @main, and {} are public: {} ...", open.size(), fmt::join(open.begin(), open.begin() + 2, ", ")), "a function @main");
    main = functions_.find(open[0]);
  }
  module_.entry = main->second.computation;
}

// The entry's arguments are called as the program's source calls them, where it does and no two are called the same.
void MlirParser::nameArguments() {
  Computation& entry = module_.computations[static_cast<std::size_t>(module_.entry)];
  const std::vector<std::string>& locations = locations_[module_.entry];
  std::map<std::string, int> count;
  for (const Value& value : entry.values) ++count[value.name];
  for (const std::string& location : locations) ++count[reader_.nameOf(location)];
  for (std::size_t i = 0; i < locations.size() && i < entry.parameters.size(); ++i) {
    const std::string name = reader_.nameOf(locations[i]);
    if (!name.empty() && count[name] == 1) entry.values[static_cast<std::size_t>(entry.parameters[i])].name = name;
  }
}

}  // namespace core::xla
