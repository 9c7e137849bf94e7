#include "core/cost/calibration.h"

#include <QtTest>

#include "core/io/machine_files.h"

using namespace core;

class CalibrationTest : public QObject {
  Q_OBJECT

 private slots:
  void findsAlphaAndBeta();
  void smallMessagesCountAsMuchAsLargeOnes();
  void theFastestOfRepeatedMeasurementsCounts();
  void refusesWhatCannotBeFitted();
  void thePeakIsTheBestRate();
  void makesAMachineThatIsWhole();
};

void CalibrationTest::findsAlphaAndBeta() {
  std::vector<TimedBytes> samples;
  for (double bytes = 8; bytes < 1e8; bytes *= 8) samples.push_back({bytes, 5e-7 + bytes / 4.5e9});
  const LatencyAndBandwidth found = fitLatencyAndBandwidth(samples);
  QVERIFY(std::abs(found.latency / 5e-7 - 1) < 1e-6);
  QVERIFY(std::abs(found.bandwidth / 4.5e9 - 1) < 1e-6);
}

void CalibrationTest::smallMessagesCountAsMuchAsLargeOnes() {
  std::vector<TimedBytes> samples;
  for (double bytes = 8; bytes < 1e8; bytes *= 8) samples.push_back({bytes, (5e-7 + bytes / 4.5e9) * (bytes > 1e6 ? 1.2 : 1.0)});
  QVERIFY(std::abs(fitLatencyAndBandwidth(samples).latency / 5e-7 - 1) < 0.1);
}

void CalibrationTest::theFastestOfRepeatedMeasurementsCounts() {
  const std::vector<TimedBytes> samples{{1000, 1e-6}, {1000, 7e-3}, {1'000'000, 1e-3}, {1'000'000, 2e-3}, {2'000'000, 2e-3}};
  QVERIFY(std::abs(fitLatencyAndBandwidth(samples).bandwidth / 1e9 - 1) < 0.01);
}

void CalibrationTest::refusesWhatCannotBeFitted() {
  QVERIFY_EXCEPTION_THROWN(fitLatencyAndBandwidth(std::vector<TimedBytes>{{8, 1e-6}}), Error);
  QVERIFY_EXCEPTION_THROWN(fitLatencyAndBandwidth(std::vector<TimedBytes>{{8, 1e-3}, {8000, 1e-6}}), Error);
  QVERIFY_EXCEPTION_THROWN(fitPeakAndEfficiency(std::vector<TimedFlops>{{1e6, 0}, {1e7, 0}}), Error);
}

void CalibrationTest::thePeakIsTheBestRate() {
  const std::vector<TimedFlops> samples{{1e6, 1e-5}, {1e9, 5e-3}, {1e10, 5.5e-2}};
  const PeakAndEfficiency found = fitPeakAndEfficiency(samples);
  QCOMPARE(found.peak, 2e11);
  QCOMPARE(found.efficiency[0].second, 0.5);
  QCOMPARE(found.efficiency[1].second, 1.0);
  QVERIFY(found.efficiency[2].second < 1);
}

void CalibrationTest::makesAMachineThatIsWhole() {
  Measurements measured{.ranks = 4, .launchSeconds = 1e-6, .memoryBytes = 4e9, .when = "2026-11-30"};
  for (double bytes : {8.0, 1e4, 1e7}) {
    measured.messages.push_back({bytes, 1e-6 + bytes / 1e9});
    measured.copies.push_back({bytes, 1e-7 + bytes / 1e10});
  }
  for (double flops : {1e6, 1e9}) measured.products.push_back({flops, 1e-6 + flops / 1e11});
  const Machine machine = machineFrom(measured, "this machine");
  QVERIFY(check(machine).empty());
  QCOMPARE(machine.levels[0].devices, 4);
  QCOMPARE(machine.launch.source, std::string("measured 2026-11-30"));
  QVERIFY(parseMachine(printMachine(machine), "written") == machine);
}

QTEST_GUILESS_MAIN(CalibrationTest)
#include "calibration_test.moc"
