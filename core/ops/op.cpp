#include "core/ops/op.h"

#include <unordered_map>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/ops/require.h"

namespace core {
namespace {

const std::unordered_map<std::string_view, const Op*>& byName() {
  static const auto found = [] {
    std::unordered_map<std::string_view, const Op*> all;
    for (const Op* op : allOps()) all.emplace(op->name, op);
    return all;
  }();
  return found;
}

template <class T>
const T* find(const OperatorView& op, const std::string& attribute, const char* type) {
  const auto found = op.attributes().find(attribute);
  if (found == op.attributes().end()) return nullptr;
  if (const T* value = std::get_if<T>(&found->second)) return value;
  refuse(op, "attribute \"" + attribute + "\" is of another type", type);
}

[[noreturn]] void missing(const OperatorView& op, const std::string& attribute) {
  refuse(op, "attribute \"" + attribute + "\" is missing");
}

}  // namespace

TensorId OperatorView::input(std::size_t i) const {
  if (i >= inputs_.size()) refuse(*this, "input " + std::to_string(i + 1) + " is missing");
  return inputs_[i];
}

std::int64_t OperatorView::integer(const std::string& attribute) const {
  if (const auto* value = find<std::int64_t>(*this, attribute, "an integer")) return *value;
  missing(*this, attribute);
}

std::int64_t OperatorView::integer(const std::string& attribute, std::int64_t otherwise) const {
  const auto* value = find<std::int64_t>(*this, attribute, "an integer");
  return value ? *value : otherwise;
}

double OperatorView::number(const std::string& attribute) const {
  if (const auto* value = find<double>(*this, attribute, "a number")) return *value;
  missing(*this, attribute);
}

double OperatorView::number(const std::string& attribute, double otherwise) const {
  const auto* value = find<double>(*this, attribute, "a number");
  return value ? *value : otherwise;
}

const std::string& OperatorView::string(const std::string& attribute) const {
  if (const auto* value = find<std::string>(*this, attribute, "a text")) return *value;
  missing(*this, attribute);
}

const Shape& OperatorView::dims(const std::string& attribute) const {
  if (const auto* value = find<Shape>(*this, attribute, "dimensions")) return *value;
  missing(*this, attribute);
}

const std::vector<std::int64_t>& OperatorView::integers(const std::string& attribute) const {
  if (const auto* value = find<std::vector<std::int64_t>>(*this, attribute, "integers")) return *value;
  missing(*this, attribute);
}

const Op& findOp(const std::string& kind) {
  const auto found = byName().find(kind);
  if (found != byName().end()) return *found->second;
  std::vector<std::string> names;
  for (const Op* op : allOps()) names.emplace_back(op->name);
  throw Error{.what = "no operator \"" + kind + "\" in the catalogue", .where = "", .right = didYouMean(kind, names)};
}

bool isKnownOp(const std::string& kind) {
  return byName().count(kind) != 0;
}

Expression expressionOf(const Graph& graph, const Operator& op) {
  const Op& row = findOp(op.kind);
  const OperatorView view(graph, op);
  if (!row.expression) refuse(view, "has no expression of its own", "expand the graph first");
  return row.expression(view);
}

}  // namespace core
