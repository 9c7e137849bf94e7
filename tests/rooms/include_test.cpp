#include <QtTest>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

// Who may include whom. Rooms are folders; a few headers that are values in themselves (a sharding, the program) stand below the
// room that they lie in, so that the room can be seen without what computes it.

namespace fs = std::filesystem;

namespace {

struct Include {
  std::string file;  // "core/cost/price.cpp"
  int line = 0;
  std::string what;  // "core/spmd/program.h", "QWidget"
  bool ours = false; // in quotes
};

std::string roomOf(const std::string& path) {
  static const std::map<std::string, std::string> values{{"core/layout/sharding.h", "sharding"},
                                                         {"core/layout/sharding.cpp", "sharding"},
                                                         {"core/tdl/access.h", "access"},
                                                         {"core/tdl/access.cpp", "access"},
                                                         {"core/spmd/program.h", "program"},
                                                         {"core/spmd/redistribute.h", "program"},
                                                         {"core/spmd/reshard.h", "reshard"},
                                                         {"core/spmd/reshard.cpp", "reshard"},
                                                         {"core/plan/plan.h", "plan value"},
                                                         {"core/autodiff/step.h", "step value"},
                                                         {"core/cost/counted.h", "cost value"},
                                                         {"core/cost/cost.h", "cost value"}};
  if (const auto found = values.find(path); found != values.end()) return found->second;
  const std::size_t first = path.find('/');
  const std::string top = path.substr(0, first);
  if (top != "core" && top != "app") return top;
  const std::size_t second = path.find('/', first + 1);
  return second == std::string::npos ? top : path.substr(0, second);
}

// What a room may include beside itself. Everything above the last rows is a folder of core.
const std::map<std::string, std::set<std::string>>& allowed() {
  static const std::set<std::string> language{"core/base", "core/graph", "core/mesh", "core/tdl"};
  const auto with = [](std::set<std::string> base, std::initializer_list<std::string> more) {
    base.insert(more);
    return base;
  };
  static const std::set<std::string> values = with(language, {"sharding", "access", "program"});
  static const std::set<std::string> carried = with(values, {"core/layout", "core/spmd", "reshard", "core/cost", "cost value", "step value", "plan value", "core/plan"});
  static const std::set<std::string> all = with(carried, {"core/ops", "core/layers", "core/autodiff", "core/search", "core/io", "core/run"});
  static const std::map<std::string, std::set<std::string>> table{
      {"core/base", {}},
      {"core/graph", {"core/base"}},
      {"core/mesh", {"core/base", "core/graph"}},
      {"core/tdl", {"core/base", "core/graph"}},
      {"sharding", language},
      {"access", with(language, {"sharding"})},
      {"program", with(language, {"sharding"})},
      {"reshard", values},
      {"step value", language},
      {"core/ops", values},
      {"core/layers", with(values, {"core/ops"})},
      {"core/autodiff", with(values, {"core/ops", "core/layers", "step value"})},
      {"core/layout", with(values, {"core/ops", "reshard"})},
      {"core/spmd", with(values, {"core/ops", "core/layout", "reshard"})},
      {"cost value", values},
      {"core/cost", with(values, {"core/spmd", "reshard", "core/layout", "cost value"})},
      {"core/search", with(values, {"core/ops", "core/layout", "core/spmd", "reshard", "core/cost", "cost value", "step value", "plan value"})},
      {"plan value", with(values, {"core/layout", "step value"})},
      {"core/plan", all},
      {"core/io", all},
      {"core/run", all},
      {"executor", with(values, {"core/ops", "core/io", "core/run", "step value", "plan value", "cost value"})},
      {"ui", all},
      {"app/cli", with(all, {"executor"})},
      {"app/gui", with(all, {"ui"})},
      {"app/layout", {}},
  };
  return table;
}

// Third parties stay in their rooms: what a header's name begins with, and the places that may include it.
struct ThirdParty {
  std::string name;
  std::vector<std::string> headers;
  std::vector<std::string> places;
};

const std::vector<ThirdParty>& thirdParties() {
  static const std::vector<ThirdParty> table{
      {"Qt", {"Q"}, {"ui/", "app/gui/"}},
      {"MPI", {"mpi.h"}, {"executor/"}},
      {"oneDNN", {"dnnl", "oneapi/dnnl"}, {"executor/"}},
      {"Eigen", {"Eigen/", "unsupported/Eigen"}, {"executor/"}},
      {"JSON", {"nlohmann/"}, {"core/io/", "core/run/", "executor/", "app/cli/"}},
      {"ONNX and protobuf", {"onnx/", "google/protobuf/"}, {"core/io/"}},
      {"CBC", {"coin/", "Cbc", "Osi", "Clp"}, {"core/search/"}},
      {"Graphviz", {"graphviz/", "gvc.h", "cgraph"}, {"app/layout/"}},
      {"CLI11", {"CLI/"}, {"app/cli/"}},
      {"what is slow to compile", {"iostream", "regex"}, {}},
  };
  return table;
}

std::optional<Include> includeIn(const std::string& line) {
  const std::size_t hash = line.find_first_not_of(" \t");
  if (hash == std::string::npos || line[hash] != '#') return std::nullopt;
  const std::size_t word = line.find_first_not_of(" \t", hash + 1);
  if (word == std::string::npos || line.compare(word, 7, "include") != 0) return std::nullopt;
  const std::size_t open = line.find_first_of("\"<", word + 7);
  if (open == std::string::npos) return std::nullopt;
  const std::size_t close = line.find_first_of("\">", open + 1);
  if (close == std::string::npos) return std::nullopt;
  return Include{.what = line.substr(open + 1, close - open - 1), .ours = line[open] == '"'};
}

std::vector<Include> includesOf(const std::string& folder) {
  std::vector<Include> found;
  const fs::path root = MESHWRIGHT_SOURCE;
  if (!fs::is_directory(root / folder)) return found;
  for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
    const std::string extension = entry.path().extension();
    if (extension != ".h" && extension != ".cpp") continue;
    std::ifstream file(entry.path());
    std::string line;
    for (int number = 1; std::getline(file, line); ++number)
      if (auto include = includeIn(line)) {
        include->file = fs::relative(entry.path(), root);
        include->line = number;
        found.push_back(*include);
      }
  }
  return found;
}

