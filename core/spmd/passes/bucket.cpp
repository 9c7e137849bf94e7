#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/spmd/passes/passes.h"

namespace core {
namespace {

using Key = std::tuple<AxisList, Reduction, DType>;

struct Bucket {
  Instruction start;
  std::int64_t bytes = 0;
};

class Bucketing {
 public:
  Bucketing(Program program, std::int64_t limit) : program_(std::move(program)), limit_(limit) {}

  Program run() {
    const std::vector<Instruction> old = std::move(program_.instructions);
    program_.instructions.clear();
    for (std::size_t i = 0; i < old.size(); ++i) {
      flushReadBy(old[i]);
      if (old[i].kind == InstructionKind::start && old[i].collective.kind == CollectiveKind::allReduce) {
        collect(old[i]);
        ++i;  // its wait
      } else {
        program_.instructions.push_back(old[i]);
      }
    }
    while (!open_.empty()) flush(open_.begin()->first);
    // The control instruction stays last.
    auto control = std::find_if(program_.instructions.begin(), program_.instructions.end(), [](const Instruction& one) { return one.kind == InstructionKind::control; });
    if (control != program_.instructions.end()) std::rotate(control, control + 1, program_.instructions.end());
    return std::move(program_);
  }

 private:
  void collect(const Instruction& start) {
    const Buffer& buffer = program_.buffers[start.inputs[0].index()];
    const Key key{start.collective.axes, start.collective.reduction, buffer.dtype};
    auto open = open_.find(key);
    if (open != open_.end() && open->second.bytes + buffer.bytes > limit_) {
      flush(key);
      open = open_.end();
    }
    if (open == open_.end()) {
      open_[key] = {start, buffer.bytes};
    } else {
      Bucket& bucket = open->second;
      bucket.start.inputs.push_back(start.inputs[0]);
      bucket.start.outputs.push_back(start.outputs[0]);
      bucket.bytes += buffer.bytes;
    }
    pending_[start.outputs[0]] = key;
  }

  void flushReadBy(const Instruction& instruction) {
    for (BufferId input : instruction.inputs)
      if (const auto found = pending_.find(input); found != pending_.end()) flush(Key(found->second));
  }

  void flush(const Key& key) {
    Instruction start = std::move(open_.at(key).start);
    open_.erase(key);
    for (BufferId output : start.outputs) pending_.erase(output);
    if (start.outputs.size() > 1) {
      start.reason += "; with " + std::to_string(start.outputs.size() - 1) + " more in one bucket";
      start.name += " and " + std::to_string(start.outputs.size() - 1) + " more";
    }
    Instruction wait = start;
    wait.kind = InstructionKind::wait;
    wait.name += " wait";
    program_.instructions.push_back(std::move(start));
    program_.instructions.push_back(std::move(wait));
  }

  Program program_;
  std::int64_t limit_;
  std::map<Key, Bucket> open_;
  std::map<BufferId, Key> pending_;
};

}  // namespace

Program bucketCollectives(Program program, std::int64_t limit) { return Bucketing(std::move(program), limit).run(); }

}  // namespace core
