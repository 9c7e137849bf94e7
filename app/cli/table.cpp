#include "app/cli/table.h"

#include <algorithm>

namespace app {
namespace {

// As many columns as a terminal shows: bytes that continue a UTF-8 character take none.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](unsigned char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

std::string Table::text(const std::string& indent) const {
  std::vector<std::size_t> widths(titles_.size());
  const auto measure = [&](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size() && i < widths.size(); ++i) widths[i] = std::max(widths[i], width(cells[i]));
  };
  measure(titles_);
  for (const auto& cells : rows_) measure(cells);
  std::string all;
  const auto print = [&](const std::vector<std::string>& cells) {
    std::string line = indent;
    for (std::size_t i = 0; i < cells.size() && i < widths.size(); ++i) {
      const std::string padding(widths[i] - width(cells[i]), ' ');
      line += (i ? "  " : "") + (sides_[i] == Side::right ? padding + cells[i] : cells[i] + padding);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    all += line + "\n";
  };
  if (std::any_of(titles_.begin(), titles_.end(), [](const std::string& title) { return !title.empty(); })) print(titles_);
  for (const auto& cells : rows_) print(cells);
  return all;
}

}  // namespace app
