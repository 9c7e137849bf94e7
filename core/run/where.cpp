#include "core/run/where.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/base/error.h"

namespace core {
namespace {

constexpr std::int64_t magic = 0x315245485757534D;  // "MSWWHER1"
enum Word : std::size_t { kind, process, step, instruction, ended, words };
constexpr std::size_t bytes = words * sizeof(std::int64_t);

[[noreturn]] void fail(const std::string& path) {
  throw Error{.what = std::string("cannot write: ") + std::strerror(errno), .where = path, .right = {}};
}

}  // namespace

std::optional<Where> readWhere(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  std::int64_t word[words] = {};
  const ssize_t got = ::read(file, word, bytes);
  ::close(file);
  if (got != static_cast<ssize_t>(bytes) || word[kind] != magic) return std::nullopt;
  return Where{.pid = word[process], .step = word[step], .instruction = word[instruction], .finished = word[ended] != 0};
}

WhereWriter::WhereWriter(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) fail(path);
  const bool sized = ::ftruncate(file, static_cast<off_t>(bytes)) == 0;
  void* mapped = sized ? ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
  ::close(file);
  if (mapped == MAP_FAILED) fail(path);
  words_ = static_cast<volatile std::int64_t*>(mapped);
  words_[process] = ::getpid();
  words_[instruction] = -1;
  words_[kind] = magic;
}

WhereWriter::~WhereWriter() { ::munmap(const_cast<std::int64_t*>(words_), bytes); }

void WhereWriter::at(std::int64_t currentStep, std::int64_t currentInstruction) {
  words_[step] = currentStep;
  words_[instruction] = currentInstruction;
}

void WhereWriter::finished() { words_[ended] = 1; }

}  // namespace core
