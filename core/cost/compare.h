#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/cost/counted.h"

// Predicted beside counted and measured, joined on (instruction, rank). Payload, flops and memory have to be equal to the byte;
// seconds are modelled and only stand beside each other. Frees move nothing and stand in no row.
//
//   all-reduce h.0/attn   rank 1   bytes in 65536 = 65536   flops 0 = 0   0.31 ms ~ 0.44 ms

namespace core {

struct Figures {
  std::int64_t flops = 0;
  std::int64_t bytesIn = 0, bytesOut = 0;
  bool operator==(const Figures&) const = default;
};

struct ComparedInstruction {
  const Instruction* instruction = nullptr;  // none: counted, but not in the program
  std::string name;
  std::int64_t iteration = 0;
  std::int64_t rank = 0;
  std::int64_t times = 0;                 // steps counted; 0: never executed
  Figures predicted, counted;             // of all those steps
  std::optional<double> predictedSeconds; // a step
  double measuredSeconds = 0;             // a step
  bool exact = false;
};

struct ComparedRank {
  std::int64_t rank = 0;
  Figures predicted, counted;
  MemoryAt predictedPeak;
  std::optional<MemoryAt> countedPeak;
  std::int64_t runtimeBytes = 0;
  std::optional<double> predictedComputeSeconds, predictedCommunicationSeconds;  // a step
  double measuredComputeSeconds = 0, measuredCommunicationSeconds = 0;           // a step
  bool exact = false;
};

struct Comparison {
  bool exact = false;  // every row of both, and every rank of the mesh is there
  std::vector<ComparedInstruction> instructions;  // by rank, in order of execution; what the program lacks last
  std::vector<ComparedRank> ranks;
  std::vector<std::string> differences;  // each in a sentence: where, predicted, counted; the first hundred
  std::optional<double> predictedStepSeconds;
  double measuredStepSeconds = 0;
};

Comparison compare(const Program& program, const Machine* machine, const Counted& counted);

}  // namespace core
