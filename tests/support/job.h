#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/ops/builder.h"
#include "core/plan/analyze.h"
#include "tests/support/run_graph.h"

// A small graph with the numbers that it is fed, to be run under one layout after another.
//
//   Job job;
//   job.build.output(job.build.times(job.input("x", "n:5", arange({5})), 2.0));
//   GraphRun done = job.run("n:x", "x:4,y:2");

namespace tests {

using Sizes = std::vector<std::int64_t>;

core::Array filled(Sizes sizes, double value);
core::Array arange(Sizes sizes);

struct Job {
  core::GraphBuilder build;
  std::map<std::string, core::Array> inputs;

  core::TensorId input(const std::string& name, std::string_view shape, core::Array values);

  // Error where the layout is not legal, where the program does not verify, or where predicted is not counted.
  GraphRun run(core::Layout layout, const std::string& mesh) const;
  GraphRun run(const std::string& layout, const std::string& mesh) const { return run(core::Layout::of(layout), mesh); }
  core::Program program(const std::string& layout, const std::string& mesh) const;  // without running it
  core::Analysis analysed(const std::string& layout, const std::string& mesh) const;
  core::Array whole() const;  // the first output as the evaluator has it
};

const core::Buffer& bufferOf(const core::Program& program, const std::string& name);
Sizes blocks(const core::Program& program, const std::string& tensor, std::size_t dim);  // indices of a dimension, by rank

}  // namespace tests
