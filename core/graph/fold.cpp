#include "core/graph/fold.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <unordered_map>

#include "core/graph/fold_items.h"

namespace core {

namespace {

using folding::Blocks;
using folding::Repeat;
using Items = std::vector<FoldItem>;

std::string withoutDigits(std::string_view name) {
  std::string kept;
  for (char c : name)
    if (!std::isdigit(static_cast<unsigned char>(c))) kept += c;
  while (!kept.empty() && (kept.back() == '.' || kept.back() == '_' || kept.back() == '-' || kept.back() == ' '))
    kept.pop_back();
  return kept;
}

class Folder {
 public:
  explicit Folder(const Graph& graph) : graph_(graph), blocks_(graph) {}

  Fold run() {
    fold_.groupOf.resize(graph_.operators.size());
    fold_.groups.push_back({.name = graph_.name, .path = "", .parent = {}});
    for (std::size_t i = 0; i < graph_.operators.size(); ++i) place(OperatorId(static_cast<std::int64_t>(i)));
    finish(GroupId(0));
    compact();
    return std::move(fold_);
  }

 private:
  // --- the tree of scopes
  void place(OperatorId op) {
    const std::string& name = graph_[op].name;
    GroupId group(0);
    std::size_t begin = 0;
    for (std::size_t slash = name.find('/'); slash != std::string::npos; slash = name.find('/', begin)) {
      if (slash > begin) group = child(group, name.substr(0, slash), name.substr(begin, slash - begin));
      begin = slash + 1;
    }
    fold_.labels.push_back(name.substr(begin));
    fold_.groupOf[op.index()] = group;
    fold_.groups[group.index()].items.push_back({FoldItem::Kind::op, op.value});
    for (GroupId g = group; g.valid(); g = fold_[g].parent) fold_.groups[g.index()].operators.push_back(op);
  }

  GroupId child(GroupId parent, const std::string& path, std::string name) {
    auto [at, isNew] = byPath_.try_emplace(path, GroupId());
    if (isNew) {
      at->second = add({.name = std::move(name), .path = path, .parent = parent});
      fold_.groups[parent.index()].items.push_back({FoldItem::Kind::group, at->second.value});
    }
    return at->second;
  }

  GroupId add(Group group) {
    fold_.groups.push_back(std::move(group));
    return GroupId(static_cast<std::int64_t>(fold_.groups.size()) - 1);
  }

  std::span<const OperatorId> operatorsOf(const FoldItem& item) {
    if (item.kind == FoldItem::Kind::group) return fold_[item.group()].operators;
    if (item.kind == FoldItem::Kind::stack) return stackOperators_.at(item.index);
    return {&(opIds_[item.index] = item.op()), 1};
  }

  // --- from the leaves up: children first, then what repeats among them
  void finish(GroupId id) {
    Items items = fold_[id].items;
    for (FoldItem& item : items) {
      if (item.kind != FoldItem::Kind::group) continue;
      finish(item.group());
      item = dissolved(item);
    }
    items = stacked(items, id);
    for (const FoldItem& item : items) adopt(item, id);
    fold_.groups[id.index()].items = std::move(items);
  }

  // A group of one thing says no more than that thing: the thing takes its name and its place.
  FoldItem dissolved(FoldItem item) {
    const Group& group = fold_[item.group()];
    if (group.items.size() != 1) return item;
    FoldItem only = group.items[0];
    if (only.kind == FoldItem::Kind::op) fold_.labels[only.index] = group.name;
    if (only.kind == FoldItem::Kind::stack) fold_.stacks[only.index].name = group.name;
    if (only.kind == FoldItem::Kind::group)
      fold_.groups[only.index].name = group.name + "/" + fold_.groups[only.index].name;
    return only;
  }

  void adopt(const FoldItem& item, GroupId parent) {
    if (item.kind == FoldItem::Kind::op) fold_.groupOf[item.index] = parent;
    if (item.kind == FoldItem::Kind::group) fold_.groups[item.index].parent = parent;
    if (item.kind != FoldItem::Kind::stack) return;
    fold_.stacks[item.index].parent = parent;
    for (GroupId instance : fold_.stacks[item.index].instances) fold_.groups[instance.index()].parent = parent;
  }

  Items stacked(const Items& items, GroupId parent) {
    if (items.size() < 2) return items;
    std::vector<std::uint64_t> sequence;
    for (const FoldItem& item : items)
      sequence.push_back(item.kind == FoldItem::Kind::op ? blocks_.signature(item.op())
                                                         : blocks_.hash(operatorsOf(item)));
    std::vector<Repeat> candidates = folding::repeats(sequence);
    std::size_t tried = 0;
    for (const Repeat& candidate : candidates) {
      if (++tried > 12) break;
      if (auto made = stack(items, candidate, parent)) return *made;
    }
    return items;
  }

