#include "tests/support/job.h"

#include <numeric>

#include "core/base/error.h"
#include "core/ops/expand.h"

namespace tests {

using namespace core;

namespace {

std::map<TensorId, Array> byTensor(const Graph& graph, const std::map<std::string, Array>& inputs) {
  std::map<TensorId, Array> given;
  for (const auto& [name, values] : inputs) given[graph.findTensor(name).value()] = values;
  return given;
}

const Layout& legal(const Layout& layout, const Graph& graph, const Mesh& mesh) {
  for (const Diagnostic& one : check(layout, graph, mesh))
    if (one.severity == Diagnostic::Severity::error) throw Error{.what = one.text()};
  return layout;
}

}  // namespace

Array filled(Sizes sizes, double value) {
  const auto count = static_cast<std::size_t>(elementsOf(sizes));
  return {std::move(sizes), std::vector<double>(count, value)};
}

Array arange(Sizes sizes) {
  Array array = filled(std::move(sizes), 0);
  std::iota(array.values.begin(), array.values.end(), 0.0);
  return array;
}

TensorId Job::input(const std::string& name, std::string_view shape, Array values) {
  inputs[name] = std::move(values);
  return build.input(name, shape);
}

GraphRun Job::run(Layout layout, const std::string& text) const {
  const Graph graph = expand(build.graph());
  const Mesh mesh = Mesh::of(text);
  GraphRun done = runGraph(graph, legal(layout, graph, mesh), mesh, byTensor(graph, inputs));
  if (!done.wrong.empty()) throw Error{.what = done.wrong[0]};
  return done;
}

Program Job::program(const std::string& layout, const std::string& text) const {
  const Graph graph = expand(build.graph());
  const Mesh mesh = Mesh::of(text);
  return partition(graph, legal(Layout::of(layout), graph, mesh), mesh, {}).program;
}

Analysis Job::analysed(const std::string& layout, const std::string& mesh) const {
  auto plan = std::make_shared<Plan>();
  plan->graph = std::make_shared<const Graph>(build.graph());
  plan->variants = {{.name = "A", .mesh = Mesh::of(mesh), .layout = Layout::of(layout)}};
  return analyze(std::move(plan), 0);
}

Array Job::whole() const {
  const Graph& graph = build.graph();
  return evaluateGraph(graph, byTensor(graph, inputs))[graph.outputs[0].index()];
}

const Buffer& bufferOf(const Program& program, const std::string& name) {
  for (const Buffer& buffer : program.buffers)
    if (buffer.name == name) return buffer;
  throw Error{.what = "the program has no buffer of " + name};
}

Sizes blocks(const Program& program, const std::string& tensor, std::size_t dim) {
  const Buffer& buffer = bufferOf(program, tensor);
  Sizes sizes;
  for (std::int64_t rank = 0; rank < program.mesh.devices(); ++rank)
    sizes.push_back(
        rangeOf(buffer.placement, dim, buffer.sizes[dim], program.mesh, program.mesh.coordinate(rank)).size);
  return sizes;
}

}  // namespace tests
