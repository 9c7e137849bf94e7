#include "core/io/import.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/config/import_config.h"
#include "core/io/detect.h"
#include "core/io/element.h"
#include "core/io/gzip.h"
#include "core/io/import_layout.h"
#include "core/io/mapped_file.h"
#include "core/io/naming/name.h"
#include "core/io/onnx_emit.h"
#include "core/io/onnx_parse.h"
#include "core/io/onnx_tied.h"
#include "core/io/onnx_walk.h"
#include "core/io/xla/hlo.h"
#include "core/io/xla/lower.h"
#include "core/io/xla/stablehlo.h"

namespace core {
namespace {

using positional::Model;
using positional::Value;

// What is known of the file once its axes are tied.
struct Tied {
  Walk walk;
  naming::Names names;
  std::vector<naming::Rebind> rebound;
};

// Where the graph contradicts a symbol that nobody bound, the symbol takes the size that the graph needs, and all starts again.
Tied tieAxes(const Model& model, std::map<std::string, std::int64_t> bound) {
  Tied tied;
  for (;;) {
    tied.walk = walk(model, bound);
    try {
      tied.names = naming::relate(model, tied.walk);
      return tied;
    } catch (const naming::Rebind& rebind) {
      bound[rebind.symbol] = rebind.size;
      tied.rebound.push_back(rebind);
    }
  }
}

std::vector<std::string> symbolsOf(const Model& model) {
  std::vector<std::string> all;
  for (int input : model.inputs)
    for (const std::string& symbol : model.values[static_cast<std::size_t>(input)].symbols)
      if (!symbol.empty() && std::find(all.begin(), all.end(), symbol) == all.end()) all.push_back(symbol);
  return all;
}

void requireSymbols(const Model& model, const ImportOptions& options, const std::string& path) {
  std::vector<std::string> known = symbolsOf(model);
  for (const auto& [name, size] : options.dims) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw Error{.what = fmt::format("there is no symbol \"{}\" in the file", name), .where = path, .right = known.empty() ? "its sizes are all fixed" : didYouMean(name, known)};
    if (size < 1 || size >= std::int64_t{1} << 40) throw Error{.what = fmt::format("the symbol \"{}\" is to be {}", name, size), .where = path, .right = "a size from 1 to 2^40"};
  }
}

// Inputs of which the values are given are constants of the file from here on.
void giveValues(Model& model, const ImportOptions& options, const std::string& path) {
  for (const auto& [name, given] : options.values) {
    auto at = std::find_if(model.inputs.begin(), model.inputs.end(), [&, wanted = &name](int input) { return model.values[static_cast<std::size_t>(input)].name == *wanted; });
    if (at == model.inputs.end()) {
      std::vector<std::string> known;
      for (int input : model.inputs) known.push_back(model.values[static_cast<std::size_t>(input)].name);
      throw Error{.what = fmt::format("there is no input \"{}\" in the file", name), .where = path, .right = didYouMean(name, known)};
    }
    Value& value = model.values[static_cast<std::size_t>(*at)];
    const bool fits = !value.sizes || (value.sizes->size() == given.sizes.size() && std::equal(given.sizes.begin(), given.sizes.end(), value.sizes->begin(), [](std::int64_t is, std::int64_t wants) { return wants < 0 || is == wants; }));
    if (!fits || value.dtype != given.dtype) throw Error{.what = fmt::format("the value for \"{}\" has another type or other sizes than the input", name), .where = path, .right = "a tensor like the input"};
    value.kind = Value::Kind::initializer;
    value.isConstant = true;
    value.sizes = given.sizes;
    value.symbols.clear();
    value.data = std::make_shared<positional::Data>(readElements(given.bytes, onnxTypeOf(given.dtype), given.sizes));
    model.inputs.erase(at);
  }
}

// Inputs whose elements an operator would need at import.
std::vector<std::string> decidingInputs(const Model& model, const Tied& tied) {
  std::vector<std::string> names;
  for (const naming::Relation& relation : tied.names.relations) {
    if (!relation.opaque) continue;
    const positional::Node& node = model.nodes[static_cast<std::size_t>(relation.node)];
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      if (node.inputs[i] < 0 || !isStructural(node, i)) continue;
      const Value& value = model.values[static_cast<std::size_t>(node.inputs[i])];
      if (value.kind == Value::Kind::input && std::find(names.begin(), names.end(), value.name) == names.end()) names.push_back(value.name);
    }
  }
  return names;
}

