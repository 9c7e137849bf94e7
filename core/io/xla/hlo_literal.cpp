#include "core/io/xla/hlo_literal.h"

#include <fmt/format.h>

#include <memory>

namespace core::xla {
namespace {

constexpr std::int64_t mostElements = std::int64_t{1} << 26;

void element(Scanner& scan, positional::Data& data) {
  if (scan.take("true")) return data.integers.push_back(1);
  if (scan.take("false")) return data.integers.push_back(0);
  if (data.floating()) data.reals.push_back(scan.real());
  else data.integers.push_back(scan.integer());
}

}  // namespace

positional::DataPtr readLiteral(Scanner& scan, const Type& type) {
  const std::optional<Kept> kept = keptAs(type.element);
  const std::int64_t count = positional::product(type.sizes);
  const Scanner before = scan;
  if (!kept || (scan.take("{") && scan.take("..."))) {
    scan = before;
    scan.balanced();
    return nullptr;
  }
  scan = before;
  if (count > mostElements) scan.fail(fmt::format("the constant has {} elements", count), fmt::format("at most {}", mostElements));
  auto data = std::make_shared<positional::Data>(positional::Data{.dtype = kept->dtype, .sizes = type.sizes});
  const auto rank = static_cast<int>(type.sizes.size());
  int depth = 0;
  do {
    if (type.element == "u64" && scan.tooLarge()) {  // from 2^63 on
      scan = before;
      scan.balanced();
      return nullptr;
    }
    if (scan.take("{")) {
      if (++depth > rank) scan.fail(fmt::format("the constant has more than {} axes", rank));
    } else if (scan.take("}")) {
      --depth;
      scan.take(",");
    } else {
      if (static_cast<std::int64_t>(data->count()) == count) scan.fail(fmt::format("the constant has more than {} elements", count));
      element(scan, *data);
      if (depth > 0 && scan.peek() != '}') scan.need(",");
    }
  } while (depth > 0);
  if (static_cast<std::int64_t>(data->count()) != count) scan.fail(fmt::format("the constant has {} elements, its type {}", data->count(), count));
  return data;
}

}  // namespace core::xla
