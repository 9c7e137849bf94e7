#include "core/io/import.h"

#include <QtTest>
#include <filesystem>
#include <nlohmann/json.hpp>

#include <fstream>
#include <set>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/graph/dims.h"
#include "core/io/tensor_file.h"
#include "tests/support/imported_values.h"
#include "tests/support/shared_models.h"

using namespace core;

namespace {

namespace fs = std::filesystem;
using Sizes = std::map<std::string, std::int64_t>;

const Sizes symbols{{"batch", 3}, {"seq", 10}};  // what the files leave open

Import importBound(const std::string& path) {
  Import open = importModel(path, {});
  ImportOptions options;
  for (const auto& symbol : open.report.symbols)
    if (symbol.size == 0) options.dims[symbol.name] = symbols.count(symbol.name) ? symbols.at(symbol.name) : 5;
  return options.dims.empty() ? open : importModel(path, options);
}

Sizes dimensions(const Graph& graph) {
  Sizes found;
  for (const Tensor& tensor : graph.tensors)
    for (DimId dim : tensor.shape) found[graph[dim].name] = graph.size(dim);
  return found;
}

std::vector<std::string> modelsIn(const std::string& folder) {
  std::vector<std::string> all;
  for (const auto& entry : fs::directory_iterator(folder))
    if (fs::exists(entry.path() / "model.onnx")) all.push_back(entry.path().string());
  std::sort(all.begin(), all.end());
  return all;
}

void addModels(std::initializer_list<const char*> folders) {
  QTest::addColumn<QString>("folder");
  const auto models = tests::sharedModels();
  if (!models) {
    QTest::newRow("none") << QString();
    return;
  }
  for (const char* folder : folders)
    for (const std::string& model : modelsIn(*models + "/onnx/" + folder))
      QTest::newRow((std::string(folder) + "/" + fs::path(model).filename().string()).c_str()) << QString::fromStdString(model);
}

}  // namespace

#define NEED_MODELS(folder) \
  if (folder.isEmpty()) QSKIP("needs the folder of shared models (MESHWRIGHT_MODELS)")

class ImportTest : public QObject {
  Q_OBJECT
 private slots:
  void importsEveryModel_data() { addModels({"torch", "torch-folded", "marabou", "polygraphy/models", "onnx-light", "wonnx", "marabou/layer-zoo"}); }
  void importsEveryModel();
  void agreesWithTheFacts_data() { addModels({"torch"}); }
  void agreesWithTheFacts();
  void namesDimensions_data();
  void namesDimensions();
  void reproducesRecordedOutputs_data();
  void reproducesRecordedOutputs();
  void reproducesShippedModels_data();
  void reproducesShippedModels();
  void keepsSymbolsOpen();
  void bindsOpenSymbolsLater();
  void refusesASymbolThatIsNotThere();
  void refersToWeightsInTheFile();
  void tiesAHeadThatIsTheEmbedding();
};

void ImportTest::importsEveryModel() {
  QFETCH(QString, folder);
  NEED_MODELS(folder);
  static const std::set<std::string> refused{"attention", "attention_same_qkv", "test_recursive_pattern_building", "toy_subgraph",  // no rank
                                             "inp_dim_val_not_set", "loop", "nonzero", "capability", "roialign"};                  // sizes that no rule gives
  std::string name = fs::path(folder.toStdString()).filename().string();
  try {
    Import found = importModel(folder.toStdString() + "/model.onnx", {});
    QVERIFY(found.graph != nullptr);
    QCOMPARE(found.report.format, std::string("ONNX"));
    QVERIFY2(found.graph->outputs.size() > 0 || name == "empty", "no outputs");
  } catch (const Error& error) {
    QVERIFY2(refused.count(name), error.text().c_str());
    QVERIFY2(!error.what.empty() && !error.where.empty() && !error.right.empty(), error.text().c_str());
  }
}

