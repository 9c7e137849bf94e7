#include <algorithm>
#include <limits>

#include "core/io/onnx_fold.h"
#include "core/io/onnx_fold_parts.h"

// Values that are only moved: what shapes are put together with.

namespace core {

using positional::Data;
using positional::DataPtr;
using positional::Model;
using positional::Sizes;

namespace folding {

using positional::Node;



bool fits(const Sizes& sizes) {
  std::int64_t all = 1;
  for (std::int64_t size : sizes) {
    if (size > 0 && all > mostElements / size) return false;
    all *= size;
  }
  return true;
}

Data empty(DType dtype, Sizes sizes) {
  Data out{.dtype = dtype, .sizes = std::move(sizes)};
  auto count = static_cast<std::size_t>(positional::product(out.sizes));
  if (out.floating()) out.reals.resize(count);
  else out.integers.resize(count);
  return out;
}

void copyElement(const Data& from, std::size_t i, Data& to, std::size_t j) {
  if (to.floating()) to.reals[j] = from.reals[i];
  else to.integers[j] = from.integers[i];
}

namespace {

std::optional<Data> foldConcat(const Node& node, const Inputs& in, const Model&) {
  auto rank = static_cast<std::int64_t>(in[0]->sizes.size());
  std::int64_t axis = node.integer("axis", 0);
  if (axis < 0) axis += rank;
  if (axis < 0 || axis >= rank) return std::nullopt;
  Sizes sizes = in[0]->sizes;
  auto at = static_cast<std::size_t>(axis);
  sizes[at] = 0;
  for (const DataPtr& one : in) {
    if (one->dtype != in[0]->dtype || one->sizes.size() != sizes.size()) return std::nullopt;
    sizes[at] += one->sizes[at];
  }
  if (!fits(sizes)) return std::nullopt;
  Data out{.dtype = in[0]->dtype, .sizes = sizes};
  std::int64_t outer = positional::product(Sizes(sizes.begin(), sizes.begin() + axis));
  for (std::int64_t o = 0; o < outer; ++o)
    for (const DataPtr& one : in) {
      std::size_t block = one->count() / static_cast<std::size_t>(std::max<std::int64_t>(outer, 1));
      for (std::size_t i = 0; i < block; ++i) {
        std::size_t from = static_cast<std::size_t>(o) * block + i;
        if (out.floating()) out.reals.push_back(one->reals[from]);
        else out.integers.push_back(one->integers[from]);
      }
    }
  if (static_cast<std::int64_t>(out.count()) != positional::product(sizes)) return std::nullopt;
  return out;
}

std::optional<Data> foldGather(const Node& node, const Inputs& in, const Model&) {
  if (in.size() < 2 || in[1]->floating()) return std::nullopt;
  const Data& data = *in[0];
  const Data& ids = *in[1];
  std::int64_t axis = node.integer("axis", 0);
  if (axis < 0) axis += static_cast<std::int64_t>(data.sizes.size());
  if (axis < 0 || axis >= static_cast<std::int64_t>(data.sizes.size())) return std::nullopt;
  Sizes outer(data.sizes.begin(), data.sizes.begin() + axis), inner(data.sizes.begin() + axis + 1, data.sizes.end());
  Sizes sizes = outer;
  sizes.insert(sizes.end(), ids.sizes.begin(), ids.sizes.end());
  sizes.insert(sizes.end(), inner.begin(), inner.end());
  if (!fits(sizes)) return std::nullopt;
  Data out = empty(data.dtype, sizes);
  auto rows = data.sizes[static_cast<std::size_t>(axis)], block = positional::product(inner);
  std::size_t to = 0;
  for (std::int64_t o = 0; o < positional::product(outer); ++o)
    for (std::int64_t id : ids.integers) {
      if (id < 0) id += rows;
      if (id < 0 || id >= rows) return std::nullopt;
      for (std::int64_t i = 0; i < block; ++i) copyElement(data, static_cast<std::size_t>((o * rows + id) * block + i), out, to++);
    }
  return out;
}

std::optional<Data> foldSlice(const Node& node, const Inputs& in, const Model&) {
  std::optional<std::vector<Cut>> cuts = sliceCuts(node, in, in[0]->sizes);
  if (!cuts) return std::nullopt;
  const Data& data = *in[0];
  Sizes sizes = data.sizes;
  for (const Cut& cut : *cuts) sizes[cut.axis] = cut.count;
  Data out = empty(data.dtype, sizes);
  for (std::size_t linear = 0; linear < out.count(); ++linear) {
    std::size_t rest = linear, from = 0, stride = 1;
    for (std::size_t k = sizes.size(); k-- > 0;) {
      auto at = static_cast<std::int64_t>(rest % static_cast<std::size_t>(sizes[k]));
      rest /= static_cast<std::size_t>(sizes[k]);
      for (const Cut& cut : *cuts)
        if (cut.axis == k) at = cut.start + at * cut.step;
      from += static_cast<std::size_t>(at) * stride;
      stride *= static_cast<std::size_t>(data.sizes[k]);
    }
    copyElement(data, from, out, linear);
  }
  return out;
}

std::optional<Data> foldUnsqueeze(const Node& node, const Inputs& in, const Model&) {
  DataPtr named = in.size() > 1 ? in[1] : nullptr;
  std::size_t added = named ? named->count() : node.integers("axes").value_or(std::vector<std::int64_t>{}).size();
  auto axes = axesOf(node, named, in[0]->sizes.size() + added);
  if (!axes) return std::nullopt;
  Data out = *in[0];
  for (std::int64_t axis : *axes) {
    if (axis > static_cast<std::int64_t>(out.sizes.size())) return std::nullopt;
    out.sizes.insert(out.sizes.begin() + axis, 1);
  }
  return out;
}

std::optional<Data> foldSqueeze(const Node& node, const Inputs& in, const Model&) {
  auto axes = axesOf(node, in.size() > 1 ? in[1] : nullptr, in[0]->sizes.size());
  Data out = *in[0];
  out.sizes.clear();
  for (std::size_t i = 0; i < in[0]->sizes.size(); ++i) {
    bool named = axes ? std::binary_search(axes->begin(), axes->end(), static_cast<std::int64_t>(i)) : in[0]->sizes[i] == 1;
    if (named && in[0]->sizes[i] != 1) return std::nullopt;
    if (!named) out.sizes.push_back(in[0]->sizes[i]);
  }
  return out;
}

std::optional<Data> foldReshape(const Node& node, const Inputs& in, const Model&) {
  std::vector<std::int64_t> wanted = in.size() > 1 ? in[1]->integers : node.integers("shape").value_or(std::vector<std::int64_t>{});
  std::int64_t known = 1;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] == 0 && node.integer("allowzero", 0) == 0 && i < in[0]->sizes.size()) wanted[i] = in[0]->sizes[i];
    if (wanted[i] > mostElements) return std::nullopt;
    if (wanted[i] > 0) known *= wanted[i];
    if (known > mostElements) return std::nullopt;
  }
  for (std::int64_t& size : wanted)
    if (size == -1) size = known == 0 ? 0 : static_cast<std::int64_t>(in[0]->count()) / known;
  for (std::int64_t size : wanted)
    if (size < 0) return std::nullopt;
  if (!fits(wanted) || positional::product(wanted) != static_cast<std::int64_t>(in[0]->count())) return std::nullopt;
  Data out = *in[0];
  out.sizes = wanted;
  return out;
}

