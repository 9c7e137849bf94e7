#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QtTest>

// meshwright-layout as it is called: DOT in, positions or a picture out, 2 for what it cannot read.
class LayoutProgramTest : public QObject {
  Q_OBJECT

 private:
  struct Answer {
    int code = -1;
    QByteArray out, err;
  };
  static Answer run(const QByteArray& dot, const QStringList& arguments) {
    QProcess process;
    process.start(QStringLiteral(MESHWRIGHT_BIN "/meshwright-layout"), arguments);
    process.write(dot);
    process.closeWriteChannel();
    if (!process.waitForFinished(30000)) return {};
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, process.readAllStandardOutput(),
            process.readAllStandardError()};
  }

 private slots:
  void positionsOfEveryGraph() {
    Answer answer = run("digraph a { x -> y; } digraph b { \"q\\\"uote\"; }", {"-T", "json"});
    QCOMPARE(answer.code, 0);
    QList<QByteArray> lines = answer.out.trimmed().split('\n');
    QCOMPARE(lines.size(), 2);
    QJsonArray nodes = QJsonDocument::fromJson(lines[0]).object()["nodes"].toArray();
    QCOMPARE(nodes.size(), 2);
    QCOMPARE(nodes[0].toObject()["name"].toString(), QStringLiteral("x"));
    QVERIFY(nodes[0].toObject()["y"].toDouble() < nodes[1].toObject()["y"].toDouble());  // downward
    QCOMPARE(QJsonDocument::fromJson(lines[1]).object()["nodes"][0]["name"].toString(), QStringLiteral("q\"uote"));
  }

  void pictures_data() {
    QTest::addColumn<QByteArray>("begins");
    QTest::newRow("svg") << QByteArray("<?xml");
    QTest::newRow("png") << QByteArray("\x89PNG");
    QTest::newRow("pdf") << QByteArray("%PDF");
  }
  void pictures() {
    QFETCH(QByteArray, begins);
    Answer answer = run("digraph { a -> b; a -> c }", {"-T", QString::fromLatin1(QTest::currentDataTag())});
    QCOMPARE(answer.code, 0);
    QVERIFY(answer.out.startsWith(begins));
  }

  void badInputIsRefused_data() {
    QTest::addColumn<QByteArray>("dot");
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("cut") << QByteArray("digraph { a -> ") << QStringList{};
    QTest::newRow("empty") << QByteArray() << QStringList{};
    QTest::newRow("not DOT") << QByteArray("hello { ]") << QStringList{};
    QTest::newRow("format") << QByteArray("digraph {}") << QStringList{"-T", "exe"};
    QTest::newRow("argument") << QByteArray("digraph {}") << QStringList{"--what"};
  }
  void badInputIsRefused() {
    QFETCH(QByteArray, dot);
    QFETCH(QStringList, arguments);
    Answer answer = run(dot, arguments);
    QCOMPARE(answer.code, 2);
    QVERIFY(!answer.err.isEmpty());
  }

  void curvedEdgesDoNotHang() {
    QByteArray dot = "digraph { splines=curved;";
    for (int i = 1; i < 200; ++i)
      dot += "n" + QByteArray::number(i - 1) + " -> n" + QByteArray::number(i) + "; n" + QByteArray::number(i / 2) +
             " -> n" + QByteArray::number(i) + ";";
    QCOMPARE(run(dot + "}", {"-T", "svg"}).code, 0);
  }
};

QTEST_GUILESS_MAIN(LayoutProgramTest)
#include "layout_program_test.moc"
