#include "core/io/memory_json.h"

namespace core {
namespace {

constexpr std::pair<std::string_view, MemoryClass> names[] = {
    {"parameters", MemoryClass::parameters},   {"gradients", MemoryClass::gradients},         {"optimizer", MemoryClass::optimizer},
    {"activations", MemoryClass::activations}, {"communication", MemoryClass::communication}, {"inputs", MemoryClass::inputs}};

}  // namespace

Names<MemoryClass> memoryClassNames() { return names; }

Json memoryJson(const MemoryAt& memory) {
  Json json = Json::object();
  for (const auto& [name, memoryClass] : names) json[std::string(name)] = memory.bytes[static_cast<std::size_t>(memoryClass)];
  json["total"] = memory.total();
  return json;
}

}  // namespace core
