#include "core/io/config/keys.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"

namespace core {
namespace {

constexpr std::int64_t most = std::int64_t{1} << 31;  // no size of a model comes near
constexpr std::size_t slip = 2;                       // letters that a mistyped key may differ by

// Hugging Face's names; several are one function.
constexpr std::pair<std::string_view, Function> activations[] = {
    {"gelu", Function::gelu},          {"gelu_new", Function::geluTanh}, {"gelu_pytorch_tanh", Function::geluTanh},
    {"gelu_fast", Function::geluTanh}, {"silu", Function::silu},         {"swish", Function::silu},
    {"relu", Function::relu},          {"tanh", Function::tanh},         {"sigmoid", Function::sigmoid},
    {"mish", Function::mish}};

}  // namespace

Function readActivation(const JsonReader& reader, const std::string& name) {
  std::vector<std::string> known;
  for (const auto& [text, function] : activations) {
    if (text == name) return function;
    known.emplace_back(text);
  }
  reader.refuse(fmt::format("the activation \"{}\" is not supported", name), didYouMean(name, known));
}

ConfigKeys::ConfigKeys(const JsonReader& reader) : reader_(reader) {
  if (!reader_.json().is_object())
    reader_.refuse(fmt::format("{} instead of an object", reader_.json().type_name()), "a config.json is an object");
}

std::optional<JsonReader> ConfigKeys::find(std::string_view key) const {
  asked_.emplace(key);
  const auto found = reader_.json().find(key);
  if (found == reader_.json().end() || found->is_null()) return std::nullopt;
  return JsonReader(*found, reader_, found.key());
}

void ConfigKeys::refuse(std::string_view key, const std::string& what, const std::string& right) const {
  if (const auto found = find(key)) found->refuse(what, right);
  reader_.refuse(what, right);
}

std::int64_t ConfigKeys::size(std::string_view key) const {
  if (const auto found = find(key)) return found->integer(1, most);
  unread();  // a slip is the better answer
  reader_.refuse(fmt::format("\"{}\" is missing", key), "a size of 1 or more");
}

std::int64_t ConfigKeys::size(std::string_view key, std::int64_t missing) const {
  const auto found = find(key);
  return found ? found->integer(1, most) : missing;
}

std::int64_t ConfigKeys::count(std::string_view key, std::int64_t missing) const {
  const auto found = find(key);
  return found ? found->integer(0, most) : missing;
}

double ConfigKeys::number(std::string_view key, double missing) const {
  const auto found = find(key);
  if (!found) return missing;
  const double value = found->finite();
  if (value <= 0) found->refuse(fmt::format("{} is not above 0", value), fmt::format("such as {}", missing));
  return value;
}

double ConfigKeys::rate(std::string_view key, double missing) const {
  const auto found = find(key);
  if (!found) return missing;
  const double value = found->finite();
  if (value < 0 || value >= 1) found->refuse(fmt::format("a dropout of {}", value), "0 or more and less than 1");
  return value;
}

bool ConfigKeys::flag(std::string_view key, bool missing) const {
  const auto found = find(key);
  return found ? found->boolean() : missing;
}

std::string ConfigKeys::text(std::string_view key, const std::string& missing) const {
  const auto found = find(key);
  return found ? found->string() : missing;
}

Function ConfigKeys::activation(std::string_view key, const std::string& missing) const {
  const auto found = find(key);
  return found ? readActivation(*found, found->string()) : readActivation(reader_, missing);
}

void ConfigKeys::onlyFlag(std::string_view key, bool value) const {
  const auto found = find(key);
  if (found && found->boolean() != value)
    found->refuse(fmt::format("{} is not supported", !value), fmt::format("{}", value));
}

void ConfigKeys::onlySize(std::string_view key, std::int64_t value) const {
  const auto found = find(key);
  if (!found) return;
  const std::int64_t is = found->integer();
  if (is != value) found->refuse(fmt::format("{} is not supported", is), fmt::format("{}", value));
}

void ConfigKeys::onlyText(std::string_view key, std::string_view value) const {
  const auto found = find(key);
  if (found && found->string() != value)
    found->refuse(fmt::format("\"{}\" is not supported", found->string()), fmt::format("\"{}\"", value));
}

void ConfigKeys::requireDivides(std::string_view whole, std::int64_t wholeSize, std::string_view parts,
                                std::int64_t partsSize) const {
  if (wholeSize % partsSize == 0) return;
  refuse(parts, fmt::format("{} does not divide {} = {}", partsSize, whole, wholeSize),
         fmt::format("a divisor of {}", wholeSize));
}

void ConfigKeys::pass(std::initializer_list<std::string_view> keys) const {
  passed_.insert(keys.begin(), keys.end());
}

std::vector<std::string> ConfigKeys::unread() const {
  std::vector<std::string> found;
  for (const auto& item : reader_.json().items()) {
    if (asked_.count(item.key()) != 0 || passed_.count(item.key()) != 0) continue;
    for (const std::string& known : asked_)
      if (!reader_.json().contains(known) && editDistance(item.key(), known) <= slip)
        reader_.refuse(fmt::format("unknown key \"{}\"", item.key()), fmt::format("did you mean \"{}\"?", known));
    found.push_back(item.key());
  }
  return found;
}

std::int64_t OpenSizes::take(const std::string& name, std::int64_t otherwise, std::optional<std::int64_t> atMost) {
  const auto given = given_.find(name);
  const std::int64_t size = given == given_.end() ? otherwise : given->second;
  if (size < 1 || size > most || (atMost && size > *atMost))
    throw Error{
        .what = fmt::format("{} is to be {}", name, size),
        .where = where_,
        .right = fmt::format("1 to {}{}", atMost.value_or(most), atMost ? ": the model has no more positions" : "")};
  taken_.push_back({name, size, given != given_.end()});
  return size;
}

void OpenSizes::requireAllTaken() const {
  std::vector<std::string> open;
  for (const Size& one : taken_) open.push_back(one.name);
  for (const auto& [name, size] : given_)
    if (std::find(open.begin(), open.end(), name) == open.end())
      throw Error{.what = fmt::format("the size of \"{}\" does not stand open", name),
                  .where = where_,
                  .right = fmt::format("the config decides it; open are {}", core::join(open, ", "))};
}

}  // namespace core
