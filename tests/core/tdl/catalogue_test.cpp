// The language against every operator of the catalogue: what is printed parses back, what is read lies inside.
#include <QtTest>

#include "core/base/error.h"
#include "core/ops/op.h"
#include "core/tdl/evaluate.h"
#include "core/tdl/interval.h"
#include "tests/support/expressions.h"
#include "tests/support/graph_values.h"

using namespace core;

namespace {

BoundOperand boundTo(const Graph& graph, TensorId id, const std::string& name) {
  BoundOperand operand{.name = name, .ids = graph[id].shape, .dtype = graph[id].dtype};
  for (DimId dim : graph[id].shape) {
    operand.dims.push_back(graph[dim].name);
    operand.sizes.push_back(graph.size(dim));
  }
  return operand;
}

// Names and dimensions of loops are the operator's choice; what a text cannot say is left out.
Expression unnamed(Expression expression) {
  expression = canonical(expression);
  for (Loop& loop : expression.loops) {
    loop.name.clear();
    loop.dim = {};
  }
  return expression;
}

}  // namespace

class CatalogueTest : public QObject {
  Q_OBJECT
 private slots:
  void everyExpressionPrintsAndParsesBack();
  void everyReadHasAPlace();
};

void CatalogueTest::everyExpressionPrintsAndParsesBack() {
  int seen = 0;
  for (const Op* row : allOps())
    for (const Graph& graph : row->examples())
      for (const Operator& op : graph.operators) {
        if (!findOp(op.kind).expression) continue;
        const Expression made = expressionOf(graph, op);
        const std::string text = print(made, true);
        Bindings bindings;
        for (std::size_t i = 0; i < op.inputs.size(); ++i)
          bindings.operands.push_back(boundTo(graph, op.inputs[i], made.operands[i]));
        for (const ExpressionOutput& output : made.outputs) bindings.dtypes.push_back(output.dtype);
        try {
          const Expression found = tests::express(text, bindings);
          QVERIFY2(unnamed(found) == unnamed(made), (op.kind + ": " + text + "\n" + print(found, true)).c_str());
        } catch (const Error& error) {
          QFAIL((op.kind + ": " + text + "\n" + error.text()).c_str());
        }
        ++seen;
      }
  qInfo("%d expressions", seen);
  QVERIFY(seen > 200);
}

// Operands are held by no more than interval analysis says, the rest is missing: the evaluator's asserts would tell.
void CatalogueTest::everyReadHasAPlace() {
  tests::Random random("catalogue");
  for (const Op* row : allOps())
    for (const Graph& graph : row->examples()) {
      if (!row->expression) continue;
      const std::vector<Array> values = tests::evaluateGraph(graph, tests::randomInputs(random, graph));
      const Operator& op = graph.operators.back();
      const Expression made = expressionOf(graph, op);
      std::vector<ReadArray> reads;
      for (std::size_t i = 0; i < op.inputs.size(); ++i) {
        const Array& whole = values[op.inputs[i].index()];
        ReadArray read{nullptr, DType::f64, whole.sizes, {}, rowMajorStrides(whole.sizes)};
        std::int64_t first = 0;
        const std::vector<Interval> needed =
            operandIntervals(made, static_cast<int>(i), whole.sizes, wholeRanges(made));
        for (std::size_t d = 0; d < needed.size(); ++d) {
          read.held.push_back({needed[d].low, needed[d].high - needed[d].low + 1});
          first += needed[d].low * read.strides[d];
        }
        read.data = whole.values.data() + first;
        reads.push_back(std::move(read));
      }
      Array result = values[op.outputs[0].index()];
      std::vector<Range> held;
      for (std::int64_t size : result.sizes) held.push_back({0, size});
      const WriteArray write{result.values.data(), DType::f64, held, rowMajorStrides(result.sizes)};
      if (op.outputs.size() == 1) evaluate(made, reads, std::span(&write, 1), wholeRanges(made));
    }
}

QTEST_GUILESS_MAIN(CatalogueTest)
#include "catalogue_test.moc"
