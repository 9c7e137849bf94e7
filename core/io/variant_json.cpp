#include <fmt/format.h>

#include "core/io/value_json.h"

namespace core {
namespace {

constexpr std::pair<std::string_view, OptimizerKind> optimizers[] = {
    {"sgd", OptimizerKind::sgd}, {"momentum", OptimizerKind::momentum}, {"adam", OptimizerKind::adam}};
constexpr std::pair<std::string_view, LossKind> losses[] = {{"automatic", LossKind::automatic},
                                                           {"scalar-output", LossKind::scalarOutput},
                                                           {"cross-entropy", LossKind::crossEntropy},
                                                           {"mean-square", LossKind::meanSquare}};
constexpr std::pair<std::string_view, Precision> precisions[] = {{"f32", Precision::f32}, {"bf16", Precision::bf16}};
constexpr std::pair<std::string_view, Data::Kind> dataKinds[] = {
    {"synthetic", Data::Kind::synthetic}, {"text", Data::Kind::text}, {"arrays", Data::Kind::arrays}};

Json optimizerJson(const OptimizerSettings& settings) {
  return {{"kind", nameOf<OptimizerKind>(settings.kind, optimizers)},
          {"learningRate", settings.learningRate},
          {"momentum", settings.momentum},
          {"beta1", settings.beta1},
          {"beta2", settings.beta2},
          {"epsilon", settings.epsilon}};
}

OptimizerSettings readOptimizer(const JsonReader& reader) {
  const JsonObject object(reader, {"kind", "learningRate", "momentum", "beta1", "beta2", "epsilon"});
  return {.kind = object.at("kind").oneOf<OptimizerKind>(optimizers),
          .learningRate = object.at("learningRate").finite(),
          .momentum = object.at("momentum").finite(),
          .beta1 = object.at("beta1").finite(),
          .beta2 = object.at("beta2").finite(),
          .epsilon = object.at("epsilon").finite()};
}

Json stepJson(const Step& step) {
  Json json = {{"training", step.training}};
  put(json, "inference", step.inference, false);
  json["loss"] = nameOf<LossKind>(step.loss, losses);
  if (!step.lossOutput.empty()) json["lossOutput"] = step.lossOutput;
  json["optimizer"] = optimizerJson(step.optimizer);
  json["precision"] = nameOf<Precision>(step.precision, precisions);
  json["microbatches"] = step.microbatches;
  json["seed"] = step.seed;
  return json;
}

Step readStep(const JsonReader& reader) {
  const JsonObject object(reader, {"training", "inference", "loss", "lossOutput", "optimizer", "precision", "microbatches", "seed"});
  Step step{.training = object.at("training").boolean(),
            .loss = object.at("loss").oneOf<LossKind>(losses),
            .optimizer = readOptimizer(object.at("optimizer")),
            .precision = object.at("precision").oneOf<Precision>(precisions),
            .microbatches = object.at("microbatches").size(),
            .seed = object.at("seed").unsigned64()};
  if (auto inference = object.find("inference")) step.inference = inference->boolean();
  if (step.inference && step.training) reader.refuse("a step of both training and inference", "one of them");
  if (auto output = object.find("lossOutput")) step.lossOutput = output->name();
  return step;
}

Json layoutJson(const Layout& layout) {
  Json json = {{"rules", rulesJson(layout.rules)}};
  if (!layout.pins.empty()) json["pins"] = pinsJson(layout.pins);
  if (!layout.choices.empty()) json["choices"] = choicesJson(layout.choices);
  return json;
}

Layout readLayout(const JsonReader& reader) {
  const JsonObject object(reader, {"rules", "pins", "choices"});
  Layout layout{.rules = readRules(object.at("rules"))};
  if (auto pins = object.find("pins")) layout.pins = readPins(*pins);
  if (auto choices = object.find("choices")) layout.choices = readChoices(*choices);
  return layout;
}

}  // namespace

Json dataJson(const Data& data) {
  Json json = {{"kind", nameOf<Data::Kind>(data.kind, dataKinds)}};
  if (!data.path.empty()) json["path"] = data.path;
  return json;
}

Data readData(const JsonReader& reader) {
  const JsonObject object(reader, {"kind", "path"});
  Data data{.kind = object.at("kind").oneOf<Data::Kind>(dataKinds)};
  if (auto path = object.find("path")) data.path = path->name();
  if (data.kind != Data::Kind::synthetic && data.path.empty()) reader.refuse("\"path\" is missing", "the text file or the folder of arrays");
  return data;
}

Json variantJson(const Variant& variant) {
  Json json = {{"name", variant.name},
               {"mesh", meshJson(variant.mesh)},
               {"layout", layoutJson(variant.layout)},
               {"step", stepJson(variant.step)},
               {"data", dataJson(variant.data)}};
  if (!variant.machine.empty()) json["machine"] = variant.machine;
  return json;
}

Variant readVariant(const JsonReader& reader) {
  const JsonObject object(reader, {"name", "mesh", "layout", "step", "data", "machine"});
  Variant variant{.name = object.at("name").name(),
                  .mesh = readMesh(object.at("mesh")),
                  .layout = readLayout(object.at("layout")),
                  .step = readStep(object.at("step")),
                  .data = readData(object.at("data"))};
  if (auto machine = object.find("machine")) variant.machine = machine->name();
  return variant;
}

}  // namespace core