  std::optional<Items> stack(const Items& items, const Repeat& candidate, GroupId parent) {
    if (candidate.period == 1 && items[candidate.begin].kind != FoldItem::Kind::group) return {};
    std::size_t begin = bestPhase(items, candidate);
    std::vector<Items> parts(candidate.count);
    std::vector<std::vector<OperatorId>> operators(candidate.count);
    for (std::size_t b = 0; b < candidate.count; ++b)
      for (std::size_t i = 0; i < candidate.period; ++i) {
        const FoldItem& item = items[begin + b * candidate.period + i];
        parts[b].push_back(item);
        for (OperatorId op : operatorsOf(item)) operators[b].push_back(op);
      }
    for (auto& list : operators) std::sort(list.begin(), list.end());
    auto [first, count] = longestEqual(operators);
    if (!worthIt(items, candidate, begin + first * candidate.period, operators, first, count)) return {};

    Items before(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(begin + first * candidate.period));
    Items after(items.begin() + static_cast<std::ptrdiff_t>(begin + (first + count) * candidate.period), items.end());
    Items result = stacked(before, parent);
    result.push_back(makeStack({parts.begin() + static_cast<std::ptrdiff_t>(first),
                                parts.begin() + static_cast<std::ptrdiff_t>(first + count)},
                               operators, first, parent));
    for (const FoldItem& item : stacked(after, parent)) result.push_back(item);
    return result;
  }

  // Where to cut a repetition into blocks: where fewest values cross, so that a layer begins where its residual does.
  std::size_t bestPhase(const Items& items, const Repeat& candidate) {
    if (candidate.slack == 0 || candidate.period == 1) return candidate.begin;
    std::unordered_map<std::int32_t, std::size_t> itemOf;
    for (std::size_t i = 0; i < items.size(); ++i)
      for (OperatorId op : operatorsOf(items[i])) itemOf[op.value] = i;
    std::map<std::int32_t, std::pair<std::size_t, std::size_t>> lives;  // tensor -> made by item, last read by item
    for (auto [op, item] : itemOf)
      for (TensorId input : graph_[OperatorId(op)].inputs) {
        auto maker = input.valid() ? itemOf.find(blocks_.producers().op[input.index()]) : itemOf.end();
        if (maker == itemOf.end()) continue;
        auto& life = lives.try_emplace(input.value, maker->second, maker->second).first->second;
        life.second = std::max(life.second, item);
      }
    std::vector<int> crossing(items.size() + 2, 0);
    for (const auto& [tensor, life] : lives) {
      ++crossing[life.first + 1];
      --crossing[life.second + 1];
    }
    for (std::size_t i = 1; i < crossing.size(); ++i) crossing[i] += crossing[i - 1];
    std::size_t best = 0;
    for (std::size_t s = 1; s <= candidate.slack && s < candidate.period; ++s)
      if (crossing[candidate.begin + s + candidate.period] < crossing[candidate.begin + best + candidate.period])
        best = s;
    return candidate.begin + best;
  }

  // The hash is only a guess: the longest stretch of blocks that are equal and linked alike.
  std::pair<std::size_t, std::size_t> longestEqual(const std::vector<std::vector<OperatorId>>& operators) {
    std::pair<std::size_t, std::size_t> best{0, 0};
    for (std::size_t from = 0; from + best.second < operators.size();) {
      std::size_t to = from + 1;
      while (to < operators.size() && blocks_.equal(operators[to - 1], operators[to])) ++to;
      std::size_t start = from;
      while (to - start >= 2 && !blocks_.linkedAlike(spans(operators, start, to - start)))
        ++start;  // a first block may be fed otherwise
      if (to - start > best.second) best = {start, to - start};
      from = to;
    }
    return best;
  }

  static std::vector<std::span<const OperatorId>> spans(const std::vector<std::vector<OperatorId>>& lists,
                                                        std::size_t first, std::size_t count) {
    return {lists.begin() + static_cast<std::ptrdiff_t>(first),
            lists.begin() + static_cast<std::ptrdiff_t>(first + count)};
  }

  // q, k and v are equal too, but a person wants to see each; two equal pairs of operators are chance.
  bool worthIt(const Items& items, const Repeat& candidate, std::size_t begin,
               const std::vector<std::vector<OperatorId>>& operators, std::size_t first, std::size_t count) {
    if (count < 2) return false;
    bool chained = !blocks_.carried(spans(operators, first, count)).empty();
    std::size_t size = operators[first].size();
    if (candidate.period > 1) return chained && size >= 3 && (count >= 3 || size >= 8);
    std::string name = withoutDigits(fold_[items[begin].group()].name);
    bool numbered = true;
    for (std::size_t i = 1; i < count; ++i) numbered &= withoutDigits(fold_[items[begin + i].group()].name) == name;
    return numbered || (chained && count >= 3);
  }

