#include "executor/kernels/copy.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <numeric>

namespace executor {
namespace {

template <class T>
void rowStrided(const T* source, T* target, std::int64_t n, std::int64_t sourceStride, std::int64_t targetStride) {
  for (std::int64_t i = 0; i < n; ++i) target[i * targetStride] = source[i * sourceStride];
}

// Two dimensions where the source runs fastest along the first and the target along the second: in blocks that stay in cache.
template <class T>
void transposed(const T* source, T* target, std::int64_t rows, std::int64_t columns, std::int64_t sourceColumn, std::int64_t targetRow) {
  constexpr std::int64_t block = 16;
  for (std::int64_t r = 0; r < rows; r += block)
    for (std::int64_t c = 0; c < columns; c += block) {
      const std::int64_t rowEnd = std::min(rows, r + block), columnEnd = std::min(columns, c + block);
      for (std::int64_t i = r; i < rowEnd; ++i)
        for (std::int64_t j = c; j < columnEnd; ++j) target[i * targetRow + j] = source[i + j * sourceColumn];
    }
}

template <class T>
void copyTyped(const BoxCopy& copy, std::size_t depth, const T* source, T* target, std::int64_t transposeDim) {
  const std::size_t rank = copy.sizes.size();
  if (rank == 0) {
    *target = *source;
    return;
  }
  if (depth + 1 == rank) {
    if (copy.sourceStrides[depth] == 1 && copy.targetStrides[depth] == 1)
      std::memcpy(target, source, static_cast<std::size_t>(copy.sizes[depth]) * sizeof(T));
    else
      rowStrided(source, target, copy.sizes[depth], copy.sourceStrides[depth], copy.targetStrides[depth]);
    return;
  }
  if (depth + 2 == rank && transposeDim >= 0) {
    transposed(source, target, copy.sizes[depth], copy.sizes[depth + 1], copy.sourceStrides[depth + 1], copy.targetStrides[depth]);
    return;
  }
  for (std::int64_t i = 0; i < copy.sizes[depth]; ++i)
    copyTyped(copy, depth + 1, source + i * copy.sourceStrides[depth], target + i * copy.targetStrides[depth], transposeDim);
}

template <class T>
void copyAs(const BoxCopy& copy, const std::byte* source, std::byte* target) {
  const std::size_t rank = copy.sizes.size();
  const bool transposes = rank >= 2 && copy.targetStrides[rank - 1] == 1 && copy.sourceStrides[rank - 1] != 1 && copy.sourceStrides[rank - 2] == 1;
  copyTyped(copy, 0, reinterpret_cast<const T*>(source) + copy.source, reinterpret_cast<T*>(target) + copy.target, transposes ? 1 : -1);
}

BoxCopy reordered(const BoxCopy& copy, const std::vector<std::size_t>& order) {
  BoxCopy result{.source = copy.source, .target = copy.target};
  for (std::size_t d : order) {
    result.sizes.push_back(copy.sizes[d]);
    result.sourceStrides.push_back(copy.sourceStrides[d]);
    result.targetStrides.push_back(copy.targetStrides[d]);
  }
  return result;
}

}  // namespace

bool BoxCopy::empty() const { return std::any_of(sizes.begin(), sizes.end(), [](std::int64_t size) { return size == 0; }); }

BoxCopy simplified(BoxCopy copy) {
  if (copy.empty()) return {.sizes = {0}, .sourceStrides = {1}, .targetStrides = {1}};
  std::vector<std::size_t> order;
  for (std::size_t d = 0; d < copy.sizes.size(); ++d)
    if (copy.sizes[d] != 1) order.push_back(d);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return copy.targetStrides[a] > copy.targetStrides[b]; });
  copy = reordered(copy, order);
  BoxCopy joined{.source = copy.source, .target = copy.target};
  for (std::size_t d = 0; d < copy.sizes.size(); ++d) {
    const std::int64_t size = copy.sizes[d], from = copy.sourceStrides[d], to = copy.targetStrides[d];
    if (!joined.sizes.empty() && joined.sourceStrides.back() == from * size && joined.targetStrides.back() == to * size) {
      joined.sizes.back() *= size;
      joined.sourceStrides.back() = from;
      joined.targetStrides.back() = to;
      continue;
    }
    joined.sizes.push_back(size);
    joined.sourceStrides.push_back(from);
    joined.targetStrides.push_back(to);
  }
  // What the source runs fastest along stands next to last, so that a transpose works in blocks.
  const std::size_t rank = joined.sizes.size();
  for (std::size_t d = 0; d + 2 < rank; ++d) {
    if (joined.sourceStrides[d] != 1 || joined.sourceStrides[rank - 1] == 1) continue;
    order.resize(rank);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::rotate(order.begin() + d, order.begin() + d + 1, order.begin() + (rank - 1));
    return reordered(joined, order);
  }
  return joined;
}

BoxCopy copyOf(std::span<const core::Range> box, const Held& source, const Held& target) {
  BoxCopy copy{.sourceStrides = source.strides, .targetStrides = target.strides};
  for (std::size_t d = 0; d < box.size(); ++d) {
    copy.sizes.push_back(box[d].size);
    copy.source += (box[d].start - source.ranges[d].start) * source.strides[d];
    copy.target += (box[d].start - target.ranges[d].start) * target.strides[d];
  }
  return simplified(std::move(copy));
}

void run(const BoxCopy& copy, const std::byte* source, std::byte* target, std::int64_t elementBytes) {
  if (copy.empty()) return;
  switch (elementBytes) {
    case 1: return copyAs<std::uint8_t>(copy, source, target);
    case 2: return copyAs<std::uint16_t>(copy, source, target);
    case 4: return copyAs<std::uint32_t>(copy, source, target);
    case 8: return copyAs<std::uint64_t>(copy, source, target);
    default: assert(false && "elements have 1, 2, 4 or 8 bytes");
  }
}

}  // namespace executor