// Counts, sizes, and the dimensions of each weight that facts.json names.
void ImportTest::agreesWithTheFacts() {
  QFETCH(QString, folder);
  NEED_MODELS(folder);
  std::ifstream stream(folder.toStdString() + "/facts.json");
  nlohmann::json facts = nlohmann::json::parse(stream);
  Import found = importBound(folder.toStdString() + "/model.onnx");
  const Graph& graph = *found.graph;
  QCOMPARE(found.report.parameters, facts.at("parameters").get<std::int64_t>());
  Sizes dims = dimensions(graph);
  std::set<std::int64_t> sizes;
  for (const auto& [name, size] : dims) sizes.insert(size);
  for (const auto& [name, size] : facts.at("dims").items()) {
    if (name == "layers" || !size.is_number() || size == 1) continue;
    bool bound = std::any_of(found.report.symbols.begin(), found.report.symbols.end(), [&, key = name](const auto& symbol) { return symbol.name == key; });
    QVERIFY2(bound || sizes.count(size.get<std::int64_t>()), (name + ":" + size.dump() + " is the size of no dimension").c_str());
  }
  const nlohmann::json weights = facts.value("param_dims", nlohmann::json::object());
  for (const auto& [pattern, axes] : weights.items()) {
    int matched = 0;
    for (const Tensor& tensor : graph.tensors) {
      if (tensor.kind != TensorKind::state || !globMatch(pattern, tensor.name)) continue;
      if (std::count(tensor.name.begin(), tensor.name.end(), '.') != std::count(pattern.begin(), pattern.end(), '.')) continue;
      ++matched;
      std::string wanted, have;
      for (const auto& axis : axes) wanted += axis.get<std::string>() + "*";
      for (DimId dim : tensor.shape) have += (graph[dim].name == "qkv" ? "3" : graph[dim].name) + "*";
      QCOMPARE(have, wanted);
    }
    QVERIFY2(matched > 0, pattern.c_str());
  }
}

void ImportTest::namesDimensions_data() {
  QTest::addColumn<QString>("model");
  QTest::addColumn<QString>("expected");
  QTest::addColumn<int>("renames");
  QTest::addColumn<int>("reshapes");
  const char* gpt = "d_model:48 ffn:192 head_dim:12 heads:4 qkv:3 vocab:96";
  auto row = [](const char* model, const std::string& dims, int renames, int reshapes = 0) { QTest::newRow(model) << model << QString::fromStdString(dims) << renames << reshapes; };
  row("torch/mlp", "batch:8 classes:10 features:24 hidden:64 hidden_2:64", 0);
  row("torch/mlp_loss", "batch:16 classes:6 features:12 hidden:32 hidden_2:32", 0);
  row("torch/mlp_wide_noparams", "batch:2 classes:4096 features:4096 hidden:16384 hidden_2:16384", 0);
  row("torch/gpt_bytes", "batch:8 d_model:64 ffn:256 head_dim:16 heads:4 positions:64 qkv:3 seq:32 seq_kv:32 vocab:256", 8);
  row("torch/gpt2_tiny", std::string(gpt) + " batch:2 positions:32 seq:16 seq_kv:16", 8);
  row("torch-folded/gpt2_tiny", std::string(gpt) + " batch:2 seq:16 seq_kv:16", 8);
  row("torch/gpt2_tiny_dyn", std::string(gpt) + " batch:3 positions:32 seq:10 seq_kv:10", 4);
  row("torch/gpt2_small_noparams", "batch:3 d_model:768 ffn:3072 head_dim:64 heads:12 positions:1024 qkv:3 seq:1024 seq_kv:1024 vocab:50257", 24);
  row("torch-folded/gpt2_small_noparams", "d_model:768 ffn:3072 head_dim:64 heads:12 positions:1024 qkv:3 seq:1024 seq_kv:1024 vocab:50257", 24);
  row("torch/transformer_encoder", "batch:2 d_model:32 ffn:96 head_dim:8 heads:4 qkv:3 seq:12 seq_kv:12", 4);
  row("torch/transformer_encoder_prenorm_op17", "batch:2 d_model:32 ffn:96 head_dim:8 heads:4 qkv:3 seq:12 seq_kv:12", 4);
  row("torch/bert_tiny", "batch:3 d_model:32 ffn:64 head_dim:8 head_dim_v:8 heads:4 pooled:32 positions:20 seq:14 seq_kv:14 typ_rows:2 vocab:120", 4);
  row("torch/bert_large_noparams", "batch:3 d_model:1024 ffn:4096 head_dim:64 head_dim_v:64 heads:16 pooled:1024 positions:512 seq:512 seq_kv:512 typ_rows:2 vocab:30522", 48);
  row("torch/moe_top2_dense", "batch:2 experts:6 features:24 hidden:40 out:24 seq:8 top_k:2", 0);
  row("torch/unet3d", "channels:2 classes:3 concat:2 concat_2:2 d1_0:4 d2_0:8 depth:8 depth_s2:4 depth_s4:2 e1_0:4 e2_0:8 height:16 height_s2:8 height_s4:4 kernel_depth:3 kernel_depth_2:2 kernel_height:3 "
                      "kernel_height_2:2 kernel_width:3 kernel_width_2:2 mid_0:16 width:16 width_s2:8 width_s4:4", 0);
  row("torch/dlrm_sum", "batch:12 concat:4 concat_2:4 dim:6 dim_2:16 emb:8 emb_0_rows:40 emb_1_rows:64 emb_2_rows:100 features:13 hidden:16 hidden_2:16 idx0_1:3 top_0_in:14", 1, 1);
}

