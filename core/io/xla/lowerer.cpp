#include "core/io/xla/lowerer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/io/element.h"
#include "core/io/xla/scope.h"

namespace core::xla {

using positional::Data;
using positional::Model;
using positional::Node;

namespace {

constexpr std::size_t mostNodes = std::size_t{1} << 20;
constexpr std::int64_t opset = 17;  // of which operators are spoken

Sizes withoutLeadingOnes(Sizes sizes) {
  sizes.erase(sizes.begin(), std::find_if(sizes.begin(), sizes.end(), [](std::int64_t size) { return size != 1; }));
  return sizes;
}

Sizes withoutOnes(Sizes sizes) {
  sizes.erase(std::remove(sizes.begin(), sizes.end(), 1), sizes.end());
  return sizes;
}

}  // namespace

DType Lowerer::kept(const Type& type) const {
  if (std::find(type.sizes.begin(), type.sizes.end(), -1) != type.sizes.end()) throw Error{.what = "a size is decided while the program runs", .where = scope_, .right = "a program of fixed sizes"};
  const std::optional<Kept> found = keptAs(type.element);
  if (!found) throw Error{.what = fmt::format("the program computes with {}, which nothing here holds", type.element), .where = scope_, .right = "pred, s8 to s64, u8 to u64, f16, bf16, f32 or f64"};
  return found->dtype;
}

Sizes Lowerer::sizesOf(int value) const { return *model_.values[static_cast<std::size_t>(value)].sizes; }

Sizes Lowerer::padded(Term& term) {
  Sizes sizes = sizesOf(valueOf(term));
  sizes.insert(sizes.begin(), term.type.sizes.size() - std::min(sizes.size(), term.type.sizes.size()), 1);
  return sizes;
}

std::vector<int> Lowerer::nodes(const std::string& type, const std::string& domain, std::vector<int> inputs, Attributes attributes, const std::vector<std::pair<Sizes, DType>>& outputs) {
  if (model_.nodes.size() >= mostNodes) throw Error{.what = fmt::format("the program unrolls into more than {} operators", mostNodes), .where = scope_, .right = "loops with fewer steps"};
  Node node{.name = nodeName(type), .type = type, .domain = domain, .opset = opset, .attributes = std::move(attributes), .inputs = std::move(inputs), .outputs = {}};
  std::vector<int> made;
  for (const auto& [sizes, dtype] : outputs) {
    positional::product(sizes);
    positional::Value value;
    value.name = outputs.size() == 1 ? node.name + ":0" : fmt::format("{}:{}", node.name, made.size());
    value.dtype = dtype;
    value.typeKnown = true;
    value.sizes = sizes;
    value.producer = static_cast<int>(model_.nodes.size());
    value.producerOutput = static_cast<int>(made.size());
    made.push_back(static_cast<int>(model_.values.size()));
    model_.values.push_back(std::move(value));
  }
  node.outputs = made;
  model_.nodes.push_back(std::move(node));
  return made;
}

int Lowerer::node(const std::string& type, std::vector<int> inputs, Attributes attributes, const Sizes& sizes, DType dtype) {
  return nodes(type, "", std::move(inputs), std::move(attributes), {{sizes, dtype}}).front();
}

std::string Lowerer::nodeName(const std::string& type) {
  const std::string base = prefix_ + (scope_.empty() ? type : scope_);
  const int count = named_[base]++;
  return count == 0 ? base : fmt::format("{}_{}", base, count);
}

int Lowerer::constant(Data data) {
  positional::Value value;
  value.name = fmt::format("constant_{}", model_.values.size());
  value.kind = positional::Value::Kind::initializer;
  value.dtype = data.dtype;
  value.typeKnown = true;
  value.sizes = data.sizes;
  value.isConstant = true;
  value.data = std::make_shared<const Data>(std::move(data));
  model_.values.push_back(std::move(value));
  return static_cast<int>(model_.values.size()) - 1;
}

int Lowerer::integers(const std::vector<std::int64_t>& values) {
  auto [found, fresh] = integers_.emplace(values, -1);
  if (fresh) found->second = constant({.dtype = DType::i64, .sizes = {static_cast<std::int64_t>(values.size())}, .integers = values, .reals = {}});
  return found->second;
}

int Lowerer::number(double value, DType dtype) {
  const auto known = std::isnan(value) ? numbers_.end() : numbers_.find(std::pair(value, dtype));  // NaN is in no order
  if (known != numbers_.end()) return known->second;
  Data data{.dtype = dtype, .sizes = {}, .integers = {}, .reals = {}};
  if (data.floating()) data.reals = {value};
  else data.integers = {static_cast<std::int64_t>(value)};
  const int made = constant(std::move(data));
  if (!std::isnan(value)) numbers_.emplace(std::pair(value, dtype), made);
  return made;
}

Term Lowerer::scalar(std::int64_t value, const Type& type) {
  Term term{.type = type, .value = -1, .splat = value, .parts = nullptr};
  term.value = constant({.dtype = kept(type), .sizes = {}, .integers = {value}, .reals = {}});
  return term;
}

int Lowerer::valueOf(Term& term) {
  if (term.value >= 0) return term.value;
  // Part by part, and of the base what they leave.
  const Assembly& assembly = *term.parts;
  const auto axis = assembly.axis;
  Terms all;
  std::int64_t at = 0;
  for (const auto& [start, part] : assembly.parts) {
    if (start > at) all.push_back(slice(assembly.base, axis, at, start));
    all.push_back(part);
    at = start + part.type.sizes[axis];
  }
  if (at < term.type.sizes[axis]) all.push_back(slice(assembly.base, axis, at, term.type.sizes[axis]));
  const Term joined = concat(std::move(all), axis);
  term.value = joined.value;
  term.parts = nullptr;
  return term.value;
}

int Lowerer::expand(int value, const Sizes& sizes) {
  auto [found, fresh] = expanded_.emplace(std::pair(value, sizes), -1);
  if (fresh) found->second = node("Expand", {value, integers(sizes)}, {}, sizes, model_.values[static_cast<std::size_t>(value)].dtype);
  return found->second;
}

int Lowerer::whole(Term term) {
  const int value = valueOf(term);
  if (sizesOf(value) == term.type.sizes) return value;
  if (withoutOnes(sizesOf(value)) == withoutOnes(term.type.sizes)) {  // only axes of size 1 are missing
    const Sizes& sizes = term.type.sizes;
    auto [found, fresh] = expanded_.emplace(std::pair(value, sizes), -1);
    if (fresh) found->second = node("Reshape", {value, integers(sizes)}, {}, sizes, kept(term.type));
    return found->second;
  }
  return expand(value, term.type.sizes);
}

Term Lowerer::apply(const std::string& type, Terms operands, const Type& result, Attributes attributes) {
  std::vector<int> inputs;
  Sizes joined;
  for (Term& operand : operands) {
    inputs.push_back(valueOf(operand));
    const Sizes sizes = sizesOf(inputs.back());
    if (sizes.size() > joined.size()) joined.insert(joined.begin(), sizes.size() - joined.size(), 1);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      std::int64_t& size = joined[joined.size() - sizes.size() + i];
      if (size == 1) size = sizes[i];
    }
  }
  return {.type = result, .value = node(type, std::move(inputs), std::move(attributes), joined, kept(result)), .splat = std::nullopt, .parts = nullptr};
}

