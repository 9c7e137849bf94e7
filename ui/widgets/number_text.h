#pragma once

#include <QString>
#include <cstdint>

// Numbers as people read them, in the locale of the window. Everything on screen that is a size or a time goes through
// here.

namespace ui {

QString bytesText(std::int64_t bytes);        // "512 B", "3.4 MB", "86.0 GB"; decimal units everywhere
QString signedBytesText(std::int64_t bytes);  // "+134 MB", "−22.3 GB"
QString secondsText(double seconds);          // "412 ms", "0.41 ms", "3.2 s", "2 min 5 s"
QString countText(double count);              // "12.3 M", "220,544" below a million
QString flopsText(double flops);              // "1.2 Gflop"

}  // namespace ui
