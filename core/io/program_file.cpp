#include "core/io/program_file.h"

#include "core/io/file.h"
#include "core/io/instruction_json.h"
#include "core/io/json_print.h"
#include "core/io/memory_json.h"
#include "core/io/value_json.h"

namespace core {
namespace {

Json bufferJson(const Buffer& buffer, const Mesh& mesh) {
  Json json = {{"name", buffer.name}};
  put(json, "tensor", buffer.tensor.value, -1);
  json["dims"] = buffer.dims;
  json["sizes"] = buffer.sizes;
  json["placement"] = placementJson(buffer.placement, mesh);
  json["dtype"] = toString(buffer.dtype);
  json["class"] = nameOf<MemoryClass>(buffer.memoryClass, memoryClassNames());
  json["localShape"] = buffer.localShape;
  json["bytes"] = buffer.bytes;
  put(json, "offset", buffer.offset, std::int64_t{-1});
  put(json, "alias", buffer.alias.value, -1);
  put(json, "persistent", buffer.persistent, false);
  return json;
}

Buffer readBuffer(const JsonReader& reader, const Mesh& mesh) {
  const JsonObject object(reader, {"name", "tensor", "dims", "sizes", "placement", "dtype", "class", "localShape", "bytes", "offset", "alias", "persistent"});
  Buffer buffer{.name = object.at("name").string(),
                .dims = object.at("dims").strings(),
                .sizes = object.at("sizes").list([](const JsonReader& item) { return item.size(); }),
                .dtype = readDType(object.at("dtype")),
                .memoryClass = object.at("class").oneOf<MemoryClass>(memoryClassNames()),
                .localShape = object.at("localShape").list([](const JsonReader& item) { return item.count(); }),
                .bytes = object.at("bytes").count()};
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  buffer.placement = readPlacement(object.at("placement"), buffer.sizes.size(), mesh);
  if (auto tensor = object.find("tensor")) buffer.tensor = TensorId(tensor->integer(0, most));
  if (auto offset = object.find("offset")) buffer.offset = offset->count();
  if (auto alias = object.find("alias")) buffer.alias = BufferId(alias->integer(0, most));
  if (auto persistent = object.find("persistent")) buffer.persistent = persistent->boolean();
  if (buffer.dims.size() != buffer.sizes.size() || buffer.localShape.size() != buffer.sizes.size())
    reader.refuse("dims, sizes and localShape differ in length", "one entry a dimension in each");
  std::int64_t bytes = byteSize(buffer.dtype);
  for (std::int64_t size : buffer.sizes)
    if (__builtin_mul_overflow(bytes, size, &bytes)) object.at("sizes").refuse("more bytes than 64 bits count");
  return buffer;
}

Json sourcesJson(const std::vector<Source>& sources) {
  Json json = Json::array();
  for (std::size_t i = 0; i < sources.size(); ++i)
    if (sources[i] != Source{}) json.push_back({{"buffer", i}, {"source", sourceJson(sources[i])}});
  return json;
}

std::vector<Source> readSources(const JsonReader& reader, std::size_t buffers) {
  std::vector<Source> sources(buffers);
  reader.each([&](const JsonReader& item) {
    const JsonObject object(item, {"buffer", "source"});
    sources[readBufferId(object.at("buffer"), buffers).index()] = readSource(object.at("source"));
  });
  return sources;
}

void checkAliases(const JsonReader& reader, const Program& program) {
  reader.each([&, i = std::size_t{0}](const JsonReader& item) mutable {
    const BufferId alias = program.buffers[i++].alias;
    if (alias.valid() && alias.index() >= program.buffers.size()) item.refuse("the alias is no buffer");
  });
}

}  // namespace

Program parseProgram(std::string_view text, const std::string& where) {
  const Json json = parseJson(text, where);
  const JsonReader reader(json, where);
  expectFormat(reader, "meshwright.program", 1);
  const JsonObject object(reader, {"format", "mesh", "arenaBytes", "inputs", "outputs", "states", "loss", "buffers", "sources", "expressions", "instructions"});
  Program program{.mesh = readMesh(object.at("mesh"))};
  program.arenaBytes = object.at("arenaBytes").count();
  program.buffers = object.at("buffers").list([&](const JsonReader& item) { return readBuffer(item, program.mesh); });
  checkAliases(object.at("buffers"), program);
  program.expressions = object.at("expressions").list(readExpression);
  program.inputs = readBufferIds(object.at("inputs"), program.buffers.size());
  program.outputs = readBufferIds(object.at("outputs"), program.buffers.size());
  program.states = readBufferIds(object.at("states"), program.buffers.size());
  if (auto loss = object.find("loss")) program.loss = readBufferId(*loss, program.buffers.size());
  if (auto sources = object.find("sources")) program.sources = readSources(*sources, program.buffers.size());
  program.instructions = object.at("instructions").list([&](const JsonReader& item) { return readInstruction(item, program); });
  return program;
}

std::string printProgramJson(const Program& program) {
  Json buffers = Json::array(), expressions = Json::array(), instructions = Json::array();
  for (const Buffer& buffer : program.buffers) buffers.push_back(bufferJson(buffer, program.mesh));
  for (const Expression& expression : program.expressions) expressions.push_back(expressionJson(expression));
  for (const Instruction& instruction : program.instructions) instructions.push_back(instructionJson(instruction, program.mesh));
  Json json = {{"format", formatOf("meshwright.program", 1)},
               {"mesh", meshJson(program.mesh)},
               {"arenaBytes", program.arenaBytes},
               {"inputs", bufferIdsJson(program.inputs)},
               {"outputs", bufferIdsJson(program.outputs)},
               {"states", bufferIdsJson(program.states)}};
  put(json, "loss", program.loss.value, -1);
  json["buffers"] = std::move(buffers);
  if (!program.sources.empty()) json["sources"] = sourcesJson(program.sources);
  json["expressions"] = std::move(expressions);
  json["instructions"] = std::move(instructions);
  return printJson(json);
}

Program readProgram(const std::string& path) { return parseProgram(readText(path), path); }

void writeProgram(const Program& program, const std::string& path) { writeTextAtomically(path, printProgramJson(program)); }

}  // namespace core
