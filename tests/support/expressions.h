#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/tdl/bind.h"
#include "core/tdl/expression.h"
#include "core/tdl/print.h"
#include "tests/support/random.h"

namespace tests {

// express("y[i,j] = sum(k) a[i,k] * b[k,j]", {{"a", {"m", "k"}, {2, 3}}, {"b", {"k", "n"}, {3, 4}}})
core::Expression express(std::string_view text, core::Bindings bindings);
core::Expression express(std::string_view text, std::vector<core::BoundOperand> operands);

// A random expression with every kind of node, and operands that fit it: reads that may fall outside have an `else`,
// operands named "ids..." hold whole numbers that are rows of what they index.
struct RandomExpression {
  core::Expression expression;
  std::vector<core::BoundOperand> operands;
  std::vector<core::Array> arrays;
};
RandomExpression randomExpression(Random& random);

}  // namespace tests
