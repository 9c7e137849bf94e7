#include "tests/support/program_tests.h"

#include <QRegularExpression>
#include <QString>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "core/io/xla/stablehlo.h"

namespace tests {

using namespace core;

namespace {

// What a function of constants returns; a constant that is broadcast is written out.
std::vector<positional::DataPtr> valuesOf(const xla::Module& module, const std::string& function) {
  std::vector<positional::DataPtr> values;
  for (const xla::Computation& computation : module.computations) {
    if (computation.name != function) continue;
    std::vector<positional::DataPtr> made(computation.values.size());
    for (const xla::Instruction& one : computation.instructions) {
      positional::DataPtr& result = made[static_cast<std::size_t>(one.results.at(0))];
      result = one.literal;
      if (one.opcode != "broadcast_in_dim" || !made[static_cast<std::size_t>(one.operands.at(0))]) continue;
      auto whole = std::make_shared<positional::Data>(*made[static_cast<std::size_t>(one.operands.at(0))]);
      whole->sizes = computation.values[static_cast<std::size_t>(one.results[0])].type.sizes;
      const auto count = static_cast<std::size_t>(positional::product(whole->sizes));
      if (whole->floating()) whole->reals.assign(count, whole->reals.at(0));
      else whole->integers.assign(count, whole->integers.at(0));
      result = whole;
    }
    for (int result : computation.results) values.push_back(made[static_cast<std::size_t>(result)]);
  }
  return values;
}

// Beside each value, a part of the largest one: sums cancel.
Tolerance toleranceOf(const positional::Data& wanted) {
  double largest = 0;
  for (double value : wanted.reals)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  switch (wanted.dtype) {
    case DType::f64: return {1e-9, 1e-12 * largest};
    case DType::f32: return {1e-4, 1e-5 * largest};
    case DType::f16: return {5e-3, 2e-3 * largest};
    case DType::bf16: return {3e-2, 1e-2 * largest};
    default: return {0, 0};
  }
}

QStringList typesIn(const QString& text) {
  QStringList types;
  static const QRegularExpression type("tensor<(?:[^<>]|<[^<>]*>)*>");
  for (auto match = type.globalMatch(text); match.hasNext();) types << match.next().captured();
  return types;
}

}  // namespace

std::optional<ProgramTest> programTest(const std::string& text) {
  QString program = QString::fromStdString(text);
  static const QRegularExpression main("@main\\(\\)"), inputs("\\n *%(\\w+)(?::\\d+)? = call @inputs\\(\\) : \\(\\) -> ([^\\n]*)"), expected("\\n *%\\w+(:\\d+)? = call @expected\\(\\)[^\\n]*"), check("\\n *stablehlo.custom_call @check[^\\n]*");
  if (!main.match(program).hasMatch() || !expected.match(program).hasMatch()) return std::nullopt;
  const xla::Module module = xla::parseStableHlo(text, "test");
  ProgramTest test{.inputs = valuesOf(module, "inputs"), .expected = valuesOf(module, "expected")};
  for (const positional::DataPtr& data : test.expected) test.tolerances.push_back(data ? toleranceOf(*data) : Tolerance());
  QStringList arguments, names, types;
  if (const QRegularExpressionMatch match = inputs.match(program); match.hasMatch()) {
    types = typesIn(match.captured(2));
    for (qsizetype i = 0; i < types.size(); ++i) {
      names << QStringLiteral("%given%1").arg(i);
      arguments << names.back() + ": " + types[i];
    }
    const QString made = types.size() == 1 ? match.captured(1) : QStringLiteral("%1:%2").arg(match.captured(1)).arg(types.size());
    program.replace(match.capturedStart(), match.capturedLength(), QStringLiteral("\n    %%1 = stablehlo.optimization_barrier %2 : %3").arg(made, names.join(", "), types.join(", ")));
  }
  program.remove(expected);
  program.remove(check);
  program.replace(main, "@main(" + arguments.join(", ") + ")");
  test.text = program.toStdString();
  return test;
}

}  // namespace tests