std::optional<Data> foldFlatten(const Node& node, const Inputs& in, const Model&) {
  auto rank = static_cast<std::int64_t>(in[0]->sizes.size());
  std::int64_t axis = node.integer("axis", 1);
  if (axis < 0) axis += rank;
  if (axis < 0 || axis > rank) return std::nullopt;
  Data out = *in[0];
  out.sizes = {positional::product(Sizes(in[0]->sizes.begin(), in[0]->sizes.begin() + axis)), positional::product(Sizes(in[0]->sizes.begin() + axis, in[0]->sizes.end()))};
  return out;
}

std::optional<Data> foldTranspose(const Node& node, const Inputs& in, const Model&) {
  std::size_t rank = in[0]->sizes.size();
  std::vector<std::int64_t> order = node.integers("perm").value_or(std::vector<std::int64_t>{});
  if (order.empty())
    for (std::size_t i = rank; i-- > 0;) order.push_back(static_cast<std::int64_t>(i));
  if (order.size() != rank) return std::nullopt;
  std::vector<std::size_t> stride(rank, 1);
  for (std::size_t i = rank; i-- > 1;) stride[i - 1] = stride[i] * static_cast<std::size_t>(in[0]->sizes[i]);
  Sizes sizes;
  for (std::int64_t axis : order) {
    if (axis < 0 || axis >= static_cast<std::int64_t>(rank)) return std::nullopt;
    sizes.push_back(in[0]->sizes[static_cast<std::size_t>(axis)]);
  }
  if (positional::product(sizes) != static_cast<std::int64_t>(in[0]->count())) return std::nullopt;
  Data out = empty(in[0]->dtype, sizes);
  for (std::size_t linear = 0; linear < out.count(); ++linear) {
    std::size_t rest = linear, from = 0;
    for (std::size_t k = rank; k-- > 0;) {
      from += rest % static_cast<std::size_t>(sizes[k]) * stride[static_cast<std::size_t>(order[k])];
      rest /= static_cast<std::size_t>(sizes[k]);
    }
    copyElement(*in[0], from, out, linear);
  }
  return out;
}

}  // namespace

