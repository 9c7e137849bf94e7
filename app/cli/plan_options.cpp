#include "app/cli/plan_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "core/base/text.h"
#include "core/io/layout_file.h"
#include "core/io/plan_file.h"
#include "core/ops/op.h"
#include "core/plan/edit/graph.h"

namespace app {
namespace {

namespace fs = std::filesystem;

constexpr std::pair<std::string_view, core::OptimizerKind> optimizers[] = {
    {"sgd", core::OptimizerKind::sgd}, {"momentum", core::OptimizerKind::momentum}, {"adam", core::OptimizerKind::adam}};
constexpr std::pair<std::string_view, core::LossKind> losses[] = {{"automatic", core::LossKind::automatic},
                                                                {"scalar-output", core::LossKind::scalarOutput},
                                                                {"cross-entropy", core::LossKind::crossEntropy},
                                                                {"mean-square", core::LossKind::meanSquare}};
constexpr std::pair<std::string_view, core::Precision> precisions[] = {{"f32", core::Precision::f32}, {"bf16", core::Precision::bf16}};

template <class E, std::size_t n>
E pick(const std::string& option, const std::string& word, const std::pair<std::string_view, E> (&names)[n]) {
  std::vector<std::string> known;
  for (const auto& [name, value] : names) {
    if (name == word) return value;
    known.emplace_back(name);
  }
  throw core::Error{.what = fmt::format("unknown \"{}\"", word), .where = option, .right = core::didYouMean(word, known)};
}

template <class E, std::size_t n>
std::string_view word(E value, const std::pair<std::string_view, E> (&names)[n]) {
  for (const auto& [name, one] : names)
    if (one == value) return name;
  return "?";
}

std::size_t indexOf(const core::Plan& plan, const std::optional<std::string>& name, const std::string& where) {
  if (!name) return plan.current;
  std::vector<std::string> known;
  for (std::size_t i = 0; i < plan.variants.size(); ++i) {
    if (plan.variants[i].name == *name) return i;
    known.push_back(plan.variants[i].name);
  }
  throw core::Error{.what = fmt::format("the plan has no variant \"{}\"", *name), .where = where, .right = core::didYouMean(*name, known)};
}

bool isLayoutFile(const std::string& text) {
  std::error_code ignored;
  return text.ends_with(".json") || fs::is_regular_file(text, ignored);
}

void takeLayout(const std::string& given, bool meshGiven, const core::Graph& graph, core::Variant& variant, std::vector<std::string>& notes) {
  if (!isLayoutFile(given)) {
    variant.layout = core::Layout::of(given);
    return;
  }
  const core::LayoutFile file = core::readLayoutFile(given);
  variant.layout = file.layout;
  if (file.mesh && !meshGiven) {
    variant.mesh = *file.mesh;
    notes.push_back(fmt::format("mesh {} is from {}", core::print(*file.mesh), given));
  }
  if (!file.modelHash.empty() && file.modelHash != core::hashOf(graph))
    notes.push_back(fmt::format("{} was exported for another model or other sizes ({}); its rules and pins are used", given, file.model));
}

double parseReal(const std::string& option, const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value > 0) || !std::isfinite(value))
    throw core::Error{.what = fmt::format("\"{}\" is no number above 0", text), .where = option, .right = "such as 1e-3"};
  return value;
}

void takeStep(const PlanOptions& options, core::Step& step) {
  if (options.train) {
    step.training = true;
    step.inference = false;
    step.optimizer.kind = pick("--train", *options.train, optimizers);
  }
  if (options.loss) step.loss = pick("--loss", *options.loss, losses);
  if (options.precision) step.precision = pick("--precision", *options.precision, precisions);
  if (options.learningRate) step.optimizer.learningRate = parseReal("--learning-rate", *options.learningRate);
}

}  // namespace

void declare(Arguments& arguments, PlanOptions& options) {
  arguments.positional("plan", options.plan, "a plan, NAME.plan.json");
  arguments.text("--variant", options.variant, "NAME", "the plan's variant (default: the current one)");
  arguments.text("--mesh", options.mesh, "AXES", "instead of the variant's mesh: data:2,model:2");
  arguments.text("--layout", options.layout, "RULES|FILE", "instead of the variant's layout: 'batch:data;heads:model', or a *.layout.json");
  arguments.text("--machine", options.machine, "NAME|FILE", "instead of the variant's machine: a name that `machines` lists, or a file");
  arguments.text("--train", options.train, "sgd|momentum|adam", "a training step with this optimizer");
  arguments.text("--loss", options.loss, "KIND", "automatic, scalar-output, cross-entropy or mean-square");
  arguments.text("--learning-rate", options.learningRate, "X", "of the optimizer");
  arguments.text("--precision", options.precision, "f32|bf16", "of activations and gradients");
  arguments.texts("--dim", options.dims, "NAME=SIZE", "another size of a dimension, or of one that has none yet; may stand several times");
}

