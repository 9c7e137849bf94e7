#include "core/io/xla/hlo_scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cctype>

#include "core/base/error.h"

namespace core::xla {
namespace {

bool inWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.'; }

}  // namespace

std::string Scanner::place() const { return fmt::format("{}:{}:{}", path_, line_, at_ - lineStart_ + 1); }

void Scanner::fail(const std::string& what, const std::string& right) const { throw Error{.what = what, .where = place(), .right = right}; }

void Scanner::advance(std::size_t count) {
  for (std::size_t end = std::min(at_ + count, text_.size()); at_ < end; ++at_)
    if (text_[at_] == '\n') ++line_, lineStart_ = at_ + 1;
}

void Scanner::skip() {
  for (;;) {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) advance(1);
    const bool block = text_.substr(at_, 2) == "/*";
    if (!block && text_.substr(at_, 2) != "//") return;
    const std::size_t end = text_.find(block ? "*/" : "\n", at_ + 2);
    if (block && end == std::string_view::npos) fail("a comment has no end", "*/ behind it");
    advance(end == std::string_view::npos ? text_.size() - at_ : end + (block ? 2 : 1) - at_);
  }
}

bool Scanner::atEnd() { return skip(), at_ >= text_.size(); }

char Scanner::peek() { return atEnd() ? 0 : text_[at_]; }

bool Scanner::take(std::string_view symbol) {
  skip();
  if (text_.substr(at_, symbol.size()) != symbol) return false;
  advance(symbol.size());
  return true;
}

void Scanner::need(std::string_view symbol) {
  if (take(symbol)) return;
  if (atEnd()) fail(fmt::format("the text ends where \"{}\" should stand", symbol), "a whole file");
  fail(fmt::format("\"{}\" stands where \"{}\" should", text_.substr(at_, std::min<std::size_t>(12, text_.find_first_of(" \n", at_) - at_)), symbol));
}

std::string Scanner::word() {
  skip();
  if (at_ < text_.size() && text_[at_] == '%') advance(1);
  if (at_ < text_.size() && text_[at_] == '"') return quoted();
  const std::size_t begin = at_;
  while (at_ < text_.size() && inWord(text_[at_])) ++at_;
  if (at_ == begin) fail(at_ < text_.size() ? "a name should stand here" : "the text ends where a name should stand");
  return std::string(text_.substr(begin, at_ - begin));
}

std::int64_t Scanner::integer() {
  skip();
  std::int64_t value = 0;
  const char* begin = text_.data() + at_;
  auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
  if (error == std::errc::result_out_of_range) fail("the number has more than 64 bits");
  if (error != std::errc()) fail("a whole number should stand here");
  at_ += static_cast<std::size_t>(end - begin);
  return value;
}

bool Scanner::tooLarge() {
  skip();
  std::int64_t value = 0;
  return std::from_chars(text_.data() + at_, text_.data() + text_.size(), value).ec == std::errc::result_out_of_range;
}

double Scanner::real() {
  skip();
  double value = 0;
  const char* begin = text_.data() + at_;
  auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
  if (error == std::errc::invalid_argument) fail("a number should stand here");
  at_ += static_cast<std::size_t>(end - begin);
  return value;
}

std::vector<std::int64_t> Scanner::list() {
  std::vector<std::int64_t> values;
  need("{");
  while (!take("}")) {
    values.push_back(integer());
    if (peek() != '}') need(",");
  }
  return values;
}

std::string Scanner::quoted() {
  need("\"");
  std::string found;
  for (;; ++at_) {
    if (at_ >= text_.size() || text_[at_] == '\n') fail("a text has no end", "\" behind it");
    if (text_[at_] == '"') break;
    if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
    found.push_back(text_[at_]);
  }
  ++at_;
  return found;
}

std::string_view Scanner::balanced() {
  skip();
  const std::size_t begin = at_;
  std::string open;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '"') {
      quoted();
      continue;
    }
    if (open.empty() && (c == ',' || c == '\n' || c == '}' || c == ')' || c == ']')) break;
    if (c == '{' || c == '(' || c == '[') open.push_back(c);
    if (c == '}' || c == ')' || c == ']') open.pop_back();
    advance(1);
  }
  if (!open.empty()) fail(fmt::format("\"{}\" is never closed", open.back()), "a whole file");
  return text_.substr(begin, at_ - begin);
}

std::string_view Scanner::line() {
  const std::size_t begin = at_;
  const std::size_t end = std::min(text_.find('\n', at_), text_.size());
  advance(end - at_);
  return text_.substr(begin, end - begin);
}

}  // namespace core::xla
