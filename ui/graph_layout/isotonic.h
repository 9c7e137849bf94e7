#pragma once

#include <vector>

namespace ui {

// Positions nearest to the wanted ones (least weighted squares) such that each lies at least its gap behind the one
// before.
//   wanted 5 5 5, gaps - 2 2   ->   3 5 7
std::vector<double> spread(const std::vector<double>& wanted, const std::vector<double>& weights,
                           const std::vector<double>& gaps);

}  // namespace ui
