#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/graph/graph.h"

namespace executor {

// The safetensors format: 8 bytes of header length, a JSON header, the tensors' bytes. Hashes of 16 MiB chunks stand in the metadata.
struct SafeTensor {
  core::DType dtype = core::DType::f32;
  std::vector<std::int64_t> sizes;
  std::vector<std::byte> bytes;
};

// Written under a temporary name beside it, synced, renamed.
void writeSafetensors(const std::string& path, const std::map<std::string, SafeTensor>& tensors);

struct SafeTensorEntry {
  std::vector<std::int64_t> sizes;
  core::FileSource source;  // where its bytes lie, and their hashes
};

// The header only. Error when it is malformed or the file is cut.
std::map<std::string, SafeTensorEntry> readSafetensorsHeader(const std::string& path);

}  // namespace executor
