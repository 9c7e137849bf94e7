#include "core/graph/dims.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/graph/size.h"

namespace core {
namespace {

// whole = product or sum of parts (and a number): what an operator says of sizes.
struct Relation {
  enum class Kind { product, sum } kind = Kind::product;
  DimId whole;
  Shape parts;
  std::int64_t extra = 0;  // added to a sum
  const Operator* op = nullptr;
};

const Shape& dimsAttribute(const Operator& op, const std::string& name) {
  const auto found = op.attributes.find(name);
  const Shape* dims = found == op.attributes.end() ? nullptr : std::get_if<Shape>(&found->second);
  if (!dims || dims->empty())
    throw Error{.what = fmt::format("attribute \"{}\" is missing or names no dimensions", name), .where = op.name};
  return *dims;
}

std::int64_t integerAttribute(const Operator& op, const std::string& name, std::int64_t missing) {
  const auto found = op.attributes.find(name);
  if (found == op.attributes.end()) return missing;
  if (const auto* value = std::get_if<std::int64_t>(&found->second)) return *value;
  throw Error{.what = fmt::format("attribute \"{}\" is no integer", name), .where = op.name};
}

// What stands around a padded dimension: as it was; nothing behind it where a size was not known.
Relation padRelation(const Graph& graph, const Operator& op) {
  const DimId inner = dimsAttribute(op, "dim")[0], outer = dimsAttribute(op, "into")[0];
  const bool known = graph.size(inner) != 0 && graph.size(outer) != 0;
  return {Relation::Kind::sum,
          outer,
          {inner},
          known ? graph.size(outer) - graph.size(inner) : integerAttribute(op, "low", 0),
          &op};
}

std::vector<Relation> relationsOf(const Graph& graph) {
  std::vector<Relation> found;
  for (const Operator& op : graph.operators) {
    if (op.kind == "split")
      found.push_back({Relation::Kind::product, dimsAttribute(op, "dim")[0], dimsAttribute(op, "into"), 0, &op});
    if (op.kind == "merge")
      found.push_back({Relation::Kind::product, dimsAttribute(op, "into")[0], dimsAttribute(op, "dims"), 0, &op});
    if (op.kind == "concat")
      found.push_back({Relation::Kind::sum, dimsAttribute(op, "into")[0], dimsAttribute(op, "dims"), 0, &op});
    if (op.kind == "rename")
      found.push_back({Relation::Kind::product, dimsAttribute(op, "to")[0], dimsAttribute(op, "from"), 0, &op});
    if (op.kind == "pad" && integerAttribute(op, "step", 1) == 1) found.push_back(padRelation(graph, op));
    if (op.kind == "slice" && op.attributes.count("left_off") != 0 && integerAttribute(op, "step", 1) == 1)
      found.push_back({Relation::Kind::sum, dimsAttribute(op, "dim")[0], dimsAttribute(op, "into"),
                       integerAttribute(op, "start", 0) + integerAttribute(op, "left_off", 0), &op});
  }
  return found;
}

class Binding {
 public:
  explicit Binding(const Graph& graph)
      : graph_(graph), made_(graph), fixed_(graph.dims.size()), relations_(relationsOf(graph)) {}

  Graph run(const std::map<std::string, std::int64_t>& sizes) {
    for (const auto& [name, size] : sizes) {
      if (size < 1)
        throw Error{
            .what = fmt::format("dimension \"{}\" of size {}", name, size), .where = name, .right = "1 or more"};
      set(dimOf(graph_, name), size, nullptr);
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (const Relation& relation : relations_) changed |= follow(relation);
    }
    for (const Operator& op : made_.operators) requireWithin(op);
    requireValuesFit();
    return std::move(made_);
  }

 private:
  std::int64_t size(DimId dim) const { return made_.size(dim); }

  std::string text(const Relation& relation) const {
    std::string parts;
    for (DimId dim : relation.parts)
      parts += fmt::format("{}{}:{}",
                           parts.empty()                              ? ""
                           : relation.kind == Relation::Kind::product ? " * "
                                                                      : " + ",
                           made_[dim].name, size(dim));
    return relation.extra == 0 ? parts : fmt::format("{} + {}", parts, relation.extra);
  }

  [[noreturn]] void refuse(const Relation& relation, std::int64_t wanted) const {
    throw Error{.what = fmt::format("dimension \"{}\" would have size {} and is {}", made_[relation.whole].name, wanted,
                                    size(relation.whole)),
                .where = relation.op->name,
                .right = fmt::format("sizes with {} = {}", made_[relation.whole].name, text(relation))};
  }

  bool set(DimId dim, std::int64_t value, const Relation* why) {
    if (fixed_[dim.index()] && size(dim) != value)
      throw Error{.what = fmt::format("dimension \"{}\" would have both size {} and size {}", made_[dim].name,
                                      size(dim), value),
                  .where = why ? why->op->name : made_[dim].name,
                  .right = why ? fmt::format("sizes with {} = {}", made_[why->whole].name, text(*why))
                               : "one size a dimension"};
    const bool changed = size(dim) != value || !fixed_[dim.index()];
    made_.dims[dim.index()].size = value;
    fixed_[dim.index()] = true;
    return changed;
  }

  bool isFixed(DimId dim) const { return fixed_[dim.index()]; }

  std::int64_t total(const Relation& relation, DimId except = {}) const {
    const bool product = relation.kind == Relation::Kind::product;
    std::int64_t sum = product ? 1 : relation.extra;
    for (DimId dim : relation.parts)
      if (dim != except)
        sum =
            product ? checkedProduct(sum, size(dim), relation.op->name) : checkedSum(sum, size(dim), relation.op->name);
    return sum;
  }

