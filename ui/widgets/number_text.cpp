#include "ui/widgets/number_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <array>
#include <cmath>

namespace ui {

namespace {

// Three digits: 1.23, 12.3, 123.
QString threeDigits(double value) {
  double size = std::abs(value);
  int decimals = size >= 99.95 || size == std::floor(size) ? 0 : size >= 9.995 ? 1 : 2;
  return QLocale().toString(value, 'f', decimals);
}

template <std::size_t N>
QString scaled(double value, const std::array<const char*, N>& units) {
  std::size_t unit = 0;
  while (unit + 1 < N && std::abs(value) >= 999.5) {
    value /= 1000;
    ++unit;
  }
  return threeDigits(value) + QChar(0x00A0) + QLatin1String(units[unit]);
}

}  // namespace

QString bytesText(std::int64_t bytes) {
  static constexpr std::array units = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  return scaled(static_cast<double>(bytes), units);
}

QString signedBytesText(std::int64_t bytes) {
  QString size = bytesText(bytes < 0 ? -bytes : bytes);
  return (bytes < 0 ? QString(QChar(0x2212)) : QStringLiteral("+")) + size;
}

QString secondsText(double seconds) {
  double size = std::abs(seconds);
  if (size >= 60) {
    int minutes = static_cast<int>(seconds / 60);
    return QCoreApplication::translate("ui", "%1 min %2 s")
        .arg(minutes)
        .arg(static_cast<int>(seconds - 60.0 * minutes));
  }
  if (size >= 1 || size == 0) return threeDigits(seconds) + QStringLiteral("\u00A0s");
  if (size >= 1e-3) return threeDigits(seconds * 1e3) + QStringLiteral("\u00A0ms");
  if (size >= 1e-6) return threeDigits(seconds * 1e6) + QStringLiteral("\u00A0\u00B5s");
  return threeDigits(seconds * 1e9) + QStringLiteral("\u00A0ns");
}

QString countText(double count) {
  if (std::abs(count) < 1e6) return QLocale().toString(count, 'f', 0);
  static constexpr std::array units = {"M", "G", "T", "P"};
  return scaled(count / 1e6, units);
}

QString flopsText(double flops) {
  static constexpr std::array units = {"flop", "kflop", "Mflop", "Gflop", "Tflop", "Pflop", "Eflop"};
  return scaled(flops, units);
}

}  // namespace ui
