#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "core/base/error.h"
#include "core/io/xla/stablehlo.h"
#include "tests/support/shared_models.h"

// What JAX, IREE and Shardy wrote is read; files of several modules one by one.

using namespace core;
namespace fs = std::filesystem;

class StablehloModelsTest : public QObject {
  Q_OBJECT
 private slots:
  void readsWhatOthersWrote_data();
  void readsWhatOthersWrote();
};

namespace {

// Without "//--- part1.mlir", which begin files that are one program.
std::vector<std::string> modulesOf(const fs::path& path) {
  std::ifstream stream(path);
  std::vector<std::string> modules(1);
  for (std::string line; std::getline(stream, line);) {
    if (line == "// -----") modules.emplace_back();
    else modules.back() += line + "\n";
  }
  return modules;
}

}  // namespace

void StablehloModelsTest::readsWhatOthersWrote_data() {
  QTest::addColumn<QString>("folder");
  QTest::addColumn<int>("least");
  QTest::newRow("JAX") << "jax-testdata" << 1455;
  QTest::newRow("IREE") << "iree" << 3;
  QTest::newRow("Shardy") << "shardy" << 154;
}

void StablehloModelsTest::readsWhatOthersWrote() {
  QFETCH(QString, folder);
  QFETCH(int, least);
  const auto models = tests::sharedModels();
  if (!models) QSKIP("needs the folder of shared models (MESHWRIGHT_MODELS)");
  const std::string root = *models + "/stablehlo/" + folder.toStdString();
  QTemporaryDir unpacked;
  const bool packed = fs::exists(root + ".tar.xz");
  if (packed && QProcess::execute("tar", {"xJf", QString::fromStdString(root) + ".tar.xz", "-C", unpacked.path()}) != 0) QSKIP("tar with xz is needed");
  std::map<std::string, int> refused;
  int read = 0, all = 0;
  for (const auto& entry : fs::recursive_directory_iterator(packed ? unpacked.path().toStdString() : root)) {
    if (entry.path().extension() != ".mlir") continue;
    for (const std::string& text : modulesOf(entry.path())) {
      ++all;
      try {
        xla::parseStableHlo(text, entry.path().filename().string());
        ++read;
      } catch (const Error& error) {
        ++refused[error.text()];
      }
    }
  }
  qInfo("%s: %d of %d modules read", qPrintable(folder), read, all);
  for (const auto& [why, count] : refused) qInfo("  %s", why.c_str());
  QVERIFY(read >= least);
}

QTEST_GUILESS_MAIN(StablehloModelsTest)
#include "stablehlo_models_test.moc"
