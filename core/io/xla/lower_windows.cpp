#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/io/xla/lowerer.h"

// Reductions over windows.

namespace core::xla {
namespace {

using Site = Lowerer::Site;
using Made = std::optional<Terms>;
using Integers = std::vector<std::int64_t>;

struct Window {
  Integers sizes, strides, dilations, padding;
};

// The window reaches from each element to the first (or to the last): a running total.
bool isRunning(const Window& window, std::size_t axis, const Sizes& sizes, bool& backwards) {
  const std::int64_t n = sizes[axis], low = window.padding[2 * axis], high = window.padding[2 * axis + 1];
  backwards = low == 0;
  return window.sizes[axis] == n && window.strides[axis] == 1 && window.dilations[axis] == 1 && ((low == n - 1 && high == 0) || (low == 0 && high == n - 1)) && n > 1;
}

// Pooling over the axes that the window spans, which are moved to the end, behind two others.
Made pooled(Lowerer& lower, Term x, const Window& window, const std::vector<std::size_t>& spanned, const std::string& opcode, const Type& type) {
  const std::size_t rank = x.type.sizes.size();
  Integers order;
  std::int64_t others = 1;
  for (std::size_t i = 0; i < rank; ++i)
    if (std::find(spanned.begin(), spanned.end(), i) == spanned.end()) order.push_back(static_cast<std::int64_t>(i)), others *= x.type.sizes[i];
  const std::size_t free = order.size();
  for (std::size_t axis : spanned) order.push_back(static_cast<std::int64_t>(axis));
  x = lower.transpose(std::move(x), order);
  const Sizes turned = x.type.sizes;
  Sizes in{1, 1}, out;
  if (free == 2) in = {turned[0], turned[1]};
  else if (free == 1) in = {1, turned[0]};
  else if (free > 2) in = {turned[0], others / std::max<std::int64_t>(turned[0], 1)};
  Sizes outFull = in;
  for (std::size_t i = 0; i < free; ++i) out.push_back(turned[i]);
  Integers kernel, strides, dilations, pads(2 * spanned.size());
  std::int64_t count = 1;
  for (std::size_t i = 0; i < spanned.size(); ++i) {
    const std::size_t axis = spanned[i];
    in.push_back(turned[free + i]);
    out.push_back(type.sizes.at(axis));
    outFull.push_back(type.sizes[axis]);
    kernel.push_back(window.sizes[axis]);
    strides.push_back(window.strides[axis]);
    dilations.push_back(window.dilations[axis]);
    pads[i] = window.padding[2 * axis];
    pads[spanned.size() + i] = window.padding[2 * axis + 1];
    count *= window.sizes[axis];
  }
  x = lower.reshape(std::move(x), in);
  if (opcode == "minimum") x = lower.apply("Neg", {x}, x.type);
  Lowerer::Attributes attributes{{"kernel_shape", kernel}, {"strides", strides}, {"pads", pads}};
  const int input = lower.whole(x);
  Term y{.type = {type.element, outFull}, .splat = std::nullopt, .parts = nullptr};
  if (opcode == "add") {
    attributes["count_include_pad"] = std::int64_t{1};
    y.value = lower.node("AveragePool", {input}, attributes, outFull, lower.kept(type));
    const Term times{.type = {type.element, {}}, .value = lower.number(static_cast<double>(count), lower.kept(type)), .splat = std::nullopt, .parts = nullptr};
    y = lower.apply("Mul", {y, times}, y.type);
  } else {
    attributes["dilations"] = dilations;
    y.value = lower.node("MaxPool", {input}, attributes, outFull, lower.kept(type));
  }
  if (opcode == "minimum") y = lower.apply("Neg", {y}, y.type);
  Integers back(rank);
  for (std::size_t i = 0; i < rank; ++i) back[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
  return Terms{lower.transpose(lower.reshape(std::move(y), out), back)};
}

Made reduceWindow(Lowerer& lower, const Site& site) {
  std::string opcode;
  if (site.operands.size() != 2 || !lower.isBinary(site.instruction.computations.at(0), opcode)) return std::nullopt;
  Term x = site.operands[0];
  const Term& start = site.operands[1];
  const std::size_t rank = x.type.sizes.size();
  auto get = [&](const char* name, std::size_t count, std::int64_t missing) {
    Integers values = site.instruction.integers(name);
    if (values.empty()) values.assign(count, missing);
    return values;
  };
  Window window{get("window_dimensions", rank, 1), get("window_strides", rank, 1), get("window_dilations", rank, 1), get("padding", 2 * rank, 0)};
  const Integers base = get("base_dilations", rank, 1);
  if (opcode != "add" && opcode != "maximum" && opcode != "minimum") return std::nullopt;
  if (!keptAs(x.type.element)->exact || x.type.element == "pred") return std::nullopt;
  const Type& type = site.result();
  std::vector<std::size_t> spanned;
  for (std::size_t i = 0; i < rank; ++i)
    if (window.sizes.at(i) > 1 || window.strides.at(i) > 1 || window.padding.at(2 * i) != 0 || window.padding.at(2 * i + 1) != 0 || base.at(i) > 1) spanned.push_back(i);
  auto started = [&](Term made) {
    static const std::map<std::string, std::string> joining{{"add", "Add"}, {"maximum", "Max"}, {"minimum", "Min"}};
    return Terms{lower.apply(joining.at(opcode), {std::move(made), start}, type)};
  };
  if (spanned.empty()) return started(x);
  bool backwards = false;
  if (opcode == "add" && spanned.size() == 1 && base[spanned[0]] == 1 && isRunning(window, spanned[0], x.type.sizes, backwards)) {
    const int axis = lower.number(static_cast<double>(spanned[0]), DType::i64);
    const int input = lower.whole(x);
    return started({.type = type, .value = lower.node("CumSum", {input, axis}, {{"reverse", std::int64_t{backwards}}}, type.sizes, lower.kept(type)), .splat = std::nullopt, .parts = nullptr});
  }
  if (!isFloating(lower.kept(type)) || spanned.size() > 3) return std::nullopt;
  bool holes = false;
  Integers low(rank), high(rank);
  const double filling = opcode == "add" ? 0 : opcode == "maximum" ? -INFINITY : INFINITY;
  const Term between{.type = {type.element, {}}, .value = lower.number(filling, lower.kept(type)), .splat = std::nullopt, .parts = nullptr};
  for (std::size_t axis : spanned) {
    x = lower.dilate(std::move(x), axis, base[axis], between);
    holes = holes || window.dilations[axis] > 1;
    // What lies outside is the identity; pads as wide as the window are none that pooling takes.
    for (std::size_t end : {2 * axis, 2 * axis + 1}) {
      std::int64_t& padding = window.padding[end];
      if (padding >= 0 && padding < window.sizes[axis]) continue;
      (end % 2 == 0 ? low : high)[axis] = padding;
      padding = 0;
    }
  }
  if (opcode == "add" && holes) return std::nullopt;
  x = lower.pad(std::move(x), low, high, between);
  Made made = pooled(lower, std::move(x), window, spanned, opcode, type);
  return made ? started(made->front()) : made;
}

}  // namespace

const std::map<std::string, LowerRule>& lowerWindows() {
  static const std::map<std::string, LowerRule> table{{"reduce_window", reduceWindow}};
  return table;
}

}  // namespace core::xla
