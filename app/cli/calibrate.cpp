#include <fmt/format.h>

#include <memory>
#include <thread>

#include "app/cli/measure.h"
#include "app/cli/new_plan.h"
#include "app/cli/table.h"
#include "app/cli/verbs.h"
#include "core/base/units.h"
#include "core/io/machine_files.h"

namespace app {
namespace {

struct Options {
  std::string output;
  MeasureOptions measure;
};

int calibrate(const Options& options) {
  fmt::print(stderr, "measuring with {} ranks of {} threads, {} steps; other work on this machine makes the figures worse\n", options.measure.ranks, options.measure.threads, options.measure.steps);
  const core::Machine machine = core::machineFrom(measureMachine(options.measure), planName(options.output));
  core::writeMachine(machine, options.output);
  Table table({"figure", "value"}, {Table::Side::left, Table::Side::right});
  for (const auto& [type, figure] : machine.peak) table.row({fmt::format("peak {}", core::toString(type)), fmt::format("{:.3g} Gflop/s", figure.value / 1e9)});
  for (const core::MachineLevel& level : machine.levels) {
    table.row({level.name + ": bandwidth one way", core::rateText(level.bandwidth.value)});
    table.row({level.name + ": latency", core::secondsText(level.latency.value)});
  }
  table.row({"memory of a rank", core::bytesText(static_cast<std::int64_t>(machine.memory.value))});
  table.row({"memory bandwidth", core::rateText(machine.memoryBandwidth.value)});
  table.row({"launch of an instruction", core::secondsText(machine.launch.value)});
  fmt::print("{}: figures of a rank\n{}", options.output, table.text());
  return done;
}

std::function<int()> declareCalibrate(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  MeasureOptions& measure = options->measure;
  measure.ranks = std::max(2u, std::thread::hardware_concurrency());
  arguments.required("-o,--output", options->output, "FILE", "the machine to write; --machine FILE reads it");
  arguments.number("--ranks", measure.ranks, 2, 1024, "how many ranks exchange messages");
  arguments.number("--threads", measure.threads, 1, 1024, "threads of a rank");
  arguments.number("--steps", measure.steps, 1, 10'000, "how often everything is measured; the best counts");
  arguments.number("--largest", measure.largest, 64, 16'384, "edge of the largest product");
  return [options] { return calibrate(*options); };
}

}  // namespace

Verb calibrateVerb() { return {"calibrate", "Measures this machine and writes its figures.", declareCalibrate}; }

}  // namespace app
