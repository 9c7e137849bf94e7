#include "core/tdl/print.h"

#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <set>

#include "core/base/text.h"
#include "core/tdl/function.h"

namespace core {
namespace {

bool isName(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.empty() || !letter(text[0])) return false;
  for (char c : text)
    if (!letter(c) && !digit(c)) return false;
  return text != "inf" && text != "nan" && text != "else";
}

std::string nameFrom(const std::string& text) {
  if (isName(text)) return text;
  std::string name = "_";
  for (char c : text) name += isName(std::string("_") + c) ? c : '_';
  return name;
}

std::string number(double value) {
  if (std::isnan(value)) return "nan";
  return fmt::format("{}", value);  // the shortest that reads back equal
}

class Printer {
 public:
  Printer(const Expression& expression, bool withExtents) : expression_(expression), withExtents_(withExtents) {
    std::set<std::string> taken;
    for (const Loop& loop : expression.loops) {
      const std::string base = nameFrom(loop.name);
      std::string name = base;
      for (int n = 2; loop.kind != Loop::Kind::lookup && !taken.insert(name).second; ++n)
        name = base + "_" + std::to_string(n);
      names_.push_back(name);
    }
  }

  std::string text() {
    std::vector<std::string> outputs, values;
    for (const ExpressionOutput& output : expression_.outputs)
      outputs.push_back(nameFrom(output.name) + "[" + loops(output.loops, ",") + "]");
    for (const ExpressionOutput& output : expression_.outputs) {
      const Node& root = node(output.root);
      if (isOpaque(root)) {
        values = {"opaque(" + read(root) + ")"};
        break;
      }
      values.push_back(value(output.root, 0));
    }
    return join(outputs, ", ") + " = " + join(values, ", ");
  }

 private:
  const Node& node(int at) const { return expression_.nodes[static_cast<std::size_t>(at)]; }
  const std::string& name(int loop) const { return names_[static_cast<std::size_t>(loop)]; }

  static bool isOpaque(const Node& node) {
    for (const AxisIndex& axis : node.axes)
      if (axis.kind == AxisIndex::Kind::whole) return true;
    return false;
  }

  std::string loops(const std::vector<int>& ids, std::string_view between) const {
    std::vector<std::string> parts;
    for (int id : ids) {
      parts.push_back(name(id));
      if (withExtents_) parts.back() += ":" + std::to_string(expression_.loops[static_cast<std::size_t>(id)].extent);
    }
    return join(parts, between);
  }

  // In parentheses where what surrounds it binds closer than `level` allows.
  std::string value(int at, int level) {
    const Node& one = node(at);
    switch (one.kind) {
      case Node::Kind::constant:
        return number(one.value);
      case Node::Kind::loop:
        return name(one.loops[0]);
      case Node::Kind::read:
        return one.otherwise < 0 ? read(one) : "(" + read(one) + " else " + value(one.otherwise, 0) + ")";
      case Node::Kind::unary:
        return unary(one, level);
      case Node::Kind::binary:
        return binary(one, level);
      case Node::Kind::select:
        return "select(" + value(one.a, 0) + ", " + value(one.b, 0) + ", " + value(one.c, 0) + ")";
      case Node::Kind::reduce:
        return reduce(one, level);
      case Node::Kind::cast:
        return std::string(toString(one.dtype)) + "(" + value(one.a, 0) + ")";
      case Node::Kind::random:
        return random(one);
    }
    return {};
  }

  static std::string wrapped(std::string text, bool needed) { return needed ? "(" + text + ")" : text; }

  std::string unary(const Node& one, int level) {
    if (one.function == Function::negate) {
      const bool number = node(one.a).kind == Node::Kind::constant;  // -2 would read as a number
      return wrapped("-" + wrapped(value(one.a, precedence::prefix), number), level > precedence::prefix);
    }
    const FunctionRow& row = rowOf(one.function);
    std::string text = std::string(row.name) + "(" + value(one.a, 0);
    if (row.parameter) text += ", " + number(one.value);
    return text + ")";
  }

  std::string binary(const Node& one, int level) {
    const FunctionRow& row = rowOf(one.function);
    const bool byName =
        row.sign.empty() || (one.function == Function::divide && inIndex_ > 0);  // there / divides whole numbers
    if (byName) return std::string(row.name) + "(" + value(one.a, 0) + ", " + value(one.b, 0) + ")";
    const std::string left = value(one.a, row.precedence), right = value(one.b, row.precedence + 1);
    return wrapped(left + " " + std::string(row.sign) + " " + right, level > row.precedence);
  }

  std::string reduce(const Node& one, int level) {
    const std::string body = value(one.a, precedence::product);
    return wrapped(std::string(toString(one.reduction)) + "(" + loops(one.loops, ",") + ") " + body,
                   level > precedence::sum);
  }

  std::string random(const Node& one) const {
    std::string text = "uniform(\"" + one.seed + "\"";
    for (int loop : one.loops) text += ", " + name(loop);
    return text + ")";
  }

  std::string read(const Node& one) {
    std::vector<std::string> indices;
    for (const AxisIndex& axis : one.axes) indices.push_back(index(axis));
    return nameFrom(expression_.operands[static_cast<std::size_t>(one.operand)]) + "[" + join(indices, ",") + "]";
  }

  std::string index(const AxisIndex& axis) {
    if (axis.kind == AxisIndex::Kind::whole) return ":";
    if (axis.kind == AxisIndex::Kind::affine) return affine(axis);
    ++inIndex_;
    std::string text = value(axis.node, 0);
    --inIndex_;
    return text;
  }

  std::string affine(const AxisIndex& axis) const {
    std::string text;
    for (const LoopTerm& term : axis.terms) {
      text += term.factor < 0 ? "-" : text.empty() ? "" : "+";
      if (term.factor != 1 && term.factor != -1) text += std::to_string(std::abs(term.factor)) + "*";
      text += name(term.loop);
    }
    if (axis.offset != 0 || text.empty())
      text += (axis.offset >= 0 && !text.empty() ? "+" : "") + std::to_string(axis.offset);
    const bool cut = axis.divide != 1 || axis.modulo != 0;
    if (cut && !isName(text)) text = "(" + text + ")";
    if (axis.divide != 1) text += " / " + std::to_string(axis.divide);
    if (axis.modulo != 0) text += " % " + std::to_string(axis.modulo);
    return text;
  }

  const Expression& expression_;
  bool withExtents_;
  std::vector<std::string> names_;  // of the loops
  int inIndex_ = 0;
};

}  // namespace

std::string print(const Expression& expression, bool withExtents) {
  return Printer(expression, withExtents).text();
}

}  // namespace core
