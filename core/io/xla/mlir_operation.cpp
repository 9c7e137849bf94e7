#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/io/xla/mlir_complete.h"
#include "core/io/xla/mlir_parser.h"

namespace core::xla {
namespace {

constexpr std::int64_t longestSplat = 64;  // that is written out; a larger one is a number that is broadcast

const std::set<std::string>& ownDialects() {
  static const std::set<std::string> names{"", "stablehlo", "chlo", "mhlo", "func", "sdy", "arith"};
  return names;
}

// Shardy's collectives and barriers leave the values as they are and only say how they lie.
std::string opcodeOfShardy(const std::string& opcode) {
  if (opcode == "constant" || opcode == "manual_computation") return opcode;
  return opcode == "named_computation" ? "call" : "sharding_constraint";
}

// Attributes that name functions.
bool isCall(const std::string& opcode, const std::string& attribute) {
  return attribute == "callee" || attribute == "called_computations" || (opcode == "composite" && attribute == "decomposition");
}

}  // namespace

int MlirParser::value() {
  scan_.need("%");
  const std::size_t position = scan_.position() - 1;
  const std::string name = scan_.name();
  std::size_t number = 0;
  if (scan_.stands("#") && scan_.peekBehind(1) >= '0' && scan_.peekBehind(1) <= '9') {
    scan_.need("#");
    number = static_cast<std::size_t>(scan_.integer());
  }
  return scopes_.use(name, number, position);
}

// %a, %b:2 = "stablehlo.sort"(...) or %a = stablehlo.add %b, %c : T
bool MlirParser::operation() {
  MlirOperation op;
  scan_.peek();
  op.position = scan_.position();
  while (scan_.take("%")) {
    std::string name = scan_.name();
    const std::int64_t count = scan_.take(":") ? scan_.integer() : 1;
    if (count < 1 || count > 100'000) scan_.failAt(op.position, fmt::format("%{} stands for {} values", name, count));
    op.names.emplace_back(std::move(name), static_cast<std::size_t>(count));
    if (!scan_.take(",")) scan_.need("=");
  }
  op.generic = scan_.peek() == '"';
  scan_.peek();
  op.position = scan_.position();
  const std::string name = op.generic ? scan_.quoted() : scan_.word();
  const std::size_t dot = name.find('.');
  if (dot != std::string::npos) op.dialect = name.substr(0, dot);
  op.opcode = name.substr(dot == std::string::npos ? 0 : dot + 1);
  if (op.generic) generic(op);
  else pretty(op);
  if (op.opcode == "return" && ownDialects().count(op.dialect) > 0) {
    reader_.location();
    scopes_.here().results = op.operands;
    return false;
  }
  ++module_.instructions;
  emit(op);
  return true;
}

// "dialect.name"(%a, %b) <{a = 1}> ({ ... }, { ... }) {b = 2} : (T, T) -> T
void MlirParser::generic(MlirOperation& op) {
  scan_.need("(");
  while (!scan_.take(")")) {
    op.operands.push_back(value());
    if (scan_.peek() != ')') scan_.need(",");
  }
  if (scan_.take("[")) scan_.fail("control flow between blocks is not read", "while, case and if");
  if (scan_.take("<")) {
    merge(op, reader_.dictionary());
    scan_.need(">");
  }
  if (scan_.take("(")) {
    do op.regions.push_back(region(op.opcode, {}));
    while (scan_.take(","));
    scan_.need(")");
  }
  if (scan_.peek() == '{') merge(op, reader_.dictionary());
  scan_.need(":");
  signature(op);
}

// Behind the colon: (T, T) -> T, or T, or T -> T. A single type is that of all operands and the result.
void MlirParser::signature(MlirOperation& op) {
  const std::size_t position = scan_.position();
  const bool whole = scan_.peek() == '(';
  std::vector<Type> types = whole ? reader_.typesInBrackets() : std::vector<Type>{reader_.type()};
  while (!whole && scan_.take(",")) types.push_back(reader_.type());
  const bool arrow = scan_.take("->");
  if (whole && !arrow) scan_.need("->");
  if (whole) {
    std::vector<int> operands = op.operands;
    operands.insert(operands.end(), op.initial.begin(), op.initial.end());
    if (operands.size() != types.size()) scan_.failAt(position, fmt::format("{} has {} operands, but {} types stand for them", op.fullName(), operands.size(), types.size()));
    for (std::size_t i = 0; i < types.size(); ++i)
      if (scopes_.typeOf(operands[i]) != types[i]) scan_.failAt(position, fmt::format("operand {} of {} is made with another type", i, op.fullName()), "the type with which it is made");
  }
  if (arrow) {
    op.results = reader_.types();
    return;
  }
  std::size_t wanted = 0;
  for (const auto& [name, count] : op.names) wanted += count;
  if (wanted == types.size() || op.opcode == "while") op.results = types;
  else if (wanted == 1) op.results = {types.back()};  // select: a truth value before it
  else if (wanted > 1 && types.size() == 1) op.results.assign(wanted, types[0]);
}

void MlirParser::merge(MlirOperation& op, const MlirDictionary& attributes) {
  if (MlirPlacement placement = reader_.placement(attributes); !placement.none()) op.placement = std::move(placement);
  for (const auto& [key, attribute] : attributes) {
    op.attributes.insert(attribute.fields.begin(), attribute.fields.end());
    if (attribute.fields.empty() && key != "callee" && !key.ends_with(".sharding")) op.attributes[key] = attribute.value;
    if (isCall(op.opcode, key)) op.symbols.insert(op.symbols.end(), attribute.symbols.begin(), attribute.symbols.end());
    if (key == "value" && attribute.literal) op.literal = attribute.literal;
  }
}

std::vector<int> MlirParser::defineResults(const MlirOperation& op) {
  std::vector<int> made;
  std::size_t at = 0;
  for (const auto& [name, count] : op.names) {
    if (at + count > op.results.size()) break;
    const std::vector<Type> types(op.results.begin() + static_cast<std::ptrdiff_t>(at), op.results.begin() + static_cast<std::ptrdiff_t>(at + count));
    const std::vector<int> part = scopes_.define(name, types, op.position);
    made.insert(made.end(), part.begin(), part.end());
    at += count;
  }
  if (op.names.empty() && !op.results.empty()) return scopes_.define(unnamed(), op.results, op.position);
  std::size_t wanted = 0;
  for (const auto& [name, count] : op.names) wanted += count;
  if (wanted != op.results.size()) scan_.failAt(op.position, fmt::format("{} makes {} values, but {} are named", op.fullName(), op.results.size(), wanted));
  return made;
}

// The read operation becomes an instruction.
void MlirParser::emit(MlirOperation& op) {
  op.operands.insert(op.operands.end(), op.initial.begin(), op.initial.end());
  Instruction instruction{.opcode = op.opcode, .scope = reader_.location(), .attributes = std::move(op.attributes), .operands = op.operands, .line = scan_.lineOf(op.position)};
  if (ownDialects().count(op.dialect) == 0) {
    instruction.opcode = "custom_call";
    instruction.attributes["call_target_name"] = op.fullName();
  }
  if (op.dialect == "sdy" && op.opcode == "sharding_group") return;  // a hint
  if (op.dialect == "sdy") instruction.opcode = opcodeOfShardy(op.opcode);
  if (op.opcode == "constant") return emitConstant(op, std::move(instruction));
  std::vector<Type> operandTypes;
  for (int operand : op.operands) operandTypes.push_back(scopes_.typeOf(operand));
  instruction.captured = scopes_.join(op.regions);
  for (const MlirRegion& region : op.regions) instruction.computations.push_back(region.computation);
  complete(instruction, operandTypes, op.results);
  append(op, std::move(instruction));
}

// A number that stands for many elements is a constant without axes and its broadcast.
void MlirParser::emitConstant(MlirOperation& op, Instruction instruction) {
  instruction.opcode = "constant";
  instruction.attributes.erase("value");
  if (!op.literal) scan_.failAt(op.position, "a constant has no values", "dense<0.0> : tensor<f32>");
  const MlirLiteral& literal = *op.literal;
  if (op.results.empty()) op.results = {literal.type};
  if (op.names.empty()) op.names = {{unnamed(), 1}};
  const std::int64_t count = positional::product(literal.type.sizes);
  instruction.literal = literal.data;
  if (literal.splat && count > longestSplat) {
    Instruction element = instruction;
    element.results = scopes_.define(op.names[0].first + ".element", {{.element = op.results[0].element}}, op.position);
    instruction.opcode = "broadcast_in_dim";
    instruction.attributes["broadcast_dimensions"] = std::vector<std::int64_t>();
    instruction.operands = element.results;
    instruction.literal = nullptr;
    scopes_.here().instructions.push_back(std::move(element));
  } else if (literal.splat && literal.data) {
    positional::Data all{.dtype = literal.data->dtype, .sizes = literal.type.sizes};
    if (all.floating()) all.reals.assign(static_cast<std::size_t>(count), literal.data->reals.at(0));
    else all.integers.assign(static_cast<std::size_t>(count), literal.data->integers.at(0));
    instruction.literal = std::make_shared<positional::Data>(std::move(all));
  }
  append(op, std::move(instruction));
}

std::string MlirParser::unnamed() { return fmt::format("{}.unnamed", scopes_.here().values.size()); }

void MlirParser::append(MlirOperation& op, Instruction instruction) {
  instruction.results = defineResults(op);
  place(scopes_.index(), instruction.results, -1, op.placement);
  std::vector<Instruction>& all = scopes_.here().instructions;
  for (const std::string& symbol : op.symbols) calls_.push_back({scopes_.index(), static_cast<int>(all.size()), symbol, op.position});
  all.push_back(std::move(instruction));
}

}  // namespace core::xla
