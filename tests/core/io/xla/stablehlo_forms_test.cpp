#include <QtTest>

#include "core/base/error.h"
#include "core/io/xla/stablehlo.h"
#include "tests/support/xla_text.h"

// Every form in which an operation may stand, as the instruction that it becomes.

using namespace core;

namespace {

const QString around =
    "sdy.mesh @mesh = <[\"a\"=2, \"b\"=2]>\n"
    "func.func private @f(%x: tensor<f32>) -> tensor<f32> {\n  return %x : tensor<f32>\n}\n";

}  // namespace

class StablehloFormsTest : public QObject {
  Q_OBJECT
 private slots:
  void reads_data();
  void reads();
};

void StablehloFormsTest::reads_data() {
  QTest::addColumn<QString>("arguments");
  QTest::addColumn<QString>("lines");
  QTest::addColumn<QString>("found");
  auto row = [](const char* name, const char* arguments, const char* lines, const char* found) { QTest::newRow(name) << arguments << lines << found; };
  row("add", R"(%a: tensor<4xf32>)",
      R"(%0 = stablehlo.add %a, %a : tensor<4xf32>)",
      R"(0:f32[4] = add(a a))");
  row("add with a whole type", R"(%a: tensor<4xf32>)",
      R"(%0 = stablehlo.add %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>)",
      R"(0:f32[4] = add(a a))");
  row("add with attributes", R"(%a: tensor<4xf32>)",
      R"(%0 = stablehlo.add %a, %a {name = "sum.1", flag} : tensor<4xf32>)",
      R"(0:f32[4] = add(a a) flag=1 name="sum.1")");
  row("generic", R"(%a: tensor<4xf32>)",
      R"(%0 = "stablehlo.add"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>)",
      R"(0:f32[4] = add(a a))");
  row("abs", R"(%a: tensor<4xcomplex<f32>>)",
      R"(%0 = stablehlo.abs %a : (tensor<4xcomplex<f32>>) -> tensor<4xf32>)",
      R"(0:f32[4] = abs(a))");
  row("convert", R"(%a: tensor<4xi8>)",
      R"(%0 = stablehlo.convert %a : (tensor<4xi8>) -> tensor<4xbf16>)",
      R"(0:bf16[4] = convert(a))");
  row("select", R"(%p: tensor<i1>, %a: tensor<4xf32>)",
      R"(%0 = stablehlo.select %p, %a, %a : tensor<i1>, tensor<4xf32>)",
      R"(0:f32[4] = select(p a a))");
  row("clamp", R"(%l: tensor<f32>, %a: tensor<4xf32>)",
      R"(%0 = stablehlo.clamp %l, %a, %l : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>)",
      R"(0:f32[4] = clamp(l a l))");
  row("complex", R"(%a: tensor<4xf64>)",
      R"(%0 = stablehlo.complex %a, %a : tensor<4xcomplex<f64>>)",
      R"(0:c128[4] = complex(a a))");
  row("compare", R"(%a: tensor<4xi32>)",
      R"(%0 = stablehlo.compare  LT, %a, %a,  SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>)",
      R"(0:pred[4] = compare(a a) compare_type="SIGNED" comparison_direction="LT")");
  row("compare without a type", R"(%a: tensor<4xi32>)",
      R"(%0 = stablehlo.compare GE, %a, %a : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>)",
      R"(0:pred[4] = compare(a a) comparison_direction="GE")");
  row("compare, generic", R"(%a: tensor<4xi32>)",
      R"(%0 = "stablehlo.compare"(%a, %a) <{comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type UNSIGNED>}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>)",
      R"(0:pred[4] = compare(a a) compare_type="UNSIGNED" comparison_direction="EQ")");
  row("constant", R"(%a: tensor<f32>)",
      R"(%0 = stablehlo.constant dense<[[1, 2], [-3, 4]]> : tensor<2x2xi64>)",
      R"(0:s64[2,2] = constant() [1,2,-3,4])");
  row("constant, generic", R"(%a: tensor<f32>)",
      R"(%0 = "stablehlo.constant"() <{value = dense<1.5> : tensor<2xf32>}> : () -> tensor<2xf32>)",
      R"(0:f32[2] = constant() [1.5,1.5])");
  row("constant, splat", R"(%a: tensor<f32>)",
      R"(%0 = stablehlo.constant dense<true> : tensor<3xi1>)",
      R"(0:pred[3] = constant() [1,1,1])");
  row("constant, large splat", R"(%a: tensor<f32>)",
      R"(%0 = stablehlo.constant dense<2.0> : tensor<1073741824x1073741824xf32>)",
      R"(0.element:f32[] = constant() [2]
0:f32[1073741824,1073741824] = broadcast_in_dim(0.element) broadcast_dimensions=[])");
  row("constant, bytes", R"(%a: tensor<f32>)",
      R"(%0 = stablehlo.constant dense<"0x0000803F000000C0"> : tensor<2xf32>)",
      R"(0:f32[2] = constant() [1,-2])");
  row("constant, bits", R"(%a: tensor<f32>)",
      R"(%0 = stablehlo.constant dense<0xFF800000> : tensor<f32>)",
      R"(0:f32[] = constant() [-inf])");
  row("constant, unsigned", R"(%a: tensor<f32>)",
      R"(%0 = stablehlo.constant dense<[255, 0x10]> : tensor<2xui8>)",
      R"(0:u8[2] = constant() [255,16])");
  row("constant, the largest", R"(%a: tensor<f32>)",
      R"(%0 = stablehlo.constant dense<[9223372036854775807, 0x7FFFFFFFFFFFFFFF]> : tensor<2xui64>)",
      R"(0:u64[2] = constant() [9223372036854775807,9223372036854775807])");
  row("constant, beyond what is held", R"(%a: tensor<f32>)",
      R"(%0 = stablehlo.constant dense<[18446744073709551615, 0]> : tensor<2xui64>)",
      R"(0:u64[2] = constant())");
  row("constant, complex", R"(%a: tensor<f32>)",
      R"(%0 = stablehlo.constant dense<[(1.0,-2.0), (0x7FC00000,0.0)]> : tensor<2xcomplex<f32>>)",
      R"(0:c64[2] = constant())");
  row("constant, empty", R"(%a: tensor<f32>)",
      R"(%0 = stablehlo.constant dense<> : tensor<0x3xf32>)",
      R"(0:f32[0,3] = constant() [])");
  row("constant, packed truth", R"(%a: tensor<f32>)",
      R"(%0 = stablehlo.constant dense<"0x0501"> : tensor<9xi1>)",
      R"(0:pred[9] = constant() [1,0,1,0,0,0,0,0,1])");
  row("constant of arith", R"(%a: tensor<f32>)",
      R"(%0 = arith.constant {name = "c"} dense<1.0> : tensor<f32>)",
      R"(0:f32[] = constant() name="c" [1])");
  row("number of arith", R"(%a: tensor<f32>)",
      R"(%0 = arith.constant 3 : index)",
      R"(0:s64[] = constant() [3])");
  row("truth of arith", R"(%a: tensor<f32>)",
      R"(%0 = arith.constant true)",
      R"(0:pred[] = constant() [1])");
  row("dot_general", R"(%a: tensor<4x3xf32>, %b: tensor<3x6xf32>)",
      R"(%0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x3xf32>, tensor<3x6xf32>) -> tensor<4x6xf32>)",
      R"(0:f32[4,6] = dot_general(a b) lhs_contracting_dimensions=[1] precision_config="[DEFAULT, DEFAULT]" rhs_contracting_dimensions=[0])");
  row("dot_general with batches", R"(%a: tensor<2x4x3xf32>)",
      R"(%0 = stablehlo.dot_general %a, %a, batching_dims = [0] x [0], contracting_dims = [2, 1] x [2, 1], algorithm = <lhs_precision_type = tf32> : (tensor<2x4x3xf32>, tensor<2x4x3xf32>) -> tensor<2xf32>)",
      R"(0:f32[2] = dot_general(a a) algorithm="<lhs_precision_type = tf32>" lhs_batching_dimensions=[0] lhs_contracting_dimensions=[2,1] rhs_batching_dimensions=[0] rhs_contracting_dimensions=[2,1])");
  row("dot_general, generic", R"(%a: tensor<4x3xf32>)",
      R"(%0 = "stablehlo.dot_general"(%a, %a) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision HIGHEST>]} : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x4xf32>)",
      R"(0:f32[4,4] = dot_general(a a) lhs_contracting_dimensions=[1] precision_config="[#stablehlo<precision HIGHEST>]" rhs_contracting_dimensions=[1])");
  row("dot", R"(%a: tensor<4x3xf32>, %b: tensor<3xf32>)",
      R"(%0 = stablehlo.dot %a, %b, precision = [DEFAULT, DEFAULT] : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4xf32>)",
      R"(0:f32[4] = dot_general(a b) lhs_contracting_dimensions=[1] precision_config="[DEFAULT, DEFAULT]" rhs_contracting_dimensions=[0])");
  row("convolution", R"(%a: tensor<2x9x10x3xf32>, %b: tensor<4x5x3x3xf32>)",
      R"(%0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 3], pad = [[1, 2], [0, 0]], rhs_dilate = [1, 1], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x10x3xf32>, tensor<4x5x3x3xf32>) -> tensor<2x5x2x3xf32>)",
      R"(0:f32[2,5,2,3] = convolution(a b) batch_group_count=1 feature_group_count=1 input_batch_dimension=0 input_feature_dimension=3 input_spatial_dimensions=[1,2] kernel_input_feature_dimension=2 kernel_output_feature_dimension=3 kernel_spatial_dimensions=[0,1] lhs_dilation=[1,1] output_batch_dimension=0 output_feature_dimension=3 output_spatial_dimensions=[1,2] padding=[1,2,0,0] rhs_dilation=[1,1] window_reversal=[1,0] window_strides=[2,3])");
  row("convolution, generic", R"(%a: tensor<2x3x9xf32>, %b: tensor<3x3x4xf32>)",
      R"(%0 = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, padding = dense<1> : tensor<1x2xi64>, window_strides = array<i64: 2>, batch_group_count = 1 : i64, feature_group_count = 1 : i64}> : (tensor<2x3x9xf32>, tensor<3x3x4xf32>) -> tensor<2x3x4xf32>)",
      R"(0:f32[2,3,4] = convolution(a b) batch_group_count=1 feature_group_count=1 input_batch_dimension=0 input_feature_dimension=1 input_spatial_dimensions=[2] kernel_input_feature_dimension=1 kernel_output_feature_dimension=0 kernel_spatial_dimensions=[2] lhs_dilation=[1] output_batch_dimension=0 output_feature_dimension=1 output_spatial_dimensions=[2] padding=[1,1] rhs_dilation=[1] window_reversal=[0] window_strides=[2])");
  row("broadcast_in_dim", R"(%a: tensor<3xf32>)",
      R"(%0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>)",
      R"(0:f32[2,3] = broadcast_in_dim(a) broadcast_dimensions=[1])");
  row("broadcast", R"(%a: tensor<3xf32>)",
      R"(%0 = stablehlo.broadcast %a, sizes = [2] : (tensor<3xf32>) -> tensor<2x3xf32>)",
      R"(0:f32[2,3] = broadcast_in_dim(a) broadcast_dimensions=[1])");
  row("reshape", R"(%a: tensor<3xf32>)",
      R"(%0 = stablehlo.reshape %a : (tensor<3xf32>) -> tensor<1x3xf32>)",
      R"(0:f32[1,3] = reshape(a))");
  row("transpose", R"(%a: tensor<2x3xf32>)",
      R"(%0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>)",
      R"(0:f32[3,2] = transpose(a) permutation=[1,0])");
  row("reverse", R"(%a: tensor<2x3xf32>)",
      R"(%0 = stablehlo.reverse %a, dims = [1] : tensor<2x3xf32>)",
      R"(0:f32[2,3] = reverse(a) dimensions=[1])");
  row("concatenate", R"(%a: tensor<2x3xf32>)",
      R"(%0 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>)",
      R"(0:f32[4,3] = concatenate(a a) dimension=0)");
  row("iota", R"(%a: tensor<f32>)",
      R"(%0 = stablehlo.iota dim = 1 : tensor<2x3xui32>)",
      R"(0:u32[2,3] = iota() iota_dimension=1)");
  row("slice", R"(%a: tensor<9x9xf32>)",
      R"(%0 = stablehlo.slice %a [0:3, 1:8:2] : (tensor<9x9xf32>) -> tensor<3x4xf32>)",
      R"(0:f32[3,4] = slice(a) limit_indices=[3,8] start_indices=[0,1] strides=[1,2])");
  row("slice, generic", R"(%a: tensor<9xf32>)",
      R"(%0 = "stablehlo.slice"(%a) {limit_indices = array<i64: 8>, start_indices = array<i64: 1>, strides = array<i64: 2>} : (tensor<9xf32>) -> tensor<4xf32>)",
      R"(0:f32[4] = slice(a) limit_indices=[8] start_indices=[1] strides=[2])");
  row("pad", R"(%a: tensor<2xf32>, %z: tensor<f32>)",
      R"(%0 = stablehlo.pad %a, %z, low = [1], high = [-1], interior = [2] : (tensor<2xf32>, tensor<f32>) -> tensor<4xf32>)",
      R"(0:f32[4] = pad(a z) edge_padding_high=[-1] edge_padding_low=[1] interior_padding=[2])");
  row("dynamic_slice", R"(%a: tensor<9xf32>, %i: tensor<i32>)",
      R"(%0 = stablehlo.dynamic_slice %a, %i, sizes = [2] : (tensor<9xf32>, tensor<i32>) -> tensor<2xf32>)",
      R"(0:f32[2] = dynamic_slice(a i) slice_sizes=[2])");
  row("dynamic_update_slice", R"(%a: tensor<9xf32>, %b: tensor<2xf32>, %i: tensor<i32>)",
      R"(%0 = stablehlo.dynamic_update_slice %a, %b, %i : (tensor<9xf32>, tensor<2xf32>, tensor<i32>) -> tensor<9xf32>)",
      R"(0:f32[9] = dynamic_update_slice(a b i))");
  row("gather", R"(%a: tensor<5x3xf32>, %i: tensor<2x1xi32>)",
      R"(%0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>}> : (tensor<5x3xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>)",
      R"(0:f32[2,3] = gather(a i) collapsed_slice_dims=[0] index_vector_dim=1 indices_are_sorted=0 offset_dims=[1] slice_sizes=[1,3] start_index_map=[0])");
  row("scatter", R"(%a: tensor<5xf32>, %i: tensor<2x1xi32>, %u: tensor<2xf32>)",
      R"(%0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> stablehlo.return %s : tensor<f32> }) : (tensor<5xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<5xf32>)",
      R"(0:f32[5] = scatter(a i u) index_vector_dim=1 inserted_window_dims=[0] scatter_dims_to_operand_dims=[0] unique_indices=1 {(x:f32[] y:f32[]); s:f32[] = add(x y); -> s})");
  row("reduce that applies", R"(%a: tensor<2x3xf32>, %z: tensor<f32>)",
      R"(%0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>)",
      R"(0:f32[3] = reduce(a z) dimensions=[0] {(a:f32[] b:f32[]); c:f32[] = add(a b); -> c})");
  row("reduce of several", R"(%a: tensor<4xf32>, %i: tensor<4xi32>, %z: tensor<f32>, %n: tensor<i32>)",
      R"(%0:2 = stablehlo.reduce(%a init: %z), (%i init: %n) across dimensions = [0] : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>) reducer(%x: tensor<f32>, %y: tensor<f32>) (%j: tensor<i32>, %k: tensor<i32>) { stablehlo.return %y, %j : tensor<f32>, tensor<i32> })",
      R"(0#0:f32[] 0#1:s32[] = reduce(a i z n) dimensions=[0] {(x:f32[] j:s32[] y:f32[] k:s32[]); -> y j})");
  row("reduce, generic", R"(%a: tensor<2xf32>, %z: tensor<f32>)",
      R"(%0 = "stablehlo.reduce"(%a, %z) <{dimensions = array<i64: 0>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.multiply %x, %y : tensor<f32> "stablehlo.return"(%s) : (tensor<f32>) -> () }) : (tensor<2xf32>, tensor<f32>) -> tensor<f32>)",
      R"(0:f32[] = reduce(a z) dimensions=[0] {(x:f32[] y:f32[]); s:f32[] = multiply(x y); -> s})");
  row("reduce_window", R"(%a: tensor<8x8xf32>, %z: tensor<f32>)",
      R"(%0 = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 3, 3>, window_strides = array<i64: 2, 2>, padding = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.maximum %x, %y : tensor<f32> stablehlo.return %s : tensor<f32> }) : (tensor<8x8xf32>, tensor<f32>) -> tensor<3x5xf32>)",
      R"(0:f32[3,5] = reduce_window(a z) base_dilations=[1,1] padding=[0,1,2,3] window_dilations=[1,1] window_dimensions=[3,3] window_strides=[2,2] {(x:f32[] y:f32[]); s:f32[] = maximum(x y); -> s})");
  row("select_and_scatter", R"(%a: tensor<4xf32>, %s: tensor<2xf32>, %z: tensor<f32>)",
      R"(%0 = "stablehlo.select_and_scatter"(%a, %s, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %c = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %c : tensor<i1> }, { ^bb0(%x: tensor<f32>, %y: tensor<f32>): %c = stablehlo.add %x, %y : tensor<f32> stablehlo.return %c : tensor<f32> }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>)",
      R"(0:f32[4] = select_and_scatter(a s z) padding=[0,0] window_dimensions=[2] window_strides=[2] {(x:f32[] y:f32[]); c:pred[] = compare(x y) comparison_direction="GE"; -> c} {(x:f32[] y:f32[]); c:f32[] = add(x y); -> c})");
  row("sort", R"(%a: tensor<4xf32>, %i: tensor<4xi32>)",
      R"(%0:2 = "stablehlo.sort"(%a, %i) ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>, %j: tensor<i32>, %k: tensor<i32>): %c = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %c : tensor<i1> }) {dimension = -1 : i64, is_stable = true} : (tensor<4xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>))",
      R"(0#0:f32[4] 0#1:s32[4] = sort(a i) dimension=0 is_stable=1 {(x:f32[] y:f32[] j:s32[] k:s32[]); c:pred[] = compare(x y) compare_type="TOTALORDER" comparison_direction="LT"; -> c})");
  row("while", R"(%n: tensor<i32>, %a: tensor<2xf32>)",
      R"(%0:2 = stablehlo.while(%i = %n, %x = %a) : tensor<i32>, tensor<2xf32> attributes {mhlo.frontend_attributes = {a = "b"}} cond { %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1> stablehlo.return %c : tensor<i1> } do { %y = stablehlo.add %x, %a : tensor<2xf32> stablehlo.return %i, %y : tensor<i32>, tensor<2xf32> })",
      R"(0#0:s32[] 0#1:f32[2] = while(n a) captures(n a) mhlo.frontend_attributes="{a = "b"}" {(i:s32[] x:f32[2] n:s32[] a:f32[2]); c:pred[] = compare(i n) comparison_direction="LT"; -> c} {(i:s32[] x:f32[2] n:s32[] a:f32[2]); y:f32[2] = add(x a); -> i y})");
  row("case", R"(%i: tensor<i32>, %a: tensor<f32>, %b: tensor<f32>)",
      R"(%0 = "stablehlo.case"(%i) ({ stablehlo.return %a : tensor<f32> }, { %s = stablehlo.add %b, %a : tensor<f32> stablehlo.return %s : tensor<f32> }) : (tensor<i32>) -> tensor<f32>)",
      R"(0:f32[] = case(i) captures(a b) {(a:f32[] b:f32[]); -> a} {(a:f32[] b:f32[]); s:f32[] = add(b a); -> s})");
  row("if, in each other", R"(%p: tensor<i1>, %a: tensor<f32>)",
      R"(%0 = "stablehlo.if"(%p) ({ %1 = "stablehlo.if"(%p) ({ stablehlo.return %a : tensor<f32> }, { %2 = stablehlo.negate %a : tensor<f32> stablehlo.return %2 : tensor<f32> }) : (tensor<i1>) -> tensor<f32> stablehlo.return %1 : tensor<f32> }, { stablehlo.return %a : tensor<f32> }) : (tensor<i1>) -> tensor<f32>)",
      R"(0:f32[] = if(p) captures(p a) {(p:pred[] a:f32[]); 1:f32[] = if(p) captures(a) {(a:f32[]); -> a} {(a:f32[]); 2:f32[] = negate(a); -> 2}; -> 1} {(p:pred[] a:f32[]); -> a})");
  row("optimization_barrier", R"(%a: tensor<f32>, %b: tensor<i32>)",
      R"(%0:2 = stablehlo.optimization_barrier %a, %b : tensor<f32>, tensor<i32>)",
      R"(0#0:f32[] 0#1:s32[] = optimization_barrier(a b))");
  row("custom_call", R"(%a: tensor<f32>)",
      R"(%0 = stablehlo.custom_call @my.target(%a) {backend_config = "x = 1", api_version = 2 : i32, operand_layouts = [dense<> : tensor<0xindex>]} : (tensor<f32>) -> tensor<f32>)",
      R"(0:f32[] = custom_call(a) api_version=2 backend_config="x = 1" call_target_name="my.target" operand_layouts=[])");
  row("custom_call of no values", R"(%a: tensor<f32>)",
      R"(stablehlo.custom_call @check.expect_close(%a, %a) {has_side_effect = true} : (tensor<f32>, tensor<f32>) -> ())",
      R"(custom_call(a a) call_target_name="check.expect_close" has_side_effect=1)");
  row("composite", R"(%a: tensor<f32>)",
      R"(%0 = stablehlo.composite "my.op" %a {composite_attributes = {k = 3 : i64}, decomposition = @f, version = 1 : i32} : (tensor<f32>) -> tensor<f32>)",
      R"(0:f32[] = composite(a) composite_attributes="{k = 3 : i64}" decomposition="f" name="my.op" version=1 {(x:f32[]); -> x})");
  row("call", R"(%a: tensor<f32>)",
      R"(%0 = call @f(%a) : (tensor<f32>) -> tensor<f32>)",
      R"(0:f32[] = call(a) {(x:f32[]); -> x})");
  row("func.call", R"(%a: tensor<f32>)",
      R"(%0 = func.call @f(%a) : (tensor<f32>) -> tensor<f32>)",
      R"(0:f32[] = call(a) {(x:f32[]); -> x})");
  row("call, generic", R"(%a: tensor<f32>)",
      R"(%0 = "func.call"(%a) <{callee = @f}> : (tensor<f32>) -> tensor<f32>)",
      R"(0:f32[] = call(a) {(x:f32[]); -> x})");
  row("top_k", R"(%a: tensor<5xf32>)",
      R"(%v, %i = chlo.top_k(%a, k = 2) : tensor<5xf32> -> (tensor<2xf32>, tensor<2xi32>))",
      R"(v:f32[2] i:s32[2] = top_k(a) k=2)");
  row("erf_inv", R"(%a: tensor<5xf32>)",
      R"(%0 = chlo.erf_inv %a : tensor<5xf32> -> tensor<5xf32>)",
      R"(0:f32[5] = erf_inv(a))");
  row("next_after", R"(%a: tensor<5xf32>)",
      R"(%0 = chlo.next_after %a, %a : tensor<5xf32>, tensor<5xf32> -> tensor<5xf32>)",
      R"(0:f32[5] = next_after(a a))");
  row("fft", R"(%a: tensor<17xf32>)",
      R"(%0 = stablehlo.fft %a, type =  RFFT, length = [17] : (tensor<17xf32>) -> tensor<9xcomplex<f32>>)",
      R"(0:c64[9] = fft(a) fft_length=[17] fft_type="RFFT")");
  row("reduce_precision", R"(%a: tensor<f32>)",
      R"(%0 = stablehlo.reduce_precision %a, format = e5m10 : tensor<f32>)",
      R"(0:f32[] = reduce_precision(a) exponent_bits=5 mantissa_bits=10)");
  row("cholesky", R"(%a: tensor<4x4xf32>)",
      R"(%0 = stablehlo.cholesky %a, lower = true : tensor<4x4xf32>)",
      R"(0:f32[4,4] = cholesky(a) lower=1)");
  row("triangular_solve", R"(%a: tensor<4x4xf32>)",
      R"(%0 = "stablehlo.triangular_solve"(%a, %a) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>)",
      R"(0:f32[4,4] = triangular_solve(a a) left_side=1 lower=0 transpose_a="NO_TRANSPOSE" unit_diagonal=1)");
  row("rng", R"(%a: tensor<f32>, %s: tensor<1xi64>)",
      R"(%0 = stablehlo.rng %a, %a, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>)",
      R"(0:f32[4] = rng(a a s) rng_distribution="UNIFORM")");
  row("rng_bit_generator", R"(%a: tensor<2xui64>)",
      R"(%state, %bits = stablehlo.rng_bit_generator %a, algorithm =  THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>))",
      R"(state:u64[2] bits:u32[4] = rng_bit_generator(a) rng_algorithm="THREE_FRY")");
  row("all_reduce", R"(%a: tensor<4xf32>)",
      R"(%0 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32> stablehlo.return %s : tensor<f32> }) : (tensor<4xf32>) -> tensor<4xf32>)",
      R"(0:f32[4] = all_reduce(a) channel_handle="#stablehlo.channel_handle<handle = 1, type = 1>" replica_groups=[0,1,2,3] use_global_device_ids=1 {(x:f32[] y:f32[]); s:f32[] = add(x y); -> s})");
  row("partition_id", R"(%a: tensor<f32>)",
      R"(%0 = stablehlo.partition_id : tensor<ui32>)",
      R"(0:u32[] = partition_id())");
  row("token", R"(%a: tensor<f32>)",
      R"(%0 = stablehlo.after_all : !stablehlo.token)",
      R"(0:token[] = after_all())");
  row("get_dimension_size", R"(%a: tensor<?x3xf32>)",
      R"(%0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>)",
      R"(0:s32[] = get_dimension_size(a) dimension=0)");
  row("bounded sizes", R"(%a: tensor<?x3xf32, #stablehlo.bounds<4, ?>>)",
      R"(%0 = stablehlo.add %a, %a : tensor<?x3xf32, #stablehlo.bounds<4, ?>>)",
      R"(0:f32[-1,3] = add(a a))");
  row("small types", R"(%a: tensor<2xf8E4M3FN>, %b: tensor<2xi4>, %c: tensor<2xsi32>)",
      R"(%0 = stablehlo.convert %a : (tensor<2xf8E4M3FN>) -> tensor<2xui4>)",
      R"(0:u4[2] = convert(a))");
  row("quantized", R"(%a: tensor<2x!quant.uniform<i8:f32, 2.0:15>>)",
      R"(%0 = stablehlo.uniform_dequantize %a : (tensor<2x!quant.uniform<i8:f32, 2.0:15>>) -> tensor<2xf32>)",
      R"(0:f32[2] = uniform_dequantize(a))");
  row("another dialect", R"(%a: tensor<f32>)",
      R"(%0 = "util.thing"(%a) {k = 2 : i32} : (tensor<f32>) -> tensor<f32>)",
      R"(0:f32[] = custom_call(a) call_target_name="util.thing" k=2)");
  row("another dialect, pretty", R"(%a: tensor<f32>)",
      R"(%0 = util.thing %a, @sym {k = 2} : tensor<f32> -> tensor<f32>)",
      R"(0:f32[] = custom_call(a) call_target_name="util.thing" symbol="sym" text="%a, @sym {k = 2}")");
  row("a result that none names", R"(%a: tensor<f32>)",
      R"(stablehlo.custom_call @f(%a) : (tensor<f32>) -> tensor<f32>)",
      R"(1.unnamed:f32[] = custom_call(a) call_target_name="f")");
  row("locations", R"(%a: tensor<f32> loc("x"))",
      R"(%0 = stablehlo.add %a, %a : tensor<f32> loc("jit(f)/add"("a.py":3:4)))",
      R"(0:f32[] = add(x x))");
  row("sharding_constraint", R"(%a: tensor<4x4xf32>)",
      R"(%0 = sdy.sharding_constraint %a <@mesh, [{"a"}, {?}]> : tensor<4x4xf32>)",
      R"(0:f32[4,4]@(a -) = sharding_constraint(a))");
  row("manual_computation", R"(%a: tensor<4xf32>)",
      R"(%0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"} (%b: tensor<2xf32>) { %1 = stablehlo.add %b, %b : tensor<2xf32> sdy.return %1 : tensor<2xf32> } : (tensor<4xf32>) -> tensor<4xf32>)",
      R"(0:f32[4]@(a) = manual_computation(a) in_shardings="[<@mesh, [{"a"}]>]" manual_axes="{"a"}" {(b:f32[2]); 1:f32[2] = add(b b); -> 1})");
  row("named_computation", R"(%a: tensor<4xf32>)",
      R"(%0 = sdy.named_computation<"block">(%a) (%b: tensor<4xf32>) { sdy.return %b : tensor<4xf32> } : (tensor<4xf32>) -> tensor<4xf32>)",
      R"(0:f32[4] = call(a) name="<"block">" {(b:f32[4]); -> b})");
  row("all_gather of sdy", R"(%a: tensor<4x4xf32>)",
      R"(%0 = sdy.all_gather [{}, {"a"}] %a out_sharding=<@mesh, [{"b"}, {}]> : tensor<4x4xf32>)",
      R"(0:f32[4,4]@(b -) = sharding_constraint(a) axes="[{}, {"a"}]")");
  row("all_reduce of sdy", R"(%a: tensor<4xf32>)",
      R"(%0 = sdy.all_reduce {"a"} %a out_sharding=<@mesh, [{}]> : tensor<4xf32>)",
      R"(0:f32[4]@(-) = sharding_constraint(a) axes="{"a"}")");
  row("sharding of an operation", R"(%a: tensor<4xf32>)",
      R"(%0 = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", "b"}]>]>} : tensor<4xf32>)",
      R"(0:f32[4]@(a+b) = add(a a))");
}

void StablehloFormsTest::reads() {
  QFETCH(QString, arguments);
  QFETCH(QString, lines);
  QFETCH(QString, found);
  try {
    const xla::Module module = xla::parseStableHlo((around + "func.func @main(" + arguments + ") {\n" + lines + "\nreturn\n}").toStdString(), "a.mlir");
    QString text = QString::fromStdString(tests::printed(module));
    text = text.section('\n', 1, -2);  // without parameters and the empty list of results
    QCOMPARE(text, found);
  } catch (const Error& error) {
    QFAIL(error.text().c_str());
  }
}

QTEST_GUILESS_MAIN(StablehloFormsTest)
#include "stablehlo_forms_test.moc"
