#pragma once

#include <cstdint>
#include <functional>

namespace executor {

// How many threads libraries may use on this rank.
void useThreads(int threads);

// Calls work(thread, first, end) for parts of 0..count, one a thread. What one throws is thrown on.
void inParallel(int threads, std::int64_t count, const std::function<void(int, std::int64_t, std::int64_t)>& work);

}  // namespace executor
