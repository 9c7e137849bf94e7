#pragma once

#include "core/cost/cost.h"

// What one instruction costs the device at a coordinate. Flops by its valid extents, bytes by padded local shapes,
// `redistribute` by its index sets; a fused instruction is its body in one launch, a repeat its body `count` times.
//
//   mesh data:2, y[i,j] = sum(k) a[i,k] * b[k,j], 5x3 by 3x4, i over data:
//     device 0 has rows 0..2: 3*4*(3+3) = 72 flops     device 1 has rows 3..4: 48 flops
//   all-reduce of a local f32 buffer of 10 elements over 4: in 40, out 40, wire 2*3*ceil(10/4)*4 = 72 bytes

namespace core {

class Views;

// In a body `meant` says what its buffers stand for.
InstructionCost price(const Program& program, const Instruction& instruction, const Coordinate& at, const Machine* machine, const Views* meant = nullptr);

// The same when the whole of the work is done by one device: no loop is split.
std::int64_t wholeFlops(const Program& program, const Instruction& instruction);

// The elements of the chunk for one peer of an all-to-all: padded where the input gets split, and where it becomes whole.
std::int64_t allToAllChunk(const Collective& collective, const Buffer& in, const Buffer& out);

}  // namespace core
