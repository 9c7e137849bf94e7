#include "core/layers/relative_bias.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

#include "core/layers/dense.h"
#include "core/layers/named.h"

namespace core {
namespace {

TensorId bucketTable(GraphBuilder& build, const std::string& name, DimId distances,
                     const std::vector<std::int64_t>& buckets) {
  auto bytes = std::make_shared<std::vector<std::byte>>(buckets.size() * sizeof(std::int64_t));
  std::memcpy(bytes->data(), buckets.data(), bytes->size());
  return build.constant(name, Shape{distances}, DType::i64, InlineSource{std::move(bytes)});
}

// Keys minus queries.
TensorId distances(GraphBuilder& build, const std::string& scope, DimId seq, DimId keys) {
  const Named at(build, scope);
  const TensorId rows = at("rows").iota(seq), columns = at("columns").iota(keys);
  return at("distance").minus(columns, rows);
}

}  // namespace

// In single precision, as the model was trained: at the border of two buckets rounding decides.
std::vector<std::int64_t> distanceBuckets(std::int64_t buckets, std::int64_t farthest) {
  const std::int64_t near = buckets / 2;
  std::vector<std::int64_t> found;
  for (std::int64_t distance = 0; distance < farthest; ++distance) {
    if (distance < near) {
      found.push_back(distance);
      continue;
    }
    const float share = std::log(static_cast<float>(distance) / static_cast<float>(near)) /
                        static_cast<float>(std::log(static_cast<double>(farthest) / static_cast<double>(near)));
    const auto step = static_cast<std::int64_t>(share * static_cast<float>(buckets - near));
    found.push_back(std::min(near + step, buckets - 1));
  }
  return found;
}

TensorId relativeBias(GraphBuilder& build, const std::string& name, DimId seq, DimId keys, DimId heads,
                      const RelativeBias& options) {
  const std::string scope = scopeOfLayer(name);
  const Named at(build, scope);
  const std::int64_t all = build.graph().size(options.buckets), oneWay = options.bothWays ? all / 2 : all;
  const DimId rows = build.dim("distances", options.farthest);
  const TensorId table = bucketTable(build, name + ".buckets", rows, distanceBuckets(oneWay, options.farthest));
  const TensorId ahead = distances(build, scope, seq, keys);
  const TensorId size = at("size").unary(options.bothWays ? Function::abs : Function::negate, ahead);
  const TensorId back = options.bothWays ? size : at("back").binary(Function::maximum, size, 0.0);
  const TensorId bounded = at("bounded").binary(Function::minimum, back, static_cast<double>(options.farthest - 1));
  TensorId bucket = at("bucket").gather(table, rows, bounded);
  if (options.bothWays) {
    const TensorId behind = at("is_ahead").binary(Function::greater, ahead, 0.0);
    const TensorId second = at("second_half").plus(bucket, static_cast<double>(oneWay));
    bucket = at("side").select(behind, second, bucket);
  }
  const TensorId learned =
      build.parameter(name + ".weight", Shape{options.buckets, heads}, Initializer{Initializer::Kind::normal, 0, 0.02});
  return at("gather").gather(learned, options.buckets, bucket);
}

}  // namespace core
