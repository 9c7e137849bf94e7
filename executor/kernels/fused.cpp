#include "executor/kernels/fused.h"

#include <algorithm>

#include "executor/kernels/tiles/tiles.h"

namespace executor {
namespace {

using core::BufferId;
using core::Instruction;
using tiles::Part;
using tiles::Place;

struct Body {
  std::vector<BufferId> inputs, outputs, inside;

  Place find(BufferId id) const {
    if (auto at = std::find(outputs.begin(), outputs.end(), id); at != outputs.end()) return {Place::Kind::output, static_cast<std::size_t>(at - outputs.begin())};
    if (auto at = std::find(inside.begin(), inside.end(), id); at != inside.end()) return {Place::Kind::inside, static_cast<std::size_t>(at - inside.begin())};
    return {Place::Kind::input, static_cast<std::size_t>(std::find(inputs.begin(), inputs.end(), id) - inputs.begin())};
  }
};

void addOnce(std::vector<BufferId>& list, BufferId id) {
  if (std::find(list.begin(), list.end(), id) == list.end()) list.push_back(id);
}

Body bodyOf(const Instruction& fused) {
  Body body;
  body.outputs = fused.outputs;
  for (const Instruction& one : fused.body)
    for (BufferId id : one.outputs)
      if (std::find(fused.outputs.begin(), fused.outputs.end(), id) == fused.outputs.end()) addOnce(body.inside, id);
  for (const Instruction& one : fused.body)
    for (BufferId id : one.inputs) {
      const bool made = std::find(body.inside.begin(), body.inside.end(), id) != body.inside.end() ||
                        std::find(body.outputs.begin(), body.outputs.end(), id) != body.outputs.end();
      if (!made) addOnce(body.inputs, id);
    }
  return body;
}

// One compute after the other, what is inside in memory of its own.
class Sequence final : public Kernel {
 public:
  Sequence(const core::Program& program, const Body& body, std::vector<Part> parts) {
    for (BufferId id : body.inside) inside_.emplace_back(static_cast<std::size_t>(program.buffers[id.index()].bytes));
    for (Part& part : parts) steps_.push_back({prepareKernel(part.request), std::move(part)});
  }

  void run(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs, const KernelContext& context) override {
    for (Step& step : steps_) {
      std::vector<const std::byte*> reads;
      std::vector<std::byte*> writes;
      for (const Place& place : step.part.inputs) reads.push_back(place.kind == Place::Kind::input ? inputs[place.index] : made(place, outputs));
      for (const Place& place : step.part.outputs) writes.push_back(made(place, outputs));
      step.kernel->run(reads, writes, context);
    }
  }

  std::int64_t flops() const override {
    std::int64_t sum = 0;
    for (const Step& step : steps_) sum += step.kernel->flops();
    return sum;
  }

  std::int64_t scratchBytes() const override {
    std::int64_t sum = 0;
    for (const auto& one : inside_) sum += static_cast<std::int64_t>(one.size());
    for (const Step& step : steps_) sum += step.kernel->scratchBytes();
    return sum;
  }

  const char* name() const override { return "sequence"; }

 private:
  struct Step {
    std::unique_ptr<Kernel> kernel;
    Part part;
  };

  std::byte* made(const Place& place, std::span<std::byte* const> outputs) {
    return place.kind == Place::Kind::output ? outputs[place.index] : inside_[place.index].data();
  }

  std::vector<std::vector<std::byte>> inside_;
  std::vector<Step> steps_;
};

}  // namespace

FusedKernel prepareFused(const core::Program& program, const Instruction& fused, const core::Coordinate& at, int threads) {
  const Body body = bodyOf(fused);
  std::vector<Part> parts;
  for (const Instruction& one : fused.body) {
    Part part{.request = requestOf(program, one, at, threads), .inputs = {}, .outputs = {}};
    for (BufferId id : one.inputs) part.inputs.push_back(body.find(id));
    for (BufferId id : one.outputs) part.outputs.push_back(body.find(id));
    parts.push_back(std::move(part));
  }
  std::unique_ptr<Kernel> kernel = tiles::makeTiles(parts, threads);
  if (!kernel) kernel = std::make_unique<Sequence>(program, body, std::move(parts));
  return {std::move(kernel), body.inputs, body.outputs};
}

}  // namespace executor
