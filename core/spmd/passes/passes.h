#pragma once

#include <cstdint>

#include "core/spmd/program.h"

// From what emit() makes to what runs. Each takes a program and gives a better one; each can be left out, but the last.
// All but the first work inside of repeats as well.

namespace core {

// Whatever is computed long before it is read, and lives in no less memory than its operands would meanwhile, is computed
// right before its first reader. `layers`, if given, has the layer of each tensor of the graph, -1 for none: nothing leaves its own, so
// that layers that are equal stay so.
Program sinkToReaders(Program program, const std::vector<int>& layers = {});

// All-reduces over the same axes whose results are not read yet travel together, in order of production, at most
// `limit` bytes a bucket.
Program bucketCollectives(Program program, std::int64_t limit);

// An all-reduce over several axes of at least `least` bytes becomes one instruction an axis: reduce-scatter along the innermost, whose links
// are the fastest, all-reduce of what is left along the others, back with an all-gather (the 2-D summation of Ying et al., "Image
// Classification at Supercomputer Scale", 2018). What is smaller, or divides unevenly, stays one: latency counts, or padding.
Program reduceByAxis(Program program, std::int64_t least);

// Neighbouring elementwise operators and reductions of whole rows over one iteration space become one instruction;
// what only they pass to each other never reaches memory.
Program fuse(Program program);

// An all-reduce whose operand nobody reads again leaves its result there. A state's new value that is computed element
// by element, when nothing reads the old one any more, is written into the state's own buffer.
Program reuseInPlace(Program program);

// Frees each buffer after its last use, and gives every buffer its place in one arena (best fit, 64-byte aligned;
// the members of a bucket adjacent).
Program planMemory(Program program);

}  // namespace core
