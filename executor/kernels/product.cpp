#include "executor/kernels/product.h"

#include <algorithm>
#include <string_view>

#include "executor/kernels/copy.h"
#include "executor/kernels/onednn.h"
#include "executor/kernels/product_shape.h"

namespace executor {
namespace {

using Dims = dnnl::memory::dims;

// One of the three as oneDNN sees it: sizes [batch ..., rows, columns] and strides.
struct View {
  Dims sizes, strides;
};

// An operand that has to be gathered into one run before, or a result that has to be spread after.
struct Packing {
  BoxCopy copy;
  std::vector<float> memory;
};

std::int64_t total(const std::vector<ProductDim>& dims) {
  std::int64_t size = 1;
  for (const ProductDim& dim : dims) size *= dim.size;
  return size;
}

// Strides that let the dims lie without gaps in the order given.
std::vector<std::int64_t> dense(const std::vector<ProductDim>& dims) {
  std::vector<std::int64_t> sizes;
  for (const ProductDim& dim : dims) sizes.push_back(dim.size);
  return rowMajorStrides(sizes);
}

class Product final : public Kernel {
 public:
  explicit Product(ProductShape shape) : shape_(std::move(shape)) {
    flops_ = 2 * total(shape_.batch) * total(shape_.m) * total(shape_.n) * total(shape_.k);
    if (!prepare(false)) prepare(true);
  }

  void run(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs, const KernelContext&) override {
    const auto* left = reinterpret_cast<const float*>(inputs[shape_.operands[0]]) + shape_.base[0];
    const auto* right = reinterpret_cast<const float*>(inputs[shape_.operands[1]]) + shape_.base[1];
    auto* result = reinterpret_cast<float*>(outputs[0]) + shape_.base[2];
    memories_[0].set_data_handle(const_cast<float*>(packed(0, left)));
    memories_[1].set_data_handle(const_cast<float*>(packed(1, right)));
    memories_[2].set_data_handle(packings_[2] ? packings_[2]->memory.data() : result);
    execute();
    if (packings_[2]) executor::run(packings_[2]->copy, reinterpret_cast<const std::byte*>(packings_[2]->memory.data()), reinterpret_cast<std::byte*>(result), sizeof(float));
  }

  std::int64_t flops() const override { return flops_; }
  std::int64_t scratchBytes() const override {
    std::int64_t bytes = static_cast<std::int64_t>(scratchMemory_.size());
    for (const auto& packing : packings_)
      if (packing) bytes += static_cast<std::int64_t>(packing->memory.size() * sizeof(float));
    return bytes;
  }
  const char* name() const override { return "onednn"; }

 private:
  void execute() {
    callOnednn("failed in a product", [&] {
      product_.execute(onednnStream(), {{DNNL_ARG_SRC, memories_[0]}, {DNNL_ARG_WEIGHTS, memories_[1]}, {DNNL_ARG_DST, memories_[2]}, {DNNL_ARG_SCRATCHPAD, scratch_}});
      onednnStream().wait();
    });
  }

  const float* packed(std::size_t which, const float* data) {
    if (!packings_[which]) return data;
    executor::run(packings_[which]->copy, reinterpret_cast<const std::byte*>(data), reinterpret_cast<std::byte*>(packings_[which]->memory.data()), sizeof(float));
    return packings_[which]->memory.data();
  }

  // Packs one of the three: its dims in this order without gaps. Changes the strides in the groups.
  void pack(std::size_t which, std::vector<std::vector<ProductDim>*> groups) {
    std::vector<ProductDim> dims;
    for (auto* group : groups) dims.insert(dims.end(), group->begin(), group->end());
    const std::vector<std::int64_t> strides = dense(dims);
    Packing packing;
    packing.memory.resize(static_cast<std::size_t>(total(dims)));
    for (std::size_t d = 0; d < dims.size(); ++d) {
      packing.copy.sizes.push_back(dims[d].size);
      packing.copy.sourceStrides.push_back(which == 2 ? strides[d] : dims[d].strides[which]);
      packing.copy.targetStrides.push_back(which == 2 ? dims[d].strides[which] : strides[d]);
    }
    packing.copy = simplified(std::move(packing.copy));
    packings_[which] = std::move(packing);
    std::size_t at = 0;
    for (auto* group : groups)
      for (ProductDim& dim : *group) dim.strides[which] = strides[at++];
  }

  static bool isOneRun(const std::vector<ProductDim>& dims, std::size_t which) {
    for (std::size_t d = 1; d < dims.size(); ++d)
      if (dims[d - 1].strides[which] != dims[d].strides[which] * dims[d].size) return false;
    return true;
  }

