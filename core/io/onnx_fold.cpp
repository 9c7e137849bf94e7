#include "core/io/onnx_fold.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/io/onnx_fold_parts.h"

namespace core {
namespace {

using positional::Data;
using positional::DataPtr;
using positional::Model;
using positional::Node;
using positional::Sizes;
using namespace folding;

double asF32(double value) { return static_cast<float>(value); }

void setNumber(Data& to, std::size_t i, double value) {
  if (to.dtype == DType::f64) to.reals[i] = value;
  else if (to.floating()) to.reals[i] = asF32(value);
  else if (to.dtype == DType::boolean) to.integers[i] = value != 0;
  else to.integers[i] = static_cast<std::int64_t>(value);
}

std::optional<Sizes> broadcast(const Sizes& a, const Sizes& b) {
  Sizes out(std::max(a.size(), b.size()), 1);
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1;
    std::int64_t y = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (x != y && x != 1 && y != 1) return std::nullopt;
    out[out.size() - 1 - i] = x == 1 ? y : x;
  }
  if (!fits(out)) return std::nullopt;
  return out;
}

// Where element `linear` of a tensor of `sizes` lies in one that is broadcast to it.
std::size_t sourceIndex(std::size_t linear, const Sizes& sizes, const Sizes& from) {
  std::size_t index = 0, stride = 1;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    auto size = static_cast<std::size_t>(sizes[sizes.size() - 1 - i]);
    std::size_t at = linear % size;
    linear /= size;
    if (i >= from.size()) continue;
    auto own = static_cast<std::size_t>(from[from.size() - 1 - i]);
    if (own != 1) index += at * stride;
    stride *= own;
  }
  return index;
}

Data broadcastTo(const Data& from, const Sizes& sizes) {
  Data out = empty(from.dtype, sizes);
  for (std::size_t i = 0; i < out.count(); ++i) copyElement(from, sourceIndex(i, sizes, from.sizes), out, i);
  return out;
}

std::int64_t floorModulo(std::int64_t a, std::int64_t b) {
  if (b == 0 || b == -1) return 0;
  std::int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

std::int64_t integerPower(std::int64_t a, std::int64_t b) {
  double power = std::pow(static_cast<double>(a), static_cast<double>(b));
  return std::fabs(power) < 9e18 ? static_cast<std::int64_t>(power) : 0;
}

using IntegerFunction = std::int64_t (*)(std::int64_t, std::int64_t);
using RealFunction = double (*)(double, double);
struct Binary {
  IntegerFunction integer;
  RealFunction real;
  bool comparison;
};

// Shapes wrap nowhere near 63 bits; a file that tries gets the wrapped number, not undefined behaviour.
std::int64_t wrap(std::uint64_t value) { return static_cast<std::int64_t>(value); }

const std::map<std::string, Binary>& binaries() {
  static const std::map<std::string, Binary> table{
      {"Add", {[](auto a, auto b) { return wrap(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b)); }, [](double a, double b) { return a + b; }, false}},
      {"Sub", {[](auto a, auto b) { return wrap(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b)); }, [](double a, double b) { return a - b; }, false}},
      {"Mul", {[](auto a, auto b) { return wrap(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b)); }, [](double a, double b) { return a * b; }, false}},
      {"Div", {[](auto a, auto b) { return b == 0 || b == -1 ? wrap(-static_cast<std::uint64_t>(a)) : a / b; }, [](double a, double b) { return a / b; }, false}},
      {"Mod", {floorModulo, [](double a, double b) { return std::fmod(a, b); }, false}},
      {"Pow", {integerPower, [](double a, double b) { return std::pow(a, b); }, false}},
      {"Max", {[](auto a, auto b) { return std::max(a, b); }, [](double a, double b) { return std::max(a, b); }, false}},
      {"Min", {[](auto a, auto b) { return std::min(a, b); }, [](double a, double b) { return std::min(a, b); }, false}},
      {"And", {[](auto a, auto b) { return std::int64_t{a != 0 && b != 0}; }, nullptr, true}},
      {"Or", {[](auto a, auto b) { return std::int64_t{a != 0 || b != 0}; }, nullptr, true}},
      {"Xor", {[](auto a, auto b) { return std::int64_t{(a != 0) != (b != 0)}; }, nullptr, true}},
      {"Equal", {[](auto a, auto b) { return std::int64_t{a == b}; }, [](double a, double b) { return a == b ? 1.0 : 0.0; }, true}},
      {"Less", {[](auto a, auto b) { return std::int64_t{a < b}; }, [](double a, double b) { return a < b ? 1.0 : 0.0; }, true}},
      {"Greater", {[](auto a, auto b) { return std::int64_t{a > b}; }, [](double a, double b) { return a > b ? 1.0 : 0.0; }, true}},
      {"LessOrEqual", {[](auto a, auto b) { return std::int64_t{a <= b}; }, [](double a, double b) { return a <= b ? 1.0 : 0.0; }, true}},
      {"GreaterOrEqual", {[](auto a, auto b) { return std::int64_t{a >= b}; }, [](double a, double b) { return a >= b ? 1.0 : 0.0; }, true}},
  };
  return table;
}

