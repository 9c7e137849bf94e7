#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/io/element.h"
#include "core/io/xla/mlir_reader.h"
#include "core/tdl/element.h"

namespace core::xla {
namespace {

using positional::Data;

struct Row {
  std::string_view element;
  int bits;
  int onnx;  // as which its bytes are read; 0: not at all
};

constexpr Row rows[] = {
    {"pred", 1, 9}, {"s4", 4, 3},   {"u4", 4, 2},   {"s8", 8, 3},    {"u8", 8, 2},    {"s16", 16, 5},  {"u16", 16, 4},  {"s32", 32, 6},
    {"u32", 32, 12}, {"s64", 64, 7}, {"u64", 64, 13}, {"f16", 16, 10}, {"bf16", 16, 16}, {"f32", 32, 1}, {"f64", 64, 11}, {"c64", 64, 0}, {"c128", 128, 0},
};

const Row* rowOf(std::string_view element) {
  for (const Row& row : rows)
    if (row.element == element) return &row;
  return nullptr;
}

class LiteralReader {
 public:
  LiteralReader(MlirScanner& scan, const Type& type) : scan_(scan), type_(type), row_(rowOf(type.element)) {
    if (std::optional<Kept> kept = keptAs(type.element); kept && row_ && row_->onnx != 0) kept_ = kept->dtype;
    if (kept_) data_.dtype = *kept_;
    if (std::find(type.sizes.begin(), type.sizes.end(), -1) != type.sizes.end()) scan_.fail("the sizes of a constant are not known");
    count_ = positional::product(type.sizes);
  }

  MlirLiteral read() {
    if (scan_.peek() == '>') {
      if (count_ != 0) scan_.fail(fmt::format("no value stands for {} elements", count_));
    } else if (scan_.peek() == '"') {
      bytes();
    } else if (scan_.peek() == '[') {
      list(0);
    } else {
      element();
      splat_ = true;
    }
    return finish();
  }

  MlirLiteral scalar() {
    element();
    return finish();
  }

 private:
  MlirLiteral finish() {
    data_.sizes = splat_ ? positional::Sizes{} : type_.sizes;
    MlirLiteral found{.type = type_, .splat = splat_};
    const bool beyond = type_.element == "u64" && std::any_of(data_.integers.begin(), data_.integers.end(), [](std::int64_t value) { return value < 0; });
    if (kept_ && !beyond) found.data = std::make_shared<Data>(std::move(data_));
    return found;
  }

  void list(std::size_t axis) {
    const std::size_t begin = scan_.position();
    if (axis >= type_.sizes.size()) failAxes();
    const std::int64_t wanted = type_.sizes[axis];
    std::int64_t found = 0;
    scan_.need("[");
    while (!scan_.take("]")) {
      if (found++ == wanted) break;
      if (axis + 1 < type_.sizes.size()) list(axis + 1);
      else element();
      if (scan_.peek() != ']') scan_.need(",");
    }
    if (found != wanted) scan_.failAt(begin, fmt::format("{} {} values stand for an axis of size {}", found > wanted ? "more than" : "only", std::min(found, wanted), wanted), "as many as the type says");
  }

  [[noreturn]] void failAxes() { scan_.fail(fmt::format("the values have more axes than the {} of their type", type_.sizes.size())); }

  void element() {
    const std::size_t begin = (scan_.peek(), scan_.position());
    if (scan_.stands("[")) failAxes();
    if (scan_.takeWord("true") || scan_.takeWord("false")) return whole({.magnitude = scan_.text()[begin] == 't' ? 1U : 0U}, begin);
    if (scan_.take("(")) {
      scan_.number();
      scan_.need(",");
      scan_.number();
      scan_.need(")");
      if (!type_.element.starts_with('c')) scan_.failAt(begin, fmt::format("a complex number stands for one of {}", type_.element));
      return;
    }
    const MlirNumber number = scan_.number();
    if (!kept_) return;
    if (!data_.floating()) return whole(number, begin);
    if (number.kind == MlirNumber::Kind::bits) return bits(number.magnitude);
    data_.reals.push_back(roundTo(*kept_, number.value));
  }