void ImportTest::namesDimensions() {
  QFETCH(QString, model);
  QFETCH(QString, expected);
  QFETCH(int, renames);
  QFETCH(int, reshapes);
  const auto models = tests::sharedModels();
  if (!models) QSKIP("needs the folder of shared models (MESHWRIGHT_MODELS)");
  Import found = importBound(*models + "/onnx/" + model.toStdString() + "/model.onnx");
  QStringList dims;
  for (const auto& [name, size] : dimensions(*found.graph)) dims << QString("%1:%2").arg(QString::fromStdString(name)).arg(size);
  QStringList wanted = expected.split(' ');
  dims.sort();
  wanted.sort();
  QCOMPARE(dims.join(' '), wanted.join(' '));
  QCOMPARE(found.report.renames, std::int64_t(renames));
  QCOMPARE(found.report.reshapes, std::int64_t(reshapes));
}

void ImportTest::reproducesRecordedOutputs_data() {
  QTest::addColumn<QString>("model");
  for (const char* model : {"mlp", "mlp_dyn", "gpt_bytes", "dlrm_sum"}) QTest::newRow(model) << QString("torch/%1").arg(model);
  for (const char* set : {"torch", "torch-folded"})
    for (const char* model : {"bert_tiny", "gpt2_tiny", "gpt2_tiny_dyn", "transformer_encoder", "transformer_encoder_prenorm_op17"})
      QTest::newRow((std::string(set) + "/" + model).c_str()) << QString("%1/%2").arg(set, model);
}

void ImportTest::reproducesRecordedOutputs() {
  QFETCH(QString, model);
  const auto models = tests::sharedModels();
  if (!models) QSKIP("needs the folder of shared models (MESHWRIGHT_MODELS)");
  std::string folder = *models + "/onnx/" + model.toStdString(), data = folder + "/test_data_set_0";
  ImportOptions options;
  Import open = importModel(folder + "/model.onnx", {});
  TensorFile first = readTensorFile(data + "/input_0.pb");
  for (std::size_t i = 0; i < open.report.symbols.size(); ++i) options.dims[open.report.symbols[i].name] = first.sizes[i];
  double error = tests::worstError(*importModel(folder + "/model.onnx", options).graph, data);
  QVERIFY2(error <= 0, std::to_string(error).c_str());
}

void ImportTest::reproducesShippedModels_data() {
  QTest::addColumn<QString>("model");
  QTest::newRow("mlp_loss") << "mlp_loss";
  QTest::newRow("transformer_encoder") << "transformer_encoder";
}

