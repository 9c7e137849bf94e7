#include "executor/threads.h"

#include <omp.h>

#include <algorithm>
#include <exception>
#include <vector>

namespace executor {

void useThreads(int threads) { omp_set_num_threads(std::max(1, threads)); }

void inParallel(int threads, std::int64_t count, const std::function<void(int, std::int64_t, std::int64_t)>& work) {
  const int parts = static_cast<int>(std::min<std::int64_t>(threads, count));
  if (parts <= 1) {
    if (count > 0) work(0, 0, count);
    return;
  }
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(parts));
#pragma omp parallel for num_threads(parts) schedule(static, 1)
  for (int part = 0; part < parts; ++part) {
    try {
      work(part, count * part / parts, count * (part + 1) / parts);
    } catch (...) {
      failures[static_cast<std::size_t>(part)] = std::current_exception();
    }
  }
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace executor
