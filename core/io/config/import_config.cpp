#include "core/io/config/import_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/base/text.h"
#include "core/io/config/family.h"

namespace core {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> familyNames() {
  std::vector<std::string> names;
  for (const ConfigFamily& family : configFamilies()) names.emplace_back(family.name);
  return names;
}

[[noreturn]] void refuseFamily(const JsonReader& at, const std::string& name) {
  const std::vector<std::string> known = familyNames();
  const auto nearest = std::min_element(known.begin(), known.end(), [&](const std::string& a, const std::string& b) {
    return editDistance(name, a) < editDistance(name, b);
  });
  at.refuse(fmt::format("the family \"{}\" is not known", name),
            fmt::format("the nearest known one is \"{}\"; known are {}", *nearest, join(known, ", ")));
}

std::vector<std::string> architecturesOf(const ConfigKeys& keys) {
  const auto found = keys.find("architectures");
  return found ? found->strings() : std::vector<std::string>{};
}

bool has(const ConfigFamily& family, const std::string& architecture) {
  return std::find(family.architectures.begin(), family.architectures.end(), architecture) !=
         family.architectures.end();
}

// By "model_type"; a file without one may say it by its architecture.
const ConfigFamily& familyOf(const ConfigKeys& keys) {
  const auto type = keys.find("model_type");
  for (const ConfigFamily& family : configFamilies()) {
    if (type && type->string() == family.name) return family;
    for (const std::string& architecture : architecturesOf(keys))
      if (!type && has(family, architecture)) return family;
  }
  if (type) refuseFamily(*type, type->string());
  keys.reader().refuse("this JSON has no \"model_type\": it is no model's config.json",
                       fmt::format("one of {}", join(familyNames(), ", ")));
}

std::string_view architectureOf(const ConfigKeys& keys, const ConfigFamily& family) {
  const std::vector<std::string> wanted = architecturesOf(keys);
  if (wanted.empty()) return family.architectures.front();
  for (std::string_view known : family.architectures)
    if (std::find(wanted.begin(), wanted.end(), known) != wanted.end()) return known;
  keys.find("architectures")
      ->refuse(fmt::format("\"{}\" is not built", wanted.front()),
               fmt::format("of {}: {}", family.name, fmt::join(family.architectures, ", ")));
}

// What every file may have and what changes no graph: words about tokens, files, generation and storage.
void passCommon(const ConfigKeys& keys) {
  keys.pass({"_name_or_path",
             "transformers_version",
             "torch_dtype",
             "dtype",
             "auto_map",
             "use_cache",
             "bos_token_id",
             "eos_token_id",
             "pad_token_id",
             "sep_token_id",
             "cls_token_id",
             "mask_token_id",
             "unk_token_id",
             "decoder_start_token_id",
             "forced_bos_token_id",
             "forced_eos_token_id",
             "tokenizer_class",
             "prefix",
             "task_specific_params",
             "id2label",
             "label2id",
             "num_labels",
             "problem_type",
             "finetuning_task",
             "output_attentions",
             "output_hidden_states",
             "output_scores",
             "output_past",
             "return_dict",
             "return_dict_in_generate",
             "torchscript",
             "use_bfloat16",
             "gradient_checkpointing",
             "chunk_size_feed_forward",
             "tf_legacy_loss",
             "_attn_implementation_autoset",
             "attn_implementation",
             "is_decoder",
             "is_encoder_decoder",
             "quantization_config",
             "initializer_range",
             "initializer_factor"});
}

// Keys of every family that would make another graph of it.
void refuseCommon(const ConfigKeys& keys) {
  keys.onlyFlag("tie_encoder_decoder", false);
  keys.onlyFlag("add_cross_attention", false);
  if (const auto pruned = keys.find("pruned_heads"); pruned && !pruned->json().empty())
    pruned->refuse("heads are pruned, which is not supported", "{}");
}

void setInitialSpread(const ConfigKeys& keys, Graph& graph) {
  const auto range = keys.find("initializer_range");
  if (!range) return;
  const double spread = range->finite();
  if (spread < 0) range->refuse(fmt::format("{} is below 0", spread), "such as 0.02");
  for (Tensor& tensor : graph.tensors) {
    auto* initializer = std::get_if<Initializer>(&tensor.source);
    if (tensor.kind == TensorKind::state && initializer && initializer->kind == Initializer::Kind::normal)
      initializer->second = spread;
  }
}

// "models/llama/config.json" -> llama; "gpt2-large.config.json" -> gpt2-large.
std::string nameOf(const std::string& path) {
  const fs::path given(path);
  std::string name = given.filename().string();
  if (name == "config.json") return fs::absolute(given).lexically_normal().parent_path().filename().string();
  for (std::string_view ending : {".json", ".config"})
    if (name.ends_with(ending) && name.size() > ending.size()) name.resize(name.size() - ending.size());
  return name;
}

std::vector<std::string> notesOf(const ConfigKeys& keys, const ConfigFamily& family, const ConfigModel& model) {
  std::vector<std::string> notes{fmt::format("family {}: {}", family.name, family.summary)};
  notes.insert(notes.end(), model.notes.begin(), model.notes.end());
  const std::string stored = keys.text("torch_dtype", keys.text("dtype", ""));
  if (!stored.empty() && stored != "float32")
    notes.push_back(fmt::format(
        "published as {}; parameters are f32 here, and the step's precision says what is computed in", stored));
  if (keys.has("quantization_config"))
    notes.push_back("quantized weights are not read; the model is built as it was before");
  if (const std::vector<std::string> unread = keys.unread(); !unread.empty())
    notes.push_back("keys that are not known, and not honoured: " + join(unread, ", "));
  return notes;
}

ImportReport reportOf(const ConfigKeys& keys, const ConfigFamily& family, const ConfigModel& model,
                      const OpenSizes& open) {
  ImportReport report{.format = "Hugging Face config"};
  if (const auto version = keys.find("transformers_version")) report.producer = "transformers " + version->string();
  report.operators = static_cast<std::int64_t>(model.graph.operators.size());
  report.parameters = model.graph.parameterCount();
  for (const OpenSizes::Size& one : open.taken())
    report.symbols.push_back({one.name, one.size, one.given ? "given" : "chosen here", !one.given});
  report.notes = notesOf(keys, family, model);
  if (model.layerCount > 1) report.repeat = ImportReport::Repeat{model.layers, model.layerCount};
  return report;
}

void refuseOwnFormats(const JsonReader& reader) {
  if (!reader.json().is_object()) return;
  const auto format = reader.json().find("format");
  if (format == reader.json().end() || !format->is_string()) return;
  const std::string& name = format->get_ref<const std::string&>();
  if (!name.starts_with("meshwright.")) return;
  reader.refuse(fmt::format("this is a file of Meshwright ({}), not a model", name),
                "an ONNX model or a config.json; a plan (*.plan.json) is opened, not imported");
}

// "num_hidden_layers=8", "hidden_act=gelu", "rope_scaling={...}": JSON, or a text where it is none.
void set(Json& config, const std::string& setting) {
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos || equals == 0)
    throw Error{.what = fmt::format("\"{}\" sets nothing", setting),
                .where = "--set",
                .right = "KEY=VALUE, such as num_hidden_layers=8"};
  const std::string value = setting.substr(equals + 1);
  config[setting.substr(0, equals)] = Json::accept(value) ? parseJson(value, "--set") : Json(value);
}

}  // namespace

