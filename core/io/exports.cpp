#include "core/io/exports.h"

#include <algorithm>

#include "core/io/chrome_trace.h"
#include "core/io/cost_json.h"
#include "core/io/dot.h"
#include "core/io/layout_export.h"
#include "core/io/layout_file.h"

namespace core {
namespace {

constexpr Export exports[] = {
    {"layout-json", "Layout as JSON", "layout.json", true, [](const Analysis& analysis, const std::string&) { return printLayoutFile(exportLayout(analysis)); }},
    {"mesh-tf", "Layout as a Mesh-TensorFlow string", "txt", false, [](const Analysis& analysis, const std::string&) { return printMeshTensorflow(analysis.plan->variants.at(analysis.variant).layout) + "\n"; }},
    {"partition-spec", "JAX PartitionSpecs", "py", true, [](const Analysis& analysis, const std::string&) { return printPartitionSpecs(exportLayout(analysis)); }},
    {"dtensor", "PyTorch DTensor placements", "py", true, [](const Analysis& analysis, const std::string&) { return printDTensorPlacements(exportLayout(analysis)); }},
    {"dot", "Graph as DOT", "dot", false, [](const Analysis& analysis, const std::string&) { return printDot(analysis); }},
    {"estimate-json", "Estimate as JSON", "json", true, [](const Analysis& analysis, const std::string&) { return printEstimateJson(analysis); }},
    {"estimate-csv", "Estimate as CSV", "csv", true, [](const Analysis& analysis, const std::string&) { return printEstimateCsv(analysis); }},
    {"chrome-trace", "Predicted Chrome trace", "trace.json", true,
     [](const Analysis& analysis, const std::string& title) { return printChromeTrace(*analysis.cost, analysis.program->mesh, "predicted: " + title); }},
};

}  // namespace

std::span<const Export> textExports() { return exports; }

const Export* findExport(std::string_view name) {
  const auto found = std::find_if(std::begin(exports), std::end(exports), [&](const Export& one) { return one.name == name; });
  return found == std::end(exports) ? nullptr : found;
}

std::string exported(const Export& form, const Analysis& analysis, const std::string& title) {
  if (form.wantsProgram && (!analysis.program || !analysis.cost)) {
    const auto error = std::find_if(analysis.diagnostics.begin(), analysis.diagnostics.end(), [](const Diagnostic& one) { return one.severity == Diagnostic::Severity::error; });
    if (error != analysis.diagnostics.end()) throw Error{.what = error->what, .where = error->where, .right = error->right};
    throw Error{.what = "this plan has no program", .where = title, .right = "a plan that `check` accepts"};
  }
  return form.print(analysis, title);
}

}  // namespace core
