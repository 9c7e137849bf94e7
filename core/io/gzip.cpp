#include "core/io/gzip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/base/units.h"

namespace core {
namespace {

constexpr std::size_t mostBytes = std::size_t{512} << 20;
constexpr std::size_t mostTimes = 1000;
constexpr int gzipWindow = 15 + 16;  // zlib's sign for gzip with its largest window

struct Stream {
  z_stream state{};
  Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { inflateEnd(&state); }
};

}  // namespace

std::vector<std::byte> unpackGzip(std::span<const std::byte> file, const std::string& path) {
  Stream stream;
  z_stream& state = stream.state;
  if (inflateInit2(&state, gzipWindow) != Z_OK) throw Error{.what = "no memory to unpack it", .where = path, .right = "the file unpacked: gunzip"};
  const std::size_t limit = std::min(mostBytes, std::max<std::size_t>(file.size(), 1024) * mostTimes);
  state.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(file.data()));
  state.avail_in = static_cast<uInt>(std::min<std::size_t>(file.size(), 1U << 30));
  std::vector<std::byte> out;
  for (int result = Z_OK; result != Z_STREAM_END;) {
    const std::size_t before = out.size();
    if (before >= limit) throw Error{.what = fmt::format("it unpacks into more than {}", bytesText(static_cast<std::int64_t>(limit))), .where = path, .right = "a smaller file"};
    out.resize(std::min(limit, std::max<std::size_t>(before * 2, 64 * 1024)));
    state.next_out = reinterpret_cast<Bytef*>(out.data() + before);
    state.avail_out = static_cast<uInt>(out.size() - before);
    result = inflate(&state, Z_NO_FLUSH);
    out.resize(out.size() - state.avail_out);
    if (result != Z_OK && result != Z_STREAM_END) throw Error{.what = result == Z_BUF_ERROR ? "the compressed file ends too early" : "the compressed file is damaged", .where = path, .right = "the whole file, as gzip wrote it"};
  }
  return out;
}

}  // namespace core
