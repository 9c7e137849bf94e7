#include "tests/support/split_cases.h"

#include <fmt/format.h>

#include <cmath>

#include "executor/local_cluster.h"

namespace tests {

using namespace core;

namespace {

constexpr std::size_t mostPairs = 6;

}  // namespace

std::vector<SplitCase> splitCases(const Graph& graph) {
  std::vector<std::string> dims;
  for (const Dim& dim : graph.dims)
    if (dim.size > 1) dims.push_back(dim.name);
  std::vector<SplitCase> cases{{"", ""}};
  for (const std::string& one : dims) cases.push_back({"p:2", one + ":p"});
  for (const std::string& one : dims) cases.push_back({"p:2,q:2", one + ":p;" + one + ":q"});
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < dims.size(); ++i)
    for (std::size_t j = i + 1; j < dims.size() && pairs < mostPairs; ++j, ++pairs) cases.push_back({"p:2,q:2", dims[i] + ":p;" + dims[j] + ":q"});
  return cases;
}

std::string differs(std::size_t output, const std::vector<double>& found, const std::vector<double>& wanted, const Tolerance& tolerance) {
  if (found.size() != wanted.size()) return fmt::format("output {} has {} elements, not {}", output, found.size(), wanted.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (found[k] == wanted[k] || (std::isnan(found[k]) && std::isnan(wanted[k]))) continue;
    if (!(std::abs(found[k] - wanted[k]) <= tolerance.absolute + tolerance.relative * std::abs(wanted[k]))) return fmt::format("output {}, element {}: {}, recorded {}", output, k, found[k], wanted[k]);
  }
  return {};
}

std::string differs(const Analysis& analysis, const std::vector<TensorFile>& inputs, const std::vector<TensorFile>& outputs, const std::vector<Tolerance>& tolerances) {
  const Program& program = *analysis.program;
  executor::LocalCluster cluster(program, {});
  for (std::size_t i = 0; i < program.inputs.size() && i < inputs.size(); ++i) {
    const Buffer& buffer = program.buffers[program.inputs[i].index()];
    cluster.set(program.inputs[i], executor::Tensor::of(buffer.dtype, buffer.sizes, executor::Tensor{inputs[i].dtype, buffer.sizes, inputs[i].bytes}.values()));
  }
  cluster.step();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::vector<double> wanted = executor::Tensor{outputs[i].dtype, outputs[i].sizes, outputs[i].bytes}.values();
    if (std::string problem = differs(i, cluster.get(program.outputs[i]).values(), wanted, tolerances.at(i)); !problem.empty()) return problem;
  }
  return {};
}

}  // namespace tests
