#include "core/ops/builder.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/ops/infer.h"
#include "core/ops/require.h"

namespace core {
namespace {

bool isNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

void requireDimName(std::string_view name) {
  if (name.empty() || !std::all_of(name.begin(), name.end(), isNameCharacter))
    throw Error{.what = fmt::format("\"{}\" is no name for a dimension", name), .right = "letters, digits and _"};
}

// What fills a weight that no file fills: small random numbers in matrices, one in the scales of norms, else zero.
Source defaultInitializer(const std::string& name, std::size_t rank) {
  if (rank >= 2) return Initializer{Initializer::Kind::normal, 0, 0.02};
  const std::string_view last =
      std::string_view(name).substr(name.find_last_of("./") == std::string::npos ? 0 : name.find_last_of("./") + 1);
  const bool scale = last == "weight" || last == "scale" || last == "gamma" || last == "g";
  return Initializer{Initializer::Kind::constant, scale ? 1.0 : 0.0, 0};
}

}  // namespace

void GraphBuilder::index() {
  if (indexed_) return;
  indexed_ = true;
  for (std::size_t i = 0; i < graph_.dims.size(); ++i)
    dims_.emplace(graph_.dims[i].name, DimId(static_cast<std::int64_t>(i)));
  for (const Tensor& tensor : graph_.tensors) taken_.emplace(tensor.name, 1);
  for (const Operator& op : graph_.operators) taken_.emplace(op.name, 1);
}

DimId GraphBuilder::dim(std::string_view name, std::int64_t size) {
  index();
  requireDimName(name);
  if (size < 0)
    throw Error{.what = fmt::format("dimension \"{}\" of size {}", name, size),
                .right = "a size of 1 or more, or 0 for one that is not known yet"};
  if (const auto found = dims_.find(name); found != dims_.end()) {
    if (graph_.size(found->second) != size)
      throw Error{.what = fmt::format("dimension \"{}\" has size {} and is given size {}", name,
                                      graph_.size(found->second), size),
                  .right = "one size a name; take another name"};
    return found->second;
  }
  graph_.dims.push_back({std::string(name), size});
  return dims_.emplace(std::string(name), DimId(static_cast<std::int64_t>(graph_.dims.size()) - 1)).first->second;
}

DimId GraphBuilder::newDim(std::string_view base, std::int64_t size) {
  index();
  std::string name(base);
  for (int n = 2; dims_.count(name) != 0; ++n) name = fmt::format("{}_{}", base, n);
  return dim(name, size);
}

Shape GraphBuilder::shape(std::string_view text) {
  index();
  Shape made;
  for (std::string_view word : words(text)) {
    const std::size_t colon = word.find(':');
    const std::string_view name = word.substr(0, colon);
    const auto known = dims_.find(name);
    DimId id;
    if (colon == std::string_view::npos) {
      if (known == dims_.end())
        throw Error{.what = fmt::format("dimension \"{}\" has no size yet", name),
                    .where = std::string(text),
                    .right = fmt::format("\"{}:8\"", name)};
      id = known->second;
    } else if (word.substr(colon + 1) == "?") {
      id = known != dims_.end() ? known->second : dim(name, 0);
    } else {
      const auto size = parseInteger(word.substr(colon + 1));
      if (!size || *size < 1)
        throw Error{.what = fmt::format("\"{}\" is no size", word.substr(colon + 1)),
                    .where = std::string(text),
                    .right = "a whole number of 1 or more, or ?"};
      id = dim(name, *size);
    }
    if (holds(made, id))
      throw Error{.what = fmt::format("dimension \"{}\" stands twice", name),
                  .where = std::string(text),
                  .right = "each dimension of a tensor has a name of its own"};
    made.push_back(id);
  }
  return made;
}

void GraphBuilder::pushScope(const std::string& scope) {
  scopes_.push_back(scope);
}

void GraphBuilder::popScope() {
  scopes_.pop_back();
}

void GraphBuilder::nextName(const std::string& name) {
  nextName_ = name;
}

std::string GraphBuilder::uniqueName(const std::string& wanted) {
  index();
  const auto [first, fresh] = taken_.emplace(wanted, 1);
  if (fresh) return wanted;
  for (;;) {
    std::string name = fmt::format("{}_{}", wanted, ++first->second);
    if (taken_.emplace(name, 1).second) return name;
  }
}

void GraphBuilder::renameTensor(TensorId tensor, const std::string& name) {
  index();
  if (graph_[tensor].name == name) return;
  if (!taken_.emplace(name, 1).second)
    throw Error{.what = fmt::format("two tensors or operators are named \"{}\"", name), .right = "names are unique"};
  graph_.tensors[tensor.index()].name = name;
}

TensorId GraphBuilder::leaf(Tensor tensor) {
  index();
  for (std::size_t i = 0; i < tensor.shape.size(); ++i)
    if (std::count(tensor.shape.begin(), tensor.shape.end(), tensor.shape[i]) > 1)
      throw Error{.what = fmt::format("dimension \"{}\" stands twice", graph_[tensor.shape[i]].name),
                  .where = tensor.name,
                  .right = "each dimension of a tensor has a name of its own"};
  if (!taken_.emplace(tensor.name, 1).second)
    throw Error{.what = fmt::format("two tensors or operators are named \"{}\"", tensor.name),
                .right = "names are unique"};
  graph_.tensors.push_back(std::move(tensor));
  return TensorId(static_cast<std::int64_t>(graph_.tensors.size()) - 1);
}

TensorId GraphBuilder::input(const std::string& name, const Shape& shape, DType dtype) {
  return leaf({.name = name, .shape = shape, .dtype = dtype, .kind = TensorKind::input});
}

TensorId GraphBuilder::input(const std::string& name, std::string_view text, DType dtype) {
  return input(name, shape(text), dtype);
}

TensorId GraphBuilder::state(const std::string& name, const Shape& shape, DType dtype, StateKind kind, Source source) {
  return leaf({.name = name,
               .shape = shape,
               .dtype = dtype,
               .kind = TensorKind::state,
               .state = kind,
               .source = std::move(source)});
}

TensorId GraphBuilder::parameter(const std::string& name, const Shape& shape, std::optional<Source> source,
                                 DType dtype) {
  return state(name, shape, dtype, StateKind::parameter,
               source ? std::move(*source) : defaultInitializer(name, shape.size()));
}

TensorId GraphBuilder::parameter(const std::string& name, std::string_view text, DType dtype) {
  return parameter(name, shape(text), {}, dtype);
}

TensorId GraphBuilder::constant(const std::string& name, const Shape& shape, DType dtype, Source source) {
  return leaf(
      {.name = name, .shape = shape, .dtype = dtype, .kind = TensorKind::constant, .source = std::move(source)});
}

TensorId GraphBuilder::scalar(double value, DType dtype) {
  const std::string name =
      fmt::format("scalar/{}{}", value, dtype == DType::f32 ? "" : fmt::format(":{}", toString(dtype)));
  index();
  if (taken_.count(name) != 0)
    if (const auto found = graph_.findTensor(name)) return *found;
  return constant(name, {}, dtype, Initializer{Initializer::Kind::constant, value, 0});
}

std::vector<TensorId> GraphBuilder::append(Operator op, const std::vector<TensorType>& types) {
  const OperatorId id(static_cast<std::int64_t>(graph_.operators.size()));
  for (std::size_t i = 0; i < types.size(); ++i) {
    const std::string name = i == 0 ? op.name : uniqueName(fmt::format("{}:{}", op.name, i));
    op.outputs.emplace_back(static_cast<std::int64_t>(graph_.tensors.size()));
    graph_.tensors.push_back({.name = name,
                              .shape = types[i].shape,
                              .dtype = types[i].dtype,
                              .kind = TensorKind::value,
                              .source = {},
                              .producer = id});
  }
  graph_.operators.push_back(std::move(op));
  return graph_.operators.back().outputs;
}

std::string GraphBuilder::operatorName(const std::string& kind) {
  if (nextName_) {
    const std::string name = uniqueName(*nextName_);
    nextName_.reset();
    return name;
  }
  std::string name;
  for (const std::string& scope : scopes_) name += scope + "/";
  return uniqueName(name + kind);
}

std::vector<TensorId> GraphBuilder::add(const std::string& kind, std::vector<TensorId> inputs, Attributes attributes) {
  Operator op{.name = operatorName(kind),
              .kind = kind,
              .attributes = std::move(attributes),
              .inputs = std::move(inputs),
              .outputs = {}};
  for (TensorId id : op.inputs)
    if (!id.valid() || id.index() >= graph_.tensors.size())
      throw Error{.what = "an input is no tensor of the graph", .where = op.name};
  const std::vector<TensorType> types = outputTypes(OperatorView(graph_, op));
  return append(std::move(op), types);
}

TensorId GraphBuilder::addOne(const std::string& kind, std::vector<TensorId> inputs, Attributes attributes) {
  return add(kind, std::move(inputs), std::move(attributes)).front();
}

std::vector<TensorId> GraphBuilder::opaque(const std::string& type, std::vector<TensorId> inputs,
                                           const std::vector<Shape>& outputs, const std::vector<DType>& dtypes,
                                           Attributes attributes) {
  attributes["type"] = type;
  std::vector<TensorType> types;
  for (std::size_t i = 0; i < outputs.size(); ++i) types.push_back({outputs[i], dtypes[i]});
  return append({.name = operatorName(type),
                 .kind = "opaque",
                 .attributes = std::move(attributes),
                 .inputs = std::move(inputs),
                 .outputs = {}},
                types);
}

void GraphBuilder::update(TensorId state, TensorId value) {
  if (graph_[state].kind != TensorKind::state)
    throw Error{.what = fmt::format("\"{}\" is no state", graph_[state].name), .right = "only states are updated"};
  if (graph_[state].shape != graph_[value].shape || graph_[state].dtype != graph_[value].dtype)
    throw Error{.what = fmt::format("state \"{}\" {} {} is to take {} {}", graph_[state].name,
                                    shapeText(graph_, graph_[state].shape), toString(graph_[state].dtype),
                                    shapeText(graph_, graph_[value].shape), toString(graph_[value].dtype)),
                .where = graph_[value].name,
                .right = "a value of the state's own dimensions and type"};
  graph_.updates.push_back({state, value});
}

void GraphBuilder::output(TensorId x) {
  graph_.outputs.push_back(x);
}

}  // namespace core
