#include <QtTest>
#include <cmath>
#include <map>

#include "core/base/random.h"
#include "core/ops/op.h"
#include "core/tdl/element.h"
#include "executor/kernels/evaluate.h"
#include "executor/kernels/kernel.h"

using namespace executor;

class KernelsTest : public QObject {
  Q_OBJECT

 private slots:
  void agreeWithTheEvaluator_data();
  void agreeWithTheEvaluator();
  void haveNoEvaluatorForWhatModelsConsistOf();
};

namespace {

struct Block {
  Held held;
  std::vector<std::byte> bytes;
};

// A block with padding that must not be read: so much more than needed in every dimension, all of it NaN or -1.
Block padded(core::DType dtype, const std::vector<std::int64_t>& sizes, std::int64_t padding = 1) {
  Block block{wholeTensor(dtype, sizes), {}};
  for (std::int64_t& size : block.held.shape) size += padding;
  block.held.strides = rowMajorStrides(block.held.shape);
  block.bytes.assign(static_cast<std::size_t>(block.held.bytes()), std::byte{0xFF});
  return block;
}

template <class F>
void forEach(const Held& held, F f) {
  for (std::int64_t i = 0; i < held.valid(); ++i) {
    std::int64_t rest = i, local = 0;
    for (std::size_t d = held.sizes.size(); d-- > 0;) {
      local += rest % held.sizes[d] * held.strides[d];
      rest /= held.sizes[d];
    }
    f(i, local);
  }
}

void fill(Block& block, const std::string& name, std::int64_t below) {
  const core::RandomKey key = core::randomKey(7, name);
  forEach(block.held, [&](std::int64_t i, std::int64_t local) {
    const auto at = static_cast<std::uint64_t>(i);
    const double number = core::isFloating(block.held.dtype) ? 0.25 + core::uniformAt(key, at) : static_cast<double>(core::integerAt(key, at, static_cast<std::uint64_t>(below)));
    core::storeElement(block.bytes.data(), local, block.held.dtype, number);
  });
}

core::Graph inType(core::Graph graph, core::DType floats) {
  for (core::Tensor& tensor : graph.tensors)
    if (tensor.dtype == core::DType::f32) tensor.dtype = floats;
  for (core::Operator& op : graph.operators)
    for (auto& [name, value] : op.attributes)
      if (auto* text = std::get_if<std::string>(&value); text && *text == "f32") *text = std::string(core::toString(floats));
  return graph;
}

std::vector<Block> run(Kernel& kernel, const KernelRequest& request, const std::vector<Block>& inputs) {
  std::vector<Block> outputs;
  for (const Held& held : request.outputs) outputs.push_back(padded(held.dtype, held.sizes));
  std::vector<const std::byte*> from;
  std::vector<std::byte*> to;
  for (const Block& one : inputs) from.push_back(one.bytes.data());
  for (Block& one : outputs) to.push_back(one.bytes.data());
  kernel.run(from, to, {.seed = 3, .step = 2});
  return outputs;
}

struct Prepared {
  core::Expression expression;
  KernelRequest request;
  std::vector<Block> inputs;
};

void prepare(const core::Graph& graph, const core::Operator& op, Prepared& made, std::int64_t padding = 1) {
  made.expression = core::expressionOf(graph, op);
  made.request = {.expression = &made.expression, .op = op.kind};
  for (const core::Loop& loop : made.expression.loops) made.request.loops.push_back({0, loop.extent});
  for (core::TensorId id : op.inputs) {
    made.inputs.push_back(padded(graph[id].dtype, graph.sizes(id), padding));
    fill(made.inputs.back(), graph[id].name, 2);
    made.request.inputs.push_back(made.inputs.back().held);
  }
  for (core::TensorId id : op.outputs) made.request.outputs.push_back(padded(graph[id].dtype, graph.sizes(id), padding).held);
}

}  // namespace

void KernelsTest::agreeWithTheEvaluator_data() {
  QTest::addColumn<QString>("op");
  QTest::addColumn<QString>("floats");
  for (const core::Op* op : core::allOps()) {
    if (!op->expression || !op->examples) continue;
    for (const char* floats : {"f32", "f64"}) QTest::addRow("%s %s", std::string(op->name).c_str(), floats) << QString::fromStdString(std::string(op->name)) << floats;
  }
}

void KernelsTest::agreeWithTheEvaluator() {
  QFETCH(QString, op);
  QFETCH(QString, floats);
  const core::DType dtype = core::parseDType(floats.toStdString());
  for (const core::Graph& example : core::findOp(op.toStdString()).examples()) {
    const core::Graph graph = inType(example, dtype);
    for (const core::Operator& one : graph.operators) {
      if (one.kind != op.toStdString()) continue;
      for (int threads : {1, 2}) {
        Prepared made;
        prepare(graph, one, made);
        made.request.threads = threads;
        const std::unique_ptr<Kernel> kernel = prepareKernel(made.request), judge = makeEvaluateKernel(made.request);
        const std::vector<Block> found = run(*kernel, made.request, made.inputs), right = run(*judge, made.request, made.inputs);
        QCOMPARE(kernel->flops(), judge->flops());
        for (std::size_t o = 0; o < found.size(); ++o) {
          double largest = 1e-30, error = 0;
          forEach(right[o].held, [&](std::int64_t, std::int64_t local) {
            const double a = core::loadElement(found[o].bytes.data(), local, found[o].held.dtype), b = core::loadElement(right[o].bytes.data(), local, right[o].held.dtype);
            if (std::isfinite(b)) largest = std::max(largest, std::abs(b));
            if (!(a == b || (std::isnan(a) && std::isnan(b)))) error = std::max(error, std::isfinite(b) && std::isfinite(a) ? std::abs(a - b) : 1e30);
          });
          QVERIFY2(error <= (dtype == core::DType::f32 ? 1e-5 : 1e-12) * largest, qPrintable(QString("%1 by %2: %3 of %4").arg(QString::fromStdString(one.name), kernel->name()).arg(error).arg(largest)));
        }
      }
    }
  }
}

// The plain evaluator is a thousand times slower: none of these may fall back on it.
void KernelsTest::haveNoEvaluatorForWhatModelsConsistOf() {
  std::map<std::string, std::string> slow;
  for (const core::Op* op : core::allOps()) {
    if (!op->expression || !op->examples) continue;
    for (const core::Graph& graph : op->examples())
      for (const core::Operator& one : graph.operators) {
        if (one.kind != op->name) continue;
        Prepared made;
        prepare(graph, one, made, 0);
        if (std::string(prepareKernel(made.request)->name()) == "evaluate") slow[std::string(op->name)] = one.name;
      }
  }
  for (const char* name : {"einsum", "add", "multiply", "exp", "tanh", "select", "cast", "reduce", "transpose", "rename", "slice", "split", "merge", "gather", "scatter_add", "iota", "broadcast", "concat", "convolution", "convolution_transpose", "pad", "pool", "unpool", "pool_matches", "max_pool_gradient"})
    QVERIFY2(!slow.count(name), name);
  for (const auto& [op, name] : slow) qInfo("evaluated plainly: %s (%s)", op.c_str(), name.c_str());
}

QTEST_GUILESS_MAIN(KernelsTest)
#include "kernels_test.moc"
