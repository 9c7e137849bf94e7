#include "core/io/xla/hlo_type.h"

#include <fmt/format.h>

namespace core::xla {
namespace {

constexpr int deepest = 100;  // tuples in tuples

HloType read(Scanner& scan, int depth) {
  HloType type;
  if (depth > deepest) scan.fail("tuples lie too deep in each other", fmt::format("at most {} deep", deepest));
  if (scan.take("(")) {
    type.tuple = true;
    while (!scan.take(")")) {
      type.parts.push_back(read(scan, depth + 1));
      if (scan.peek() != ')') scan.need(",");
    }
    return type;
  }
  type.leaf.element = scan.word();
  scan.need("[");
  while (!scan.take("]")) {
    if (scan.take("<=")) scan.fail("the size is known only as a bound", "a program of fixed sizes");
    const std::int64_t size = scan.integer();
    if (size < 0) scan.fail("a size is negative");
    type.leaf.sizes.push_back(size);
    if (scan.peek() != ']') scan.need(",");
  }
  positional::product(type.leaf.sizes);
  if (scan.here() == '{') {  // a body would stand behind a blank
    scan.need("{");
    scan.balanced();
    while (scan.take(",")) scan.balanced();
    scan.need("}");
  }
  return type;
}

}  // namespace

std::size_t HloType::leaves() const {
  if (!tuple) return 1;
  std::size_t count = 0;
  for (const HloType& part : parts) count += part.leaves();
  return count;
}

void HloType::flatten(std::vector<Type>& into) const {
  if (!tuple) into.push_back(leaf);
  for (const HloType& part : parts) part.flatten(into);
}

HloType readType(Scanner& scan) { return read(scan, 0); }

}  // namespace core::xla
