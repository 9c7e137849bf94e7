#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/io/xla/mlir_reader.h"

namespace core::xla {
namespace {

constexpr int deepest = 256;       // regions, lists, types and locations in each other
constexpr std::size_t mostAxes = 64;
constexpr std::int64_t mostElements = std::int64_t{1} << 62;

bool isNumbered(std::string_view word, std::string_view prefix) {
  return word.size() > prefix.size() && word.starts_with(prefix) && std::all_of(word.begin() + static_cast<std::ptrdiff_t>(prefix.size()), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// i32 -> s32; nothing where `word` names no number.
std::string elementOf(std::string word) {
  if (word == "i1") return "pred";
  if (word == "index") return "s64";
  if (isNumbered(word, "i")) return "s" + word.substr(1);
  if (isNumbered(word, "si") || isNumbered(word, "ui")) return word.erase(1, 1);
  const bool real = isNumbered(word, "f") || word == "bf16" || word == "tf32" || (word.size() > 2 && word[0] == 'f' && std::isdigit(static_cast<unsigned char>(word[1])) != 0 && word.find('E') != std::string::npos);
  if (!real) return {};
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return word;
}

}  // namespace

MlirReader::Deeper::Deeper(MlirReader& reader) : depth_(reader.depth_) {
  if (depth_ >= deepest) reader.scan.fail("the text is nested too deep", fmt::format("at most {} brackets in each other", deepest));
  ++depth_;
}

std::vector<Type> MlirReader::typesInBrackets() {
  std::vector<Type> found;
  scan.need("(");
  while (!scan.take(")")) {
    found.push_back(type());
    if (scan.peek() != ')') scan.need(",");
  }
  return found;
}

std::vector<Type> MlirReader::types() {
  if (scan.peek() == '(') return typesInBrackets();
  return {type()};
}

Type MlirReader::type() {
  Deeper inside(*this);
  const char next = scan.peek();
  const std::size_t begin = scan.position();
  if (next == '(') {  // a function's
    typesInBrackets();
    scan.need("->");
    types();
    return {.element = "function"};
  }
  if (next == '!') {
    scan.need("!");
    const std::string name = scan.name();
    if (auto found = types_.find(name); found != types_.end()) return found->second;
    if (name.ends_with(".token")) return {.element = "token"};
    if (name.find('.') == std::string::npos && scan.peek() != '<') scan.failAt(begin, fmt::format("the type !{} is not defined", name));
    if (scan.peek() == '<') scan.bracket();
    return {.element = std::string(scan.text().substr(begin, scan.position() - begin))};
  }
  const std::string word = scan.word();
  if (word == "tensor") return tensor();
  return scalar(word);
}

Type MlirReader::scalar(const std::string& word) {
  if (std::string element = elementOf(word); !element.empty()) return {.element = element};
  if (word == "none") return {.element = "none"};
  if (word == "complex") {
    scan.need("<");
    const std::string part = elementOf(scan.word());
    scan.need(">");
    if (part != "f32" && part != "f64") scan.fail(fmt::format("complex numbers are made of f32 or f64, not of \"{}\"", part));
    return {.element = part == "f32" ? "c64" : "c128"};
  }
  const std::size_t begin = scan.position() - word.size();
  if (word == "tuple") scan.failAt(begin, "tuples are not read", "their values one by one");
  if (scan.peek() == '<' && (word == "vector" || word == "memref")) {
    scan.bracket();
    return {.element = word};
  }
  scan.failAt(begin, fmt::format("\"{}\" is no type", word), "tensor<4x8xf32>");
}

// Behind the word: <4x?xf32>, <f32>, <3x4xf32, #encoding>. A size that is not known is -1.
Type MlirReader::tensor() {
  Type found;
  scan.need("<");
  const std::size_t begin = scan.position();
  std::int64_t elements = 1;
  if (scan.peek() == '*') scan.fail("the number of axes is not known", "tensor<4x8xf32>");
  for (;;) {
    if (scan.take("?")) {
      found.sizes.push_back(-1);
    } else if (std::isdigit(static_cast<unsigned char>(scan.peek())) != 0) {
      std::int64_t size = 0;
      for (; std::isdigit(static_cast<unsigned char>(scan.peekBehind(0))) != 0; scan.goTo(scan.position() + 1)) {
        const int digit = scan.peekBehind(0) - '0';
        if (size > (mostElements - digit) / 10) scan.failAt(begin, "a tensor has more than 2^62 elements");
        size = size * 10 + digit;
      }
      if (size != 0 && elements > mostElements / size) scan.failAt(begin, "a tensor has more than 2^62 elements");
      elements *= size;
      found.sizes.push_back(size);
    } else {
      break;
    }
    scan.need("x");
    if (found.sizes.size() > mostAxes) scan.failAt(begin, fmt::format("a tensor has more than {} axes", mostAxes));
  }
  const Type element = type();
  if (!element.sizes.empty()) scan.failAt(begin, "a tensor of tensors");
  found.element = element.element;
  if (scan.take(",")) scan.until({});  // an encoding says nothing here
  scan.need(">");
  return found;
}

}  // namespace core::xla
