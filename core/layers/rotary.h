#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ops/builder.h"

// Rotary positions (Su et al., "RoFormer", 2021): pairs of a head's elements are turned by an angle that grows with the
// place, so that a product of a query and a key depends on their distance alone.

namespace core {

struct Rotary {
  // How a model is stretched to longer texts than it was first trained on.
  enum class Scaling {
    none,
    linear,  // every angle divided by factor
    llama3,  // slow angles divided by factor, fast ones kept, those between blended (Llama 3.1)
    yarn     // the same with borders in turns (Peng et al., "YaRN", 2023), and larger cosines and sines
  };
  double theta = 10000;
  Scaling scaling = Scaling::none;
  double factor = 1;
  double lowFrequency = 1, highFrequency = 4;  // llama3
  double fastTurns = 32, slowTurns = 1;        // yarn: beta_fast, beta_slow
  bool wholeBorders = true;                    // yarn: borders rounded outwards ("truncate")
  double magnitude = 1;                        // yarn: what cosine and sine are multiplied with
  std::int64_t trainedPositions = 0;           // original_max_position_embeddings
};

// The angle of each pair at place 1, fastest first; `size` elements are size / 2 pairs.
std::vector<double> rotaryAngles(const Rotary& rotary, std::int64_t size);

// A logarithmic growth that YaRN uses: 0.1 * weight * ln(factor) + 1.
double yarnMagnitude(double factor, double weight = 1);

// Which two elements are a pair: i and i + half (Llama), or 2 i and 2 i + 1 (DeepSeek).
enum class Pairs { halves, neighbours };

// Cosines [seq half] and sines [seq half pair], the sine of the first of a pair negative; made once a step.
struct RotaryTable {
  TensorId cosine, sine;
  DimId half, pair;
  Pairs pairs = Pairs::halves;
};
RotaryTable rotaryTable(GraphBuilder& build, const std::string& name, DimId seq, DimId half, const Rotary& rotary,
                        Pairs pairs = Pairs::halves);

// x with one dimension split into half and pair and turned: [.. size ..] -> [.. pair half ..].
TensorId rotate(GraphBuilder& build, const std::string& scope, TensorId x, DimId size, const RotaryTable& table);

}  // namespace core
