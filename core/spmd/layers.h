#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/layout/layout.h"
#include "core/mesh/mesh.h"

// The equal layers of a model in the graph of its whole step. A layer's operators stand in it forward, backward and in the
// optimizer, each time one layer after the other (backward in the opposite order). What is true of one of them between its
// neighbours is true of all, so that a graph of four layers is partitioned in place of one of a hundred
// (TAPAS: Shi et al., "TAPAS: Fast and Automatic Derivation of Tensor Parallel Strategies for Large Neural Networks", 2023, fold
// repeated blocks in the same way for their search).

namespace core {

struct Layers {
  // A tensor's part in its layer: "the query weight", "the gradient of the residual". -1: it belongs to no layer.
  struct Place {
    int role = -1;
    int layer = 0;
  };
  int count = 0;
  std::vector<Place> places;                    // per tensor
  std::vector<std::vector<TensorId>> members;   // per role and layer; the first and the last layer may lack some
  std::vector<std::string> labels;              // per layer: the number in its names, "7" of "h.7/attn/q"

  Place operator[](TensorId tensor) const { return places[tensor.index()]; }
};

// Layers that differ in names alone: kinds, attributes, shapes, wiring, pins and choices are the same, but that the first and the last may be
// fed and read otherwise. None where there are fewer than four, or anything but a neighbour reads a layer in the middle.
std::optional<Layers> findLayers(const Graph& graph, const Layout& layout, const Mesh& mesh, TensorId loss);

// The same model with fewer layers: the first two and the last two.
struct Shortened {
  Graph graph;
  std::vector<TensorId> original;  // per tensor of the short graph
  std::vector<Layers::Place> places;  // per tensor of the short graph: with its number among the layers that are left
  std::vector<int> layers;         // per layer that is left: its number in the whole
};
std::optional<Shortened> shorten(const Graph& graph, const Layers& layers);

}  // namespace core