Term Lowerer::cast(Term x, const Type& to) {
  const DType dtype = kept(to);
  if (dtype == kept(x.type)) {
    x.type = to;
    return x;
  }
  const bool known = x.splat.has_value() && !isFloating(dtype);
  const std::int64_t number = x.splat.value_or(0);
  Term made = apply("Cast", {std::move(x)}, to, {{"to", std::int64_t{onnxTypeOf(dtype)}}});
  if (known) made.splat = dtype == DType::boolean ? std::int64_t{number != 0} : number;
  return made;
}

Term Lowerer::wrapped(Term x) {
  const int bits = wrapsAt(x.type.element);
  if (bits == 0) return x;
  const Type type = x.type;
  const auto number = [&](std::int64_t value) { return scalar(value, {type.element, {}}); };
  const std::int64_t half = type.element[0] == 's' ? std::int64_t{1} << (bits - 1) : 0;
  if (half > 0) x = apply("Add", {std::move(x), number(half)}, type);
  x = apply("Mod", {std::move(x), number(std::int64_t{1} << bits)}, type);
  return half > 0 ? apply("Sub", {std::move(x), number(half)}, type) : x;
}

Term Lowerer::reshape(Term x, const Sizes& sizes) {
  const Sizes small = padded(x);
  const Sizes from = x.type.sizes;
  x.type.sizes = sizes;
  const int value = x.value;
  auto to = [&](const Sizes& wanted) {
    if (sizesOf(value) != wanted) x.value = node("Reshape", {value, integers(wanted)}, {}, wanted, kept(x.type));
    return x;
  };
  if (positional::product(small) == 1) return to({});
  if (withoutOnes(from) == withoutOnes(sizes)) {  // axes of size 1 come and go
    Sizes kept;
    std::size_t next = 0;
    for (std::int64_t size : sizes) {
      while (size != 1 && from[next] == 1) ++next;
      kept.push_back(size == 1 ? 1 : small[next++]);
    }
    return to(withoutLeadingOnes(kept));
  }
  x.type.sizes = from;
  const int all = whole(x);
  x.type.sizes = sizes;
  x.value = node("Reshape", {all, integers(sizes)}, {}, sizes, kept(x.type));
  return x;
}

