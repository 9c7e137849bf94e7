#pragma once

#include <string>
#include <vector>

namespace app {

// Columns that align, two spaces apart; figures to the right. Reads well aloud: a title line, then a row a line.
class Table {
 public:
  enum class Side { left, right };
  Table(std::vector<std::string> titles, std::vector<Side> sides) : titles_(std::move(titles)), sides_(std::move(sides)) {}
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  std::string text(const std::string& indent = "  ") const;
  bool empty() const { return rows_.empty(); }

 private:
  std::vector<std::string> titles_;
  std::vector<Side> sides_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace app
