#include <algorithm>

#include "core/tdl/bind.h"
#include "core/tdl/function.h"

namespace core {
namespace {

// Numbers written in the text have no type of their own: they take that of what they meet.
struct Found {
  DType dtype = DType::f32;
  bool weak = false;
};

int rank(DType dtype) {
  switch (dtype) {
    case DType::boolean:
      return 0;
    case DType::i32:
      return 1;
    case DType::i64:
      return 2;
    case DType::f16:
      return 3;
    case DType::bf16:
      return 4;
    case DType::f32:
      return 5;
    case DType::f64:
      return 6;
  }
  return 0;
}

Found wider(const Found& a, const Found& b) {
  if (a.weak != b.weak) {
    const Found& strong = a.weak ? b : a;
    const Found& weak = a.weak ? a : b;
    return isFloating(strong.dtype) || !isFloating(weak.dtype) ? strong : Found{DType::f32};
  }
  return rank(a.dtype) >= rank(b.dtype) ? a : b;
}

Found typeOf(const Expression& expression, int at, const std::vector<DType>& operands) {
  const Node& node = expression.nodes[static_cast<std::size_t>(at)];
  const auto of = [&](int child) { return typeOf(expression, child, operands); };
  switch (node.kind) {
    case Node::Kind::constant: {
      const bool whole =
          node.value == static_cast<double>(static_cast<long long>(std::clamp(node.value, -0x1p62, 0x1p62)));
      return {whole ? DType::i64 : DType::f32, true};
    }
    case Node::Kind::loop:
      return {DType::i64};
    case Node::Kind::read:
      return {operands[static_cast<std::size_t>(node.operand)]};
    case Node::Kind::unary:
      return rowOf(node.function).boolean ? Found{DType::boolean} : of(node.a);
    case Node::Kind::binary:
      return rowOf(node.function).boolean ? Found{DType::boolean} : wider(of(node.a), of(node.b));
    case Node::Kind::select:
      return wider(of(node.b), of(node.c));
    case Node::Kind::reduce:
      return node.reduction == Reduction::logicalAnd || node.reduction == Reduction::logicalOr ? Found{DType::boolean}
                                                                                               : of(node.a);
    case Node::Kind::cast:
      return {node.dtype};
    case Node::Kind::random:
      return {DType::f32};
  }
  return {};
}

}  // namespace

DType resultType(const Expression& expression, int node, const std::vector<DType>& operands) {
  const Found found = typeOf(expression, node, operands);
  return found.weak ? DType::f32 : found.dtype;
}

}  // namespace core
