#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/graph/graph.h"
#include "core/tdl/access.h"
#include "core/tdl/expression.h"

namespace core {

// Each distinct operator with its shapes once: the layers of a model share theirs. Everything that follows from the
// expression alone is worked out once for each template.
class Templates {
 public:
  struct Entry {
    Expression expression;
    std::vector<bool> splittable;
  };

  Templates(const Graph& graph, const Mesh& mesh);

  int of(OperatorId op) const { return perOperator_[op.index()]; }
  const Entry& operator[](int number) const { return *entries_[static_cast<std::size_t>(number)]; }
  const Expression& expression(OperatorId op) const { return (*this)[of(op)].expression; }
  std::size_t size() const { return entries_.size(); }

  // access.h's answers, remembered by (template, operand, loop axes).
  const Placement& required(OperatorId op, int operand, const LoopAxes& loopAxes) const;

 private:
  const Graph& graph_;
  const Mesh& mesh_;
  std::vector<std::unique_ptr<Entry>> entries_;
  std::vector<int> perOperator_;
  mutable std::unordered_map<std::string, Placement> required_;
};

}  // namespace core
