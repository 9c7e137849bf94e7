#pragma once

#include <string>
#include <vector>

#include "core/cost/cost.h"

// What is allocated while a step runs; the same on all devices, for local shapes are padded.
//
// Persistent buffers are there from the start. Any other buffer is there from the instruction that first writes it to the `free`
// that names it. A buffer that lies in another one's bytes (Buffer::alias) adds nothing: those bytes count in the class of the buffer
// that owns them, and end with it.

namespace core {

struct MemoryUse {
  std::vector<MemoryAt> after;      // after each executed instruction, in the order of walk()
  MemoryAt peak;                    // at the moment when the total is largest; the first such
  std::string at;                   // the instruction's name; empty when the start is the peak
  std::vector<BufferId> live;       // what owns bytes at the peak
};

MemoryUse memoryUse(const Program& program);

// Of these buffers the bytes that a device has allocated beyond its valid part.
std::int64_t paddingBytes(const Program& program, const std::vector<BufferId>& buffers, const Coordinate& at);

BufferId bytesOwner(const Program& program, BufferId id);  // follows alias

}  // namespace core