Term Lowerer::transpose(Term x, const std::vector<std::int64_t>& permutation) {
  const Sizes small = padded(x);
  const Sizes from = x.type.sizes;
  Sizes turned;
  for (std::size_t i = 0; i < permutation.size(); ++i) {
    const auto axis = static_cast<std::size_t>(permutation[i]);
    turned.push_back(small.at(axis));
    x.type.sizes[i] = from[axis];
  }
  std::vector<std::int64_t> order;  // of the axes that the value has
  for (std::int64_t axis : permutation)
    if (small[static_cast<std::size_t>(axis)] != 1) order.push_back(axis);
  if (std::is_sorted(order.begin(), order.end())) {
    const Sizes wanted = withoutLeadingOnes(turned);
    if (sizesOf(x.value) != wanted) x.value = node("Reshape", {x.value, integers(wanted)}, {}, wanted, kept(x.type));
    return x;
  }
  if (sizesOf(x.value) != small) x.value = node("Reshape", {x.value, integers(small)}, {}, small, kept(x.type));
  x.value = node("Transpose", {x.value}, {{"perm", permutation}}, turned, kept(x.type));
  return x;
}

Term Lowerer::slice(Term x, std::size_t axis, std::int64_t start, std::int64_t limit, std::int64_t stride) {
  const std::int64_t size = x.type.sizes.at(axis), count = limit > start ? (limit - start + stride - 1) / stride : 0;
  if (start == 0 && count == size) return x;
  if (x.parts && x.parts->axis == axis && stride == 1)
    if (auto part = x.parts->parts.find(start); part != x.parts->parts.end() && part->second.type.sizes[axis] == count) return part->second;
  Sizes small = padded(x);
  x.type.sizes[axis] = count;
  if (small[axis] == 1 && count > 0) return x;
  const std::size_t missing = x.type.sizes.size() - sizesOf(x.value).size();
  small[axis] = count;
  small.erase(small.begin(), small.begin() + static_cast<std::ptrdiff_t>(missing));
  const auto at = static_cast<std::int64_t>(axis - missing);
  if (count == 1) {  // the element itself: the axis goes, and comes back of size 1
    Sizes rest = small;
    rest.erase(rest.begin() + at);
    x.value = node("Gather", {x.value, number(static_cast<double>(start), DType::i64)}, {{"axis", at}}, rest, kept(x.type));
    if (at > 0) x.value = node("Reshape", {x.value, integers(small)}, {}, small, kept(x.type));
    return x;
  }
  x.value = node("Slice", {x.value, integers({start}), integers({limit}), integers({at}), integers({stride})}, {}, small, kept(x.type));
  return x;
}

// Reversed twice is as it was: gradients of convolutions reverse what their convolution reverses again.
Term Lowerer::reverse(Term x, std::size_t axis) {
  const Sizes small = padded(x);
  if (small.at(axis) == 1) return x;
  const auto at = static_cast<std::int64_t>(axis - (small.size() - sizesOf(x.value).size()));
  x.splat.reset();
  if (auto found = reversed_.find({x.value, at}); found != reversed_.end()) {
    x.value = found->second;
    return x;
  }
  const int before = x.value;
  x.value = node("Slice", {before, integers({-1}), integers({std::numeric_limits<std::int32_t>::min()}), integers({at}), integers({-1})}, {}, sizesOf(before), kept(x.type));
  reversed_[{x.value, at}] = before;
  reversed_[{before, at}] = x.value;
  return x;
}

Term Lowerer::concat(Terms parts, std::size_t axis) {
  Type type = parts.at(0).type;
  type.sizes.at(axis) = 0;
  std::vector<int> values;
  for (Term& part : parts) {
    type.sizes[axis] += part.type.sizes.at(axis);
    if (part.type.sizes[axis] > 0) values.push_back(whole(part));
  }
  if (values.empty()) return parts[0];
  if (values.size() == 1) return {.type = type, .value = values[0], .splat = std::nullopt, .parts = nullptr};
  const int joined = node("Concat", std::move(values), {{"axis", static_cast<std::int64_t>(axis)}}, type.sizes, kept(type));
  return {.type = type, .value = joined, .splat = std::nullopt, .parts = nullptr};
}

