#pragma once

#include <cstdint>
#include <string>

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
  bool inference =
      false;  // a person said so: `run` does not train then. Neither: estimated as inference, run as training
  LossKind loss = LossKind::automatic;  // automatic: section "defaults" of the README; what was chosen is reported
  std::string lossOutput;               // name of the output that the loss reads; empty = the first that fits
  OptimizerSettings optimizer;
  Precision precision = Precision::f32;
  std::int64_t microbatches = 1;
  std::uint64_t seed = 0;
  bool operator==(const Step&) const = default;
};

}  // namespace core
