#pragma once

#include "core/mesh/machine.h"
#include "core/spmd/program.h"

// Programs built by hand for the tests of core/cost.

namespace core::tests {

inline Placement placed(std::vector<AxisList> dims) { return {{std::move(dims), {}, Reduction::sum}, {}}; }

struct ProgramBuilder {
  Program program;

  explicit ProgramBuilder(std::string_view mesh) { program.mesh = Mesh::of(mesh); }

  BufferId buffer(const std::string& name, std::vector<std::int64_t> sizes, Placement placement, MemoryClass memoryClass = MemoryClass::activations,
                  bool persistent = false, DType dtype = DType::f32) {
    Buffer buffer{.name = name, .sizes = std::move(sizes), .placement = std::move(placement), .dtype = dtype, .memoryClass = memoryClass};
    buffer.persistent = persistent;
    buffer.localShape = localShape(buffer.placement, buffer.sizes, program.mesh);
    buffer.bytes = byteSize(dtype);
    for (std::int64_t size : buffer.localShape) buffer.bytes *= size;
    program.buffers.push_back(std::move(buffer));
    return BufferId(static_cast<std::int64_t>(program.buffers.size()) - 1);
  }

  // y[i,j] = sum(k) a[i,k] * b[k,j]
  int matmul(std::int64_t i, std::int64_t j, std::int64_t k) {
    Expression expression{.operands = {"a", "b"}};
    expression.loops = {{.name = "i", .extent = i}, {.name = "j", .extent = j}, {.name = "k", .extent = k, .kind = Loop::Kind::reduced}};
    const auto axis = [](int loop) { return AxisIndex{.terms = {{.loop = loop}}}; };
    expression.nodes = {{.kind = Node::Kind::read, .operand = 0, .axes = {axis(0), axis(2)}},
                        {.kind = Node::Kind::read, .operand = 1, .axes = {axis(2), axis(1)}},
                        {.kind = Node::Kind::binary, .a = 0, .b = 1, .function = Function::multiply},
                        {.kind = Node::Kind::reduce, .a = 2, .loops = {2}}};
    expression.outputs = {{.name = "y", .loops = {0, 1}, .root = 3}};
    program.expressions.push_back(expression);
    return static_cast<int>(program.expressions.size()) - 1;
  }

  Instruction& add(Instruction one) {
    program.instructions.push_back(std::move(one));
    return program.instructions.back();
  }

  Instruction& compute(const std::string& name, int expression, std::vector<AxisList> loopAxes, std::vector<BufferId> in, std::vector<BufferId> out) {
    Instruction one{.kind = InstructionKind::compute, .name = name, .op = "einsum", .inputs = std::move(in), .outputs = std::move(out)};
    one.expression = expression;
    one.loopAxes = std::move(loopAxes);
    return add(std::move(one));
  }

  // start, wait
  void collective(const std::string& name, CollectiveKind kind, AxisList axes, std::vector<BufferId> in, std::vector<BufferId> out, int splitDim = -1,
                  int concatDim = -1) {
    Instruction one{.kind = InstructionKind::start, .name = name, .inputs = std::move(in), .outputs = std::move(out)};
    one.collective = {.kind = kind, .axes = axes, .splitDim = splitDim, .concatDim = concatDim};
    one.pair = pairs_++;
    Instruction wait{.kind = InstructionKind::wait, .name = name + " (wait)", .outputs = one.outputs};
    wait.pair = one.pair;
    add(std::move(one));
    add(std::move(wait));
  }

  void free(std::vector<BufferId> buffers) { add({.kind = InstructionKind::free, .name = "free " + std::to_string(frees_++), .inputs = std::move(buffers)}); }

 private:
  int pairs_ = 0, frees_ = 0;
};

// Round figures: 1 Gflop/s, 1 GB/s of memory, a switch of 1 GB/s with 1 µs inside 4 devices, 0.1 GB/s with 10 µs between them.
inline Machine roundMachine() {
  Machine machine{.name = "round"};
  machine.levels = {{.name = "inner", .devices = 4, .topology = Topology::fullyConnected, .bandwidth = {1e9, "test"}, .latency = {1e-6, "test"}},
                    {.name = "outer", .devices = 4, .topology = Topology::fullyConnected, .bandwidth = {1e8, "test"}, .latency = {1e-5, "test"}}};
  machine.peak[DType::f32] = {1e9, "test"};
  machine.memory = {1e6, "test"};
  machine.memoryBandwidth = {1e9, "test"};
  machine.launch = {0, "test"};
  return machine;
}

}  // namespace core::tests
