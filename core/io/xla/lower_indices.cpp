#include <algorithm>
#include <numeric>

#include "core/io/xla/lowerer.h"

// Reading and writing where indices say.

namespace core::xla {
namespace {

using Site = Lowerer::Site;
using Made = std::optional<Terms>;
using Integers = std::vector<std::int64_t>;

bool has(const Integers& list, std::size_t value) { return std::find(list.begin(), list.end(), static_cast<std::int64_t>(value)) != list.end(); }

Term whole64(Lowerer& lower, std::int64_t number) { return lower.scalar(number, {"s64", {}}); }

Term on(Lowerer& lower, const char* type, const Term& a, const Term& b, const Sizes& sizes, const char* element = "s64") { return lower.apply(type, {a, b}, {element, sizes}); }

// Where a part of `size` of an axis of `count` may begin.
Term clamped(Lowerer& lower, const Term& start, std::int64_t count, std::int64_t size) {
  Term index = lower.cast(start, {"s64", start.type.sizes});
  index = on(lower, "Max", index, whole64(lower, 0), index.type.sizes);
  return on(lower, "Min", index, whole64(lower, count - size), index.type.sizes);
}

// A vector along axis `axis` of tensors of as many axes as `sizes` has.
Term along(Lowerer& lower, Term vector, std::size_t axis, const Sizes& sizes) {
  Sizes apart(sizes.size(), 1);
  apart.at(axis) = sizes[axis];
  vector = lower.reshape(std::move(vector), apart);
  vector.type.sizes = sizes;
  return vector;
}

Made dynamicSlice(Lowerer& lower, const Site& site) {
  Term x = site.operands.at(0);
  const Integers sizes = site.instruction.integers("slice_sizes");
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::int64_t count = x.type.sizes.at(i), size = sizes[i];
    const Term& start = site.operands.at(i + 1);
    if (size == count) continue;
    if (start.splat) {
      const std::int64_t at = std::clamp<std::int64_t>(*start.splat, 0, count - size);
      x = lower.slice(std::move(x), i, at, at + size);
      continue;
    }
    Term first = lower.reshape(clamped(lower, start, count, size), {1});
    first.type.sizes = {size};
    x = lower.take(std::move(x), i, size == 1 ? first : on(lower, "Add", first, lower.iota(size, "s64"), {size}));
  }
  return Terms{x};
}

Made dynamicUpdateSlice(Lowerer& lower, const Site& site) {
  const Term& base = site.operands.at(0);
  Term part = site.operands.at(1);
  const Sizes& sizes = base.type.sizes;
  Integers starts;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::int64_t size = part.type.sizes.at(i);
    const Term& start = site.operands.at(i + 2);
    if (size == sizes[i]) starts.push_back(0);
    else if (start.splat) starts.push_back(std::clamp<std::int64_t>(*start.splat, 0, sizes[i] - size));
  }
  if (starts.size() == sizes.size()) return Terms{lower.update(base, part, starts)};
  std::optional<Term> inside;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::int64_t size = part.type.sizes[i];
    if (size == sizes[i]) continue;
    Term start = lower.reshape(clamped(lower, site.operands[i + 2], sizes[i], size), {1});
    start.type.sizes = {sizes[i]};
    const Term at = on(lower, "Sub", lower.iota(sizes[i], "s64"), start, {sizes[i]});
    Term here;
    if (size == 1) {
      here = on(lower, "Equal", at, whole64(lower, 0), {sizes[i]}, "pred");
      part.type.sizes[i] = sizes[i];
    } else {
      here = on(lower, "And", on(lower, "GreaterOrEqual", at, whole64(lower, 0), {sizes[i]}, "pred"), on(lower, "Less", at, whole64(lower, size), {sizes[i]}, "pred"), {sizes[i]}, "pred");
      part = lower.take(std::move(part), i, on(lower, "Min", on(lower, "Max", at, whole64(lower, 0), {sizes[i]}), whole64(lower, size - 1), {sizes[i]}));
    }
    here = along(lower, std::move(here), i, sizes);
    inside = inside ? on(lower, "And", *inside, here, sizes, "pred") : here;
  }
  return Terms{lower.apply("Where", {*inside, part, base}, base.type)};
}

// What gather and scatter share: their indices, component by component.
struct Indices {
  Sizes batch;             // the axes of the indices but that of the components
  Integers batchOf;        // which axes of the indices these are
  Terms components;        // s64 [batch]
};

