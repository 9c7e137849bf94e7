#include <algorithm>
#include <optional>

#include "core/spmd/passes/passes.h"

namespace core {
namespace {

class Sinking {
 public:
  Sinking(Program program, const std::vector<int>& layers) : program_(std::move(program)), layers_(layers), old_(std::move(program_.instructions)) {}

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
    readers_.resize(program_.buffers.size());
    kept_.resize(program_.buffers.size(), false);
    updated_.resize(program_.buffers.size(), old_.size());
    for (std::size_t i = 0; i < old_.size(); ++i) {
      for (BufferId input : old_[i].inputs) {
        readers_[input.index()].push_back(i);
      }
      if (old_[i].kind == InstructionKind::update)
        for (BufferId state : old_[i].outputs) updated_[state.index()] = std::min(updated_[state.index()], i);
    }
    for (BufferId output : program_.outputs) kept_[output.index()] = true;
    if (program_.loss.valid()) kept_[program_.loss.index()] = true;
  }

  // Which reader comes first when those behind have found their places; none where two of them share it, or a result is kept.
  std::optional<std::size_t> firstReader(const Instruction& one) const {
    std::optional<std::size_t> first;
    bool shared = false;
    for (BufferId output : one.outputs) {
      const std::vector<std::size_t>& readers = readers_[output.index()];
      if (kept_[output.index()] || readers.empty()) return std::nullopt;
      for (std::size_t reader : readers) {
        if (first && reader == *first) continue;
        if (first && place_[reader] == place_[*first]) shared = true;
        if (first && place_[reader] >= place_[*first]) continue;
        first = reader;
        shared = false;
      }
    }
    return shared ? std::nullopt : first;
  }

  // Its operands would live on instead of its results: not more bytes, and none of them a state that is renewed meanwhile.
  bool maySink(std::size_t i, std::size_t reader) const {
    const Instruction& one = old_[i];
    if (one.kind != InstructionKind::compute || layerOf(one) != layerOf(old_[reader])) return false;
    std::int64_t longer = 0, shorter = 0;
    for (BufferId input : one.inputs) {
      if (updated_[input.index()] <= reader) return false;
      const Buffer& buffer = program_.buffers[input.index()];
      if (!buffer.persistent && lastPlace(input) < reader) longer += buffer.bytes;
    }
    for (BufferId output : one.outputs) shorter += program_.buffers[output.index()].bytes;
    return longer <= shorter;
  }

  int layerOf(const Instruction& one) const {
    if (layers_.empty() || one.outputs.empty()) return -1;
    return layers_[program_.buffers[one.outputs[0].index()].tensor.index()];
  }

  std::size_t lastPlace(BufferId buffer) const {
    return readers_[buffer.index()].back();  // before any of them moves; they stand in order
  }

  void emit(std::size_t i) {
    for (auto earlier = anchored_[i].rbegin(); earlier != anchored_[i].rend(); ++earlier) emit(*earlier);
    program_.instructions.push_back(std::move(old_[i]));
  }

  Program program_;
  const std::vector<int>& layers_;
  std::vector<Instruction> old_;
  std::vector<std::vector<std::size_t>> readers_;  // per buffer, in order
  std::vector<std::size_t> updated_;               // per buffer: the update that renews it
  std::vector<bool> kept_;                         // per buffer: outlives the step
  std::vector<std::size_t> place_;                 // per instruction: where it is carried out, as an old number
  std::vector<std::vector<std::size_t>> anchored_;
};

}  // namespace

Program sinkToReaders(Program program, const std::vector<int>& layers) { return Sinking(std::move(program), layers).run(); }

}  // namespace core
