#include "executor/arena.h"

#include <cstdlib>
#include <cstring>

#include "core/base/error.h"

namespace executor {

namespace {
constexpr std::size_t alignment = 64;
}

void Arena::Free::operator()(std::byte* data) const { std::free(data); }

Arena::Arena(std::int64_t bytes) : bytes_(bytes) {
  const std::size_t rounded = (static_cast<std::size_t>(bytes) / alignment + 1) * alignment;
  data_.reset(static_cast<std::byte*>(std::aligned_alloc(alignment, rounded)));
  if (!data_)
    throw core::Error{.what = "this machine has no " + std::to_string(bytes) + " bytes of memory for one rank", .where = "", .right = "a layout that needs less, or fewer ranks on this host"};
}

void poison(std::span<std::byte> bytes) {
  if (!bytes.empty()) std::memset(bytes.data(), 0xFF, bytes.size());
}

}  // namespace executor
