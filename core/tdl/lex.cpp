#include "core/tdl/lex.h"

#include <array>
#include <charconv>

#include "core/base/error.h"

namespace core {
namespace {

constexpr std::array<std::string_view, 20> signs{"<=", ">=", "==", "!=", "&&", "||", "[", "]", "(", ")",
                                                 ",",  "=",  "+",  "-",  "*",  "/",  "%", "<", ">", ":"};

bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

std::size_t nameEnd(std::string_view source, std::size_t at) {
  while (at < source.size() && (isLetter(source[at]) || isDigit(source[at]))) ++at;
  return at;
}

Token number(std::string_view source, std::size_t at) {
  Token token{.kind = Token::Kind::number, .column = at};
  const auto [end, failure] = std::from_chars(source.data() + at, source.data() + source.size(), token.number);
  token.end = static_cast<std::size_t>(end - source.data());
  if (failure != std::errc{})
    throw Error{
        .what = "a number that no double holds", .where = placeIn(source, at), .right = "its size is at most 1.8e308"};
  token.text = source.substr(at, token.end - at);
  return token;
}

Token quoted(std::string_view source, std::size_t at) {
  const std::size_t close = source.find('"', at + 1);
  if (close == std::string_view::npos)
    throw Error{.what = "a text is not closed", .where = placeIn(source, at), .right = "it ends with another \""};
  return {Token::Kind::text, std::string(source.substr(at + 1, close - at - 1)), 0, at, close + 1};
}

Token tokenAt(std::string_view source, std::size_t at) {
  const char first = source[at];
  if (isLetter(first)) {
    const std::size_t end = nameEnd(source, at);
    return {Token::Kind::name, std::string(source.substr(at, end - at)), 0, at, end};
  }
  if (isDigit(first) || (first == '.' && at + 1 < source.size() && isDigit(source[at + 1]))) return number(source, at);
  if (first == '"') return quoted(source, at);
  for (std::string_view sign : signs)
    if (source.substr(at, sign.size()) == sign) return {Token::Kind::sign, std::string(sign), 0, at, at + sign.size()};
  throw Error{.what = "unexpected character '" + std::string(1, first) + "'",
              .where = placeIn(source, at),
              .right = "names, numbers, and + - * / % < <= > >= == != && || [ ] ( ) , : ="};
}

}  // namespace

std::string placeIn(std::string_view source, std::size_t column) {
  constexpr std::size_t shown = 120;
  std::string text(source.substr(0, shown));
  if (source.size() > shown) text += "...";
  return "column " + std::to_string(column + 1) + " of \"" + text + "\"";
}

std::vector<Token> lex(std::string_view source) {
  std::vector<Token> tokens;
  for (std::size_t at = 0;;) {
    while (at < source.size() && (source[at] == ' ' || source[at] == '\t' || source[at] == '\n' || source[at] == '\r'))
      ++at;
    if (at == source.size()) break;
    tokens.push_back(tokenAt(source, at));
    at = tokens.back().end;
  }
  tokens.push_back({Token::Kind::end, "", 0, source.size(), source.size()});
  return tokens;
}

}  // namespace core
