#include <algorithm>
#include <map>
#include <unordered_map>

#include "core/spmd/passes/passes.h"
#include "core/spmd/walk.h"

namespace core {
namespace {

constexpr std::int64_t alignment = 64;

std::int64_t aligned(std::int64_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

// Free runs of the arena: best fit, neighbours joined.
class Arena {
 public:
  std::int64_t take(std::int64_t bytes) {
    bytes = std::max(alignment, aligned(bytes));
    auto best = holes_.end();
    for (auto hole = holes_.begin(); hole != holes_.end(); ++hole)
      if (hole->second >= bytes && (best == holes_.end() || hole->second < best->second)) best = hole;
    if (best == holes_.end()) return grow(bytes);
    const std::int64_t at = best->first, rest = best->second - bytes;
    holes_.erase(best);
    if (rest > 0) holes_[at + bytes] = rest;
    return at;
  }

  void give(std::int64_t at, std::int64_t bytes) {
    bytes = std::max(alignment, aligned(bytes));
    auto next = holes_.lower_bound(at);
    if (next != holes_.end() && next->first == at + bytes) {
      bytes += next->second;
      next = holes_.erase(next);
    }
    if (next != holes_.begin()) {
      const auto before = std::prev(next);
      if (before->first + before->second == at) {
        before->second += bytes;
        return;
      }
    }
    holes_[at] = bytes;
  }

  std::int64_t size() const { return size_; }

 private:
  std::int64_t grow(std::int64_t bytes) {
    std::int64_t at = size_;
    if (!holes_.empty() && std::prev(holes_.end())->first + std::prev(holes_.end())->second == size_) {
      at = std::prev(holes_.end())->first;
      holes_.erase(std::prev(holes_.end()));
    }
    size_ = at + bytes;
    return at;
  }

  std::map<std::int64_t, std::int64_t> holes_;
  std::int64_t size_ = 0;
};

// Buffers that share one block: aliases, and the members of a bucket one behind the other.
struct Block {
  BufferId first;                 // roots, in order
  std::vector<BufferId> others;
  std::int64_t bytes = 0;
  std::int64_t offset = -1;
  int waiting = 0;                // members not freed yet
};

class Planning {
 public:
  explicit Planning(Program program) : program_(std::move(program)) {}

  Program run() {
    makeBlocks();
    insertFrees();
    assign();
    return std::move(program_);
  }

 private:
  BufferId root(BufferId id) const {
    while (program_.buffers[id.index()].alias.valid()) id = program_.buffers[id.index()].alias;
    return id;
  }

  void makeBlocks() {
    blockOf_.assign(program_.buffers.size(), -1);
    standsFor_.assign(program_.buffers.size(), false);
    blocks_.reserve(program_.buffers.size());
    for (const Instruction& one : program_.instructions)
      for (const IterationView& view : one.views) standsFor_[view.slot.index()] = true;
    walk(program_, [&](const Instruction& one, std::int64_t, const Views& meant) {
      if (one.kind != InstructionKind::start || one.inputs.size() < 2) return;
      adjacent(one.inputs, meant);
      adjacent(one.outputs, meant);
    });
    for (std::size_t b = 0; b < program_.buffers.size(); ++b) {
      const BufferId id(static_cast<std::int64_t>(b));
      if (!standsFor_[b] && root(id) == id && blockOf_[b] < 0) addBlock(id);
    }
  }

  void adjacent(const std::vector<BufferId>& members, const Views& meant) {
    std::vector<BufferId> roots;
    for (BufferId member : members) {
      const BufferId one = root(meant(member));
      if (program_.buffers[one.index()].persistent || blockOf_[one.index()] >= 0) return;  // already in another bucket: packed when it is sent
      roots.push_back(one);
    }
    addBlock(roots.front(), {roots.begin() + 1, roots.end()});
  }

  void addBlock(BufferId first, std::vector<BufferId> others = {}) {
    Block& block = blocks_.emplace_back(Block{first, std::move(others)});
    block.waiting = 1 + static_cast<int>(block.others.size());
    include(block, first);
    for (BufferId member : block.others) include(block, member);
  }

  void include(Block& block, BufferId member) {
    block.bytes += program_.buffers[member.index()].bytes;
    blockOf_[member.index()] = static_cast<int>(blocks_.size()) - 1;
  }

  // Behind the last use of each buffer. In a repeat one instruction frees it in all iterations; where some of them have nothing to free,
  // its view holds none for those.
  void insertFrees() {
    struct Use {
      const Instruction* instruction = nullptr;
      std::int64_t iteration = 0;
    };
    std::vector<Use> last(program_.buffers.size());
    walk(program_, [&](const Instruction& one, std::int64_t iteration, const Views& meant) {
      for (BufferId id : one.inputs) last[root(meant(id)).index()] = {&one, iteration};
      for (BufferId id : one.outputs) last[root(meant(id)).index()] = {&one, iteration};
    });
    for (BufferId id : program_.outputs) last[root(id).index()] = {};
    if (program_.loss.valid()) last[root(program_.loss).index()] = {};
    std::unordered_map<const Instruction*, std::vector<std::pair<BufferId, std::int64_t>>> freed;  // with the iteration
    for (std::size_t b = 0; b < last.size(); ++b)
      if (last[b].instruction && !program_.buffers[b].persistent) freed[last[b].instruction].push_back({BufferId(static_cast<std::int64_t>(b)), last[b].iteration});

    std::vector<Instruction> withFrees;
    for (Instruction& one : program_.instructions) {
      const auto here = freed.find(&one);
      if (one.kind == InstructionKind::repeat) freeIn(one, freed);
      withFrees.push_back(std::move(one));
      if (here == freed.end()) continue;
      std::vector<BufferId> ids;
      for (const auto& [id, iteration] : here->second) ids.push_back(id);
      withFrees.push_back(freeAfter(withFrees.back(), std::move(ids)));
    }
    program_.instructions = std::move(withFrees);
  }

  static Instruction freeAfter(const Instruction& one, std::vector<BufferId> ids) {
    return {.kind = InstructionKind::free, .name = "free after " + one.name, .reason = "last use", .inputs = std::move(ids)};
  }

  template <class Freed>
  void freeIn(Instruction& repeat, const Freed& freed) {
    std::vector<Instruction> withFrees;
    for (Instruction& one : repeat.body) {
      const auto here = freed.find(&one);
      withFrees.push_back(std::move(one));
      if (here == freed.end()) continue;
      std::vector<std::vector<BufferId>> perIteration(static_cast<std::size_t>(repeat.count));
      std::size_t most = 0;
      for (const auto& [id, iteration] : here->second) {
        perIteration[static_cast<std::size_t>(iteration)].push_back(id);
        most = std::max(most, perIteration[static_cast<std::size_t>(iteration)].size());
      }
      std::vector<BufferId> slots;
      for (std::size_t k = 0; k < most; ++k) slots.push_back(slotOf(perIteration, k, repeat));
      withFrees.push_back(freeAfter(withFrees.back(), std::move(slots)));
    }
    repeat.body = std::move(withFrees);
  }

  BufferId slotOf(const std::vector<std::vector<BufferId>>& perIteration, std::size_t k, Instruction& repeat) {
    std::vector<BufferId> meant;
    BufferId shown;
    for (const std::vector<BufferId>& ids : perIteration) {
      meant.push_back(k < ids.size() ? ids[k] : BufferId());
      if (meant.back().valid()) shown = meant.back();
    }
    for (const IterationView& view : repeat.views)
      if (view.perIteration == meant) return view.slot;
    const BufferId slot(static_cast<std::int64_t>(program_.buffers.size()));
    Buffer stand = program_.buffers[shown.index()];
    stand.tensor = {};
    stand.alias = {};
    program_.buffers.push_back(std::move(stand));
    program_.sources.emplace_back();
    blockOf_.push_back(-1);
    repeat.views.push_back({slot, std::move(meant)});
    return slot;
  }

  void assign() {
    Arena arena;
    for (std::size_t b = 0; b < program_.buffers.size(); ++b)
      if (program_.buffers[b].persistent) bind(arena, BufferId(static_cast<std::int64_t>(b)));
    walk(program_, [&](const Instruction& one, std::int64_t, const Views& meant) {
      if (one.kind == InstructionKind::free) {
        for (BufferId id : one.inputs)
          if (meant(id).valid()) release(arena, meant(id));
        return;
      }
      for (BufferId id : one.outputs) bind(arena, root(meant(id)));
    });
    for (Buffer& buffer : program_.buffers)
      if (buffer.alias.valid()) buffer.offset = program_.buffers[root(buffer.alias).index()].offset;
    program_.arenaBytes = arena.size();
  }

  void bind(Arena& arena, BufferId id) {
    Block& block = blocks_[static_cast<std::size_t>(blockOf_[id.index()])];
    if (block.offset >= 0) return;
    block.offset = arena.take(block.bytes);
    std::int64_t at = block.offset;
    place(block.first, at);
    for (BufferId member : block.others) place(member, at);
  }

  void place(BufferId member, std::int64_t& at) {
    program_.buffers[member.index()].offset = at;
    at += program_.buffers[member.index()].bytes;
  }

  void release(Arena& arena, BufferId id) {
    Block& block = blocks_[static_cast<std::size_t>(blockOf_[id.index()])];
    if (--block.waiting == 0) arena.give(block.offset, block.bytes);
  }

  Program program_;
  std::vector<Block> blocks_;
  std::vector<int> blockOf_;
  std::vector<bool> standsFor_;  // per buffer: it is an iteration's name for another
};

}  // namespace

Program planMemory(Program program) { return Planning(std::move(program)).run(); }

}  // namespace core