Import newModel(const std::string& family, const std::vector<std::string>& settings, const ImportOptions& options) {
  const std::span<const ConfigFamily> families = configFamilies();
  const auto found =
      std::find_if(families.begin(), families.end(), [&](const ConfigFamily& one) { return one.name == family; });
  if (found == families.end())
    throw Error{.what = fmt::format("the family \"{}\" is not known", family),
                .where = "new",
                .right = didYouMean(family, familyNames())};
  Json config = parseJson(found->small, family);
  config["model_type"] = family;
  for (const std::string& setting : settings) set(config, setting);
  Import made = importConfig(config.dump(), family, options);
  made.report.format = "new model";
  return made;
}

Import importConfig(std::string_view text, const std::string& path, const ImportOptions& options) try {
  const Json json = parseJson(text, path);
  const JsonReader reader(json, path);
  refuseOwnFormats(reader);
  const ConfigKeys keys(reader);
  const ConfigFamily& family = familyOf(keys);
  passCommon(keys);
  refuseCommon(keys);
  OpenSizes open(options.dims, path);
  ConfigModel model = family.build(keys, architectureOf(keys, family), open);
  open.requireAllTaken();
  setInitialSpread(keys, model.graph);
  model.graph.name = nameOf(path);
  ImportReport report = reportOf(keys, family, model, open);
  return {std::make_shared<const Graph>(std::move(model.graph)), std::move(report)};
} catch (Error& error) {  // of a layer that was built of it
  if (!error.where.starts_with(path)) error.where = path + (error.where.empty() ? "" : ": " + error.where);
  throw;
}

}  // namespace core
