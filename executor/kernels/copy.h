#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "executor/held.h"

namespace executor {

// A box of elements that moves between two strided places; everything counted in elements.
struct BoxCopy {
  std::vector<std::int64_t> sizes, sourceStrides, targetStrides;
  std::int64_t source = 0, target = 0;  // where the first element lies
  bool empty() const;
};

// The box, in global indices, from where `source` holds it to where `target` does. Simplified.
BoxCopy copyOf(std::span<const core::Range> box, const Held& source, const Held& target);

// Drops sizes of one, joins neighbours that are one run on both sides, and puts the target's fastest dimension last.
BoxCopy simplified(BoxCopy copy);

// `copy` must be simplified.
void run(const BoxCopy& copy, const std::byte* source, std::byte* target, std::int64_t elementBytes);

}  // namespace executor