Indices indicesOf(Lowerer& lower, const Term& indices, std::int64_t vectorAxis, std::size_t count) {
  Indices found;
  const auto rank = static_cast<std::int64_t>(indices.type.sizes.size());
  for (std::int64_t i = 0; i < rank; ++i)
    if (i != vectorAxis) found.batch.push_back(indices.type.sizes[static_cast<std::size_t>(i)]), found.batchOf.push_back(i);
  const Term ids = lower.cast(indices, {"s64", indices.type.sizes});
  for (std::size_t k = 0; k < count; ++k) {
    const auto at = static_cast<std::int64_t>(k);
    found.components.push_back(lower.reshape(vectorAxis == rank ? ids : lower.slice(ids, static_cast<std::size_t>(vectorAxis), at, at + 1), found.batch));
  }
  return found;
}

Term spread(Lowerer& lower, Term x, std::size_t behind, const Sizes& sizes) {  // [batch] -> [batch, 1, ...] of sizes
  Sizes apart = x.type.sizes;
  apart.resize(apart.size() + behind, 1);
  x = lower.reshape(std::move(x), apart);
  x.type.sizes = sizes;
  return x;
}

// Rows of one axis: the axis is looked up, all others are read whole.
std::optional<std::int64_t> lookedUp(const Site& site) {
  const Integers map = site.instruction.integers("start_index_map"), collapsed = site.instruction.integers("collapsed_slice_dims"), sizes = site.instruction.integers("slice_sizes");
  if (map.size() != 1 || collapsed != map || !site.instruction.integers("operand_batching_dims").empty()) return std::nullopt;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (static_cast<std::int64_t>(i) != map[0] && sizes[i] != site.operands.at(0).type.sizes.at(i)) return std::nullopt;
  return map[0];
}

// `made` has the axes named by `labels`; the result wants them in the order of `wanted`.
Term inOrder(Lowerer& lower, Term made, const Integers& labels, const Integers& wanted) {
  Integers order;
  for (std::int64_t label : wanted) order.push_back(std::find(labels.begin(), labels.end(), label) - labels.begin());
  return lower.transpose(std::move(made), order);
}

// Labels of the result's axes: axes of the operand as they are, batch axis j as -1 - j.
Integers wantedLabels(const Integers& offsetDims, const Integers& windows, std::size_t rank) {
  Integers wanted;
  std::size_t window = 0;
  std::int64_t batch = 0;
  for (std::size_t i = 0; i < rank; ++i) wanted.push_back(has(offsetDims, i) ? windows.at(window++) : -1 - batch++);
  return wanted;
}

