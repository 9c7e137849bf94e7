#include "core/tdl/evaluate.h"

#include <QtTest>
#include <cmath>

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/tdl/element.h"
#include "core/tdl/reduction.h"
#include "tests/support/expressions.h"

using namespace core;
using tests::express;

namespace {

using Values = std::vector<double>;

Values valuesOf(const char* text, std::vector<BoundOperand> operands, const std::vector<Values>& values) {
  std::vector<Array> arrays;
  for (std::size_t i = 0; i < operands.size(); ++i) arrays.push_back({operands[i].sizes, values[i]});
  return evaluate(express(text, std::move(operands)), arrays)[0].values;
}

const BoundOperand v{"v", {"d"}, {6}};
const Values counted{0, 1, 2, 3, 4, 5};

// The region [start, start+size) of every axis, in an array with room for more (as padded buffers have).
struct Part {
  std::vector<Range> held;
  std::vector<std::int64_t> strides;
  std::vector<float> data;
};

Part partOf(const Array& whole, const std::vector<Range>& held, std::int64_t padding) {
  Part part{held, {}, {}};
  std::vector<std::int64_t> shape;
  for (const Range& range : held) shape.push_back(range.size + padding);
  part.strides = rowMajorStrides(shape);
  part.data.assign(static_cast<std::size_t>(tests::elementsOf(shape)), std::nanf(""));
  const std::vector<std::int64_t> strides = rowMajorStrides(whole.sizes);
  for (std::int64_t i = held[0].start; i < held[0].end(); ++i)
    for (std::int64_t j = held[1].start; j < held[1].end(); ++j)
      part.data[static_cast<std::size_t>((i - held[0].start) * part.strides[0] + (j - held[1].start))] =
          static_cast<float>(whole.values[static_cast<std::size_t>(i * strides[0] + j)]);
  return part;
}

ReadArray reading(const Part& part, const Array& whole) {
  return {part.data.data(), DType::f32, whole.sizes, part.held, part.strides};
}

}  // namespace

class EvaluateTest : public QObject {
  Q_OBJECT
 private slots:
  void matmul();
  void affineIndicesQuotientsAndRemainders();
  void outsideTheOperandCountsWhatElseSays();
  void theBranchNotTakenIsNotLookedAt();
  void lookups();
  void aRowThatTheTableLacksIsRefused();
  void scatterAndMask();
  void convolution();
  void nestedReductions();
  void castsRound();
  void outputsAreRoundedToTheirType();
  void randomNumbersDependOnTheGlobalIndexAlone();
  void partsOfAMatmulMakeTheWhole();
  void splitLookupsAddUp();
  void everyPartOfARandomExpressionEqualsTheWhole();
};

void EvaluateTest::matmul() {
  const BoundOperand a{"a", {"m", "k"}, {2, 3}}, b{"b", {"k", "n"}, {3, 2}};
  QCOMPARE(valuesOf("y[i,j] = sum(k) a[i,k] * b[k,j]", {a, b}, {{1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6}}),
           (Values{22, 28, 49, 64}));
}

void EvaluateTest::affineIndicesQuotientsAndRemainders() {
  QCOMPARE(valuesOf("y[a:2,b:3] = v[a*3 + b]", {v}, {counted}), counted);
  QCOMPARE(valuesOf("y[i:3] = v[5 - 2*i]", {v}, {counted}), (Values{5, 3, 1}));
  const BoundOperand m{"m", {"a", "b"}, {2, 3}};
  QCOMPARE(valuesOf("y[d:6] = m[d / 3, d % 3]", {m}, {counted}), counted);
  QCOMPARE(valuesOf("y[d:4] = v[(d+2) / 2 % 2]", {v}, {counted}), (Values{1, 1, 0, 0}));
}

void EvaluateTest::outsideTheOperandCountsWhatElseSays() {
  QCOMPARE(valuesOf("y[i:9] = (v[i-2] else -1)", {v}, {counted}), (Values{-1, -1, 0, 1, 2, 3, 4, 5, -1}));
  QCOMPARE(valuesOf("y[i:3] = (v[(i-1) / 2] else 9)", {v}, {counted}),
           (Values{9, 0, 0}));  // -1/2 is -1, towards minus infinity
  QCOMPARE(valuesOf("y[i:4] = (v[i+4] else v[i])", {v}, {counted}), (Values{4, 5, 2, 3}));
}

void EvaluateTest::theBranchNotTakenIsNotLookedAt() {
  const BoundOperand w{"w", {"e"}, {2}};
  QCOMPARE(valuesOf("y[i:8] = select(i < 6, v[i], w[i-6])", {v, w}, {counted, {7, 8}}),
           (Values{0, 1, 2, 3, 4, 5, 7, 8}));
}

