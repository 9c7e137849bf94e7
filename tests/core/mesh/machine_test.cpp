#include "core/mesh/machine.h"

#include <QTemporaryDir>
#include <QtTest>

#include "core/io/file.h"
#include "core/io/machine_files.h"

using namespace core;

class MachineTest : public QObject {
  Q_OBJECT

 private slots:
  void everyShippedMachineIsWhole();
  void publishedFiguresAreThose();
  void isReadBackEqual();
  void figuresWithoutSourceAreRefused();
  void figuresThatAreNotPositiveAreRefused();
  void unknownNamesListTheNearest();
  void efficiencyLiesBetweenItsSamples();
  void aTypeWithoutAPeakHasThatOfF32();
  void ownMachinesAreFoundByName();
  void aMeshLargerThanTheMachineIsTold();
};

void MachineTest::everyShippedMachineIsWhole() {
  const std::vector<std::string> expected{"a100-40gb", "a100-80gb", "h100", "h200", "tpu-v2", "tpu-v3", "tpu-v4", "tpu-v5e", "tpu-v5p", "v100"};
  const std::vector<std::string> names = machineNames();
  for (const std::string& name : expected) {
    QVERIFY2(std::find(names.begin(), names.end(), name) != names.end(), name.c_str());
    const Machine machine = readMachine(name);
    QVERIFY(check(machine).empty());
    QVERIFY(machine.peak.count(DType::bf16) == 1);
    QVERIFY(machine.levels.size() >= 2);
    const std::string file = MESHWRIGHT_SOURCE "/resources/machines/" + name + ".json";
    QCOMPARE(readText(file), printMachine(machine));  // as the program would write it
  }
}

// Figures whose source was read (published.md 2.10).
void MachineTest::publishedFiguresAreThose() {
  const Machine v4 = readMachine("tpu-v4");
  QCOMPARE(peakOf(v4, DType::bf16), 275e12);
  QCOMPARE(v4.memory.value, 32e9);
  QCOMPARE(v4.memoryBandwidth.value, 1200e9);
  QCOMPARE(v4.levels[0].bandwidth.value, 45e9);
  QVERIFY(v4.levels[0].topology == Topology::torus);

  const Machine h100 = readMachine("h100");
  QCOMPARE(peakOf(h100, DType::bf16), 989e12);
  QCOMPARE(h100.levels[0].devices, 8);
  QCOMPARE(h100.levels[0].bandwidth.value, 450e9);
  QCOMPARE(h100.levels[1].bandwidth.value, 50e9);

  QCOMPARE(readMachine("a100-40gb").memoryBandwidth.value, 1555e9);
  QCOMPARE(readMachine("a100-80gb").memoryBandwidth.value, 2039e9);
  QVERIFY(readMachine("tpu-v2").peak.at(DType::bf16).source.find("unverified") != std::string::npos);
}

void MachineTest::isReadBackEqual() {
  Machine machine = readMachine("h100");
  machine.efficiency = {{1e6, 0.125}, {1e9, 0.75}};
  QVERIFY(parseMachine(printMachine(machine), "h100") == machine);
  QCOMPARE(printMachine(parseMachine(printMachine(machine), "h100")), printMachine(machine));
}

void MachineTest::figuresWithoutSourceAreRefused() {
  Machine machine = readMachine("h100");
  machine.levels[1].latency.source.clear();
  const std::vector<Diagnostic> found = check(machine);
  QCOMPARE(found.size(), 1u);
  QCOMPARE(found[0].what, "the latency of level 'InfiniBand' has no source");
}

void MachineTest::figuresThatAreNotPositiveAreRefused() {
  const Machine good = readMachine("h100");
  const auto isRefused = [&](auto change) {
    Machine bad = good;
    change(bad);
    return !check(bad).empty();
  };
  QVERIFY(isRefused([](Machine& m) { m.memory.value = 0; }));
  QVERIFY(isRefused([](Machine& m) { m.memory.value = 1e30; }));
  QVERIFY(isRefused([](Machine& m) { m.peak.erase(DType::f32); }));
  QVERIFY(isRefused([](Machine& m) { m.levels[0].bandwidth.value = -1; }));
  QVERIFY(isRefused([](Machine& m) { m.levels[0].devices = 0; }));
  QVERIFY(isRefused([](Machine& m) { m.levels[0].devices = std::int64_t{1} << 62; }));
  QVERIFY(isRefused([](Machine& m) { m.levels.clear(); }));
  QVERIFY(isRefused([](Machine& m) { m.efficiency = {{1e9, 0.5}, {1e6, 0.5}}; }));
  QVERIFY(isRefused([](Machine& m) { m.efficiency = {{1e9, 1.5}}; }));
}

void MachineTest::unknownNamesListTheNearest() {
  try {
    readMachine("h10");
    QFAIL("there is no machine h10");
  } catch (const Error& error) {
    QVERIFY(error.text().find("h100") != std::string::npos);
  }
  try {
    readMachine("/nowhere/h100.json");
    QFAIL("there is no such file");
  } catch (const Error& error) {
    QVERIFY(error.text().find("/nowhere/h100.json") != std::string::npos);
  }
}

void MachineTest::efficiencyLiesBetweenItsSamples() {
  Machine machine;
  QCOMPARE(efficiencyOf(machine, 1e9), 1.0);
  machine.efficiency = {{1e6, 0.2}, {1e8, 0.6}};
  QCOMPARE(efficiencyOf(machine, 10), 0.2);
  QCOMPARE(efficiencyOf(machine, 1e7), 0.4);  // half-way in the logarithm
  QCOMPARE(efficiencyOf(machine, 1e12), 0.6);
}

void MachineTest::aTypeWithoutAPeakHasThatOfF32() {
  Machine machine;
  machine.peak[DType::f32] = {10, "here"};
  machine.peak[DType::bf16] = {80, "here"};
  QCOMPARE(peakOf(machine, DType::i64), 10.0);
  QCOMPARE(peakOf(machine, DType::bf16), 80.0);
}

void MachineTest::ownMachinesAreFoundByName() {
  QTemporaryDir folder;
  qputenv("XDG_DATA_HOME", folder.path().toUtf8());
  QDir().mkpath(folder.path() + "/meshwright/machines");
  Machine mine = readMachine("v100");
  mine.name = "this machine";
  writeMachine(mine, userMachineFile("this-machine"));
  QVERIFY(readMachine("this-machine") == mine);
  qunsetenv("XDG_DATA_HOME");
}

void MachineTest::aMeshLargerThanTheMachineIsTold() {
  const Machine machine = readMachine("tpu-v5e");
  QCOMPARE(devices(machine), 4096);  // 16 pods of 256
  QVERIFY(!check(Mesh::of("data:64,model:64"), machine));
  const auto found = check(Mesh::of("data:64,model:65"), machine);
  QVERIFY(found && found->severity == Diagnostic::Severity::warning);
  QCOMPARE(found->what, std::string("the mesh needs 4160 devices, the machine has 4096"));
}

QTEST_GUILESS_MAIN(MachineTest)
#include "machine_test.moc"