std::vector<ImportReport::Symbol> reportSymbols(const Model& model, const ImportOptions& options, const Tied& tied) {
  std::vector<ImportReport::Symbol> all;
  for (const std::string& name : symbolsOf(model)) {
    ImportReport::Symbol symbol{.name = name};
    if (auto given = options.dims.find(name); given != options.dims.end()) symbol.size = given->second, symbol.reason = "given";
    for (const naming::Rebind& rebind : tied.rebound)
      if (rebind.symbol == name) symbol.size = rebind.size, symbol.reason = fmt::format("{} ties it to an axis of {}", rebind.where, rebind.size);
    all.push_back(symbol);
  }
  return all;
}

std::vector<ImportReport::LostDimension> lostDimensions(const Model& model, const Walk& walk) {
  std::vector<ImportReport::LostDimension> all;
  for (int input : model.inputs) {
    const Value& value = model.values[static_cast<std::size_t>(input)];
    const auto& sizes = walk.values[static_cast<std::size_t>(input)].sizes;
    for (std::size_t i = 0; !isParameter(value) && sizes && i < sizes->size(); ++i)
      if ((*sizes)[i] == 1) all.push_back({value.name, static_cast<int>(i)});
  }
  return all;
}

// The scope with a star under which most parameters lie: "h.*" with as many blocks as there are numbers.
std::optional<ImportReport::Repeat> guessRepeat(const Model& model) {
  std::map<std::string, std::pair<std::set<std::string>, int>> found;
  for (const Value& value : model.values) {
    if (!isParameter(value)) continue;
    std::string role = naming::roleOf(value.name, false);
    std::size_t star = role.find('*');
    if (star == std::string::npos) continue;
    std::size_t end = value.name.find_first_not_of("0123456789", star);
    auto& [numbers, members] = found[role.substr(0, star + 1)];
    numbers.insert(value.name.substr(star, end - star));
    ++members;
  }
  auto best = std::max_element(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.second.second < b.second.second; });
  if (best == found.end() || best->second.first.size() < 2) return std::nullopt;
  return ImportReport::Repeat{best->first, static_cast<std::int64_t>(best->second.first.size())};
}

std::vector<ImportReport::MissingWeights> missingWeights(const Model& model) {
  std::vector<ImportReport::MissingWeights> all;
  for (const std::string& text : model.missingFiles) {
    std::size_t colon = text.find('\n');
    all.push_back({text.substr(0, colon), text.substr(colon + 1)});
  }
  return all;
}

void reportOperators(const Emission& emission, ImportReport& report) {
  for (const auto& [type, count] : emission.kinds) report.kinds.push_back({type, count, ""});
  std::stable_sort(report.kinds.begin(), report.kinds.end(), [](const auto& a, const auto& b) { return a.count > b.count; });
  for (const auto& [type, reasons] : emission.opaque)
    for (const auto& [reason, count] : reasons) report.unknown.push_back({type, count, reason.empty() ? "the catalogue lacks it" : reason});
}

