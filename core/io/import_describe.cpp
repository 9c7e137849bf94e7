#include <fmt/format.h>

#include "core/base/units.h"
#include "core/io/import.h"

namespace core {

std::vector<std::string> describe(const ImportReport& report) {
  std::vector<std::string> all;
  std::string from = report.format;
  if (!report.producer.empty()) from += " by " + report.producer;
  if (report.opset > 0) from += fmt::format(", opset {}", report.opset);
  if (report.fileOperators > 0) all.push_back(fmt::format("{}: {} operators of the file became {}", from, countText(report.fileOperators), countText(report.operators)));
  else all.push_back(fmt::format("{}: {} operators", from, countText(report.operators)));
  if (report.repeat) all.push_back(fmt::format("{} equal blocks {}", report.repeat->count, report.repeat->scope));
  for (const auto& symbol : report.symbols)
    if (symbol.size > 0) all.push_back(fmt::format("{} = {} ({}{})", symbol.name, symbol.size, symbol.reason, symbol.chosen ? fmt::format(": --dim {}=SIZE gives another", symbol.name) : ""));
  if (report.renames > 0) all.push_back(fmt::format("{} times one dimension is read as another", report.renames));
  if (report.reshapes > 0) all.push_back(fmt::format("{} reshapes that names could not replace", report.reshapes));
  for (const auto& [type, count, reason] : report.unknown) all.push_back(fmt::format("{} {} of type {} cannot be run, only shown: {}", countText(count), count == 1 ? "operator" : "operators", type, reason));
  for (const std::string& name : report.deciding) all.push_back(fmt::format("the input {} decides sizes or axes: --value {}=FILE makes it known", name, name));
  for (const auto& [tensor, file] : report.missing) all.push_back(fmt::format("the weights of {} are missing: {} should hold them", tensor, file));
  all.insert(all.end(), report.notes.begin(), report.notes.end());
  return all;
}

}  // namespace core
