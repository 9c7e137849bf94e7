#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/io/element.h"
#include "core/io/naming/relater.h"
#include "core/io/onnx_emitter.h"

// Resize and Upsample, axis by axis: each element of the result is a weighted sum of a few along the axis, which weights and places that are
// known at import name (ONNX, operator Resize; cubic: Keys, "Cubic convolution interpolation", 1981).

namespace core {
namespace {

using Site = Emitter::Site;
using Made = std::vector<TensorId>;

// One of the elements that are summed: for each place of the result which, and with which weight.
struct Tap {
  std::vector<std::int64_t> from;
  std::vector<double> weight;
};

struct Along {
  std::int64_t in = 1, out = 1;
  double scale = 1;
  double start = 0, end = 1;  // of the region that is cropped
};

class Resizing {
 public:
  Resizing(Emitter& emit, const Site& site) : emit_(emit), site_(site) {
    const bool upsample = site.node.type == "Upsample", old = upsample || site.node.opset < 11;
    mode_ = site.node.text("mode", "nearest");
    coordinates_ = site.node.text("coordinate_transformation_mode", old ? "asymmetric" : "half_pixel");
    nearest_ = site.node.text("nearest_mode", old ? "floor" : "round_prefer_floor");
    a_ = site.node.real("cubic_coeff_a", -0.75);
    beyond_ = site.node.real("extrapolation_value", 0);
    if (mode_ == "bilinear") mode_ = "linear";
    if (mode_ != "nearest" && mode_ != "linear" && mode_ != "cubic") throw Error{.what = "mode \"" + mode_ + "\"", .where = {}, .right = "nearest, linear or cubic"};
    if (site.node.integer("antialias", 0) != 0) throw Error{.what = "antialiasing", .where = {}, .right = "without"};
    if (site.node.text("keep_aspect_ratio_policy", "stretch") != "stretch") throw Error{.what = "a policy of aspect ratios", .where = {}, .right = "stretch"};
    if (site.node.attributes.count("axes") > 0) throw Error{.what = "a choice of axes", .where = {}, .right = "all axes"};
  }

  TensorId run() {
    TensorId x = emit_.operand(site_, 0);
    const std::size_t rank = site_.relation.operands[0].axes.size();
    for (std::size_t i = 0; i < rank; ++i) x = along(x, i);
    return emit_.ordered(x, emit_.shape(site_.relation.outputs[0]));
  }

 private:
  // Input `at`, or the attribute of old versions.
  std::vector<double> reals(std::size_t at, const char* attribute) const {
    if (const positional::DataPtr data = emit_.data(site_, at); data && data->floating()) return data->reals;
    const auto given = site_.node.attributes.find(attribute);
    const auto* list = given == site_.node.attributes.end() ? nullptr : std::get_if<std::vector<double>>(&given->second);
    return list ? *list : std::vector<double>{};
  }

  Along axis(std::size_t i) const {
    Along one{emit_.sizesOf(site_.node.input(0)).at(i), emit_.sizesOf(site_.node.outputs.at(0)).at(i)};
    const bool two = site_.node.type == "Upsample" || site_.node.opset < 11;
    const std::vector<double> scales = reals(two ? 1 : 2, "scales"), region = two ? std::vector<double>{} : reals(1, "roi");
    one.scale = i < scales.size() ? scales[i] : static_cast<double>(one.out) / static_cast<double>(one.in);
    if (region.size() == 2 * emit_.sizesOf(site_.node.input(0)).size()) {
      one.start = region[i];
      one.end = region[region.size() / 2 + i];
    }
    return one;
  }

  // Where place x of the result lies in the operand.
  double position(const Along& one, std::int64_t x) const {
    const double in = static_cast<double>(one.in), out = static_cast<double>(one.out), at = static_cast<double>(x);
    if (coordinates_ == "asymmetric") return at / one.scale;
    if (coordinates_ == "align_corners") return one.out == 1 ? 0 : at * (in - 1) / (out - 1);
    if (coordinates_ == "pytorch_half_pixel" && one.out == 1) return 0;
    if (coordinates_ == "half_pixel" || coordinates_ == "pytorch_half_pixel") return (at + 0.5) / one.scale - 0.5;
    if (coordinates_ == "tf_half_pixel_for_nn") return (at + 0.5) / one.scale;
    if (coordinates_ == "half_pixel_symmetric") return in / 2 * (1 - out / (one.scale * in)) + (at + 0.5) / one.scale - 0.5;
    if (coordinates_ == "tf_crop_and_resize") return one.out > 1 ? one.start * (in - 1) + at * (one.end - one.start) * (in - 1) / (out - 1) : 0.5 * (one.start + one.end) * (in - 1);
    throw Error{.what = "coordinates \"" + coordinates_ + "\"", .where = {}, .right = "half_pixel, align_corners, asymmetric ..."};
  }

  double nearest(double at) const {
    if (nearest_ == "floor") return std::floor(at);
    if (nearest_ == "ceil") return std::ceil(at);
    return nearest_ == "round_prefer_ceil" ? std::floor(at + 0.5) : std::ceil(at - 0.5);
  }

  double cubic(double distance) const {
    const double d = std::abs(distance);
    if (d <= 1) return ((a_ + 2) * d - (a_ + 3)) * d * d + 1;
    return d < 2 ? ((a_ * d - 5 * a_) * d + 8 * a_) * d - 4 * a_ : 0;
  }

