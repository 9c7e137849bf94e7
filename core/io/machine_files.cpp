#include "core/io/machine_files.h"

#include <filesystem>
#include <set>

#include "core/base/text.h"
#include "core/io/file.h"
#include "core/io/json_print.h"
#include "core/io/resources.h"
#include "core/io/value_json.h"

namespace core {
namespace {

namespace fs = std::filesystem;

// The person's own machines hide those that come with the program.
std::vector<fs::path> folders() {
  return {fs::path(userFolder()) / "machines", fs::path(resourceFolder()) / "machines"};
}

}  // namespace

Machine parseMachine(std::string_view text, const std::string& where) {
  const Json json = parseJson(text, where);
  Machine machine = readMachine(JsonReader(json, where));
  const std::vector<Diagnostic> found = check(machine);
  if (!found.empty()) throw Error{.what = found.front().what, .where = where, .right = found.front().right};
  return machine;
}

std::string printMachine(const Machine& machine) { return printJson(machineJson(machine)); }

void writeMachine(const Machine& machine, const std::string& path) { writeTextAtomically(path, printMachine(machine)); }

std::string userMachineFile(const std::string& name) { return folders().front() / (name + ".json"); }

std::vector<std::string> machineNames() {
  std::set<std::string> names;
  for (const fs::path& folder : folders()) {
    std::error_code missing;
    for (const auto& entry : fs::directory_iterator(folder, missing))
      if (entry.path().extension() == ".json") names.insert(entry.path().stem());
  }
  return {names.begin(), names.end()};
}

Machine readMachine(const std::string& nameOrFile) {
  std::error_code missing;
  const bool isPath = nameOrFile.find('/') != std::string::npos || nameOrFile.ends_with(".json");
  if (!isPath)
    for (const fs::path& folder : folders()) {
      const fs::path path = folder / (nameOrFile + ".json");
      if (fs::is_regular_file(path, missing)) return parseMachine(readText(path), path);
    }
  if (isPath || fs::exists(nameOrFile, missing)) return parseMachine(readText(nameOrFile), nameOrFile);
  throw Error{.what = "unknown machine \"" + nameOrFile + "\"", .where = {}, .right = didYouMean(nameOrFile, machineNames())};
}

}  // namespace core