std::optional<Data> applyBinary(const Binary& function, const Data& a, const Data& b) {
  std::optional<Sizes> sizes = broadcast(a.sizes, b.sizes);
  if (!sizes || a.floating() != b.floating() || (a.floating() && !function.real)) return std::nullopt;
  Data out = empty(function.comparison ? DType::boolean : a.dtype, *sizes);
  for (std::size_t i = 0; i < out.count(); ++i) {
    std::size_t x = sourceIndex(i, *sizes, a.sizes), y = sourceIndex(i, *sizes, b.sizes);
    if (a.floating()) setNumber(out, i, function.real(a.reals[x], b.reals[y]));
    else out.integers[i] = function.integer(a.integers[x], b.integers[y]);
  }
  return out;
}

const std::map<std::string, double (*)(double)>& unaries() {
  static const std::map<std::string, double (*)(double)> table{
      {"Sqrt", std::sqrt}, {"Exp", std::exp}, {"Log", std::log}, {"Floor", std::floor}, {"Ceil", std::ceil},
      {"Reciprocal", [](double x) { return 1 / x; }}, {"Round", std::nearbyint}, {"Sin", std::sin}, {"Cos", std::cos}};
  return table;
}

std::optional<Data> foldUnary(const Node& node, const Inputs& in, const Model&) {
  if (!in[0]->floating()) return std::nullopt;
  Data out = *in[0];
  for (std::size_t i = 0; i < out.count(); ++i) setNumber(out, i, unaries().at(node.type)(out.reals[i]));
  return out;
}

std::optional<Data> foldNegative(const Node& node, const Inputs& in, const Model&) {
  Data out = *in[0];
  bool absolute = node.type == "Abs";
  for (double& x : out.reals) x = absolute ? std::fabs(x) : -x;
  for (std::int64_t& x : out.integers)
    if (!absolute || x < 0) x = wrap(-static_cast<std::uint64_t>(x));
  return out;
}

std::optional<Data> foldNot(const Node&, const Inputs& in, const Model&) {
  Data out = *in[0];
  for (std::int64_t& x : out.integers) x = x == 0;
  return out;
}

std::optional<Data> foldVariadic(const Node& node, const Inputs& in, const Model&) {
  std::optional<Data> out = *in[0];
  for (std::size_t i = 1; i < in.size() && out; ++i) out = applyBinary(binaries().at(node.type), *out, *in[i]);
  return out;
}

std::optional<Data> foldIdentity(const Node&, const Inputs& in, const Model&) { return *in[0]; }

DType typeOfOnnx(std::int64_t type) {
  switch (type) {
    case 1: return DType::f32;
    case 11: return DType::f64;
    case 10: return DType::f16;
    case 16: return DType::bf16;
    case 7: case 12: case 13: return DType::i64;
    case 9: return DType::boolean;
    default: return DType::i32;
  }
}

std::optional<Data> foldCast(const Node& node, const Inputs& in, const Model&) {
  DType to = typeOfOnnx(node.integer("to", 1));
  if (to == DType::f16 || to == DType::bf16) return std::nullopt;
  Data out = empty(to, in[0]->sizes);
  for (std::size_t i = 0; i < out.count(); ++i) {
    if (in[0]->floating() && !out.floating() && !(std::fabs(in[0]->reals[i]) < 9e18)) return std::nullopt;
    if (!in[0]->floating() && !out.floating() && to != DType::boolean) out.integers[i] = in[0]->integers[i];
    else setNumber(out, i, in[0]->at(i));
  }
  return out;
}

std::optional<Data> foldRange(const Node&, const Inputs& in, const Model&) {
  if (in.size() != 3) return std::nullopt;
  for (const DataPtr& one : in)
    if (one->count() != 1) return std::nullopt;
  double start = in[0]->at(0), limit = in[1]->at(0), step = in[2]->at(0);
  double count = step == 0 ? 0 : std::ceil((limit - start) / step);
  if (!(count < static_cast<double>(mostElements))) return std::nullopt;
  Data out = empty(in[0]->dtype, {static_cast<std::int64_t>(std::max(count, 0.0))});
  for (std::size_t i = 0; i < out.count(); ++i) setNumber(out, i, start + static_cast<double>(i) * step);
  return out;
}

std::optional<Data> foldWhere(const Node&, const Inputs& in, const Model&) {
  if (in.size() != 3 || in[0]->floating() || in[1]->dtype != in[2]->dtype) return std::nullopt;
  auto sizes = broadcast(in[0]->sizes, in[1]->sizes);
  if (sizes) sizes = broadcast(*sizes, in[2]->sizes);
  if (!sizes) return std::nullopt;
  Data out = empty(in[1]->dtype, *sizes);
  for (std::size_t i = 0; i < out.count(); ++i) {
    const Data& from = in[0]->integers[sourceIndex(i, *sizes, in[0]->sizes)] ? *in[1] : *in[2];
    copyElement(from, sourceIndex(i, *sizes, from.sizes), out, i);
  }
  return out;
}