Term Lowerer::pad(Term x, const std::vector<std::int64_t>& low, const std::vector<std::int64_t>& high, Term filling) {
  std::vector<std::int64_t> pads(2 * low.size());
  Sizes sizes = x.type.sizes;
  bool any = false;
  for (std::size_t i = 0; i < low.size(); ++i) {
    const std::int64_t size = x.type.sizes[i];
    x = slice(std::move(x), i, std::clamp<std::int64_t>(-low[i], 0, size), std::clamp<std::int64_t>(size + std::min<std::int64_t>(high[i], 0), 0, size));
    const std::int64_t before = std::max<std::int64_t>(low[i], 0), behind = std::max<std::int64_t>(high[i], 0);
    if (x.type.sizes[i] == 1 && before + behind > 0) {  // an axis of size 1 is none that pads lie beside
      x = concat({filled(filling, x.type, i, before), x, filled(filling, x.type, i, behind)}, i);
    } else {
      pads[i] = before;
      pads[low.size() + i] = behind;
      any = any || before + behind > 0;
    }
    sizes[i] = x.type.sizes[i] + pads[i] + pads[low.size() + i];
  }
  if (!any) return x;
  const int padding = valueOf(filling);
  const int all = whole(x);
  return {.type = {x.type.element, sizes}, .value = node("Pad", {all, integers(pads), padding}, {{"mode", std::string("constant")}}, sizes, kept(x.type)), .splat = std::nullopt, .parts = nullptr};
}

Term Lowerer::filled(Term filling, Type type, std::size_t axis, std::int64_t count) {
  type.sizes.at(axis) = count;
  filling.type = std::move(type);
  return filling;
}

Term Lowerer::dilate(Term x, std::size_t axis, std::int64_t factor, Term filling) {
  if (factor == 1 || x.type.sizes.at(axis) < 2) return x;
  const std::int64_t size = x.type.sizes[axis];
  Sizes apart = x.type.sizes, joined = x.type.sizes;
  apart.insert(apart.begin() + static_cast<std::ptrdiff_t>(axis) + 1, 1);
  joined[axis] = size * factor;
  x = reshape(std::move(x), apart);
  const Term between = filled(std::move(filling), x.type, axis + 1, factor - 1);
  return slice(reshape(concat({x, between}, axis + 1), joined), axis, 0, (size - 1) * factor + 1);
}

Term Lowerer::take(Term x, std::size_t axis, Term indices) {
  Type type = x.type;
  type.sizes.at(axis) = indices.type.sizes.at(0);
  const int from = whole(x), at = whole(indices);
  return {.type = type, .value = node("Gather", {from, at}, {{"axis", static_cast<std::int64_t>(axis)}}, type.sizes, kept(type)), .splat = std::nullopt, .parts = nullptr};
}

Term Lowerer::update(Term base, Term part, const std::vector<std::int64_t>& starts) {
  std::vector<std::size_t> cut;
  for (std::size_t i = 0; i < base.type.sizes.size(); ++i)
    if (part.type.sizes.at(i) != base.type.sizes[i]) cut.push_back(i);
  if (cut.empty()) return part;
  const std::size_t axis = cut[0];
  const std::int64_t start = starts.at(axis), size = part.type.sizes[axis];
  if (size == 0) return base;
  if (cut.size() > 1) {
    std::vector<std::int64_t> inner = starts;
    inner[axis] = 0;
    part = update(slice(base, axis, start, start + size), std::move(part), inner);
  }
  auto assembly = std::make_shared<Assembly>();
  if (base.parts && base.parts->axis == axis) {
    *assembly = *base.parts;
    for (const auto& [at, one] : assembly->parts)
      if (at < start + size && start < at + one.type.sizes[axis] && (at != start || one.type.sizes[axis] != size)) {  // cuts an old part
        valueOf(base);
        *assembly = Assembly{.base = base, .axis = axis, .parts = {}};
        break;
      }
  } else {
    *assembly = Assembly{.base = base, .axis = axis, .parts = {}};
  }
  const Type type = base.type;
  assembly->parts[start] = std::move(part);
  return {.type = type, .value = -1, .splat = std::nullopt, .parts = std::move(assembly)};
}

Term Lowerer::iota(std::int64_t count, const std::string& element) {
  const Type type{"s64", {count}};
  Term counted{.type = type, .value = node("Range", {number(0, DType::i64), number(static_cast<double>(count), DType::i64), number(1, DType::i64)}, {}, {count}, DType::i64), .splat = std::nullopt, .parts = nullptr};
  return cast(std::move(counted), {element, {count}});
}

bool Lowerer::isBinary(int computation, std::string& opcode) const {
  const Computation& body = module_.computations.at(static_cast<std::size_t>(computation));
  if (body.parameters.size() != 2 || body.instructions.size() != 1 || body.results != body.instructions[0].results) return false;
  std::vector<int> operands = body.instructions[0].operands, parameters = body.parameters;
  std::sort(operands.begin(), operands.end());
  std::sort(parameters.begin(), parameters.end());
  opcode = body.instructions[0].opcode;
  return operands == parameters;
}

}  // namespace core::xla
