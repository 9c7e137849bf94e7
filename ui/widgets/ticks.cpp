#include "ui/widgets/ticks.h"

#include <cmath>

namespace ui {

std::vector<double> ticks(double low, double high, int wanted) {
  std::vector<double> found;
  if (!(high > low) || wanted < 1 || !std::isfinite(high - low)) return found;
  double rough = (high - low) / wanted;
  double power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = power * (rough / power > 5 ? 10 : rough / power > 2 ? 5 : rough / power > 1 ? 2 : 1);
  for (double i = std::ceil(low / step - 1e-9); i * step <= high + step * 1e-9 && found.size() < 1000; ++i)
    found.push_back(i * step);
  return found;
}

}  // namespace ui
