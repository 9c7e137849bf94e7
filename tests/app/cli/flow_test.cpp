#include <signal.h>

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <fstream>

#include "core/io/layout_file.h"
#include "core/run/run_folder.h"
#include "core/run/where.h"
#include "tests/app/cli/process.h"
#include "tests/support/onnx_bytes.h"
#include "tests/support/schema.h"
#include "tests/support/shared_models.h"

// From a model file to a run and what is told of it, without the window.
class FlowTest : public QObject {
  Q_OBJECT
 private:
  QTemporaryDir folder_;
  const QString bin_ = MESHWRIGHT_BIN "/meshwright-cli";
  const QString twoRanks_ = "--mesh data:2 --layout batch:data";

  Ran cli(const QString& line) const { return runProgram(bin_, QProcess::splitCommand(line), folder_.path(), {"MESHWRIGHT_CLI=" + bin_}, 300); }
  QByteArray read(const QString& name) const {
    QFile file(folder_.filePath(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  static QJsonObject json(const QByteArray& text) { return QJsonDocument::fromJson(text).object(); }
  static QList<QJsonObject> events(const QByteArray& lines) {
    QList<QJsonObject> all;
    for (const QByteArray& line : lines.trimmed().split('\n')) all << json(line);
    return all;
  }
  core::RunFolder run(const QString& name) const { return {folder_.filePath(name).toStdString()}; }

  // Made by NumPy's rules, so that no program is needed: a file of 8 x 8 tokens.
  void writeTokens(const QString& folder, int first) const {
    QVERIFY(QDir(folder_.path()).mkpath(folder));
    QByteArray header = "{'descr': '<i8', 'fortran_order': False, 'shape': (8, 8), }";
    header.append(QByteArray(128 - 10 - header.size() - 1, ' ')).append('\n');
    QFile file(folder_.filePath(folder + "/tokens.npy"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray("\x93NUMPY\x01\x00", 8) + char(header.size() % 256) + char(header.size() / 256) + header);
    for (qint64 i = 0; i < 64; ++i) {
      const qint64 token = (first + i * 7) % 32;
      file.write(reinterpret_cast<const char*>(&token), 8);
    }
  }

 private slots:
  void initTestCase() {
    const Ran made = cli("new gpt --layers 2 --d-model 16 --heads 4 --vocab 32 --seq 8 --batch 8 -o a.plan.json");
    QVERIFY2(made.code == 0, made.messages);
  }

  void importsAModel() {
    const Ran imported = cli("import " MESHWRIGHT_SOURCE "/samples/models/gpt_bytes.onnx -o bytes.plan.json");
    QVERIFY2(imported.code == 0, imported.messages);
    const Ran checked = cli("check bytes.plan.json --json");
    QVERIFY2(checked.code == 0, checked.messages);
    QCOMPARE(schemaComplaint(checked.output.toStdString(), "check"), "");
    const QJsonObject found = json(checked.output);
    QCOMPARE(found["parameters"].toInt(), 220544);
    QCOMPARE(found["dimensions"].toObject()["heads"].toInt(), 4);
    QCOMPARE(found["dimensions"].toObject()["vocab"].toInt(), 256);
  }

  void checksAndEstimates() {
    const Ran estimated = cli("estimate a.plan.json --mesh data:2,model:2 --layout batch:data;heads:model --train adam --machine h100 --json");
    QVERIFY2(estimated.code == 0, estimated.messages);
    QCOMPARE(schemaComplaint(estimated.output.toStdString(), "estimate"), "");
    QVERIFY(json(estimated.output)["stepSeconds"].toDouble() > 0);
    QCOMPARE(json(estimated.output)["step"].toString(), "training");
    const Ran bytesOnly = cli("estimate a.plan.json --json");
    QVERIFY(!json(bytesOnly.output).contains("stepSeconds"));
    QCOMPARE(json(bytesOnly.output)["step"].toString(), "inference");
    const Ran people = cli("estimate a.plan.json --mesh data:2 --layout batch:data");
    QVERIFY2(people.output.contains("no time without a machine"), people.output);
    QVERIFY(cli("estimate a.plan.json --csv").output.startsWith("order,kind,name,"));
  }

  void overridesAreNotSaved() {
    const QByteArray before = read("a.plan.json");
    QCOMPARE(cli("program a.plan.json --mesh data:2 --layout batch:data --train sgd --machine h100 --precision f32").code, 0);
    QCOMPARE(read("a.plan.json"), before);
  }

  void exports_data() {
    QTest::addColumn<QString>("as");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("layout-json") << "layout-json" << QByteArray("\"origin\": \"rule\"");
    QTest::newRow("mesh-tf") << "mesh-tf" << QByteArray("batch:data;heads:model");
    QTest::newRow("partition-spec") << "partition-spec" << QByteArray("\"tokens\": P(\"data\", None)");
    QTest::newRow("dtensor") << "dtensor" << QByteArray("\"tokens\": [Shard(0), Replicate()]");
    QTest::newRow("dot") << "dot" << QByteArray("batch:8/data seq:8");
    QTest::newRow("svg") << "svg" << QByteArray("<svg");
    QTest::newRow("pdf") << "pdf" << QByteArray("%PDF");
    QTest::newRow("png") << "png" << QByteArray("PNG");
    QTest::newRow("chrome-trace") << "chrome-trace" << QByteArray("\"ph\":\"X\"");
    QTest::newRow("estimate-json") << "estimate-json" << QByteArray("meshwright.estimate/1");
  }
  void exports() {
    QFETCH(QString, as);
    QFETCH(QByteArray, words);
    const Ran exported = cli("export a.plan.json --mesh data:2,model:2 --layout batch:data;heads:model --machine h100 --as " + as + " -o exported");
    QVERIFY2(exported.code == 0, exported.messages);
    QVERIFY2(read("exported").contains(words), read("exported").left(2000));
    if (as == "chrome-trace") QVERIFY(json(read("exported"))["traceEvents"].toArray().size() > 10);
    if (as == "layout-json") QCOMPARE(schemaComplaint(read("exported").toStdString(), "layout"), "");
  }

  void readsAnExportedLayoutBackWithoutLoss() {
    QCOMPARE(cli("export a.plan.json --mesh data:2,model:2 --layout batch:data;heads:model;ffn:model --as layout-json -o one.layout.json").code, 0);
    const Ran again = cli("export a.plan.json --layout one.layout.json --as layout-json -o two.layout.json");
    QVERIFY2(again.code == 0, again.messages);
    QVERIFY(again.messages.contains("mesh data:2,model:2 is from one.layout.json"));
    QCOMPARE(read("one.layout.json"), read("two.layout.json"));
    const std::string path = folder_.filePath("one.layout.json").toStdString();
    QCOMPARE(core::printLayoutFile(core::readLayoutFile(path)), read("one.layout.json").toStdString());
  }

  void evaluates() {
    writeTokens("inputs", 3);
    const Ran shown = cli("evaluate a.plan.json --inputs inputs --json");
    QVERIFY2(shown.code == 0, shown.messages);
    QCOMPARE(schemaComplaint(shown.output.toStdString(), "evaluation"), "");
    const Ran split = cli("evaluate a.plan.json --mesh data:2,model:2 --layout batch:data;heads:model;ffn:model --inputs inputs --json");
    QVERIFY2(split.code == 0, split.messages);
    const double one = json(shown.output)["outputs"].toArray()[0].toObject()["largest"].toDouble();
    const double four = json(split.output)["outputs"].toArray()[0].toObject()["largest"].toDouble();
    QVERIFY2(std::abs(one - four) < 1e-5 && one > 0, QByteArray::number(one) + " " + QByteArray::number(four));
    const Ran missing = cli("evaluate a.plan.json --inputs .");
    QCOMPARE(missing.code, 2);
    QVERIFY2(missing.messages.contains("input_0.pb or tokens.npy"), missing.messages);
  }

  void evaluatesRecordedOutputs() {
    const auto models = tests::sharedModels();
    if (!models) QSKIP("the recorded models are not here: onnx/torch/gpt_bytes was not evaluated");
    const QString recorded = QString::fromStdString(*models) + "/onnx/torch/gpt_bytes/test_data_set_0";
    QCOMPARE(cli("import " + QString::fromStdString(*models) + "/onnx/torch/gpt_bytes/model.onnx -o recorded.plan.json").code, 0);
    for (const char* layout : {"", " --mesh data:2,model:2 --layout batch:data;heads:model;ffn:model"}) {
      const Ran ran = cli("evaluate recorded.plan.json --inputs " + recorded + " --expect " + recorded + layout);
      QVERIFY2(ran.code == 0, ran.messages + ran.output);
    }
    const Ran strict = cli("evaluate recorded.plan.json --inputs " + recorded + " --expect " + recorded + " --atol 0 --rtol 0 --json");
    QCOMPARE(strict.code, 1);
    QCOMPARE(schemaComplaint(strict.output.toStdString(), "evaluation"), "");
  }

  void refusesToRunWhatTheCatalogueLacks() {
    tests::onnx::Graph graph;
    graph.inputs = {tests::onnx::valueInfo("x", 1, {"4", "6"})};
    graph.nodes = {tests::onnx::node("Mystery", {"x"}, {"y"}, "mystery", "com.example"), tests::onnx::node("Relu", {"y"}, {"z"})};
    graph.outputs = {tests::onnx::valueInfo("y", 1, {"4", "6"}), tests::onnx::valueInfo("z", 1, {"4", "6"})};
    std::ofstream(folder_.filePath("mystery.onnx").toStdString(), std::ios::binary) << tests::onnx::model(graph);
    const Ran imported = cli("import mystery.onnx -o mystery.plan.json");
    QCOMPARE(imported.code, 0);
    QVERIFY2(imported.output.contains("Mystery"), imported.output);
    const Ran checked = cli("check mystery.plan.json");
    QCOMPARE(checked.code, 0);
    QVERIFY2(checked.messages.contains("1 operator of type Mystery is not known here"), checked.messages);
    QCOMPARE(cli("estimate mystery.plan.json").code, 0);
    const Ran ran = cli("run mystery.plan.json --inference --to mystery");
    QCOMPARE(ran.code, 2);
    QVERIFY2(ran.messages.contains("the catalogue lacks operators of this model"), ran.messages);
    QVERIFY(!QFile::exists(folder_.filePath("mystery")));
  }

  void runsComparesAndGoesOn() {
    const Ran ran = cli("run a.plan.json " + twoRanks_ + " --steps 3 --to r1 --json");
    QVERIFY2(ran.code == 0, ran.messages);
    const QList<QJsonObject> told = events(ran.output);
    QCOMPARE(told.first()["event"].toString(), "started");
    QCOMPARE(told.last()["state"].toString(), "done");
    QCOMPARE(read("r1/events.ndjson"), ran.output);
    QVERIFY(core::readRunInfo(run("r1")).state == core::RunState::done);

    const Ran compared = cli("compare r1 --json");
    QVERIFY2(compared.code == 0, compared.messages);
    QCOMPARE(schemaComplaint(compared.output.toStdString(), "comparison"), "");
    QVERIFY2(json(compared.output)["exact"].toBool(), cli("compare r1 --top 0").output);

    const Ran on = cli("run a.plan.json " + twoRanks_ + " --steps 2 --from r1 --to r2 --json");
    QVERIFY2(on.code == 0, on.messages);
    QCOMPARE(events(on.output).first()["firstStep"].toInt(), 4);

    const Ran traced = cli("export r1 --as chrome-trace -o trace.json");
    QVERIFY2(traced.code == 0, traced.messages);
    QVERIFY(json(read("trace.json"))["traceEvents"].toArray().size() > 100);

    const Ran twice = cli("run a.plan.json " + twoRanks_ + " --steps 1 --to r1");
    QCOMPARE(twice.code, 2);
  }

  void runsExactlyAnExportedLayoutFromScripts() {
    QCOMPARE(cli("export a.plan.json --mesh data:2 --layout batch:data --train adam --as layout-json -o script.layout.json").code, 0);
    const QString scripts = MESHWRIGHT_SOURCE "/samples/scripts/";
    const Ran shell = runProgram(scripts + "run_layout.sh", {"script.layout.json", "a.plan.json", "by_sh", "--steps", "2"}, folder_.path(), {"MESHWRIGHT_CLI=" + bin_});
    QVERIFY2(shell.code == 0, shell.messages);
    QVERIFY2(shell.output.contains("tensor by tensor"), shell.output);
    if (QStandardPaths::findExecutable("python3").isEmpty()) QSKIP("python3 is not installed: run_layout.py was not run");
    const Ran python = runProgram(scripts + "run_layout.py", {"script.layout.json", "a.plan.json", "by_py", "--steps", "2"}, folder_.path(), {"MESHWRIGHT_CLI=" + bin_});
    QVERIFY2(python.code == 0, python.messages + python.output);
    QVERIFY2(python.output.contains("step 2: loss"), python.output);
  }

  // kill -9 of any rank in mid-run is told within ten seconds, with rank, step and instruction.
  void tellsOfAKilledRank_data() {
    QTest::addColumn<int>("rank");
    QTest::newRow("rank 0") << 0;
    QTest::newRow("rank 1") << 1;
  }
  void tellsOfAKilledRank() {
    QFETCH(int, rank);
    const QString name = "killed" + QString::number(rank);
    QProcess process;
    process.setWorkingDirectory(folder_.path());
    process.start(bin_, QProcess::splitCommand("run a.plan.json " + twoRanks_ + " --steps 100000 --to " + name));
    QVERIFY(process.waitForStarted());
    std::optional<core::Where> where;
    QTRY_VERIFY_WITH_TIMEOUT((where = core::readWhere(run(name).where(rank))) && where->step >= 2, 60000);
    QCOMPARE(::kill(static_cast<pid_t>(where->pid), SIGKILL), 0);
    QElapsedTimer timer;
    timer.start();
    QVERIFY(process.waitForFinished(30000));
    QVERIFY2(timer.elapsed() < 10000, QByteArray::number(timer.elapsed()));
    QCOMPARE(process.exitCode(), 3);
    const QByteArray said = process.readAllStandardError();
    QVERIFY2(said.contains("failed: rank " + QByteArray::number(rank)) && said.contains("step "), said);
    core::EventReader reader(run(name).events());
    const std::vector<core::Event> all = reader.poll();
    const auto* last = std::get_if<core::FinishedEvent>(&all.back());
    QVERIFY(last && last->state == core::RunState::failed);
    QCOMPARE(last->rank.value_or(-1), rank);
    QVERIFY(last->step.value_or(0) >= 2);
    QVERIFY(core::readRunInfo(run(name)).state == core::RunState::failed);
  }

  void stopsAfterAStepWhenAsked() {
    QProcess process;
    process.setWorkingDirectory(folder_.path());
    process.start(bin_, QProcess::splitCommand("run a.plan.json " + twoRanks_ + " --steps 100000 --to stopped"));
    QVERIFY(process.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(core::readWhere(run("stopped").where(0)).value_or(core::Where{}).step >= 2, 60000);
    core::requestStop(run("stopped"));
    QVERIFY(process.waitForFinished(30000));
    QCOMPARE(process.exitCode(), 0);
    QVERIFY(core::readRunInfo(run("stopped")).state == core::RunState::stopped);
  }
};

QTEST_GUILESS_MAIN(FlowTest)
#include "flow_test.moc"
