#include "core/io/positional.h"

#include "core/base/error.h"

namespace core::positional {

std::int64_t product(const Sizes& sizes) {
  std::int64_t all = 1;
  for (std::int64_t size : sizes) {
    if (size < 0) throw Error{.what = "a size is not known or negative", .where = {}, .right = "sizes are at least 1"};
    if (size != 0 && all > (std::int64_t{1} << 62) / size)
      throw Error{.what = "a tensor has more than 2^62 elements", .where = {}, .right = "sizes whose product fits 62 bits"};
    all *= size;
  }
  return all;
}

std::int64_t Node::integer(const std::string& key, std::int64_t missing) const {
  auto found = attributes.find(key);
  if (found == attributes.end()) return missing;
  const auto* value = std::get_if<std::int64_t>(&found->second);
  return value ? *value : missing;
}

double Node::real(const std::string& key, double missing) const {
  auto found = attributes.find(key);
  if (found == attributes.end()) return missing;
  const auto* value = std::get_if<double>(&found->second);
  return value ? *value : missing;
}

std::string Node::text(const std::string& key, const std::string& missing) const {
  auto found = attributes.find(key);
  if (found == attributes.end()) return missing;
  const auto* value = std::get_if<std::string>(&found->second);
  return value ? *value : missing;
}

std::optional<std::vector<std::int64_t>> Node::integers(const std::string& key) const {
  auto found = attributes.find(key);
  if (found == attributes.end()) return std::nullopt;
  const auto* value = std::get_if<std::vector<std::int64_t>>(&found->second);
  return value ? std::optional(*value) : std::nullopt;
}

}  // namespace core::positional
