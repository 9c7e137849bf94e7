#include "executor/kernels/evaluate.h"

#include "core/tdl/evaluate.h"
#include "core/tdl/flops.h"

namespace executor {
namespace {

class EvaluateKernel final : public Kernel {
 public:
  explicit EvaluateKernel(const KernelRequest& request) : expression_(*request.expression), loops_(request.loops) {
    for (const Held& one : request.inputs) reads_.push_back({nullptr, one.dtype, one.sizes, one.ranges, one.strides});
    for (const Held& one : request.outputs) writes_.push_back({nullptr, one.dtype, one.ranges, one.strides});
    std::vector<std::int64_t> extents;
    for (const core::Range& range : loops_) extents.push_back(range.size);
    flops_ = core::flops(expression_, extents);
  }

  void run(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs, const KernelContext& context) override {
    for (std::size_t i = 0; i < reads_.size(); ++i) reads_[i].data = inputs[i];
    for (std::size_t i = 0; i < writes_.size(); ++i) writes_[i].data = outputs[i];
    core::evaluate(expression_, reads_, writes_, loops_, context);
  }

  std::int64_t flops() const override { return flops_; }
  const char* name() const override { return "evaluate"; }

 private:
  const core::Expression& expression_;
  std::vector<core::Range> loops_;
  std::vector<core::ReadArray> reads_;
  std::vector<core::WriteArray> writes_;
  std::int64_t flops_ = 0;
};

}  // namespace

std::unique_ptr<Kernel> makeEvaluateKernel(const KernelRequest& request) { return std::make_unique<EvaluateKernel>(request); }

}  // namespace executor
