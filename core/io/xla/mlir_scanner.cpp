#include "core/io/xla/mlir_scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "core/base/error.h"

namespace core::xla {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool inWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '.'; }
bool inName(char c) { return inWord(c) || c == '-'; }

int hexDigit(char c) {
  if (isDigit(c)) return c - '0';
  const char lower = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

char closing(char open) { return open == '(' ? ')' : open == '[' ? ']' : open == '{' ? '}' : open == '<' ? '>' : '\0'; }

}  // namespace

MlirScanner::MlirScanner(std::string_view text, std::string path) : text_(text), path_(std::move(path)), lines_{0} {
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n', end + 1)) lines_.push_back(end + 1);
}

std::int64_t MlirScanner::lineOf(std::size_t position) const { return std::upper_bound(lines_.begin(), lines_.end(), position) - lines_.begin(); }

std::string MlirScanner::place(std::size_t position) const {
  const std::int64_t line = lineOf(position);
  return fmt::format("{}:{}:{}", path_, line, position - lines_[static_cast<std::size_t>(line - 1)] + 1);
}

void MlirScanner::fail(const std::string& what, const std::string& right) {
  skip();
  failAt(at_, what, right);
}

void MlirScanner::failAt(std::size_t position, const std::string& what, const std::string& right) const { throw Error{.what = what, .where = place(position), .right = right}; }

void MlirScanner::skip() {
  constexpr std::string_view split = "// -----";
  for (;;) {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    if (text_.substr(at_, 2) != "//") return;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view comment = text_.substr(at_, end - at_);
    if (comment.ends_with('\r')) comment.remove_suffix(1);
    split_ |= comment == split;
    at_ = end;
  }
}

bool MlirScanner::atEnd() { return skip(), at_ >= text_.size(); }

char MlirScanner::peek() { return atEnd() ? '\0' : text_[at_]; }

char MlirScanner::peekBehind(std::size_t count) {
  skip();
  return at_ + count < text_.size() ? text_[at_ + count] : '\0';
}

bool MlirScanner::stands(std::string_view symbol) {
  skip();
  return text_.substr(at_, symbol.size()) == symbol;
}

bool MlirScanner::standsWord(std::string_view word) { return stands(word) && !inWord(peekBehind(word.size())); }

bool MlirScanner::take(std::string_view symbol) {
  if (!stands(symbol)) return false;
  at_ += symbol.size();
  return true;
}

bool MlirScanner::takeWord(std::string_view word) {
  if (!standsWord(word)) return false;
  at_ += word.size();
  return true;
}

std::string_view MlirScanner::next() {
  skip();
  std::size_t end = at_;
  while (end < text_.size() && end - at_ < 24 && inName(text_[end])) ++end;
  return text_.substr(at_, std::max<std::size_t>(1, end - at_));
}

void MlirScanner::need(std::string_view symbol) {
  if (!take(symbol)) failMissing(fmt::format("\"{}\"", symbol));
}

void MlirScanner::needWord(std::string_view word) {
  if (!takeWord(word)) failMissing(fmt::format("\"{}\"", word));
}

void MlirScanner::failMissing(const std::string& what) {
  if (atEnd()) fail(fmt::format("the text ends where {} should stand", what), "a whole file; was it cut?");
  fail(fmt::format("\"{}\" stands where {} should", next(), what));
}

std::string MlirScanner::word() {
  skip();
  const std::size_t begin = at_;
  while (at_ < text_.size() && inWord(text_[at_])) ++at_;
  if (at_ == begin) failMissing("a word");
  return std::string(text_.substr(begin, at_ - begin));
}

std::string MlirScanner::name() {
  if (at_ < text_.size() && text_[at_] == '"') return quoted();
  const std::size_t begin = at_;
  while (at_ < text_.size() && inName(text_[at_]) && text_.substr(at_, 2) != "->") ++at_;
  if (at_ == begin) failMissing("a name");
  return std::string(text_.substr(begin, at_ - begin));
}

