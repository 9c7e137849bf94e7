#include "executor/file_shard.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "core/base/error.h"
#include "core/base/hash.h"

namespace executor {
namespace {

std::string resolved(const std::string& path, const std::string& folder) {
  const std::filesystem::path given(path);
  return given.is_absolute() || folder.empty() ? path : (std::filesystem::path(folder) / given).string();
}

std::string bytesText(std::int64_t bytes) { return std::to_string(bytes) + " bytes"; }

}  // namespace

FileShard::FileShard(const core::FileSource& source, std::int64_t elements, std::string tensor, const std::string& folder)
    : source_(source), tensor_(std::move(tensor)), path_(resolved(source.path, folder)) {
  std::error_code missing;
  const auto size = std::filesystem::file_size(path_, missing);
  if (missing) throw core::Error{.what = "the file of tensor \"" + tensor_ + "\" cannot be read: " + missing.message(), .where = path_, .right = "put it back, or import the model anew"};
  if (static_cast<std::int64_t>(size) != source_.fileBytes)
    throw core::Error{.what = "has " + bytesText(static_cast<std::int64_t>(size)) + ", but had " + bytesText(source_.fileBytes) + " when it was imported", .where = path_, .right = "put the old file back, or import the model anew"};
  if (source_.bytes != elements * core::byteSize(source_.stored) || source_.offset < 0 || source_.offset + source_.bytes > source_.fileBytes)
    throw core::Error{.what = "tensor \"" + tensor_ + "\" is noted with " + bytesText(source_.bytes) + " at " + std::to_string(source_.offset), .where = path_, .right = bytesText(elements * core::byteSize(source_.stored)) + " inside the file"};
}

std::vector<std::byte> FileShard::readChunk(std::int64_t chunk) const {
  const std::int64_t start = chunk * core::hashChunkBytes;
  std::vector<std::byte> bytes(static_cast<std::size_t>(std::min(core::hashChunkBytes, source_.bytes - start)));
  std::ifstream file(path_, std::ios::binary);
  file.seekg(source_.offset + start);
  if (!file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size())))
    throw core::Error{.what = "tensor \"" + tensor_ + "\" cannot be read at " + std::to_string(source_.offset + start), .where = path_, .right = "a whole file"};
  const auto at = static_cast<std::size_t>(chunk);
  if (at >= source_.chunkHashes.size() || core::hashBytes(bytes) != source_.chunkHashes[at])
    throw core::Error{.what = "tensor \"" + tensor_ + "\" is not what it was when it was imported", .where = path_, .right = "put the old file back, or import the model anew"};
  return bytes;
}

void FileShard::read(std::span<const core::Range> runs, const Take& take) const {
  const std::int64_t elementBytes = core::byteSize(source_.stored), perChunk = core::hashChunkBytes / elementBytes;
  std::int64_t loaded = -1;
  std::vector<std::byte> bytes;
  for (const core::Range& run : runs)
    for (std::int64_t at = run.start; at < run.end();) {
      const std::int64_t chunk = at / perChunk;
      if (chunk != loaded) bytes = readChunk(loaded = chunk);
      const std::int64_t count = std::min(run.end(), (chunk + 1) * perChunk) - at;
      take(at, bytes.data() + (at - chunk * perChunk) * elementBytes, count);
      at += count;
    }
}

}  // namespace executor
