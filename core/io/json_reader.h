#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"

// A strict reader: every error names the file and the path inside it, unknown and repeated keys are refused, numbers are
// checked where they enter. For .cpp files of core/io and core/run only.
//
//   const Json json = parseJson(readText(path), path);
//   const JsonObject rule(JsonReader(json, path), {"dimension", "axes"});
//   std::string dimension = rule.at("dimension").string();      // bert.layout.json: /rules/3/dimension: not a string

namespace core {

using Json = nlohmann::ordered_json;  // keys stay in the order in which they were written

// At most 100 levels and 10,000 keys an object; syntax errors with line and column.
Json parseJson(std::string_view text, const std::string& where);

template <class E>
using Names = std::span<const std::pair<std::string_view, E>>;

// A value and its place. Readers of children point to their parent's, which must live as long.
class JsonReader {
 public:
  JsonReader(const Json& value, const std::string& file) : value_(&value), file_(&file) {}
  JsonReader(const Json& value, std::string&& file) = delete;  // it would be gone before the first error
  JsonReader(const Json& value, const JsonReader& parent, std::string_view key) : value_(&value), parent_(&parent), key_(key) {}
  JsonReader(const Json& value, const JsonReader& parent, std::size_t index) : value_(&value), parent_(&parent), index_(index) {}

  std::string where() const;  // "bert.layout.json: /rules/3"
  [[noreturn]] void refuse(const std::string& what, const std::string& right = {}) const;

  const Json& json() const { return *value_; }
  const std::string& string() const;
  std::string name() const;  // a string that is not empty
  bool boolean() const;
  std::int64_t integer(std::int64_t low = std::numeric_limits<std::int64_t>::min(), std::int64_t high = std::numeric_limits<std::int64_t>::max()) const;
  std::int64_t size() const { return integer(1); }
  std::int64_t count() const { return integer(0); }
  std::uint64_t unsigned64() const;
  double number() const;  // finite, or the strings "inf", "-inf", "nan"
  double finite() const;

  // The value that a name stands for; an error lists the names.
  template <class E>
  E oneOf(Names<E> names) const;

  template <class F>
  void each(F&& read) const;  // read(const JsonReader&) for each item of an array
  template <class F>
  auto list(F&& read) const;  // the vector of what `read` gives for each
  std::vector<std::string> strings() const;
  std::size_t length() const;  // of an array

 private:
  std::string path() const;
  const std::string& file() const;
  [[noreturn]] void refuseName(std::vector<std::string_view> known) const;

  const Json* value_;
  const JsonReader* parent_ = nullptr;
  const std::string* file_ = nullptr;
  std::string_view key_;
  std::size_t index_ = 0;
};

// An object all of whose keys are known.
class JsonObject {
 public:
  JsonObject(const JsonReader& reader, std::initializer_list<std::string_view> keys);
  JsonReader at(std::string_view key) const;                   // Error when it is missing
  std::optional<JsonReader> find(std::string_view key) const;  // none when missing
  bool has(std::string_view key) const { return reader_.json().contains(key); }
  const JsonReader& reader() const { return reader_; }

 private:
  JsonReader reader_;
};

// {"format": "meshwright.layout/1", ...}; format "meshwright.layout", version 1. Error when it is another format or a version that this build does not know.
void expectFormat(const JsonReader& reader, std::string_view format, std::int64_t version);
std::string formatOf(std::string_view format, std::int64_t version);

// ---- templates ----

template <class E>
E JsonReader::oneOf(Names<E> names) const {
  const std::string& text = string();
  for (const auto& [name, value] : names)
    if (name == text) return value;
  std::vector<std::string_view> known;
  for (const auto& [name, value] : names) known.push_back(name);
  refuseName(std::move(known));
}

template <class F>
void JsonReader::each(F&& read) const {
  if (!value_->is_array()) refuse("not a list", "a list stands in [ ]");
  for (std::size_t i = 0; i < value_->size(); ++i) read(JsonReader((*value_)[i], *this, i));
}

template <class F>
auto JsonReader::list(F&& read) const {
  std::vector<decltype(read(*this))> found;
  if (value_->is_array()) found.reserve(value_->size());
  each([&](const JsonReader& item) { found.push_back(read(item)); });
  return found;
}

template <class E>
std::string_view nameOf(E value, Names<E> names) {
  for (const auto& [name, one] : names)
    if (one == value) return name;
  return "?";
}

}  // namespace core
