#include "core/io/xla/stablehlo.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/io/xla/mlir_parser.h"

namespace core::xla {

Module parseStableHlo(std::string_view text, const std::string& path) { return MlirParser(text, path).parse(); }

Module MlirParser::parse() {
  module_.format = "StableHLO";
  if (scan_.text().starts_with("ML\xEFR")) throw Error{.what = "the file is MLIR bytecode", .where = scan_.place(0), .right = "StableHLO as text (stablehlo-translate --deserialize)"};
  items({});
  resolveCalls();
  refuseRecursion();
  resolveShardings();
  chooseEntry();
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

void MlirParser::resolveShardings() {
  meshes_.join();
  module_.mesh = meshes_.axes();
  std::int64_t devices = 1;
  for (const Axis& axis : module_.mesh) devices *= axis.size;
  module_.partitions = std::max(module_.partitions, devices);
  for (const Placed& placed : placed_) {
    Computation& computation = module_.computations[static_cast<std::size_t>(placed.computation)];
    const int value = placed.value >= 0 ? placed.value : computation.results[static_cast<std::size_t>(placed.result)];
    const std::size_t rank = computation.values[static_cast<std::size_t>(value)].type.sizes.size();
    std::optional<Sharding> sharding = meshes_.sharding(placed.sharding);
    if (!sharding) continue;
    if (sharding->axes.empty()) sharding->axes.resize(rank);
    if (sharding->axes.size() != rank)
      scan_.failAt(placed.sharding.position, fmt::format("a sharding of {} axes stands at a value of {}", sharding->axes.size(), rank));
    if (placed.value >= 0) {
      computation.values[static_cast<std::size_t>(value)].sharding = std::move(sharding);
    } else {
      computation.resultShardings.resize(computation.results.size());
      computation.resultShardings[static_cast<std::size_t>(placed.result)] = std::move(sharding);
    }
  }
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

}  // namespace core::xla
