#include "core/io/exports.h"

#include <algorithm>

#include "core/io/chrome_trace.h"
#include "core/io/cost_json.h"
#include "core/io/layout_export.h"
#include "core/io/layout_file.h"
#include "core/run/run_folder.h"

namespace core {
namespace {

std::string layoutJson(const ExportSource& source) { return printLayoutFile(exportLayout(*source.analysis)); }
std::string meshTensorflow(const ExportSource& source) { return printMeshTensorflow(source.analysis->plan->variants.at(source.analysis->variant).layout) + "\n"; }
std::string partitionSpecs(const ExportSource& source) { return printPartitionSpecs(exportLayout(*source.analysis)); }
std::string dtensor(const ExportSource& source) { return printDTensorPlacements(exportLayout(*source.analysis)); }
std::string dot(const ExportSource& source) { return printDot(*source.analysis, source.drawn); }
std::string estimateJson(const ExportSource& source) { return printEstimateJson(*source.analysis); }
std::string estimateCsv(const ExportSource& source) { return printEstimateCsv(*source.analysis); }
std::string predictedTrace(const ExportSource& source) { return printChromeTrace(*source.analysis->cost, source.analysis->program->mesh, "predicted: " + source.title); }
std::string measuredTrace(const ExportSource& source) { return printChromeTrace(readTrace(source.run), "measured: " + source.title); }

constexpr Export table[] = {
    {"layout-json", "Layout as JSON", "layout.json", ExportWants::program, layoutJson},
    {"mesh-tf", "Layout as a Mesh-TensorFlow string", "txt", ExportWants::plan, meshTensorflow},
    {"partition-spec", "JAX PartitionSpecs", "py", ExportWants::program, partitionSpecs},
    {"dtensor", "PyTorch DTensor placements", "py", ExportWants::program, dtensor},
    {"dot", "Graph as DOT", "dot", ExportWants::plan, dot},
    {"svg", "Graph as SVG", "svg", ExportWants::plan, dot, "svg"},
    {"pdf", "Graph as PDF", "pdf", ExportWants::plan, dot, "pdf"},
    {"png", "Graph as PNG", "png", ExportWants::plan, dot, "png"},
    {"estimate-json", "Estimate as JSON", "json", ExportWants::program, estimateJson},
    {"estimate-csv", "Estimate as CSV", "csv", ExportWants::program, estimateCsv},
    {"chrome-trace", "Predicted Chrome trace", "trace.json", ExportWants::program, predictedTrace},
    {"measured-trace", "Measured Chrome trace of the open run", "trace.json", ExportWants::run, measuredTrace},
};

constexpr PictureAttempt attempts[] = {
    {{.clusters = true, .curves = true}, "no picture with curved edges"},
    {{.clusters = true, .curves = false}, "no picture with scopes as boxes"},
    {{.clusters = false, .curves = false}, "no picture"},
};

void requireProgram(const Analysis& analysis, const std::string& title) {
  if (analysis.program && analysis.cost) return;
  const auto error = std::find_if(analysis.diagnostics.begin(), analysis.diagnostics.end(), [](const Diagnostic& one) { return one.severity == Diagnostic::Severity::error; });
  if (error != analysis.diagnostics.end()) throw Error{.what = error->what, .where = error->where, .right = error->right};
  throw Error{.what = "this plan has no program", .where = title, .right = "a plan that `check` accepts"};
}

}  // namespace

std::span<const Export> exports() { return table; }

const Export* findExport(std::string_view name) {
  const auto found = std::find_if(std::begin(table), std::end(table), [&](const Export& one) { return one.name == name; });
  return found == std::end(table) ? nullptr : found;
}

std::string exported(const Export& form, const ExportSource& source) {
  if (form.wants == ExportWants::program) requireProgram(*source.analysis, source.title);
  if (form.wants == ExportWants::run && source.run.empty())
    throw Error{.what = "there is no run to write a measured trace of", .where = source.title, .right = "the folder of a run"};
  return form.print(source);
}

std::span<const PictureAttempt> pictureAttempts() { return attempts; }

}  // namespace core
