#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/io/element.h"
#include "core/io/naming/relater.h"
#include "core/io/onnx_emitter.h"
#include "core/io/onnx_fold.h"

// What moves elements, and what reduces them.

namespace core {
namespace {

using Site = Emitter::Site;
using Made = std::vector<TensorId>;

// Names say it already.
Made view(Emitter& emit, const Site& site) { return {emit.operand(site, 0)}; }

Made split(Emitter& emit, const Site& site) {
  Made made;
  for (const auto& takings : site.relation.takings) {
    TensorId x = emit.operand(site, 0);
    for (const naming::Taking& taking : takings) x = emit.take(x, taking);
    made.push_back(x);
  }
  return made;
}

Made gather(Emitter& emit, const Site& site) {
  if (!site.has(1)) return split(emit, site);
  TensorId table = emit.operand(site, 0), ids = emit.operand(site, 1);
  Shape rows = emit.shape(site.relation.summed.at(0));
  if (rows.empty()) return {emit.build.broadcast(table, emit.shape(site.relation.outputs.at(0)))};  // one row: whatever the ids say
  emit.nameNext(site);
  return {emit.build.gather(table, rows[0], ids)};
}

Made expand(Emitter& emit, const Site& site) {
  TensorId x = emit.operand(site, 0);
  if (site.relation.added.empty()) return {x};
  emit.nameNext(site);
  return {emit.build.broadcast(x, emit.shape(site.relation.outputs[0]))};
}

std::size_t axisOf(std::int64_t axis, std::size_t rank) { return static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis); }

Made stack(Emitter& emit, const Site& site) {
  std::vector<TensorId> inputs;
  std::vector<std::int64_t> places;
  for (std::size_t i = 0; i < site.inputs(); ++i) {
    inputs.push_back(emit.operand(site, i));
    places.push_back(static_cast<std::int64_t>(i));
  }
  emit.nameNext(site);
  return {emit.build.addOne("stack", inputs, {{"dim", emit.shape(site.relation.added)}, {"indices", places}, {"shape", emit.shape(site.relation.outputs[0])}})};
}

Made concat(Emitter& emit, const Site& site) {
  const auto& operands = site.relation.operands;
  if (operands.size() == 1) return view(emit, site);
  std::size_t axis = axisOf(site.node.integer("axis", 0), operands[0].axes.size());
  DimId into = emit.shape(site.relation.added).at(0);
  Shape out = emit.shape(site.relation.outputs[0]);
  if (emit.names.atoms.leaves(site.relation.outputs[0][axis]).size() > 1 || emit.shape(operands[0].axes[axis]).empty()) {
    bool allSingle = std::all_of(operands.begin(), operands.end(), [&](const auto& one) { return emit.shape(one.axes[axis]).empty(); });
    if (allSingle || emit.names.atoms.leaves(site.relation.outputs[0][axis]).size() > 1) return stack(emit, site);
  }
  std::vector<TensorId> inputs;
  Shape joined;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    TensorId x = emit.operand(site, i);
    Shape own = emit.shape(operands[i].axes[axis]), order = out;
    DimId along = own.empty() ? emit.unit(joined) : own[0];
    std::replace(order.begin(), order.end(), into, along);
    inputs.push_back(own.empty() ? emit.build.broadcast(x, order) : emit.ordered(x, order));
    joined.push_back(along);
  }
  emit.nameNext(site);
  return {emit.build.concat(inputs, joined, into)};
}

// Which element stands at a place outside of 0 .. size-1.
std::int64_t padSource(const std::string& mode, std::int64_t at, std::int64_t size) {
  if (mode == "edge") return std::clamp<std::int64_t>(at, 0, size - 1);
  if (mode == "wrap") return (at % size + size) % size;
  if (mode != "reflect") throw Error{.what = "padding by mode \"" + mode + "\"", .where = {}, .right = "constant, reflect, edge or wrap"};
  if (size == 1) return 0;
  const std::int64_t period = 2 * (size - 1), place = (at % period + period) % period;
  return place < size ? place : period - place;
}

// By elements of the tensor itself: a lookup by places that are known.
Made padByItself(Emitter& emit, const Site& site, const std::string& mode) {
  TensorId x = emit.operand(site, 0);
  int number = 0;
  for (const naming::Taking& taking : site.relation.takings.at(0)) {
    DimId inner = emit.shape(taking.from).at(0), outer = emit.shape(taking.to).at(0);
    const std::int64_t size = emit.build.graph().size(inner), all = emit.build.graph().size(outer);
    if (size == 0 || all == 0) throw Error{.what = naming::openSymbol, .where = {}, .right = {}};
    positional::Data places{.dtype = DType::i64, .sizes = {all}, .integers = {}, .reals = {}};
    for (std::int64_t i = 0; i < all; ++i) places.integers.push_back(padSource(mode, i - taking.start, size));
    const std::string name = fmt::format("{}/places_{}", emit.model.values[static_cast<std::size_t>(site.node.outputs[0])].name, number++);
    x = emit.build.gather(x, inner, emit.build.constant(name, {outer}, DType::i64, InlineSource{std::make_shared<const std::vector<std::byte>>(writeElements(places))}));
  }
  return {emit.ordered(x, emit.shape(site.relation.outputs[0]))};
}

