#include "executor/kernels/pool.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/tdl/flops.h"
#include "core/tdl/interval.h"
#include "core/tdl/reduction.h"
#include "executor/kernels/window_read.h"
#include "executor/threads.h"

namespace executor {
namespace {

using core::Expression;
using core::Function;
using core::Node;
using core::Reduction;

const Node& at(const Expression& expression, int node) { return expression.nodes[static_cast<std::size_t>(node)]; }
bool isConstant(const Expression& expression, int node, double value) { return at(expression, node).kind == Node::Kind::constant && at(expression, node).value == value; }

constexpr std::size_t mostWindows = 3;

// What is done with each element that a window sees.
struct Match {
  enum class Form { reduce, count, give } form = Form::reduce;  // a; a == b ? 1 : 0; a == b ? c : 0
  Reduction reduction = Reduction::sum;
  WindowRead a;
  const Node* b = nullptr;      // read plainly, at the output's place
  std::optional<WindowRead> c;  // through the windows of a
};

bool sameWindows(const WindowRead& one, const WindowRead& other) {
  return one.against == other.against && std::equal(one.windows.begin(), one.windows.end(), other.windows.begin(), other.windows.end(), [](const WindowAxis& x, const WindowAxis& y) {
           return x.into == y.into && x.kernel == y.kernel && x.stride == y.stride && x.dilation == y.dilation && x.low == y.low;
         });
}

std::optional<Match> matchOf(const Expression& expression) {
  if (expression.outputs.size() != 1) return std::nullopt;
  const Node& root = at(expression, expression.outputs[0].root);
  if (root.kind != Node::Kind::reduce) return std::nullopt;
  Match match{.reduction = root.reduction, .a = {}, .c = {}};
  if (const auto read = windowReadAt(expression, root.a)) {
    match.a = *read;
    if (root.reduction != Reduction::sum && root.reduction != Reduction::max && root.reduction != Reduction::min) return std::nullopt;
    return read->beyond == core::identityOf(root.reduction) ? std::optional(match) : std::nullopt;
  }
  const Node& body = at(expression, root.a);
  if (root.reduction != Reduction::sum || body.kind != Node::Kind::select || !isConstant(expression, body.c, 0)) return std::nullopt;
  const Node& test = at(expression, body.a);
  if (test.kind != Node::Kind::binary || test.function != Function::equal) return std::nullopt;
  const auto read = windowReadAt(expression, test.a);
  match.b = &at(expression, test.b);
  if (!read || match.b->kind != Node::Kind::read || match.b->otherwise >= 0 || std::any_of(match.b->axes.begin(), match.b->axes.end(), [](const core::AxisIndex& axis) { return !axis.identity(); })) return std::nullopt;
  match.a = *read;
  if (isConstant(expression, body.b, 1)) {
    match.form = Match::Form::count;
    return match;
  }
  match.form = Match::Form::give;
  match.c = windowReadAt(expression, body.b);
  // Beside its windows nothing is given, and what lies between their steps gives nothing either.
  return match.c && match.c->beyond == 0 && sameWindows(match.a, *match.c) ? std::optional(match) : std::nullopt;
}

// How far a step of each loop goes in one of the tensors; `base` is where the rank's part begins.
struct Strides {
  std::int64_t base = 0;
  std::vector<std::int64_t> byLoop;
};

class Pool final : public Kernel {
 public:
  Pool(const KernelRequest& request, const Match& match) : match_(match), loops_(request.loops), output_(request.expression->outputs[0].loops), threads_(request.threads), isDouble_(request.outputs[0].dtype == core::DType::f64) {
    const auto held = [&](const Node* read) -> const Held& { return request.inputs[static_cast<std::size_t>(read->operand)]; };
    a_ = stridesOf(*match.a.read, held(match.a.read));
    if (match.b) b_ = stridesOf(*match.b, held(match.b));
    if (match.c) c_ = stridesOf(*match.c->read, held(match.c->read));
    y_.byLoop.assign(loops_.size(), 0);
    for (std::size_t d = 0; d < output_.size(); ++d) addStride(y_, output_[d], request.outputs[0], d);
    for (std::size_t w = 0; w < match.a.windows.size(); ++w) addSeen(w, held(match.a.read), match.c ? &held(match.c->read) : nullptr);
    order();
    std::vector<std::int64_t> extents;
    for (const core::Range& range : loops_) extents.push_back(range.size);
    flops_ = core::flops(*request.expression, extents);
  }

