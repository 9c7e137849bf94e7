#pragma once

#include <cstdint>
#include <string>
#include <vector>

// ONNX files byte by byte, for tests of what no exporter would write.

namespace tests::onnx {

std::string number(int field, std::uint64_t value);
std::string bytes(int field, const std::string& value);  // a text or a message

std::string tensor(const std::string& name, const std::vector<std::int64_t>& sizes, int type, const std::string& raw);
std::string externalTensor(const std::string& name, const std::vector<std::int64_t>& sizes, int type, const std::string& location, std::int64_t offset, std::int64_t length);
std::string valueInfo(const std::string& name, int type, const std::vector<std::string>& dims);  // "8": a size; "n": a symbol
std::string unranked(const std::string& name, int type);
std::string node(const std::string& type, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs, const std::string& name = {}, const std::string& domain = {});

struct Graph {
  std::vector<std::string> nodes, initializers, inputs, outputs;
};
std::string model(const Graph& graph, int opset = 17, const std::vector<std::string>& functions = {});

std::string floats(const std::vector<float>& values);
std::string integers(const std::vector<std::int64_t>& values);

}  // namespace tests::onnx