  void whole(const MlirNumber& number, std::size_t begin) {
    if (!kept_) return;
    if (data_.floating() || number.kind == MlirNumber::Kind::real) scan_.failAt(begin, fmt::format("this is no number of type {}", type_.element));
    const bool isUnsigned = type_.element.starts_with('u');
    const std::uint64_t most = row_->bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << row_->bits) - 1;
    if (number.magnitude > (number.negative ? most / 2 + 1 : most) || (number.negative && isUnsigned)) scan_.failAt(begin, fmt::format("the number does not fit {}", type_.element));
    const std::uint64_t bits = (number.negative ? 0 - number.magnitude : number.magnitude) & most;
    const bool below = !isUnsigned && row_->bits > 1 && bits > most / 2;
    data_.integers.push_back(static_cast<std::int64_t>(below ? bits | ~most : bits));
  }

  void append(std::span<const std::byte> bytes) {
    Data part = readElements(bytes, row_->onnx, {});
    if (data_.count() == 0) {
      data_.reals = std::move(part.reals);
      data_.integers = std::move(part.integers);
      return;
    }
    data_.reals.insert(data_.reals.end(), part.reals.begin(), part.reals.end());
    data_.integers.insert(data_.integers.end(), part.integers.begin(), part.integers.end());
  }

  void bits(std::uint64_t value) {
    std::array<std::byte, 8> bytes;
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(value & 255), value >>= 8;
    append(std::span(bytes).first(static_cast<std::size_t>(row_->bits) / 8));
  }

  // "0x0A0B...", row-major and little-endian. One element alone stands for all; truth values may be packed, eight a byte.
  void bytes() {
    const std::size_t begin = scan_.position();
    const std::string_view text = scan_.quotedAsIs();
    if (!text.starts_with("0x") || text.size() % 2 != 0) scan_.failAt(begin, "a text stands where values should", "bytes: \"0x00FF\"");
    if (!row_) scan_.failAt(begin, fmt::format("the bytes of {} are not known", type_.element));
    std::vector<std::byte> found;
    found.reserve(text.size() / 2 - 1);
    for (std::size_t i = 2; i < text.size(); i += 2) {
      const int high = hex(text[i]), low = hex(text[i + 1]);
      if (high < 0 || low < 0) scan_.failAt(begin + i + 1, "this is no hexadecimal number");
      found.push_back(static_cast<std::byte>(high * 16 + low));
    }
    const auto given = static_cast<std::int64_t>(found.size());
    const std::int64_t each = std::max(1, row_->bits / 8);
    splat_ = given == each && count_ != 1;
    const bool packed = row_->bits == 1 && !splat_ && given != count_ && given == (count_ + 7) / 8;
    if (!splat_ && !packed && (given % each != 0 || given / each != count_)) scan_.failAt(begin, fmt::format("{} bytes stand for {} elements of {} bytes", given, count_, each), "as many as the type says");
    if (packed) found = unpacked(found);
    if (kept_) append(found);
  }

  std::vector<std::byte> unpacked(const std::vector<std::byte>& packed) const {
    std::vector<std::byte> found;
    for (std::int64_t i = 0; i < count_; ++i) found.push_back(packed[static_cast<std::size_t>(i / 8)] >> (i % 8) & std::byte{1});
    return found;
  }

  static int hex(char c) {
    const std::size_t digit = std::string_view("0123456789ABCDEFabcdef").find(c);
    return digit == std::string_view::npos ? -1 : static_cast<int>(digit < 16 ? digit : digit - 6);
  }

  MlirScanner& scan_;
  const Type& type_;
  const Row* row_;
  std::optional<DType> kept_;
  Data data_;
  std::int64_t count_ = 0;
  bool splat_ = false;
};

}  // namespace

// The type stands behind the values, but says how to read them.
MlirLiteral readDense(MlirReader& reader) {
  MlirScanner& scan = reader.scan;
  scan.need("<");
  const std::size_t begin = scan.position();
  scan.until({});
  scan.need(">");
  scan.need(":");
  const Type type = reader.type();
  const std::size_t end = scan.position();
  scan.goTo(begin);
  MlirLiteral found = LiteralReader(scan, type).read();
  scan.need(">");
  scan.goTo(end);
  return found;
}

MlirLiteral readScalar(MlirReader& reader, const Type& type) { return LiteralReader(reader.scan, type).scalar(); }

}  // namespace core::xla
