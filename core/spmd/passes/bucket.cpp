#include <algorithm>
#include <map>
#include <memory>
#include <tuple>
#include <unordered_map>

#include "core/base/labels.h"
#include "core/spmd/passes/passes.h"

namespace core {
namespace {

using Key = std::tuple<AxisList, Reduction, DType>;

// An all-reduce that waits for others; of a repeat's iteration, its words are those of the body.
struct Pending {
  std::shared_ptr<const Instruction> start;
  BufferId input, output;
  std::shared_ptr<const std::vector<std::string>> labels;
  std::size_t iteration = 0;
};

bool allReduces(const Instruction& one) { return one.kind == InstructionKind::start && one.collective.kind == CollectiveKind::allReduce; }

// The buffers that a repeat reads, in whichever iteration: yes or no for each of the program's.
std::vector<bool> readIn(const Instruction& repeat, std::size_t buffers) {
  std::vector<bool> found(buffers, false);
  for (const Instruction& one : repeat.body) {
    if (one.kind == InstructionKind::wait) continue;
    for (BufferId id : one.inputs) found[id.index()] = true;
  }
  for (const IterationView& view : repeat.views) {
    if (!found[view.slot.index()]) continue;
    for (BufferId id : view.perIteration) found[id.index()] = true;
  }
  return found;
}

class Bucketing {
 public:
  Bucketing(Program program, std::int64_t limit) : program_(std::move(program)), limit_(limit) {}

  Program run() {
    numberPairs(program_.instructions);
    program_.instructions = bucketed(std::move(program_.instructions));
    // The control instruction stays last.
    auto control = std::find_if(program_.instructions.begin(), program_.instructions.end(), [](const Instruction& one) { return one.kind == InstructionKind::control; });
    if (control != program_.instructions.end()) std::rotate(control, control + 1, program_.instructions.end());
    return std::move(program_);
  }

 private:
  void numberPairs(const std::vector<Instruction>& instructions) {
    for (const Instruction& one : instructions) {
      nextPair_ = std::max(nextPair_, one.pair + 1);
      numberPairs(one.body);
    }
  }

  std::vector<Instruction> bucketed(std::vector<Instruction> old) {
    std::vector<Instruction> made;
    std::map<Key, std::vector<Pending>> waiting;
    std::unordered_map<BufferId, Key> results;
    const auto flush = [&](const Key& key) {
      for (const Pending& one : waiting[key]) results.erase(one.output);
      send(waiting[key], made);
      waiting.erase(key);
    };
    const auto readBy = [&](const std::vector<BufferId>& buffers) {
      for (BufferId id : buffers)
        if (const auto found = results.find(id); found != results.end()) flush(Key(found->second));
    };
    const auto readInside = [&](const std::vector<bool>& read) {
      std::vector<BufferId> wanted;
      for (const auto& [id, key] : results)
        if (read[id.index()]) wanted.push_back(id);
      readBy(wanted);
    };
    const auto collect = [&](Pending one) {
      const Key key{one.start->collective.axes, one.start->collective.reduction, program_.buffers[one.input.index()].dtype};
      results.emplace(one.output, key);
      waiting[key].push_back(std::move(one));
    };
    for (std::size_t i = 0; i < old.size(); ++i) {
      if (old[i].kind == InstructionKind::repeat) {
        const std::vector<bool> read = readIn(old[i], program_.buffers.size());
        readInside(read);
        for (Pending& one : takeUnread(old[i], read)) collect(std::move(one));
        old[i].body = bucketed(std::move(old[i].body));
        made.push_back(std::move(old[i]));
        continue;
      }
      readBy(old[i].inputs);
      if (allReduces(old[i])) {
        const BufferId input = old[i].inputs[0], output = old[i].outputs[0];
        collect({std::make_shared<Instruction>(std::move(old[i])), input, output, {}, 0});
        ++i;  // its wait
      } else {
        made.push_back(std::move(old[i]));
      }
    }
    while (!waiting.empty()) flush(Key(waiting.begin()->first));
    return made;
  }

  // All-reduces whose results no iteration reads leave the body: those of all iterations travel together behind it.
  std::vector<Pending> takeUnread(Instruction& repeat, const std::vector<bool>& read) const {
    std::map<BufferId, const std::vector<BufferId>*> views;
    for (const IterationView& view : repeat.views) views[view.slot] = &view.perIteration;
    const auto unread = [&](BufferId id) {
      const auto view = views.find(id);
      return view != views.end() && !read[id.index()] && std::none_of(view->second->begin(), view->second->end(), [&](BufferId one) { return read[one.index()]; });
    };
    std::vector<Instruction> body;
    std::vector<std::shared_ptr<const Instruction>> taken;
    for (std::size_t i = 0; i < repeat.body.size(); ++i) {
      if (!allReduces(repeat.body[i]) || !unread(repeat.body[i].outputs[0])) {
        body.push_back(std::move(repeat.body[i]));
        continue;
      }
      taken.push_back(std::make_shared<Instruction>(std::move(repeat.body[i])));
      ++i;  // its wait
    }
    repeat.body = std::move(body);
    std::vector<Pending> all;
    if (taken.empty()) return all;
    const auto labels = std::make_shared<const std::vector<std::string>>(repeat.labels);
    for (std::size_t i = 0; i < static_cast<std::size_t>(repeat.count); ++i)
      for (const auto& one : taken) {
        const auto input = views.find(one->inputs[0]);
        all.push_back({one, input == views.end() ? one->inputs[0] : (*input->second)[i], (*views.at(one->outputs[0]))[i], labels, i});
      }
    return all;
  }

  // As many as fit into a bucket travel together, in order.
  void send(const std::vector<Pending>& all, std::vector<Instruction>& made) {
    for (std::size_t from = 0, to = 0; from < all.size(); from = to) {
      Instruction start = *all[from].start;
      if (all[from].labels)
        for (std::string* text : {&start.name, &start.origin, &start.reason}) *text = withLabels(*text, *all[from].labels, all[from].iteration);
      start.inputs.clear();
      start.outputs.clear();
      start.pair = nextPair_++;
      for (std::int64_t bytes = 0; to < all.size(); ++to) {
        bytes += program_.buffers[all[to].input.index()].bytes;
        if (bytes > limit_ && to > from) break;
        start.inputs.push_back(all[to].input);
        start.outputs.push_back(all[to].output);
      }
      if (to - from > 1) {
        start.reason += "; with " + std::to_string(to - from - 1) + " more in one bucket";
        start.name += " and " + std::to_string(to - from - 1) + " more";
      }
      Instruction wait = start;
      wait.kind = InstructionKind::wait;
      wait.name += " wait";
      made.push_back(std::move(start));
      made.push_back(std::move(wait));
    }
  }

  Program program_;
  std::int64_t limit_;
  int nextPair_ = 0;
};

}  // namespace

Program bucketCollectives(Program program, std::int64_t limit) { return Bucketing(std::move(program), limit).run(); }

}  // namespace core
