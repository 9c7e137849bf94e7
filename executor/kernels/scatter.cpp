#include "executor/kernels/scatter.h"

#include <algorithm>
#include <optional>

#include "core/tdl/element.h"
#include "core/tdl/flops.h"
#include "executor/collectives/reduce.h"
#include "executor/threads.h"

namespace executor {
namespace {

using core::Expression;
using core::Function;
using core::Node;

struct Match {
  const Node* ids = nullptr;
  const Node* updates = nullptr;
  int row = -1;                 // the output's loop that ids are compared with
  std::vector<int> walked;      // one id for each: reduced, and loops that ids and result share
  std::vector<int> rest;        // the others of the result
};

const Node& at(const Expression& expression, int node) { return expression.nodes[static_cast<std::size_t>(node)]; }

bool plain(const Node& node) {
  return node.kind == Node::Kind::read && node.otherwise < 0 && std::all_of(node.axes.begin(), node.axes.end(), [](const core::AxisIndex& axis) { return axis.identity(); });
}

bool isConstant(const Node& node, double value) { return node.kind == Node::Kind::constant && node.value == value; }

std::optional<Match> match(const Expression& expression) {
  if (expression.outputs.size() != 1) return std::nullopt;
  const Node& root = at(expression, expression.outputs[0].root);
  if (root.kind != Node::Kind::reduce || root.reduction != core::Reduction::sum) return std::nullopt;
  const Node& select = at(expression, root.a);
  if (select.kind != Node::Kind::select || !isConstant(at(expression, select.c), 0)) return std::nullopt;
  const Node& test = at(expression, select.a);
  if (test.kind != Node::Kind::binary || test.function != Function::equal) return std::nullopt;
  Match found{.updates = &at(expression, select.b), .walked = root.loops, .rest = {}};
  for (int side : {test.a, test.b}) {
    const Node& node = at(expression, side);
    if (node.kind == Node::Kind::loop) found.row = node.loops[0];
    if (plain(node)) found.ids = &node;
  }
  if (found.row < 0 || !found.ids || !plain(*found.updates)) return std::nullopt;
  const auto inIds = [&](int loop) { return std::any_of(found.ids->axes.begin(), found.ids->axes.end(), [&](const core::AxisIndex& axis) { return axis.terms[0].loop == loop; }); };
  bool rowIsOutput = false;
  for (int loop : expression.outputs[0].loops) {
    rowIsOutput |= loop == found.row;
    if (loop != found.row) (inIds(loop) ? found.walked : found.rest).push_back(loop);
  }
  if (inIds(found.row)) return std::nullopt;
  return rowIsOutput ? std::optional(found) : std::nullopt;
}

// Elements from where a rank's part of the loops begins, and how far each loop goes.
struct Walk {
  std::int64_t base = 0;
  std::vector<std::int64_t> strides;  // by loop
};

Walk walkOf(const Node& read, const Held& held, const KernelRequest& request) {
  Walk walk{.strides = std::vector<std::int64_t>(request.loops.size(), 0)};
  for (std::size_t d = 0; d < read.axes.size(); ++d) {
    const auto loop = static_cast<std::size_t>(read.axes[d].terms[0].loop);
    walk.base += (request.loops[loop].start - held.ranges[d].start) * held.strides[d];
    walk.strides[loop] += held.strides[d];
  }
  return walk;
}

class ScatterKernel final : public Kernel {
 public:
  ScatterKernel(const KernelRequest& request, const Match& match)
      : loops_(request.loops),
        walked_(match.walked),
        rest_(match.rest),
        row_(request.loops[static_cast<std::size_t>(match.row)]),
        ids_(static_cast<std::size_t>(match.ids->operand)),
        updates_(static_cast<std::size_t>(match.updates->operand)),
        idType_(request.inputs[ids_].dtype),
        dtype_(request.outputs[0].dtype),
        idWalk_(walkOf(*match.ids, request.inputs[ids_], request)),
        updateWalk_(walkOf(*match.updates, request.inputs[updates_], request)),
        output_(request.outputs[0]),
        threads_(request.threads) {
    for (std::size_t d = 0; d < output_.ranges.size(); ++d) {
      const int loop = request.expression->outputs[0].loops[d];
      if (loop == match.row) rowStride_ = output_.strides[d];
      outputStrides_.push_back(output_.strides[d]);
      outputLoops_.push_back(loop);
    }
    std::vector<std::int64_t> extents;
    for (const core::Range& range : loops_) extents.push_back(range.size);
    flops_ = core::flops(*request.expression, extents);
  }

