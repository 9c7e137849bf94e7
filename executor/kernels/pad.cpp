#include "executor/kernels/pad.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "core/tdl/element.h"
#include "core/tdl/flops.h"
#include "core/tdl/interval.h"
#include "executor/kernels/copy.h"

namespace executor {
namespace {

using core::AxisIndex;
using core::Expression;
using core::Function;
using core::Node;

const Node& at(const Expression& expression, int node) { return expression.nodes[static_cast<std::size_t>(node)]; }

// Element j of the axis goes to place low + step * j of the loop.
struct Axis {
  int loop = -1;
  std::int64_t low = 0, step = 1;
};

struct Match {
  const Node* read = nullptr;
  double value = 0;
  std::vector<Axis> axes;
};

// (i - low) / step, where the test beside it says that nothing is left over.
std::optional<Axis> axisOf(const AxisIndex& index) {
  if (index.kind != AxisIndex::Kind::affine || index.modulo != 0 || index.terms.size() != 1) return std::nullopt;
  const std::int64_t factor = index.terms[0].factor;
  if (factor != 1 && factor != -1) return std::nullopt;
  return Axis{index.terms[0].loop, -factor * index.offset, factor * index.divide};
}

// select((i - low) % step == 0, read, value)
bool testsStep(const Expression& expression, const Node& select, const Axis& axis) {
  const Node& condition = at(expression, select.a);
  if (condition.kind != Node::Kind::binary || condition.function != Function::equal || at(expression, condition.b).kind != Node::Kind::constant || at(expression, condition.b).value != 0) return false;
  const Node& rest = at(expression, condition.a);
  if (rest.kind != Node::Kind::binary || rest.function != Function::floorModulo || at(expression, rest.b).kind != Node::Kind::constant || at(expression, rest.b).value != static_cast<double>(std::abs(axis.step))) return false;
  const Node& place = at(expression, rest.a);
  if (place.kind != Node::Kind::binary || place.function != Function::subtract || at(expression, place.b).kind != Node::Kind::constant) return false;
  return at(expression, place.a).kind == Node::Kind::loop && at(expression, place.a).loops[0] == axis.loop && at(expression, place.b).value == static_cast<double>(axis.low);
}

std::optional<Match> matchOf(const Expression& expression) {
  if (expression.outputs.size() != 1 || std::any_of(expression.loops.begin(), expression.loops.end(), [](const core::Loop& loop) { return loop.kind != core::Loop::Kind::output; })) return std::nullopt;
  const Node& root = at(expression, expression.outputs[0].root);
  Match match{.read = root.kind == Node::Kind::select ? &at(expression, root.b) : &root, .axes = {}};
  if (match.read->kind != Node::Kind::read || match.read->otherwise < 0 || at(expression, match.read->otherwise).kind != Node::Kind::constant) return std::nullopt;
  match.value = at(expression, match.read->otherwise).value;
  std::vector<bool> taken(expression.loops.size(), false);
  int stepped = 0;
  for (const AxisIndex& index : match.read->axes) {
    const std::optional<Axis> axis = axisOf(index);
    if (!axis || taken[static_cast<std::size_t>(axis->loop)]) return std::nullopt;
    taken[static_cast<std::size_t>(axis->loop)] = true;
    if (std::abs(axis->step) != 1) {
      if (root.kind != Node::Kind::select || !testsStep(expression, root, *axis)) return std::nullopt;
      ++stepped;
    }
    match.axes.push_back(*axis);
  }
  // Every loop of the result is an axis of the operand, and there is a test only for the one that has steps.
  if (std::find(taken.begin(), taken.end(), false) != taken.end() || stepped != (root.kind == Node::Kind::select)) return std::nullopt;
  if (root.kind == Node::Kind::select && (at(expression, root.c).kind != Node::Kind::constant || at(expression, root.c).value != match.value)) return std::nullopt;
  return match;
}

class Pad final : public Kernel {
 public:
  Pad(const KernelRequest& request, const Match& match) : input_(static_cast<std::size_t>(match.read->operand)), output_(request.outputs[0]), bytes_(core::byteSize(output_.dtype)) {
    const Held& from = request.inputs[input_];
    const std::vector<int>& loops = request.expression->outputs[0].loops;
    for (std::size_t d = 0; d < match.axes.size(); ++d) {
      const Axis& axis = match.axes[d];
      const auto out = static_cast<std::size_t>(std::find(loops.begin(), loops.end(), axis.loop) - loops.begin());
      const core::Range places = request.loops[static_cast<std::size_t>(axis.loop)];
      // Elements of the operand whose places this rank makes.
      std::int64_t first = core::floorDivide(places.start - axis.low + std::abs(axis.step) - 1, std::abs(axis.step)), last = core::floorDivide(places.end() - 1 - axis.low, std::abs(axis.step));
      if (axis.step < 0) {
        first = -core::floorDivide(places.end() - 1 - axis.low, -axis.step);
        last = -core::floorDivide(places.start - axis.low - axis.step - 1, -axis.step);
      }
      first = std::max(first, from.ranges[d].start);
      last = std::min(last, from.ranges[d].end() - 1);
      copy_.sizes.push_back(std::max<std::int64_t>(last - first + 1, 0));
      copy_.sourceStrides.push_back(from.strides[d]);
      copy_.targetStrides.push_back(axis.step * output_.strides[out]);
      copy_.source += (first - from.ranges[d].start) * from.strides[d];
      copy_.target += (axis.low + axis.step * first - output_.ranges[out].start) * output_.strides[out];
    }
    empty_ = copy_.empty();
    if (!empty_) copy_ = simplified(std::move(copy_));
    pattern_.resize(static_cast<std::size_t>(bytes_));
    core::storeElement(pattern_.data(), 0, output_.dtype, match.value);
    std::vector<std::int64_t> extents;
    for (const core::Range& range : request.loops) extents.push_back(range.size);
    flops_ = core::flops(*request.expression, extents);
  }

  void run(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs, const KernelContext&) override {
    fill(outputs[0]);
    if (!empty_) executor::run(copy_, inputs[input_], outputs[0], bytes_);
  }

  std::int64_t flops() const override { return flops_; }
  const char* name() const override { return "pad"; }

 private:
  void fill(std::byte* output) const {
    const auto total = static_cast<std::size_t>(output_.bytes());
    if (std::all_of(pattern_.begin(), pattern_.end(), [](std::byte one) { return one == std::byte{}; })) {
      std::memset(output, 0, total);
      return;
    }
    std::memcpy(output, pattern_.data(), pattern_.size());
    for (std::size_t done = pattern_.size(); done < total; done *= 2) std::memcpy(output + done, output, std::min(done, total - done));
  }

  std::size_t input_;
  Held output_;
  std::int64_t bytes_;
  BoxCopy copy_;
  bool empty_ = false;
  std::vector<std::byte> pattern_;
  std::int64_t flops_ = 0;
};

}  // namespace

std::unique_ptr<Kernel> makePadKernel(const KernelRequest& request) {
  const std::optional<Match> match = matchOf(*request.expression);
  if (!match || request.inputs.size() != 1 || request.inputs[0].dtype != request.outputs[0].dtype || request.outputs[0].elements() == 0) return nullptr;
  return std::make_unique<Pad>(request, *match);
}

}  // namespace executor
