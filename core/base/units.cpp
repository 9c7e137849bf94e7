#include "core/base/units.h"

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <string_view>

namespace core {
namespace {

// Three figures, without zeros that say nothing: 38.4, 1.25, 512, 2.
std::string threeFigures(double value) {
  const double size = std::abs(value);
  const int decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (decimals > 0) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text;
}

template <std::size_t n>
std::string scaled(double value, double base, const std::array<std::string_view, n>& units) {
  std::size_t unit = 0;
  while (std::abs(value) >= base - 0.5 && unit + 1 < n) {
    value /= base;
    ++unit;
  }
  return threeFigures(value) + std::string(units[unit]);
}

std::string longTime(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace

std::string bytesText(std::int64_t bytes) {
  static constexpr std::array<std::string_view, 7> units{" B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB"};
  return scaled(static_cast<double>(bytes), 1024, units);
}

std::string secondsText(double seconds) {
  static constexpr std::array<std::string_view, 4> units{" ns", " µs", " ms", " s"};
  if (!std::isfinite(seconds)) return fmt::format("{} s", seconds);
  if (std::abs(seconds) >= 120) return longTime(seconds);
  return scaled(seconds * 1e9, 1000, units);
}

std::string countText(std::int64_t count) {
  std::string text = std::to_string(count);
  const std::ptrdiff_t first = count < 0 ? 1 : 0;
  for (std::ptrdiff_t at = std::ssize(text) - 3; at > first; at -= 3) text.insert(static_cast<std::size_t>(at), ",");
  return text;
}

std::string shortCount(double count) {
  static constexpr std::array<std::string_view, 7> units{"", " k", " M", " G", " T", " P", " E"};
  return scaled(count, 1000, units);
}

std::string flopsText(double flops) {
  static constexpr std::array<std::string_view, 7> units{" flop",  " kflop", " Mflop", " Gflop",
                                                         " Tflop", " Pflop", " Eflop"};
  return scaled(flops, 1000, units);
}

std::string rateText(double bytesPerSecond) {
  static constexpr std::array<std::string_view, 5> units{" B/s", " kB/s", " MB/s", " GB/s", " TB/s"};
  return scaled(bytesPerSecond, 1000, units);
}

std::string percentText(double fraction) {
  return threeFigures(fraction * 100) + " %";
}

}  // namespace core
