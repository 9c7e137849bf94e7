#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "core/spmd/program.h"

// All spans of a run. A rank writes trace/rank.N.ndjson: a first line that names the instructions, then a line a span.
//
//   {"format":"meshwright.trace/1","rank":0,"ranks":4,"clock":1764500000.25,"instructions":[["fc1","compute","einsum"], ...]}
//   [1,17,0,0.000312,0.000455,0,0,65536]                  step, instruction, iteration, start, end, bytes in, bytes out, flops
//   {"memory":[4096,0,0,8192,256,64],"runtime":1048576,"step":1}
//
// Files are read up to the last whole line, so a trace can be looked at while it grows.

namespace core {

// The instructions of a program in order of execution, with the names that they have then: behind a repeat stands its body, once for each
// iteration; a fused instruction stands before its own. Spans and where files count by it.
struct TraceInstruction {
  std::string name;
  InstructionKind kind = InstructionKind::compute;
  std::string op;  // of a compute; of a start or wait the collective's kind
  bool operator==(const TraceInstruction&) const = default;
};
std::vector<TraceInstruction> traceInstructions(const Program& program);

struct Span {
  std::int32_t rank = 0;
  std::int32_t instruction = 0;  // into Trace::instructions
  std::int32_t iteration = 0;    // of the repeat that holds it
  std::int64_t step = 0;
  double start = 0;              // seconds, see Trace
  double end = 0;
  std::int64_t bytesIn = 0;      // payload handed to the communication calls that this instruction issued
  std::int64_t bytesOut = 0;     // ... and received from them
  std::int64_t flops = 0;        // from the sizes that kernels were called with
  bool operator==(const Span&) const = default;
};

// The peak of the buffers that a rank had bound in a step, by MemoryClass, and what libraries took beside them.
struct MemoryCount {
  std::int32_t rank = 0;
  std::int64_t step = 0;
  std::array<std::int64_t, memoryClasses> bytes{};
  std::int64_t runtime = 0;
  bool operator==(const MemoryCount&) const = default;
};

struct Trace {
  std::vector<TraceInstruction> instructions;
  std::vector<Span> spans;            // by rank, in order of their end
  std::vector<MemoryCount> memory;
  std::int64_t ranks = 0;
  bool operator==(const Trace&) const = default;
};

// Reads trace/rank.*.ndjson of a run folder. Clocks are aligned: all ranks leave their first control instruction at one time,
// and seconds count from the first span of all.
Trace readTrace(const std::string& runFolder);

// One rank's file, read on from where the last call ended; its clock is that rank's own.
class TraceReader {
 public:
  explicit TraceReader(std::string path) : path_(std::move(path)) {}
  static constexpr std::int64_t mostAtOnce = std::int64_t{64} << 20;
  // Appends what is new, about `most` bytes of it. Sets `instructions` when it meets the first line.
  void poll(Trace& trace, std::int64_t most = mostAtOnce);

 private:
  std::string path_;
  std::int64_t offset_ = 0;
  std::int64_t line_ = 0;
  std::int32_t rank_ = 0;
  std::size_t instructions_ = 0;  // as the first line says
};

// Shifts every rank's spans so that all leave the first control instruction together, and the first span starts at 0.
void alignClocks(Trace& trace);

// Writes one rank's file. Spans are buffered; flush() makes what was written whole lines in the file.
class TraceWriter {
 public:
  TraceWriter(const std::string& path, std::int32_t rank, std::int64_t ranks, double clock, const std::vector<TraceInstruction>& instructions);
  ~TraceWriter();
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;
  void write(const Span& span);
  void write(const MemoryCount& memory);
  void flush();

 private:
  std::FILE* file_ = nullptr;
};

}  // namespace core
