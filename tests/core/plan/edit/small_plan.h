#pragma once

#include "core/plan/plan.h"

// x [batch:8 d_model:16] times W [d_model:16 ffn:32] is h, relu(h) is y; the mesh is data:2,model:2.
inline core::Plan smallPlan() {
  using namespace core;
  Graph graph;
  graph.name = "small";
  graph.dims = {{"batch", 8}, {"d_model", 16}, {"ffn", 32}, {"seq", 0}};
  DimId batch(0), model(1), ffn(2);
  graph.tensors = {Tensor{.name = "x", .shape = {batch, model}, .kind = TensorKind::input},
                   Tensor{.name = "W", .shape = {model, ffn}, .kind = TensorKind::state, .source = Initializer{}},
                   Tensor{.name = "mlp/h", .shape = {batch, ffn}, .producer = OperatorId(0)},
                   Tensor{.name = "mlp/y", .shape = {batch, ffn}, .producer = OperatorId(1)}};
  graph.operators = {
      Operator{.name = "mlp/h", .kind = "einsum", .inputs = {TensorId(0), TensorId(1)}, .outputs = {TensorId(2)}},
      Operator{.name = "mlp/y", .kind = "relu", .inputs = {TensorId(2)}, .outputs = {TensorId(3)}}};
  graph.outputs = {TensorId(2), TensorId(3)};
  Variant variant{.name = "A", .mesh = Mesh::of("data:2,model:2")};
  return Plan{.name = "small", .graph = std::make_shared<const Graph>(graph), .variants = {variant}};
}

inline const core::Layout& layoutOf(const core::Plan& plan) {
  return plan.variant().layout;
}
