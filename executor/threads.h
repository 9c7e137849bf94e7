#pragma once

#include <cstdint>
#include <functional>

namespace executor {

// How many threads libraries may use on this rank.
void useThreads(int threads);

// Calls work(first, end) for parts of 0..count, on so many threads; on this one alone where there is little to do.
void inParallel(int threads, std::int64_t count, const std::function<void(std::int64_t, std::int64_t)>& work);

}  // namespace executor