void ImportTest::reproducesShippedModels() {
  QFETCH(QString, model);
  std::string folder = MESHWRIGHT_SOURCE "/tests/data/onnx/" + model.toStdString();
  Import found = importModel(folder + "/model.onnx", {});
  QVERIFY(found.report.unknown.empty());
  double error = tests::worstError(*found.graph, folder + "/test_data_set_0");
  QVERIFY2(error <= 0, std::to_string(error).c_str());
}

void ImportTest::keepsSymbolsOpen() {
  const auto models = tests::sharedModels();
  if (!models) QSKIP("needs the folder of shared models (MESHWRIGHT_MODELS)");
  Import found = importModel(*models + "/onnx/torch/gpt2_tiny_dyn/model.onnx", {});
  for (const char* open : {"batch", "seq", "seq_kv"}) QCOMPARE(found.graph->size(found.graph->findDim(open).value()), std::int64_t(0));
  QCOMPARE(found.graph->size(found.graph->findDim("positions").value()), std::int64_t(32));
  QVERIFY(found.report.unknown.empty());
}

// What is bound after the import computes the same: ranges and masks follow.
void ImportTest::bindsOpenSymbolsLater() {
  const auto models = tests::sharedModels();
  if (!models) QSKIP("needs the folder of shared models (MESHWRIGHT_MODELS)");
  for (const char* set : {"torch", "torch-folded"}) {
    std::string folder = *models + "/onnx/" + set + "/gpt2_tiny_dyn", data = folder + "/test_data_set_0";
    TensorFile tokens = readTensorFile(data + "/input_0.pb");
    Graph bound = bindDims(*importModel(folder + "/model.onnx", {}).graph, {{"batch", tokens.sizes[0]}, {"seq", tokens.sizes[1]}});
    QCOMPARE(bound.size(bound.findDim("seq_kv").value()), tokens.sizes[1]);
    double error = tests::worstError(bound, data);
    QVERIFY2(error <= 0, std::to_string(error).c_str());
  }
}

void ImportTest::refusesASymbolThatIsNotThere() {
  try {
    importModel(MESHWRIGHT_SOURCE "/tests/data/onnx/mlp_loss/model.onnx", {.dims = {{"batch", 8}}});
    QFAIL("a symbol that the file lacks was taken");
  } catch (const Error& error) {
    QVERIFY2(error.text().find("batch") != std::string::npos, error.text().c_str());
  }
}

void ImportTest::refersToWeightsInTheFile() {
  std::string path = MESHWRIGHT_SOURCE "/samples/models/gpt_bytes.onnx";
  Import found = importModel(path, {});
  const Tensor& weight = (*found.graph)[found.graph->findTensor("h.0.attn.c_attn.weight").value()];
  const auto& source = std::get<FileSource>(weight.source);
  QCOMPARE(source.path, path);
  QCOMPARE(source.bytes, std::int64_t(192 * 64 * 4));
  QCOMPARE(source.fileBytes, std::int64_t(fs::file_size(path)));
  QCOMPARE(source.chunkHashes.size(), std::size_t(1));
  QVERIFY(found.report.repeat.has_value());
  QCOMPARE(found.report.repeat->scope, std::string("h.*"));
  QCOMPARE(found.report.repeat->count, std::int64_t(4));
}

// The exporter stored the head as a transposed copy: with the table it is one weight of 96 x 48.
void ImportTest::tiesAHeadThatIsTheEmbedding() {
  const auto models = tests::sharedModels();
  if (!models) QSKIP("needs the folder of shared models (MESHWRIGHT_MODELS)");
  Import found = importModel(*models + "/onnx/torch-folded/gpt2_tiny/model.onnx", {});
  std::vector<std::vector<OperatorId>> readers = consumers(*found.graph);
  QCOMPARE(readers[found.graph->findTensor("wte.weight")->index()].size(), std::size_t(2));
  QVERIFY(std::any_of(found.report.notes.begin(), found.report.notes.end(), [](const std::string& note) { return note.find("wte.weight") != std::string::npos; }));
}

QTEST_GUILESS_MAIN(ImportTest)
#include "import_test.moc"
