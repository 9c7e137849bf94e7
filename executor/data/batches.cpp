#include "executor/data/batches.h"

#include "core/tdl/element.h"

namespace executor {
namespace {

void fill(const Batches& batches, const Input& input, const core::Buffer& buffer, const Held& held, std::int64_t step, std::byte* block) {
  if (isEmpty(held.ranges)) return;
  std::vector<std::int64_t> index;
  for (const core::Range& range : held.ranges) index.push_back(range.start);
  for (;;) {
    std::int64_t local = 0;
    for (std::size_t d = 0; d < index.size(); ++d) local += (index[d] - held.ranges[d].start) * held.strides[d];
    core::storeElement(block, local, buffer.dtype, batches.number(input, buffer, step, index));
    std::size_t d = index.size();
    while (d > 0 && ++index[d - 1] == held.ranges[d - 1].end()) {
      --d;
      index[d] = held.ranges[d].start;
    }
    if (d == 0) return;
  }
}

}  // namespace

std::unique_ptr<Batches> makeBatches(const core::Program& program, const core::Data& data, std::uint64_t seed) {
  switch (data.kind) {
    case core::Data::Kind::synthetic: return makeSynthetic(program, seed);
    case core::Data::Kind::text: return makeText(program, data.path, seed);
    case core::Data::Kind::arrays: return makeArrays(program, data.path);
  }
  return nullptr;
}

void feed(const Batches& batches, const core::Program& program, const std::vector<Input>& inputs, std::int64_t step, Interpreter& interpreter) {
  for (std::size_t local = 0; local < interpreter.localRanks(); ++local)
    for (const Input& input : inputs)
      fill(batches, input, program.buffers[input.buffer.index()], interpreter.held(local, input.buffer), step, interpreter.data(local, input.buffer));
}

}  // namespace executor
