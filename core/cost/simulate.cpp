#include "core/cost/simulate.h"

#include <algorithm>
#include <map>

namespace core {
namespace {

bool isCollective(const Instruction& one) { return one.kind == InstructionKind::start || one.kind == InstructionKind::control; }

// The clocks of one class of devices.
struct Clocks {
  double device = 0;
  double links = 0;
};

class Simulation {
 public:
  explicit Simulation(const Cost& cost) : cost_(cost), clocks_(cost.devices.size()), traces_(cost.devices.size()) {
    for (std::size_t i = 0; i < traces_.size(); ++i) {
      traces_[i].coordinate = cost.devices[i].coordinate;
      traces_[i].devices = cost.devices[i].devices;
    }
  }

  std::vector<PredictedTrace> run() {
    const std::size_t count = cost_.devices.front().instructions.size();
    for (std::size_t i = 0; i < count; ++i) {
      const Instruction& one = *cost_.devices.front().instructions[i].instruction;
      if (isCollective(one)) communicate(i, one);
      else if (one.kind == InstructionKind::wait) wait(i, one);
      else compute(i);
    }
    for (std::size_t i = 0; i < traces_.size(); ++i) traces_[i].seconds = std::max(clocks_[i].device, clocks_[i].links);
    return std::move(traces_);
  }

 private:
  double seconds(std::size_t device, std::size_t instruction) const {
    return *cost_.devices[device].instructions[instruction].cost.seconds;
  }

  void add(std::size_t device, std::size_t instruction, double start, double end, bool communication) {
    if (end > start) traces_[device].spans.push_back({instruction, start, end, communication});
  }

  void compute(std::size_t i) {
    for (std::size_t d = 0; d < clocks_.size(); ++d) {
      const double start = clocks_[d].device;
      clocks_[d].device = start + seconds(d, i);
      add(d, i, start, clocks_[d].device, false);
    }
  }

  void communicate(std::size_t i, const Instruction& one) {
    double start = 0, end = 0;
    for (const Clocks& clocks : clocks_) start = std::max({start, clocks.device, clocks.links});
    for (std::size_t d = 0; d < clocks_.size(); ++d) end = std::max(end, start + seconds(d, i));
    for (std::size_t d = 0; d < clocks_.size(); ++d) {
      clocks_[d].links = end;
      add(d, i, start, end, true);
      if (one.kind == InstructionKind::control) clocks_[d].device = end;
    }
    ends_[one.pair] = end;
  }

  void wait(std::size_t i, const Instruction& one) {
    const auto found = ends_.find(one.pair);
    if (found == ends_.end()) return;
    for (std::size_t d = 0; d < clocks_.size(); ++d) {
      const double start = clocks_[d].device;
      clocks_[d].device = std::max(start, found->second);
      add(d, i, start, clocks_[d].device, false);
    }
  }

  const Cost& cost_;
  std::vector<Clocks> clocks_;
  std::vector<PredictedTrace> traces_;
  std::map<int, double> ends_;  // of the last start of a pair
};

}  // namespace

std::vector<PredictedTrace> simulate(const Cost& cost) {
  if (cost.devices.empty() || !cost.devices.front().computeSeconds) return {};
  return Simulation(cost).run();
}

}  // namespace core