Made gather(Lowerer& lower, const Site& site) {
  const Instruction& at = site.instruction;
  Term x = site.operands.at(0);
  const Integers map = at.integers("start_index_map"), collapsed = at.integers("collapsed_slice_dims"), batching = at.integers("operand_batching_dims"), sizes = at.integers("slice_sizes");
  const std::size_t rank = x.type.sizes.size();
  const Indices indices = indicesOf(lower, site.operands.at(1), at.integer("index_vector_dim", 0), map.size());
  Integers windows;  // axes of the operand that the result has
  for (std::size_t i = 0; i < rank; ++i)
    if (!has(collapsed, i) && !has(batching, i)) windows.push_back(static_cast<std::int64_t>(i));
  const Integers wanted = wantedLabels(at.integers("offset_dims"), windows, site.result().sizes.size());
  Integers batchLabels;
  for (std::size_t j = 0; j < indices.batch.size(); ++j) batchLabels.push_back(-1 - static_cast<std::int64_t>(j));
  if (const auto axis = lookedUp(site)) {
    Term ids = clamped(lower, indices.components[0], x.type.sizes.at(static_cast<std::size_t>(*axis)), 1);
    const int from = lower.whole(x), rows = lower.whole(ids);
    Integers labels;
    Type type = x.type;
    type.sizes.clear();
    for (std::size_t i = 0; i < rank; ++i) {
      if (static_cast<std::int64_t>(i) == *axis) labels.insert(labels.end(), batchLabels.begin(), batchLabels.end()), type.sizes.insert(type.sizes.end(), indices.batch.begin(), indices.batch.end());
      else labels.push_back(static_cast<std::int64_t>(i)), type.sizes.push_back(x.type.sizes[i]);
    }
    Term made{.type = type, .value = lower.node("Gather", {from, rows}, {{"axis", *axis}}, type.sizes, lower.kept(type)), .splat = std::nullopt, .parts = nullptr};
    return Terms{inOrder(lower, std::move(made), labels, wanted)};
  }
  // All axes that indices choose become one, and the indices numbers in it.
  Integers order = batching, labels = batchLabels;
  order.insert(order.end(), map.begin(), map.end());
  const std::size_t chosen = order.size();
  Integers ranges;  // axes chosen, of which more than one element is read
  for (std::int64_t axis : map)
    if (sizes.at(static_cast<std::size_t>(axis)) > 1) ranges.push_back(axis);
  for (std::size_t i = 0; i < rank; ++i) {
    if (has(map, i) || has(batching, i)) continue;
    order.push_back(static_cast<std::int64_t>(i));
    x = lower.slice(std::move(x), i, 0, sizes.at(i));
  }
  Sizes idSizes = indices.batch;
  for (std::int64_t axis : ranges) idSizes.push_back(sizes[static_cast<std::size_t>(axis)]), labels.push_back(axis);
  Term row;
  std::int64_t stride = 1;
  for (std::size_t k = chosen; k-- > 0;) {
    const auto axis = static_cast<std::size_t>(order[k]);
    const std::int64_t count = x.type.sizes.at(axis);
    Term index;
    if (k < batching.size()) {
      const std::int64_t of = at.integers("start_indices_batching_dims").at(k);
      const auto j = static_cast<std::size_t>(std::find(indices.batchOf.begin(), indices.batchOf.end(), of) - indices.batchOf.begin());
      index = along(lower, lower.iota(count, "s64"), j, idSizes);
    } else {
      index = spread(lower, clamped(lower, indices.components[k - batching.size()], count, sizes[axis]), ranges.size(), idSizes);
      if (auto range = std::find(ranges.begin(), ranges.end(), static_cast<std::int64_t>(axis)); range != ranges.end())
        index = on(lower, "Add", index, along(lower, lower.iota(sizes[axis], "s64"), indices.batch.size() + static_cast<std::size_t>(range - ranges.begin()), idSizes), idSizes);
    }
    if (stride != 1) index = on(lower, "Mul", index, whole64(lower, stride), idSizes);
    row = row.value < 0 ? index : on(lower, "Add", row, index, idSizes);
    stride *= count;
  }
  if (chosen == 0) row = spread(lower, whole64(lower, 0), idSizes.size(), idSizes);
  x = lower.transpose(std::move(x), order);
  Sizes flat{stride}, madeSizes = idSizes;
  for (std::size_t k = chosen; k < order.size(); ++k) flat.push_back(x.type.sizes[k]), madeSizes.push_back(x.type.sizes[k]), labels.push_back(order[k]);
  x = lower.reshape(std::move(x), flat);
  const int from = lower.whole(x), rows = lower.whole(row);
  Term made{.type = {x.type.element, madeSizes}, .splat = std::nullopt, .parts = nullptr};
  made.value = lower.node("Gather", {from, rows}, {{"axis", std::int64_t{0}}}, madeSizes, lower.kept(made.type));
  for (std::int64_t axis : windows)  // of one element, chosen
    if (std::find(labels.begin(), labels.end(), axis) == labels.end()) labels.push_back(axis), madeSizes.push_back(1);
  return Terms{inOrder(lower, lower.reshape(std::move(made), madeSizes), labels, wanted)};
}

// "" where the update replaces what is there; nothing for what no operator does.
std::optional<std::string> scatterReduction(Lowerer& lower, const Site& site) {
  const Computation& body = lower.module().computations.at(static_cast<std::size_t>(site.instruction.computations.at(0)));
  if (body.instructions.empty() && body.parameters.size() == 2 && body.results.size() == 1 && body.results[0] == body.parameters[1]) return "none";
  std::string opcode;
  if (!lower.isBinary(site.instruction.computations[0], opcode)) return std::nullopt;
  static const std::map<std::string, std::string> table{{"add", "add"}, {"multiply", "mul"}, {"maximum", "max"}, {"minimum", "min"}};
  auto found = table.find(opcode);
  return found == table.end() ? std::nullopt : std::optional(found->second);
}

