#include "core/io/onnx_emit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/io/element.h"
#include "core/io/mapped_file.h"
#include "core/io/onnx_emitter.h"

namespace core {

using naming::AtomId;
using naming::Axes;
using naming::Axis;
using naming::Edit;
using naming::Relation;
using positional::DataPtr;
using positional::Model;
using FileNode = positional::Node;
using positional::Value;

namespace {

const EmitRule* ruleOf(const FileNode& node) {
  if (!node.domain.empty()) return nullptr;
  for (const auto* table : {&emitElements(), &emitShapes(), &emitProducts(), &emitWindows(), &emitIndices(), &emitResize(), &emitRecurrent()})
    if (auto found = table->find(node.type); found != table->end()) return &found->second;
  return nullptr;
}

// An axis that one leaf makes up tells whether that leaf depends on a symbol.
std::set<AtomId> varyingLeaves(const Walk& walk, const naming::Names& names) {
  std::set<AtomId> found;
  auto see = [&](int value, const Axes& axes) {
    const auto& varies = walk.varies[static_cast<std::size_t>(value)];
    for (std::size_t i = 0; i < axes.size() && i < varies.size(); ++i)
      if (Axis leaves = names.atoms.leaves(axes[i]); varies[i] && leaves.size() == 1) found.insert(leaves[0]);
  };
  for (std::size_t v = 0; v < names.axes.size(); ++v)
    if (names.axes[v]) see(static_cast<int>(v), *names.axes[v]);
  for (const Relation& relation : names.relations)
    for (const naming::Operand& operand : relation.operands)
      if (operand.value >= 0) see(operand.value, operand.axes);
  return found;
}

}  // namespace

Emitter::Emitter(const Model& m, const Walk& w, const naming::Names& n, const naming::Dictionary& d)
    : model(m), walk(w), names(n), dictionary(d), tensors_(m.values.size()), varying_(varyingLeaves(w, n)) {
  for (const FileNode& node : model.nodes) {
    if (!node.domain.empty() || !node.type.ends_with("Normalization")) continue;
    // Scale, bias, and of a batch norm the gathered mean and variance: what they are before anything is learned.
    constexpr std::array<double, 5> untrained{0, 1, 0, 0, 1};
    for (std::size_t i = 1; i < untrained.size(); ++i) {
      if (node.input(i) < 0) continue;
      untrained_[node.input(i)] = untrained[i];
      if (i > 2 && node.type == "BatchNormalization") statistics_.insert(node.input(i));
    }
  }
}

Emission Emitter::run() {
  for (int input : model.inputs) {
    const Value& value = model.values[static_cast<std::size_t>(input)];
    if (!isParameter(value)) tensors_[static_cast<std::size_t>(input)] = build.input(value.name, shape(*names.axes[static_cast<std::size_t>(input)]), value.dtype);
  }
  for (std::size_t v = 0; v < model.values.size(); ++v)  // in the file's order, not in that of use
    if (isParameter(model.values[v]) && names.axes[v]) stored(static_cast<int>(v));
  for (const Relation& relation : names.relations) node(relation);
  outputs();
  for (const auto& [text, major] : dictionary.aliases)
    if (!build.graph().findDim(text)) build.edit().aliases[text] = dictionary.names.at(major);
  result.graph = build.take();
  result.tensors = tensors_;
  result.dims = dims_;
  return std::move(result);
}

DimId Emitter::dim(AtomId leaf) {
  auto [found, fresh] = dims_.emplace(leaf, DimId());
  if (fresh) {
    auto name = dictionary.names.find(leaf);
    std::int64_t size = varies(leaf) ? 0 : names.atoms.size(leaf);
    found->second = name != dictionary.names.end() ? build.dim(name->second, size) : build.newDim("dim", size);
  }
  return found->second;
}

DimId Emitter::unit(const Shape& taken) {
  for (DimId one : units_)
    if (std::find(taken.begin(), taken.end(), one) == taken.end()) return one;
  units_.push_back(build.newDim("unit", 1));
  return units_.back();
}

Shape Emitter::shape(const Axis& axis) {
  Shape found;
  for (AtomId leaf : names.atoms.leaves(axis)) found.push_back(dim(leaf));
  return found;
}

Shape Emitter::shape(const Axes& axes) {
  Shape found;
  for (const Axis& axis : axes)
    for (DimId one : shape(axis)) found.push_back(one);
  return found;
}

Shape Emitter::summed(const Site& site) { return shape(site.relation.summed); }

DType Emitter::outputType(const Site& site, std::size_t i) const { return walk.values.at(static_cast<std::size_t>(site.node.outputs.at(i))).dtype; }

const positional::Sizes& Emitter::sizesOf(int value) const {
  if (value < 0 || !walk.values[static_cast<std::size_t>(value)].sizes) throw Error{.what = "an input or output that it needs is left out", .where = {}, .right = {}};
  return *walk.values[static_cast<std::size_t>(value)].sizes;
}

DataPtr Emitter::data(const Site& site, std::size_t i) const {
  int value = site.node.input(i);
  return value < 0 ? nullptr : walk.values[static_cast<std::size_t>(value)].data;
}

std::optional<double> Emitter::number(const Site& site, std::size_t i) const {
  DataPtr known = data(site, i);
  if (!known || known->count() != 1 || walk.dataVaries[static_cast<std::size_t>(site.node.input(i))]) return std::nullopt;
  return known->at(0);
}

TensorId Emitter::ordered(TensorId x, const Shape& order) { return build.graph()[x].shape == order ? x : build.transpose(x, order); }

TensorId Emitter::tensorOf(int value) {
  TensorId& found = tensors_[static_cast<std::size_t>(value)];
  return found.valid() ? found : stored(value);
}

Source Emitter::sourceOf(const Value& value, const DataPtr& known) {
  if (const auto* file = std::get_if<FileSource>(&value.source)) {
    FileSource source = *file;
    if (source.fileBytes == 0) return source;  // not there: reported, and refused by who runs
    MappedFile mapped(source.path);
    if (source.offset + source.bytes > static_cast<std::int64_t>(mapped.bytes().size())) throw Error{.what = "the file has become shorter", .where = source.path, .right = "a file that nobody writes"};
    source.chunkHashes = hashChunks(mapped.bytes().subspan(static_cast<std::size_t>(source.offset), static_cast<std::size_t>(source.bytes)));
    return source;
  }
  DataPtr data = value.data ? value.data : known;
  if (!data) return std::monostate{};
  return InlineSource{std::make_shared<const std::vector<std::byte>>(writeElements(*data))};
}

// A parameter or a constant.
TensorId Emitter::stored(int v) {
  const Value& value = model.values[static_cast<std::size_t>(v)];
  TensorId& made = tensors_[static_cast<std::size_t>(v)];
  if (made.valid()) return made;
  const Known& known = walk.values[static_cast<std::size_t>(v)];
  Shape dims = shape(*names.axes[static_cast<std::size_t>(v)]);
  if (isParameter(value)) {
    Source source = sourceOf(value, nullptr);
    bool statistic = value.isStatistic || statistics_.count(v) > 0;
    bool given = !std::holds_alternative<std::monostate>(source);
    const auto ofNorm = untrained_.find(v);
    if (const std::optional<double> begins = ofNorm != untrained_.end() ? ofNorm->second : value.untrained; !given && begins) {
      source = Initializer{Initializer::Kind::constant, *begins, 0};
      given = true;
    }
    if (statistic) made = build.state(value.name, dims, value.dtype, StateKind::statistic, source);
    else made = build.parameter(value.name, dims, given ? std::optional(source) : std::nullopt, value.dtype);
  } else if (known.data || value.kind == Value::Kind::initializer) {
    std::size_t begin = std::min(value.name.find_first_not_of('/'), value.name.size() - 1);
    std::string name = value.name.empty() ? "constant" : value.name.substr(begin);
    Source source = sourceOf(value, known.data);
    try {
      made = build.constant(name, dims, known.dtype, source);
    } catch (const Error&) {  // an operator or input has the name
      made = build.constant(name + "/constant", dims, known.dtype, source);
    }
  } else {
    throw Error{.what = fmt::format("nothing makes \"{}\"", value.name), .where = {}, .right = "a value that a node makes"};
  }
  return made;
}

// One for one renames; several into one merge; one into several split; anything else merges and splits.
TensorId Emitter::convert(TensorId x, const Axis& from, const Axis& to) {
  if (from == to) return x;
  auto key = std::tuple(x, from, to);
  if (auto found = converted_.find(key); found != converted_.end()) return found->second;
  const naming::Atoms& atoms = names.atoms;
  TensorId y = x;
  bool pairs = from.size() == to.size();
  for (std::size_t i = 0; pairs && i < from.size(); ++i) pairs = atoms.size(from[i]) == atoms.size(to[i]);
  if (pairs) {
    for (std::size_t i = 0; i < from.size(); ++i)
      if (from[i] != to[i]) y = build.rename(y, dim(from[i]), dim(to[i])), ++result.renames;
  } else {
    Shape parts = shape(from), into = shape(to);
    DimId joint = into.size() == 1 ? into[0] : parts.size() == 1 ? parts[0] : build.newDim("merged", atoms.product(from));
    if (parts.size() > 1) {
      Shape order;  // the parts side by side, where the first of them stands
      for (DimId one : build.graph()[y].shape) {
        if (one == parts[0]) order.insert(order.end(), parts.begin(), parts.end());
        else if (std::find(parts.begin(), parts.end(), one) == parts.end()) order.push_back(one);
      }
      y = build.merge(ordered(y, order), parts, joint);
      ++result.reshapes;
    }
    if (into.size() > 1) y = build.split(y, joint, into), ++result.reshapes;
  }
  converted_[key] = y;
  return y;
}

TensorId Emitter::operand(const Site& site, std::size_t i) {
  const naming::Operand& operand = site.relation.operands.at(i);
  if (operand.value < 0) throw Error{.what = fmt::format("input {} is left out", i), .where = site.node.name, .right = "an operator with all its inputs"};
  TensorId x = tensorOf(operand.value);
  for (const Edit& edit : operand.edits) x = convert(x, names.atoms.leaves(edit.from), names.atoms.leaves(edit.to));
  return x;
}

// One index of (a, b) is an index of a and one of b.
TensorId Emitter::take(TensorId x, const naming::Taking& taking) {
  Axis from = names.atoms.leaves(taking.from);
  if (!taking.to.empty()) {
    DimId into = dim(names.atoms.leaves(taking.to).at(0));
    if (taking.leftOff < 0) return build.slice(x, dim(from.at(0)), into, taking.start, taking.step);
    return build.addOne("slice", {x}, {{"dim", Shape{dim(from.at(0))}}, {"into", Shape{into}}, {"start", taking.start}, {"step", taking.step}, {"left_off", taking.leftOff}});
  }
  std::int64_t rest = names.atoms.product(from), index = taking.start;
  for (AtomId leaf : from) {
    rest /= names.atoms.size(leaf);
    x = build.pick(x, dim(leaf), index / rest);
    index %= rest;
  }
  return x;
}

// "/h.0/attn/MatMul" -> "h.0/attn/MatMul": what stands before the last '/' is the scope.
std::string Emitter::nameOf(const FileNode& node) const {
  std::size_t begin = node.name.find_first_not_of('/');
  return begin == std::string::npos ? node.type : node.name.substr(begin);
}

void Emitter::node(const Relation& relation) {
  const FileNode& node = model.nodes[static_cast<std::size_t>(relation.node)];
  Site site{node, relation};
  ++result.kinds[node.type];
  const EmitRule* rule = relation.opaque ? nullptr : ruleOf(node);
  if (!rule) return opaque(site, relation.why);
  std::size_t operators = build.graph().operators.size(), tensors = build.graph().tensors.size();
  std::int64_t renames = result.renames, reshapes = result.reshapes;
  std::string name = nameOf(node);
  std::string scope(scopeOf(name));
  if (!scope.empty()) build.pushScope(scope);
  std::string why;
  try {
    std::vector<TensorId> made = (*rule)(*this, site);
    for (std::size_t i = 0; i < node.outputs.size() && i < made.size(); ++i)
      if (node.outputs[i] >= 0) tensors_[static_cast<std::size_t>(node.outputs[i])] = made[i];
  } catch (const Error& error) {
    why = error.what;
  } catch (const std::out_of_range&) {
    why = "it has fewer inputs or outputs than the operator needs";
  }
  if (!scope.empty()) build.popScope();
  if (why.empty()) return;
  // What was begun is taken back.
  Graph& graph = build.edit();
  graph.operators.resize(operators);
  graph.tensors.resize(tensors);
  for (TensorId& one : tensors_)
    if (one.valid() && one.index() >= tensors) one = TensorId();
  converted_.clear();
  result.renames = renames;
  result.reshapes = reshapes;
  opaque(site, why);
}

void Emitter::opaque(const Site& site, const std::string& why) {
  std::vector<TensorId> inputs;
  for (std::size_t i = 0; i < site.inputs(); ++i)
    if (site.has(i)) inputs.push_back(operand(site, i));
  std::vector<Shape> shapes;
  std::vector<DType> types;
  for (std::size_t i = 0; i < site.node.outputs.size(); ++i) {
    if (site.node.outputs[i] < 0) continue;
    shapes.push_back(shape(site.relation.outputs[i]));
    types.push_back(outputType(site, i));
  }
  Attributes attributes;
  for (const auto& [key, value] : site.node.attributes) {
    if (const auto* i = std::get_if<std::int64_t>(&value)) attributes[key] = *i;
    else if (const auto* f = std::get_if<double>(&value)) attributes[key] = *f;
    else if (const auto* s = std::get_if<std::string>(&value)) attributes[key] = *s;
    else if (const auto* is = std::get_if<std::vector<std::int64_t>>(&value)) attributes[key] = *is;
    else if (const auto* fs = std::get_if<std::vector<double>>(&value)) attributes[key] = *fs;
  }
  build.nextName(nameOf(site.node));
  std::vector<TensorId> made = build.opaque(site.node.type, inputs, shapes, types, attributes);
  std::size_t next = 0;
  for (int output : site.node.outputs)
    if (output >= 0) tensors_[static_cast<std::size_t>(output)] = made[next++];
  ++result.opaque[site.node.type][why];
}

// In the file's order of axes, under the file's names.
void Emitter::outputs() {
  std::set<TensorId> done;
  for (int output : model.outputs) {
    const std::string& name = model.values[static_cast<std::size_t>(output)].name;
    TensorId x = ordered(tensorOf(output), shape(*names.axes[static_cast<std::size_t>(output)]));
    if (build.graph()[x].kind != TensorKind::value || !done.insert(x).second) {
      build.nextName(name + "/output");
      x = build.unary(Function::identity, x);
      done.insert(x);
    }
    try {
      build.renameTensor(x, name);
    } catch (const Error&) {  // an input or another operator has that name: the output keeps its operator's
      result.notes.push_back(fmt::format("output \"{}\" is named \"{}\": its name is taken", name, build.graph()[x].name));
    }
    build.output(x);
  }
}

Emission emit(const Model& model, const Walk& walk, const naming::Names& names, const naming::Dictionary& dictionary) {
  return Emitter(model, walk, names, dictionary).run();
}

}  // namespace core