std::optional<Data> foldExpand(const Node&, const Inputs& in, const Model&) {
  if (in.size() != 2) return std::nullopt;
  for (std::int64_t size : in[1]->integers)
    if (size < 0) return std::nullopt;
  auto sizes = broadcast(in[0]->sizes, in[1]->integers);
  return sizes ? std::optional(broadcastTo(*in[0], *sizes)) : std::nullopt;
}

std::optional<Data> foldConstantOfShape(const Node& node, const Inputs& in, const Model& model) {
  Data one{.dtype = DType::f32, .sizes = {1}, .reals = {0}};
  auto given = node.attributes.find("value");
  if (given != node.attributes.end()) {
    const int* value = std::get_if<int>(&given->second);
    if (!value || !model.values[static_cast<std::size_t>(*value)].data) return std::nullopt;
    one = *model.values[static_cast<std::size_t>(*value)].data;
  }
  if (one.count() != 1) return std::nullopt;
  one.sizes = {};
  for (std::int64_t size : in[0]->integers)
    if (size < 0) return std::nullopt;
  if (!fits(in[0]->integers)) return std::nullopt;
  return broadcastTo(one, in[0]->integers);
}

std::optional<Data> foldTrilu(const Node& node, const Inputs& in, const Model&) {
  std::size_t rank = in[0]->sizes.size();
  bool named = in.size() > 1 && in[1];
  if (rank < 2 || (named && in[1]->integers.size() != 1)) return std::nullopt;
  std::int64_t k = named ? std::clamp(in[1]->integers[0], -mostElements, mostElements) : 0;
  std::int64_t rows = in[0]->sizes[rank - 2], columns = in[0]->sizes[rank - 1];
  Data out = *in[0];
  for (std::size_t i = 0; i < out.count(); ++i) {
    std::int64_t column = static_cast<std::int64_t>(i) % columns, row = static_cast<std::int64_t>(i) / columns % rows;
    bool kept = node.integer("upper", 1) ? column - row >= k : column - row <= k;
    if (!kept) setNumber(out, i, 0);
  }
  return out;
}

// ReduceProd, ReduceSum, ReduceMax, ReduceMin over everything.
std::optional<Data> foldReduce(const Node& node, const Inputs& in, const Model&) {
  auto axes = axesOf(node, in.size() > 1 ? in[1] : nullptr, in[0]->sizes.size());
  if (in[0]->floating() || in[0]->count() == 0 || (axes && axes->size() != in[0]->sizes.size())) return std::nullopt;
  std::int64_t all = in[0]->integers[0];
  for (std::size_t i = 1; i < in[0]->count(); ++i) {
    std::int64_t x = in[0]->integers[i];
    if (node.type == "ReduceProd") all = wrap(static_cast<std::uint64_t>(all) * static_cast<std::uint64_t>(x));
    else if (node.type == "ReduceSum") all = wrap(static_cast<std::uint64_t>(all) + static_cast<std::uint64_t>(x));
    else if (node.type == "ReduceMax") all = std::max(all, x);
    else all = std::min(all, x);
  }
  return Data{.dtype = in[0]->dtype, .sizes = Sizes(node.integer("keepdims", 1) ? in[0]->sizes.size() : 0, 1), .integers = {all}};
}

const std::map<std::string, Folder>& folders() {
  static const std::map<std::string, Folder> table = [] {
    std::map<std::string, Folder> all = folding::movers();
    const std::map<std::string, Folder> own{{"Cast", foldCast}, {"Range", foldRange}, {"Where", foldWhere}, {"Expand", foldExpand}, {"ConstantOfShape", foldConstantOfShape}, {"Trilu", foldTrilu},
                                            {"Identity", foldIdentity}, {"Neg", foldNegative}, {"Abs", foldNegative}, {"Not", foldNot}, {"ReduceProd", foldReduce}, {"ReduceSum", foldReduce},
                                            {"ReduceMax", foldReduce}, {"ReduceMin", foldReduce}};
    all.insert(own.begin(), own.end());
    for (const auto& [name, function] : binaries()) all.emplace(name, foldVariadic);
    for (const auto& [name, function] : unaries()) all.emplace(name, foldUnary);
    return all;
  }();
  return table;
}

}  // namespace

std::optional<Data> fold(const Node& node, const Inputs& inputs, const Model& model) {
  auto found = folders().find(node.type);
  if (!node.domain.empty() || found == folders().end() || inputs.empty() || !inputs[0] || node.outputs.size() != 1) return std::nullopt;
  static const std::set<std::string> mayLack{"Slice", "Trilu", "Squeeze", "Unsqueeze", "ReduceProd", "ReduceSum", "ReduceMax", "ReduceMin"};
  for (const DataPtr& input : inputs)
    if (!input && !mayLack.count(node.type)) return std::nullopt;
  return found->second(node, inputs, model);
}

}  // namespace core
