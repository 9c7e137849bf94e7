#include <fmt/format.h>

#include <unordered_map>

#include "core/io/value_json.h"

namespace core {
namespace {

constexpr std::pair<std::string_view, TensorKind> tensorKinds[] = {
    {"value", TensorKind::value}, {"input", TensorKind::input}, {"constant", TensorKind::constant}, {"state", TensorKind::state}};
constexpr std::pair<std::string_view, StateKind> stateKinds[] = {
    {"parameter", StateKind::parameter}, {"slot", StateKind::slot}, {"counter", StateKind::counter}, {"statistic", StateKind::statistic}};

Json tensorJson(const Tensor& tensor, const Graph& graph) {
  Json shape = Json::array();
  for (DimId dim : tensor.shape) shape.push_back(graph[dim].name);
  Json json = {{"name", tensor.name}, {"shape", std::move(shape)}, {"dtype", toString(tensor.dtype)}};
  if (tensor.kind != TensorKind::value) json["kind"] = nameOf<TensorKind>(tensor.kind, tensorKinds);
  if (tensor.state != StateKind::parameter) json["state"] = nameOf<StateKind>(tensor.state, stateKinds);
  if (tensor.source != Source{}) json["source"] = sourceJson(tensor.source);
  return json;
}

Json namesJson(const std::vector<TensorId>& tensors, const Graph& graph) {
  Json json = Json::array();
  for (TensorId tensor : tensors) json.push_back(graph[tensor].name);
  return json;
}

Json operatorJson(const Operator& op, const Graph& graph) {
  Json json = {{"name", op.name}, {"kind", op.kind}};
  if (!op.attributes.empty()) json["attributes"] = attributesJson(op.attributes, &graph);
  json["inputs"] = namesJson(op.inputs, graph);
  json["outputs"] = namesJson(op.outputs, graph);
  return json;
}

// Builds a graph from its lists, each thing named before it is used.
class GraphReader {
 public:
  Graph read(const JsonReader& reader) {
    const JsonObject object(reader, {"name", "dims", "tensors", "operators", "updates", "outputs", "aliases"});
    graph_.name = object.at("name").string();
    object.at("dims").each([&](const JsonReader& item) { dim(item); });
    object.at("tensors").each([&](const JsonReader& item) { tensor(item); });
    object.at("operators").each([&](const JsonReader& item) { op(item); });
    requireProducers(object.at("tensors"));
    object.at("updates").each([&](const JsonReader& item) { update(item); });
    graph_.outputs = object.at("outputs").list([&](const JsonReader& item) { return made(item); });
    if (auto aliases = object.find("aliases")) aliases->each([&](const JsonReader& item) { alias(item); });
    return std::move(graph_);
  }

 private:
  template <class Table, class IdType>
  void name(const JsonReader& reader, Table& table, IdType id, const char* what) {
    if (!table.emplace(reader.name(), id).second) reader.refuse(fmt::format("two {} are named \"{}\"", what, reader.string()), "each name once");
  }

  void dim(const JsonReader& reader) {
    const JsonObject object(reader, {"name", "size"});
    const JsonReader size = object.at("size");  // null: not bound yet
    name(object.at("name"), dims_, DimId(static_cast<std::int64_t>(graph_.dims.size())), "dimensions");
    graph_.dims.push_back({object.at("name").string(), size.json().is_null() ? 0 : size.size()});
  }

  DimId findDim(const JsonReader& reader) const {
    const auto found = dims_.find(reader.string());
    if (found == dims_.end()) reader.refuse(fmt::format("the graph has no dimension \"{}\"", reader.string()), "a name that stands in \"dims\"");
    return found->second;
  }

  void tensor(const JsonReader& reader) {
    const JsonObject object(reader, {"name", "shape", "dtype", "kind", "state", "source"});
    name(object.at("name"), tensors_, TensorId(static_cast<std::int64_t>(graph_.tensors.size())), "tensors");
    Tensor tensor{.name = object.at("name").string(), .shape = shape(object.at("shape")), .dtype = readDType(object.at("dtype"))};
    if (auto kind = object.find("kind")) tensor.kind = kind->oneOf<TensorKind>(tensorKinds);
    if (auto state = object.find("state")) tensor.state = state->oneOf<StateKind>(stateKinds);
    if (auto source = object.find("source")) tensor.source = readSource(*source);
    checkSize(object.at("shape"), tensor);
    graph_.tensors.push_back(std::move(tensor));
  }

  Shape shape(const JsonReader& reader) const {
    Shape shape;
    reader.each([&](const JsonReader& item) {
      const DimId dim = findDim(item);
      for (DimId other : shape)
        if (other == dim) item.refuse(fmt::format("the dimension \"{}\" stands twice in one tensor", item.string()), "each dimension once");
      shape.push_back(dim);
    });
    return shape;
  }

