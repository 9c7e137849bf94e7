#include <QProcess>
#include <QtTest>

// A sample of each sweep over real MPI ranks, one mpirun a mesh: redistribution and reshapes, every operator, and the loss of gpt_bytes.
class MpiSampleTest : public QObject {
  Q_OBJECT

 private slots:
  void equalsLockstep_data() {
    QTest::addColumn<QString>("mesh");
    QTest::addColumn<int>("ranks");
    QTest::newRow("2") << "data:2" << 2;
    QTest::newRow("3") << "data:3" << 3;
    QTest::newRow("2x2") << "data:2,model:2" << 4;
    QTest::newRow("2x2x2") << "data:2,model:2,seq:2" << 8;
  }

  void equalsLockstep() {
    QFETCH(QString, mesh);
    QFETCH(int, ranks);
    QProcess process;
    process.setStandardInputFile(QProcess::nullDevice());
    process.start("mpirun", {"-n", QString::number(ranks), "--oversubscribe", "--bind-to", "none", QStringLiteral(MESHWRIGHT_BIN) + "/../tests/bin/mpi_sample", mesh});
    QVERIFY2(process.waitForFinished(500000), "mpirun does not end");
    const QByteArray said = process.readAllStandardOutput(), errors = process.readAllStandardError();
    for (const QByteArray& line : said.split('\n'))
      if (!line.isEmpty()) qInfo("%s", line.constData());
    QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0, errors.left(4000).constData());
    for (const char* kind : {"redistribution on", "operators on", "training on"}) QVERIFY2(said.contains(kind), said.constData());
  }
};

QTEST_GUILESS_MAIN(MpiSampleTest)
#include "mpi_sample_test.moc"
