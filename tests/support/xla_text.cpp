#include "tests/support/xla_text.h"

#include <fmt/format.h>

#include <vector>

namespace tests {

using namespace core::xla;

namespace {

std::string printed(const Sharding& sharding) {
  std::string text;
  for (const auto& axes : sharding.axes) text += fmt::format("{}{}", text.empty() ? "" : " ", axes.empty() ? "-" : fmt::format("{}", fmt::join(axes, "+")));
  return "@(" + text + ")";
}

std::string typed(const Value& value) {
  return fmt::format("{}:{}[{}]{}", value.name, value.type.element, fmt::join(value.type.sizes, ","), value.sharding ? printed(*value.sharding) : "");
}

std::string printed(const Attribute& attribute) {
  if (const auto* text = std::get_if<std::string>(&attribute)) return '"' + *text + '"';
  if (const auto* list = std::get_if<std::vector<std::int64_t>>(&attribute)) return fmt::format("[{}]", fmt::join(*list, ","));
  if (const auto* real = std::get_if<double>(&attribute)) return fmt::format("{}", *real);
  return fmt::format("{}", std::get<std::int64_t>(attribute));
}

std::string printed(const core::positional::Data& data) {
  return data.floating() ? fmt::format("[{}]", fmt::join(data.reals, ",")) : fmt::format("[{}]", fmt::join(data.integers, ","));
}

std::string lines(const Module& module, int index, const char* between) {
  const Computation& computation = module.computations.at(static_cast<std::size_t>(index));
  auto value = [&](int i) -> const Value& { return computation.values.at(static_cast<std::size_t>(i)); };
  auto list = [&](const std::vector<int>& values, bool types) {
    std::vector<std::string> parts;
    for (int i : values) parts.push_back(types ? typed(value(i)) : value(i).name);
    return fmt::format("{}", fmt::join(parts, " "));
  };
  std::string text = "(" + list(computation.parameters, true) + ")" + between;
  for (const Instruction& one : computation.instructions) {
    if (!one.results.empty()) text += list(one.results, true) + " = ";
    text += fmt::format("{}({})", one.opcode, list(one.operands, false));
    if (!one.captured.empty()) text += fmt::format(" captures({})", list(one.captured, false));
    for (const auto& [key, attribute] : one.attributes) text += fmt::format(" {}={}", key, printed(attribute));
    if (one.literal) text += " " + printed(*one.literal);
    for (int called : one.computations) text += " {" + lines(module, called, "; ") + "}";
    text += between;
  }
  text += "-> " + list(computation.results, false);
  for (const auto& sharding : computation.resultShardings) text += " " + (sharding ? printed(*sharding) : "@any");
  return text;
}

}  // namespace

std::string printed(const Module& module, int computation) { return lines(module, computation, "\n"); }
std::string printed(const Module& module) { return printed(module, module.entry); }

}  // namespace tests