void EvaluateTest::lookups() {
  const BoundOperand table{"table", {"vocab", "d"}, {3, 2}}, ids{"ids", {"batch"}, {4}};
  const Values rows{0, 1, 10, 11, 20, 21};
  QCOMPARE(valuesOf("y[*b,d] = table[ids[*b], d]", {table, ids}, {rows, {2, 0, 0, 1}}),
           (Values{20, 21, 0, 1, 0, 1, 10, 11}));
  QCOMPARE(valuesOf("y[b] = (table[ids[b], 1] else -5)", {table, ids}, {rows, {2, 3, -1, 1}}),
           (Values{21, -5, -5, 11}));
  QCOMPARE(valuesOf("y[b] = table[ids[b] / 2, 0]", {table, ids}, {rows, {5, 3, 1, 4}}), (Values{20, 10, 0, 20}));
}

void EvaluateTest::aRowThatTheTableLacksIsRefused() {
  const BoundOperand table{"table", {"vocab", "d"}, {3, 2}}, ids{"ids", {"batch"}, {1}};
  for (double row : {3.0, -1.0, std::nan("")}) {
    try {
      valuesOf("y[*b,d] = table[ids[*b], d]", {table, ids}, {{0, 1, 2, 3, 4, 5}, {row}});
      QFAIL("was accepted");
    } catch (const Error& error) {
      QVERIFY2(QString::fromStdString(error.text()).contains("table with 3 rows"), error.text().c_str());
    }
  }
}

void EvaluateTest::scatterAndMask() {
  const BoundOperand ids{"ids", {"b"}, {4}}, dy{"dy", {"b"}, {4}};
  QCOMPARE(valuesOf("dt[v:3] = sum(*b) select(ids[*b] == v, dy[*b], 0)", {ids, dy}, {{2, 0, 2, 2}, {1, 2, 3, 4}}),
           (Values{2, 0, 8}));
  const double infinite = std::numeric_limits<double>::infinity();
  QCOMPARE(valuesOf("m[i:2,j:2] = select(j <= i, 0, -inf)", {}, {}), (Values{0, -infinite, 0, 0}));
}

void EvaluateTest::convolution() {
  const BoundOperand x{"x", {"h"}, {5}}, w{"w", {"u"}, {3}};
  QCOMPARE(valuesOf("y[p:3] = sum(u) (x[2*p+u-1] else 0) * w[u]", {x, w}, {{1, 2, 3, 4, 5}, {1, 10, 100}}),
           (Values{210, 432, 54}));
}

void EvaluateTest::nestedReductions() {
  const BoundOperand m{"m", {"a", "b"}, {2, 3}};
  QCOMPARE(valuesOf("y = sum(i) (max(j) m[i,j])", {m}, {{1, 5, 2, -7, -3, -4}}), (Values{2}));
  QCOMPARE(valuesOf("y[i] = (sum(j) m[i,j]) / 3 - min(j) m[i,j]", {m}, {{1, 5, 3, 4, 4, 4}}), (Values{2, 0}));
  QCOMPARE(valuesOf("y[i] = and(j) m[i,j] > 0", {m}, {{1, 5, 3, 4, 0, 4}}), (Values{1, 0}));
}

void EvaluateTest::castsRound() {
  const BoundOperand x{"x", {"d"}, {2}};
  QCOMPARE(valuesOf("y[d] = 2 * i64(x[d])", {x}, {{1.9, -1.9}}), (Values{2, -2}));
  QCOMPARE(valuesOf("y[d] = bf16(x[d])", {x}, {{1.001, 3.0}}), (Values{1, 3}));
}

void EvaluateTest::outputsAreRoundedToTheirType() {
  const BoundOperand x{"x", {"d"}, {2}, {}, DType::i64};
  QCOMPARE(valuesOf("y[d] = x[d] / 2", {x}, {{7, -7}}), (Values{3, -3}));
  QCOMPARE(valuesOf("y[d] = x[d] > 0", {x}, {{7, -7}}), (Values{1, 0}));
}

void EvaluateTest::randomNumbersDependOnTheGlobalIndexAlone() {
  const Expression made = express("y[i:4,j:6] = uniform(\"drop\", i, j)", std::vector<BoundOperand>{});
  const RandomContext context{.seed = 5, .step = 3};
  const Values whole = evaluate(made, {}, context)[0].values;
  for (std::size_t i = 0; i < whole.size(); ++i) QCOMPARE(whole[i], uniformAt(randomKey(5, "drop", 3), i));
  Values part(4);
  const WriteArray out{part.data(), DType::f64, {{2, 2}, {3, 2}}, {2, 1}};
  evaluate(made, {}, std::span(&out, 1), std::vector<Range>{{2, 2}, {3, 2}}, context);
  QCOMPARE(part, (Values{whole[15], whole[16], whole[21], whole[22]}));
  const Expression repeated = express("y[i:4,j:6] = uniform(\"layer_{}/drop\", i, j)", std::vector<BoundOperand>{});
  const std::vector<std::string> labels{"1", "2"};
  QCOMPARE(evaluate(repeated, {}, RandomContext{.seed = 5, .labels = labels, .iteration = 1})[0].values[7],
           uniformAt(randomKey(5, "layer_2/drop"), 7));
}