Made pad(Emitter& emit, const Site& site) {
  if (const std::string mode = site.node.text("mode", "constant"); mode != "constant") return padByItself(emit, site, mode);
  TensorId x = emit.operand(site, 0);
  std::optional<double> given = emit.number(site, 2);
  if (site.node.input(2) >= 0 && !given) throw Error{.what = "data decide what it pads with", .where = {}, .right = "a constant"};
  double value = given.value_or(site.node.real("value", 0));
  for (const naming::Taking& taking : site.relation.takings.at(0)) {
    DimId inner = emit.shape(taking.from).at(0), outer = emit.shape(taking.to).at(0);
    std::int64_t behind = emit.names.atoms.product(taking.to) - emit.names.atoms.product(emit.names.atoms.leaves(taking.from)) - taking.start;
    if (emit.build.graph().size(inner) == 0 && behind != 0) throw Error{.what = naming::openSymbol, .where = {}, .right = {}};
    x = emit.build.pad(x, inner, outer, taking.start, value);
  }
  return {x};
}

Made range(Emitter& emit, const Site& site) {
  auto start = emit.number(site, 0), step = emit.number(site, 2);
  DType type = emit.outputType(site);
  if (!start || !step) throw Error{.what = "a range whose start or step depends on a symbol", .where = {}, .right = "bind the symbol"};
  TensorId x = emit.build.iota(emit.shape(site.relation.outputs[0]).at(0), isFloating(type) ? DType::i64 : type);
  if (isFloating(type)) x = emit.build.cast(x, type);
  if (*step != 1) x = emit.build.times(x, *step);
  if (*start != 0) x = emit.build.plus(x, *start);
  return {x};
}

Made filled(Emitter& emit, const Site& site) {
  double value = 0;
  if (auto given = site.node.attributes.find("value"); given != site.node.attributes.end())
    if (const int* at = std::get_if<int>(&given->second); at && emit.model.values[static_cast<std::size_t>(*at)].data) value = emit.model.values[static_cast<std::size_t>(*at)].data->at(0);
  return {emit.build.broadcast(emit.build.scalar(value, emit.outputType(site)), emit.shape(site.relation.outputs[0]))};
}

// Of no dimension at all: the reduction of one element.
Made reduce(Emitter& emit, const Site& site) {
  TensorId x = emit.operand(site, 0);
  GraphBuilder& build = emit.build;
  const std::string& type = site.node.type;
  Shape over = emit.summed(site);
  if (type == "ReduceL1") x = build.unary(Function::abs, x);
  if (type == "ReduceL2" || type == "ReduceSumSquare") x = build.unary(Function::square, x);
  TensorId greatest;
  if (type == "ReduceLogSumExp") {
    greatest = over.empty() ? x : build.reduce(Reduction::max, x, over);
    x = build.unary(Function::exp, build.minus(x, greatest));
  }
  if (!over.empty()) {
    bool last = type != "ReduceL2" && type != "ReduceLogSum" && type != "ReduceLogSumExp";
    if (last) emit.nameNext(site);
    if (type == "ReduceMean") x = build.mean(x, over);
    else if (type == "ReduceMax") x = build.reduce(Reduction::max, x, over);
    else if (type == "ReduceMin") x = build.reduce(Reduction::min, x, over);
    else if (type == "ReduceProd") x = build.reduce(Reduction::product, x, over);
    else x = build.sum(x, over);
  }
  if (type == "ReduceL2") x = build.unary(Function::sqrt, x);
  if (type == "ReduceLogSum" || type == "ReduceLogSumExp") x = build.unary(Function::log, x);
  return {greatest.valid() ? build.plus(x, greatest) : x};
}

}  // namespace

const std::map<std::string, EmitRule>& emitShapes() {
  static const std::map<std::string, EmitRule> table = [] {
    std::map<std::string, EmitRule> all{{"Split", split}, {"Slice", split}, {"Gather", gather}, {"Expand", expand}, {"Tile", expand}, {"Concat", concat}, {"Pad", pad}, {"Range", range}, {"ConstantOfShape", filled}};
    for (const char* name : {"Reshape", "Flatten", "Squeeze", "Unsqueeze", "Transpose", "Identity", "Dropout", "DepthToSpace", "SpaceToDepth"}) all[name] = view;
    for (const char* name : {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceSumSquare"}) all[name] = reduce;
    return all;
  }();
  return table;
}

}  // namespace core
