#include <algorithm>
#include <functional>
#include <unordered_map>

#include "core/graph/fold_items.h"

namespace core::folding {

namespace {

std::uint64_t mixed(std::uint64_t seed, std::uint64_t value) {
  std::uint64_t x = seed ^ (value + 0x9E3779B97F4A7C15ull + (seed << 6) + (seed >> 2));
  x ^= x >> 30;
  x *= 0xBF58476D1CE4E5B9ull;
  return x ^ (x >> 27);
}

std::uint64_t hashOf(const std::string& text) {
  return std::hash<std::string>{}(text);
}

// Names that say whose operator it is, not what it does.
bool isOwnName(const std::string& attribute) {
  return attribute == "seed" || attribute == "seed_name" || attribute == "name";
}

// Dimensions as numbers in the order in which an operator first mentions them, with their sizes: x[i,k]·w[k,j] and
// x[i,k]·w[j,k] differ even where all sizes are equal.
class DimOrder {
 public:
  explicit DimOrder(const Graph& graph) : graph_(graph) {}
  std::uint64_t operator()(DimId dim) {
    auto found = std::find(seen_.begin(), seen_.end(), dim);
    auto at = static_cast<std::uint64_t>(found - seen_.begin());
    if (found == seen_.end()) seen_.push_back(dim);
    return mixed(at, static_cast<std::uint64_t>(graph_.size(dim)));
  }

 private:
  const Graph& graph_;
  std::vector<DimId> seen_;
};

struct AttributeHash {
  DimOrder& order;
  std::uint64_t operator()(std::int64_t v) const { return static_cast<std::uint64_t>(v); }
  std::uint64_t operator()(double v) const { return std::hash<double>{}(v); }
  std::uint64_t operator()(const std::string& v) const { return hashOf(v); }
  std::uint64_t operator()(DimId v) const { return order(v); }
  template <class T>
  std::uint64_t operator()(const std::vector<T>& list) const {
    std::uint64_t h = list.size();
    for (const T& one : list) h = mixed(h, (*this)(one));
    return h;
  }
};

std::uint64_t tensorHash(const Graph& graph, TensorId id, DimOrder& order) {
  if (!id.valid()) return 7;
  const Tensor& tensor = graph[id];
  std::uint64_t h = mixed(static_cast<std::uint64_t>(tensor.dtype),
                          tensor.kind == TensorKind::input ? 0 : static_cast<std::uint64_t>(tensor.kind));
  for (DimId dim : tensor.shape) h = mixed(h, order(dim));
  return h;
}

// One to one between two sets of ids, as far as pairs were seen.
template <class I>
class Pairing {
 public:
  bool join(I a, I b) {
    auto [forward, isNew] = there_.try_emplace(a, b);
    auto [back, isNewToo] = here_.try_emplace(b, a);
    return forward->second == b && back->second == a;
  }

 private:
  std::unordered_map<I, I> there_, here_;
};

struct Match {
  const Graph& graph;
  Pairing<DimId> dims;
  Pairing<TensorId> outside;

  bool shapes(const Shape& a, const Shape& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (graph.size(a[i]) != graph.size(b[i]) || !dims.join(a[i], b[i])) return false;
    return true;
  }

  bool tensors(TensorId a, TensorId b) {
    if (!a.valid() || !b.valid()) return a.valid() == b.valid();
    return graph[a].dtype == graph[b].dtype && shapes(graph[a].shape, graph[b].shape);
  }

