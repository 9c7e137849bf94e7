#include <QProcess>
#include <QtTest>

class MpiCommunicatorTest : public QObject {
  Q_OBJECT

 private slots:
  void movesWhatThePlacementsSay_data();
  void movesWhatThePlacementsSay();
  void refusesAnotherWorldSize();
};

namespace {

struct Outcome {
  int code = -1;
  QByteArray output, errors;
};

Outcome mpirun(const QStringList& arguments) {
  QProcess process;
  process.setStandardInputFile(QProcess::nullDevice());
  process.start("mpirun", arguments);
  process.waitForFinished(120000);
  return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

const QString program = QString(MESHWRIGHT_BIN) + "/../tests/bin/mpi_collectives";

}  // namespace

void MpiCommunicatorTest::movesWhatThePlacementsSay_data() {
  QTest::addColumn<QString>("mesh");
  QTest::addColumn<int>("ranks");
  QTest::newRow("2x2") << "a:2,b:2" << 4;
  QTest::newRow("3") << "a:3" << 3;
}

void MpiCommunicatorTest::movesWhatThePlacementsSay() {
  QFETCH(QString, mesh);
  QFETCH(int, ranks);
  const Outcome outcome = mpirun({"-n", QString::number(ranks), "--bind-to", "none", program, mesh});
  QVERIFY2(outcome.code == 0, outcome.errors);
  QVERIFY(outcome.output.contains("cases"));
}

void MpiCommunicatorTest::refusesAnotherWorldSize() {
  const Outcome outcome = mpirun({"-n", "2", "--bind-to", "none", program, "a:2,b:2"});
  QVERIFY(outcome.code != 0);
  QVERIFY2(outcome.errors.contains("started with 2 ranks") && outcome.errors.contains("4 devices"), outcome.errors);
}

QTEST_GUILESS_MAIN(MpiCommunicatorTest)
#include "mpi_communicator_test.moc"
