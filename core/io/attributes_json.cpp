#include <fmt/format.h>

#include <cmath>

#include "core/io/json_print.h"
#include "core/io/value_json.h"

namespace core {
namespace {

// Lists say what they hold, since an empty one could not show it: {"integers": [1, 2]}, {"dims": ["heads"]}.
struct ToJson {
  const Graph* graph;
  Json operator()(std::int64_t value) const { return value; }
  Json operator()(double value) const {
    if (std::isfinite(value)) return value;
    return {{"number", numberJson(value)}};
  }
  Json operator()(const std::string& value) const { return value; }
  Json operator()(const std::vector<std::int64_t>& value) const { return {{"integers", value}}; }
  Json operator()(const std::vector<double>& value) const {
    Json list = Json::array();
    for (double one : value) list.push_back(numberJson(one));
    return {{"numbers", std::move(list)}};
  }
  Json operator()(const std::vector<std::string>& value) const { return {{"texts", value}}; }
  Json operator()(const Shape& value) const {
    Json list = Json::array();
    for (DimId dim : value) {
      if (graph)
        list.push_back((*graph)[dim].name);
      else
        list.push_back(dim.value);
    }
    return {{"dims", std::move(list)}};
  }
};

DimId readDim(const JsonReader& reader, const Graph* graph) {
  if (!graph) return DimId(reader.integer(0, std::numeric_limits<std::int32_t>::max()));
  const auto found = graph->findDim(reader.string());
  if (!found) reader.refuse(fmt::format("the graph has no dimension \"{}\"", reader.string()));
  return *found;
}

Attribute readList(const JsonReader& reader, const Graph* graph) {
  const JsonObject object(reader, {"integers", "numbers", "number", "texts", "dims"});
  if (reader.json().size() != 1) reader.refuse("not one list", "one of integers, numbers, texts, dims");
  if (auto integers = object.find("integers")) return integers->list([](const JsonReader& item) { return item.integer(); });
  if (auto numbers = object.find("numbers")) return numbers->list([](const JsonReader& item) { return item.number(); });
  if (auto number = object.find("number")) return number->number();
  if (auto texts = object.find("texts")) return texts->strings();
  return object.at("dims").list([&](const JsonReader& item) { return readDim(item, graph); });
}

Attribute readAttribute(const JsonReader& reader, const Graph* graph) {
  if (reader.json().is_number_integer()) return reader.integer();
  if (reader.json().is_number()) return reader.finite();
  if (reader.json().is_string()) return reader.string();
  return readList(reader, graph);
}

}  // namespace

Json attributesJson(const Attributes& attributes, const Graph* graph) {
  Json json = Json::object();
  for (const auto& [name, value] : attributes) json[name] = std::visit(ToJson{graph}, value);
  return json;
}

Attributes readAttributes(const JsonReader& reader, const Graph* graph) {
  if (!reader.json().is_object()) reader.refuse("not an object", "attributes stand in { }");
  Attributes attributes;
  for (const auto& item : reader.json().items()) attributes[item.key()] = readAttribute(JsonReader(item.value(), reader, item.key()), graph);
  return attributes;
}

}  // namespace core
