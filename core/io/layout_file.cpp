#include "core/io/layout_file.h"

#include <fmt/format.h>

#include "core/base/hash.h"
#include "core/io/file.h"
#include "core/io/json_print.h"
#include "core/io/value_json.h"

namespace core {
namespace {

constexpr std::pair<std::string_view, Origin> origins[] = {{"replicated", Origin::replicated},
                                                          {"propagated", Origin::propagated},
                                                          {"choice", Origin::choice},
                                                          {"rule", Origin::rule},
                                                          {"pin", Origin::pin}};
constexpr std::pair<std::string_view, TensorKind> kinds[] = {
    {"value", TensorKind::value}, {"input", TensorKind::input}, {"constant", TensorKind::constant}, {"state", TensorKind::state}};

Json tensorJson(const ExportedTensor& tensor) {
  Json dims = Json::array();
  for (const ExportedDimension& dim : tensor.dims)
    dims.push_back({{"dimension", dim.name}, {"size", dim.size}, {"axes", dim.axes}, {"origin", nameOf<Origin>(dim.origin, origins)}});
  Json json = {{"name", tensor.name}, {"kind", nameOf<TensorKind>(tensor.kind, kinds)}, {"dims", std::move(dims)}};
  if (!tensor.partial.empty()) json["partial"] = tensor.partial;
  if (tensor.reduction != Reduction::sum) json["reduction"] = toString(tensor.reduction);
  put(json, "reason", tensor.reason, {});
  return json;
}

ExportedDimension readDimension(const JsonReader& reader) {
  const JsonObject object(reader, {"dimension", "size", "axes", "origin"});
  return {.name = object.at("dimension").name(),
          .size = object.at("size").count(),
          .axes = object.at("axes").strings(),
          .origin = object.at("origin").oneOf<Origin>(origins)};
}

ExportedTensor readTensor(const JsonReader& reader) {
  const JsonObject object(reader, {"name", "kind", "dims", "partial", "reduction", "reason"});
  ExportedTensor tensor{.name = object.at("name").name(), .kind = object.at("kind").oneOf<TensorKind>(kinds), .dims = object.at("dims").list(readDimension)};
  if (auto partial = object.find("partial")) tensor.partial = partial->strings();
  if (auto reduction = object.find("reduction")) tensor.reduction = readReduction(*reduction);
  if (auto reason = object.find("reason")) tensor.reason = reason->string();
  return tensor;
}

std::vector<std::string> namesOf(const AxisList& axes, const Mesh& mesh) {
  std::vector<std::string> names;
  for (AxisId axis : axes) names.push_back(mesh.axes[axis].name);
  return names;
}

ExportedTensor exportTensor(const Tensor& tensor, const TensorLayout& layout, const Graph& graph, const Mesh& mesh) {
  ExportedTensor exported{.name = tensor.name, .kind = tensor.kind, .reduction = layout.sharding.reduction, .reason = layout.reason};
  for (std::size_t d = 0; d < tensor.shape.size(); ++d)
    exported.dims.push_back({.name = graph[tensor.shape[d]].name,
                             .size = graph.size(tensor.shape[d]),
                             .axes = namesOf(layout.sharding.dims[d], mesh),
                             .origin = d < layout.origins.size() ? layout.origins[d] : Origin::replicated});
  for (std::size_t axis = 0; axis < mesh.axes.size(); ++axis)
    if (layout.sharding.partial.contains(static_cast<AxisId>(axis))) exported.partial.push_back(mesh.axes[axis].name);
  return exported;
}

}  // namespace

LayoutFile parseLayoutFile(std::string_view text, const std::string& where) {
  const Json json = parseJson(text, where);
  const JsonReader reader(json, where);
  expectFormat(reader, "meshwright.layout", 1);
  const JsonObject object(reader, {"format", "model", "modelHash", "mesh", "rules", "pins", "choices", "step", "tensors"});
  LayoutFile file;
  if (auto model = object.find("model")) file.model = model->string();
  if (auto hash = object.find("modelHash")) file.modelHash = hash->string();
  if (auto mesh = object.find("mesh")) file.mesh = readMesh(*mesh);
  file.layout.rules = readRules(object.at("rules"));
  if (auto pins = object.find("pins")) file.layout.pins = readPins(*pins);
  if (auto choices = object.find("choices")) file.layout.choices = readChoices(*choices);
  if (auto step = object.find("step")) file.step = step->string();
  if (auto tensors = object.find("tensors")) file.tensors = tensors->list(readTensor);
  return file;
}

std::string printLayoutFile(const LayoutFile& file) {
  Json json = {{"format", formatOf("meshwright.layout", 1)}};
  put(json, "model", file.model, {});
  put(json, "modelHash", file.modelHash, {});
  if (file.mesh) json["mesh"] = meshJson(*file.mesh);
  json["rules"] = rulesJson(file.layout.rules);
  if (!file.layout.pins.empty()) json["pins"] = pinsJson(file.layout.pins);
  if (!file.layout.choices.empty()) json["choices"] = choicesJson(file.layout.choices);
  put(json, "step", file.step, {});
  if (!file.tensors.empty()) json["tensors"] = Json::array();
  for (const ExportedTensor& tensor : file.tensors) json["tensors"].push_back(tensorJson(tensor));
  return printJson(json);
}

LayoutFile readLayoutFile(const std::string& path) { return parseLayoutFile(readText(path), path); }

void writeLayoutFile(const LayoutFile& file, const std::string& path) { writeTextAtomically(path, printLayoutFile(file)); }

std::string hashOf(const Graph& graph) {
  Graph bare = graph;
  for (Tensor& tensor : bare.tensors) tensor.source = {};
  return fmt::format("{:016x}", hashText(printJsonLine(graphJson(bare))));
}

LayoutFile exportLayout(const Analysis& analysis) {
  const Variant& variant = analysis.plan->variants[analysis.variant];
  LayoutFile file{.layout = variant.layout,
                  .mesh = variant.mesh,
                  .model = analysis.plan->name,
                  .modelHash = hashOf(*analysis.plan->graph),
                  .step = variant.step.training ? "training" : "inference"};
  if (!analysis.step) return file;
  for (std::size_t i = 0; i < analysis.layouts.size(); ++i)
    file.tensors.push_back(exportTensor(analysis.step->tensors[i], analysis.layouts[i], *analysis.step, variant.mesh));
  return file;
}

}  // namespace core
