#pragma once

#include <functional>
#include <vector>

#include "core/graph/graph.h"

// Small graphs that show an operator; tests fill the inputs at random.

namespace core {

class GraphBuilder;
struct UnaryRow;
struct BinaryRow;

Graph example(const std::function<TensorId(GraphBuilder&)>& build);  // what is returned becomes the output

std::vector<Graph> unaryExamples(const UnaryRow& row);
std::vector<Graph> binaryExamples(const BinaryRow& row);

// An integer input whose values stand for rows 0 .. size-1, whatever it is filled with.
TensorId rowsInput(GraphBuilder& build, const std::string& name, std::string_view shape, std::int64_t size);

}  // namespace core