  // Elements and weights for one place.
  std::vector<std::pair<std::int64_t, double>> terms(const Along& one, double at) const {
    std::vector<std::pair<std::int64_t, double>> found;
    if (mode_ == "nearest") {
      found.emplace_back(static_cast<std::int64_t>(nearest(at)), 1.0);
    } else {
      const double floor = std::floor(at), rest = at - floor;
      const auto first = static_cast<std::int64_t>(floor);
      if (mode_ == "linear") found = {{first, 1 - rest}, {first + 1, rest}};
      else
        for (std::int64_t k = -1; k <= 2; ++k) found.emplace_back(first + k, cubic(static_cast<double>(k) - rest));
    }
    if (mode_ == "cubic" && site_.node.integer("exclude_outside", 0) != 0) {
      double total = 0;
      for (auto& [index, weight] : found) {
        if (index < 0 || index >= one.in) weight = 0;
        total += weight;
      }
      for (auto& [index, weight] : found) weight /= total;
    }
    for (auto& [index, weight] : found) index = std::clamp<std::int64_t>(index, 0, one.in - 1);
    return found;
  }

  TensorId along(TensorId x, std::size_t i) {
    const Along one = axis(i);
    const Shape from = emit_.shape(site_.relation.operands[0].axes[i]), into = emit_.shape(site_.relation.outputs[0][i]);
    if (one.in == one.out && one.scale == 1 && (coordinates_ != "tf_crop_and_resize" || (one.start == 0 && one.end == 1))) return x;
    if (from.size() > 1 || into.size() > 1 || (from == into && !from.empty())) throw Error{.what = "an axis that it resizes is several dimensions, or keeps its size", .where = {}, .right = "one dimension each"};
    if (!from.empty() && emit_.build.graph().size(from[0]) == 0) throw Error{.what = naming::openSymbol, .where = {}, .right = {}};
    std::vector<Tap> taps;
    std::vector<double> outside;
    for (std::int64_t p = 0; p < one.out; ++p) {
      const double at = position(one, p);
      const bool off = coordinates_ == "tf_crop_and_resize" && (at < 0 || at > static_cast<double>(one.in - 1));
      outside.push_back(off ? beyond_ : 0);
      const auto found = terms(one, at);
      taps.resize(found.size());
      for (std::size_t t = 0; t < found.size(); ++t) {
        taps[t].from.push_back(found[t].first);
        taps[t].weight.push_back(off ? 0 : found[t].second);
      }
    }
    std::erase_if(taps, [](const Tap& tap) { return std::all_of(tap.weight.begin(), tap.weight.end(), [](double w) { return w == 0; }); });
    TensorId sum;
    for (const Tap& tap : taps) {
      const TensorId term = weighted(taken(x, from, into, tap), into, tap.weight);
      sum = sum.valid() ? emit_.build.plus(sum, term) : term;
    }
    if (!sum.valid()) sum = emit_.build.times(taken(x, from, into, {std::vector<std::int64_t>(outside.size(), 0), {}}), 0.0);
    if (std::any_of(outside.begin(), outside.end(), [](double value) { return value != 0; })) sum = emit_.build.plus(sum, constant(outside, into));
    return sum;
  }

  TensorId taken(TensorId x, const Shape& from, const Shape& into, const Tap& tap) {
    if (from.empty() && into.empty()) return x;
    if (into.empty()) return emit_.build.pick(x, from[0], tap.from[0]);
    if (from.empty()) {
      Shape shape = emit_.build.graph()[x].shape;
      shape.push_back(into[0]);
      return emit_.build.broadcast(x, shape);
    }
    positional::Data places{.dtype = DType::i64, .sizes = {static_cast<std::int64_t>(tap.from.size())}, .integers = tap.from, .reals = {}};
    return emit_.build.gather(x, from[0], stored("places", places, into));
  }

  TensorId weighted(TensorId x, const Shape& into, const std::vector<double>& weight) {
    if (std::all_of(weight.begin(), weight.end(), [&](double w) { return w == weight[0]; })) return weight[0] == 1 ? x : emit_.build.times(x, weight[0]);
    return emit_.build.times(x, constant(weight, into));
  }

  TensorId constant(const std::vector<double>& values, const Shape& into) {
    const DType type = emit_.outputType(site_);
    if (!isFloating(type)) throw Error{.what = "integers between elements", .where = {}, .right = "floats, or the nearest element"};
    if (into.empty()) return emit_.build.scalar(values[0], type);
    return stored("weights", positional::Data{.dtype = type, .sizes = {static_cast<std::int64_t>(values.size())}, .integers = {}, .reals = values}, into);
  }

  TensorId stored(const char* what, const positional::Data& data, const Shape& into) {
    const std::string& output = emit_.model.values[static_cast<std::size_t>(site_.node.outputs[0])].name;
    return emit_.build.constant(fmt::format("{}/{}_{}", output, what, constants_++), into, data.dtype, InlineSource{std::make_shared<const std::vector<std::byte>>(writeElements(data))});
  }

  Emitter& emit_;
  const Site& site_;
  std::string mode_, coordinates_, nearest_;
  double a_ = -0.75, beyond_ = 0;
  int constants_ = 0;
};

Made resize(Emitter& emit, const Site& site) { return {Resizing(emit, site).run()}; }

}  // namespace

const std::map<std::string, EmitRule>& emitResize() {
  static const std::map<std::string, EmitRule> table{{"Resize", resize}, {"Upsample", resize}};
  return table;
}

}  // namespace core
