#include <QtTest>

#include "core/graph/fold.h"
#include "core/io/import.h"
#include "tests/support/shared_models.h"

using namespace core;

// What exporters write folds as a person reads it: one stack of all layers, that carries the residual alone.
class FoldModelsTest : public QObject {
  Q_OBJECT

 private slots:
  void layersOfImportedModels_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<int>("layers");
    QTest::newRow("gpt_bytes") << "torch/gpt_bytes" << 4;
    QTest::newRow("gpt2_small") << "torch/gpt2_small_noparams" << 12;
    QTest::newRow("bert_large") << "torch/bert_large_noparams" << 24;
    QTest::newRow("encoder") << "torch/transformer_encoder" << 2;
    QTest::newRow("folded by the exporter") << "torch-folded/gpt2_small_noparams" << 12;
  }
  void layersOfImportedModels() {
    QFETCH(QString, model);
    QFETCH(int, layers);
    const auto models = tests::sharedModels();
    if (!models) QSKIP("needs the folder of shared models (MESHWRIGHT_MODELS)");
    const auto graph = importModel(*models + "/onnx/" + model.toStdString() + "/model.onnx", {}).graph;
    Fold found = fold(*graph);
    QVERIFY2(!found.stacks.empty(), print(found).c_str());
    QVERIFY2(found.stacks[0].instances.size() == static_cast<std::size_t>(layers), print(found).c_str());
    QCOMPARE(found.stacks[0].carried.size(), std::size_t{1});
  }
};

QTEST_GUILESS_MAIN(FoldModelsTest)
#include "fold_models_test.moc"
