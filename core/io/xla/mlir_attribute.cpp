#include <fmt/format.h>

#include <cctype>
#include <set>

#include "core/base/text.h"
#include "core/io/xla/mlir_reader.h"

namespace core::xla {
namespace {

using Integers = std::vector<std::int64_t>;

constexpr std::int64_t longestList = 4096;  // that a splat is written out to

// dense<[[0, 1], [2, 3]]> as a list of whole numbers, where it is one.
std::optional<Integers> integersOf(const MlirLiteral& literal) {
  if (!literal.data || literal.data->floating()) return std::nullopt;
  if (!literal.splat) return literal.data->integers;
  const std::int64_t count = positional::product(literal.type.sizes);
  if (count > longestList) return std::nullopt;
  return Integers(static_cast<std::size_t>(count), literal.data->integers.at(0));
}

// The labels of one side, "[b, 0, 1, f]": where each of two letters stands, and each number in turn.
struct Side {
  std::int64_t first = -1, second = -1;
  Integers spatial;
};

Side sideOf(MlirScanner& scan, char first, char second) {
  scan.need("[");
  const std::size_t begin = scan.position();
  Side side;
  std::map<std::int64_t, std::int64_t> spatial;
  std::int64_t at = 0;
  for (; !scan.take("]"); ++at) {
    if (scan.standsNumber()) spatial[scan.integer()] = at;
    else if (scan.takeWord({&first, 1})) side.first = at;
    else if (scan.takeWord({&second, 1})) side.second = at;
    else scan.word();
    if (scan.peek() != ']') scan.need(",");
  }
  bool inTurn = at == static_cast<std::int64_t>(spatial.size()) + 2;
  for (auto [number, axis] : spatial) {
    inTurn &= number == static_cast<std::int64_t>(side.spatial.size());
    side.spatial.push_back(axis);
  }
  if (!inTurn || side.first < 0 || side.second < 0) scan.failAt(begin, "these are not the axes of a convolution", "each once: [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]");
  return side;
}

}  // namespace

void MlirReader::convolutionNumbers(std::map<std::string, Attribute>& into) {
  const Side input = sideOf(scan, 'b', 'f');
  scan.need("x");
  const Side kernel = sideOf(scan, 'i', 'o');
  scan.need("->");
  const Side output = sideOf(scan, 'b', 'f');
  if (input.spatial.size() != kernel.spatial.size() || input.spatial.size() != output.spatial.size()) scan.fail("the sides of a convolution have different axes", "as many numbers on each");
  into.insert({{"input_batch_dimension", input.first},
               {"input_feature_dimension", input.second},
               {"input_spatial_dimensions", input.spatial},
               {"kernel_input_feature_dimension", kernel.first},
               {"kernel_output_feature_dimension", kernel.second},
               {"kernel_spatial_dimensions", kernel.spatial},
               {"output_batch_dimension", output.first},
               {"output_feature_dimension", output.second},
               {"output_spatial_dimensions", output.spatial}});
}

MlirDictionary MlirReader::dictionary() {
  Deeper inside(*this);
  MlirDictionary found;
  scan.need("{");
  while (!scan.take("}")) {
    const std::string key = scan.peek() == '"' ? scan.quoted() : scan.word();
    if (scan.take("=")) found[key] = attribute();
    else found[key] = {.value = std::int64_t{1}};
    if (scan.peek() != '}') scan.need(",");
  }
  return found;
}

MlirAttribute MlirReader::attribute() {
  Deeper inside(*this);
  const char next = scan.peek();
  const std::size_t begin = scan.position();
  if (scan.standsNumber()) return numeric();
  if (next == '"') {
    MlirAttribute found{.value = scan.quoted()};
    if (scan.take(":")) found.type = type();
    return found;
  }
  if (next == '[') return listed();
  if (next == '#') return ofDialect();
  if (next == '@') {
    scan.need("@");
    std::string name = scan.name();
    while (scan.take("::@")) name += "::" + scan.name();
    return {.value = name, .symbols = {name}};
  }
  MlirAttribute found;
  if (next == '{') {
    found.entries = std::make_shared<MlirDictionary>(dictionary());
  } else if (next == '!' || next == '(') {
    type();
  } else {
    return named(scan.word());
  }
  found.value = std::string(trim(scan.text().substr(begin, scan.position() - begin)));
  return found;
}

MlirAttribute MlirReader::numeric() {
  const std::size_t begin = scan.position();
  const MlirNumber number = scan.number();
  const auto whole = static_cast<std::int64_t>(number.negative ? 0 - number.magnitude : number.magnitude);
  MlirAttribute found{.value = number.kind == MlirNumber::Kind::real ? Attribute(number.value) : Attribute(whole)};
  if (!scan.take(":")) return found;
  found.type = type();
  const std::size_t end = scan.position();
  scan.goTo(begin);  // once more, as its type says
  found.literal = std::make_shared<MlirLiteral>(readScalar(*this, *found.type));
  scan.goTo(end);
  if (const positional::DataPtr& data = found.literal->data; data && data->floating()) found.value = data->reals.at(0);
  return found;
}

// A list of whole numbers, also of lists of them, or a text.
MlirAttribute MlirReader::listed() {
  const std::size_t begin = scan.position();
  MlirAttribute found;
  Integers numbers;
  bool whole = true;
  scan.need("[");
  while (!scan.take("]")) {
    MlirAttribute part = attribute();
    if (const auto* one = std::get_if<std::int64_t>(&part.value)) numbers.push_back(*one);
    else if (const auto* several = std::get_if<Integers>(&part.value)) numbers.insert(numbers.end(), several->begin(), several->end());
    else whole = false;
    found.symbols.insert(found.symbols.end(), part.symbols.begin(), part.symbols.end());
    if (scan.peek() != ']') scan.need(",");
  }
  if (whole) found.value = numbers;
  else found.value = std::string(trim(scan.text().substr(begin, scan.position() - begin)));
  return found;
}

MlirAttribute MlirReader::named(const std::string& word) {
  const std::size_t begin = scan.position() - word.size();
  static const std::set<std::string> types{"tensor", "complex", "tuple", "none", "vector", "memref"};
  if (word == "true" || word == "false") {
    MlirLiteral literal{.type = {.element = "pred"}, .splat = true, .data = std::make_shared<positional::Data>(positional::Data{.dtype = DType::boolean, .integers = {word == "true"}})};
    return {.value = std::int64_t{word == "true"}, .literal = std::make_shared<MlirLiteral>(std::move(literal))};
  }
  if (word == "dense") return dense();
  if (word == "dense_resource" || word == "opaque" || word == "sparse") scan.failAt(begin, fmt::format("values in {}<...> are not read", word), "values in the program itself: dense<...>");
  if (word == "array") return array();
  if (types.count(word) > 0) {
    scan.goTo(begin);
    type();
  } else if (word == "loc" && scan.peek() == '(') {
    scan.bracket();
  } else if (scan.peek() == '<') {
    scan.bracket();  // affine_map<...>
  }
  return {.value = std::string(trim(scan.text().substr(begin, scan.position() - begin)))};
}

// <i64: 1, 2>, behind the word
MlirAttribute MlirReader::array() {
  const std::size_t begin = scan.position();
  Integers numbers;
  bool whole = true;
  scan.need("<");
  type();
  if (scan.take(":"))
    while (scan.peek() != '>') {
      const MlirAttribute part = attribute();
      const auto* one = std::get_if<std::int64_t>(&part.value);
      whole &= one != nullptr;
      if (one) numbers.push_back(*one);
      if (scan.peek() != '>') scan.need(",");
    }
  scan.need(">");
  if (whole) return {.value = numbers};
  return {.value = "array" + std::string(scan.text().substr(begin, scan.position() - begin))};
}

MlirAttribute MlirReader::dense() {
  MlirAttribute found;
  const std::size_t begin = scan.position();
  found.literal = std::make_shared<MlirLiteral>(readDense(*this));
  if (std::optional<Integers> numbers = integersOf(*found.literal)) found.value = std::move(*numbers);
  else found.value = "dense" + std::string(scan.text().substr(begin, std::min<std::size_t>(scan.position() - begin, 200)));
  return found;
}

void MlirReader::structure(std::map<std::string, Attribute>& into) {
  scan.need("<");
  while (!scan.take(">")) {
    const std::string key = scan.word();
    if (key == "raw" && scan.peek() != '=') continue;
    scan.need("=");
    into[key] = attribute().value;
    if (scan.peek() != '>') scan.need(",");
  }
}

MlirAttribute MlirReader::ofDialect() {
  static const std::set<std::string> structures{"gather", "scatter", "dot"};
  const std::size_t begin = scan.position();
  scan.need("#");
  const std::string name = scan.name();
  if (auto found = attributes_.find(name); found != attributes_.end()) return found->second;
  const std::size_t dot = name.find('.');
  const std::string kind = dot == std::string::npos ? std::string() : name.substr(dot + 1);
  MlirAttribute found;
  if (structures.count(kind) > 0) {
    structure(found.fields);
  } else if (kind == "conv") {
    if (scan.peekBehind(1) == '[') {
      scan.need("<");
      convolutionNumbers(found.fields);
      scan.need(">");
    } else {
      structure(found.fields);
    }
  } else if (name == "sdy.sharding") {
    found.shardings = {sharding()};
  } else if (name == "sdy.sharding_per_value") {
    scan.need("<");
    found.shardings = shardings();
    scan.need(">");
  } else if (scan.peek() == '<' && dot == std::string::npos && std::isalpha(static_cast<unsigned char>(scan.peekBehind(1))) != 0) {
    scan.need("<");  // #stablehlo<precision HIGHEST>
    scan.word();
    if (const std::string_view value = scan.until({}); !value.empty()) found.value = std::string(trim(value));
    scan.need(">");
    return found;
  } else if (scan.peek() == '<') {
    scan.bracket();
  }
  found.value = std::string(trim(scan.text().substr(begin, scan.position() - begin)));
  return found;
}

void MlirReader::alias() {
  if (scan.take("!")) {
    const std::string name = scan.name();
    scan.need("=");
    types_[name] = type();
    return;
  }
  scan.need("#");
  const std::string name = scan.name();
  scan.need("=");
  if (scan.standsWord("loc")) locations_[name] = location();
  else attributes_[name] = attribute();
}

std::string MlirReader::location() {
  if (!scan.standsWord("loc") || scan.peekBehind(3) != '(') return {};
  scan.needWord("loc");
  scan.need("(");
  std::string found = locationBody();
  scan.until({});
  scan.need(")");
  return found;
}

// "name"(...), "file":1:2, #alias, callsite(... at ...), fused[...]: what is called with the program's own words.
std::string MlirReader::locationBody() {
  Deeper inside(*this);
  if (scan.take("#")) return "#" + scan.name();
  if (scan.peek() == '"') {
    std::string name = scan.quoted();
    return scan.peek() == ':' ? std::string() : name;
  }
  if (scan.takeWord("callsite") && scan.take("(")) {
    std::string found = locationBody();
    scan.until({});
    scan.need(")");
    return found;
  }
  if (!scan.takeWord("fused")) return {};
  if (scan.peek() == '<') scan.bracket();
  scan.need("[");
  std::string found = locationBody();
  scan.until({});
  scan.need("]");
  return found;
}

std::string MlirReader::nameOf(std::string location) const {
  for (int steps = 0; location.starts_with('#'); ++steps) {
    auto found = locations_.find(location.substr(1));
    if (found == locations_.end() || steps > 64) return {};
    location = found->second;
  }
  return location;
}

}  // namespace core::xla