std::string_view MlirScanner::quotedAsIs() {
  need("\"");
  const std::size_t begin = at_;
  at_ = text_.find_first_of("\"\\\n", at_);
  while (at_ < text_.size() && text_[at_] == '\\') at_ = text_.find_first_of("\"\\\n", at_ + 2);
  if (at_ >= text_.size() || text_[at_] != '"') failAt(begin - 1, "a text has no end", "a whole file; was it cut?");
  return text_.substr(begin, at_++ - begin);
}

std::string MlirScanner::quoted() {
  const std::string_view raw = quotedAsIs();
  std::string found;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\\' || i + 1 >= raw.size()) {
      found.push_back(raw[i]);
    } else if (const int high = hexDigit(raw[i + 1]), low = i + 2 < raw.size() ? hexDigit(raw[i + 2]) : -1; high >= 0 && low >= 0) {
      found.push_back(static_cast<char>(high * 16 + low));
      i += 2;
    } else {
      const char c = raw[++i];
      found.push_back(c == 'n' ? '\n' : c == 't' ? '\t' : c);
    }
  }
  return found;
}

bool MlirScanner::standsNumber() {
  const char c = peek();
  return isDigit(c) || (c == '-' && isDigit(peekBehind(1)));
}

MlirNumber MlirScanner::number() {
  MlirNumber found{.negative = take("-")};
  skip();
  const std::size_t begin = at_;
  const char *first = text_.data() + at_, *last = text_.data() + text_.size();
  const bool hexadecimal = text_.substr(at_, 2) == "0x" && hexDigit(peekBehind(2)) >= 0;
  auto [end, error] = std::from_chars(first + (hexadecimal ? 2 : 0), last, found.magnitude, hexadecimal ? 16 : 10);
  if (error == std::errc::invalid_argument) failMissing("a number");
  if (hexadecimal) found.kind = MlirNumber::Kind::bits;
  else if (end < last && *end == '.') {
    found.kind = MlirNumber::Kind::real;
    auto real = std::from_chars(first, last, found.value);
    end = real.ptr;
    const bool tiny = std::string_view(first, static_cast<std::size_t>(end - first)).find('-') != std::string_view::npos;
    error = tiny ? std::errc() : real.ec;  // 1e-400 is 0
  } else {
    found.value = static_cast<double>(found.magnitude);
  }
  if (error == std::errc::result_out_of_range) failAt(begin, "the number is too large for 64 bits");
  if (found.negative) found.value = -found.value;
  at_ += static_cast<std::size_t>(end - first);
  return found;
}

std::int64_t MlirScanner::integer() {
  skip();
  const std::size_t begin = at_;
  const MlirNumber found = number();
  if (found.kind == MlirNumber::Kind::real) failAt(begin, "a whole number should stand here");
  return static_cast<std::int64_t>(found.negative ? 0 - found.magnitude : found.magnitude);
}

std::vector<std::int64_t> MlirScanner::list() {
  std::vector<std::int64_t> values;
  need("[");
  while (!take("]")) {
    if (takeWord("true")) values.push_back(1);
    else if (takeWord("false")) values.push_back(0);
    else values.push_back(integer());
    if (peek() != ']') need(",");
  }
  return values;
}

std::string_view MlirScanner::until(std::string_view stops) {
  skip();
  const std::size_t begin = at_;
  std::string open;
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (open.empty() && stops.find(c) != std::string_view::npos) break;
    if (c == '"') {
      quotedAsIs();
      --at_;
    } else if (text_.substr(at_, 2) == "->") {
      ++at_;
    } else if (text_.substr(at_, 2) == "//") {
      skip();
      --at_;
    } else if (closing(c) != '\0') {
      open.push_back(closing(c));
    } else if (c == ')' || c == ']' || c == '}' || c == '>') {
      if (open.empty()) break;
      if (open.back() != c) failAt(at_, fmt::format("\"{}\" stands where \"{}\" should", c, open.back()));
      open.pop_back();
    }
  }
  if (!open.empty()) failAt(begin, fmt::format("\"{}\" is missing", open.back()), "a whole file; was it cut?");
  return text_.substr(begin, at_ - begin);
}

std::string_view MlirScanner::bracket() {
  skip();
  const std::size_t begin = at_;
  const char close = closing(peek());
  ++at_;
  until({});
  need(std::string_view(&close, 1));
  return text_.substr(begin, at_ - begin);
}

}  // namespace core::xla
