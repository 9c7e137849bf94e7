#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace core {

struct Token {
  enum class Kind { name, number, text, sign, end };
  Kind kind = Kind::end;
  std::string text;  // of a text: what stands between the quotes
  double number = 0;
  std::size_t column = 0;  // where it begins, from 0
  std::size_t end = 0;
};

// Names, numbers, "texts" and signs, the last token is `end`. Error at the column of a character that begins none.
std::vector<Token> lex(std::string_view source);

// "column 17 of \"y[i] = x[i\"": where an Error points.
std::string placeIn(std::string_view source, std::size_t column);

}  // namespace core
