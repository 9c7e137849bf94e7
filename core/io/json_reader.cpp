#include "core/io/json_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace core {
namespace {

constexpr int deepest = 100;
constexpr std::size_t mostKeys = 10000;

std::string placeOf(std::string_view text, std::size_t byte) {
  byte = std::min(byte, text.size());
  const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(byte), '\n') + 1;
  const std::size_t begin = byte == 0 ? 0 : text.rfind('\n', byte - 1) + 1;  // npos + 1 is 0
  return fmt::format("line {}, column {}", line, byte - begin + (byte == begin ? 1 : 0));
}

// What the library says behind "parse error at line ..: ": "syntax error while parsing value - unexpected end of input; ...".
std::string reasonOf(const std::string& message) {
  const std::size_t at = message.find(" - ");
  std::string reason = at == std::string::npos ? message : message.substr(at + 3);
  return reason.substr(0, std::min(reason.find("; last read"), reason.find("; expected")));
}

// Refuses what a reader would have to swallow whole: deep nesting, repeated keys, huge objects.
class Guard {
 public:
  explicit Guard(const std::string& where) : where_(where) {}
  bool operator()(int depth, Json::parse_event_t event, Json& parsed) {
    if (depth > deepest) throw Error{.what = fmt::format("nested deeper than {} levels", deepest), .where = where_, .right = {}};
    if (event == Json::parse_event_t::object_start) keys_.emplace_back();
    if (event == Json::parse_event_t::object_end) keys_.pop_back();
    if (event == Json::parse_event_t::key) take(parsed.get_ref<const std::string&>());
    return true;
  }

 private:
  void take(const std::string& key) {
    if (!keys_.back().insert(key).second)
      throw Error{.what = fmt::format("the key \"{}\" stands twice in one object", key), .where = where_, .right = "each key once"};
    if (keys_.back().size() > mostKeys)
      throw Error{.what = fmt::format("an object with more than {} keys", mostKeys), .where = where_, .right = {}};
  }
  const std::string& where_;
  std::vector<std::set<std::string>> keys_;
};

std::string quoted(std::span<const std::string_view> names) {
  std::string text;
  for (std::string_view name : names) text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", name);
  return text;
}

}  // namespace

Json parseJson(std::string_view text, const std::string& where) {
  Guard guard(where);
  try {
    return Json::parse(text, [&](int depth, Json::parse_event_t event, Json& parsed) { return guard(depth, event, parsed); });
  } catch (const Json::parse_error& error) {
    throw Error{.what = "not JSON at " + placeOf(text, error.byte) + ": " + reasonOf(error.what()), .where = where, .right = {}};
  } catch (const Json::exception& error) {
    throw Error{.what = reasonOf(error.what()), .where = where, .right = {}};
  }
}

std::string JsonReader::path() const {
  if (!parent_) return {};
  return parent_->path() + "/" + (key_.data() ? std::string(key_) : std::to_string(index_));
}

const std::string& JsonReader::file() const { return parent_ ? parent_->file() : *file_; }

std::string JsonReader::where() const {
  const std::string inside = path();
  return inside.empty() ? file() : file() + ": " + inside;
}

void JsonReader::refuse(const std::string& what, const std::string& right) const {
  throw Error{.what = what, .where = where(), .right = right};
}

void JsonReader::refuseName(std::vector<std::string_view> known) const {
  refuse(fmt::format("unknown \"{}\"", string()), "one of " + quoted(known));
}

const std::string& JsonReader::string() const {
  if (!value_->is_string()) refuse(fmt::format("{} instead of a text", value_->type_name()), "a text stands in \" \"");
  return value_->get_ref<const std::string&>();
}

std::string JsonReader::name() const {
  if (string().empty()) refuse("an empty name");
  return string();
}

bool JsonReader::boolean() const {
  if (!value_->is_boolean()) refuse(fmt::format("{} instead of true or false", value_->type_name()));
  return value_->get<bool>();
}

std::int64_t JsonReader::integer(std::int64_t low, std::int64_t high) const {
  if (!value_->is_number_integer()) refuse(fmt::format("{} instead of a whole number", value_->is_number() ? value_->dump() : value_->type_name()));
  const bool tooLarge = value_->is_number_unsigned() && value_->get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const std::int64_t value = value_->get<std::int64_t>();
  if (tooLarge || value < low || value > high)
    refuse(fmt::format("{} is out of range", value_->dump()), high == std::numeric_limits<std::int64_t>::max() ? fmt::format("at least {}", low) : fmt::format("{} to {}", low, high));
  return value;
}

std::uint64_t JsonReader::unsigned64() const {
  if (!value_->is_number_unsigned()) refuse(fmt::format("{} instead of a whole number from 0", value_->is_number() ? value_->dump() : value_->type_name()));
  return value_->get<std::uint64_t>();
}

double JsonReader::number() const {
  if (value_->is_string()) {
    if (*value_ == "inf") return std::numeric_limits<double>::infinity();
    if (*value_ == "-inf") return -std::numeric_limits<double>::infinity();
    if (*value_ == "nan") return std::numeric_limits<double>::quiet_NaN();
  }
  if (!value_->is_number()) refuse(fmt::format("{} instead of a number", value_->type_name()));
  return value_->get<double>();
}

double JsonReader::finite() const {
  const double value = number();
  if (!std::isfinite(value)) refuse("not a finite number");
  return value;
}

std::vector<std::string> JsonReader::strings() const {
  return list([](const JsonReader& item) { return item.string(); });
}

std::size_t JsonReader::length() const {
  if (!value_->is_array()) refuse("not a list", "a list stands in [ ]");
  return value_->size();
}

JsonObject::JsonObject(const JsonReader& reader, std::initializer_list<std::string_view> keys) : reader_(reader) {
  if (!reader_.json().is_object()) reader_.refuse(fmt::format("{} instead of an object", reader_.json().type_name()), "an object stands in { }");
  for (const auto& item : reader_.json().items())
    if (std::find(keys.begin(), keys.end(), item.key()) == keys.end())
      reader_.refuse(fmt::format("unknown key \"{}\"", item.key()), "known are " + quoted({keys.begin(), keys.size()}));
}

JsonReader JsonObject::at(std::string_view key) const {
  if (auto found = find(key)) return *found;
  reader_.refuse(fmt::format("\"{}\" is missing", key));
}

std::optional<JsonReader> JsonObject::find(std::string_view key) const {
  const auto found = reader_.json().find(key);
  if (found == reader_.json().end()) return std::nullopt;
  return JsonReader(*found, reader_, found.key());
}

std::string formatOf(std::string_view format, std::int64_t version) { return fmt::format("{}/{}", format, version); }

void expectFormat(const JsonReader& reader, std::string_view format, std::int64_t version) {
  if (!reader.json().is_object()) reader.refuse(fmt::format("{} instead of an object", reader.json().type_name()), "an object stands in { }");
  const std::string wanted = formatOf(format, version);
  const auto found = reader.json().find("format");
  if (found == reader.json().end()) reader.refuse("\"format\" is missing", fmt::format("\"format\": \"{}\"", wanted));
  if (!found->is_string() || *found != wanted) reader.refuse(fmt::format("the format is {}", found->dump()), fmt::format("this version reads \"{}\"", wanted));
}

}  // namespace core
