#include "core/run/filter.h"

#include <QElapsedTimer>
#include <QTest>

#include "core/base/error.h"

using namespace core;

namespace {

std::string complaint(const std::vector<std::string>& argv, double seconds) {
  try {
    filter(argv, "", seconds);
  } catch (const Error& error) {
    return error.text();
  }
  return {};
}

}  // namespace

class FilterTest : public QObject {
  Q_OBJECT
 private slots:
  void passesMoreThanAPipeHolds() {
    const std::string much(3'000'000, 'x');
    QVERIFY(filter({"/bin/cat"}, much, 20) == much);
  }
  void endsWhatTakesTooLong() {
    QElapsedTimer timer;
    timer.start();
    QVERIFY(complaint({"/bin/sleep", "60"}, 0.3).find("longer than 0.3 seconds") != std::string::npos);
    QVERIFY(timer.elapsed() < 5000);
  }
  void saysWhatAProgramSaid() {
    const std::string said = complaint({"/bin/sh", "-c", "echo no graph >&2; exit 4"}, 10);
    QVERIFY2(said.find("exit code 4: no graph") != std::string::npos, said.c_str());
    QVERIFY(complaint({"/not/there"}, 10).find("exit code 127") != std::string::npos);
  }
  void bearsAProgramThatDoesNotReadItsInput() { QCOMPARE(filter({"/bin/echo", "hello"}, std::string(3'000'000, 'x'), 10), "hello\n"); }
};

QTEST_GUILESS_MAIN(FilterTest)
#include "filter_test.moc"
