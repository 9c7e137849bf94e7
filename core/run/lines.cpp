#include "core/run/lines.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/base/error.h"

namespace core {
namespace {

struct Descriptor {
  int value = -1;
  ~Descriptor() {
    if (value >= 0) ::close(value);
  }
};

std::string readAt(int file, std::int64_t offset, std::int64_t bytes, const std::string& path) {
  std::string text(static_cast<std::size_t>(bytes), '\0');
  std::size_t have = 0;
  while (have < text.size()) {
    const ssize_t got = ::pread(file, text.data() + have, text.size() - have, offset + static_cast<std::int64_t>(have));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw Error{.what = std::string("cannot read: ") + std::strerror(errno), .where = path, .right = {}};
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  text.resize(have);
  return text;
}

}  // namespace

std::vector<std::string> newLines(const std::string& path, std::int64_t& offset, std::int64_t most) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.value < 0 && errno == ENOENT) return {};
  struct stat about {};
  if (file.value < 0 || ::fstat(file.value, &about) != 0) throw Error{.what = std::string("cannot read: ") + std::strerror(errno), .where = path, .right = {}};
  if (about.st_size < offset) offset = 0;
  const std::string text = readAt(file.value, offset, std::min<std::int64_t>(about.st_size - offset, most), path);
  std::vector<std::string> lines;
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  if (lines.empty() && static_cast<std::int64_t>(text.size()) == most)
    throw Error{.what = "a line longer than " + std::to_string(most) + " bytes", .where = path, .right = {}};
  offset += static_cast<std::int64_t>(begin);
  return lines;
}

void dropCutLine(const std::string& path) {
  const Descriptor file{::open(path.c_str(), O_RDWR | O_CLOEXEC)};
  struct stat about {};
  if (file.value < 0 || ::fstat(file.value, &about) != 0) return;  // nothing there to repair
  std::int64_t end = about.st_size;
  while (end > 0) {
    const std::int64_t begin = std::max<std::int64_t>(0, end - 65536);
    const std::string text = readAt(file.value, begin, end - begin, path);
    const std::size_t newline = text.rfind('\n');
    if (newline != std::string::npos) {
      end = begin + static_cast<std::int64_t>(newline) + 1;
      break;
    }
    end = begin;
  }
  if (end != about.st_size && ::ftruncate(file.value, end) != 0)
    throw Error{.what = std::string("cannot write: ") + std::strerror(errno), .where = path, .right = {}};
}

}  // namespace core