  // The part that gives way: one without a size, else the first that nobody has set.
  DimId freePart(const Relation& relation) const {
    DimId free;
    for (DimId dim : relation.parts)
      if (!isFixed(dim) && (!free.valid() || (size(dim) == 0 && size(free) != 0))) free = dim;
    return free;
  }

  bool follow(const Relation& relation) {
    const bool anyPart =
        std::any_of(relation.parts.begin(), relation.parts.end(), [&](DimId dim) { return isFixed(dim); });
    const bool bound =
        std::all_of(relation.parts.begin(), relation.parts.end(), [&](DimId dim) { return size(dim) != 0; });
    if (!anyPart && !isFixed(relation.whole)) return false;
    if (bound && !isFixed(relation.whole)) return set(relation.whole, total(relation), &relation);
    if (!isFixed(relation.whole) || (bound && total(relation) == size(relation.whole))) return false;
    const DimId part = freePart(relation);
    if (!part.valid()) refuse(relation, total(relation));
    const std::int64_t rest = total(relation, part), whole = size(relation.whole);
    if (relation.kind == Relation::Kind::product ? rest == 0 : rest >= whole) {
      if (rest == 0) return false;  // another part has no size yet either
      refuse(relation, rest + 1);
    }
    if (relation.kind == Relation::Kind::product && whole % rest != 0)
      throw Error{.what = fmt::format("dimension \"{}\" of size {} is not a multiple of {}", made_[relation.whole].name,
                                      whole, rest),
                  .where = relation.op->name,
                  .right = fmt::format("a size that goes with {}", text(relation))};
    return set(part, relation.kind == Relation::Kind::product ? whole / rest : whole - rest, &relation);
  }

  void requireWithin(const Operator& op) const {
    if (op.kind != "slice" && op.kind != "pick") return;
    const DimId dim = dimsAttribute(op, "dim")[0];
    std::int64_t last = integerAttribute(op, "index", 0);
    if (op.kind == "slice")
      last =
          integerAttribute(op, "start", 0) + integerAttribute(op, "step", 1) * (size(dimsAttribute(op, "into")[0]) - 1);
    if (op.kind == "slice" && size(dimsAttribute(op, "into")[0]) == 0) return;
    const std::int64_t most = std::max(last, integerAttribute(op, "start", 0));
    if (size(dim) != 0 && most >= size(dim))
      throw Error{
          .what = fmt::format("it reads element {} of dimension \"{}\" of size {}", most, made_[dim].name, size(dim)),
          .where = op.name,
          .right = fmt::format("a size of {} or more", most + 1)};
    if (last < 0)
      throw Error{.what = fmt::format("it reads element {} of dimension \"{}\"", last, made_[dim].name),
                  .where = op.name,
                  .right = "elements within it"};
  }

  // Values in files and in the plan have the sizes with which they were saved.
  void requireValuesFit() const {
    for (const Tensor& tensor : made_.tensors) {
      if (!std::holds_alternative<FileSource>(tensor.source) && !std::holds_alternative<InlineSource>(tensor.source))
        continue;
      for (DimId dim : tensor.shape)
        if (size(dim) != graph_.size(dim) && graph_.size(dim) != 0)
          throw Error{.what = fmt::format("dimension \"{}\" cannot become {}: the values of \"{}\" have {}",
                                          made_[dim].name, size(dim), tensor.name, graph_.size(dim)),
                      .where = tensor.name,
                      .right = "the size with which they were saved, or the model without values"};
    }
  }

  const Graph& graph_;
  Graph made_;
  std::vector<bool> fixed_;  // by dimension: set by the person, or derived from one that is
  std::vector<Relation> relations_;
};

}  // namespace

DimId dimOf(const Graph& graph, std::string_view name) {
  if (const auto found = graph.findDim(name)) return *found;
  if (const auto alias = graph.aliases.find(std::string(name)); alias != graph.aliases.end())
    if (const auto found = graph.findDim(alias->second)) return *found;
  std::vector<std::string> names;
  for (const Dim& dim : graph.dims) names.push_back(dim.name);
  throw Error{.what = fmt::format("no dimension \"{}\"", name), .where = graph.name, .right = didYouMean(name, names)};
}

Graph renameDim(const Graph& graph, std::string_view from, const std::string& to) {
  const DimId dim = dimOf(graph, from);
  const auto good = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  if (to.empty() || !std::all_of(to.begin(), to.end(), good))
    throw Error{.what = fmt::format("\"{}\" is no name for a dimension", to),
                .where = std::string(from),
                .right = "letters, digits and _"};
  if (graph[dim].name == to) return graph;
  if (graph.findDim(to))
    throw Error{.what = fmt::format("there is already a dimension \"{}\"", to),
                .where = std::string(from),
                .right = "a name that no dimension has"};
  Graph renamed = graph;
  const std::string old = graph[dim].name;
  renamed.dims[dim.index()].name = to;
  renamed.aliases.erase(to);
  for (auto& [alias, target] : renamed.aliases)
    if (target == old) target = to;
  renamed.aliases[old] = to;
  return renamed;
}

Graph bindDims(const Graph& graph, const std::map<std::string, std::int64_t>& sizes) {
  return Binding(graph).run(sizes);
}

Graph bindDim(const Graph& graph, std::string_view name, std::int64_t size) {
  return bindDims(graph, {{std::string(name), size}});
}

}  // namespace core
