#include "core/base/text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>

namespace core {

std::string_view trim(std::string_view text) {
  constexpr std::string_view white = " \t\n\r";
  const std::size_t first = text.find_first_not_of(white);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(white) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0;;) {
    const std::size_t end = text.find(separator, at);
    parts.push_back(text.substr(at, end - at));
    if (end == std::string_view::npos) return parts;
    at = end + 1;
  }
}

std::vector<std::string_view> words(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  for (std::size_t at = text.find_first_not_of(separators); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(separators, end);
  }
  return parts;
}

std::string join(std::span<const std::string> parts, std::string_view between) {
  std::string all;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) all += between;
    all += parts[i];
  }
  return all;
}

bool isGlob(std::string_view pattern) {
  return pattern.find_first_of("*?") != std::string_view::npos;
}

// Goes back only to the last star: what an earlier one took cannot help.
bool globMatch(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, taken = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::size_t editDistance(std::string_view a, std::string_view b) {
  const auto same = [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  };
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t exchanged = diagonal + (same(a[i - 1], b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({exchanged, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

std::optional<std::string> nearestName(std::string_view wanted, std::span<const std::string> candidates) {
  std::optional<std::string> best;
  // Two letters exchanged are two edits.
  std::size_t least = 1 + (wanted.size() < 4 ? 1 : std::max<std::size_t>(2, wanted.size() / 3));
  for (const std::string& one : candidates) {
    const std::size_t distance = editDistance(wanted, one);
    if (distance >= least) continue;
    least = distance;
    best = one;
  }
  return best;
}

std::string didYouMean(std::string_view wanted, std::span<const std::string> candidates) {
  if (const auto near = nearestName(wanted, candidates)) return "did you mean \"" + *near + "\"?";
  if (candidates.empty()) return "there is none";
  constexpr std::size_t shown = 12;
  std::string text = "one of " + join(candidates.first(std::min(shown, candidates.size())), ", ");
  if (candidates.size() > shown) text += ", ...";
  return text;
}

std::optional<std::int64_t> parseInteger(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

}  // namespace core
