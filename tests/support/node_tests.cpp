#include "tests/support/node_tests.h"

#include <QProcess>
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "core/io/tensor_file.h"
#include "tests/support/imported_values.h"

namespace tests {

using namespace core;
namespace fs = std::filesystem;

namespace {

fs::path numbered(const fs::path& folder, const char* stem, std::size_t i) { return folder / (std::string(stem) + "_" + std::to_string(i) + ".pb"); }

// Inputs that decide sizes are recorded too: they are made known, and the others take their places.
NodeTest withValues(const std::string& folder, const Import& first, const std::string& scratch) {
  const fs::path recorded = fs::path(folder) / "test_data_set_0";
  ImportOptions options;
  std::size_t input = 0, kept = 0;
  for (TensorId id : first.graph->inputs()) {
    const fs::path file = numbered(recorded, "input", input++);
    const std::string& name = (*first.graph)[id].name;
    const auto& deciding = first.report.deciding;
    if (std::find(deciding.begin(), deciding.end(), name) != deciding.end()) options.values[name] = readTensorFile(file.string());
    else fs::copy_file(file, numbered(scratch, "input", kept++), fs::copy_options::overwrite_existing);
  }
  for (std::size_t i = 0; fs::exists(numbered(recorded, "output", i)); ++i) fs::copy_file(numbered(recorded, "output", i), numbered(scratch, "output", i), fs::copy_options::overwrite_existing);
  return {importModel(folder + "/model.onnx", options), scratch};
}

}  // namespace

std::optional<std::vector<std::string>> unpackNodeTests(const std::string& archive, const std::string& folder) {
  if (QProcess::execute("tar", {"xJf", QString::fromStdString(archive) + ".tar.xz", "-C", QString::fromStdString(folder)}) != 0) return std::nullopt;
  std::vector<std::string> names;
  std::ifstream stream(archive + ".list");
  for (std::string line; std::getline(stream, line);) {
    const QStringList columns = QString::fromStdString(line).split('\t');
    if (columns.size() < 2 || (columns[1] != "ok" && columns[1] != "confirmed")) continue;
    const std::string name = columns[0].toStdString();
    if (fs::exists(numbered(fs::path(folder) / name / "test_data_set_0", "output", 0))) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

NodeTest readNodeTest(const std::string& folder, const std::string& scratch) {
  Import first = importModel(folder + "/model.onnx", {});
  NodeTest test = first.report.deciding.empty() ? NodeTest{std::move(first), folder + "/test_data_set_0"} : withValues(folder, first, scratch);
  if (test.imported.report.unknown.empty()) test.imported.graph = std::make_shared<const Graph>(boundByInputs(*test.imported.graph, test.data));
  return test;
}

}  // namespace tests
