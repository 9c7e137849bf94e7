#include <algorithm>
#include <map>
#include <set>

#include "core/spmd/passes/passes.h"

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
  std::vector<BufferId> members;  // roots, in order
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
    for (const Instruction& instruction : program_.instructions) {
      if (instruction.kind != InstructionKind::start || instruction.inputs.size() < 2) continue;
      adjacent(instruction.inputs);
      adjacent(instruction.outputs);
    }
    for (std::size_t b = 0; b < program_.buffers.size(); ++b) {
      const BufferId id(static_cast<std::int64_t>(b));
      if (root(id) == id && blockOf_[b] < 0) addBlock({id});
    }
  }

  void adjacent(const std::vector<BufferId>& members) {
    std::vector<BufferId> roots;
    for (BufferId member : members) {
      const BufferId one = root(member);
      if (program_.buffers[one.index()].persistent || blockOf_[one.index()] >= 0) return;  // already in another bucket: packed when it is sent
      roots.push_back(one);
    }
    addBlock(std::move(roots));
  }

  void addBlock(std::vector<BufferId> members) {
    Block block{std::move(members)};
    for (BufferId member : block.members) {
      block.bytes += program_.buffers[member.index()].bytes;
      blockOf_[member.index()] = static_cast<int>(blocks_.size());
    }
    block.waiting = static_cast<int>(block.members.size());
    blocks_.push_back(std::move(block));
  }

  void insertFrees() {
    std::map<BufferId, std::size_t> last;
    for (std::size_t i = 0; i < program_.instructions.size(); ++i) {
      for (BufferId id : program_.instructions[i].inputs) last[root(id)] = i;
      for (BufferId id : program_.instructions[i].outputs) last[root(id)] = i;
    }
    for (BufferId id : program_.outputs) last.erase(root(id));
    if (program_.loss.valid()) last.erase(root(program_.loss));
    std::vector<std::vector<BufferId>> freed(program_.instructions.size());
    for (const auto& [id, i] : last)
      if (!program_.buffers[id.index()].persistent) freed[i].push_back(id);
    std::vector<Instruction> withFrees;
    for (std::size_t i = 0; i < freed.size(); ++i) {
      withFrees.push_back(std::move(program_.instructions[i]));
      if (freed[i].empty()) continue;
      withFrees.push_back({.kind = InstructionKind::free, .name = "free after " + withFrees.back().name, .reason = "last use", .inputs = freed[i]});
    }
    program_.instructions = std::move(withFrees);
  }

  void assign() {
    Arena arena;
    for (std::size_t b = 0; b < program_.buffers.size(); ++b)
      if (program_.buffers[b].persistent) bind(arena, BufferId(static_cast<std::int64_t>(b)));
    for (const Instruction& instruction : program_.instructions) {
      if (instruction.kind == InstructionKind::free) {
        for (BufferId id : instruction.inputs) release(arena, id);
        continue;
      }
      for (BufferId id : instruction.outputs) bind(arena, root(id));
    }
    for (Buffer& buffer : program_.buffers)
      if (buffer.alias.valid()) buffer.offset = program_.buffers[root(buffer.alias).index()].offset;
    program_.arenaBytes = arena.size();
  }

  void bind(Arena& arena, BufferId id) {
    Block& block = blocks_[static_cast<std::size_t>(blockOf_[id.index()])];
    if (block.offset >= 0) return;
    block.offset = arena.take(block.bytes);
    std::int64_t at = block.offset;
    for (BufferId member : block.members) {
      program_.buffers[member.index()].offset = at;
      at += program_.buffers[member.index()].bytes;
    }
  }

  void release(Arena& arena, BufferId id) {
    Block& block = blocks_[static_cast<std::size_t>(blockOf_[id.index()])];
    if (--block.waiting == 0) arena.give(block.offset, block.bytes);
  }

  Program program_;
  std::vector<Block> blocks_;
  std::vector<int> blockOf_;
};

}  // namespace

Program planMemory(Program program) { return Planning(std::move(program)).run(); }

}  // namespace core
