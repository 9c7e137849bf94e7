#include <QtTest>

#include "tests/app/cli/process.h"

// From a config.json to a run, as a person would go.

class ConfigTest : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  Ran cli(const QString& arguments) const {
    return runProgram(MESHWRIGHT_BIN "/meshwright-cli", arguments.split(' '), folder_.path());
  }

 private slots:
  void opensSeventyBillions() {
    const Ran imported = cli("import " MESHWRIGHT_SOURCE "/tests/data/config/published/meta-llama--Meta-Llama-3.1-70B.config.json -o big.plan.json --dim batch=8 --dim seq=2048");
    QVERIFY2(imported.code == 0, imported.messages);
    QVERIFY2(imported.output.contains("70,553,706,496 parameters"), imported.output);
    QVERIFY2(imported.output.contains("batch = 8 (given)"), imported.output);
    for (const char* verb : {"check", "estimate", "program"}) {
      const Ran ran = cli(QString(verb) + " big.plan.json --mesh data:4,model:8 --layout batch:data;heads:model;ffn:model;vocab:model --train adam");
      QVERIFY2(ran.code == 0, ran.messages);
    }
  }

  void runsASmallOne() {
    const Ran imported = cli("import " MESHWRIGHT_SOURCE "/tests/data/config/recorded/mixtral/config.json -o small.plan.json --dim seq=10");
    QVERIFY2(imported.code == 0, imported.messages);
    QVERIFY2(imported.output.contains("batch = 8 (chosen here: --dim batch=SIZE gives another)"), imported.output);
    const Ran ran = cli("run small.plan.json --mesh data:2 --layout batch:data --train adam --steps 2 --to run");
    QVERIFY2(ran.code == 0, ran.messages);
    const Ran compared = cli("compare run");
    QVERIFY2(compared.code == 0 && compared.output.contains("Exact"), compared.output + compared.messages);
  }

  void refusesWhatItDoesNotBuild() {
    for (const char* name : {"zai-org--GLM-5", "Qwen--Qwen3-VL-2B-Instruct"}) {
      const Ran imported = cli(QString("import " MESHWRIGHT_SOURCE "/tests/data/config/published/%1.config.json -o none.plan.json").arg(name));
      QCOMPARE(imported.code, 2);
      QVERIFY2(imported.messages.contains("/model_type") && imported.messages.contains("nearest known one is"), imported.messages);
    }
  }

  void buildsFamiliesWithoutAFile() {
    const Ran made = cli("new llama --set num_hidden_layers=3 --set hidden_act=gelu --dim seq=32 -o new.plan.json");
    QVERIFY2(made.code == 0, made.messages);
    const Ran wrong = cli("new llama --set num_key_value_heads=3 -o new.plan.json");
    QCOMPARE(wrong.code, 2);
    QVERIFY2(wrong.messages.contains("/num_key_value_heads"), wrong.messages);
    const Ran mixed = cli("new llama --layers 3 -o new.plan.json");
    QCOMPARE(mixed.code, 2);
    QVERIFY2(mixed.messages.contains("--set"), mixed.messages);
  }
};

QTEST_GUILESS_MAIN(ConfigTest)
#include "config_test.moc"
