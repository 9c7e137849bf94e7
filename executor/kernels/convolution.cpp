#include "executor/kernels/convolution.h"

#include <algorithm>
#include <optional>

#include "core/tdl/flops.h"
#include "executor/kernels/convolution_shape.h"
#include "executor/kernels/copy.h"
#include "executor/kernels/onednn.h"

namespace executor {
namespace {

using Dims = dnnl::memory::dims;
using Direction = ConvolutionShape::Direction;

std::int64_t total(const std::vector<ConvolutionSide::Dim>& dims) {
  std::int64_t size = 1;
  for (const ConvolutionSide::Dim& dim : dims) size *= dim.size;
  return size;
}

// One of the three tensors: where it lies, as one run of memory in the order of its roles, and as oneDNN wants it.
class Side {
 public:
  Side() = default;
  Side(const ConvolutionSide& side, bool weights) : base_(side.base) {
    std::vector<std::int64_t> sizes;
    for (const auto& role : side.roles)
      for (const ConvolutionSide::Dim& dim : role) {
        sizes.push_back(dim.size);
        copy_.sizes.push_back(dim.size);
        copy_.sourceStrides.push_back(dim.stride);
      }
    copy_.targetStrides = rowMajorStrides(sizes);
    dense_ = true;
    for (std::size_t d = 0; d < sizes.size(); ++d) dense_ &= sizes[d] == 1 || copy_.sourceStrides[d] == copy_.targetStrides[d];
    for (std::size_t r = 0; r < side.roles.size(); ++r) {
      const std::int64_t size = total(side.roles[r]);
      // Images have groups and channels in one dimension.
      if (!weights && r == 2) dims_.back() *= size;
      else dims_.push_back(size);
    }
    plain_ = {dims_, dnnl::memory::data_type::f32, rowMajorStrides(dims_)};
  }

  dnnl::memory::desc any() const { return {dims_, dnnl::memory::data_type::f32, dnnl::memory::format_tag::any}; }
  std::int64_t elements() const { return static_cast<std::int64_t>(plain_.get_size() / sizeof(float)); }

  // After the library has chosen: memory for what has to be laid out anew.
  void settle(const dnnl::memory::desc& chosen, bool result) {
    if (!dense_) {
      packed_.resize(static_cast<std::size_t>(elements()));
      if (result) std::swap(copy_.sourceStrides, copy_.targetStrides);
      copy_ = simplified(std::move(copy_));
    }
    own_ = dnnl::memory(plain_, onednnEngine(), nullptr);
    wanted_ = own_;
    if (chosen != plain_) {
      liked_.resize(chosen.get_size());
      wanted_ = dnnl::memory(chosen, onednnEngine(), liked_.data());
      reorder_ = result ? dnnl::reorder(wanted_, own_) : dnnl::reorder(own_, wanted_);
    }
  }

  dnnl::memory& take(const std::byte* data) {
    const auto* from = reinterpret_cast<const float*>(data) + base_;
    if (!dense_) executor::run(copy_, reinterpret_cast<const std::byte*>(from), reinterpret_cast<std::byte*>(packed_.data()), sizeof(float));
    own_.set_data_handle(dense_ ? const_cast<float*>(from) : packed_.data());
    if (reorder_) reorder_->execute(onednnStream(), own_, wanted_);
    else wanted_ = own_;
    return wanted_;
  }

  dnnl::memory& open(std::byte* data) {
    own_.set_data_handle(dense_ ? reinterpret_cast<float*>(data) + base_ : packed_.data());
    if (!reorder_) wanted_ = own_;
    return wanted_;
  }

  void close(std::byte* data) {
    if (reorder_) reorder_->execute(onednnStream(), wanted_, own_);
    onednnStream().wait();
    if (!dense_) executor::run(copy_, reinterpret_cast<const std::byte*>(packed_.data()), reinterpret_cast<std::byte*>(reinterpret_cast<float*>(data) + base_), sizeof(float));
  }

  std::int64_t bytes() const { return static_cast<std::int64_t>(packed_.size() * sizeof(float) + liked_.size()); }

 private:
  std::int64_t base_ = 0;
  BoxCopy copy_;
  bool dense_ = false;
  Dims dims_;
  dnnl::memory::desc plain_;
  dnnl::memory own_, wanted_;
  std::optional<dnnl::reorder> reorder_;
  std::vector<float> packed_;
  std::vector<std::byte> liked_;
};

class Convolution final : public Kernel {
 public:
  Convolution(const ConvolutionShape& shape, std::int64_t flops) : operands_(shape.operands), flops_(flops), sides_{Side(shape.image, false), Side(shape.weights, true), Side(shape.made, false)} {
    callOnednn("refuses a convolution", [&] { prepare(shape); });
  }

