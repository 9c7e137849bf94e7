#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/plan/plan.h"
#include "core/spmd/program.h"
#include "executor/data/inputs.h"
#include "executor/interpreter.h"

namespace executor {

// One source of data. Element `index` (global) of an input in a step is a pure function of (seed, step, index), so that no layout
// changes what is learnt, and a rank makes only what it holds.
class Batches {
 public:
  virtual ~Batches() = default;
  virtual double number(const Input& input, const core::Buffer& buffer, std::int64_t step, std::span<const std::int64_t> index) const = 0;
};

std::unique_ptr<Batches> makeSynthetic(const core::Program& program, std::uint64_t seed);
// A window of sequence + 1 bytes: the first ones are ids, the last ones labels. Error for a byte outside the vocabulary.
std::unique_ptr<Batches> makeText(const core::Program& program, const std::string& file, std::uint64_t seed);
// NAME.npy for every input; of longer files the rows of a step are taken in turn.
std::unique_ptr<Batches> makeArrays(const core::Program& program, const std::string& folder);

std::unique_ptr<Batches> makeBatches(const core::Program& program, const core::Data& data, std::uint64_t seed);

// Feeds a step: every rank of this process gets its part of every input.
void feed(const Batches& batches, const core::Program& program, const std::vector<Input>& inputs, std::int64_t step, Interpreter& interpreter);

}  // namespace executor
