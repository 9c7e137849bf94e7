#include <fmt/format.h>

#include "core/io/value_json.h"

namespace core {
namespace {

Json ruleJson(const Rule& rule) { return {{"dimension", rule.dimension}, {"axes", rule.axes}}; }

std::vector<std::string> readAxisNames(const JsonReader& reader) {
  return reader.list([](const JsonReader& item) { return item.name(); });
}

Rule readRule(const JsonReader& reader) {
  const JsonObject rule(reader, {"dimension", "axes"});
  return {rule.at("dimension").name(), readAxisNames(rule.at("axes"))};
}

constexpr std::pair<std::string_view, Reduction> reductions[] = {
    {"sum", Reduction::sum}, {"product", Reduction::product},      {"max", Reduction::max},
    {"min", Reduction::min}, {"and", Reduction::logicalAnd}, {"or", Reduction::logicalOr}};

Json windowJson(const Window& window) {
  if (window.plain() && window == Window{}) return nullptr;
  return {{"extent", window.extent}, {"factor", window.factor}, {"low", window.low}, {"high", window.high}, {"divide", window.divide}};
}

Window readWindow(const JsonReader& reader) {
  if (reader.json().is_null()) return {};
  const JsonObject window(reader, {"extent", "factor", "low", "high", "divide"});
  return {.extent = window.at("extent").count(),
          .factor = window.at("factor").integer(),
          .low = window.at("low").integer(),
          .high = window.at("high").integer(),
          .divide = window.at("divide").size()};
}

}  // namespace

Reduction readReduction(const JsonReader& reader) { return reader.oneOf<Reduction>(reductions); }

Json rulesJson(const std::vector<Rule>& rules) {
  Json json = Json::array();
  for (const Rule& rule : rules) json.push_back(ruleJson(rule));
  return json;
}

std::vector<Rule> readRules(const JsonReader& reader) { return reader.list(readRule); }

Json pinsJson(const std::vector<Pin>& pins) {
  Json json = Json::array();
  for (const Pin& pin : pins) json.push_back({{"tensor", pin.tensor}, {"dims", rulesJson(pin.dims)}});
  return json;
}

std::vector<Pin> readPins(const JsonReader& reader) {
  return reader.list([](const JsonReader& item) {
    const JsonObject pin(item, {"tensor", "dims"});
    return Pin{pin.at("tensor").name(), readRules(pin.at("dims"))};
  });
}

Json choicesJson(const std::vector<Choice>& choices) {
  Json json = Json::array();
  for (const Choice& choice : choices) json.push_back({{"operator", choice.op}, {"loop", choice.loop}, {"axes", choice.axes}});
  return json;
}

std::vector<Choice> readChoices(const JsonReader& reader) {
  return reader.list([](const JsonReader& item) {
    const JsonObject choice(item, {"operator", "loop", "axes"});
    return Choice{choice.at("operator").name(), choice.at("loop").name(), readAxisNames(choice.at("axes"))};
  });
}

Json placementJson(const Placement& placement, const Mesh& mesh) {
  Json dims = Json::array();
  for (const AxisList& axes : placement.sharding.dims) dims.push_back(axesJson(axes, mesh));
  Json json = {{"dims", std::move(dims)}};
  if (!placement.sharding.partial.empty()) json["partial"] = axesJson(placement.sharding.partial, mesh);
  if (placement.sharding.reduction != Reduction::sum) json["reduction"] = nameOf<Reduction>(placement.sharding.reduction, reductions);
  if (placement.windows.empty()) return json;
  json["windows"] = Json::array();
  for (const Window& window : placement.windows) json["windows"].push_back(windowJson(window));
  return json;
}

Placement readPlacement(const JsonReader& reader, std::size_t rank, const Mesh& mesh) {
  const JsonObject object(reader, {"dims", "partial", "reduction", "windows"});
  Placement placement;
  placement.sharding.dims = object.at("dims").list([&](const JsonReader& item) { return readAxes(item, mesh); });
  if (placement.sharding.dims.size() != rank)
    object.at("dims").refuse(fmt::format("{} dimensions", placement.sharding.dims.size()), fmt::format("{}, as the tensor has", rank));
  AxisSet used;
  for (const AxisList& axes : placement.sharding.dims)
    for (AxisId axis : axes) {
      if (used.contains(axis)) reader.refuse(fmt::format("the axis \"{}\" splits two dimensions", mesh.axes[axis].name), "each axis once");
      used.insert(axis);
    }
  if (auto partial = object.find("partial")) placement.sharding.partial = readAxisSet(*partial, mesh);
  if (placement.sharding.partial.bits & used.bits) reader.refuse("an axis both splits the tensor and leaves it partial");
  if (auto reduction = object.find("reduction")) placement.sharding.reduction = readReduction(*reduction);
  if (auto windows = object.find("windows")) {
    placement.windows = windows->list(readWindow);
    if (placement.windows.size() != rank) windows->refuse(fmt::format("{} windows", placement.windows.size()), fmt::format("{}, as the tensor has dimensions", rank));
  }
  return placement;
}

}  // namespace core