  static ProductDim joined(const std::vector<ProductDim>& dims) {
    ProductDim one{.size = total(dims), .strides = dims.empty() ? std::array<std::int64_t, 3>{1, 1, 1} : dims.back().strides};
    return one;
  }

  // Takes the operands where they lie, as far as the summed dims are one run; or packs all three.
  bool prepare(bool packsAll) {
    std::vector<ProductDim> batch = shape_.batch, m = shape_.m, n = shape_.n, k = shape_.k;
    packings_ = {};
    if (packsAll || !isOneRun(k, 0)) pack(0, {&batch, &m, &k});
    if (packsAll || !isOneRun(k, 1)) pack(1, {&batch, &k, &n});
    if (packsAll) pack(2, {&batch, &m, &n});
    // Rows and columns beyond one dimension count as batch, along which the other operand stays.
    ProductDim rows = joined({}), columns = joined({});
    if (isOneRun(m, 0) && isOneRun(m, 2)) rows = joined(m);
    else take(m, rows, batch);
    if (isOneRun(n, 1) && isOneRun(n, 2)) columns = joined(n);
    else take(n, columns, batch);
    return make(batch, rows, columns, joined(k), packsAll);
  }

  static void take(const std::vector<ProductDim>& dims, ProductDim& kept, std::vector<ProductDim>& batch) {
    kept = dims.back();
    batch.insert(batch.end(), dims.begin(), dims.end() - 1);
  }

  bool make(const std::vector<ProductDim>& batch, const ProductDim& rows, const ProductDim& columns, const ProductDim& summed, bool last) {
    std::array<View, 3> views;
    for (std::size_t t = 0; t < 3; ++t) {
      for (const ProductDim& dim : batch) add(views[t], dim, t);
      if (t != 1) add(views[t], rows, t);
      if (t != 0) {
        if (t == 1) add(views[t], summed, t);
        add(views[t], columns, t);
      } else {
        add(views[t], summed, t);
      }
    }
    for (View& view : views) settleOnes(view);
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    try {
      std::array<dnnl::memory::desc, 3> descs;
      for (std::size_t t = 0; t < 3; ++t) descs[t] = {views[t].sizes, dnnl::memory::data_type::f32, views[t].strides};
      const dnnl::matmul::primitive_desc chosen({descs[0], descs[1], descs[2]}, attributes, onednnEngine());
      if (!last && std::string_view(chosen.impl_info_str()).substr(0, 3) == "ref") return false;
      for (std::size_t t = 0; t < 3; ++t) memories_[t] = dnnl::memory(descs[t], onednnEngine(), nullptr);
      product_ = dnnl::matmul(chosen);
      scratchMemory_.resize(chosen.scratchpad_desc().get_size() + 64);
      scratch_ = dnnl::memory(chosen.scratchpad_desc(), onednnEngine(), scratchMemory_.data());
    } catch (const dnnl::error& error) {
      if (!last) return false;
      throw core::Error{.what = std::string("oneDNN refuses a product: ") + error.what(), .where = "", .right = ""};
    }
    return true;
  }

  // The stride of a dimension of size one is of no account, but oneDNN takes it for a leading dimension: as if the tensor were dense.
  static void settleOnes(View& view) {
    const std::size_t column = view.sizes.size() - 1, row = column - 1;
    if (view.sizes[column] == 1) view.strides[column] = 1;
    if (view.sizes[row] == 1) view.strides[row] = view.strides[column] == 1 ? view.sizes[column] : 1;
    std::int64_t whole = 1;
    for (std::size_t d = 0; d < view.sizes.size(); ++d) whole = std::max(whole, view.sizes[d] * view.strides[d]);
    for (std::size_t d = 0; d < row; ++d)
      if (view.sizes[d] == 1) view.strides[d] = whole;
  }

  // Along a batch dimension that a tensor lacks it has size one.
  static void add(View& view, const ProductDim& dim, std::size_t which) {
    const bool has = dim.strides[which] != 0;
    view.sizes.push_back(has ? dim.size : 1);
    view.strides.push_back(has ? dim.strides[which] : 1);
  }

  ProductShape shape_;
  std::array<std::optional<Packing>, 3> packings_;
  std::array<dnnl::memory, 3> memories_;
  dnnl::matmul product_;
  dnnl::memory scratch_;
  std::vector<std::byte> scratchMemory_;
  std::int64_t flops_ = 0;
};

}  // namespace

std::unique_ptr<Kernel> makeProductKernel(const KernelRequest& request) {
  for (const Held& one : request.inputs)
    if (one.dtype != core::DType::f32) return nullptr;
  if (request.inputs.size() != 2 || request.outputs[0].dtype != core::DType::f32) return nullptr;
  std::optional<ProductShape> shape = productShapeOf(request);
  return shape ? std::make_unique<Product>(std::move(*shape)) : nullptr;
}

}  // namespace executor