  void run(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs, const KernelContext&) override {
    if (dtype_ == core::DType::f32) runAs<float>(inputs, outputs[0]);
    else runAs<double>(inputs, outputs[0]);
  }

  std::int64_t flops() const override { return flops_; }
  const char* name() const override { return "scatter"; }

 private:
  std::int64_t size(int loop) const { return loops_[static_cast<std::size_t>(loop)].size; }

  std::int64_t stride(const Walk& walk, int loop) const { return walk.strides[static_cast<std::size_t>(loop)]; }

  // Threads share the rows of the table, so that no two add to one.
  template <class T>
  void runAs(std::span<const std::byte* const> inputs, std::byte* output) const {
    fillIdentity(dtype_, core::Reduction::sum, output, output_.elements());
    std::int64_t count = 1;
    for (int loop : walked_) count *= size(loop);
    inParallel(static_cast<int>(std::clamp<std::int64_t>(row_.size / 16, 1, threads_)), row_.size, [&](int, std::int64_t first, std::int64_t end) {
      for (std::int64_t i = 0; i < count; ++i) {
        std::int64_t rest = i, id = idWalk_.base, update = updateWalk_.base, target = 0;
        for (std::size_t l = walked_.size(); l-- > 0;) {
          const std::int64_t index = rest % size(walked_[l]);
          rest /= size(walked_[l]);
          id += index * stride(idWalk_, walked_[l]);
          update += index * stride(updateWalk_, walked_[l]);
          target += index * outputStride(walked_[l]);
        }
        const std::int64_t row = static_cast<std::int64_t>(core::loadElement(inputs[ids_], id, idType_)) - row_.start;
        if (row >= first && row < end) add(reinterpret_cast<const T*>(inputs[updates_]) + update, reinterpret_cast<T*>(output) + target + row * rowStride_, 0);
      }
    });
  }

  template <class T>
  void add(const T* from, T* to, std::size_t depth) const {
    if (depth == rest_.size()) {
      *to += *from;
      return;
    }
    const std::int64_t n = size(rest_[depth]), in = stride(updateWalk_, rest_[depth]), out = outputStride(rest_[depth]);
    if (depth + 1 == rest_.size() && in == 1 && out == 1) {
      for (std::int64_t i = 0; i < n; ++i) to[i] += from[i];
      return;
    }
    for (std::int64_t i = 0; i < n; ++i) add(from + i * in, to + i * out, depth + 1);
  }

  // 0 for a loop that is reduced.
  std::int64_t outputStride(int loop) const {
    const auto found = std::find(outputLoops_.begin(), outputLoops_.end(), loop);
    return found == outputLoops_.end() ? 0 : outputStrides_[static_cast<std::size_t>(found - outputLoops_.begin())];
  }

  std::vector<core::Range> loops_;
  std::vector<int> walked_, rest_;
  core::Range row_;
  std::size_t ids_, updates_;
  core::DType idType_, dtype_;
  Walk idWalk_, updateWalk_;
  Held output_;
  std::int64_t rowStride_ = 0;
  std::vector<std::int64_t> outputStrides_;
  std::vector<int> outputLoops_;
  int threads_;
  std::int64_t flops_ = 0;
};

}  // namespace

std::unique_ptr<Kernel> makeScatterKernel(const KernelRequest& request) {
  const std::optional<Match> found = match(*request.expression);
  if (!found) return nullptr;
  const core::DType dtype = request.outputs[0].dtype;
  if ((dtype != core::DType::f32 && dtype != core::DType::f64) || request.inputs[static_cast<std::size_t>(found->updates->operand)].dtype != dtype) return nullptr;
  return std::make_unique<ScatterKernel>(request, *found);
}

}  // namespace executor
