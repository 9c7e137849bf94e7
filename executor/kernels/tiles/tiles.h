#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "executor/kernels/kernel.h"

// Chains of elementwise operators and reductions, in tiles that stay in cache.
//
// All computes of a chain run over one space of loops. Two of these, a row loop and a column loop, span a tile; the others stand around
// it. Each value of the chain is a register: what the tile holds of it, a whole tile, a row's worth, a column's worth or one number.
//
//   softmax of [b s t]:  rows b*s, columns t;  max -> one number a row, x - max, exp, sum -> one number a row, divide

namespace executor::tiles {

enum class Class : std::uint8_t { f, d };  // f: float, of f32 and bool; d: double, of all others (whole numbers are exact up to 2^53)

// Does a register vary along the rows, along the columns?
using Extent = std::uint8_t;
inline constexpr Extent alongRows = 1, alongColumns = 2, everywhere = 3;

struct Loop {
  std::int64_t start = 0;   // global
  std::int64_t size = 0;    // this rank's
  bool reduced = false;
  bool alone = false;       // its number matters: it is not joined with another
};

// Memory of an operand, by loop.
struct Access {
  bool output = false;
  std::size_t operand = 0;            // among the kernel's inputs or outputs
  core::DType dtype = core::DType::f32;
  std::int64_t base = 0;              // in elements, of the loops' first numbers
  std::vector<std::int64_t> strides;  // one a loop
  // A lookup adds (row - firstRow) * rowStride, where a register holds the rows.
  std::int64_t rowStride = 0, firstRow = 0, tableRows = 0;
  core::Range rows;                   // that this rank has a say in; others count as 0
  // A read that may fall outside its operand: for each loop which of its numbers (of this rank, from 0) do not. Empty: all.
  std::vector<core::Range> inside;
};

struct Op {
  enum class Kind : std::uint8_t { load, lookup, expand, unary, binary, select, convert, truncate, loopNumber, random, reduce, store };
  Kind kind = Kind::load;
  int out = -1, a = -1, b = -1, c = -1;  // registers; a load's `a` is what stands outside the operand
  core::Function function = core::Function::identity;
  double parameter = 0;
  core::Reduction reduction = core::Reduction::sum;
  int access = -1;                        // load, lookup, store; of another kind: the output that it may be written to at once
  int loop = -1;                          // loopNumber
  std::string seed;                       // random
  std::vector<std::int64_t> counted;      // random: how much a step of each loop adds to the global index
  std::int64_t counterBase = 0;
};

struct Register {
  Class type = Class::f;
  Extent extent = 0;
  bool constant = false;
  double value = 0;
  std::int64_t offset = 0;  // in a thread's memory
};

// What a tile kernel does, ready to run.
struct Plan {
  std::vector<Loop> loops;
  int row = -1, column = -1;          // loops of the tile; -1: of size one
  std::vector<int> outer, outerReduced;
  std::vector<Access> accesses;
  std::vector<Register> registers;
  std::vector<Op> ops;
  int accumulated = -1;               // the op, a reduction, whose results are added up over several tiles; -1: none
  std::int64_t tileRows = 1, tileColumns = 1;
  std::int64_t bytes = 0;             // of registers, a thread
  std::int64_t flops = 0;
};

// Where a compute of a chain finds an operand: among the kernel's inputs, its outputs, or inside the chain.
struct Place {
  enum class Kind : std::uint8_t { input, output, inside } kind = Kind::input;
  std::size_t index = 0;
};

struct Part {
  KernelRequest request;
  std::vector<Place> inputs, outputs;
};

// Nothing where the chain is not of this kind.
std::unique_ptr<Kernel> makeTiles(const std::vector<Part>& parts, int threads);
std::unique_ptr<Kernel> makeTileKernel(const KernelRequest& request);

// The steps of makeTiles.
struct Space {
  std::vector<Loop> loops;
  std::vector<std::vector<int>> loopOf;  // by part and loop of its expression; -1 for a lookup's
};
bool findSpace(const std::vector<Part>& parts, Space& space);
bool accessOf(const Part& part, const std::vector<int>& loopOf, std::size_t loops, const core::Node& read, Access& access);
Access outputAccess(const Part& part, const std::vector<int>& loopOf, std::size_t loops, std::size_t output);
bool build(const std::vector<Part>& parts, int threads, Plan& plan);
// Chooses the loops of the tile: joins neighbours that every operand runs through as one, then takes what lies innermost in memory of
// `primary` as columns. False where a chain reduces what no tile can hold whole.
struct Tiling {
  bool fits = false;
  bool transposes = false;  // some operand runs fastest along the rows
};
Tiling chooseTile(Plan& plan, Access primary, bool chain);
// Once all operations are there: which reduction is added up over tiles, what is written at once, sizes, and memory of registers.
bool finish(Plan& plan, bool chain, bool transposes, int threads);

}  // namespace executor::tiles
