#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/graph/graph.h"
#include "core/layout/layout.h"
#include "core/mesh/machine.h"
#include "core/mesh/mesh.h"

// All that is saved. Everything else is derived from it.

namespace core {

enum class OptimizerKind : std::uint8_t { sgd, momentum, adam };

struct OptimizerSettings {
  OptimizerKind kind = OptimizerKind::adam;
  double learningRate = 1e-3;
  double momentum = 0.9;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  bool operator==(const OptimizerSettings&) const = default;
};

enum class LossKind : std::uint8_t { automatic, scalarOutput, crossEntropy, meanSquare };
enum class Precision : std::uint8_t { f32, bf16 };

// What one step does to the model.
struct Step {
  bool training = false;
  bool inference = false;               // a person said so: `run` does not train then. Neither: estimated as inference, run as training
  LossKind loss = LossKind::automatic;  // automatic: section "defaults" of the README; what was chosen is reported
  std::string lossOutput;               // name of the output that the loss reads; empty = the first that fits
  OptimizerSettings optimizer;
  Precision precision = Precision::f32;
  std::int64_t microbatches = 1;
  std::uint64_t seed = 0;
  bool operator==(const Step&) const = default;
};

// What is fed: synthetic (learnable, from the seed), the bytes of a text file, or arrays (NAME.npy in a folder).
struct Data {
  enum class Kind : std::uint8_t { synthetic, text, arrays };
  Kind kind = Kind::synthetic;
  std::string path;
  bool operator==(const Data&) const = default;
};

// The unit that is compared, searched and run.
struct Variant {
  std::string name;  // "A", "B" ...
  Mesh mesh;
  Layout layout;
  Step step;
  Data data;
  std::string machine;  // name or file; empty = none: bytes only, no seconds
  bool operator==(const Variant&) const = default;
};

struct Plan {
  std::string name;
  std::shared_ptr<const Graph> graph;  // the model, forward
  std::string origin;                  // file that it was imported from; empty for a drawn one
  std::vector<std::string> importNotes;
  std::vector<Variant> variants;       // at least one
  std::size_t current = 0;
  std::vector<std::string> runs;       // folders of runs that were started from it
  bool operator==(const Plan& other) const;  // graphs compared by value
  const Variant& variant() const { return variants[current]; }
};

}  // namespace core