core::Plan bind(core::Plan plan, const std::vector<std::string>& dims) {
  std::map<std::string, std::int64_t> sizes;
  for (const std::string& one : dims) {
    const std::size_t equals = one.find('=');
    const auto size = equals == std::string::npos ? std::nullopt : core::parseInteger(std::string_view(one).substr(equals + 1));
    if (!size || *size < 1 || equals == 0) throw core::Error{.what = fmt::format("\"{}\" is no dimension with a size", one), .where = "--dim", .right = "NAME=SIZE, such as batch=8"};
    sizes[one.substr(0, equals)] = *size;
  }
  return sizes.empty() ? plan : core::bindDimensions(std::move(plan), sizes);
}

ChosenPlan choose(const PlanOptions& options) {
  ChosenPlan chosen;
  core::Plan plan = bind(core::readPlan(options.plan), options.dims);
  chosen.variant = indexOf(plan, options.variant, options.plan);
  core::Variant& variant = plan.variants[chosen.variant];
  if (options.mesh) variant.mesh = core::Mesh::of(*options.mesh);
  if (options.layout) takeLayout(*options.layout, options.mesh.has_value(), *plan.graph, variant, chosen.notes);
  if (options.machine) variant.machine = *options.machine;
  takeStep(options, variant.step);
  chosen.plan = std::make_shared<const core::Plan>(std::move(plan));
  return chosen;
}

core::Analysis analyzeOrRefuse(const ChosenPlan& chosen) {
  core::Analysis analysis = core::analyze(chosen.plan, chosen.variant);
  if (!core::hasErrors(analysis.diagnostics) && analysis.program) return analysis;
  std::string all;
  for (const core::Diagnostic& one : analysis.diagnostics)
    if (one.severity == core::Diagnostic::Severity::error) all += (all.empty() ? "" : "\nerror: ") + one.text();
  throw core::Error{.what = all.empty() ? "this plan has no program" : all, .where = {}, .right = {}};
}

void requireRunnable(const core::Analysis& analysis) {
  std::vector<std::string> names;
  for (const core::Operator& op : analysis.step->operators)
    if (!core::isKnownOp(op.kind)) names.push_back(op.name);
  if (names.empty()) return;
  const std::string more = names.size() > 3 ? fmt::format(" and {} more", names.size() - 3) : "";
  names.resize(std::min<std::size_t>(names.size(), 3));
  throw core::Error{.what = fmt::format("the catalogue lacks operators of this model: {}{}", fmt::join(names, ", "), more),
                    .where = analysis.plan->name,
                    .right = "it can be looked at and estimated, but not run; `ops` lists what is known"};
}

std::string describe(const ChosenPlan& chosen) {
  const core::Variant& variant = chosen.chosen();
  const std::int64_t devices = variant.mesh.devices();
  const std::string mesh = variant.mesh.axes.empty() ? "one device" : fmt::format("mesh {} ({} devices)", core::print(variant.mesh), devices);
  const std::string rules = core::printMeshTensorflow(variant.layout);
  std::string layout = rules.empty() ? "no rules" : "layout " + rules;
  if (!variant.layout.pins.empty()) layout += fmt::format(" and {} pins", variant.layout.pins.size());
  const std::string step = variant.step.training ? fmt::format("training with {}", word(variant.step.optimizer.kind, optimizers)) : "inference";
  return fmt::format("{}, variant {}: {}, {}, {} in {}", chosen.plan->name, variant.name, mesh, layout, step, word(variant.step.precision, precisions));
}

void printNotes(const ChosenPlan& chosen, const core::Analysis& analysis) {
  for (const std::string& note : chosen.notes) fmt::print(stderr, "note: {}\n", note);
  for (const std::string& note : analysis.notes) fmt::print(stderr, "note: {}\n", note);
  for (const core::Diagnostic& one : analysis.diagnostics)
    fmt::print(stderr, "{}: {}\n", one.severity == core::Diagnostic::Severity::error ? "error" : one.severity == core::Diagnostic::Severity::warning ? "warning" : "note", one.text());
}

}  // namespace app
