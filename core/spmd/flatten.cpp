#include <algorithm>
#include <map>

#include "core/base/labels.h"
#include "core/spmd/roll.h"

namespace core {
namespace {

class Flattening {
 public:
  explicit Flattening(const Program& program) : program_(program), flat_(program) {}

  Program run() {
    flat_.instructions.clear();
    std::vector<bool> stands(program_.buffers.size(), false);  // for another, in a repeat
    for (const Instruction& one : program_.instructions) {
      for (const IterationView& view : one.views) stands[view.slot.index()] = true;
      if (one.kind != InstructionKind::repeat) flat_.instructions.push_back(one);
      else
        for (std::size_t i = 0; i < static_cast<std::size_t>(one.count); ++i) iterate(one, i);
    }
    int pair = 0;
    for (Instruction& one : flat_.instructions) {
      if (one.kind == InstructionKind::start) one.pair = pair++;
      if (one.kind == InstructionKind::wait) one.pair = pair - 1;
    }
    dropBuffers(stands);
    return std::move(flat_);
  }

 private:
  void iterate(const Instruction& repeat, std::size_t iteration) {
    std::map<BufferId, BufferId> meant;
    for (const IterationView& view : repeat.views) meant[view.slot] = view.perIteration[iteration];
    for (const Instruction& inner : repeat.body) {
      Instruction one = inner;
      substitute(one, meant, repeat, iteration);
      if (one.kind != InstructionKind::free || !one.inputs.empty()) flat_.instructions.push_back(std::move(one));
    }
  }

  void substitute(Instruction& one, const std::map<BufferId, BufferId>& meant, const Instruction& repeat, std::size_t iteration) {
    for (std::string* text : {&one.name, &one.origin, &one.reason}) *text = withLabels(*text, repeat.labels, iteration);
    if (auto seed = one.attributes.find("seed"); seed != one.attributes.end()) seed->second = withLabels(std::get<std::string>(seed->second), repeat.labels, iteration);
    if (one.expression >= 0 && drawsNumbers(program_.expressions[static_cast<std::size_t>(one.expression)])) {
      Expression expression = program_.expressions[static_cast<std::size_t>(one.expression)];
      for (Node& node : expression.nodes)
        if (node.kind == Node::Kind::random) node.seed = withLabels(node.seed, repeat.labels, iteration);
      one.expression = static_cast<int>(flat_.expressions.size());
      flat_.expressions.push_back(std::move(expression));
    }
    for (auto* ids : {&one.inputs, &one.outputs}) {
      for (BufferId& id : *ids)
        if (const auto found = meant.find(id); found != meant.end()) id = found->second;
      std::erase_if(*ids, [](BufferId id) { return !id.valid(); });  // freed in other iterations only
    }
    for (Instruction& inner : one.body) substitute(inner, meant, repeat, iteration);
  }

  // Those that nothing names any more; the others move up.
  void dropBuffers(const std::vector<bool>& dropped) {
    std::vector<BufferId> ids(dropped.size());
    std::size_t kept = 0;
    for (std::size_t b = 0; b < dropped.size(); ++b) {
      if (dropped[b]) continue;
      ids[b] = BufferId(static_cast<std::int64_t>(kept));
      if (kept != b) {
        flat_.buffers[kept] = std::move(flat_.buffers[b]);
        flat_.sources[kept] = std::move(flat_.sources[b]);
      }
      ++kept;
    }
    flat_.buffers.resize(kept);
    flat_.sources.resize(kept);
    const auto rename = [&](BufferId& id) {
      if (id.valid()) id = ids[id.index()];
    };
    for (Buffer& buffer : flat_.buffers) rename(buffer.alias);
    for (auto* list : {&flat_.inputs, &flat_.outputs, &flat_.states}) std::for_each(list->begin(), list->end(), rename);
    rename(flat_.loss);
    for (Instruction& one : flat_.instructions) renameIn(one, rename);
  }

  template <class Rename>
  static void renameIn(Instruction& one, const Rename& rename) {
    std::for_each(one.inputs.begin(), one.inputs.end(), rename);
    std::for_each(one.outputs.begin(), one.outputs.end(), rename);
    for (Instruction& inner : one.body) renameIn(inner, rename);
  }

  const Program& program_;
  Program flat_;
};

}  // namespace

bool drawsNumbers(const Expression& expression) {
  return std::any_of(expression.nodes.begin(), expression.nodes.end(), [](const Node& node) { return node.kind == Node::Kind::random; });
}

Program flatten(const Program& program) { return Flattening(program).run(); }

}  // namespace core
