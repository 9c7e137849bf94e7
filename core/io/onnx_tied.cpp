#include "core/io/onnx_tied.h"

#include <fmt/format.h>

#include <cstring>
#include <set>

#include "core/io/mapped_file.h"
#include "core/io/onnx_walk.h"

namespace core {
namespace {

using positional::Model;
using positional::Value;
using FileNode = positional::Node;

std::vector<std::byte> bytesOf(const Value& value) {
  const auto* source = std::get_if<FileSource>(&value.source);
  if (!source || source->fileBytes == 0) return {};
  MappedFile file(source->path);
  if (source->offset + source->bytes > static_cast<std::int64_t>(file.bytes().size())) return {};
  auto bytes = file.bytes().subspan(static_cast<std::size_t>(source->offset), static_cast<std::size_t>(source->bytes));
  return {bytes.begin(), bytes.end()};
}

bool isTranspose(const std::vector<std::byte>& a, const std::vector<std::byte>& b, std::int64_t rows, std::int64_t columns) {
  if (a.empty() || a.size() != b.size()) return false;
  auto width = a.size() / static_cast<std::size_t>(rows * columns);
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j)
      if (std::memcmp(&a[static_cast<std::size_t>(i * columns + j) * width], &b[static_cast<std::size_t>(j * rows + i) * width], width) != 0) return false;
  return true;
}

bool isMatrix(const Value& value) { return value.kind == Value::Kind::initializer && isParameter(value) && value.sizes && value.sizes->size() == 2; }

}  // namespace

void tieTransposed(Model& model) {
  std::set<int> tables;
  for (const FileNode& node : model.nodes)
    if (node.type == "Gather" && node.domain.empty() && node.input(0) >= 0 && isMatrix(model.values[static_cast<std::size_t>(node.input(0))])) tables.insert(node.input(0));
  std::vector<FileNode> added;
  for (int table : tables) {
    const Value stored = model.values[static_cast<std::size_t>(table)];
    std::vector<std::byte> bytes;
    for (std::size_t v = 0; v < model.values.size(); ++v) {
      Value& other = model.values[v];
      std::int64_t rows = (*stored.sizes)[0], columns = (*stored.sizes)[1];
      if (tables.count(static_cast<int>(v)) || !isMatrix(other) || *other.sizes != positional::Sizes{columns, rows} || other.dtype != stored.dtype) continue;
      if (bytes.empty()) bytes = bytesOf(stored);
      if (!isTranspose(bytes, bytesOf(other), rows, columns)) continue;
      model.notes.push_back(fmt::format("\"{}\" is the transpose of the table \"{}\": they are one weight", other.name, stored.name));
      FileNode node{.name = other.name + "/Transpose", .type = "Transpose", .opset = model.opset, .inputs = {table}, .outputs = {static_cast<int>(v)}};
      node.attributes["perm"] = std::vector<std::int64_t>{1, 0};
      other = Value{.name = other.name, .dtype = other.dtype, .typeKnown = true};
      added.push_back(std::move(node));
    }
  }
  if (added.empty()) return;
  for (Value& value : model.values)
    if (value.producer >= 0) value.producer += static_cast<int>(added.size());
  for (std::size_t i = 0; i < added.size(); ++i) model.values[static_cast<std::size_t>(added[i].outputs[0])].producer = static_cast<int>(i);
  model.nodes.insert(model.nodes.begin(), added.begin(), added.end());
}

}  // namespace core
