#include "tests/support/schema.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/io/resources.h"

namespace {

using Json = nlohmann::ordered_json;

bool hasType(const Json& value, const Json& types) {
  if (types.is_array()) return std::any_of(types.begin(), types.end(), [&](const Json& one) { return hasType(value, one); });
  const std::string type = types.get<std::string>();
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "null") return value.is_null();
  if (type == "integer") return value.is_number_integer();
  return type == "number" && value.is_number();
}

class Checker {
 public:
  explicit Checker(const Json& root) : root_(root) {}

  std::string check(const Json& value, const Json& schema, const std::string& path) const {
    if (schema.contains("$ref")) return check(value, root_.at(Json::json_pointer(schema["$ref"].get<std::string>().substr(1))), path);
    if (schema.contains("anyOf")) return checkAny(value, schema["anyOf"], path);
    if (schema.contains("const") && value != schema["const"]) return path + ": not " + schema["const"].dump();
    if (schema.contains("enum") && std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end()) return path + ": " + value.dump() + " is not among " + schema["enum"].dump();
    if (schema.contains("type") && !hasType(value, schema["type"])) return path + ": no " + schema["type"].dump();
    if (schema.contains("minimum") && value.is_number() && value < schema["minimum"]) return path + ": below its minimum";
    if (schema.contains("minLength") && value.get<std::string>().empty()) return path + ": empty";
    if (value.is_object()) return checkObject(value, schema, path);
    if (value.is_array()) return checkArray(value, schema, path);
    return {};
  }

 private:
  std::string checkAny(const Json& value, const Json& schemas, const std::string& path) const {
    std::string all;
    for (const Json& one : schemas) {
      const std::string said = check(value, one, path);
      if (said.empty()) return {};
      all += "\n  or " + said;
    }
    return path + ": none of" + all;
  }

  std::string checkObject(const Json& value, const Json& schema, const std::string& path) const {
    for (const Json& key : schema.value("required", Json::array()))
      if (!value.contains(key.get<std::string>())) return path + ": lacks " + key.dump();
    for (const auto& item : value.items()) {
      const std::string inner = path + "/" + item.key();
      if (schema.contains("propertyNames"))
        if (const std::string said = check(Json(item.key()), schema["propertyNames"], inner); !said.empty()) return said;
      const bool known = schema.contains("properties") && schema["properties"].contains(item.key());
      const Json rest = schema.value("additionalProperties", Json(true));
      if (!known && rest == false) return inner + ": the schema has no such key";
      if (!known && rest.is_boolean()) continue;
      if (const std::string said = check(item.value(), known ? schema["properties"][item.key()] : rest, inner); !said.empty()) return said;
    }
    return {};
  }

  std::string checkArray(const Json& value, const Json& schema, const std::string& path) const {
    if (value.size() < schema.value("minItems", std::size_t{0})) return path + ": too few";
    if (schema.contains("maxItems") && value.size() > schema["maxItems"].get<std::size_t>()) return path + ": too many";
    for (std::size_t i = 0; schema.contains("items") && i < value.size(); ++i)
      if (const std::string said = check(value[i], schema["items"], path + "/" + std::to_string(i)); !said.empty()) return said;
    return {};
  }

  const Json& root_;
};

}  // namespace

std::string schemaComplaint(const std::string& text, const std::string& name) {
  const std::string path = core::resourceFolder() + "/schemas/" + name + ".schema.json";
  std::ifstream file(path);
  if (!file) return "cannot read " + path;
  const Json schema = Json::parse(file);
  return Checker(schema).check(Json::parse(text), schema, "");
}
