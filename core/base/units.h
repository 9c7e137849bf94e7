#pragma once

#include <cstdint>
#include <string>

// Figures as people read them; files hold plain bytes and seconds.

namespace core {

std::string bytesText(std::int64_t bytes);    // "512 B", "1.5 KiB", "13.6 GiB"
std::string secondsText(double seconds);      // "38.4 ms", "1.25 s", "2 min 5 s", "3 h 20 min"
std::string countText(std::int64_t count);    // "124,439,808"
std::string shortCount(double count);         // "950", "124 M", "3.2 G": at most three figures
std::string flopsText(double flops);          // "3.2 Gflop"
std::string rateText(double bytesPerSecond);  // "4.5 GB/s": rates of links are decimal, as vendors give them
std::string percentText(double fraction);     // "12.5 %"

}  // namespace core
