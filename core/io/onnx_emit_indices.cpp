#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/base/error.h"
#include "core/io/naming/relater.h"
#include "core/io/onnx_emitter.h"

// What counts along dimensions, finds places, and reads or writes where integers say.

namespace core {
namespace {

using Site = Emitter::Site;
using Made = std::vector<TensorId>;

constexpr std::int64_t mostSelected = 16;  // of a top-k: each costs two reductions

std::size_t axisOf(const Site& site, std::int64_t missing) {
  const std::int64_t axis = site.node.integer("axis", missing);
  return static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(site.relation.operands.at(0).axes.size()) : axis);
}

// The number of an element along an axis; of one without a dimension it is 0.
TensorId numbers(Emitter& emit, const naming::Axis& axis, DType type = DType::i64) {
  const Shape dims = emit.shape(axis);
  if (dims.size() > 1) throw Error{.what = "an axis that it counts is several dimensions", .where = {}, .right = "one"};
  return dims.empty() ? emit.build.scalar(0, type) : emit.build.iota(dims[0], type);
}

// Keeps what lies on one side of the diagonal that k names.
Made triangle(Emitter& emit, const Site& site) {
  GraphBuilder& build = emit.build;
  const naming::Axes& axes = site.relation.operands.at(0).axes;
  const TensorId x = emit.operand(site, 0);
  const TensorId ahead = build.minus(numbers(emit, axes[axes.size() - 1]), numbers(emit, axes[axes.size() - 2]));
  const Function side = site.node.integer("upper", 1) != 0 ? Function::greaterEqual : Function::lessEqual;
  const std::optional<double> known = site.has(1) ? emit.number(site, 1) : 0.0;
  const TensorId kept = known ? build.binary(side, ahead, *known) : build.binary(side, ahead, emit.operand(site, 1));
  emit.nameNext(site);
  return {build.graph()[x].dtype == DType::boolean ? build.binary(Function::logicalAnd, kept, x) : build.select(kept, x, 0.0)};
}

// The first place (or the last) along `dim` where `hit` holds.
TensorId placeOf(GraphBuilder& build, TensorId hit, DimId dim, bool last) {
  constexpr double beyond = 9007199254740992;  // 2^53: no dimension is so long, and a double holds it
  const double none = last ? -1.0 : beyond;
  return build.reduce(last ? Reduction::max : Reduction::min, build.select(hit, build.iota(dim), none), {dim});
}

Made arg(Emitter& emit, const Site& site) {
  GraphBuilder& build = emit.build;
  const TensorId x = emit.operand(site, 0);
  const Shape dims = emit.shape(site.relation.operands[0].axes.at(axisOf(site, 0)));
  if (dims.empty()) return {build.broadcast(build.scalar(0, DType::i64), emit.shape(site.relation.outputs[0]))};
  const TensorId best = build.reduce(site.node.type == "ArgMax" ? Reduction::max : Reduction::min, x, dims);
  const TensorId hit = build.binary(Function::equal, x, best);
  emit.nameNext(site);
  return {placeOf(build, hit, dims[0], site.node.integer("select_last_index", 0) != 0)};
}

// One where the first of the greatest stands.
Made hardmax(Emitter& emit, const Site& site) {
  GraphBuilder& build = emit.build;
  const naming::Axes& axes = site.relation.operands.at(0).axes;
  const bool old = site.node.opset < 13;
  const std::size_t axis = axisOf(site, old ? 1 : -1);
  const Shape dims = emit.shape(old ? naming::Axes(axes.begin() + static_cast<std::ptrdiff_t>(axis), axes.end()) : naming::Axes{axes.at(axis)});
  if (dims.size() != 1) throw Error{.what = "the greatest over several dimensions", .where = {}, .right = "one axis"};
  const TensorId x = emit.operand(site, 0);
  const TensorId hit = build.binary(Function::equal, x, build.reduce(Reduction::max, x, dims));
  const TensorId first = build.binary(Function::equal, build.iota(dims[0]), placeOf(build, hit, dims[0], false));
  emit.nameNext(site);
  return {build.transpose(build.cast(first, emit.outputType(site)), emit.shape(site.relation.outputs[0]))};
}

// The k greatest by k times the greatest of the rest: over a split dimension each is a reduction like any other.
Made topK(Emitter& emit, const Site& site) {
  GraphBuilder& build = emit.build;
  TensorId x = emit.operand(site, 0);
  const std::size_t axis = axisOf(site, -1);
  const Shape dims = emit.shape(site.relation.operands[0].axes.at(axis)), chosen = emit.shape(site.relation.outputs[0].at(axis));
  if (dims.empty()) {
    const Shape shape = build.graph()[x].shape;  // a copy: what is built makes the graph grow
    return {x, build.broadcast(build.scalar(0, DType::i64), shape)};
  }
  const std::int64_t count = chosen.empty() ? 1 : build.graph().size(chosen[0]);
  if (count > mostSelected) throw Error{.what = fmt::format("the {} greatest", count), .where = {}, .right = fmt::format("up to {}", mostSelected)};
  if (!isFloating(build.graph()[x].dtype)) throw Error{.what = "the greatest of integers", .where = {}, .right = "floats"};
  const bool least = site.node.integer("largest", 1) == 0;
  const double never = (least ? 1 : -1) * std::numeric_limits<double>::infinity();
  std::vector<TensorId> values, places;
  std::vector<std::int64_t> order;
  for (std::int64_t i = 0; i < count; ++i) {
    const TensorId best = build.reduce(least ? Reduction::min : Reduction::max, x, dims);
    const TensorId place = placeOf(build, build.binary(Function::equal, x, best), dims[0], false);
    values.push_back(best);
    places.push_back(place);
    order.push_back(i);
    if (i + 1 < count) x = build.select(build.binary(Function::equal, build.iota(dims[0]), place), never, x);
  }
  if (chosen.empty()) return {values[0], places[0]};
  const Shape shape = emit.shape(site.relation.outputs[0]);
  const auto stacked = [&](const std::vector<TensorId>& some) { return build.addOne("stack", some, {{"dim", chosen}, {"indices", order}, {"shape", shape}}); };
  emit.nameNext(site);
  return {stacked(values), stacked(places)};
}

// Counted from the end where negative.
TensorId wrapped(Emitter& emit, TensorId ids, DimId dim) {
  GraphBuilder& build = emit.build;
  const std::int64_t rows = build.graph().size(dim);
  if (rows == 0) throw Error{.what = naming::openSymbol, .where = {}, .right = {}};
  return build.select(build.binary(Function::less, ids, 0.0), build.plus(ids, static_cast<double>(rows)), ids);
}

// Rows by an id for each element: what both have in common they go through together.
Made gatherElements(Emitter& emit, const Site& site) {
  GraphBuilder& build = emit.build;
  const std::size_t axis = axisOf(site, 0);
  const Shape rows = emit.shape(site.relation.operands.at(0).axes.at(axis)), out = emit.shape(site.relation.outputs.at(0));
  const TensorId table = emit.operand(site, 0);
  if (rows.empty()) return {build.broadcast(table, out)};  // one row: whatever the ids say
  const TensorId ids = wrapped(emit, emit.operand(site, 1), rows[0]);
  const TensorId y = build.gather(table, rows[0], ids);
  emit.nameNext(site);
  return {build.transpose(y, out)};
}

// One row: whatever the ids say, the updates are for it.
TensorId scatterToOne(Emitter& emit, const std::string& reduction, TensorId x, TensorId updates, const Shape& summed) {
  GraphBuilder& build = emit.build;
  if (summed.empty() && reduction == "none") return updates;
  if (reduction == "none") throw Error{.what = "several updates are for one row, and nothing says which", .where = {}, .right = "a reduction, or one update"};
  static const std::map<std::string, std::pair<Reduction, Function>> table{
      {"add", {Reduction::sum, Function::add}}, {"mul", {Reduction::product, Function::multiply}}, {"max", {Reduction::max, Function::maximum}}, {"min", {Reduction::min, Function::minimum}}};
  const auto [reduce, join] = table.at(reduction);
  if (!summed.empty()) updates = build.reduce(reduce, updates, summed);
  return build.binary(join, x, updates);
}

// Sums by place; and where nothing is summed up, the last value counts, of which there is one unless ids repeat themselves.
Made scatterElements(Emitter& emit, const Site& site) {
  GraphBuilder& build = emit.build;
  const std::string reduction = site.node.text("reduction", "none");
  if (reduction != "none" && reduction != "add" && reduction != "mul" && reduction != "max" && reduction != "min") throw Error{.what = "it reduces by " + reduction, .where = {}, .right = "none, add, mul, max or min"};
  const std::size_t axis = axisOf(site, 0);
  const TensorId x = emit.operand(site, 0);
  TensorId updates = emit.operand(site, 2);
  const Shape rows = emit.shape(site.relation.operands[0].axes.at(axis));
  Shape summed = emit.shape(site.relation.operands.at(1).axes.at(axis));
  if (rows.empty()) return {scatterToOne(emit, reduction, x, updates, summed)};
  TensorId ids = wrapped(emit, emit.operand(site, 1), rows[0]);
  if (summed.empty()) {  // one update: summed over an axis of its own
    summed = {emit.unit(build.graph()[x].shape)};
    for (TensorId* one : {&ids, &updates}) {
      Shape longer = build.graph()[*one].shape;
      longer.push_back(summed[0]);
      *one = build.broadcast(*one, longer);
    }
  }
  const Shape shape = build.graph()[x].shape;
  if (reduction == "max" || reduction == "min" || reduction == "mul") {
    const bool product = reduction == "mul";
    const std::vector<TensorId> inputs = product ? std::vector<TensorId>{ids, updates} : std::vector<TensorId>{ids, updates, x};
    const TensorId found = build.addOne("scatter_reduce", inputs, {{"dims", summed}, {"rows", rows}, {"shape", shape}, {"reduction", product ? std::string("product") : reduction}});
    emit.nameNext(site);
    return {build.binary(product ? Function::multiply : reduction == "max" ? Function::maximum : Function::minimum, x, found)};
  }
  const auto sum = [&](TensorId values) { return build.addOne("scatter_add", {ids, values}, {{"dims", summed}, {"rows", rows}, {"shape", shape}}); };
  const TensorId total = sum(updates);
  emit.nameNext(site);
  if (reduction == "add") return {build.plus(x, total)};
  const Tensor given = build.graph()[updates];  // a copy: what is built makes the graph grow
  const TensorId ones = build.broadcast(build.scalar(1, given.dtype), given.shape);
  return {build.select(build.binary(Function::greater, sum(ones), 0.0), total, x)};
}

Made oneHot(Emitter& emit, const Site& site) {
  GraphBuilder& build = emit.build;
  const Shape classes = emit.shape(site.relation.added), values = emit.shape(site.relation.operands.at(2).axes.at(0));
  if (classes.size() != 1 || values.size() != 1) throw Error{.what = "one class", .where = {}, .right = "two or more"};
  TensorId ids = emit.operand(site, 0);
  if (build.graph()[ids].dtype != DType::i64) ids = build.cast(ids, DType::i64);
  const TensorId hit = build.binary(Function::equal, wrapped(emit, ids, classes[0]), build.iota(classes[0]));
  const TensorId given = emit.operand(site, 2);
  const TensorId off = build.pick(given, values[0], 0), on = build.pick(given, values[0], 1);
  emit.nameNext(site);
  return {build.transpose(build.select(hit, on, off), emit.shape(site.relation.outputs[0]))};
}

Made eye(Emitter& emit, const Site& site) {
  GraphBuilder& build = emit.build;
  const naming::Axes& axes = site.relation.operands.at(0).axes;
  const TensorId ahead = build.minus(numbers(emit, axes.at(1)), numbers(emit, axes.at(0)));
  const TensorId hit = build.binary(Function::equal, ahead, static_cast<double>(site.node.integer("k", 0)));
  const TensorId ordered = build.transpose(hit, emit.shape(site.relation.outputs[0]));
  emit.nameNext(site);
  return {build.cast(ordered, emit.outputType(site))};
}

Made reverseSequence(Emitter& emit, const Site& site) {
  GraphBuilder& build = emit.build;
  const naming::Axes& axes = site.relation.operands.at(0).axes;
  const Shape time = emit.shape(axes.at(static_cast<std::size_t>(site.node.integer("time_axis", 0))));
  const TensorId x = emit.operand(site, 0), lengths = emit.operand(site, 1);
  if (time.empty()) return {x};
  const DimId turned = build.newDim(build.graph()[time[0]].name + "_turned", build.graph().size(time[0]));
  const TensorId place = build.iota(turned);
  const TensorId within = build.binary(Function::less, place, lengths), back = build.plus(build.minus(lengths, place), -1.0);
  const TensorId y = build.gather(x, time[0], build.select(within, back, place));
  const TensorId named = build.rename(y, turned, time[0]);
  emit.nameNext(site);
  return {build.transpose(named, emit.shape(site.relation.outputs[0]))};
}

// A product with the triangle of ones: element i of the result sums those up to it.
Made cumulativeSum(Emitter& emit, const Site& site) {
  GraphBuilder& build = emit.build;
  const positional::DataPtr given = emit.data(site, 1);
  if (!given || given->count() != 1) throw Error{.what = "data decide its axis", .where = {}, .right = "a constant"};
  const std::int64_t rank = static_cast<std::int64_t>(site.relation.operands[0].axes.size()), at = given->integers.at(0);
  const Shape dims = emit.shape(site.relation.operands[0].axes.at(static_cast<std::size_t>(at < 0 ? at + rank : at)));
  const TensorId x = emit.operand(site, 0);
  const bool exclusive = site.node.integer("exclusive", 0) != 0, reverse = site.node.integer("reverse", 0) != 0;
  if (dims.empty()) return {exclusive ? build.times(x, 0.0) : x};
  if (dims.size() > 1) throw Error{.what = "a sum along several dimensions", .where = {}, .right = "one"};
  const DimId read = build.newDim(build.graph()[dims[0]].name + "_summed", build.graph().size(dims[0]));
  const TensorId made = build.iota(dims[0]), seen = build.iota(read);
  const Function side = reverse ? (exclusive ? Function::greater : Function::greaterEqual) : exclusive ? Function::less : Function::lessEqual;
  const TensorId ones = build.cast(build.binary(side, seen, made), build.graph()[x].dtype);
  const TensorId renamed = build.rename(x, dims[0], read);
  const Shape out = emit.shape(site.relation.outputs[0]);
  emit.nameNext(site);
  return {build.einsum({renamed, ones}, out)};
}

}  // namespace

const std::map<std::string, EmitRule>& emitIndices() {
  static const std::map<std::string, EmitRule> table{{"Trilu", triangle}, {"ArgMax", arg}, {"ArgMin", arg}, {"Hardmax", hardmax}, {"TopK", topK}, {"GatherElements", gatherElements}, {"ScatterElements", scatterElements},
                                                     {"Scatter", scatterElements}, {"OneHot", oneHot}, {"EyeLike", eye}, {"ReverseSequence", reverseSequence}, {"CumSum", cumulativeSum}};
  return table;
}

}  // namespace core