  bool attributes(const Operator& a, const Operator& b) {
    if (a.attributes.size() != b.attributes.size()) return false;
    for (auto i = a.attributes.begin(), j = b.attributes.begin(); i != a.attributes.end(); ++i, ++j) {
      if (i->first != j->first || i->second.index() != j->second.index()) return false;
      if (const auto* shape = std::get_if<Shape>(&i->second)) {
        if (!shapes(*shape, std::get<Shape>(j->second))) return false;
      } else if (!isOwnName(i->first) && i->second != j->second) {
        return false;
      }
    }
    return true;
  }
};

bool isData(const Graph& graph, TensorId id) {
  return graph[id].kind == TensorKind::value || graph[id].kind == TensorKind::input;
}

}  // namespace

std::vector<std::uint64_t> signatures(const Graph& graph) {
  std::vector<std::uint64_t> all;
  all.reserve(graph.operators.size());
  for (const Operator& op : graph.operators) {
    DimOrder order(graph);
    std::uint64_t h = hashOf(op.kind);
    for (TensorId id : op.inputs) h = mixed(h, tensorHash(graph, id, order));
    for (TensorId id : op.outputs) h = mixed(h, tensorHash(graph, id, order));
    for (const auto& [name, value] : op.attributes) {
      h = mixed(h, hashOf(name));
      if (!isOwnName(name)) h = mixed(h, std::visit(AttributeHash{order}, value));
    }
    all.push_back(h);
  }
  return all;
}

Producers::Producers(const Graph& graph) : op(graph.tensors.size(), -1), output(graph.tensors.size(), -1) {
  for (std::size_t i = 0; i < graph.operators.size(); ++i)
    for (std::size_t k = 0; k < graph.operators[i].outputs.size(); ++k) {
      std::size_t tensor = graph.operators[i].outputs[k].index();
      op[tensor] = static_cast<std::int32_t>(i);
      output[tensor] = static_cast<std::int32_t>(k);
    }
}

Blocks::Blocks(const Graph& graph)
    : graph_(graph),
      signatures_(signatures(graph)),
      producers_(graph),
      position_(graph.operators.size(), -1),
      mark_(graph.operators.size(), 0) {}

std::uint64_t Blocks::hash(std::span<const OperatorId> block) const {
  ++stamp_;
  std::uint64_t h = block.size();
  for (std::size_t i = 0; i < block.size(); ++i) {
    h = mixed(h, signature(block[i]));
    for (TensorId input : graph_[block[i]].inputs) {
      std::int32_t maker = input.valid() ? producers_.op[input.index()] : -1;
      bool inside = maker >= 0 && mark_[static_cast<std::size_t>(maker)] == stamp_;
      h = mixed(h, inside ? static_cast<std::uint64_t>(position_[static_cast<std::size_t>(maker)] + 1) : 0);
    }
    mark_[block[i].index()] = stamp_;
    position_[block[i].index()] = static_cast<std::int32_t>(i);
  }
  return h;
}

bool Blocks::equal(std::span<const OperatorId> a, std::span<const OperatorId> b) const {
  if (std::equal(a.begin(), a.end(), b.begin(), b.end())) return true;
  if (a.size() != b.size()) return false;
  Match match{graph_, {}, {}};
  std::int32_t inA = ++stamp_, inB = ++stamp_;
  for (std::size_t i = 0; i < a.size(); ++i) {
    mark_[a[i].index()] = inA;
    mark_[b[i].index()] = inB;
    position_[a[i].index()] = position_[b[i].index()] = static_cast<std::int32_t>(i);
  }
  auto place = [&](TensorId id, std::int32_t stamp) -> std::pair<std::int32_t, std::int32_t> {
    std::int32_t maker = id.valid() ? producers_.op[id.index()] : -1;
    if (maker < 0 || mark_[static_cast<std::size_t>(maker)] != stamp) return {-1, -1};
    return {position_[static_cast<std::size_t>(maker)], producers_.output[id.index()]};
  };
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Operator &x = graph_[a[i]], &y = graph_[b[i]];
    if (x.kind != y.kind || x.inputs.size() != y.inputs.size() || x.outputs.size() != y.outputs.size()) return false;
    for (std::size_t k = 0; k < x.inputs.size(); ++k) {
      if (!match.tensors(x.inputs[k], y.inputs[k])) return false;
      if (place(x.inputs[k], inA) != place(y.inputs[k], inB)) return false;
      if (!x.inputs[k].valid() || place(x.inputs[k], inA).first >= 0) continue;
      bool alike = isData(graph_, x.inputs[k]) ? isData(graph_, y.inputs[k])
                                               : graph_[x.inputs[k]].kind == graph_[y.inputs[k]].kind;
      if (!alike || !match.outside.join(x.inputs[k], y.inputs[k])) return false;
    }
    for (std::size_t k = 0; k < x.outputs.size(); ++k)
      if (!match.tensors(x.outputs[k], y.outputs[k])) return false;
    if (!match.attributes(x, y)) return false;
  }
  return true;
}

// For each read of a block from the block before it: where it reads, and what of that block. In order of reading.
struct Link {
  std::size_t position, input;
  std::int32_t from, output;
  bool operator==(const Link&) const = default;
};

static std::vector<Link> linksOf(const Graph& graph, const Producers& producers, std::span<const OperatorId> before,
                                 std::span<const OperatorId> block) {
  std::unordered_map<std::int32_t, std::int32_t> position;
  for (std::size_t i = 0; i < before.size(); ++i) position[before[i].value] = static_cast<std::int32_t>(i);
  std::vector<Link> links;
  for (std::size_t i = 0; i < block.size(); ++i)
    for (std::size_t k = 0; k < graph[block[i]].inputs.size(); ++k) {
      TensorId input = graph[block[i]].inputs[k];
      auto found = input.valid() ? position.find(producers.op[input.index()]) : position.end();
      if (found != position.end()) links.push_back({i, k, found->second, producers.output[input.index()]});
    }
  return links;
}

bool Blocks::linkedAlike(const std::vector<std::span<const OperatorId>>& run) const {
  std::vector<Link> first = linksOf(graph_, producers_, run[0], run[1]);
  for (std::size_t i = 2; i < run.size(); ++i)
    if (linksOf(graph_, producers_, run[i - 1], run[i]) != first) return false;
  return true;
}

std::vector<Carried> Blocks::carried(const std::vector<std::span<const OperatorId>>& run) const {
  std::vector<Carried> all;
  std::vector<std::pair<std::int32_t, std::int32_t>> seen;
  for (const Link& link : linksOf(graph_, producers_, run[0], run[1])) {
    std::pair from{link.from, link.output};
    if (std::find(seen.begin(), seen.end(), from) != seen.end()) continue;
    seen.push_back(from);
    Carried value{graph_[run[0][link.position]].inputs[link.input], {}};
    for (const auto& block : run)
      value.out.push_back(
          graph_[block[static_cast<std::size_t>(link.from)]].outputs[static_cast<std::size_t>(link.output)]);
    all.push_back(std::move(value));
  }
  return all;
}

}  // namespace core::folding

namespace core {

bool equalBlocks(const Graph& graph, std::span<const OperatorId> a, std::span<const OperatorId> b) {
  return folding::Blocks(graph).equal(a, b);
}

}  // namespace core