  void checkSize(const JsonReader& reader, const Tensor& tensor) const {
    std::int64_t bytes = byteSize(tensor.dtype);
    for (DimId dim : tensor.shape)
      if (graph_.size(dim) > 0 && __builtin_mul_overflow(bytes, graph_.size(dim), &bytes))
        reader.refuse(fmt::format("tensor \"{}\" has more bytes than 64 bits count", tensor.name), "smaller sizes");
    if (const auto* values = std::get_if<InlineSource>(&tensor.source); values && static_cast<std::int64_t>(values->bytes->size()) != bytes)
      reader.refuse(fmt::format("tensor \"{}\" has {} bytes of values", tensor.name, values->bytes->size()), fmt::format("{}, as its sizes say", bytes));
  }

  TensorId find(const JsonReader& reader) const {
    const auto found = tensors_.find(reader.string());
    if (found == tensors_.end()) reader.refuse(fmt::format("the graph has no tensor \"{}\"", reader.string()), "a name that stands in \"tensors\"");
    return found->second;
  }

  // A value can be read only after the operator that makes it: so there are no cycles.
  TensorId made(const JsonReader& reader) const {
    const TensorId id = find(reader);
    if (graph_[id].kind == TensorKind::value && !graph_[id].producer.valid())
      reader.refuse(fmt::format("\"{}\" is read before an operator makes it", reader.string()), "operators in an order in which each comes after those that make its inputs");
    return id;
  }

  void op(const JsonReader& reader) {
    const JsonObject object(reader, {"name", "kind", "attributes", "inputs", "outputs"});
    const OperatorId id(static_cast<std::int64_t>(graph_.operators.size()));
    name(object.at("name"), operators_, id, "operators");
    Operator op{.name = object.at("name").string(), .kind = object.at("kind").name()};
    if (auto attributes = object.find("attributes")) op.attributes = readAttributes(*attributes, &graph_);
    op.inputs = object.at("inputs").list([&](const JsonReader& item) { return made(item); });
    op.outputs = object.at("outputs").list([&](const JsonReader& item) { return output(item, id); });
    graph_.operators.push_back(std::move(op));
  }

  TensorId output(const JsonReader& reader, OperatorId producer) {
    const TensorId id = find(reader);
    Tensor& tensor = graph_.tensors[id.index()];
    if (tensor.kind != TensorKind::value) reader.refuse(fmt::format("\"{}\" is made by an operator, but is of kind {}", tensor.name, toString(tensor.kind)), "kind value");
    if (tensor.producer.valid()) reader.refuse(fmt::format("two operators make \"{}\"", tensor.name), "one that makes it");
    tensor.producer = producer;
    return id;
  }

  void requireProducers(const JsonReader& reader) const {
    reader.each([&, i = std::size_t{0}](const JsonReader& item) mutable {
      const Tensor& tensor = graph_.tensors[i++];
      if (tensor.kind == TensorKind::value && !tensor.producer.valid()) item.refuse(fmt::format("no operator makes \"{}\"", tensor.name), "an operator, or kind input");
    });
  }

  void update(const JsonReader& reader) {
    const JsonObject object(reader, {"state", "value"});
    const Update update{find(object.at("state")), made(object.at("value"))};
    if (graph_[update.state].kind != TensorKind::state) object.at("state").refuse(fmt::format("\"{}\" is no state", graph_[update.state].name));
    graph_.updates.push_back(update);
  }

  void alias(const JsonReader& reader) {
    const JsonObject object(reader, {"name", "dimension"});
    graph_.aliases[object.at("name").name()] = object.at("dimension").name();
  }

  Graph graph_;
  std::unordered_map<std::string, DimId> dims_;
  std::unordered_map<std::string, TensorId> tensors_;
  std::unordered_map<std::string, OperatorId> operators_;
};

}  // namespace

Json graphJson(const Graph& graph) {
  Json dims = Json::array(), tensors = Json::array(), operators = Json::array(), updates = Json::array();
  for (const Dim& dim : graph.dims) dims.push_back({{"name", dim.name}, {"size", dim.size == 0 ? Json(nullptr) : Json(dim.size)}});
  for (const Tensor& tensor : graph.tensors) tensors.push_back(tensorJson(tensor, graph));
  for (const Operator& op : graph.operators) operators.push_back(operatorJson(op, graph));
  for (const Update& update : graph.updates) updates.push_back({{"state", graph[update.state].name}, {"value", graph[update.value].name}});
  Json json = {{"name", graph.name},           {"dims", std::move(dims)},       {"tensors", std::move(tensors)},
               {"operators", std::move(operators)}, {"updates", std::move(updates)}, {"outputs", namesJson(graph.outputs, graph)}};
  if (!graph.aliases.empty()) json["aliases"] = Json::array();
  for (const auto& [name, dimension] : graph.aliases) json["aliases"].push_back({{"name", name}, {"dimension", dimension}});
  return json;
}

Graph readGraph(const JsonReader& reader) { return GraphReader().read(reader); }

}  // namespace core
