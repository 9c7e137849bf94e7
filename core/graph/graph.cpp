#include "core/graph/graph.h"

#include <algorithm>

#include "core/graph/size.h"

namespace core {
namespace {

std::vector<TensorId> ofKind(const Graph& graph, TensorKind kind) {
  std::vector<TensorId> found;
  for (std::size_t i = 0; i < graph.tensors.size(); ++i)
    if (graph.tensors[i].kind == kind) found.emplace_back(static_cast<std::int64_t>(i));
  return found;
}

template <class IdType, class Things>
std::optional<IdType> byName(const Things& things, std::string_view name) {
  for (std::size_t i = 0; i < things.size(); ++i)
    if (things[i].name == name) return IdType(static_cast<std::int64_t>(i));
  return std::nullopt;
}

}  // namespace

std::vector<std::int64_t> Graph::sizes(TensorId id) const {
  std::vector<std::int64_t> found;
  found.reserve((*this)[id].shape.size());
  for (DimId dim : (*this)[id].shape) found.push_back(size(dim));
  return found;
}

std::int64_t Graph::elements(TensorId id) const {
  std::int64_t product = 1;
  for (DimId dim : (*this)[id].shape) product = checkedProduct(product, size(dim), (*this)[id].name);
  return product;
}

std::int64_t Graph::bytes(TensorId id) const {
  return checkedProduct(elements(id), byteSize((*this)[id].dtype), (*this)[id].name);
}

std::optional<DimId> Graph::findDim(std::string_view name) const {
  return byName<DimId>(dims, name);
}

std::optional<TensorId> Graph::findTensor(std::string_view name) const {
  return byName<TensorId>(tensors, name);
}

std::vector<TensorId> Graph::inputs() const {
  return ofKind(*this, TensorKind::input);
}

std::vector<TensorId> Graph::states() const {
  return ofKind(*this, TensorKind::state);
}

std::int64_t Graph::parameterCount() const {
  std::int64_t total = 0;
  for (TensorId id : states())
    if ((*this)[id].state == StateKind::parameter) total = checkedSum(total, elements(id), (*this)[id].name);
  return total;
}

std::string_view scopeOf(std::string_view name) {
  const std::size_t slash = name.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : name.substr(0, slash);
}

std::string_view toString(TensorKind kind) {
  switch (kind) {
    case TensorKind::value:
      return "value";
    case TensorKind::input:
      return "input";
    case TensorKind::constant:
      return "constant";
    case TensorKind::state:
      return "state";
  }
  return "value";
}

std::string_view toString(StateKind kind) {
  switch (kind) {
    case StateKind::parameter:
      return "parameter";
    case StateKind::slot:
      return "slot";
    case StateKind::counter:
      return "counter";
    case StateKind::statistic:
      return "statistic";
  }
  return "parameter";
}

std::vector<std::vector<OperatorId>> consumers(const Graph& graph) {
  std::vector<std::vector<OperatorId>> readers(graph.tensors.size());
  for (std::size_t i = 0; i < graph.operators.size(); ++i) {
    const OperatorId id(static_cast<std::int64_t>(i));
    for (TensorId input : graph.operators[i].inputs)
      if (std::vector<OperatorId>& list = readers[input.index()]; list.empty() || list.back() != id) list.push_back(id);
  }
  return readers;
}

}  // namespace core
