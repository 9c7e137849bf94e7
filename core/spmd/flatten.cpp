#include <algorithm>
#include <map>

#include "core/base/labels.h"
#include "core/spmd/roll.h"

namespace core {
namespace {

bool draws(const Expression& expression) {
  return std::any_of(expression.nodes.begin(), expression.nodes.end(), [](const Node& node) { return node.kind == Node::Kind::random; });
}

class Flattening {
 public:
  explicit Flattening(const Program& program) : program_(program), flat_(program) {}

  Program run() {
    flat_.instructions.clear();
    std::size_t buffers = program_.buffers.size();
    for (const Instruction& one : program_.instructions) {
      if (one.kind != InstructionKind::repeat) {
        flat_.instructions.push_back(one);
        continue;
      }
      for (const IterationView& view : one.views) buffers = std::min(buffers, view.slot.index());
      for (std::size_t i = 0; i < static_cast<std::size_t>(one.count); ++i) iterate(one, i);
    }
    int pair = 0;
    for (Instruction& one : flat_.instructions) {
      if (one.kind == InstructionKind::start) one.pair = pair++;
      if (one.kind == InstructionKind::wait) one.pair = pair - 1;
    }
    flat_.buffers.resize(buffers);
    flat_.sources.resize(buffers);
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
    if (one.expression >= 0 && draws(program_.expressions[static_cast<std::size_t>(one.expression)])) {
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

  const Program& program_;
  Program flat_;
};

}  // namespace

Program flatten(const Program& program) { return Flattening(program).run(); }

}  // namespace core
