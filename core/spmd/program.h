#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/graph/graph.h"
#include "core/layout/sharding.h"
#include "core/mesh/mesh.h"
#include "core/tdl/expression.h"

// What one step does, the same text for all ranks: the only description of it. It is estimated, written to the
// run folder and run.
//
//   %3 = einsum(%0, %1)              [batch:data ffn:model]       8x128 of 16x256     "matmul of layer 0"
//   %4 = all-reduce start(%3) over model (sum)
//   wait %4
//   free %3

namespace core {

using BufferId = Id<struct BufferTag>;

// Everywhere in this order. `runtime` (library workspace, MPI's buffers) is measured, never planned.
enum class MemoryClass : std::uint8_t { parameters, gradients, optimizer, activations, communication, inputs };
inline constexpr std::size_t memoryClasses = 6;
std::string_view toString(MemoryClass memoryClass);

struct Buffer {
  std::string name;                        // of the tensor; a reshard's is "x -> [batch:data]"
  TensorId tensor;                         // of the step graph (StepGraph in plan/analyze.h), if it is one
  std::vector<std::string> dims;           // names
  std::vector<std::int64_t> sizes;         // global
  Placement placement;
  DType dtype = DType::f32;
  MemoryClass memoryClass = MemoryClass::activations;
  std::vector<std::int64_t> localShape;    // padded: derived anew by verify()
  std::int64_t bytes = 0;                  // product of localShape times the element size
  std::int64_t offset = -1;                // in the arena, 64-byte aligned; -1: lives only inside a fused body
  BufferId alias;                          // lies in the bytes of that buffer: an all-reduce in place, a state's new value
  bool persistent = false;                 // states, inputs, constants: from before the step to after it
  bool operator==(const Buffer&) const = default;
};

enum class InstructionKind : std::uint8_t {
  compute,   // expression over this rank's ranges of the loops
  fused,     // body of computes over one iteration space, intermediates in cache
  place,     // local reshard without traffic: own part of a value; the identity where this rank has no say
  start,     // a collective begins
  wait,      // ... and its results may be read
  control,   // 8 bytes over all ranks: the loss (f32) and the stop flag, once a step
  update,    // outputs[0] (a state's buffer) takes inputs[0]'s bytes; nothing when they share memory
  free,      // inputs may be overwritten
  repeat,    // body, count times
};
std::string_view toString(InstructionKind kind);

enum class CollectiveKind : std::uint8_t { allReduce, allGather, reduceScatter, allToAll, collectivePermute, redistribute, broadcast };
std::string_view toString(CollectiveKind kind);  // "all-reduce"

struct Collective {
  CollectiveKind kind = CollectiveKind::allReduce;
  AxisList axes;                         // the group: ranks that differ only in these
  Reduction reduction = Reduction::sum;  // all-reduce, reduce-scatter
  int splitDim = -1;                     // all-to-all, reduce-scatter: the dimension that gets split over axes[0] (innermost there)
  int concatDim = -1;                    // all-to-all, all-gather: the dimension that becomes whole over axes[0]
  bool operator==(const Collective&) const = default;
};

// In a repeat's body a buffer may stand for another one in each iteration; for none where only a free names it.
struct IterationView {
  BufferId slot;                    // as the body names it: with their shape and sharding, but no place of its own
  std::vector<BufferId> perIteration;
  bool operator==(const IterationView&) const = default;
};

struct Instruction {
  InstructionKind kind = InstructionKind::compute;
  std::string name;    // unique in the program: the operator's, or "all-reduce h.0/attn/out"
  std::string op;      // compute: the kind of operator; kernels are chosen by it and the dtype
  std::string origin;  // name of the graph's operator that this comes from; empty for none
  std::string reason;  // why it is here and so: rule, pin, propagation, in a sentence
  std::vector<BufferId> inputs;
  std::vector<BufferId> outputs;
  // compute
  int expression = -1;                // into Program::expressions
  std::vector<AxisList> loopAxes;     // which axes split each loop
  Attributes attributes;
  // start and wait: inputs[i] -> outputs[i], several in a bucket
  Collective collective;
  int pair = -1;                      // equal on a start and its wait
  // fused, repeat
  std::vector<Instruction> body;
  std::int64_t count = 1;
  std::vector<IterationView> views;
  std::vector<std::string> labels;    // of a repeat: what "{}" in its body's names stands for in each iteration; "{1}": the next label (labels.h)
  bool operator==(const Instruction&) const = default;
};

struct Program {
  Mesh mesh;
  std::vector<Buffer> buffers;
  std::vector<Expression> expressions;  // templates: each distinct operator with its sizes once
  std::vector<Instruction> instructions;
  std::vector<BufferId> inputs;         // fed each step
  std::vector<BufferId> outputs;        // of the graph, in its order
  std::vector<BufferId> states;
  BufferId loss;                        // a scalar, when training
  std::int64_t arenaBytes = 0;
  std::vector<Source> sources;          // per buffer: of states and constants, else none
  bool operator==(const Program&) const = default;
};

// Derives every local shape, offset overlap, loop split and collective anew from the global ones. What does not agree, with its place.
std::vector<Diagnostic> verify(const Program& program);

// This rank's range of every loop of a compute instruction.
std::vector<Range> loopRanges(const Program& program, const Instruction& instruction, const Coordinate& at);

// The instruction list, one line each with its reason, bodies indented.
std::string print(const Program& program);

}  // namespace core
