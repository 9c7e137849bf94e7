#include "tests/support/onnx_bytes.h"

#include <cstring>

#include "core/base/text.h"

namespace tests::onnx {
namespace {

std::string varint(std::uint64_t value) {
  std::string out;
  for (; value > 127; value >>= 7) out.push_back(static_cast<char>(value | 128));
  out.push_back(static_cast<char>(value));
  return out;
}

template <class T>
std::string raw(const std::vector<T>& values) {
  std::string out(values.size() * sizeof(T), '\0');
  if (!out.empty()) std::memcpy(out.data(), values.data(), out.size());
  return out;
}

std::string header(const std::string& name, const std::vector<std::int64_t>& sizes, int type) {
  std::string out;
  for (std::int64_t size : sizes) out += number(1, static_cast<std::uint64_t>(size));
  return out + number(2, static_cast<std::uint64_t>(type)) + bytes(8, name);
}

std::string entry(const std::string& key, const std::string& value) { return bytes(13, bytes(1, key) + bytes(2, value)); }

}  // namespace

std::string number(int field, std::uint64_t value) { return varint(static_cast<std::uint64_t>(field) << 3) + varint(value); }
std::string bytes(int field, const std::string& value) { return varint(static_cast<std::uint64_t>(field) << 3 | 2) + varint(value.size()) + value; }

std::string tensor(const std::string& name, const std::vector<std::int64_t>& sizes, int type, const std::string& data) { return header(name, sizes, type) + bytes(9, data); }

std::string externalTensor(const std::string& name, const std::vector<std::int64_t>& sizes, int type, const std::string& location, std::int64_t offset, std::int64_t length) {
  return header(name, sizes, type) + number(14, 1) + entry("location", location) + entry("offset", std::to_string(offset)) + entry("length", std::to_string(length));
}

std::string valueInfo(const std::string& name, int type, const std::vector<std::string>& dims) {
  std::string shape;
  for (const std::string& dim : dims) {
    auto size = core::parseInteger(dim);
    shape += bytes(1, size ? number(1, static_cast<std::uint64_t>(*size)) : bytes(2, dim));
  }
  return bytes(1, name) + bytes(2, bytes(1, number(1, static_cast<std::uint64_t>(type)) + bytes(2, shape)));
}

std::string unranked(const std::string& name, int type) { return bytes(1, name) + bytes(2, bytes(1, number(1, static_cast<std::uint64_t>(type)))); }

std::string node(const std::string& type, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs, const std::string& name, const std::string& domain) {
  std::string out;
  for (const std::string& one : inputs) out += bytes(1, one);
  for (const std::string& one : outputs) out += bytes(2, one);
  if (!name.empty()) out += bytes(3, name);
  out += bytes(4, type);
  if (!domain.empty()) out += bytes(7, domain);
  return out;
}

std::string model(const Graph& graph, int opset, const std::vector<std::string>& functions) {
  std::string body;
  for (const std::string& one : graph.nodes) body += bytes(1, one);
  body += bytes(2, "graph");
  for (const std::string& one : graph.initializers) body += bytes(5, one);
  for (const std::string& one : graph.inputs) body += bytes(11, one);
  for (const std::string& one : graph.outputs) body += bytes(12, one);
  std::string out = number(1, 8) + bytes(2, "tests") + bytes(7, body) + bytes(8, number(2, static_cast<std::uint64_t>(opset)));
  for (const std::string& one : functions) out += bytes(25, one);
  return out;
}

std::string floats(const std::vector<float>& values) { return raw(values); }
std::string integers(const std::vector<std::int64_t>& values) { return raw(values); }

}  // namespace tests::onnx
