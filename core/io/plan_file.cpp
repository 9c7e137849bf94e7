#include "core/io/plan_file.h"

#include <fmt/format.h>

#include <filesystem>

#include "core/io/file.h"
#include "core/io/json_print.h"
#include "core/io/value_json.h"

namespace core {
namespace {

namespace fs = std::filesystem;

std::vector<Variant> readVariants(const JsonReader& reader) {
  std::vector<Variant> variants;
  reader.each([&](const JsonReader& item) {
    Variant variant = readVariant(item);
    for (const Variant& other : variants)
      if (other.name == variant.name) item.refuse(fmt::format("two variants are named \"{}\"", variant.name), "each name once");
    variants.push_back(std::move(variant));
  });
  if (variants.empty()) reader.refuse("no variant", "at least one");
  return variants;
}

std::string absolute(const std::string& path, const fs::path& folder) {
  if (path.empty()) return path;
  return (folder / path).lexically_normal().string();
}

std::string relative(const std::string& path, const fs::path& folder) {
  if (path.empty()) return path;
  return fs::absolute(path).lexically_normal().lexically_relative(folder).string();
}

bool isMachineFile(const std::string& machine) { return machine.find('/') != std::string::npos || machine.ends_with(".json"); }

// Gives every path of the plan to `change`; the graph is copied only where it has files.
template <class F>
Plan withPaths(Plan plan, F&& change) {
  if (plan.graph) {
    auto graph = std::make_shared<Graph>(*plan.graph);
    for (Tensor& tensor : graph->tensors)
      if (auto* file = std::get_if<FileSource>(&tensor.source)) file->path = change(file->path);
    plan.graph = std::move(graph);
  }
  plan.origin = change(plan.origin);
  for (Variant& variant : plan.variants) {
    variant.data.path = change(variant.data.path);
    if (isMachineFile(variant.machine)) variant.machine = change(variant.machine);
  }
  for (std::string& run : plan.runs) run = change(run);
  return plan;
}

fs::path folderOf(const std::string& path) { return fs::absolute(path).lexically_normal().parent_path(); }

}  // namespace

Plan parsePlan(std::string_view text, const std::string& where) {
  const Json json = parseJson(text, where);
  const JsonReader reader(json, where);
  expectFormat(reader, "meshwright.plan", 1);
  const JsonObject object(reader, {"format", "name", "origin", "importNotes", "current", "variants", "runs", "graph"});
  Plan plan{.name = object.at("name").string(), .variants = readVariants(object.at("variants"))};
  plan.current = static_cast<std::size_t>(object.at("current").integer(0, static_cast<std::int64_t>(plan.variants.size()) - 1));
  if (auto origin = object.find("origin")) plan.origin = origin->string();
  if (auto notes = object.find("importNotes")) plan.importNotes = notes->strings();
  if (auto runs = object.find("runs")) plan.runs = runs->strings();
  plan.graph = std::make_shared<const Graph>(readGraph(object.at("graph")));
  return plan;
}

std::string printPlan(const Plan& plan) {
  Json variants = Json::array();
  for (const Variant& variant : plan.variants) variants.push_back(variantJson(variant));
  Json json = {{"format", formatOf("meshwright.plan", 1)}, {"name", plan.name}};
  if (!plan.origin.empty()) json["origin"] = plan.origin;
  if (!plan.importNotes.empty()) json["importNotes"] = plan.importNotes;
  json["current"] = plan.current;
  json["variants"] = std::move(variants);
  if (!plan.runs.empty()) json["runs"] = plan.runs;
  json["graph"] = graphJson(plan.graph ? *plan.graph : Graph{});
  return printJson(json);
}

Plan readPlan(const std::string& path) {
  const fs::path folder = folderOf(path);
  return withPaths(parsePlan(readText(path), path), [&](const std::string& one) { return absolute(one, folder); });
}

void writePlan(const Plan& plan, const std::string& path) {
  const fs::path folder = folderOf(path);
  writeTextAtomically(path, printPlan(withPaths(plan, [&](const std::string& one) { return relative(one, folder); })));
}

}  // namespace core
