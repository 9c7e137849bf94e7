#include <fmt/format.h>

#include <array>
#include <cctype>
#include <set>

#include "core/base/text.h"
#include "core/io/xla/mlir_parser.h"

namespace core::xla {
namespace {

using Integers = std::vector<std::int64_t>;

// `dims = [0]` in the pretty form of an operation, and the attribute that it stands for.
struct Clause {
  std::string_view opcode;  // "" is any
  std::string_view key;
  const char* attribute;
};

constexpr Clause clauses[] = {
    {"broadcast", "sizes", "broadcast_sizes"},
    {"broadcast_in_dim", "dims", "broadcast_dimensions"},
    {"dynamic_broadcast_in_dim", "dims", "broadcast_dimensions"},
    {"transpose", "dims", "permutation"},
    {"reverse", "dims", "dimensions"},
    {"concatenate", "dim", "dimension"},
    {"iota", "dim", "iota_dimension"},
    {"dynamic_iota", "dim", "iota_dimension"},
    {"get_dimension_size", "dim", "dimension"},
    {"set_dimension_size", "dim", "dimension"},
    {"dynamic_slice", "sizes", "slice_sizes"},
    {"pad", "low", "edge_padding_low"},
    {"pad", "high", "edge_padding_high"},
    {"pad", "interior", "interior_padding"},
    {"fft", "type", "fft_type"},
    {"fft", "length", "fft_length"},
    {"rng", "distribution", "rng_distribution"},
    {"rng_bit_generator", "algorithm", "rng_algorithm"},
    {"einsum", "config", "einsum_config"},
    {"", "precision", "precision_config"},
};

constexpr std::array<std::pair<std::string_view, const char*>, 5> windowKeys{{
    {"stride", "window_strides"},
    {"pad", "padding"},
    {"lhs_dilate", "lhs_dilation"},
    {"rhs_dilate", "rhs_dilation"},
    {"reverse", "window_reversal"},
}};

bool isKnown(const std::string& dialect) {
  static const std::set<std::string> names{"", "stablehlo", "chlo", "mhlo", "func", "sdy", "arith", "check"};
  return names.count(dialect) > 0;
}

bool isConstant(const MlirOperation& op) { return op.opcode == "constant"; }

}  // namespace

// The pieces of the pretty forms, in whatever order an operation has them, up to its types.
void MlirParser::pretty(MlirOperation& op) {
  if (!isKnown(op.dialect)) return foreign(op);
  for (;;) {
    const char next = scan_.peek();
    if (next == ',') scan_.need(",");
    else if (next == '%') op.operands.push_back(value());
    else if (next == '(') group(op);
    else if (next == '[') bracketed(op);
    else if (next == '<') angled(op);
    else if (next == '{') braced(op);
    else if (next == ':') break;
    else if (next == '"') op.attributes["name"] = scan_.quoted();
    else if (next == '@') {
      const MlirAttribute symbol = reader_.attribute();
      if (op.opcode == "custom_call") op.attributes["call_target_name"] = symbol.value;
      else op.symbols.push_back(symbol.symbols.at(0));
    } else if (isConstant(op) && next != '}') {
      op.literal = reader_.attribute().literal;
      return;
    } else if (std::isalpha(static_cast<unsigned char>(next)) != 0) {
      worded(op);
    } else if (op.opcode == "return") {
      return;  // of nothing
    } else {
      scan_.failMissing(fmt::format("a part of {}", op.fullName()));
    }
  }
  scan_.need(":");
  signature(op);
  if (op.opcode == "while") loop(op);
  if (op.opcode == "reduce" && op.applies.empty()) reducer(op);
  if (op.opcode == "reduce" && !op.applies.empty()) applied(op);
  if (op.opcode == "compare" && !op.words.empty()) op.attributes["comparison_direction"] = op.words[0];
  if (op.opcode == "compare" && op.words.size() > 1) op.attributes["compare_type"] = op.words[1];
}

// An operation of a dialect that is not known: its operands and types are read, the rest is kept as it stands up to the end
// of the line.
void MlirParser::foreign(MlirOperation& op) {
  const std::int64_t line = scan_.lineOf(op.position);
  const std::size_t begin = scan_.position();
  std::size_t end = begin;
  while (!scan_.atEnd() && scan_.lineOf(scan_.position()) == line && scan_.peek() != ':' && scan_.peek() != '}') {
    const char next = scan_.peek();
    if (next == '%') {
      op.operands.push_back(value());
    } else if (next == '@') {
      const std::string symbol = reader_.attribute().symbols.at(0);
      op.attributes["symbol"] = symbol;
      if (auto global = globals_.find(symbol); global != globals_.end()) op.attributes["global"] = global->second;
    } else if (next == '"') {
      scan_.quotedAsIs();
    } else if (next == '(' || next == '[' || next == '{' || next == '<') {
      scan_.bracket();
    } else {
      scan_.goTo(scan_.position() + 1);
    }
    end = scan_.position();
  }
  op.attributes["text"] = std::string(trim(scan_.text().substr(begin, end - begin)));
  if (scan_.take(":")) signature(op);
}

// (%a, %b), (%a init: %b), (%x = %a), (%a, k = 5); of sdy's computations the second one has arguments, (%x: T), and a region.
void MlirParser::group(MlirOperation& op) {
  const bool inner = op.dialect == "sdy" && op.groups++ == 1;
  std::vector<MlirArgument> arguments;
  scan_.need("(");
  while (!scan_.take(")")) {
    if (inner) {
      arguments.push_back(argument());
    } else if (scan_.peek() != '%') {
      worded(op);
    } else if (op.opcode == "while") {
      scan_.need("%");
      op.loopNames.push_back(scan_.name());
      scan_.need("=");
      op.operands.push_back(value());
    } else {
      op.operands.push_back(value());
      if (scan_.takeWord("init")) {
        scan_.need(":");
        op.initial.push_back(value());
      }
    }
    if (scan_.peek() != ')') scan_.need(",");
  }
  if (inner) op.regions.push_back(region(op.opcode, arguments, true));
}

// The ranges of a slice, or the axes of sdy's collectives.
void MlirParser::bracketed(MlirOperation& op) {
  if (op.opcode == "slice") ranges(op);
  else op.attributes["axes"] = std::string(scan_.bracket());
}

// <@mesh, [...]>, <"name">, <{a = 1}>
void MlirParser::angled(MlirOperation& op) {
  const char behind = scan_.peekBehind(1);
  if (behind == '@' || behind == 'm') {
    op.placement.shardings = {reader_.sharding()};
  } else if (behind == '{') {
    scan_.need("<");
    merge(op, reader_.dictionary());
    scan_.need(">");
  } else {
    op.attributes["name"] = std::string(scan_.bracket());
  }
}

// Attributes, or {"x", "y"}: the axes of sdy's collectives.
void MlirParser::braced(MlirOperation& op) {
  const bool axes = op.dialect == "sdy" && op.operands.empty() && op.groups == 0;
  if (axes) op.attributes["axes"] = std::string(scan_.bracket());
  else merge(op, reader_.dictionary());
}

void MlirParser::worded(MlirOperation& op) {
  const std::string word = scan_.word();
  if (scan_.take("=")) return clause(op, word);
  if (word == "applies") op.applies = scan_.word();
  else if (word != "across" && word != "attributes") op.words.push_back(word);
}

void MlirParser::clause(MlirOperation& op, const std::string& key) {
  static const std::map<std::string, void (MlirParser::*)(MlirOperation&, const std::string&)> own{
      {"dim_numbers", &MlirParser::dimNumbers}, {"window", &MlirParser::window}, {"contracting_dims", &MlirParser::pair}, {"batching_dims", &MlirParser::pair},
      {"format", &MlirParser::numberFormat}, {"sharding", &MlirParser::placed}, {"out_sharding", &MlirParser::placed}, {"out_shardings", &MlirParser::placed}};
  if (auto found = own.find(key); found != own.end()) return (this->*found->second)(op, key);
  std::string attribute = key;
  for (const Clause& one : clauses)
    if (one.key == key && (one.opcode.empty() || one.opcode == op.opcode)) attribute = one.attribute;
  const char next = scan_.peek();
  if (next == '<' || next == '{' || (next == '[' && scan_.peekBehind(1) == '<')) op.attributes[attribute] = std::string(scan_.bracket());
  else if (scan_.standsNumber()) op.attributes[attribute] = scan_.integer();  // the colon behind it begins the operation's types
  else op.attributes[attribute] = reader_.attribute().value;
}

void MlirParser::dimNumbers(MlirOperation& op, const std::string&) { reader_.convolutionNumbers(op.attributes); }

// e5m10
void MlirParser::numberFormat(MlirOperation& op, const std::string&) {
  const std::string format = scan_.word();
  const std::size_t split = format.find('m');
  const auto bits = [&](std::size_t begin, std::size_t end) { return parseInteger(std::string_view(format).substr(begin, end - begin)); };
  const std::optional<std::int64_t> exponent = split == std::string::npos ? std::nullopt : bits(1, split), mantissa = exponent ? bits(split + 1, format.size()) : std::nullopt;
  if (format[0] != 'e' || !mantissa) scan_.fail(fmt::format("\"{}\" is no format of numbers", format), "e5m10");
  op.attributes["exponent_bits"] = *exponent;
  op.attributes["mantissa_bits"] = *mantissa;
}

// <@mesh, [...]>, or a list of them: how the results lie.
void MlirParser::placed(MlirOperation& op, const std::string&) {
  if (scan_.peek() == '[') op.placement.shardings = reader_.shardings();
  else op.placement.shardings = {reader_.sharding()};
}

// [0:3, 0:8:2]
void MlirParser::ranges(MlirOperation& op) {
  Integers starts, limits, strides;
  scan_.need("[");
  while (!scan_.take("]")) {
    starts.push_back(scan_.integer());
    scan_.need(":");
    limits.push_back(scan_.integer());
    strides.push_back(scan_.take(":") ? scan_.integer() : 1);
    if (scan_.peek() != ']') scan_.need(",");
  }
  op.attributes["start_indices"] = starts;
  op.attributes["limit_indices"] = limits;
  op.attributes["strides"] = strides;
}

// {stride = [1, 1], pad = [[1, 1], [1, 1]]}
void MlirParser::window(MlirOperation& op, const std::string&) {
  scan_.need("{");
  while (!scan_.take("}")) {
    const std::string part = scan_.word();
    scan_.need("=");
    const Attribute value = reader_.attribute().value;
    for (const auto& [name, attribute] : windowKeys)
      if (name == part) op.attributes[attribute] = value;
    if (scan_.peek() != '}') scan_.need(",");
  }
}

// contracting_dims = [1] x [0], of the left and the right operand
void MlirParser::pair(MlirOperation& op, const std::string& key) {
  const std::string name = key.substr(0, key.find('_')) + "_dimensions";
  op.attributes["lhs_" + name] = scan_.list();
  scan_.need("x");
  op.attributes["rhs_" + name] = scan_.list();
}

}  // namespace core::xla
