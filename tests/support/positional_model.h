#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/io/positional.h"

// Positional graphs built in place, as an importer would read them, and what naming makes of them.

namespace tests {

class PositionalModel {
 public:
  int input(const std::string& name, core::positional::Sizes sizes, core::DType dtype = core::DType::f32);
  int input(const std::string& name, const std::vector<std::string>& symbols, core::DType dtype = core::DType::f32);  // "8": a size
  int weight(const std::string& name, core::positional::Sizes sizes);
  int constant(std::vector<std::int64_t> values);  // a vector of integers
  int node(const std::string& type, std::vector<int> inputs, std::map<std::string, core::positional::AttributeValue> attributes = {}, const std::string& name = {});
  std::vector<int> nodes(const std::string& type, std::vector<int> inputs, std::size_t outputs, std::map<std::string, core::positional::AttributeValue> attributes = {});
  void output(int value, const std::string& name = {});

  core::positional::Model model;

 private:
  int value(core::positional::Value value);
};

// What naming says of it: the dimensions of a value, "batch:2 | heads:4 head_dim:8" with a bar between axes, and how many renames.
struct Named {
  std::vector<std::string> axes;  // per value; "" for one that has none
  int renames = 0;
  int reshapes = 0;
  std::size_t classes = 0;
};
Named nameAxes(const core::positional::Model& model, const std::map<std::string, std::int64_t>& bound = {});

}  // namespace tests
