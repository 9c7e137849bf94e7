#pragma once

#include <memory>
#include <string>

#include "core/graph/fold.h"
#include "core/ops/builder.h"
#include "core/plan/analyze.h"

// A small GPT as an exporter writes it, and an analysis of it as `batch:data;heads:model;ffn:model` gives, made by
// hand: the canvas is tested without the propagation.

namespace sample {

inline core::TensorId norm(core::GraphBuilder& build, core::TensorId x, const std::string& scope,
                           const std::string& name) {
  build.pushScope(scope);
  core::Shape d{*build.graph().findDim("d_model")};
  core::TensorId scale = build.parameter(name + ".weight", d), bias = build.parameter(name + ".bias", d);
  core::TensorId mean = build.mean(x, d);
  core::TensorId centred = build.minus(x, mean);
  core::TensorId y = build.plus(build.times(centred, scale), bias);
  build.popScope();
  return y;
}

inline core::TensorId block(core::GraphBuilder& build, core::TensorId x, int layer) {
  std::string name = "h." + std::to_string(layer);
  build.pushScope(name);
  core::TensorId a = norm(build, x, "ln_1", name + ".ln_1");
  build.pushScope("attn");
  core::TensorId heads[3];
  const char* parts[] = {"q", "k", "v"};
  for (int i = 0; i < 3; ++i) {
    core::TensorId w = build.parameter(name + ".attn." + parts[i] + ".weight", "d_model heads:4 head_dim:16");
    build.pushScope(parts[i]);
    heads[i] = build.einsum({a, w}, "batch heads seq head_dim");
    build.popScope();
  }
  core::TensorId keys = build.rename(heads[1], *build.graph().findDim("seq"),
                                     build.dim("keys", build.graph().size(*build.graph().findDim("seq"))));
  core::TensorId values = build.rename(heads[2], *build.graph().findDim("seq"), *build.graph().findDim("keys"));
  core::TensorId scores = build.unary(core::Function::exp, build.einsum({heads[0], keys}, "batch heads seq keys"));
  core::TensorId out = build.einsum({scores, values}, "batch heads seq head_dim");
  core::TensorId proj = build.parameter(name + ".attn.c_proj.weight", "heads head_dim d_model");
  build.pushScope("c_proj");
  out = build.einsum({out, proj}, "batch seq d_model");
  build.popScope();
  build.popScope();
  x = build.plus(x, out);
  core::TensorId b = norm(build, x, "ln_2", name + ".ln_2");
  build.pushScope("mlp");
  core::TensorId up = build.parameter(name + ".mlp.c_fc.weight", "d_model ffn:256"),
                 down = build.parameter(name + ".mlp.c_proj.weight", "ffn d_model");
  build.pushScope("c_fc");
  b = build.einsum({b, up}, "batch seq ffn");
  build.popScope();
  b = build.unary(core::Function::gelu, b);
  build.pushScope("c_proj");
  b = build.einsum({b, down}, "batch seq d_model");
  build.popScope();
  build.popScope();
  x = build.plus(x, b);
  build.popScope();
  return x;
}

inline core::Graph gpt(int layers = 4) {
  core::GraphBuilder build;
  core::TensorId tokens = build.input("tokens", "batch:8 seq:32", core::DType::i64);
  core::TensorId wte = build.parameter("wte.weight", "vocab:256 d_model:64"),
                 wpe = build.parameter("wpe.weight", "seq d_model");
  build.pushScope("wte");
  core::TensorId x = build.gather(wte, *build.graph().findDim("vocab"), tokens);
  build.popScope();
  x = build.plus(x, wpe);
  for (int i = 0; i < layers; ++i) x = block(build, x, i);
  x = norm(build, x, "ln_f", "ln_f");
  core::TensorId logits = build.einsum({x, wte}, "batch seq vocab");
  build.output(logits);
  core::Graph graph = build.take();
  graph.name = "gpt_bytes";
  return graph;
}

// batch over data, heads and ffn over model; the sums after c_proj partial over model and all-reduced.
inline std::shared_ptr<core::Analysis> analysisOf(const core::Graph& graph) {
  auto plan = std::make_shared<core::Plan>();
  plan->graph = std::make_shared<core::Graph>(graph);
  plan->variants.push_back({.name = "A", .mesh = {{{"data", 2}, {"model", 2}}}});
  auto analysis = std::make_shared<core::Analysis>();
  analysis->plan = plan;
  analysis->step = plan->graph;
  std::vector<core::TensorLayout> layouts;
  for (const core::Tensor& tensor : graph.tensors) {
    core::TensorLayout layout{core::Sharding::replicated(tensor.shape.size()),
                              std::vector<core::Origin>(tensor.shape.size(), core::Origin::replicated), ""};
    for (std::size_t d = 0; d < tensor.shape.size(); ++d) {
      const std::string& name = graph[tensor.shape[d]].name;
      if (name == "batch") layout.sharding.dims[d] = {0};
      if (name == "heads" || name == "ffn") layout.sharding.dims[d] = {1};
      if (!layout.sharding.dims[d].empty())
        layout.origins[d] = tensor.kind == core::TensorKind::value ? core::Origin::propagated : core::Origin::rule;
    }
    if (tensor.name.find("c_fc.weight") != std::string::npos) layout.origins[1] = core::Origin::pin;
    layouts.push_back(std::move(layout));
  }
  analysis->layouts = std::move(layouts);
  auto program = std::make_shared<core::Program>();
  program->mesh = plan->variants[0].mesh;
  auto collective = [&](const std::string& tensor, core::CollectiveKind kind, core::AxisList axes, std::int64_t bytes,
                        const std::string& origin, const std::string& bufferName) {
    core::Buffer buffer{
        .name = bufferName, .tensor = tensor.empty() ? core::TensorId() : *graph.findTensor(tensor), .bytes = bytes};
    program->buffers.push_back(buffer);
    core::BufferId id(static_cast<std::int64_t>(program->buffers.size()) - 1);
    core::Instruction start{.kind = core::InstructionKind::start,
                            .name = "all-reduce " + bufferName,
                            .origin = origin,
                            .reason = "a sum over ffn, which model splits"};
    start.inputs = start.outputs = {id};
    start.collective = {.kind = kind, .axes = axes};
    program->instructions.push_back(start);
  };
  for (const core::Operator& op : graph.operators) {
    bool projection = op.name.find("/c_proj/") != std::string::npos;
    if (projection)
      collective(graph[op.outputs[0]].name, core::CollectiveKind::allReduce, {1}, 32768, op.name,
                 graph[op.outputs[0]].name);
  }
  // backward through c_fc: the gradient of what it reads is a sum over ffn
  for (const core::Operator& op : graph.operators)
    if (op.name.find("/c_fc/") != std::string::npos)
      collective("", core::CollectiveKind::allReduce, {1}, 32768, "", "grad/" + op.name + "/einsum");
  for (const core::Tensor& tensor : graph.tensors)
    if (tensor.kind == core::TensorKind::state)
      collective("", core::CollectiveKind::allReduce, {0}, 4096, "", "grad/" + tensor.name);
  analysis->program = program;
  return analysis;
}

}  // namespace sample
