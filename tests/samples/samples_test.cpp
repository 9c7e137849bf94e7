#include <QDir>
#include <QTest>

#include "core/io/file.h"
#include "core/io/layout_file.h"
#include "core/io/plan_file.h"
#include "core/plan/analyze.h"
#include "tests/support/schema.h"

using namespace core;

// What ships as a sample is as the program would write it, fits its schema, and is legal.
class SamplesTest : public QObject {
  Q_OBJECT
 private:
  static QStringList files(const char* folder, const char* pattern) {
    QStringList paths;
    const QDir dir(QString(MESHWRIGHT_SOURCE "/samples/") + folder);
    for (const QString& name : dir.entryList({pattern}, QDir::Files)) paths << dir.filePath(name);
    return paths;
  }

 private slots:
  void layoutsAreCanonical() {
    const QStringList all = files("layouts", "*.layout.json");
    QVERIFY(all.size() >= 4);
    for (const QString& path : all) {
      const std::string text = readText(path.toStdString());
      QCOMPARE(QString::fromStdString(printLayoutFile(parseLayoutFile(text, path.toStdString()))), QString::fromStdString(text));
      QCOMPARE(schemaComplaint(text, "layout"), "");
    }
  }

  void machinesFitTheirSchema() {
    const QDir dir(MESHWRIGHT_SOURCE "/resources/machines");
    const QStringList names = dir.entryList({"*.json"}, QDir::Files);
    QVERIFY(!names.isEmpty());
    for (const QString& name : names) QCOMPARE(schemaComplaint(readText(dir.filePath(name).toStdString()), "machine"), "");
  }

  void plansAreCanonicalAndLegal() {
    const QStringList all = files("plans", "*.plan.json");
    QVERIFY(!all.isEmpty());
    for (const QString& path : all) {
      const std::string text = readText(path.toStdString());
      const Plan written = parsePlan(text, path.toStdString());
      if (qEnvironmentVariableIsSet("MESHWRIGHT_UPDATE_SAMPLES")) writePlan(readPlan(path.toStdString()), path.toStdString());
      QCOMPARE(QString::fromStdString(printPlan(written)), QString::fromStdString(readText(path.toStdString())));
      QCOMPARE(schemaComplaint(text, "plan"), "");
      const auto plan = std::make_shared<const Plan>(readPlan(path.toStdString()));
      for (std::size_t variant = 0; variant < plan->variants.size(); ++variant) {
        const Analysis analysis = analyze(plan, variant);
        QVERIFY2(!hasErrors(analysis.diagnostics), analysis.diagnostics.empty() ? "" : analysis.diagnostics.front().text().c_str());
        QVERIFY(analysis.program && analysis.cost);
      }
    }
  }

  // Each sample layout is legal for the sample Transformer, and splits something.
  void layoutsFitTheSampleTransformer() {
    const Plan sample = readPlan(MESHWRIGHT_SOURCE "/samples/plans/transformer.plan.json");
    for (const QString& path : files("layouts", "*.layout.json")) {
      const LayoutFile file = readLayoutFile(path.toStdString());
      Plan plan = sample;
      plan.variants[0].mesh = *file.mesh;
      plan.variants[0].layout = file.layout;
      const Analysis analysis = analyze(std::make_shared<const Plan>(plan), 0);
      QVERIFY2(!hasErrors(analysis.diagnostics), path.toUtf8() + ": " + (analysis.diagnostics.empty() ? "" : analysis.diagnostics.front().text().c_str()));
      QVERIFY(analysis.cost->devices.front().flops < analysis.cost->usefulFlops);
    }
  }
};

QTEST_GUILESS_MAIN(SamplesTest)
#include "samples_test.moc"
