#include <fmt/format.h>

#include <string>

#include "core/io/xla/mlir_parser.h"

namespace core::xla {

MlirArgument MlirParser::argument() {
  MlirArgument found;
  scan_.need("%");
  found.position = scan_.position() - 1;
  found.name = scan_.name();
  scan_.need(":");
  found.type = reader_.type();
  found.location = reader_.location();
  return found;
}

// { ^bb0(%a: T): operations }, or without the label where `arguments` stood elsewhere.
MlirRegion MlirParser::region(const std::string& name, const std::vector<MlirArgument>& arguments, bool isolated) {
  MlirReader::Deeper inside(reader_);
  scan_.need("{");
  std::vector<MlirArgument> all = arguments;
  if (scan_.take("^")) {
    scan_.name();
    if (scan_.take("(")) {
      while (!scan_.take(")")) {
        all.push_back(argument());
        if (scan_.peek() != ')') scan_.need(",");
      }
    }
    scan_.need(":");
  }
  scopes_.open(scopes_.any() ? fmt::format("{}_{}", name, module_.computations.size()) : name, isolated);
  for (const MlirArgument& one : all) {
    const std::vector<int> made = scopes_.define(one.name, {one.type}, one.position);
    scopes_.here().parameters.push_back(made[0]);
  }
  body("}");
  return scopes_.close();
}

// Operations up to `end`; the last one returns.
void MlirParser::body(std::string_view end) {
  while (!scan_.take(end)) {
    if (scan_.peek() == '^') scan_.fail("control flow between blocks is not read", "while, case and if");
    if (!operation()) {
      if (scan_.peek() == '^') scan_.fail("control flow between blocks is not read", "while, case and if");
      scan_.need(end);
      return;
    }
  }
}

// cond { ... } do { ... }, behind stablehlo.while(%a = %0) : types
void MlirParser::loop(MlirOperation& op) {
  if (scan_.takeWord("attributes")) merge(op, reader_.dictionary());
  if (op.loopNames.size() != op.results.size()) scan_.failAt(op.position, fmt::format("a loop of {} values has {} types", op.loopNames.size(), op.results.size()));
  std::vector<MlirArgument> carried;
  for (std::size_t i = 0; i < op.loopNames.size(); ++i) carried.push_back({.name = op.loopNames[i], .type = op.results[i], .position = op.position});
  for (const char* word : {"cond", "do"}) {
    scan_.needWord(word);
    op.regions.push_back(region(word, carried));
  }
}

// reducer(%a0: T, %b0: T) (%a1: U, %b1: U) { ... }: it takes a0, a1, b0, b1.
void MlirParser::reducer(MlirOperation& op) {
  scan_.needWord("reducer");
  std::vector<MlirArgument> left, right;
  while (scan_.take("(")) {
    left.push_back(argument());
    scan_.need(",");
    right.push_back(argument());
    scan_.need(")");
  }
  left.insert(left.end(), right.begin(), right.end());
  op.regions.push_back(region("reducer", left));
}

// applies stablehlo.add: a computation of that one operation.
void MlirParser::applied(MlirOperation& op) {
  const std::string opcode = op.applies.substr(op.applies.find('.') + 1);
  if (op.operands.empty()) scan_.failAt(op.position, "it reduces nothing");
  const Type type{.element = scopes_.typeOf(op.operands[0]).element};
  scopes_.open(fmt::format("{}_{}", opcode, module_.computations.size()), true);
  for (const char* name : {"a", "b"}) scopes_.define(name, {type}, op.position);
  const std::vector<int> made = scopes_.define("c", {type}, op.position);
  Computation& computation = scopes_.here();
  computation.parameters = {0, 1};
  computation.results = made;
  computation.instructions.push_back({.opcode = opcode, .operands = {0, 1}, .results = made, .line = scan_.lineOf(op.position)});
  op.regions.push_back(scopes_.close());
}

}  // namespace core::xla
