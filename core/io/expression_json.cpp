#include <fmt/format.h>

#include "core/io/json_print.h"
#include "core/io/value_json.h"
#include "core/tdl/function.h"

namespace core {
namespace {

constexpr std::pair<std::string_view, Loop::Kind> loopKinds[] = {
    {"output", Loop::Kind::output}, {"reduced", Loop::Kind::reduced}, {"lookup", Loop::Kind::lookup}};
constexpr std::pair<std::string_view, AxisIndex::Kind> axisKinds[] = {
    {"affine", AxisIndex::Kind::affine}, {"lookup", AxisIndex::Kind::lookup}, {"whole", AxisIndex::Kind::whole}};
constexpr std::pair<std::string_view, Node::Kind> nodeKinds[] = {
    {"constant", Node::Kind::constant}, {"loop", Node::Kind::loop},     {"read", Node::Kind::read},
    {"unary", Node::Kind::unary},       {"binary", Node::Kind::binary}, {"select", Node::Kind::select},
    {"reduce", Node::Kind::reduce},     {"cast", Node::Kind::cast},     {"random", Node::Kind::random}};

constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();

Json loopJson(const Loop& loop) {
  Json json = {{"name", loop.name}};
  put(json, "dim", loop.dim.value, -1);
  json["extent"] = loop.extent;
  if (loop.kind != Loop::Kind::output) json["kind"] = nameOf<Loop::Kind>(loop.kind, loopKinds);
  if (loop.reduction != Reduction::sum) json["reduction"] = toString(loop.reduction);
  return json;
}

Loop readLoop(const JsonReader& reader) {
  const JsonObject object(reader, {"name", "dim", "extent", "kind", "reduction"});
  Loop loop{.name = object.at("name").string(), .extent = object.at("extent").count()};
  if (auto dim = object.find("dim")) loop.dim = DimId(dim->integer(0, most));
  if (auto kind = object.find("kind")) loop.kind = kind->oneOf<Loop::Kind>(loopKinds);
  if (auto reduction = object.find("reduction")) loop.reduction = readReduction(*reduction);
  return loop;
}

// The loop itself, x[i], is by far the most common: it stands as its number.
Json axisJson(const AxisIndex& axis) {
  if (axis.identity() && axis.modulo == 0 && axis.node == -1 && axis.loop == -1) return axis.terms[0].loop;
  Json json = Json::object();
  if (axis.kind != AxisIndex::Kind::affine) json["kind"] = nameOf<AxisIndex::Kind>(axis.kind, axisKinds);
  Json terms = Json::array();
  for (const LoopTerm& term : axis.terms) terms.push_back({term.loop, term.factor});
  if (!axis.terms.empty()) json["terms"] = std::move(terms);
  put(json, "offset", axis.offset, std::int64_t{0});
  put(json, "divide", axis.divide, std::int64_t{1});
  put(json, "modulo", axis.modulo, std::int64_t{0});
  put(json, "node", axis.node, -1);
  put(json, "loop", axis.loop, -1);
  return json;
}

int readIndex(const JsonReader& reader, std::size_t count) {
  if (count == 0) reader.refuse("there is nothing that this number could name");
  return static_cast<int>(reader.integer(0, static_cast<std::int64_t>(count) - 1));
}

// Reads the nodes of an expression whose operands and loops are known.
class NodeReader {
 public:
  explicit NodeReader(Expression& expression) : expression_(expression) {}

  Node read(const JsonReader& reader) const {
    const JsonObject object(reader, {"kind", "value", "a", "b", "c", "function", "operand", "axes", "otherwise", "loops", "reduction", "dtype", "seed"});
    Node node{.kind = object.at("kind").oneOf<Node::Kind>(nodeKinds)};
    if (auto value = object.find("value")) node.value = value->number();
    if (auto a = object.find("a")) node.a = earlier(*a);
    if (auto b = object.find("b")) node.b = earlier(*b);
    if (auto c = object.find("c")) node.c = earlier(*c);
    if (auto function = object.find("function")) node.function = readFunction(*function);
    if (auto operand = object.find("operand")) node.operand = readIndex(*operand, expression_.operands.size());
    if (auto axes = object.find("axes")) node.axes = axes->list([&](const JsonReader& item) { return axis(item); });
    if (auto otherwise = object.find("otherwise")) node.otherwise = earlier(*otherwise);
    if (auto loops = object.find("loops")) node.loops = loops->list([&](const JsonReader& item) { return loop(item); });
    if (auto reduction = object.find("reduction")) node.reduction = readReduction(*reduction);
    if (auto dtype = object.find("dtype")) node.dtype = readDType(*dtype);
    if (auto seed = object.find("seed")) node.seed = seed->string();
    requireParts(object, node);
    return node;
  }

  int loop(const JsonReader& reader) const { return readIndex(reader, expression_.loops.size()); }

 private:
  int earlier(const JsonReader& reader) const { return readIndex(reader, expression_.nodes.size()); }

