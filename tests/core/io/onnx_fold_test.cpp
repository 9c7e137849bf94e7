#include "core/io/onnx_fold.h"

#include <QtTest>
#include <limits>

using namespace core;
using positional::Data;
using positional::DataPtr;
using positional::Node;

namespace {

DataPtr integers(std::vector<std::int64_t> values, positional::Sizes sizes = {}) {
  if (sizes.empty()) sizes = {std::int64_t(values.size())};
  return std::make_shared<Data>(Data{.dtype = DType::i64, .sizes = sizes, .integers = std::move(values)});
}

DataPtr scalar(std::int64_t value) { return std::make_shared<Data>(Data{.dtype = DType::i64, .integers = {value}}); }

std::optional<Data> folded(const std::string& type, std::vector<DataPtr> inputs, std::map<std::string, positional::AttributeValue> attributes = {}) {
  Node node{.name = type, .type = type, .opset = 17, .attributes = std::move(attributes)};
  node.inputs.assign(inputs.size(), 0);
  node.outputs = {0};
  return fold(node, inputs, {});
}

const std::int64_t most = std::numeric_limits<std::int64_t>::max(), least = std::numeric_limits<std::int64_t>::min();

}  // namespace

class OnnxFoldTest : public QObject {
  Q_OBJECT
 private slots:
  void computesShapes();
  void slicesForwardsAndBackwards();
  void movesElements();
  void makesACausalMask();
  void survivesExtremes();
};

void OnnxFoldTest::computesShapes() {
  QCOMPARE(folded("Gather", {integers({2, 3, 5}), scalar(-1)})->integers, (std::vector<std::int64_t>{5}));
  QCOMPARE(folded("Concat", {integers({2}), integers({3, 4})}, {{"axis", std::int64_t(0)}})->integers, (std::vector<std::int64_t>{2, 3, 4}));
  QCOMPARE(folded("Div", {integers({7, -7}), scalar(2)})->integers, (std::vector<std::int64_t>{3, -3}));
  QCOMPARE(folded("Range", {scalar(1), scalar(8), scalar(3)})->integers, (std::vector<std::int64_t>{1, 4, 7}));
  QCOMPARE(folded("Unsqueeze", {integers({1, 2}), integers({0, 2})})->sizes, (positional::Sizes{1, 2, 1}));
  QCOMPARE(folded("Reshape", {integers({1, 2, 3, 4, 5, 6}), integers({-1, 3})})->sizes, (positional::Sizes{2, 3}));
}

void OnnxFoldTest::slicesForwardsAndBackwards() {
  DataPtr x = integers({0, 1, 2, 3, 4, 5});
  QCOMPARE(folded("Slice", {x, integers({1}), integers({-1}), integers({0}), integers({2})})->integers, (std::vector<std::int64_t>{1, 3}));
  QCOMPARE(folded("Slice", {x, integers({-1}), integers({least}), integers({0}), integers({-2})})->integers, (std::vector<std::int64_t>{5, 3, 1}));
  QCOMPARE(folded("Slice", {x, integers({4}), integers({2})})->integers, (std::vector<std::int64_t>{}));
}

void OnnxFoldTest::movesElements() {
  DataPtr x = integers({0, 1, 2, 3, 4, 5}, {2, 3});
  QCOMPARE(folded("Transpose", {x})->integers, (std::vector<std::int64_t>{0, 3, 1, 4, 2, 5}));
  QCOMPARE(folded("Expand", {integers({1, 2}, {2, 1}), integers({2, 2})})->integers, (std::vector<std::int64_t>{1, 1, 2, 2}));
  QCOMPARE(folded("Gather", {x, integers({2, 0})}, {{"axis", std::int64_t(1)}})->integers, (std::vector<std::int64_t>{2, 0, 5, 3}));
}

void OnnxFoldTest::makesACausalMask() {
  DataPtr ones = integers({1, 1, 1, 1, 1, 1, 1, 1, 1}, {3, 3});
  QCOMPARE(folded("Trilu", {ones}, {{"upper", std::int64_t(0)}})->integers, (std::vector<std::int64_t>{1, 0, 0, 1, 1, 0, 1, 1, 1}));
}

// Numbers from a broken file: an answer or none, never a crash.
void OnnxFoldTest::survivesExtremes() {
  for (std::int64_t a : {least, std::int64_t(-1), std::int64_t(0), std::int64_t(1), most})
    for (std::int64_t b : {least, std::int64_t(-1), std::int64_t(0), std::int64_t(1), most}) {
      for (const char* type : {"Add", "Sub", "Mul", "Div", "Mod", "Max", "Pow"}) QVERIFY(folded(type, {scalar(a), scalar(b)}).has_value());
      folded("Range", {scalar(a), scalar(b), scalar(1)});
      folded("Slice", {integers({1, 2, 3}), integers({a}), integers({b}), integers({0}), integers({1})});
      folded("Slice", {integers({1, 2, 3}), integers({a}), integers({b}), integers({0}), integers({a})});
      folded("Gather", {integers({1, 2, 3}), scalar(a)});
      folded("Expand", {scalar(1), integers({a, b})});
      folded("Reshape", {integers({1, 2, 3}), integers({a, b})});
    }
  QVERIFY(!folded("Add", {scalar(1), nullptr}).has_value());  // an input left out
  QVERIFY(!folded("Trilu", {integers({1, 2, 3, 4}, {2, 2}), integers({})}).has_value());
  QVERIFY(!folded("Concat", {integers({1})}, {{"axis", std::int64_t(7)}}).has_value());
}

QTEST_GUILESS_MAIN(OnnxFoldTest)
#include "onnx_fold_test.moc"
