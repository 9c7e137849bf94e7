#include <fmt/format.h>

#include <memory>

#include "app/cli/new_plan.h"
#include "app/cli/verbs.h"
#include "core/base/error.h"
#include "core/base/units.h"
#include "core/io/config/families.h"
#include "core/io/config/import_config.h"
#include "core/io/plan_file.h"
#include "core/layers/gpt.h"

namespace app {
namespace {

constexpr std::int64_t most = std::int64_t{1} << 40;

struct Options {
  std::string family, output;
  core::GptSizes sizes;  // of gpt
  std::vector<std::string> settings, dims;  // of the families of config files
};

core::Plan planByFamily(const Options& options) {
  const std::string name = planName(options.output);
  if (options.family == "gpt") {
    if (options.settings.empty() && options.dims.empty()) return planOf(core::gpt(options.sizes), name);
    throw core::Error{.what = "--set and --dim are not for gpt", .where = "new", .right = "--layers, --d-model, --seq and the like"};
  }
  if (options.sizes != core::GptSizes{})
    throw core::Error{.what = "--layers, --d-model and the like are for gpt", .where = "new", .right = fmt::format("for {}: --set KEY=VALUE as in its config.json, and --dim batch=8", options.family)};
  return planOf(core::newModel(options.family, options.settings, {.dims = dimSizes(options.dims)}), name);
}

std::vector<std::string> families() {
  std::vector<std::string> names{"gpt"};
  for (const core::ConfigFamily& family : core::configFamilies()) names.emplace_back(family.name);
  return names;
}

std::string familyHelp() {
  std::string text = "what to build. gpt: Decoder with learned positions, sizes as options.";
  for (const core::ConfigFamily& family : core::configFamilies()) text += fmt::format(" {}: {}", family.name, family.summary);
  return text;
}

int make(const Options& options) {
  const core::Plan plan = planByFamily(options);
  core::writePlan(plan, options.output);
  fmt::print("{}: {} parameters in {} operators\n", options.output, core::countText(plan.graph->parameterCount()),
             core::countText(static_cast<std::int64_t>(plan.graph->operators.size())));
  return done;
}

std::function<int()> declareNew(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  core::GptSizes& sizes = options->sizes;
  arguments.oneOf("family", options->family, families(), familyHelp(), true);
  arguments.texts("--set", options->settings, "KEY=VALUE", "a key of config.json, for every family but gpt: num_hidden_layers=4; may stand several times");
  arguments.texts("--dim", options->dims, "NAME=SIZE", "batch or seq, for every family but gpt; may stand several times");
  arguments.number("--layers", sizes.layers, 1, 100'000, "how many blocks");
  arguments.number("--d-model", sizes.modelSize, 1, most, "the size of the residual stream");
  arguments.number("--heads", sizes.heads, 1, most, "heads of attention");
  arguments.number("--ffn", sizes.ffn, 0, most, "the hidden size of the feed-forward block; 0: four times d-model");
  arguments.number("--vocab", sizes.vocab, 1, most, "how many tokens there are");
  arguments.number("--seq", sizes.seq, 1, most, "positions of a sequence");
  arguments.number("--positions", sizes.positions, 0, most, "rows of the table of positions; 0: as many as seq");
  arguments.number("--batch", sizes.batch, 1, most, "sequences of a step");
  arguments.flag("--tied", sizes.tied, "the head reads the embedding's table");
  arguments.required("-o,--output", options->output, "FILE", "the plan to write, NAME.plan.json");
  return [options] { return make(*options); };
}

}  // namespace

Verb newVerb() { return {"new", "Builds a model of a known family and writes it as a plan.", declareNew}; }

}  // namespace app
