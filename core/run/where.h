#pragma once

#include <cstdint>
#include <optional>
#include <string>

// Where a rank is: 40 bytes of trace/where.N, mapped, so that they outlive the rank however it ends.

namespace core {

struct Where {
  std::int64_t pid = 0;
  std::int64_t step = 0;          // from 1; 0 before the first
  std::int64_t instruction = -1;  // counted as traceInstructions() does; -1 outside the program
  bool finished = false;          // it came to its end by itself
  bool operator==(const Where&) const = default;
};

// None when the rank never got so far as to make one.
std::optional<Where> readWhere(const std::string& path);

// Costs a store; nothing is flushed. The pages belong to the kernel, so a killed rank leaves its last position.
class WhereWriter {
 public:
  explicit WhereWriter(const std::string& path);
  ~WhereWriter();
  WhereWriter(const WhereWriter&) = delete;
  WhereWriter& operator=(const WhereWriter&) = delete;
  void at(std::int64_t step, std::int64_t instruction);
  void finished();

 private:
  volatile std::int64_t* words_ = nullptr;
};

}  // namespace core