// a [i:2-way, k:2-way], b [k:2-way, j]: each of four ranks holds parts in padded f32 buffers whose padding is NaN.
void EvaluateTest::partsOfAMatmulMakeTheWhole() {
  tests::Random random("matmul");
  const Array a = tests::integerArray(random, {5, 7}, -4, 4), b = tests::integerArray(random, {7, 3}, -4, 4);
  const Expression matmul =
      express("y[i,j] = sum(k) a[i,k] * b[k,j]", {{"a", {"m", "k"}, a.sizes}, {"b", {"k", "n"}, b.sizes}});
  const Values whole = evaluate(matmul, std::vector<Array>{a, b})[0].values;
  for (const Range rows : {Range{0, 3}, Range{3, 2}}) {
    Values sum(static_cast<std::size_t>(rows.size * 3));
    for (const Range inner : {Range{0, 4}, Range{4, 3}, Range{7, 0}}) {
      const Part pa = partOf(a, {rows, inner}, 1), pb = partOf(b, {inner, {0, 3}}, 2);
      Values part(sum.size(), std::nan(""));
      const ReadArray reads[]{reading(pa, a), reading(pb, b)};
      const WriteArray write{part.data(), DType::f64, {rows, {0, 3}}, {3, 1}};
      evaluate(matmul, reads, std::span(&write, 1), std::vector<Range>{rows, {0, 3}, inner});
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += part[i];
    }
    for (std::size_t i = 0; i < sum.size(); ++i) QCOMPARE(sum[i], whole[static_cast<std::size_t>(rows.start) * 3 + i]);
  }
}

// Each rank has some rows and counts those alone; a row that no rank has is counted once.
void EvaluateTest::splitLookupsAddUp() {
  const Array table{{5, 2}, {0, 1, 10, 11, 20, 21, 30, 31, 40, 41}}, ids{{4, 1}, {4, 0, 7, 2}};
  const BoundOperand t{"table", {"vocab", "d"}, {5, 2}}, i{"ids", {"b", "one"}, {4, 1}};
  const Expression lookup = express("y[*b,d] = (table[ids[*b], d] else 100)", {t, i});
  const Values whole = evaluate(lookup, std::vector<Array>{table, ids})[0].values;
  QCOMPARE(whole[4], 100.0);
  Values sum(whole.size());
  for (const Range rows : {Range{0, 2}, Range{2, 2}, Range{4, 1}, Range{5, 0}}) {
    const Part pt = partOf(table, {rows, {0, 2}}, 0), pi = partOf(ids, {{0, 4}, {0, 1}}, 0);
    Values part(whole.size());
    const ReadArray reads[]{reading(pt, table), reading(pi, ids)};
    const WriteArray write{part.data(), DType::f64, {{0, 4}, {0, 1}, {0, 2}}, {2, 2, 1}};
    evaluate(lookup, reads, std::span(&write, 1), std::vector<Range>{{0, 4}, {0, 1}, {0, 2}, rows});
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += part[k];
  }
  QCOMPARE(sum, whole);
}

// Whatever the ranges of the output loops are, what lies in them is what the whole has there.
void EvaluateTest::everyPartOfARandomExpressionEqualsTheWhole() {
  tests::Random random("parts");
  for (int round = 0; round < 500; ++round) {
    const tests::RandomExpression made = tests::randomExpression(random);
    const Expression& e = made.expression;
    const std::vector<Array> whole = evaluate(e, made.arrays);
    std::vector<Range> ranges;
    for (const Loop& loop : e.loops) {
      const std::int64_t start = loop.kind == Loop::Kind::output ? random.integer(0, loop.extent) : 0;
      ranges.push_back({start, loop.kind == Loop::Kind::output ? random.integer(0, loop.extent - start) : loop.extent});
    }
    std::vector<ReadArray> reads;
    for (const Array& one : made.arrays) {
      std::vector<Range> held;
      for (std::int64_t size : one.sizes) held.push_back({0, size});
      reads.push_back({one.values.data(), DType::f64, one.sizes, held, rowMajorStrides(one.sizes)});
    }
    std::vector<Array> parts = whole;
    std::vector<WriteArray> writes;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      std::vector<Range> held;
      for (std::int64_t size : parts[k].sizes) held.push_back({0, size});
      writes.push_back({parts[k].values.data(), DType::f64, held, rowMajorStrides(parts[k].sizes)});
    }
    evaluate(e, reads, writes, ranges);
    for (std::size_t k = 0; k < parts.size(); ++k)
      for (std::size_t i = 0; i < parts[k].values.size(); ++i) {
        const double found =
            isFloating(e.outputs[k].dtype) ? parts[k].values[i] : roundTo(e.outputs[k].dtype, parts[k].values[i]);
        QVERIFY2(found == whole[k].values[i] || (std::isnan(found) && std::isnan(whole[k].values[i])),
                 print(e, true).c_str());
      }
  }
}

QTEST_GUILESS_MAIN(EvaluateTest)
#include "evaluate_test.moc"
