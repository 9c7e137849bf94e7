#include "core/io/instruction_json.h"

#include <fmt/format.h>

#include "core/io/value_json.h"

namespace core {
namespace {

constexpr std::pair<std::string_view, InstructionKind> kinds[] = {
    {"compute", InstructionKind::compute}, {"fused", InstructionKind::fused},     {"place", InstructionKind::place},
    {"start", InstructionKind::start},     {"wait", InstructionKind::wait},       {"control", InstructionKind::control},
    {"update", InstructionKind::update},   {"free", InstructionKind::free},       {"repeat", InstructionKind::repeat}};
constexpr std::pair<std::string_view, CollectiveKind> collectives[] = {
    {"all-reduce", CollectiveKind::allReduce},         {"all-gather", CollectiveKind::allGather},
    {"reduce-scatter", CollectiveKind::reduceScatter}, {"all-to-all", CollectiveKind::allToAll},
    {"collective-permute", CollectiveKind::collectivePermute}, {"redistribute", CollectiveKind::redistribute},
    {"broadcast", CollectiveKind::broadcast}};

Json collectiveJson(const Collective& collective, const Mesh& mesh) {
  Json json = {{"kind", nameOf<CollectiveKind>(collective.kind, collectives)}, {"axes", axesJson(collective.axes, mesh)}};
  if (collective.reduction != Reduction::sum) json["reduction"] = toString(collective.reduction);
  put(json, "splitDim", collective.splitDim, -1);
  put(json, "concatDim", collective.concatDim, -1);
  return json;
}

Collective readCollective(const JsonReader& reader, const Mesh& mesh) {
  const JsonObject object(reader, {"kind", "axes", "reduction", "splitDim", "concatDim"});
  Collective collective{.kind = object.at("kind").oneOf<CollectiveKind>(collectives), .axes = readAxes(object.at("axes"), mesh)};
  constexpr std::int64_t most = std::numeric_limits<std::int16_t>::max();
  if (auto reduction = object.find("reduction")) collective.reduction = readReduction(*reduction);
  if (auto split = object.find("splitDim")) collective.splitDim = static_cast<int>(split->integer(0, most));
  if (auto concat = object.find("concatDim")) collective.concatDim = static_cast<int>(concat->integer(0, most));
  return collective;
}

bool movesData(const Instruction& instruction) {
  return instruction.kind == InstructionKind::start || instruction.kind == InstructionKind::wait || instruction.collective != Collective{};
}

// null where an iteration has none: it has nothing to free.
Json viewJson(const IterationView& view) {
  Json perIteration = Json::array();
  for (BufferId id : view.perIteration) perIteration.push_back(id.valid() ? Json(id.value) : Json());
  return {{"slot", view.slot.value}, {"perIteration", std::move(perIteration)}};
}

IterationView readView(const JsonReader& reader, std::int64_t count, std::size_t buffers) {
  const JsonObject object(reader, {"slot", "perIteration"});
  IterationView view{readBufferId(object.at("slot"), buffers), object.at("perIteration").list([&](const JsonReader& item) { return item.json().is_null() ? BufferId() : readBufferId(item, buffers); })};
  if (static_cast<std::int64_t>(view.perIteration.size()) != count)
    object.at("perIteration").refuse(fmt::format("{} buffers", view.perIteration.size()), fmt::format("{}, one for each iteration", count));
  return view;
}

void readLoops(const JsonObject& object, const Program& program, Instruction& instruction) {
  const auto expression = object.find("expression");
  if (!expression) return;
  instruction.expression = static_cast<int>(expression->integer(0, static_cast<std::int64_t>(program.expressions.size()) - 1));
  const std::size_t loops = program.expressions[static_cast<std::size_t>(instruction.expression)].loops.size();
  const JsonReader axes = object.at("loopAxes");
  instruction.loopAxes = axes.list([&](const JsonReader& item) { return readAxes(item, program.mesh); });
  if (instruction.loopAxes.size() != loops) axes.refuse(fmt::format("axes for {} loops", instruction.loopAxes.size()), fmt::format("{}, as the expression has", loops));
}

}  // namespace

BufferId readBufferId(const JsonReader& reader, std::size_t buffers) {
  if (buffers == 0) reader.refuse("the program has no buffers");
  return BufferId(reader.integer(0, static_cast<std::int64_t>(buffers) - 1));
}

Json bufferIdsJson(const std::vector<BufferId>& ids) {
  Json json = Json::array();
  for (BufferId id : ids) json.push_back(id.value);
  return json;
}

std::vector<BufferId> readBufferIds(const JsonReader& reader, std::size_t buffers) {
  return reader.list([&](const JsonReader& item) { return readBufferId(item, buffers); });
}

Json instructionJson(const Instruction& instruction, const Mesh& mesh) {
  Json json = {{"kind", nameOf<InstructionKind>(instruction.kind, kinds)}, {"name", instruction.name}};
  put(json, "op", instruction.op, {});
  put(json, "origin", instruction.origin, {});
  if (!instruction.inputs.empty()) json["inputs"] = bufferIdsJson(instruction.inputs);
  if (!instruction.outputs.empty()) json["outputs"] = bufferIdsJson(instruction.outputs);
  if (instruction.expression >= 0) {
    json["expression"] = instruction.expression;
    json["loopAxes"] = Json::array();
    for (const AxisList& axes : instruction.loopAxes) json["loopAxes"].push_back(axesJson(axes, mesh));
  }
  if (!instruction.attributes.empty()) json["attributes"] = attributesJson(instruction.attributes, nullptr);
  if (movesData(instruction)) json["collective"] = collectiveJson(instruction.collective, mesh);
  put(json, "pair", instruction.pair, -1);
  put(json, "count", instruction.count, std::int64_t{1});
  if (!instruction.views.empty()) json["views"] = Json::array();
  for (const IterationView& view : instruction.views) json["views"].push_back(viewJson(view));
  put(json, "labels", instruction.labels, {});
  if (!instruction.body.empty()) json["body"] = Json::array();
  for (const Instruction& one : instruction.body) json["body"].push_back(instructionJson(one, mesh));
  put(json, "reason", instruction.reason, {});
  return json;
}

Instruction readInstruction(const JsonReader& reader, const Program& program) {
  const JsonObject object(reader, {"kind", "name", "op", "origin", "inputs", "outputs", "expression", "loopAxes", "attributes", "collective", "pair", "count", "views", "labels", "body", "reason"});
  const std::size_t buffers = program.buffers.size();
  Instruction instruction{.kind = object.at("kind").oneOf<InstructionKind>(kinds), .name = object.at("name").string()};
  if (auto op = object.find("op")) instruction.op = op->string();
  if (auto origin = object.find("origin")) instruction.origin = origin->string();
  if (auto reason = object.find("reason")) instruction.reason = reason->string();
  if (auto inputs = object.find("inputs")) instruction.inputs = readBufferIds(*inputs, buffers);
  if (auto outputs = object.find("outputs")) instruction.outputs = readBufferIds(*outputs, buffers);
  if (auto attributes = object.find("attributes")) instruction.attributes = readAttributes(*attributes, nullptr);
  if (auto collective = object.find("collective")) instruction.collective = readCollective(*collective, program.mesh);
  if (auto pair = object.find("pair")) instruction.pair = static_cast<int>(pair->integer(0, std::numeric_limits<int>::max()));
  if (auto count = object.find("count")) instruction.count = count->count();
  if (auto labels = object.find("labels")) {
    instruction.labels = labels->strings();
    if (static_cast<std::int64_t>(instruction.labels.size()) < instruction.count) labels->refuse(fmt::format("{} labels", instruction.labels.size()), fmt::format("at least {}, one for each iteration", instruction.count));
  }
  if (auto views = object.find("views")) instruction.views = views->list([&](const JsonReader& item) { return readView(item, instruction.count, buffers); });
  if (auto body = object.find("body")) instruction.body = body->list([&](const JsonReader& item) { return readInstruction(item, program); });
  readLoops(object, program, instruction);
  if (instruction.kind == InstructionKind::compute && instruction.expression < 0) reader.refuse("a compute without \"expression\"");
  return instruction;
}

}  // namespace core
