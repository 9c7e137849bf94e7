#include "core/cost/memory.h"

#include <cassert>

#include "core/base/checked.h"
#include "core/base/labels.h"
#include "core/spmd/walk.h"

namespace core {
namespace {

// Which buffers' bytes are taken. A buffer that lies in another's lives and ends with it: frees name the owner.
class Ledger {
 public:
  explicit Ledger(const Program& program) : program_(program), live_(program.buffers.size(), false) {
    for (std::size_t i = 0; i < program.buffers.size(); ++i)
      if (program.buffers[i].persistent) allocate(BufferId(static_cast<std::int64_t>(i)));
  }

  void apply(const Instruction& one, const Views& meant) {
    if (one.kind == InstructionKind::free)
      for (BufferId id : one.inputs) {
        if (meant(id).valid()) release(meant(id));
      }
    else
      for (BufferId id : one.outputs) allocate(meant(id));
  }

  const MemoryAt& now() const { return now_; }

  std::vector<BufferId> owners() const {
    std::vector<BufferId> found;
    for (std::size_t i = 0; i < live_.size(); ++i)
      if (live_[i]) found.push_back(BufferId(static_cast<std::int64_t>(i)));
    return found;
  }

 private:
  void allocate(BufferId id) {
    const BufferId owner = bytesOwner(program_, id);
    if (!live_[owner.index()]) add(owner, 1);
    live_[owner.index()] = true;
  }

  void release(BufferId id) {
    assert(!program_.buffers[id.index()].persistent && "what is persistent is not freed");
    const BufferId owner = bytesOwner(program_, id);
    if (live_[owner.index()]) add(owner, -1);
    live_[owner.index()] = false;
  }

  void add(BufferId owner, std::int64_t sign) {
    const Buffer& buffer = program_.buffers[owner.index()];
    std::int64_t& bytes = now_.bytes[static_cast<std::size_t>(buffer.memoryClass)];
    bytes = checkedSum(bytes, sign * buffer.bytes);
  }

  const Program& program_;
  std::vector<bool> live_;
  MemoryAt now_;
};

// The owners of bytes once so many instructions are done; a second walk, for most instructions of a step are a new peak.
std::vector<BufferId> liveAfter(const Program& program, std::size_t instructions) {
  Ledger ledger(program);
  std::size_t done = 0;
  walk(program, [&](const Instruction& one, std::int64_t, const Views& meant) {
    if (done++ < instructions) ledger.apply(one, meant);
  });
  return ledger.owners();
}

std::int64_t validBytes(const Buffer& buffer, const Mesh& mesh, const Coordinate& at) {
  std::int64_t elements = byteSize(buffer.dtype);
  for (const Range& range : localRanges(buffer.placement, buffer.sizes, mesh, at)) elements *= range.size;
  return elements;
}

}  // namespace

std::int64_t MemoryAt::total() const {
  std::int64_t sum = 0;
  for (std::int64_t one : bytes) sum = checkedSum(sum, one);
  return sum;
}

BufferId bytesOwner(const Program& program, BufferId id) {
  while (program.buffers[id.index()].alias.valid()) id = program.buffers[id.index()].alias;
  return id;
}

MemoryUse memoryUse(const Program& program) {
  Ledger ledger(program);
  MemoryUse use{.after = {}, .peak = ledger.now(), .at = {}, .live = ledger.owners()};
  std::int64_t most = use.peak.total();
  std::size_t peak = 0;
  const Instruction *at = nullptr, *repeat = nullptr;
  std::int64_t inIteration = 0;
  walk(program, [&](const Instruction& one, std::int64_t iteration, const Views& meant) {
    ledger.apply(one, meant);
    use.after.push_back(ledger.now());
    if (const std::int64_t total = ledger.now().total(); total > most) {
      most = total;
      peak = use.after.size();
      use.peak = ledger.now();
      at = &one;
      repeat = meant.repeat();
      inIteration = iteration;
    }
  });
  if (at) use.at = repeat ? withLabels(at->name, repeat->labels, static_cast<std::size_t>(inIteration)) : at->name;
  if (peak > 0) use.live = liveAfter(program, peak);
  return use;
}

std::int64_t paddingBytes(const Program& program, const std::vector<BufferId>& buffers, const Coordinate& at) {
  std::int64_t bytes = 0;
  for (BufferId id : buffers) {
    const Buffer& buffer = program.buffers[id.index()];
    bytes = checkedSum(bytes, buffer.bytes - validBytes(buffer, program.mesh, at));
  }
  return bytes;
}

}  // namespace core
