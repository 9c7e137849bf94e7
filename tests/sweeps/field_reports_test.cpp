// What went wrong for people who do this job, each reduced to the smallest input with the right answer. The number and
// the source name the public report.
#include <QtTest>

#include "core/base/error.h"
#include "core/cost/cost.h"
#include "tests/support/job.h"

using namespace core;
using tests::arange;
using tests::blocks;
using tests::bufferOf;
using tests::filled;
using tests::GraphRun;
using tests::Job;
using tests::Sizes;

namespace {

// --- uneven splits and padding ---

void unevenWeight() {
  Job job;
  job.build.output(job.build.times(job.build.parameter("W", "vocab:17 d:16"), 1.0));
  const Program program = job.program("vocab:m", "m:8");
  QCOMPARE(blocks(program, "W", 0), (Sizes{3, 3, 3, 3, 3, 2, 0, 0}));
  QCOMPARE(bufferOf(program, "W").bytes, std::int64_t{192});
}

void unevenVectorOnTwoAxes() {
  Job job;
  job.build.output(job.build.times(job.input("x", "n:5", arange({5})), 1.0));
  const GraphRun done = job.run("n:x", "x:4,y:2");
  QCOMPARE(blocks(done.program, "x", 0), (Sizes{2, 2, 2, 2, 1, 1, 0, 0}));
  QCOMPARE(done.outputs[0], arange({5}));
}

void sevenRowsOnEight() {
  Job job;
  const TensorId x = job.input("x", "batch:7", arange({7}));
  job.build.output(job.build.mean(x, job.build.shape("batch")));
  const GraphRun done = job.run("batch:d", "d:8");
  QCOMPARE(blocks(done.program, "x", 0), (Sizes{1, 1, 1, 1, 1, 1, 1, 0}));
  QCOMPARE(done.outputs[0].values[0], 3.0);
}

void meanOfUnevenRows() {
  for (const auto& [rows, right] : {std::pair<std::int64_t, double>{3, 5.5}, {1, 1.5}}) {
    Job job;
    const TensorId x = job.input("x", "rows:" + std::to_string(rows) + " cols:4", arange({rows, 4}));
    job.build.output(job.build.mean(x, job.build.shape("rows cols")));
    QCOMPARE(job.run("rows:r", "r:2").outputs[0].values[0], right);
  }
}

void gatheredShapeIsTheShape() {
  Job job;
  tests::Random random("gather");
  Array values = tests::normalArray(random, {5, 10});
  for (double& value : values.values) value = static_cast<float>(value);
  const TensorId y = job.build.unary(Function::identity, job.input("x", "rows:5 cols:10", values));
  job.build.output(y);
  Layout layout = Layout::of("rows:m");
  layout.pins.push_back(Pin{job.build.graph()[y].name, {}});
  const GraphRun done = job.run(layout, "m:4");
  QVERIFY(bufferOf(done.program, "x").placement.sharding.dims[0].size() == 1);
  QCOMPARE(done.outputs[0], values);
}

void reshapeMovesBoundaries() {
  for (const char* layout : {"rows:m", "flat:m", "rows:m;flat:m"}) {
    Job job;
    const TensorId x = job.input("x", "rows:6 cols:256", arange({6, 256}));
    job.build.output(job.build.merge(x, job.build.shape("rows cols"), job.build.dim("flat", 1536)));
    QCOMPARE(job.run(layout, "m:4").outputs[0], arange({1536}));
  }
}

void unevenContraction() {
  tests::Random random("contraction");
  Job job;
  const TensorId a = job.input("A", "i:256 k:130", tests::integerArray(random, {256, 130}, -3, 3));
  const TensorId b = job.input("B", "k j:128", tests::integerArray(random, {130, 128}, -3, 3));
  job.build.output(job.build.einsum({a, b}, "i j"));
  const GraphRun whole = job.run("k:c", "r:2,c:4");
  QCOMPARE(blocks(whole.program, "A", 1), (Sizes{33, 33, 33, 31, 33, 33, 33, 31}));
  QCOMPARE(tests::collectives(whole.program), 1);
  QCOMPARE(tests::payload(whole.program, CollectiveKind::allReduce), std::int64_t{256 * 128 * 4});
  QCOMPARE(whole.outputs[0], job.whole());
  const GraphRun half = job.run("i:r;k:c", "r:2,c:4");
  QCOMPARE(tests::payload(half.program, CollectiveKind::allReduce), std::int64_t{128 * 128 * 4});
  QCOMPARE(half.outputs[0], job.whole());
}

void paddingStaysOutOfSoftmax() {
  Job job;
  job.build.output(job.build.times(job.build.parameter("W", "vocab:151552 d:1"), 1.0));
  QCOMPARE(bufferOf(job.program("vocab:m", "m:6"), "W").localShape[0], std::int64_t{25259});

  Job softmax;
  Array logits = filled({151552}, -90);  // a padded 0 would win by far
  logits.values[7] = -80;
  softmax.build.output(
      softmax.build.softmax(softmax.input("x", "vocab:151552", logits), softmax.build.dim("vocab", 151552)));
  const GraphRun done = softmax.run("vocab:m", "m:6");
  QVERIFY(tests::largestDifference(done.outputs[0], softmax.whole()) < 1e-6);
}

void hiddenSizeThatDoesNotDivide() {
  tests::Random random("mlp");
  Job job;
  const TensorId x = job.input("x", "batch:2 d:4", tests::normalArray(random, {2, 4}));
  const TensorId w1 = job.input("W1", "d hidden:768", tests::normalArray(random, {4, 768})),
                 w2 = job.input("W2", "hidden out:3", tests::normalArray(random, {768, 3}));
  job.build.output(
      job.build.einsum({job.build.unary(Function::relu, job.build.einsum({x, w1}, "batch hidden")), w2}, "batch out"));
  const GraphRun done = job.run("hidden:m", "m:5");
  QCOMPARE(blocks(done.program, "W1", 1), (Sizes{154, 154, 154, 154, 152}));
  QCOMPARE(bufferOf(done.program, "W1").localShape[1], std::int64_t{154});
  QVERIFY(tests::largestDifference(done.outputs[0], job.whole()) < 1e-5 * tests::largestSize(job.whole()));
}

// Legal, but said: seven devices get nothing; and 17 rows over 8 devices are padded.
void idleDevicesAreNamed() {
  Job one;
  one.build.output(one.build.times(one.build.input("x", "batch:1 d:4"), 2.0));
  const Analysis idle = one.analysed("batch:dp;batch:fsdp", "dp:1,fsdp:8");
  QVERIFY(!hasErrors(idle.diagnostics) && idle.program);
  QCOMPARE(idle.diagnostics.size(), std::size_t{1});
  QVERIFY(idle.diagnostics[0].severity == Diagnostic::Severity::warning);
  QVERIFY2(idle.diagnostics[0].text().find("7 of 8 devices") != std::string::npos, idle.diagnostics[0].text().c_str());

  Job uneven;
  uneven.build.output(uneven.build.times(uneven.build.input("x", "rows:15 d:4"), 2.0));
  const Analysis padded = uneven.analysed("rows:m", "m:8");
  QCOMPARE(padded.diagnostics.size(), std::size_t{1});
  QVERIFY2(padded.diagnostics[0].text().find("15 'rows' do not divide by 8") != std::string::npos,
           padded.diagnostics[0].text().c_str());
}

// --- wrong numbers with a legal layout ---

void concatCountsNoReplicas() {
  Job job;
  const TensorId a = job.input("a", "first:4", filled({4}, 1)), b = job.input("b", "second:12", filled({12}, 1));
  job.build.output(job.build.concat({a, b}, job.build.shape("first second"), job.build.dim("joined", 16)));
  for (const char* layout : {"first:data;second:data;joined:data", "first:data;second:data", "joined:data"})
    QCOMPARE(job.run(layout, "data:4,model:2").outputs[0], filled({16}, 1));
}

void softmaxOverASplitAxis() {
  const std::vector<double> right{0.000577, 0.001567, 0.004261, 0.011582, 0.031482, 0.085577, 0.232622, 0.632333};
  for (double shift : {0.0, 1000.0, -1000.0}) {
    Job job;
    Array x = arange({8});
    for (double& value : x.values) value += 1 + shift;
    job.build.output(job.build.softmax(job.input("x", "n:8", x), job.build.dim("n", 8)));
    const GraphRun done = job.run("n:m", "m:4");
    for (std::size_t i = 0; i < right.size(); ++i) QVERIFY(std::abs(done.outputs[0].values[i] - right[i]) < 5e-6);
  }
}

void contractionInTwoOrdersOfAxes() {
  Job job;
  const TensorId a = job.input("A", "i:4 k:4", arange({4, 4})), b = job.input("B", "k j:4", arange({4, 4}));
  job.build.output(job.build.einsum({a, b}, "i j"));
  Layout layout;
  layout.pins = {Pin{"A", {{"k", {"x", "y"}}}}, Pin{"B", {{"k", {"y", "x"}}}}};
  const Array right{{4, 4}, {56, 62, 68, 74, 152, 174, 196, 218, 248, 286, 324, 362, 344, 398, 452, 506}};
  QCOMPARE(job.run(layout, "x:2,y:2").outputs[0], right);
}

void oneAllReduceForTwoMatmuls() {
  for (const char* mesh : {"m:8", "m:4"}) {
    Job job;
    const TensorId x = job.input("x", "b:4 in:2", filled({4, 2}, 1)),
                   w1 = job.input("W1", "in hidden:32", filled({2, 32}, 1)),
                   w2 = job.input("W2", "hidden out:8", filled({32, 8}, 1));
    job.build.output(job.build.einsum({job.build.einsum({x, w1}, "b hidden"), w2}, "b out"));
    const GraphRun done = job.run("hidden:m", mesh);
    QCOMPARE(done.outputs[0], filled({4, 8}, 64));
    QCOMPARE(tests::collectives(done.program), 1);
    QCOMPARE(tests::payload(done.program, CollectiveKind::allReduce), std::int64_t{128});
  }
}

void dotProductToAScalar() {
  Job job;
  const TensorId a = job.input("a", "f:8", filled({8}, 1)), b = job.input("b", "f", filled({8}, 1));
  job.build.output(job.build.einsum({a, b}, ""));
  const GraphRun done = job.run("f:X", "X:2,Y:2");
  QCOMPARE(done.outputs[0].values[0], 8.0);
  QCOMPARE(tests::collectives(done.program), 1);
  QCOMPARE(tests::payload(done.program, CollectiveKind::allReduce), std::int64_t{4});
}

// --- needless or surprising communication ---

void partialSumsWait() {
  Job job;
  const TensorId x = job.input("x", "a:8 b:16", arange({8, 16})), x2 = job.input("x2", "a b", arange({8, 16}));
  const TensorId y = job.build.sum(x, job.build.shape("a"));
  job.build.output(job.build.plus(job.build.times(y, 3.0), job.build.sum(x2, job.build.shape("a"))));
  const GraphRun done = job.run("a:m", "m:4");
  QCOMPARE(tests::collectives(done.program), 1);
  QCOMPARE(tests::payload(done.program, CollectiveKind::allReduce), std::int64_t{64});
  QCOMPARE(done.outputs[0], job.whole());

  Job relu;
  const TensorId z = relu.input("x", "a:8 b:16", arange({8, 16}));
  relu.build.output(relu.build.unary(Function::relu, relu.build.sum(z, relu.build.shape("a"))));
  const GraphRun before = relu.run("a:m", "m:4");
  QCOMPARE(tests::payload(before.program, CollectiveKind::allReduce), std::int64_t{64});
  QCOMPARE(before.outputs[0], relu.whole());
}

void embeddingMovesNothingOverData() {
  tests::Random random("embedding");
  Job job;
  const TensorId table = job.input("W", "vocab:10 d:6", tests::normalArray(random, {10, 6}));
  job.inputs["ids"] = tests::integerArray(random, {8}, 0, 9);
  const TensorId ids = job.build.input("ids", "batch:8", DType::i64);
  job.build.output(job.build.gather(table, job.build.dim("vocab", 10), ids));
  const GraphRun done = job.run("vocab:t;batch:d", "t:4,d:2");
  QCOMPARE(tests::collectives(done.program), 1);
  QCOMPARE(tests::payload(done.program, CollectiveKind::allReduce), std::int64_t{8 / 2 * 6 * 4});
  for (const Instruction& one : done.program.instructions)
    if (one.kind == InstructionKind::start) QCOMPARE(one.collective.axes, (AxisList{AxisId{0}}));
}

// --- memory, meshes, broadcasting, great sizes ---

void vocabularyOfGpt2() {
  Job job;
  job.build.output(job.build.times(job.build.parameter("wte", "vocab:50257 d:768"), 1.0));
  const Program program = job.program("vocab:m", "m:8");
  QCOMPARE(bufferOf(program, "wte").localShape[0], std::int64_t{6283});
}

// 16 of weights over 4 devices, 5 of activations on each: a device needs 9, not 21 - 16 and not 21.
void memoryIsPerDevice() {
  Job job;
  const TensorId w = job.build.parameter("W", "n:4096 k:1024"), x = job.build.input("x", "k");
  job.build.output(job.build.einsum({w, x}, "n"));
  const Program program = job.program("n:m", "m:4");
  const Cost cost = estimate(program, nullptr);
  QCOMPARE(cost.devices.size(), std::size_t{1});
  QCOMPARE(cost.devices[0].devices, std::int64_t{4});
  QCOMPARE(cost.devices[0].peak.bytes[static_cast<std::size_t>(MemoryClass::parameters)],
           std::int64_t{4096 * 1024 * 4 / 4});
  QCOMPARE(cost.devices[0].peak.bytes[static_cast<std::size_t>(MemoryClass::inputs)], std::int64_t{1024 * 4});
}

// Two heads of keys for eight of queries: along the group the keys stay whole on every device.
void groupedHeadsKeepKeysWhole() {
  tests::Random random("grouped");
  Job job;
  const TensorId q = job.input("q", "kv_heads:2 group:4 s:3 head_dim:5", tests::normalArray(random, {2, 4, 3, 5}));
  const TensorId k = job.input("k", "kv_heads t:3 head_dim", tests::normalArray(random, {2, 3, 5}));
  job.build.output(job.build.einsum({q, k}, "kv_heads group s t"));
  const GraphRun group = job.run("group:m", "m:4");
  QVERIFY(bufferOf(group.program, "k").placement.sharding.isReplicated());
  QCOMPARE(tests::collectives(group.program), 0);
  const GraphRun pairs = job.run("kv_heads:a;group:b", "a:2,b:2");
  QCOMPARE(blocks(pairs.program, "k", 0), (Sizes{1, 1, 1, 1}));
  QCOMPARE(tests::collectives(pairs.program), 0);
  for (const GraphRun* done : {&group, &pairs}) QVERIFY(tests::largestDifference(done->outputs[0], job.whole()) < 1e-5);
}

void aMeshHasTheProductOfItsAxes() {
  QCOMPARE(Mesh::of("rows:2,cols:2").devices(), std::int64_t{4});
  QCOMPARE(Mesh::of("rows:4,cols:2").devices(), std::int64_t{8});
}

void broadcastAxesAreNotTied() {
  tests::Random random("mask");
  Job job;
  const TensorId scores = job.input("scores", "b:2 heads:4 q:3 k:3", tests::normalArray(random, {2, 4, 3, 3}));
  const TensorId mask = job.input("mask", "q k", tests::normalArray(random, {3, 3}));
  job.build.output(job.build.plus(scores, mask));
  const GraphRun done = job.run("heads:m", "m:2");
  QVERIFY(bufferOf(done.program, "mask").placement.sharding.isReplicated());
  QCOMPARE(tests::collectives(done.program), 0);
}

void messagesAboveTwoGibibytes() {
  Job job;
  const TensorId a = job.build.input("a", "i:65536 k:2"), b = job.build.input("b", "k j:65536");
  job.build.output(job.build.einsum({a, b}, "i j"));
  const Program program = job.program("k:m", "m:2");
  QCOMPARE(tests::payload(program, CollectiveKind::allReduce), std::int64_t{17'179'869'184});
  QCOMPARE(estimate(program, nullptr).devices[0].bytesIn,
           std::int64_t{17'179'869'184 + 8});  // and the control instruction
}

struct Report {
  const char* name;
  void (*check)();
};

constexpr Report reports[] = {
    {"1 jax#26946: 17 rows over 8", unevenWeight},
    {"2 jax#27808: 5 over 4, held twice", unevenVectorOnTwoAxes},
    {"3 jax#15788: 7 rows over 8", sevenRowsOnEight},
    {"4 pytorch#162692: mean of uneven rows", meanOfUnevenRows},
    {"5 pytorch#103306: split, then gathered", gatheredShapeIsTheShape},
    {"9 pytorch#143372: reshape of uneven rows", reshapeMovesBoundaries},
    {"11 tt-metal#22977: contraction of 130 over 4", unevenContraction},
    {"12 vllm#31474: vocabulary of 151552 over 6", paddingStaysOutOfSoftmax},
    {"13 levanter#429: hidden of 768 over 5", hiddenSizeThatDoesNotDivide},
    {"14 LWM#39: a batch of 1 over 8", idleDevicesAreNamed},
    {"17 jax#24576: concat beside an unused axis", concatCountsNoReplicas},
    {"21 tt-xla#6075: softmax over a split axis", softmaxOverASplitAxis},
    {"22 pytorch#166598: two orders of axes", contractionInTwoOrdersOfAxes},
    {"23 xla#5279: one all-reduce over all", oneAllReduceForTwoMatmuls},
    {"25 jax#31931: dot product to a scalar", dotProductToAScalar},
    {"29 jax#31889: partial sums wait", partialSumsWait},
    {"30 sglang-jax#1083: embedding, nothing over data", embeddingMovesNothingOverData},
    {"33 transformers#14960: vocabulary of 50257 over 8", vocabularyOfGpt2},
    {"36 modular#6268: memory is per device", memoryIsPerDevice},
    {"38 transformers#48307: grouped heads", groupedHeadsKeepKeysWhole},
    {"39 mesh#19: devices are the product", aMeshHasTheProductOfItsAxes},
    {"42 onnxruntime#9017: broadcast axes", broadcastAxesAreNotTied},
    {"55 plato#26: messages above 2 GiB", messagesAboveTwoGibibytes},
};

}  // namespace

class FieldReportsTest : public QObject {
  Q_OBJECT
 private slots:
  void isRight_data();
  void isRight();
  void cleanupTestCase() { qInfo("%d field reports", checked_); }

 private:
  int checked_ = 0;
};

void FieldReportsTest::isRight_data() {
  QTest::addColumn<int>("row");
  for (int i = 0; i < static_cast<int>(std::size(reports)); ++i) QTest::newRow(reports[i].name) << i;
}

void FieldReportsTest::isRight() {
  QFETCH(int, row);
  try {
    reports[row].check();
  } catch (const Error& error) {
    QFAIL(error.text().c_str());
  }
  ++checked_;
}

QTEST_GUILESS_MAIN(FieldReportsTest)
#include "field_reports_test.moc"
