#include "core/cost/calibration.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace core {
namespace {

void checkSamples(std::size_t sizes, const char* what) {
  if (sizes < 2)
    throw Error{.what = std::string("too few sizes of ") + what + " were measured", .where = "calibration", .right = "at least two sizes"};
}

// One figure a size: the fastest, for everything that disturbs a measurement makes it slower.
template <class Sample>
std::map<double, double> fastestBySize(std::span<const Sample> samples, double Sample::*size) {
  std::map<double, double> fastest;
  for (const Sample& sample : samples) {
    if (!(sample.*size > 0) || !(sample.seconds > 0) || !std::isfinite(sample.seconds)) continue;
    const auto [found, isNew] = fastest.try_emplace(sample.*size, sample.seconds);
    if (!isNew) found->second = std::min(found->second, sample.seconds);
  }
  return fastest;
}

}  // namespace

LatencyAndBandwidth fitLatencyAndBandwidth(std::span<const TimedBytes> samples) {
  const std::map<double, double> fastest = fastestBySize(samples, &TimedBytes::bytes);
  checkSamples(fastest.size(), "messages");
  // With weights 1/t²: minimise sum ((a + b x - t)/t)², normal equations in u = 1/t, v = x/t.
  double uu = 0, uv = 0, vv = 0, u1 = 0, v1 = 0;
  for (const auto& [bytes, seconds] : fastest) {
    const double u = 1 / seconds, v = bytes / seconds;
    uu += u * u;
    uv += u * v;
    vv += v * v;
    u1 += u;
    v1 += v;
  }
  const double determinant = uu * vv - uv * uv;
  const double slope = (uu * v1 - uv * u1) / determinant;
  if (!(determinant > 0) || !(slope > 0))
    throw Error{.what = "larger messages took no longer than small ones", .where = "calibration", .right = "a quieter machine, or more sizes"};
  const double latency = (u1 - slope * uv) / uu;
  return {std::max(0.0, latency), 1 / slope};
}

PeakAndEfficiency fitPeakAndEfficiency(std::span<const TimedFlops> samples) {
  const std::map<double, double> fastest = fastestBySize(samples, &TimedFlops::flops);
  checkSamples(fastest.size(), "products");
  PeakAndEfficiency fit;
  for (const auto& [flops, seconds] : fastest) fit.peak = std::max(fit.peak, flops / seconds);
  for (const auto& [flops, seconds] : fastest) fit.efficiency.push_back({flops, std::min(1.0, flops / seconds / fit.peak)});
  return fit;
}

Machine machineFrom(const Measurements& measured, const std::string& name) {
  const std::string source = measured.when.empty() ? "measured" : "measured " + measured.when;
  const LatencyAndBandwidth link = fitLatencyAndBandwidth(measured.messages);
  const LatencyAndBandwidth copy = fitLatencyAndBandwidth(measured.copies);
  const PeakAndEfficiency products = fitPeakAndEfficiency(measured.products);
  Machine machine{.name = name};
  machine.levels.push_back({.name = "this machine's memory", .devices = measured.ranks, .topology = Topology::fullyConnected,
                            .bandwidth = {link.bandwidth, source}, .latency = {link.latency, source}});
  machine.peak[DType::f32] = {products.peak, source};
  if (!measured.doubleProducts.empty()) machine.peak[DType::f64] = {fitPeakAndEfficiency(measured.doubleProducts).peak, source};
  machine.memory = {measured.memoryBytes, source + ": the machine's memory over its ranks"};
  machine.memoryBandwidth = {copy.bandwidth, source};
  machine.launch = {measured.launchSeconds, source};
  machine.efficiency = products.efficiency;
  return machine;
}

}  // namespace core