  static Function readFunction(const JsonReader& reader) {
    const auto found = findFunction(reader.string());
    if (!found) reader.refuse(fmt::format("unknown function \"{}\"", reader.string()));
    return *found;
  }

  // What a kind of node cannot be without: an interpreter need not look again.
  static void requireParts(const JsonObject& object, const Node& node) {
    const auto need = [&](bool there, std::string_view part) {
      if (!there) object.reader().refuse(fmt::format("\"{}\" is missing", part));
    };
    const bool two = node.kind == Node::Kind::binary || node.kind == Node::Kind::select;
    need(two || node.kind == Node::Kind::unary || node.kind == Node::Kind::reduce || node.kind == Node::Kind::cast ? node.a >= 0 : true, "a");
    need(two ? node.b >= 0 : true, "b");
    need(node.kind == Node::Kind::select ? node.c >= 0 : true, "c");
    need(node.kind == Node::Kind::read ? node.operand >= 0 : true, "operand");
    need(node.kind == Node::Kind::loop ? node.loops.size() == 1 : true, "loops");
  }

  AxisIndex axis(const JsonReader& reader) const {
    if (reader.json().is_number()) return {.terms = {{loop(reader), 1}}};
    const JsonObject object(reader, {"kind", "terms", "offset", "divide", "modulo", "node", "loop"});
    AxisIndex axis;
    if (auto kind = object.find("kind")) axis.kind = kind->oneOf<AxisIndex::Kind>(axisKinds);
    if (auto terms = object.find("terms")) axis.terms = terms->list([&](const JsonReader& item) { return term(item); });
    if (auto offset = object.find("offset")) axis.offset = offset->integer();
    if (auto divide = object.find("divide")) axis.divide = divide->size();
    if (auto modulo = object.find("modulo")) axis.modulo = modulo->count();
    if (auto node = object.find("node")) axis.node = earlier(*node);
    if (auto rows = object.find("loop")) axis.loop = loop(*rows);
    if (axis.kind == AxisIndex::Kind::lookup && axis.node < 0) reader.refuse("\"node\" is missing");
    return axis;
  }

  LoopTerm term(const JsonReader& reader) const {
    if (reader.length() != 2) reader.refuse("not a term", "[loop, factor]");
    return {loop(JsonReader(reader.json()[0], reader, std::size_t{0})), JsonReader(reader.json()[1], reader, std::size_t{1}).integer()};
  }

  Expression& expression_;
};

Json nodeJson(const Node& node) {
  Json json = {{"kind", nameOf<Node::Kind>(node.kind, nodeKinds)}};
  if (!(node.value == 0)) json["value"] = numberJson(node.value);  // a NaN is written too
  put(json, "a", node.a, -1);
  put(json, "b", node.b, -1);
  put(json, "c", node.c, -1);
  if (node.function != Function::identity) json["function"] = toString(node.function);
  put(json, "operand", node.operand, -1);
  if (!node.axes.empty()) json["axes"] = Json::array();
  for (const AxisIndex& axis : node.axes) json["axes"].push_back(axisJson(axis));
  put(json, "otherwise", node.otherwise, -1);
  put(json, "loops", node.loops, {});
  if (node.reduction != Reduction::sum) json["reduction"] = toString(node.reduction);
  if (node.dtype != DType::f32) json["dtype"] = toString(node.dtype);
  put(json, "seed", node.seed, {});
  return json;
}

Json outputJson(const ExpressionOutput& output) {
  return {{"name", output.name}, {"loops", output.loops}, {"root", output.root}, {"dtype", toString(output.dtype)}};
}

}  // namespace

Json expressionJson(const Expression& expression) {
  Json loops = Json::array(), nodes = Json::array(), outputs = Json::array();
  for (const Loop& loop : expression.loops) loops.push_back(loopJson(loop));
  for (const Node& node : expression.nodes) nodes.push_back(nodeJson(node));
  for (const ExpressionOutput& output : expression.outputs) outputs.push_back(outputJson(output));
  return {{"operands", expression.operands}, {"loops", std::move(loops)}, {"nodes", std::move(nodes)}, {"outputs", std::move(outputs)}};
}

Expression readExpression(const JsonReader& reader) {
  const JsonObject object(reader, {"operands", "loops", "nodes", "outputs"});
  Expression expression{.operands = object.at("operands").strings(), .loops = object.at("loops").list(readLoop)};
  const NodeReader nodes(expression);
  object.at("nodes").each([&](const JsonReader& item) { expression.nodes.push_back(nodes.read(item)); });
  expression.outputs = object.at("outputs").list([&](const JsonReader& item) {
    const JsonObject output(item, {"name", "loops", "root", "dtype"});
    return ExpressionOutput{.name = output.at("name").string(),
                            .loops = output.at("loops").list([&](const JsonReader& loop) { return nodes.loop(loop); }),
                            .root = readIndex(output.at("root"), expression.nodes.size()),
                            .dtype = readDType(output.at("dtype"))};
  });
  return expression;
}

}  // namespace core
