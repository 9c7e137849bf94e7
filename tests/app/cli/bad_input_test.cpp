#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "tests/app/cli/process.h"

// Each row a command line, the exit code, and words that the message must have: what is wrong, where, what would be right.
class BadInputTest : public QObject {
  Q_OBJECT
 private:
  QTemporaryDir folder_;

  Ran cli(const QString& line, const QStringList& environment = {}) const {
    return runProgram(MESHWRIGHT_BIN "/meshwright-cli", QProcess::splitCommand(line), folder_.path(), environment, 30);
  }
  void write(const QString& name, const QByteArray& text) const {
    QFile file(folder_.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
  }
  QByteArray read(const QString& name) const {
    QFile file(folder_.filePath(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

 private slots:
  void initTestCase() {
    const Ran made = cli("new gpt --layers 1 --d-model 16 --heads 4 --vocab 32 --seq 8 --batch 8 -o a.plan.json");
    QVERIFY2(made.code == 0, made.messages);
    const QByteArray plan = read("a.plan.json");
    QVERIFY(plan.size() > 1000);
    write("cut.plan.json", plan.left(plan.size() / 2));
    write("empty.plan.json", "");
    write("text.plan.json", "hello\n");
    write("zero.plan.json", QByteArray(plan).replace("{\"name\": \"batch\", \"size\": 8}", "{\"name\": \"batch\", \"size\": 0}"));
    write("huge.plan.json", QByteArray(plan).replace("{\"name\": \"batch\", \"size\": 8}", "{\"name\": \"batch\", \"size\": 4611686018427387904}"));
    write("newer.plan.json", QByteArray(plan).replace("meshwright.plan/1", "meshwright.plan/7"));
    write("key.plan.json", QByteArray(plan).replace("\"current\": 0", "\"current\": 0, \"colour\": \"red\""));
    write("wrong.layout.json", R"({"format": "meshwright.layout/1", "rules": [{"dimension": "batch", "axis": "data"}]})");
    write("lfs.onnx", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n");
    write("empty.onnx", "");
    write("file", "a regular file\n");
    QVERIFY(QDir(folder_.path()).mkpath("old"));
    write("old/run.json", "{}");
    QVERIFY(QDir(folder_.path()).mkpath("nothing"));
  }

  void refuses_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<int>("code");
    QTest::addColumn<QStringList>("words");
    const auto row = [](const char* line, int code, QStringList words) { QTest::newRow(line) << line << code << words; };
    // bad use
    row("", 2, {"subcommand is required"});
    row("chek a.plan.json", 2, {"unknown verb \"chek\"", "did you mean", "check"});
    row("check", 2, {"plan is required"});
    row("check a.plan.json --jsn", 2, {"--jsn"});
    row("run a.plan.json --steps 5", 2, {"--to is required"});
    row("run a.plan.json --steps 0 --to r", 2, {"--steps", "0 is not a whole number from 1"});
    row("run a.plan.json --steps many --to r", 2, {"--steps", "many"});
    row("export a.plan.json --as pictures -o x", 2, {"--as", "pictures", "layout-json"});
    // files
    row("check missing.plan.json", 2, {"missing.plan.json", "No such file"});
    row("check nothing", 2, {"nothing", "not a regular file"});
    row("check cut.plan.json", 2, {"cut.plan.json", "not JSON at line"});
    row("check empty.plan.json", 2, {"empty.plan.json", "not JSON at line 1"});
    row("check text.plan.json", 2, {"text.plan.json", "not JSON at line 1"});
    row("check zero.plan.json", 2, {"zero.plan.json: /graph/dims/", "0 is out of range", "at least 1"});
    row("check huge.plan.json", 2, {"huge.plan.json: /graph/tensors/", "more bytes than 64 bits count"});
    row("check newer.plan.json", 2, {"meshwright.plan/7", "this version reads \"meshwright.plan/1\""});
    row("check key.plan.json", 2, {"key.plan.json: unknown key \"colour\""});
    row("check file", 2, {"file", "not JSON"});
    // meshes, layouts, machines
    row("estimate a.plan.json --variant Z", 2, {"no variant \"Z\"", "a.plan.json"});
    row("estimate a.plan.json --mesh data", 2, {"\"data\" is not a mesh axis", "NAME:SIZE"});
    row("estimate a.plan.json --mesh data:0", 2, {"'data' has size 0", "at least 1"});
    row("estimate a.plan.json --mesh data:2,data:2", 2, {"'data' stands twice"});
    row("estimate a.plan.json --mesh data:99999999999999999999", 2, {"data:99999999999999999999"});
    row("estimate a.plan.json --mesh data:2 --layout batch", 2, {"batch"});
    row("estimate a.plan.json --mesh data:2 --layout batch:date", 2, {"date", "data"});
    row("estimate a.plan.json --mesh data:2 --layout btach:data", 2, {"btach", "batch"});
    row("estimate a.plan.json --mesh data:2 --layout batch:data;seq:data", 2, {"data", "batch", "seq"});
    row("check a.plan.json --mesh data:2 --layout batch:date", 1, {"date"});
    row("estimate a.plan.json --layout wrong.layout.json", 2, {"wrong.layout.json: /rules/0", "unknown key \"axis\"", "\"dimension\", \"axes\""});
    row("estimate a.plan.json --layout gone.layout.json", 2, {"gone.layout.json", "No such file"});
    row("estimate a.plan.json --machine h1000", 2, {"h1000", "h100"});
    row("estimate a.plan.json --train adamm", 2, {"--train", "adamm", "adam"});
    row("estimate a.plan.json --precision f33", 2, {"--precision", "f33"});
    row("estimate a.plan.json --learning-rate -1", 2, {"--learning-rate", "-1"});
    row("estimate a.plan.json --dim batch", 2, {"--dim", "NAME=SIZE"});
    row("machines h1000", 2, {"h1000"});
    // models
    row("new gpt --d-model 10 --heads 4 -o b.plan.json", 2, {"d_model 10", "heads"});
    row("new gtp -o b.plan.json", 2, {"gtp", "gpt"});
    row("new gpt -o nowhere/b.plan.json", 2, {"nowhere/b.plan.json", "cannot write"});
    row("import missing.onnx -o b.plan.json", 2, {"missing.onnx"});
    row("import lfs.onnx -o b.plan.json", 2, {"lfs.onnx", "LFS"});
    row("import empty.onnx -o b.plan.json", 2, {"empty.onnx", "empty"});
    row("import lfs.onnx --dim batch=x -o b.plan.json", 2, {"--dim", "batch=x"});
    // runs
    row("run a.plan.json --mesh data:64 --to r", 2, {"64 devices", "--max-ranks"});
    row("run a.plan.json --to file/below/r", 2, {"is a file, not a folder"});
    row("run a.plan.json --to old", 2, {"old", "a run in this folder already"});
    row("run a.plan.json --mpirun nompirun --to r", 2, {"cannot find the program \"nompirun\"", "OpenMPI"});
    row("run a.plan.json --data texts --to r", 2, {"--data", "text:FILE"});
    row("run a.plan.json --data text:gone.txt --to r", 2, {"--data", "gone.txt"});
    row("run a.plan.json --from gone --to r", 2, {"--from", "gone"});
    row("run a.plan.json --inference --train sgd --to r", 2, {"--inference and --train"});
    row("run a.plan.json --seed -4 --to r", 2, {"--seed", "-4"});
    row("compare gone", 2, {"gone", "no such folder"});
    row("compare nothing", 2, {"not a run folder"});
    row("export a.plan.json --as layout-json -o nowhere/x", 2, {"nowhere/x", "cannot write"});
    row("export a.plan.json --as chrome-trace -o x", 2, {"machine"});
    row("export a.plan.json --as measured-trace -o x", 2, {"no run"});
  }
  void refuses() {
    QFETCH(QString, line);
    QFETCH(int, code);
    QFETCH(QStringList, words);
    const Ran ran = cli(line);
    QVERIFY2(ran.code == code, ran.messages + " exit code " + QByteArray::number(ran.code));
    for (const QString& word : words) QVERIFY2(ran.messages.contains(word.toUtf8()), word.toUtf8() + " is not in: " + ran.messages);
    QVERIFY2(ran.seconds < 10, QByteArray::number(ran.seconds));
    QVERIFY(!QFile::exists(folder_.filePath("r")));
    QVERIFY(!QFile::exists(folder_.filePath("b.plan.json")));
  }

  void saysThatMpirunIsMissing() {
    const Ran ran = cli("run a.plan.json --to r", {"PATH=/nowhere"});
    QCOMPARE(ran.code, 2);
    QVERIFY2(ran.messages.contains("cannot find the program \"mpirun\"") && ran.messages.contains("openmpi"), ran.messages);
  }

  void refusesAPlanThatIsCutAnywhere() {
    const QByteArray plan = read("a.plan.json");
    for (qsizetype cut = 64; cut + 1 < plan.size(); cut += plan.size() / 12) {
      write("cut.plan.json", plan.left(cut));
      const Ran ran = cli("check cut.plan.json");
      QVERIFY2(ran.code == 2 && ran.messages.contains("cut.plan.json: not JSON at line "), ran.messages);
    }
  }

  void leavesThePlanAsItWas() { QCOMPARE(cli("check a.plan.json").code, 0); }
};

QTEST_GUILESS_MAIN(BadInputTest)
#include "bad_input_test.moc"
