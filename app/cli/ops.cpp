#include <fmt/format.h>

#include <memory>

#include "app/cli/table.h"
#include "app/cli/verbs.h"
#include "core/io/json_print.h"
#include "core/ops/op.h"

namespace app {
namespace {

using core::Json;

int list(bool json) {
  Json all = Json::array();
  Table table({"domain", "operator", "meaning", ""}, {Table::Side::left, Table::Side::left, Table::Side::left, Table::Side::left});
  for (const core::Op* op : core::allOps()) {
    const bool expands = static_cast<bool>(op->expand);
    all.push_back({{"name", op->name}, {"domain", op->domain}, {"summary", op->summary}, {"expression", op->text}, {"expands", expands}, {"gradient", static_cast<bool>(op->gradient)}});
    table.row({std::string(op->domain), std::string(op->name), std::string(op->summary), std::string(op->text)});
  }
  fmt::print("{}", json ? core::printJson({{"format", "meshwright.ops/1"}, {"operators", std::move(all)}}) : table.text(""));
  return done;
}

std::function<int()> declareOps(Arguments& arguments) {
  auto json = std::make_shared<bool>(false);
  arguments.flag("--json", *json, "the operators as JSON");
  return [json] { return list(*json); };
}

}  // namespace

Verb opsVerb() { return {"ops", "Lists the operators, with what they mean.", declareOps}; }

}  // namespace app
