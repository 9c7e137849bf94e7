#include <algorithm>
#include <unordered_map>

#include "core/graph/fold_items.h"

namespace core::folding {

namespace {

// Distances at which items, and triples of items, come again: the periods worth trying, most frequent first.
std::vector<std::size_t> likelyPeriods(std::span<const std::uint64_t> sequence) {
  std::unordered_map<std::size_t, std::size_t> votes;
  for (std::size_t length : {std::size_t{1}, std::size_t{3}}) {
    std::unordered_map<std::uint64_t, std::size_t> last;
    for (std::size_t i = 0; i + length <= sequence.size(); ++i) {
      std::uint64_t gram = 0;
      for (std::size_t k = 0; k < length; ++k) gram = gram * 0x9E3779B97F4A7C15ull + sequence[i + k];
      auto [at, isNew] = last.try_emplace(gram, i);
      if (!isNew) ++votes[i - at->second];
      at->second = i;
    }
  }
  std::vector<std::pair<std::size_t, std::size_t>> ranked;  // votes, period
  for (auto [period, count] : votes)
    if (count >= std::min<std::size_t>(period, 3)) ranked.push_back({count, period});
  std::sort(ranked.begin(), ranked.end(),
            [](auto a, auto b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  if (ranked.size() > 24) ranked.resize(24);
  std::vector<std::size_t> periods;
  for (auto [count, period] : ranked) periods.push_back(period);
  return periods;
}

}  // namespace

std::vector<Repeat> repeats(std::span<const std::uint64_t> sequence) {
  std::vector<Repeat> found;
  for (std::size_t period : likelyPeriods(sequence)) {
    std::size_t matched = 0;
    for (std::size_t i = 0; i + period <= sequence.size(); ++i) {
      if (i + period < sequence.size() && sequence[i] == sequence[i + period]) {
        ++matched;
        continue;
      }
      if (matched >= period) found.push_back({i - matched, period, matched / period + 1, matched % period});
      matched = 0;
    }
  }
  std::sort(found.begin(), found.end(), [](const Repeat& a, const Repeat& b) {
    if (a.covered() != b.covered()) return a.covered() > b.covered();
    return a.period != b.period ? a.period < b.period : a.begin < b.begin;
  });
  return found;
}

}  // namespace core::folding
