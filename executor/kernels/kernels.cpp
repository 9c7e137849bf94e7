#include <array>

#include "core/base/error.h"
#include "executor/kernels/convolution.h"
#include "executor/kernels/evaluate.h"
#include "executor/kernels/kernel.h"
#include "executor/kernels/pad.h"
#include "executor/kernels/pool.h"
#include "executor/kernels/product.h"
#include "executor/kernels/scatter.h"
#include "executor/kernels/tiles/tiles.h"

namespace executor {
namespace {

// In this order; the last takes everything.
constexpr std::array<KernelMaker, 7> table{
    makeProductKernel,     // f32 products of two operands: oneDNN
    makeConvolutionKernel, // f32 convolutions, transposed, and of weights' gradients: oneDNN
    makePoolKernel,        // what windows see: f32, f64
    makePadKernel,         // a tensor among a value
    makeScatterKernel,     // rows added where ids say
    tiles::makeTileKernel, // elementwise, reductions, moves, lookups
    makeEvaluateKernel,
};

void refuseStorageTypes(const Held& held) {
  if (held.dtype == core::DType::bf16 || held.dtype == core::DType::f16)
    throw core::Error{.what = "tensors of " + std::string(core::toString(held.dtype)) + " are priced but cannot be run yet", .where = "", .right = "run with precision f32"};
}

}  // namespace

KernelRequest requestOf(const core::Program& program, const core::Instruction& instruction, const core::Coordinate& at, int threads) {
  if (instruction.expression < 0)
    throw core::Error{.what = "operator " + instruction.op + " is not known, so it cannot be run", .where = instruction.name, .right = "a model of known operators: meshwright-cli ops lists them"};
  KernelRequest request{.expression = &program.expressions[static_cast<std::size_t>(instruction.expression)],
                        .op = instruction.op,
                        .loops = core::loopRanges(program, instruction, at),
                        .threads = threads};
  for (core::BufferId id : instruction.inputs) request.inputs.push_back(heldOf(program.buffers[id.index()], program.mesh, at));
  for (core::BufferId id : instruction.outputs) request.outputs.push_back(heldOf(program.buffers[id.index()], program.mesh, at));
  return request;
}

std::unique_ptr<Kernel> prepareKernel(const KernelRequest& request) {
  for (const Held& one : request.inputs) refuseStorageTypes(one);
  for (const Held& one : request.outputs) refuseStorageTypes(one);
  for (KernelMaker make : table)
    if (std::unique_ptr<Kernel> kernel = make(request)) return kernel;
  throw core::Error{.what = "operator " + request.op + " cannot be run", .where = "", .right = ""};
}

}  // namespace executor
