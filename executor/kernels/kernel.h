#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/spmd/program.h"
#include "core/tdl/evaluate.h"
#include "core/tdl/expression.h"
#include "executor/held.h"

namespace executor {

// A compute as one rank does it: the expression over this rank's part of each loop, on what it holds of each operand.
struct KernelRequest {
  const core::Expression* expression = nullptr;
  std::string op;                    // kind of operator
  std::vector<core::Range> loops;
  std::vector<Held> inputs, outputs;
  int threads = 1;
};

// Which random numbers.
using KernelContext = core::RandomContext;

// Prepared for one request, run each step. Pointers are to the allocated blocks, in the request's order.
class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual void run(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs, const KernelContext& context) = 0;
  // By the sizes that it works on.
  virtual std::int64_t flops() const = 0;
  // Memory of its own.
  virtual std::int64_t scratchBytes() const { return 0; }
  // For tests and traces: "onednn", "tiles", "evaluate".
  virtual const char* name() const = 0;
};

// The first row of the table that takes the request: kernels.cpp. Expression and shapes are copied or outlive the kernel.
std::unique_ptr<Kernel> prepareKernel(const KernelRequest& request);

// One row: nothing where it does not fit.
using KernelMaker = std::unique_ptr<Kernel> (*)(const KernelRequest&);

KernelRequest requestOf(const core::Program& program, const core::Instruction& instruction, const core::Coordinate& at, int threads);

}  // namespace executor
