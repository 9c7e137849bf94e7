#include "core/plan/shortage.h"

#include <QTemporaryDir>
#include <QtTest>
#include <limits>

#include "core/plan/edit/layout.h"
#include "tests/support/several_plans.h"
#include "tests/support/short_machine.h"

using namespace core;

namespace {

Analysis analysisOf(const Plan& plan) { return analyze(std::make_shared<const Plan>(plan), plan.current); }

bool sameButName(const std::vector<PeakCause>& a, const std::vector<PeakCause>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const PeakCause& x, const PeakCause& y) { return x.bytes == y.bytes && x.memoryClass == y.memoryClass && x.buffers == y.buffers; });
}

}  // namespace

class ShortageTest : public QObject {
  Q_OBJECT

 private slots:
  void causesAreAllOfThePeak();
  void equalLayersAreOneCause();
  void layersRolledOrNotHaveTheSameCauses();
  void changesAreLegalAsFarAsTheLayoutShows();
  void whatIsSplitAlreadyIsNotProposedAgain();
  void aMeshWithoutAxesGetsOne();
  void axesGrowNoFurtherThanTheMachine();
  void someChangeLowersEveryPeak();
  void whatFitsComesFirst();
};

void ShortageTest::causesAreAllOfThePeak() {
  for (const auto& [name, plan] : tests::severalPlans()) {
    const Analysis analysis = analysisOf(plan);
    QVERIFY2(analysis.cost, name.c_str());
    const std::vector<PeakCause> causes = peakCauses(analysis, std::numeric_limits<std::size_t>::max());
    std::int64_t bytes = 0;
    for (const PeakCause& one : causes) bytes += one.bytes;
    QCOMPARE(bytes, analysis.cost->devices.front().peak.total());
    QVERIFY(std::is_sorted(causes.begin(), causes.end(), [](const PeakCause& a, const PeakCause& b) { return a.bytes > b.bytes; }));
    const std::vector<PeakCause> five = peakCauses(analysis, 5);
    QVERIFY(five == std::vector<PeakCause>(causes.begin(), causes.begin() + 5));
  }
}

void ShortageTest::equalLayersAreOneCause() {
  const Analysis analysis = analysisOf(tests::severalPlans().front().second);
  const std::vector<PeakCause> causes = peakCauses(analysis, 1000);
  const auto weight = std::find_if(causes.begin(), causes.end(), [](const PeakCause& one) { return one.name == "h.*.mlp.up.weight"; });
  QVERIFY(weight != causes.end());
  QCOMPARE(weight->buffers, 3);
  QVERIFY(weight->memoryClass == MemoryClass::parameters);
  QVERIFY((weight->tensors == std::vector<std::string>{"h.0.mlp.up.weight", "h.1.mlp.up.weight", "h.2.mlp.up.weight"}));
  QCOMPARE(weight->bytes, std::int64_t{3 * 64 * 256 * 4});
  QVERIFY(std::any_of(causes.begin(), causes.end(), [](const PeakCause& one) { return one.name == "wte.weight" && one.buffers == 1; }));
}

void ShortageTest::layersRolledOrNotHaveTheSameCauses() {
  for (const auto& [name, plan] : tests::severalPlans()) {
    const Analysis analysis = analysisOf(plan);
    QVERIFY2(sameButName(peakCauses(analysis, 5), peakCauses(flattened(analysis), 5)), name.c_str());
  }
}

void ShortageTest::changesAreLegalAsFarAsTheLayoutShows() {
  for (const auto& [name, plan] : tests::severalPlans())
    for (const Relief& relief : reliefs(analysisOf(plan))) {
      const Plan changed = relieve(plan, relief);
      QVERIFY2(changed.variant() != plan.variant(), name.c_str());
      const Analysis after = analysisOf(changed);
      QVERIFY2(reached(after), qPrintable(QString::fromStdString(name + ": " + relief.dimension + " over " + relief.axis + ": " + (after.diagnostics.empty() ? "" : after.diagnostics.front().what))));
    }
}

void ShortageTest::whatIsSplitAlreadyIsNotProposedAgain() {
  const Plan plan = tests::gptPlan({.layers = 2, .modelSize = 32, .vocab = 64, .seq = 16}, "data:2,model:2", "batch:data;vocab:model", true);
  for (const Relief& one : reliefs(analysisOf(plan))) {
    QVERIFY(!(one.dimension == "batch" && one.axis == "data"));
    QVERIFY(!(one.dimension == "vocab" && one.axis == "model"));
    QVERIFY2(!(one.dimension == "seq" && one.axis == "data"), "data splits batch of all that has seq");
  }
}

void ShortageTest::aMeshWithoutAxesGetsOne() {
  const Plan plan = tests::gptPlan({.layers = 2, .modelSize = 32, .vocab = 64, .seq = 16}, "", "", true);
  const std::vector<Relief> found = reliefs(analysisOf(plan));
  const Relief halves{Relief::Kind::splitNew, "batch", "data", 2};
  QVERIFY(std::find(found.begin(), found.end(), halves) != found.end());
  const Plan split = relieve(plan, halves);
  QVERIFY(split.variant().mesh == Mesh::of("data:2"));
  QVERIFY(split.variant().layout == Layout::of("batch:data"));
}

void ShortageTest::axesGrowNoFurtherThanTheMachine() {
  QTemporaryDir folder;
  const std::string file = folder.filePath("four.json").toStdString();
  Machine four = readMachine("h100");
  four.levels.resize(1);
  four.levels[0].devices = 4;
  writeMachine(four, file);
  const auto enlarges = [&](const char* mesh) {
    Plan plan = tests::gptPlan({.layers = 2, .modelSize = 32, .vocab = 64, .seq = 16}, mesh, "", true);
    const std::vector<Relief> found = reliefs(analysisOf(setMachine(plan, file)));
    return std::any_of(found.begin(), found.end(), [](const Relief& one) { return one.kind == Relief::Kind::enlarge; });
  };
  QVERIFY(enlarges("x:2"));
  QVERIFY(!enlarges("x:4"));
}

void ShortageTest::someChangeLowersEveryPeak() {
  QTemporaryDir folder;
  int number = 0;
  for (const auto& [name, plan] : tests::severalPlans())
    for (const char* machine : {"v100", "tpu-v4", "h100"}) {
      const Plan large = tests::tooLarge(plan, machine, 0.7, folder.filePath(QString::number(number++) + ".json").toStdString());
      const Analysis before = analysisOf(large);
      QVERIFY2(!before.cost->fits() && !reached(before)->fits, name.c_str());
      bool lower = false;
      for (const Relief& relief : reliefs(before)) {
        const auto after = reached(analysisOf(relieve(large, relief)));
        lower = lower || (after && after->peakBytes < reached(before)->peakBytes);
      }
      QVERIFY2(lower, name.c_str());
    }
}

void ShortageTest::whatFitsComesFirst() {
  const Reached fits{true, 8, 100, 2.0}, faster{true, 8, 120, 1.0}, fewer{true, 4, 120, 9.0}, not_{false, 4, 90, 0.1}, less{false, 64, 80, 5.0};
  QVERIFY(isBetter(fits, not_) && !isBetter(not_, fits));
  QVERIFY(isBetter(faster, fits) && !isBetter(fits, faster));
  QVERIFY(isBetter(fewer, faster));
  QVERIFY(isBetter(less, not_));
  QVERIFY(!isBetter(fits, fits));
  QVERIFY(isBetter(Reached{true, 8, 90, {}}, fits));  // bytes only
}

QTEST_APPLESS_MAIN(ShortageTest)
#include "shortage_test.moc"
