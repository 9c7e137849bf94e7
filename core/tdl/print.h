#pragma once

#include <string>

#include "core/tdl/expression.h"

namespace core {

// The text that parses back to it: "y[i,j] = sum(k) a[i,k] * b[k,j]"; with extents "y[i:4,j:6] = sum(k:8) ...".
// Loops of one name are told apart by _2, _3.
std::string print(const Expression& expression, bool withExtents = false);

// The same meaning in one form: nodes as a tree in post-order, loops in the order in which they first occur (outputs',
// then those of the values), each loop once in an index, fields without a meaning at their defaults. Two expressions
// that print alike are equal in it.
Expression canonical(const Expression& expression);

}  // namespace core
