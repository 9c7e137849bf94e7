#include "core/io/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/base/error.h"

namespace core {
namespace {

namespace fs = std::filesystem;

// A descriptor that is closed whatever happens.
struct Descriptor {
  int value = -1;
  ~Descriptor() {
    if (value >= 0) ::close(value);
  }
};

[[noreturn]] void fail(const std::string& path, const std::string& doing, const std::string& right = {}) {
  throw Error{.what = doing + ": " + std::strerror(errno), .where = path, .right = right};
}

void writeAll(int file, std::string_view text, const std::string& path) {
  while (!text.empty()) {
    const ssize_t done = ::write(file, text.data(), text.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail(path, "cannot write");
    text.remove_prefix(static_cast<std::size_t>(done));
  }
}

// The rename itself must outlive a power cut too; some file systems refuse to sync a folder, which is no reason to fail.
void syncFolder(const fs::path& folder) {
  const Descriptor opened{::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (opened.value >= 0) ::fsync(opened.value);
}

void writeSynced(const std::string& path, std::string_view text, mode_t mode) {
  const Descriptor file{::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)};
  if (file.value < 0) fail(path, "cannot write", "a folder that exists and may be written to");
  writeAll(file.value, text, path);
  if (::fsync(file.value) != 0 && errno != EINVAL) fail(path, "cannot write");
}

}  // namespace

std::string readText(const std::string& path, std::int64_t largest) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.value < 0) fail(path, "cannot read");
  struct stat about {};
  if (::fstat(file.value, &about) != 0) fail(path, "cannot read");
  if (!S_ISREG(about.st_mode)) throw Error{.what = "not a regular file", .where = path, .right = {}};
  if (about.st_size > largest)
    throw Error{.what = "too large: " + std::to_string(about.st_size) + " bytes", .where = path, .right = "at most " + std::to_string(largest)};
  std::string text(static_cast<std::size_t>(about.st_size), '\0');
  std::size_t have = 0;
  while (have < text.size()) {
    const ssize_t got = ::read(file.value, text.data() + have, text.size() - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(path, "cannot read");
    if (got == 0) break;  // it was cut while we read
    have += static_cast<std::size_t>(got);
  }
  text.resize(have);
  return text;
}

void writeTextAtomically(const std::string& path, std::string_view text) {
  std::error_code ignored;
  // A link is followed, so that what it points at is replaced and not the link.
  const fs::path target = fs::is_symlink(path, ignored) ? fs::weakly_canonical(path, ignored) : fs::path(path);
  struct stat about {};
  const bool exists = ::stat(target.c_str(), &about) == 0;
  if (exists && !S_ISREG(about.st_mode)) throw Error{.what = "not a regular file", .where = path, .right = "a file's name"};
  const std::string temporary = target.string() + "." + std::to_string(::getpid()) + ".part";
  try {
    writeSynced(temporary, text, exists ? about.st_mode & 0777 : 0666);
    if (::rename(temporary.c_str(), target.c_str()) != 0) fail(path, "cannot write");
  } catch (Error& error) {
    ::unlink(temporary.c_str());
    error.where = path;
    throw;
  }
  syncFolder(target.has_parent_path() ? target.parent_path() : fs::path("."));
}

}  // namespace core