void addNotes(const Model& model, const Tied& tied, const Emission& emission, ImportReport& report) {
  report.notes = model.notes;
  if (report.opset > newestOpset()) report.notes.push_back(fmt::format("the file uses operators of version {}, known here up to {}: read as those", report.opset, newestOpset()));
  for (const auto& symbol : report.symbols)
    if (symbol.size != 0 && symbol.reason != "given") report.notes.push_back(fmt::format("the file contradicts itself unless \"{}\" is {}: {}", symbol.name, symbol.size, symbol.reason));
  for (const std::string& problem : tied.walk.problems) report.notes.push_back("the file contradicts itself: " + problem);
  report.notes.insert(report.notes.end(), emission.notes.begin(), emission.notes.end());
}

ImportReport reportOf(const Model& model, const ImportOptions& options, const Tied& tied, const Emission& emission) {
  ImportReport report{.format = model.format, .producer = model.producerName, .opset = model.opset, .fileOperators = model.fileNodes};
  report.operators = static_cast<std::int64_t>(emission.graph.operators.size());
  report.parameters = emission.graph.parameterCount();
  report.renames = emission.renames;
  report.reshapes = emission.reshapes;
  report.symbols = reportSymbols(model, options, tied);
  report.lost = lostDimensions(model, tied.walk);
  report.missing = missingWeights(model);
  report.deciding = decidingInputs(model, tied);
  report.repeat = guessRepeat(model);
  reportOperators(emission, report);
  addNotes(model, tied, emission, report);
  return report;
}

// The program as XLA's text has it; nothing where the file is another.
std::optional<Model> readProgram(std::string_view text, FileKind kind, const std::string& path) {
  if (kind != FileKind::hlo && kind != FileKind::stableHlo) return std::nullopt;
  const xla::Module module = kind == FileKind::hlo ? xla::parseHlo(text, path) : xla::parseStableHlo(text, path);
  Model model = xla::lower(module);
  model.format = module.format;
  return model;
}

// "gpt_bytes/model.onnx" is gpt_bytes, "vit.hlo.txt.gz" vit.
std::string graphName(const std::string& path) {
  const std::filesystem::path given(path);
  if (given.stem() == "model" && given.has_parent_path()) return std::filesystem::absolute(given).parent_path().filename().string();
  std::filesystem::path name = given.filename();
  for (const char* ending : {".gz", ".onnx", ".txt", ".hlo", ".mlir"})
    if (name.extension() == ending) name = name.stem();
  return name.string();
}

Import importGraph(Model model, const std::string& path, const ImportOptions& options) {
  requireSymbols(model, options, path);
  giveValues(model, options, path);
  separateCopies(model);
  tieTransposed(model);
  Tied tied = tieAxes(model, options.dims);
  naming::uniteRepeated(tied.names, model, tied.walk);
  naming::addHints(tied.names, model, tied.walk);
  Emission emission = emit(model, tied.walk, tied.names, naming::chooseNames(tied.names, model, tied.walk));
  emission.graph.name = graphName(path);
  ImportReport report = reportOf(model, options, tied, emission);
  FileLayout layout = layoutOf(model, tied.names, emission, report.notes);
  return {std::make_shared<const Graph>(std::move(emission.graph)), std::move(report), std::move(layout.mesh), std::move(layout.layout)};
}

}  // namespace

Import importModel(const std::string& path, const ImportOptions& options) {
  MappedFile file(path);
  std::span<const std::byte> bytes = file.bytes();
  std::vector<std::byte> unpacked;
  FileKind kind = detectFile(bytes);
  if (kind == FileKind::gzip) {
    unpacked = unpackGzip(bytes, path);
    bytes = unpacked;
    kind = detectFile(bytes);
    if (kind != FileKind::hlo && kind != FileKind::stableHlo && kind != FileKind::json) requireModel(file.bytes(), path);
  }
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (kind == FileKind::json) return importConfig(text, path, options);
  try {
    if (std::optional<Model> program = readProgram(text, kind, path)) return importGraph(std::move(*program), path, options);
    requireModel(bytes, path);
    return importGraph(parseOnnx(bytes, path), path, options);
  } catch (Error& error) {
    if (error.where.empty()) error.where = path;
    throw;
  }
}

}  // namespace core
