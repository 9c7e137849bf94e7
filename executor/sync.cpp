#include "executor/sync.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/base/error.h"

namespace executor {
namespace {

[[noreturn]] void fail(const std::string& doing, const std::string& path) {
  throw core::Error{.what = "cannot " + doing + ": " + std::strerror(errno), .where = path, .right = "a folder that can be written, with room left"};
}

// Closes what it opened, whatever happens in between.
class Descriptor {
 public:
  Descriptor(const std::string& path, int flags) : path_(path), file_(::open(path.c_str(), flags | O_CLOEXEC, 0644)) {
    if (file_ < 0) fail("open", path);
  }
  ~Descriptor() { ::close(file_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  void write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(file_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail("write", path_);
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
  }

  void sync() {
    if (::fsync(file_) != 0) fail("sync", path_);
  }

 private:
  std::string path_;
  int file_;
};

void syncFolder(const std::string& path) { Descriptor(path.empty() ? "." : path, O_RDONLY | O_DIRECTORY).sync(); }

}  // namespace

void writeSynced(const std::string& path, std::span<const std::span<const std::byte>> parts) {
  const std::string temporary = path + ".partial";
  {
    Descriptor file(temporary, O_WRONLY | O_CREAT | O_TRUNC);
    for (std::span<const std::byte> part : parts) file.write(part);
    file.sync();
  }
  if (::rename(temporary.c_str(), path.c_str()) != 0) fail("rename", temporary);
}

void publishFolder(const std::string& temporary, const std::string& path) {
  syncFolder(temporary);
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
  if (::rename(temporary.c_str(), path.c_str()) != 0) fail("rename", temporary);
  syncFolder(std::filesystem::path(path).parent_path().string());
}

}  // namespace executor
