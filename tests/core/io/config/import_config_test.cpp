#include "core/io/config/import_config.h"

#include <QtTest>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/io/config/family.h"
#include "core/io/file.h"
#include "core/ops/check.h"
#include "core/plan/analyze.h"

using namespace core;
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

const fs::path configs = fs::path(MESHWRIGHT_SOURCE) / "tests/data/config";

std::string published(const QString& name) { return (configs / "published" / (name.toStdString() + ".config.json")).string(); }
std::string recorded(const QString& family) { return (configs / "recorded" / family.toStdString() / "config.json").string(); }

Import imported(const std::string& path, const ImportOptions& options = {}) { return importConfig(readText(path), path, options); }

// What the file says once `changes` are in it; a null takes a key out.
QString refusal(const QString& family, const QString& changes, const ImportOptions& options = {}) {
  Json config = Json::parse(readText(recorded(family)));
  config.merge_patch(Json::parse(changes.toStdString()));
  try {
    importConfig(config.dump(), "config.json", options);
  } catch (const Error& error) {
    return QString::fromStdString(error.text());
  }
  return QStringLiteral("accepted");
}

// Bytes that the process has in memory.
std::int64_t resident() {
  std::ifstream file("/proc/self/statm");
  std::int64_t all = 0, held = 0;
  file >> all >> held;
  return held * 4096;
}

int repeats(const Program& program) {
  return static_cast<int>(std::count_if(program.instructions.begin(), program.instructions.end(), [](const Instruction& one) { return one.kind == InstructionKind::repeat; }));
}

}  // namespace

class ImportConfigTest : public QObject {
  Q_OBJECT
 private slots:
  void countsTheParametersOfPublishedModels_data();
  void countsTheParametersOfPublishedModels();
  void opensSeventyBillionsWithoutTheirWeights();
  void readsEveryFamilyOfTheTable();
  void givesLayersTheSameNames_data();
  void givesLayersTheSameNames();
  void takesSizesThatStandOpen();
  void meansKeyHeadsByHeads();
  void honoursKeys_data();
  void honoursKeys();
  void drawsInitialWeightsAsAsked();
  void saysWhatItDoesNotKnow();
  void refuses_data();
  void refuses();
  void refusesEveryCut();
};

