#include "core/io/xla/lower.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/io/xla/lowerer.h"
#include "core/io/xla/scope.h"

namespace core::xla {
namespace {

constexpr int deepest = 200;  // calls in calls

LowerRule ruleOf(const std::string& opcode) {
  for (const auto* table : {&lowerElements(), &lowerShapes(), &lowerProducts(), &lowerWindows(), &lowerIndices(), &lowerControl()})
    if (auto found = table->find(opcode); found != table->end()) return found->second;
  return nullptr;
}

}  // namespace

positional::Model Lowerer::run() {
  const Computation& entry = module_.computations.at(static_cast<std::size_t>(module_.entry));
  model_.producerName = module_.name;
  model_.opset = 0;
  model_.mesh = module_.mesh;
  model_.fileNodes = module_.instructions;
  parameters(entry);
  Terms arguments;
  for (std::size_t i = 0; i < entry.parameters.size(); ++i)
    arguments.push_back({.type = entry.values[static_cast<std::size_t>(entry.parameters[i])].type, .value = model_.inputs[i], .splat = std::nullopt, .parts = nullptr});
  outputs(entry, inlined(module_.entry, arguments));
  return std::move(model_);
}

void Lowerer::parameters(const Computation& entry) {
  std::map<std::string, int> used;
  for (int parameter : entry.parameters) {
    const Value& given = entry.values[static_cast<std::size_t>(parameter)];
    const Argument argument = argumentOf(given.name);
    positional::Value value;
    const int count = used[argument.name]++;
    value.name = count == 0 ? argument.name : fmt::format("{}_{}", argument.name, count + 1);
    value.kind = positional::Value::Kind::input;
    scope_ = value.name;
    value.dtype = kept(given.type);
    value.typeKnown = true;
    value.sizes = given.type.sizes;
    value.symbols.assign(given.type.sizes.size(), "");
    value.isFed = !argument.isLearned;
    value.isStatistic = argument.isStatistic;
    value.untrained = argument.untrained;
    if (given.sharding) value.sharding = given.sharding->axes;
    model_.inputs.push_back(static_cast<int>(model_.values.size()));
    model_.values.push_back(std::move(value));
  }
}

// An output has a node of its own where the program passes something on as it is.
void Lowerer::outputs(const Computation& entry, const Terms& results) {
  scope_.clear();
  for (std::size_t i = 0; i < results.size(); ++i) {
    int value = whole(results[i]);
    if (std::find(model_.outputs.begin(), model_.outputs.end(), value) != model_.outputs.end()) value = node("Identity", {value}, {}, results[i].type.sizes, kept(results[i].type));
    Term term{.type = results[i].type, .value = value, .splat = std::nullopt, .parts = nullptr};
    if (i < entry.resultShardings.size() && entry.resultShardings[i]) shard(term, *entry.resultShardings[i]);
    model_.outputs.push_back(term.value);
    if (positional::Value& output = model_.values[static_cast<std::size_t>(term.value)]; output.kind == positional::Value::Kind::made) output.name = results.size() == 1 ? "output" : fmt::format("output_{}", i);
  }
}

// A value that lies otherwise than asked, or is no whole tensor, gets a copy that does.
void Lowerer::shard(Term& term, const Sharding& sharding) {
  term.value = whole(term);
  const auto holds = [&](const positional::Value& value) { return value.kind != positional::Value::Kind::initializer && (!value.sharding || *value.sharding == sharding.axes); };
  if (!holds(model_.values[static_cast<std::size_t>(term.value)])) term.value = node("Identity", {term.value}, {}, term.type.sizes, kept(term.type));
  model_.values[static_cast<std::size_t>(term.value)].sharding = sharding.axes;
}

Terms Lowerer::inlined(int index, const Terms& arguments) {
  const Computation& computation = module_.computations.at(static_cast<std::size_t>(index));
  if (arguments.size() != computation.parameters.size())
    throw Error{.what = fmt::format("\"{}\" takes {} values and is called with {}", computation.name, computation.parameters.size(), arguments.size()), .where = scope_, .right = "a whole program"};
  const std::string scope = scope_;
  if (++depth_ > deepest) throw Error{.what = "computations call each other too deeply", .where = computation.name, .right = fmt::format("at most {} deep", deepest)};
  Terms values(computation.values.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) values[static_cast<std::size_t>(computation.parameters[i])] = arguments[i];
  for (const Instruction& one : computation.instructions) {
    Terms operands;
    for (int operand : one.operands) operands.push_back(values[static_cast<std::size_t>(operand)]);
    for (int captured : one.captured) operands.push_back(values[static_cast<std::size_t>(captured)]);
    scope_ = scopeOfOperation(one.scope);
    Terms results = instruction(one, computation, operands);
    for (std::size_t i = 0; i < one.results.size(); ++i) {
      const Value& value = computation.values[static_cast<std::size_t>(one.results[i])];
      if (value.sharding && !results[i].parts) shard(results[i], *value.sharding);
      values[static_cast<std::size_t>(one.results[i])] = std::move(results[i]);
    }
  }
  --depth_;
  scope_ = scope;
  Terms results;
  for (int result : computation.results) results.push_back(values[static_cast<std::size_t>(result)]);
  return results;
}

Terms Lowerer::instruction(const Instruction& instruction, const Computation& computation, const Terms& operands) {
  const Site site{instruction, computation, operands};
  for (std::size_t i = 0; i < instruction.results.size(); ++i) kept(site.result(i));
  std::optional<Terms> made;
  try {
    const LowerRule rule = ruleOf(instruction.opcode);
    if (rule) made = rule(*this, site);
  } catch (const std::out_of_range&) {  // fewer operands, axes or results than the opcode has
    throw Error{.what = fmt::format("\"{}\" lacks operands, or attributes have more axes than they", instruction.opcode), .where = fmt::format("line {}", instruction.line), .right = "a whole instruction"};
  }
  if (!made) return opaque(site);
  for (std::size_t i = 0; i < made->size() && i < instruction.results.size(); ++i)
    if ((*made)[i].type != site.result(i))
      throw Error{.what = fmt::format("\"{}\" makes {} [{}], its type says {} [{}]", instruction.opcode, (*made)[i].type.element, fmt::join((*made)[i].type.sizes, ","), site.result(i).element, fmt::join(site.result(i).sizes, ",")),
                  .where = fmt::format("line {}", instruction.line), .right = "the type that its operands give"};
  if (made->size() != instruction.results.size()) throw Error{.what = fmt::format("\"{}\" makes {} values, not {}", instruction.opcode, made->size(), instruction.results.size()), .where = fmt::format("line {}", instruction.line), .right = {}};
  return *made;
}

Terms Lowerer::opaque(const Site& site) {
  std::vector<int> inputs;
  for (const Term& operand : site.operands) inputs.push_back(whole(operand));
  std::vector<std::pair<Sizes, DType>> outputs;
  for (std::size_t i = 0; i < site.instruction.results.size(); ++i) outputs.emplace_back(site.result(i).sizes, kept(site.result(i)));
  Attributes attributes;
  for (const auto& [key, value] : site.instruction.attributes) std::visit([&, name = &key](const auto& one) { attributes[*name] = one; }, value);
  std::string type = site.instruction.opcode;
  if (type == "custom_call") type = site.instruction.text("call_target_name", type);
  Terms made;
  const std::vector<int> values = nodes(type, "stablehlo", std::move(inputs), std::move(attributes), outputs);
  for (std::size_t i = 0; i < values.size(); ++i) made.push_back({.type = site.result(i), .value = values[i], .splat = std::nullopt, .parts = nullptr});
  return made;
}

positional::Model lower(const Module& module) { return Lowerer(module).run(); }

}  // namespace core::xla
