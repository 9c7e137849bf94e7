#include <QtTest>

#include "core/base/error.h"
#include "core/io/xla/check.h"
#include "core/io/xla/stablehlo.h"

// Texts that are whole, of programs that are not.

using namespace core;

class CheckTest : public QObject {
  Q_OBJECT
 private slots:
  void refuses_data();
  void refuses();
  void letsUnknownSizesPass();
};

namespace {

std::string problem(const QString& arguments, const QString& lines) {
  try {
    xla::parseStableHlo(("func.func private @f(%x: tensor<f32>) -> tensor<f32> {\n  return %x : tensor<f32>\n}\nfunc.func @main(" + arguments + ") {\n" + lines + "\n  return\n}\n").toStdString(), "a.mlir");
  } catch (const Error& error) {
    return error.text();
  }
  return "read";
}

}  // namespace

void CheckTest::refuses_data() {
  QTest::addColumn<QString>("arguments");
  QTest::addColumn<QString>("line");
  QTest::addColumn<QString>("what");
  auto row = [](const char* name, const char* arguments, const char* line, const char* what) { QTest::newRow(name) << arguments << line << what; };
  row("add of other sizes", "%a: tensor<4xf32>, %b: tensor<3xf32>", "%0 = stablehlo.add %a, %b : tensor<4xf32>", "axis 0 has the sizes 3 and 4");
  row("add of three", "%a: tensor<4xf32>", "%0 = stablehlo.add %a, %a, %a : tensor<4xf32>", "it has 3 operands, 2 belong there");
  row("select", "%p: tensor<3xi1>, %a: tensor<4xf32>", "%0 = stablehlo.select %p, %a, %a : tensor<3xi1>, tensor<4xf32>", "axis 0 has the sizes 3 and 4");
  row("broadcast", "%a: tensor<4xf32>", "%0 = stablehlo.broadcast_in_dim %a, dims = [2] : (tensor<4xf32>) -> tensor<2x4xf32>", "broadcast_dimensions names axis 2 of 2");
  row("broadcast to another size", "%a: tensor<4xf32>", "%0 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<4xf32>) -> tensor<2x4xf32>", "axis 0 of size 4");
  row("broadcast of too few", "%a: tensor<4xf32>", "%0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<4xf32>) -> tensor<2x4xf32>", "broadcast_dimensions has 0 numbers, 1 belong there");
  row("reshape", "%a: tensor<4xf32>", "%0 = stablehlo.reshape %a : (tensor<4xf32>) -> tensor<3xf32>", "another number of elements");
  row("transpose", "%a: tensor<4x3xf32>", "%0 = stablehlo.transpose %a, dims = [1, 1] : (tensor<4x3xf32>) -> tensor<3x4xf32>", "names axis 1 twice");
  row("concatenate", "%a: tensor<4xf32>", "%0 = stablehlo.concatenate %a, dim = 1 : (tensor<4xf32>) -> tensor<4xf32>", "dimension is 1, there are 1 axes");
  row("iota", "%a: tensor<4xf32>", "%0 = stablehlo.iota dim = -1 : tensor<4xf32>", "iota_dimension is -1");
  row("slice", "%a: tensor<9xf32>", "%0 = stablehlo.slice %a [2:12] : (tensor<9xf32>) -> tensor<10xf32>", "it goes from 2 to 12 on an axis of size 9");
  row("slice by nothing", "%a: tensor<9xf32>", "%0 = stablehlo.slice %a [2:4:0] : (tensor<9xf32>) -> tensor<2xf32>", "strides has the number 0");
  row("pad", "%a: tensor<2xf32>, %z: tensor<f32>", "%0 = stablehlo.pad %a, %z, low = [-1], high = [-2], interior = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<0xf32>", "less than nothing");
  row("pad of an axis too many", "%a: tensor<2xf32>, %z: tensor<f32>", "%0 = stablehlo.pad %a, %z, low = [1], high = [1, 2], interior = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<4xf32>", "edge_padding_high has 2 numbers");
  row("dynamic_slice", "%a: tensor<9xf32>, %i: tensor<i32>", "%0 = stablehlo.dynamic_slice %a, %i, sizes = [10] : (tensor<9xf32>, tensor<i32>) -> tensor<10xf32>", "10 are taken of an axis of size 9");
  row("dynamic_update_slice", "%a: tensor<9xf32>, %b: tensor<10xf32>, %i: tensor<i32>", "%0 = stablehlo.dynamic_update_slice %a, %b, %i : (tensor<9xf32>, tensor<10xf32>, tensor<i32>) -> tensor<9xf32>", "the part is larger");
  row("dot_general", "%a: tensor<4x3xf32>", "%0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>", "different sizes meet");
  row("dot_general by other counts", "%a: tensor<4x3xf32>", "%0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [] : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>", "different numbers of axes");
  row("convolution", "%a: tensor<1x4x3xf32>, %k: tensor<3x3x5xf32>", "%0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[0, 0], [1, 1]]} : (tensor<1x4x3xf32>, tensor<3x3x5xf32>) -> tensor<1x2x5xf32>", "padding has 4 numbers, 2 belong there");
  row("reduce", "%a: tensor<4xf32>, %z: tensor<f32>", "%0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>", "dimensions names axis 1 of 1");
  row("reduce_window", "%a: tensor<4xf32>, %z: tensor<f32>", "%0 = \"stablehlo.reduce_window\"(%a, %z) <{window_dimensions = array<i64: 0>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): stablehlo.return %x : tensor<f32> }) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>", "window_dimensions has the number 0");
  row("sort", "%a: tensor<4xf32>", "%0 = \"stablehlo.sort\"(%a) <{dimension = 0 : i64}> ({ ^bb0(%x: tensor<f32>): stablehlo.return %x : tensor<f32> }) : (tensor<4xf32>) -> tensor<4xf32>", "other values");
  row("gather", "%a: tensor<5x3xf32>, %i: tensor<2x1xi32>", "%0 = \"stablehlo.gather\"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<5x3xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>", "do not make up the axes");
  row("scatter", "%a: tensor<5xf32>, %i: tensor<2x1xi32>, %u: tensor<2xf32>", "%0 = \"stablehlo.scatter\"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 3>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): stablehlo.return %y : tensor<f32> }) : (tensor<5xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<5xf32>", "index_vector_dim is 3");
  row("top_k", "%a: tensor<5xf32>", "%v, %i = chlo.top_k(%a, k = 6) : tensor<5xf32> -> (tensor<6xf32>, tensor<6xi32>)", "more than there are");
  row("call of another type", "%a: tensor<4xf32>", "%0 = call @f(%a) : (tensor<4xf32>) -> tensor<f32>", "takes another type than value 0 has");
  row("call for another type", "%a: tensor<f32>", "%0 = call @f(%a) : (tensor<f32>) -> tensor<4xf32>", "gives another type");
  row("call for nothing", "%a: tensor<f32>", "call @f() : () -> ()", "takes 1 values, not 0");
  row("while", "%a: tensor<f32>", "%0 = stablehlo.while(%x = %a) : tensor<f32> cond { stablehlo.return %x : tensor<f32> } do { stablehlo.return %x : tensor<f32> }", "gives another type");
  row("if of one branch", "%p: tensor<i1>, %a: tensor<f32>", "%0 = \"stablehlo.if\"(%p) ({ stablehlo.return %a : tensor<f32> }) : (tensor<i1>) -> tensor<f32>", "it has 1 computations");
}

void CheckTest::refuses() {
  QFETCH(QString, arguments);
  QFETCH(QString, line);
  QFETCH(QString, what);
  const QString found = QString::fromStdString(problem(arguments, line));
  QVERIFY2(found.startsWith("a.mlir:5: "), qPrintable(found));
  QVERIFY2(found.contains(what), qPrintable(found));
}

void CheckTest::letsUnknownSizesPass() {
  QCOMPARE(problem("%a: tensor<?x3xf32>, %b: tensor<4x3xf32>", "%0 = stablehlo.add %a, %b : tensor<4x3xf32>"), std::string("read"));
  QCOMPARE(problem("%a: tensor<?x3xf32>", "%0 = stablehlo.slice %a [2:12, 0:3] : (tensor<?x3xf32>) -> tensor<10x3xf32>"), std::string("read"));
}

QTEST_GUILESS_MAIN(CheckTest)
#include "check_test.moc"