const std::map<std::string, Folder>& movers() {
  static const std::map<std::string, Folder> table{{"Concat", foldConcat}, {"Gather", foldGather}, {"Slice", foldSlice}, {"Unsqueeze", foldUnsqueeze}, {"Squeeze", foldSqueeze},
                                                   {"Reshape", foldReshape}, {"Flatten", foldFlatten}, {"Transpose", foldTranspose}};
  return table;
}

}  // namespace folding


using folding::Inputs;
using positional::Node;

std::optional<std::vector<std::int64_t>> axesOf(const Node& node, const DataPtr& input, std::size_t rank) {
  std::optional<std::vector<std::int64_t>> axes = input ? std::optional(input->integers) : node.integers("axes");
  if (!axes) return std::nullopt;
  for (std::int64_t& axis : *axes) {
    if (axis < 0) axis += static_cast<std::int64_t>(rank);
    if (axis < 0 || axis >= static_cast<std::int64_t>(rank)) return std::nullopt;
  }
  std::sort(axes->begin(), axes->end());
  return axes;
}

std::optional<std::vector<Cut>> sliceCuts(const Node& node, const Inputs& in, const Sizes& sizes) {
  auto list = [&](std::size_t input, const char* attribute) -> std::optional<std::vector<std::int64_t>> {
    if (input < in.size() && in[input]) return in[input]->integers;
    return node.integers(attribute);
  };
  auto starts = list(1, "starts"), ends = list(2, "ends"), axes = list(3, "axes"), steps = list(4, "steps");
  if (!starts || !ends || starts->size() != ends->size()) return std::nullopt;
  std::vector<Cut> cuts;
  for (std::size_t i = 0; i < starts->size(); ++i) {
    std::int64_t axis = axes && i < axes->size() ? (*axes)[i] : static_cast<std::int64_t>(i);
    if (axis < 0) axis += static_cast<std::int64_t>(sizes.size());
    std::int64_t step = steps && i < steps->size() ? (*steps)[i] : 1;
    if (axis < 0 || axis >= static_cast<std::int64_t>(sizes.size()) || step == 0 || step == std::numeric_limits<std::int64_t>::min()) return std::nullopt;
    std::int64_t size = sizes[static_cast<std::size_t>(axis)];
    auto bound = [&](std::int64_t at, std::int64_t low, std::int64_t high) { return std::clamp(at < 0 ? at + size : at, low, high); };
    std::int64_t start = step > 0 ? bound((*starts)[i], 0, size) : bound((*starts)[i], 0, size - 1);
    std::int64_t end = step > 0 ? bound((*ends)[i], 0, size) : bound((*ends)[i], -1, size - 1);
    bool any = step > 0 ? end > start : start > end;
    std::int64_t count = !any ? 0 : step > size || -step > size ? 1 : step > 0 ? (end - start + step - 1) / step : (start - end - step - 1) / -step;
    cuts.push_back({static_cast<std::size_t>(axis), start, step, std::max<std::int64_t>(count, 0)});
  }
  return cuts;
}

}  // namespace core
