#include "executor/safetensors.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/hash.h"
#include "executor/sync.h"

namespace executor {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t largestHeader = std::int64_t{100} << 20;

struct Name {
  core::DType dtype;
  const char* text;
};
constexpr Name names[] = {{core::DType::f32, "F32"}, {core::DType::f64, "F64"}, {core::DType::bf16, "BF16"}, {core::DType::f16, "F16"},
                          {core::DType::i32, "I32"}, {core::DType::i64, "I64"}, {core::DType::boolean, "BOOL"}};

const char* nameOf(core::DType dtype) {
  for (const Name& one : names)
    if (one.dtype == dtype) return one.text;
  return "";
}

core::DType typeOf(const std::string& text, const std::string& where) {
  for (const Name& one : names)
    if (text == one.text) return one.dtype;
  throw core::Error{.what = "unknown element type \"" + text + "\"", .where = where, .right = "F32, F64, BF16, F16, I32, I64 or BOOL"};
}

std::string hashText(const std::vector<std::uint64_t>& hashes) {
  std::string text;
  for (std::uint64_t hash : hashes) text += (text.empty() ? "" : ",") + std::to_string(hash);
  return text;
}

std::vector<std::uint64_t> parseHashes(const std::string& text) {
  std::vector<std::uint64_t> hashes;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t length = 0;
    hashes.push_back(std::stoull(text.substr(at), &length));
    at += length + 1;
  }
  return hashes;
}

// The header, padded with spaces so that the data begin at a multiple of 8.
std::string headerOf(const std::map<std::string, SafeTensor>& tensors) {
  Json header, metadata = {{"writer", "meshwright"}};
  std::int64_t at = 0;
  for (const auto& [name, tensor] : tensors) {
    const std::int64_t end = at + static_cast<std::int64_t>(tensor.bytes.size());
    header[name] = {{"dtype", nameOf(tensor.dtype)}, {"shape", tensor.sizes}, {"data_offsets", {at, end}}};
    metadata["xxh3:" + name] = hashText(core::hashChunks(tensor.bytes));
    at = end;
  }
  header["__metadata__"] = metadata;
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  return text;
}

SafeTensorEntry entryOf(const Json& json, const Json& metadata, const std::string& name, const std::string& path, std::int64_t dataStart, std::int64_t fileBytes) {
  SafeTensorEntry entry;
  const std::string where = path + ": " + name;
  entry.sizes = json.at("shape").get<std::vector<std::int64_t>>();
  const auto offsets = json.at("data_offsets").get<std::vector<std::int64_t>>();
  if (offsets.size() != 2 || offsets[0] < 0 || offsets[1] < offsets[0] || dataStart + offsets[1] > fileBytes)
    throw core::Error{.what = "its data lie outside the file", .where = where, .right = "a whole file"};
  entry.source = {.path = path, .fileBytes = fileBytes, .offset = dataStart + offsets[0], .bytes = offsets[1] - offsets[0], .stored = typeOf(json.at("dtype").get<std::string>(), where)};
  if (const auto hashes = metadata.find("xxh3:" + name); hashes != metadata.end()) entry.source.chunkHashes = parseHashes(hashes->get<std::string>());
  return entry;
}

}  // namespace

void writeSafetensors(const std::string& path, const std::map<std::string, SafeTensor>& tensors) {
  const std::string header = headerOf(tensors);
  const std::uint64_t length = header.size();
  std::vector<std::span<const std::byte>> parts{std::as_bytes(std::span(&length, 1)), std::as_bytes(std::span(header))};
  for (const auto& [name, tensor] : tensors) parts.push_back(tensor.bytes);
  writeSynced(path, parts);
}

std::map<std::string, SafeTensorEntry> readSafetensorsHeader(const std::string& path) {
  std::error_code missing;
  const auto fileBytes = static_cast<std::int64_t>(std::filesystem::file_size(path, missing));
  if (missing) throw core::Error{.what = "cannot be read: " + missing.message(), .where = path, .right = "a safetensors file"};
  std::ifstream file(path, std::ios::binary);
  std::uint64_t length = 0;
  file.read(reinterpret_cast<char*>(&length), sizeof length);
  if (!file || static_cast<std::int64_t>(length) > std::min(largestHeader, fileBytes - 8) || static_cast<std::int64_t>(length) < 0)
    throw core::Error{.what = "is cut or no safetensors file", .where = path, .right = "a header of at most the file's length"};
  std::string text(length, ' ');
  file.read(text.data(), static_cast<std::streamsize>(length));
  std::map<std::string, SafeTensorEntry> entries;
  try {
    const Json header = Json::parse(text);
    const Json metadata = header.value("__metadata__", Json::object());
    for (const auto& [name, json] : header.items())
      if (name != "__metadata__") entries[name] = entryOf(json, metadata, name, path, 8 + static_cast<std::int64_t>(length), fileBytes);
  } catch (const std::exception& error) {
    throw core::Error{.what = std::string("has a malformed header: ") + error.what(), .where = path, .right = "a safetensors file"};
  }
  return entries;
}

}  // namespace executor