  FoldItem makeStack(const std::vector<Items>& parts, const std::vector<std::vector<OperatorId>>& operators,
                     std::size_t first, GroupId parent) {
    StackId id(static_cast<std::int64_t>(fold_.stacks.size()));
    bool scoped = parts[0].size() == 1;
    std::string name = scoped ? withoutDigits(fold_[parts[0][0].group()].name) : "";
    std::string parentPath = fold_[parent].path;
    if (name.empty()) name = "block";
    fold_.stacks.push_back({.name = name, .path = "", .parent = parent});
    std::vector<OperatorId> all;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto& own = operators[first + i];
      all.insert(all.end(), own.begin(), own.end());
      GroupId instance = scoped ? parts[i][0].group()
                                : add({.name = name + " " + std::to_string(i),
                                       .path = parentPath + "/" + name + "@" + graph_[own[0]].name,
                                       .parent = parent,
                                       .operators = own,
                                       .guessed = true});
      if (!scoped) {
        Items inner = stacked(parts[i], instance);
        for (const FoldItem& item : inner) adopt(item, instance);
        fold_.groups[instance.index()].items = std::move(inner);
      }
      fold_.groups[instance.index()].stack = id;
      fold_.groups[instance.index()].instance = static_cast<int>(i);
      fold_.stacks[id.index()].instances.push_back(instance);
    }
    fold_.stacks[id.index()].path = fold_[fold_.stacks[id.index()].instances[0]].path + "*";
    fold_.stacks[id.index()].carried = blocks_.carried(spans(operators, first, parts.size()));
    std::sort(all.begin(), all.end());
    stackOperators_[id.value] = std::move(all);
    return {FoldItem::Kind::stack, id.value};
  }

  // Groups that were dissolved leave no holes; numbers follow the tree, so that equal graphs have equal folds.
  void compact() {
    Fold dense{.groups = {}, .stacks = {}, .groupOf = std::move(fold_.groupOf), .labels = std::move(fold_.labels)};
    std::vector<std::int32_t> groups(fold_.groups.size(), -1), stacks(fold_.stacks.size(), -1);
    number(GroupId(0), groups, stacks, dense);
    auto group = [&](GroupId& id) { id = id.valid() ? GroupId(groups[id.index()]) : id; };
    auto rename = [&](FoldItem& item) {
      if (item.kind == FoldItem::Kind::group) item.index = groups[static_cast<std::size_t>(item.index)];
      if (item.kind == FoldItem::Kind::stack) item.index = stacks[static_cast<std::size_t>(item.index)];
    };
    for (Group& g : dense.groups) {
      group(g.parent);
      if (g.stack.valid()) g.stack = StackId(stacks[g.stack.index()]);
      for (FoldItem& item : g.items) rename(item);
    }
    for (Stack& s : dense.stacks) {
      group(s.parent);
      for (GroupId& instance : s.instances) group(instance);
    }
    for (GroupId& id : dense.groupOf) group(id);
    fold_ = std::move(dense);
  }

  void number(GroupId id, std::vector<std::int32_t>& groups, std::vector<std::int32_t>& stacks, Fold& dense) {
    groups[id.index()] = static_cast<std::int32_t>(dense.groups.size());
    dense.groups.push_back(fold_[id]);
    for (const FoldItem& item : fold_[id].items) {
      if (item.kind == FoldItem::Kind::group) number(item.group(), groups, stacks, dense);
      if (item.kind != FoldItem::Kind::stack) continue;
      stacks[static_cast<std::size_t>(item.index)] = static_cast<std::int32_t>(dense.stacks.size());
      dense.stacks.push_back(fold_[item.stack()]);
      for (GroupId instance : fold_[item.stack()].instances) number(instance, groups, stacks, dense);
    }
  }

  const Graph& graph_;
  Blocks blocks_;
  Fold fold_;
  std::unordered_map<std::string, GroupId> byPath_;
  std::unordered_map<std::int32_t, std::vector<OperatorId>> stackOperators_;
  std::unordered_map<std::int32_t, OperatorId> opIds_;
};

}  // namespace

Fold fold(const Graph& graph) {
  return Folder(graph).run();
}

Boundary boundaryOf(const Graph& graph, std::span<const OperatorId> operators) {
  auto inside = [&](OperatorId op) { return std::binary_search(operators.begin(), operators.end(), op); };
  auto once = [](std::vector<TensorId>& list, TensorId id) {
    if (std::find(list.begin(), list.end(), id) == list.end()) list.push_back(id);
  };
  Boundary found;
  std::vector<std::uint8_t> made(graph.tensors.size(), 0);
  for (OperatorId op : operators)
    for (TensorId id : graph[op].outputs) made[id.index()] = 1;
  for (OperatorId op : operators)
    for (TensorId id : graph[op].inputs) {
      if (!id.valid() || made[id.index()]) continue;
      bool data = graph[id].kind == TensorKind::value || graph[id].kind == TensorKind::input;
      once(data ? found.inputs : found.states, id);
    }
  for (std::size_t i = 0; i < graph.operators.size(); ++i) {
    if (inside(OperatorId(static_cast<std::int64_t>(i)))) continue;
    for (TensorId id : graph.operators[i].inputs)
      if (id.valid() && made[id.index()]) once(found.outputs, id);
  }
  for (TensorId id : graph.outputs)
    if (made[id.index()]) once(found.outputs, id);
  std::sort(found.outputs.begin(), found.outputs.end());
  return found;
}

}  // namespace core