const std::vector<Include>& shipped() {
  static const std::vector<Include> all = [] {
    std::vector<Include> found;
    for (const char* folder : {"core", "executor", "ui", "app"})
      for (Include& include : includesOf(folder)) found.push_back(std::move(include));
    return found;
  }();
  return all;
}

std::string placeOf(const Include& include) { return include.file + ":" + std::to_string(include.line) + " includes " + include.what; }

bool isGenerated(const std::string& what) { return what.ends_with(".moc") || what.starts_with("moc_") || what.starts_with("ui_"); }

}  // namespace

class IncludeTest : public QObject {
  Q_OBJECT

 private slots:
  void readsIncludes();
  void roomsSeeOnlyWhatLiesBelowThem();
  void everyRoomHasARow();
  void thirdPartiesStayInTheirRoom();
  void includesStartAtTheRoot();
  void headersAreGuarded();
  void nothingOfTestsIsShipped();
};

void IncludeTest::readsIncludes() {
  QCOMPARE(includeIn("#include \"core/base/id.h\"")->what, std::string("core/base/id.h"));
  QCOMPARE(includeIn("  #  include <QWidget>  // why")->what, std::string("QWidget"));
  QVERIFY(!includeIn("// #include <QWidget>"));
  QVERIFY(shipped().size() > 100);
}

void IncludeTest::roomsSeeOnlyWhatLiesBelowThem() {
  QStringList wrong;
  for (const Include& include : shipped()) {
    if (!include.ours || isGenerated(include.what)) continue;
    const std::string from = roomOf(include.file), to = roomOf(include.what);
    // A room sees the values that lie in it.
    const std::string folder = include.what.substr(0, include.what.rfind('/'));
    if (from == to || folder == from || include.file.substr(0, include.file.rfind('/')) == to) continue;
    const auto row = allowed().find(from);
    if (row == allowed().end() || row->second.count(to) == 0)
      wrong << QString::fromStdString(placeOf(include) + ": " + from + " may not see " + to);
  }
  QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
}

void IncludeTest::everyRoomHasARow() {
  QStringList wrong;
  for (const Include& include : shipped())
    if (allowed().count(roomOf(include.file)) == 0) wrong << QString::fromStdString(include.file);
  wrong.removeDuplicates();
  QVERIFY2(wrong.isEmpty(), qPrintable("no row says what may be included in " + wrong.join(", ")));
}

void IncludeTest::thirdPartiesStayInTheirRoom() {
  QStringList wrong;
  for (const Include& include : shipped()) {
    if (include.ours) continue;
    for (const ThirdParty& party : thirdParties()) {
      const bool isIt = std::any_of(party.headers.begin(), party.headers.end(), [&](const std::string& name) { return include.what.starts_with(name); });
      const bool isHome = std::any_of(party.places.begin(), party.places.end(), [&](const std::string& place) { return include.file.starts_with(place); });
      if (isIt && !isHome) wrong << QString::fromStdString(placeOf(include) + ": " + party.name + " does not belong there");
    }
  }
  QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
}

void IncludeTest::includesStartAtTheRoot() {
  QStringList wrong;
  for (const Include& include : shipped())
    if (include.ours && !isGenerated(include.what) && !fs::exists(fs::path(MESHWRIGHT_SOURCE) / include.what)) wrong << QString::fromStdString(placeOf(include));
  QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
}

// Code that is compiled once for each level of CPU is meant to be included again.
void IncludeTest::headersAreGuarded() {
  QStringList wrong;
  for (const char* folder : {"core", "executor", "ui", "app"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(MESHWRIGHT_SOURCE) / folder)) {
      if (entry.path().extension() != ".h") continue;
      std::ifstream file(entry.path());
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      if (!text.starts_with("#pragma once") && text.find("MESHWRIGHT_LEVEL") == std::string::npos) wrong << QString::fromStdString(entry.path());
    }
  QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
}

void IncludeTest::nothingOfTestsIsShipped() {
  for (const Include& include : shipped()) QVERIFY2(!include.what.starts_with("tests/"), placeOf(include).c_str());
}

QTEST_GUILESS_MAIN(IncludeTest)
#include "include_test.moc"