void ImportConfigTest::countsTheParametersOfPublishedModels_data() {
  QTest::addColumn<qint64>("parameters");
  QTest::newRow("Qwen--Qwen3-0.6B") << qint64{596'049'920};
  QTest::newRow("Qwen--Qwen3-8B") << qint64{8'190'735'360};
  QTest::newRow("Qwen--Qwen3-32B") << qint64{32'762'123'264};
  QTest::newRow("Qwen--Qwen3-30B-A3B") << qint64{30'532'122'624};
  QTest::newRow("bert-base-vocab50265") << qint64{124'696'665};
  QTest::newRow("google-bert--bert-base-uncased") << qint64{109'482'240};
  QTest::newRow("deepseek-ai--DeepSeek-V3") << qint64{671'026'419'200};
  QTest::newRow("openai-community--gpt2") << qint64{124'439'808};
  QTest::newRow("gpt2-large") << qint64{774'030'080};
  QTest::newRow("meta-llama--Meta-Llama-3.1-8B") << qint64{8'030'261'248};
  QTest::newRow("meta-llama--Meta-Llama-3.1-70B") << qint64{70'553'706'496};
  QTest::newRow("mistralai--Mistral-7B-v0.1") << qint64{7'241'732'096};
  QTest::newRow("mistralai--Mixtral-8x7B-v0.1") << qint64{46'702'792'704};
  QTest::newRow("openai--gpt-oss-20b") << qint64{20'914'757'184};
  QTest::newRow("google-t5--t5-small") << qint64{60'506'624};
  QTest::newRow("google--flan-t5-small") << qint64{76'961'152};
  QTest::newRow("google--vit-base-patch16-224") << qint64{86'567'656};
}

void ImportConfigTest::countsTheParametersOfPublishedModels() {
  QFETCH(qint64, parameters);
  const Import found = imported(published(QTest::currentDataTag()));
  QCOMPARE(found.report.parameters, parameters);
  QCOMPARE(found.graph->parameterCount(), parameters);
  QVERIFY(found.report.unknown.empty());
  const std::vector<Diagnostic> wrong = checkOperators(*found.graph);
  QVERIFY2(wrong.empty(), wrong.empty() ? "" : wrong[0].text().c_str());
}

void ImportConfigTest::opensSeventyBillionsWithoutTheirWeights() {
  const std::int64_t before = resident();
  const std::clock_t start = std::clock();
  const Import found = imported(published("meta-llama--Meta-Llama-3.1-70B"));
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  QCOMPARE(found.graph->parameterCount(), 70'553'706'496);
  QVERIFY2(seconds < 1, qPrintable(QStringLiteral("%1 s").arg(seconds)));
  QVERIFY2(resident() - before < 100 << 20, qPrintable(QStringLiteral("%1 bytes").arg(resident() - before)));
}

// Each row of the table has a small model beside it, which is evaluated in recorded_configs_test.
void ImportConfigTest::readsEveryFamilyOfTheTable() {
  for (const ConfigFamily& family : configFamilies()) {
    const Import found = imported(recorded(QString::fromUtf8(family.name.data(), static_cast<int>(family.name.size()))));
    QVERIFY(!found.graph->outputs.empty());
    QVERIFY(!family.summary.empty());
  }
}

void ImportConfigTest::givesLayersTheSameNames_data() {
  QTest::addColumn<int>("passes");  // forward, backward, optimizer
  for (const char* family : {"gpt2", "bert", "vit", "llama", "mistral", "qwen3", "mixtral", "gpt_oss"}) QTest::newRow(family) << 3;
  QTest::newRow("deepseek_v3") << 3;
}

// Equal layers become a repeat in each pass, and no operator is named by its kind alone.
void ImportConfigTest::givesLayersTheSameNames() {
  QFETCH(int, passes);
  auto plan = std::make_shared<Plan>();
  plan->graph = imported(recorded(QTest::currentDataTag()), {.dims = {{"batch", 4}}}).graph;
  const std::set<std::string> whole{"logits", "pooled", "mask", "embedded"};
  for (const Operator& op : plan->graph->operators)
    QVERIFY2(op.name.find('/') != std::string::npos || whole.contains(op.name), op.name.c_str());
  Variant variant{.name = "A", .mesh = Mesh::of("data:2,model:2"), .layout = Layout::of("batch:data;heads:model")};
  variant.step.training = true;
  plan->variants.push_back(variant);
  const Analysis analysis = analyze(plan, 0);
  QVERIFY2(analysis.program, analysis.diagnostics.empty() ? "" : analysis.diagnostics[0].text().c_str());
  QCOMPARE(repeats(*analysis.program), passes);
}

void ImportConfigTest::takesSizesThatStandOpen() {
  const Graph graph = *imported(recorded("llama"), {.dims = {{"batch", 3}, {"seq", 17}}}).graph;
  QCOMPARE(graph.size(*graph.findDim("batch")), 3);
  QCOMPARE(graph.size(*graph.findDim("seq")), 17);
  QCOMPARE(graph.size(*graph.findDim("seq_kv")), 17);
  const QString wrong = refusal("llama", "{}", {.dims = {{"heads", 8}}});
  QVERIFY2(wrong.contains("\"heads\"") && wrong.contains("batch, seq"), qPrintable(wrong));
  const QString tooLong = refusal("llama", "{}", {.dims = {{"seq", 65}}});
  QVERIFY2(tooLong.contains("1 to 64"), qPrintable(tooLong));
}

void ImportConfigTest::meansKeyHeadsByHeads() {
  const Graph graph = *imported(published("meta-llama--Meta-Llama-3.1-8B")).graph;
  QCOMPARE(graph.aliases.at("heads"), std::string("kv_heads"));
  QCOMPARE(graph.size(*graph.findDim("kv_heads")), 8);
  QCOMPARE(graph.size(*graph.findDim("group")), 4);
  QCOMPARE(graph.sizes(*graph.findTensor("layers.31.self_attn.k_proj.weight")), (std::vector<std::int64_t>{4096, 8, 128}));
}

// A key with another value is another model: it has other parameters, or another function.
void ImportConfigTest::honoursKeys_data() {
  QTest::addColumn<QString>("family");
  QTest::addColumn<QString>("changes");
  const auto row = [](const char* family, const char* changes) { QTest::addRow("%s %s", family, changes) << QString(family) << QString(changes); };
  row("llama", R"({"attention_bias": false})");
  row("llama", R"({"mlp_bias": false})");
  row("llama", R"({"tie_word_embeddings": true})");
  row("llama", R"({"head_dim": 8})");
  row("llama", R"({"num_key_value_heads": 1})");
  row("llama", R"({"num_key_value_heads": 4})");
  row("llama", R"({"hidden_act": "gelu_new"})");
  row("llama", R"({"rms_norm_eps": 0.01})");
  row("llama", R"({"rope_theta": 500000})");
  row("llama", R"({"rope_scaling": null})");
  row("llama", R"({"rope_scaling": {"rope_type": "linear", "low_freq_factor": null, "high_freq_factor": null, "original_max_position_embeddings": null}})");
  row("llama", R"({"attention_dropout": 0.1})");
  row("mistral", R"({"sliding_window": null})");
  row("mistral", R"({"sliding_window": 5})");
  row("qwen3", R"({"use_sliding_window": true, "sliding_window": 4, "max_window_layers": 2})");
  row("mixtral", R"({"num_experts_per_tok": 3})");
  row("qwen3_moe", R"({"norm_topk_prob": false})");
  row("qwen3_moe", R"({"decoder_sparse_step": 1})");
  row("qwen3_moe", R"({"mlp_only_layers": []})");
  row("deepseek_v3", R"({"q_lora_rank": null})");
  row("deepseek_v3", R"({"n_shared_experts": null})");
  row("deepseek_v3", R"({"topk_group": 1})");
  row("deepseek_v3", R"({"n_group": 1, "topk_group": 1})");
  row("deepseek_v3", R"({"routed_scaling_factor": 1})");
  row("deepseek_v3", R"({"rope_interleave": false})");
  row("deepseek_v3", R"({"rope_scaling": {"mscale_all_dim": 1.0}})");
  row("gpt_oss", R"({"swiglu_limit": 7})");
  row("gpt_oss", R"({"layer_types": ["full_attention", "full_attention", "full_attention", "full_attention", "full_attention"]})");
  row("gpt_oss", R"({"rope_scaling": {"truncate": true}})");
  row("gpt2", R"({"n_inner": 48})");
  row("gpt2", R"({"activation_function": "relu"})");
  row("gpt2", R"({"tie_word_embeddings": false})");
  row("gpt2", R"({"resid_pdrop": 0})");
  row("bert", R"({"architectures": ["BertModel"]})");
  row("bert", R"({"layer_norm_eps": 0.001})");
  row("t5", R"({"feed_forward_proj": "gated-gelu"})");
  row("t5", R"({"num_decoder_layers": 3})");
  row("vit", R"({"qkv_bias": false})");
  row("vit", R"({"patch_size": 6})");
  row("vit", R"({"image_size": [12, 16]})");
}

void ImportConfigTest::honoursKeys() {
  QFETCH(QString, family);
  QFETCH(QString, changes);
  const std::string text = readText(recorded(family));
  Json config = Json::parse(text);
  config.merge_patch(Json::parse(changes.toStdString()));
  const Graph before = *importConfig(text, "config.json", {}).graph;
  const Graph after = *importConfig(config.dump(), "config.json", {}).graph;
  QVERIFY(!(before == after));
}

void ImportConfigTest::drawsInitialWeightsAsAsked() {
  const Graph graph = *imported(recorded("llama")).graph;
  const auto spread = [&](const char* name) { return std::get<Initializer>(graph[*graph.findTensor(name)].source); };
  QCOMPARE(spread("layers.0.mlp.up_proj.weight"), (Initializer{Initializer::Kind::normal, 0, 0.2}));
  QCOMPARE(spread("layers.0.input_layernorm.weight"), (Initializer{Initializer::Kind::constant, 1, 0}));
}

void ImportConfigTest::saysWhatItDoesNotKnow() {
  Json config = Json::parse(readText(recorded("llama")));
  config["a_new_idea"] = 3;
  const ImportReport report = importConfig(config.dump(), "config.json", {}).report;
  QVERIFY(std::any_of(report.notes.begin(), report.notes.end(), [](const std::string& note) { return note.find("a_new_idea") != std::string::npos; }));
}

void ImportConfigTest::refuses_data() {
  QTest::addColumn<QString>("family");
  QTest::addColumn<QString>("changes");
  QTest::addColumn<QStringList>("says");
  const auto row = [](const char* family, const char* changes, const QStringList& says) { QTest::addRow("%s %s", family, changes) << QString(family) << QString(changes) << says; };
  row("llama", R"({"model_type": "lama"})", {"/model_type", "\"lama\"", "nearest known one is \"llama\"", "deepseek_v3"});
  row("llama", R"({"model_type": null})", {"model_type"});
  row("llama", R"({"model_type": 3})", {"/model_type", "instead of a text"});
  row("llama", R"({"architectures": ["LlamaForSequenceClassification"]})", {"/architectures", "LlamaForCausalLM"});
  row("llama", R"({"hidden_size": 0})", {"/hidden_size", "0 is out of range"});
  row("llama", R"({"hidden_size": -16})", {"/hidden_size"});
  row("llama", R"({"hidden_size": 16.5})", {"/hidden_size", "whole number"});
  row("llama", R"({"hidden_size": "16"})", {"/hidden_size", "whole number"});
  row("llama", R"({"hidden_size": 99999999999999})", {"/hidden_size", "out of range"});
  row("bert", R"({"hidden_size": 2147483648})", {"config.json: encoder", "64 bits"});
  row("llama", R"({"hidden_size": null})", {"\"hidden_size\" is missing"});
  row("llama", R"({"num_hidden_layers": 1000000000})", {"/num_hidden_layers", "10000"});
  row("llama", R"({"num_key_value_heads": 3})", {"/num_key_value_heads", "does not divide num_attention_heads = 4"});
  row("llama", R"({"num_attention_heads": 3, "num_key_value_heads": 3, "head_dim": null})", {"/num_attention_heads", "does not divide hidden_size = 16"});
  row("llama", R"({"head_dim": 5})", {"/head_dim", "even"});
  row("llama", R"({"num_key_value_head": 2, "num_key_value_heads": null})", {"unknown key \"num_key_value_head\"", "num_key_value_heads"});
  row("llama", R"({"hidden_act": "quick_gelu"})", {"/hidden_act", "quick_gelu"});
  row("llama", R"({"rms_norm_eps": 0})", {"/rms_norm_eps", "above 0"});
  row("llama", R"({"tie_word_embeddings": 1})", {"/tie_word_embeddings", "true or false"});
  row("llama", R"({"attention_dropout": 1})", {"/attention_dropout"});
  row("llama", R"({"partial_rotary_factor": 0.5})", {"/partial_rotary_factor"});
  row("llama", R"({"rope_scaling": {"rope_type": "dynamic"}})", {"/rope_scaling/rope_type", "dynamic", "llama3"});
  row("llama", R"({"rope_scaling": {"low_freq_factor": 4}})", {"/rope_scaling/high_freq_factor"});
  row("llama", R"({"rope_scaling": {"factor": null}})", {"/rope_scaling", "\"factor\" is missing"});
  row("llama", R"({"rope_scaling": 8})", {"/rope_scaling", "object"});
  row("llama", R"({"rope_scaling": {"beta_fast": 8}})", {"/rope_scaling", "beta_fast"});
  row("llama", R"({"rope_parameters": {"rope_type": "default"}})", {"/rope_parameters"});
  row("llama", R"({"pruned_heads": {"1": [0]}})", {"/pruned_heads"});
  row("qwen3", R"({"use_sliding_window": true, "layer_types": ["full_attention"]})", {"/layer_types", "5 layers"});
  row("gpt_oss", R"({"layer_types": ["full_attention", "full_attention", "full_attention", "full_attention", "chunked"]})", {"/layer_types/4", "chunked"});
  row("gpt_oss", R"({"rope_scaling": {"factor": 8}})", {"/rope_scaling/factor", "4"});
  row("mixtral", R"({"num_experts_per_tok": 7})", {"/num_experts_per_tok", "7 of 6"});
  row("mixtral", R"({"output_router_logits": true})", {"/output_router_logits"});
  row("qwen3_moe", R"({"mlp_only_layers": [5]})", {"/mlp_only_layers/0"});
  row("deepseek_v3", R"({"n_group": 3})", {"/n_group", "does not divide n_routed_experts = 8"});
  row("deepseek_v3", R"({"scoring_func": "softmax"})", {"/scoring_func", "\"sigmoid\""});
  row("deepseek_v3", R"({"topk_method": "greedy"})", {"/topk_method", "noaux_tc"});
  row("gpt2", R"({"n_head": 5})", {"/n_head", "does not divide n_embd = 16"});
  row("gpt2", R"({"scale_attn_by_inverse_layer_idx": true})", {"/scale_attn_by_inverse_layer_idx", "false"});
  row("bert", R"({"position_embedding_type": "relative_key"})", {"/position_embedding_type", "\"absolute\""});
  row("bert", R"({"is_decoder": true})", {"/is_decoder", "false"});
  row("t5", R"({"feed_forward_proj": "gated-nothing"})", {"/feed_forward_proj", "nothing"});
  row("t5", R"({"relative_attention_num_buckets": 6})", {"/relative_attention_num_buckets"});
  row("t5", R"({"relative_attention_max_distance": 4})", {"/relative_attention_max_distance"});
  row("vit", R"({"patch_size": 5})", {"/patch_size", "does not divide image_size = 12"});
  row("vit", R"({"image_size": [1, 2, 3]})", {"/image_size"});
  row("vit", R"({"id2label": {"0": null, "1": null, "2": null, "3": null}})", {"/id2label"});
}

void ImportConfigTest::refuses() {
  QFETCH(QString, family);
  QFETCH(QString, changes);
  QFETCH(QStringList, says);
  const QString text = refusal(family, changes);
  QVERIFY2(text.contains("config.json"), qPrintable(text));
  for (const QString& one : says) QVERIFY2(text.contains(one), qPrintable(text));
}

void ImportConfigTest::refusesEveryCut() {
  const std::string text = readText(recorded("deepseek_v3"));
  for (std::size_t length = 0; length + 2 < text.size(); ++length)
    QVERIFY_THROWS_EXCEPTION(Error, importConfig(text.substr(0, length), "config.json", {}));
  for (const char* other : {"[]", "3", "null", "{}", "\"llama\"", R"({"format": "meshwright.plan/1", "name": "a"})"})
    QVERIFY_THROWS_EXCEPTION(Error, importConfig(other, "config.json", {}));
}

QTEST_GUILESS_MAIN(ImportConfigTest)
#include "import_config_test.moc"
