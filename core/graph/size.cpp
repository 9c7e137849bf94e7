#include "core/graph/size.h"

#include "core/base/error.h"

namespace core {
namespace {

[[noreturn]] void tooLarge(std::int64_t a, std::int64_t b, const char* sign, const std::string& where) {
  throw Error{.what = "a size leaves 64 bits: " + std::to_string(a) + sign + std::to_string(b),
              .where = where,
              .right = "make one of its dimensions smaller"};
}

}  // namespace

std::int64_t checkedProduct(std::int64_t a, std::int64_t b, const std::string& where) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) tooLarge(a, b, " * ", where);
  return product;
}

std::int64_t checkedSum(std::int64_t a, std::int64_t b, const std::string& where) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) tooLarge(a, b, " + ", where);
  return sum;
}

}  // namespace core
