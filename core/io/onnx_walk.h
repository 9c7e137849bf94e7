#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/io/onnx_infer.h"
#include "core/io/positional.h"

namespace core {

// What a walk through the nodes finds: the size of every axis and every value that can be computed at import.
//
// A symbol that nobody binds is walked with a prime of its own, never with 1 (an axis of size 1 carries no dimension), and
// twice, with different primes: what differs between the two walks depends on a symbol, and stays symbolic.
struct Walk {
  std::vector<Known> values;               // per value of the model
  std::vector<std::vector<bool>> varies;   // per value and axis: depends on a symbol that is not bound
  std::vector<bool> dataVaries;            // per value: its elements do
  std::vector<bool> alive;                 // per node: an output is read, and not known at import
  std::map<std::string, std::int64_t> sizes;  // of each symbol, as walked
  std::vector<std::string> unbound;        // symbols that nobody bound, in order of appearance
  std::vector<std::string> problems;       // where the file contradicts itself
};

Walk walk(const positional::Model& model, const std::map<std::string, std::int64_t>& bound);

// A float that training may change: an initializer that no Constant node was, or a graph input with a dotted name.
bool isParameter(const positional::Value& value);

// Inputs that only say how: sizes, axes, bounds. No tensor flows there.
bool isStructural(const positional::Node& node, std::size_t input);

// Identity of an initializer becomes a parameter of its own (exporters store equal values once).
void separateCopies(positional::Model& model);

}  // namespace core