// Element by element into the flat operand; what lies outside goes to one place more, which is cut off again.
Made scatter(Lowerer& lower, const Site& site) {
  const Instruction& at = site.instruction;
  if (site.operands.size() != 3) return std::nullopt;
  const std::optional<std::string> reduction = scatterReduction(lower, site);
  Term x = site.operands[0];
  const Term& updates = site.operands[2];
  if (!reduction || x.type.element == "pred" || (x.type.element == "u64" && (*reduction == "max" || *reduction == "min"))) return std::nullopt;
  const Integers map = at.integers("scatter_dims_to_operand_dims"), inserted = at.integers("inserted_window_dims"), batching = at.integers("input_batching_dims"), windowDims = at.integers("update_window_dims");
  const Indices indices = indicesOf(lower, site.operands[1], at.integer("index_vector_dim", 0), map.size());
  const Sizes& full = updates.type.sizes;
  if (map.empty() && full == x.type.sizes) {  // no index: all of it
    static const std::map<std::string, std::string> joining{{"add", "Add"}, {"mul", "Mul"}, {"max", "Max"}, {"min", "Min"}};
    if (*reduction == "none") return Terms{updates};
    return Terms{lower.wrapped(lower.apply(joining.at(*reduction), {x, updates}, x.type))};
  }
  Integers batchAxes;  // of the updates
  for (std::size_t i = 0; i < full.size(); ++i)
    if (!has(windowDims, i)) batchAxes.push_back(static_cast<std::int64_t>(i));
  if (batchAxes.size() != indices.batch.size()) return std::nullopt;
  auto acrossBatch = [&](Term component) {
    Sizes apart(full.size(), 1);
    for (std::size_t j = 0; j < batchAxes.size(); ++j) apart[static_cast<std::size_t>(batchAxes[j])] = indices.batch[j];
    component = lower.reshape(std::move(component), apart);
    component.type.sizes = full;
    return component;
  };
  std::int64_t stride = 1, total = positional::product(x.type.sizes);
  std::optional<Term> place, inside;
  std::size_t window = windowDims.size();
  for (std::size_t axis = x.type.sizes.size(); axis-- > 0;) {
    const std::int64_t count = x.type.sizes[axis];
    std::optional<Term> index;
    std::int64_t size = 1;
    if (!has(inserted, axis) && !has(batching, axis)) {
      const auto of = static_cast<std::size_t>(windowDims.at(--window));
      size = full.at(of);
      if (size > 1) index = along(lower, lower.iota(size, "s64"), of, full);
    }
    if (auto mapped = std::find(map.begin(), map.end(), static_cast<std::int64_t>(axis)); mapped != map.end()) {
      const Term start = acrossBatch(indices.components[static_cast<std::size_t>(mapped - map.begin())]);
      const Term fits = on(lower, "And", on(lower, "GreaterOrEqual", start, whole64(lower, 0), full, "pred"), on(lower, "LessOrEqual", start, whole64(lower, count - size), full, "pred"), full, "pred");
      inside = inside ? on(lower, "And", *inside, fits, full, "pred") : fits;
      index = index ? on(lower, "Add", *index, start, full) : start;
    } else if (auto batch = std::find(batching.begin(), batching.end(), static_cast<std::int64_t>(axis)); batch != batching.end()) {
      const std::int64_t of = at.integers("scatter_indices_batching_dims").at(static_cast<std::size_t>(batch - batching.begin()));
      const auto j = static_cast<std::size_t>(std::find(indices.batchOf.begin(), indices.batchOf.end(), of) - indices.batchOf.begin());
      index = along(lower, lower.iota(count, "s64"), static_cast<std::size_t>(batchAxes.at(j)), full);
    }
    if (index) {
      if (stride != 1) index = on(lower, "Mul", *index, whole64(lower, stride), full);
      place = place ? on(lower, "Add", *place, *index, full) : *index;
    }
    stride *= count;
  }
  if (!place) place = spread(lower, whole64(lower, 0), full.size(), full);
  if (inside) place = lower.apply("Where", {*inside, *place, whole64(lower, total)}, {"s64", full});
  const std::int64_t count = positional::product(full);
  const Term filling{.type = {x.type.element, {}}, .value = lower.number(0, lower.kept(x.type)), .splat = std::nullopt, .parts = nullptr};
  const Term longer = lower.pad(lower.reshape(x, {total}), {0}, {1}, filling);
  const Term flatIds = lower.reshape(*place, {count}), flatUpdates = lower.reshape(updates, {count});
  const int data = lower.whole(longer), ids = lower.whole(flatIds), values = lower.whole(flatUpdates);
  Term made{.type = longer.type, .splat = std::nullopt, .parts = nullptr};
  made.value = lower.node("ScatterElements", {data, ids, values}, {{"axis", std::int64_t{0}}, {"reduction", *reduction}}, longer.type.sizes, lower.kept(longer.type));
  return Terms{lower.wrapped(lower.reshape(lower.slice(std::move(made), 0, 0, total), x.type.sizes))};
}

Made topK(Lowerer& lower, const Site& site) {
  const Type& values = site.result(0);
  const Type& places = site.result(1);
  const int k = lower.integers({values.sizes.at(values.sizes.size() - 1)});
  const int x = lower.whole(site.operands.at(0));
  const std::vector<int> made = lower.nodes("TopK", "", {x, k}, {{"axis", std::int64_t{-1}}, {"largest", site.instruction.integer("largest", 1)}, {"sorted", std::int64_t{1}}}, {{values.sizes, lower.kept(values)}, {places.sizes, DType::i64}});
  const Term ids{.type = {"s64", places.sizes}, .value = made[1], .splat = std::nullopt, .parts = nullptr};
  return Terms{{.type = values, .value = made[0], .splat = std::nullopt, .parts = nullptr}, lower.cast(ids, places)};
}

}  // namespace

const std::map<std::string, LowerRule>& lowerIndices() {
  static const std::map<std::string, LowerRule> table{{"dynamic_slice", dynamicSlice}, {"dynamic_update_slice", dynamicUpdateSlice}, {"gather", gather}, {"scatter", scatter}, {"top_k", topK}};
  return table;
}

}  // namespace core::xla