  void run(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs, const KernelContext&) override {
    if (isDouble_) runAs<double>(inputs, outputs[0]);
    else runAs<float>(inputs, outputs[0]);
  }

  std::int64_t flops() const override { return flops_; }
  const char* name() const override { return "pool"; }

 private:
  // An element that a place of a window sees: where it lies in a and in c.
  struct Seen {
    std::int64_t a = 0, c = 0;
  };

  using Point = std::array<const std::vector<Seen>*, mostWindows>;  // what the places at hand see

  const core::Range& range(int loop) const { return loops_[static_cast<std::size_t>(loop)]; }

  void addStride(Strides& strides, int loop, const Held& held, std::size_t d) const {
    strides.byLoop[static_cast<std::size_t>(loop)] += held.strides[d];
    strides.base += (range(loop).start - held.ranges[d].start) * held.strides[d];
  }

  Strides stridesOf(const Node& read, const Held& held) const {
    Strides strides{.byLoop = std::vector<std::int64_t>(loops_.size(), 0)};
    for (std::size_t d = 0; d < read.axes.size(); ++d)
      if (read.axes[d].identity()) addStride(strides, read.axes[d].terms[0].loop, held, d);
    return strides;
  }

  // For each place along window w what it sees of the operand.
  void addSeen(std::size_t w, const Held& a, const Held* c) {
    const WindowAxis& one = match_.a.windows[w];
    const std::int64_t size = a.sizes[one.axis];
    auto& places = seen_.emplace_back();
    for (std::int64_t p = range(one.into).start; p < range(one.into).end(); ++p) {
      auto& found = places.emplace_back();
      for (std::int64_t u = range(one.kernel).start; u < range(one.kernel).end(); ++u) {
        std::int64_t element = one.stride * p + one.dilation * u - one.low;
        if (match_.a.against) {
          const std::int64_t place = p - one.dilation * u + one.low;
          if (core::floorModulo(place, one.stride) != 0) continue;
          element = core::floorDivide(place, one.stride);
        }
        if (element < 0 || element >= size) continue;
        Seen seen{(element - a.ranges[one.axis].start) * a.strides[one.axis], 0};
        if (c) {
          const std::size_t axis = match_.c->windows[w].axis;
          seen.c = (element - c->ranges[axis].start) * c->strides[axis];
        }
        found.push_back(seen);
      }
    }
  }

  // Output loops, those of windows last: their places name what is seen.
  void order() {
    std::vector<int> last;
    for (const WindowAxis& one : match_.a.windows) last.push_back(one.into);
    for (int loop : output_)
      if (std::find(last.begin(), last.end(), loop) == last.end()) outer_.push_back(loop);
    for (int loop : outer_) outerCount_ *= range(loop).size;
  }

  template <class T>
  void runAs(std::span<const std::byte* const> inputs, std::byte* output) const {
    const auto data = [&](const Node* read) { return read ? reinterpret_cast<const T*>(inputs[static_cast<std::size_t>(read->operand)]) : nullptr; };
    const T *a = data(match_.a.read), *b = data(match_.b), *c = match_.c ? data(match_.c->read) : nullptr;
    T* y = reinterpret_cast<T*>(output);
    inParallel(threads_, outerCount_, [&](int, std::int64_t first, std::int64_t end) {
      for (std::int64_t i = first; i < end; ++i) {
        std::int64_t rest = i, inA = a_.base, inB = b_.base, inC = c_.base, inY = y_.base;
        for (std::size_t l = outer_.size(); l-- > 0;) {
          const auto loop = static_cast<std::size_t>(outer_[l]);
          const std::int64_t index = rest % loops_[loop].size;
          rest /= loops_[loop].size;
          inA += index * a_.byLoop[loop];
          inY += index * y_.byLoop[loop];
          if (b) inB += index * b_.byLoop[loop];
          if (c) inC += index * c_.byLoop[loop];
        }
        Point point;
        places(point, 0, a + inA, b ? b + inB : nullptr, c ? c + inC : nullptr, y + inY);
      }
    });
  }

