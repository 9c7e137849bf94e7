#pragma once

#include <QString>
#include <optional>

namespace ui {

// How well the letters of `wanted` stand in `text` in this order; higher is better, none when they do not.
// Letters at the start of words and neighbours count more; case does not.
//
//   "dp" in "Data-parallel" beats "dp" in "deepen"
std::optional<int> fuzzyScore(const QString& wanted, const QString& text);

}  // namespace ui
