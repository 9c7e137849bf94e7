#include "core/mesh/machine.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace core {
namespace {

class Checker {
 public:
  explicit Checker(const Machine& machine) : where_("machine " + machine.name) {}

  void figure(const Figure& figure, const std::string& what, bool zeroIsFine = false) {
    const bool good = std::isfinite(figure.value) && (figure.value > 0 || (zeroIsFine && figure.value == 0));
    if (!good) wrong(what + " is not a positive number", zeroIsFine ? "0 or more" : "a number above 0");
    if (figure.source.empty()) wrong(what + " has no source", "where the figure is from");
  }

  void wrong(const std::string& what, const std::string& right) {
    found_.push_back(Diagnostic{.what = what, .where = where_, .right = right});
  }

  std::vector<Diagnostic> take() { return std::move(found_); }

 private:
  std::string where_;
  std::vector<Diagnostic> found_;
};

void checkLevels(const Machine& machine, Checker& checker) {
  if (machine.levels.empty()) checker.wrong("it has no levels", "at least one, the innermost first");
  std::int64_t product = 1;
  for (const MachineLevel& level : machine.levels) {
    const std::string name = "level '" + level.name + "'";
    if (level.devices < 1) checker.wrong(name + " joins " + std::to_string(level.devices) + " devices", "1 or more");
    if (level.devices >= 1 && __builtin_mul_overflow(product, level.devices, &product)) {
      checker.wrong("the levels join more devices than can be counted", "fewer devices in " + name);
      product = 1;
    }
    checker.figure(level.bandwidth, "the bandwidth of " + name);
    checker.figure(level.latency, "the latency of " + name, true);
  }
}

void checkEfficiency(const Machine& machine, Checker& checker) {
  double before = 0;
  for (const auto& [flops, share] : machine.efficiency) {
    if (!(flops > before) || !std::isfinite(flops)) checker.wrong("the efficiency's flops do not ascend", "ascending numbers above 0");
    if (!(share > 0 && share <= 1)) checker.wrong("an efficiency is not in (0, 1]", "the share of peak that is reached");
    before = flops;
  }
}

}  // namespace

std::vector<Diagnostic> check(const Machine& machine) {
  Checker checker(machine);
  checkLevels(machine, checker);
  if (machine.peak.count(DType::f32) == 0) checker.wrong("it has no peak for f32", "flops per second of f32 products");
  for (const auto& [type, figure] : machine.peak) checker.figure(figure, "the peak of " + std::string(toString(type)));
  checker.figure(machine.memory, "the memory");
  if (machine.memory.value > 9e18) checker.wrong("the memory is more than can be counted", "bytes, below 2^63");
  checker.figure(machine.memoryBandwidth, "the memory bandwidth");
  checker.figure(machine.launch, "the launch time", true);
  checkEfficiency(machine, checker);
  return checker.take();
}

std::optional<Diagnostic> check(const Mesh& mesh, const Machine& machine) {
  const std::int64_t needed = mesh.devices(), there = devices(machine);
  if (needed <= there) return std::nullopt;
  return Diagnostic{.what = "the mesh needs " + std::to_string(needed) + " devices, the machine has " + std::to_string(there),
                    .where = "machine " + machine.name,
                    .right = "a smaller mesh or a larger machine; its outermost links are taken to reach as far",
                    .severity = Diagnostic::Severity::warning};
}

std::int64_t devices(const Machine& machine) { return strideOf(machine, machine.levels.size()); }

std::int64_t strideOf(const Machine& machine, std::size_t level) {
  std::int64_t product = 1;
  for (std::size_t i = 0; i < level; ++i) product *= machine.levels[i].devices;
  return product;
}

double peakOf(const Machine& machine, DType type) {
  const auto found = machine.peak.find(type);
  return found != machine.peak.end() ? found->second.value : machine.peak.at(DType::f32).value;
}

double efficiencyOf(const Machine& machine, double flops) {
  const auto& samples = machine.efficiency;
  if (samples.empty()) return 1;
  const auto above = std::find_if(samples.begin(), samples.end(), [&](const auto& sample) { return sample.first >= flops; });
  if (above == samples.begin()) return samples.front().second;
  if (above == samples.end()) return samples.back().second;
  const auto below = above - 1;
  const double share = std::log(flops / below->first) / std::log(above->first / below->first);
  return below->second + share * (above->second - below->second);
}

}  // namespace core
