#include "core/io/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/base/error.h"

namespace core {

MappedFile::MappedFile(const std::string& path) {
  int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw Error{.what = std::string("can't be opened: ") + std::strerror(errno), .where = path, .right = "a file that can be read"};
  struct stat status {};
  bool known = ::fstat(file, &status) == 0;
  if (!known || !S_ISREG(status.st_mode)) {
    ::close(file);
    throw Error{.what = known && S_ISDIR(status.st_mode) ? "is a directory" : "is not a regular file", .where = path, .right = "the path of a file"};
  }
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ > 0) data_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
  int reason = errno;
  ::close(file);
  if (data_ == MAP_FAILED) throw Error{.what = std::string("can't be read: ") + std::strerror(reason), .where = path, .right = "a file that can be read"};
}

MappedFile::~MappedFile() {
  if (data_ && size_ > 0) ::munmap(data_, size_);
}

}  // namespace core