  void run(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs, const KernelContext&) override {
    callOnednn("failed in a convolution", [&] {
      std::unordered_map<int, dnnl::memory> arguments{{DNNL_ARG_SCRATCHPAD, scratch_}};
      for (std::size_t t = 0; t < 3; ++t) arguments[arguments_[t]] = operands_[t] < 0 ? sides_[t].open(outputs[0]) : sides_[t].take(inputs[static_cast<std::size_t>(operands_[t])]);
      primitive_.execute(onednnStream(), arguments);
      sides_[result_].close(outputs[0]);
    });
  }

  std::int64_t flops() const override { return flops_; }
  std::int64_t scratchBytes() const override {
    std::int64_t bytes = static_cast<std::int64_t>(scratchMemory_.size());
    for (const Side& side : sides_) bytes += side.bytes();
    return bytes;
  }
  const char* name() const override { return "onednn"; }

 private:
  void prepare(const ConvolutionShape& shape) {
    using dnnl::algorithm;
    Dims dilates = shape.dilations;
    for (auto& one : dilates) --one;
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    const auto image = sides_[0].any(), weights = sides_[1].any(), made = sides_[2].any();
    const bool forward = shape.direction == Direction::forward;
    const dnnl::convolution_forward::primitive_desc hint(
        {forward ? dnnl::prop_kind::forward_inference : dnnl::prop_kind::forward_training, algorithm::convolution_direct, image, weights, made, shape.strides, dilates, shape.low, shape.high}, attributes, onednnEngine());
    if (forward) {
      arguments_ = {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST};
      settle(hint.src_desc(), hint.weights_desc(), hint.dst_desc(), hint.scratchpad_desc());
      primitive_ = dnnl::convolution_forward(hint);
    } else if (shape.direction == Direction::data) {
      const dnnl::convolution_backward_data::primitive_desc chosen({algorithm::convolution_direct, image, weights, made, shape.strides, dilates, shape.low, shape.high}, attributes, onednnEngine(), hint);
      arguments_ = {DNNL_ARG_DIFF_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DIFF_DST};
      settle(chosen.diff_src_desc(), chosen.weights_desc(), chosen.diff_dst_desc(), chosen.scratchpad_desc());
      primitive_ = dnnl::convolution_backward_data(chosen);
    } else {
      const dnnl::convolution_backward_weights::primitive_desc chosen({algorithm::convolution_direct, image, weights, made, shape.strides, dilates, shape.low, shape.high}, attributes, onednnEngine(), hint);
      arguments_ = {DNNL_ARG_SRC, DNNL_ARG_DIFF_WEIGHTS, DNNL_ARG_DIFF_DST};
      settle(chosen.src_desc(), chosen.diff_weights_desc(), chosen.diff_dst_desc(), chosen.scratchpad_desc());
      primitive_ = dnnl::convolution_backward_weights(chosen);
    }
  }

  void settle(const dnnl::memory::desc& image, const dnnl::memory::desc& weights, const dnnl::memory::desc& made, const dnnl::memory::desc& scratch) {
    const std::array<const dnnl::memory::desc*, 3> chosen{&image, &weights, &made};
    for (std::size_t t = 0; t < 3; ++t) {
      sides_[t].settle(*chosen[t], operands_[t] < 0);
      if (operands_[t] < 0) result_ = t;
    }
    scratchMemory_.resize(scratch.get_size() + 64);
    scratch_ = dnnl::memory(scratch, onednnEngine(), scratchMemory_.data());
  }

  std::array<int, 3> operands_;
  std::int64_t flops_;
  std::array<Side, 3> sides_;  // image, weights, made
  std::array<int, 3> arguments_{};
  std::size_t result_ = 2;
  dnnl::primitive primitive_;
  dnnl::memory scratch_;
  std::vector<std::byte> scratchMemory_;
};

}  // namespace

std::unique_ptr<Kernel> makeConvolutionKernel(const KernelRequest& request) {
  for (const Held& one : request.inputs)
    if (one.dtype != core::DType::f32) return nullptr;
  if (request.inputs.size() != 2 || request.outputs.size() != 1 || request.outputs[0].dtype != core::DType::f32) return nullptr;
  const std::optional<ConvolutionShape> shape = convolutionShapeOf(request);
  if (!shape) return nullptr;
  std::vector<std::int64_t> extents;
  for (const core::Range& range : request.loops) extents.push_back(range.size);
  return std::make_unique<Convolution>(*shape, core::flops(*request.expression, extents));
}

}  // namespace executor