  template <class T>
  void places(Point& point, std::size_t w, const T* a, const T* b, const T* c, T* y) const {
    if (w == match_.a.windows.size()) {
      *y = value(point, a, b, c);
      return;
    }
    const auto loop = static_cast<std::size_t>(match_.a.windows[w].into);
    for (std::size_t p = 0; p < seen_[w].size(); ++p) {
      point[w] = &seen_[w][p];
      places(point, w + 1, a, b ? b + static_cast<std::int64_t>(p) * b_.byLoop[loop] : nullptr, c, y + static_cast<std::int64_t>(p) * y_.byLoop[loop]);
    }
  }

  template <class T>
  T value(const Point& point, const T* a, const T* b, const T* c) const {
    // Sums in double, as the evaluator makes them.
    double result = match_.form == Match::Form::reduce ? core::identityOf(match_.reduction) : 0;
    std::int64_t count = 0;
    each(point, 0, 0, 0, [&](std::int64_t inA, std::int64_t inC) {
      ++count;
      const double element = a[inA];
      if (match_.form == Match::Form::reduce) {
        result = core::combine(match_.reduction, result, element);
      } else if (element == static_cast<double>(*b)) {
        result += match_.form == Match::Form::count ? 1 : static_cast<double>(c[inC]);
      }
    });
    // What lies outside of the operand is compared too.
    if (match_.form == Match::Form::count && match_.a.beyond == static_cast<double>(*b)) result += static_cast<double>(kernelCount() - count);
    return static_cast<T>(result);
  }

  std::int64_t kernelCount() const {
    std::int64_t count = 1;
    for (const WindowAxis& one : match_.a.windows) count *= range(one.kernel).size;
    return count;
  }

  template <class Visit>
  void each(const Point& point, std::size_t w, std::int64_t inA, std::int64_t inC, const Visit& visit) const {
    if (w == match_.a.windows.size()) return visit(inA, inC);
    for (const Seen& seen : *point[w]) each(point, w + 1, inA + seen.a, inC + seen.c, visit);
  }

  Match match_;
  std::vector<core::Range> loops_;
  std::vector<int> output_, outer_;
  std::int64_t outerCount_ = 1;
  int threads_;
  bool isDouble_;
  Strides a_, b_, c_, y_;
  std::vector<std::vector<std::vector<Seen>>> seen_;  // per window and place
  std::int64_t flops_ = 0;
};

}  // namespace

std::unique_ptr<Kernel> makePoolKernel(const KernelRequest& request) {
  const std::optional<Match> match = matchOf(*request.expression);
  if (!match || match->a.windows.size() > mostWindows) return nullptr;
  const core::DType dtype = request.outputs[0].dtype;
  if (dtype != core::DType::f32 && dtype != core::DType::f64) return nullptr;
  for (const Held& one : request.inputs)
    if (one.dtype != dtype) return nullptr;
  // Loops of windows belong to one window each, and no other operand's axis.
  const std::vector<int>& output = request.expression->outputs[0].loops;
  for (const WindowAxis& one : match->a.windows)
    if (std::find(output.begin(), output.end(), one.into) == output.end()) return nullptr;
  const core::Node& root = at(*request.expression, request.expression->outputs[0].root);
  if (root.loops.size() != match->a.windows.size()) return nullptr;
  return std::make_unique<Pool>(request, *match);
}

}  // namespace executor
