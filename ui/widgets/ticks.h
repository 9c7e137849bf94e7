#pragma once

#include <vector>

namespace ui {

// Round numbers (1, 2 or 5 times a power of ten apart) between low and high, about `wanted` of them.
std::vector<double> ticks(double low, double high, int wanted);

}  // namespace ui
