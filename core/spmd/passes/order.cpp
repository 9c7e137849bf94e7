#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/spmd/passes/passes.h"

namespace core {
namespace {

class Sinking {
 public:
  explicit Sinking(Program program) : program_(std::move(program)), old_(std::move(program_.instructions)) {}

  Program run() {
    survey();
    anchored_.resize(old_.size());
    place_.resize(old_.size());
    for (std::size_t i = old_.size(); i-- > 0;) {
      place_[i] = i;
      const std::optional<std::size_t> reader = firstReader(old_[i]);
      if (!reader || place_[*reader] == i + 1 || !maySink(i, place_[*reader])) continue;
      place_[i] = place_[*reader];
      anchored_[*reader].push_back(i);
    }
    program_.instructions.clear();
    for (std::size_t i = 0; i < old_.size(); ++i)
      if (place_[i] == i) emit(i);
    return std::move(program_);
  }

 private:
  void survey() {
    for (std::size_t i = 0; i < old_.size(); ++i) {
      for (BufferId input : old_[i].inputs) {
        readers_[input].push_back(i);
      }
      if (old_[i].kind == InstructionKind::update)
        for (BufferId state : old_[i].outputs) updated_.try_emplace(state, i);
    }
    for (BufferId output : program_.outputs) kept_.insert(output);
    if (program_.loss.valid()) kept_.insert(program_.loss);
  }

  // Which reader comes first when those behind have found their places; none where two of them share it, or a result is kept.
  std::optional<std::size_t> firstReader(const Instruction& one) const {
    std::set<std::size_t> all;
    for (BufferId output : one.outputs) {
      const auto found = readers_.find(output);
      if (kept_.count(output) || found == readers_.end()) return std::nullopt;
      all.insert(found->second.begin(), found->second.end());
    }
    std::optional<std::size_t> first;
    bool shared = false;
    for (std::size_t reader : all) {
      if (first && place_[reader] == place_[*first]) shared = true;
      if (first && place_[reader] >= place_[*first]) continue;
      first = reader;
      shared = false;
    }
    return shared ? std::nullopt : first;
  }

  // Its operands would live on instead of its results: not more bytes, and none of them a state that is renewed meanwhile.
  bool maySink(std::size_t i, std::size_t reader) const {
    const Instruction& one = old_[i];
    if (one.kind != InstructionKind::compute) return false;
    std::int64_t longer = 0, shorter = 0;
    for (BufferId input : one.inputs) {
      const auto updated = updated_.find(input);
      if (updated != updated_.end() && updated->second <= reader) return false;
      const Buffer& buffer = program_.buffers[input.index()];
      if (!buffer.persistent && lastPlace(input) < reader) longer += buffer.bytes;
    }
    for (BufferId output : one.outputs) shorter += program_.buffers[output.index()].bytes;
    return longer <= shorter;
  }

  std::size_t lastPlace(BufferId buffer) const {
    std::size_t last = 0;
    for (std::size_t reader : readers_.at(buffer)) last = std::max(last, reader);  // before any of them moves
    return last;
  }

  void emit(std::size_t i) {
    for (auto earlier = anchored_[i].rbegin(); earlier != anchored_[i].rend(); ++earlier) emit(*earlier);
    program_.instructions.push_back(std::move(old_[i]));
  }

  Program program_;
  std::vector<Instruction> old_;
  std::map<BufferId, std::vector<std::size_t>> readers_;
  std::map<BufferId, std::size_t> updated_;
  std::set<BufferId> kept_;
  std::vector<std::size_t> place_;                 // per instruction: where it is carried out, as an old number
  std::vector<std::vector<std::size_t>> anchored_;
};

}  // namespace

Program sinkToReaders(Program program) { return Sinking(std::move(program)).run(); }

}  // namespace core
