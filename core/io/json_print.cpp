#include "core/io/json_print.h"

#include <cmath>

namespace core {
namespace {

constexpr std::size_t lineWidth = 120;

// Bytes that are no UTF-8 are replaced: text of foreign files must not make a file of ours unreadable.
std::string leaf(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

// Puts `value` behind `text` on one line; gives up, with false, once the line is longer than `most`.
bool inOneLine(const Json& value, std::size_t most, std::string& text) {
  if (!value.is_structured()) {
    text += leaf(value);
    return text.size() <= most;
  }
  text += value.is_object() ? '{' : '[';
  bool first = true;
  for (const auto& item : value.items()) {
    if (!first) text += ", ";
    first = false;
    if (value.is_object()) text += leaf(item.key()) + ": ";
    if (!inOneLine(item.value(), most, text)) return false;
  }
  text += value.is_object() ? '}' : ']';
  return text.size() <= most;
}

void print(const Json& value, std::size_t indent, bool breaks, std::string& text) {
  const std::size_t lineStart = text.rfind('\n') + 1;  // npos + 1 is 0
  std::string line;
  const std::size_t used = text.size() - lineStart;
  if (!breaks && inOneLine(value, lineWidth > used ? lineWidth - used : 0, line)) {
    text += line;
    return;
  }
  if (!value.is_structured() || value.empty()) {
    text += value.is_structured() ? (value.is_object() ? "{}" : "[]") : leaf(value);
    return;
  }
  text += value.is_object() ? "{\n" : "[\n";
  bool first = true;
  for (const auto& item : value.items()) {
    if (!first) text += ",\n";
    first = false;
    text.append(indent + 2, ' ');
    if (value.is_object()) text += leaf(item.key()) + ": ";
    print(item.value(), indent + 2, false, text);
  }
  text += "\n";
  text.append(indent, ' ');
  text += value.is_object() ? '}' : ']';
}

}  // namespace

std::string printJson(const Json& value) {
  std::string text;
  print(value, 0, true, text);
  return text + "\n";
}

std::string printJsonLine(const Json& value) { return leaf(value); }

Json numberJson(double value) {
  if (std::isfinite(value)) return value;
  if (std::isnan(value)) return "nan";
  return value > 0 ? "inf" : "-inf";
}

}  // namespace core
