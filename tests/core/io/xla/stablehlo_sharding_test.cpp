#include <QtTest>

#include "core/base/error.h"
#include "core/io/xla/stablehlo.h"
#include "tests/support/xla_text.h"

// Meshes and shardings of a program, on one mesh.

using namespace core;

class StablehloShardingTest : public QObject {
  Q_OBJECT
 private slots:
  void reads_data();
  void reads();
  void refuses_data();
  void refuses();
  void shardsArgumentsAndResults();
  void readsWhatRoundTripsLeave();
  void readsTilings();
};

namespace {

QString meshOf(const xla::Module& module) {
  QStringList axes;
  for (const xla::Axis& axis : module.mesh) axes << QStringLiteral("%1:%2").arg(QString::fromStdString(axis.name)).arg(axis.size);
  return axes.join(' ');
}

// Each sharding at an argument of its own: [4 x 8].
std::string program(const QString& meshes, const QString& shardings) {
  QString arguments;
  const QStringList each = shardings.split(';');
  for (qsizetype i = 0; i < each.size(); ++i) arguments += QStringLiteral("%1%a%2: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<%3>}").arg(i == 0 ? "" : ", ").arg(i).arg(each[i].trimmed());
  return (meshes.split(';').join('\n') + "\nfunc.func @main(" + arguments + ") {\n  return\n}\n").toStdString();
}

}  // namespace

void StablehloShardingTest::reads_data() {
  QTest::addColumn<QString>("meshes");
  QTest::addColumn<QString>("shardings");
  QTest::addColumn<QString>("mesh");
  QTest::addColumn<QString>("found");
  auto row = [](const char* name, const char* meshes, const char* shardings, const char* mesh, const char* found) { QTest::newRow(name) << meshes << shardings << mesh << found; };
  row("one axis each", R"(sdy.mesh @m = <["a"=2, "b"=4]>)", R"(@m, [{"a"}, {"b"}])", "a:2 b:4", "(a b)");
  row("two axes on one", R"(sdy.mesh @m = <["a"=2, "b"=4]>)", R"(@m, [{}, {"b", "a"}])", "a:2 b:4", "(- b+a)");
  row("open, with priorities", R"(sdy.mesh @m = <["a"=2, "b"=4]>)", R"(@m, [{"a", ?}p0, {?}p3], replicated={"b"}, unreduced={})", "a:2 b:4", "(a -)");
  row("axes of size 1", R"(sdy.mesh @m = <["a"=2, "one"=1]>)", R"(@m, [{"a"}, {"one"}])", "a:2", "(a -)");
  row("a part of an axis", R"(sdy.mesh @m = <["a"=2, "b"=8]>)", R"(@m, [{"b":(2)4}, {"a"}]; @m, [{"b"}, {}])", "a:2 b_1:2 b_2:4", "(b_2 a) (b_1+b_2 -)");
  row("parts that overlap", R"(sdy.mesh @m = <["b"=8]>)", R"(@m, [{"b":(1)4}, {}]; @m, [{"b":(2)4}, {}])", "b_1:2 b_2:2 b_3:2", "(b_1+b_2 -) (b_2+b_3 -)");
  row("a part's name that is taken", R"(sdy.mesh @m = <["b"=4, "b_1"=2]>)", R"(@m, [{"b":(1)2}, {"b_1"}])", "b_1_:2 b_2:2 b_1:2", "(b_1_ b_1)");
  row("two meshes of the same devices", R"(sdy.mesh @m = <["a"=2, "b"=4]>;sdy.mesh @n = <["x"=4, "y"=2]>)", R"(@m, [{"a"}, {"b"}]; @n, [{"x"}, {"y"}])", "a:2 b_1:2 b_2:2", "(a b_1+b_2) (a+b_1 b_2)");
  row("a mesh that nobody uses", R"(sdy.mesh @m = <["a"=2]>;sdy.mesh @n = <["x"=4, "y"=2]>)", R"(@m, [{"a"}, {}])", "a:2", "(a -)");
  row("one device", R"(sdy.mesh @m = <["a"=2]>;sdy.mesh @one = <[], device_ids=[3]>)", R"(@m, [{"a"}, {}]; @one, [])", "a:2", "(a -) ");
  row("devices in an order of their own", R"(sdy.mesh @m = <["a"=2], device_ids=[1, 0]>)", R"(@m, [{"a"}, {}])", "a:2", "(a -)");
  row("a mesh in place", "", R"(mesh<["a"=2, "b"=2]>, [{"a"}, {}])", "a:2 b:2", "(a -)");
  row("replicated", R"(sdy.mesh @m = <["a"=2]>)", R"(@m, [])", "a:2", "(- -)");
}

void StablehloShardingTest::reads() {
  QFETCH(QString, meshes);
  QFETCH(QString, shardings);
  QFETCH(QString, mesh);
  QFETCH(QString, found);
  const xla::Module module = xla::parseStableHlo(program(meshes, shardings), "a.mlir");
  QCOMPARE(meshOf(module), mesh);
  QStringList each;
  const QString text = QString::fromStdString(tests::printed(module)).section('\n', 0, 0);
  for (const QString& part : text.mid(1, text.size() - 2).split(QStringLiteral(":f32[4,8]")).mid(1)) each << part.section('@', 1).section(')', 0, 0) + (part.contains('@') ? ")" : "");
  QCOMPARE(each.join(' '), found);
}

void StablehloShardingTest::refuses_data() {
  QTest::addColumn<QString>("meshes");
  QTest::addColumn<QString>("shardings");
  QTest::addColumn<QString>("what");
  auto row = [](const char* name, const char* meshes, const char* shardings, const char* what) { QTest::newRow(name) << meshes << shardings << what; };
  row("an unknown mesh", "", R"(@m, [{"a"}, {}])", "2:68: the mesh @m is not declared");
  row("an unknown axis", R"(sdy.mesh @m = <["a"=2]>)", R"(@m, [{"b"}, {}])", "no axis \"b\"");
  row("a mesh twice", R"(sdy.mesh @m = <["a"=2]>;sdy.mesh @m = <["a"=2]>)", R"(@m, [{"a"}, {}])", "2:11: the mesh @m is declared twice");
  row("an axis twice", R"(sdy.mesh @m = <["a"=2]>)", R"(@m, [{"a"}, {"a"}])", "splits the value twice");
  row("other axes", R"(sdy.mesh @m = <["a"=2]>)", R"(@m, [{"a"}])", "a sharding of 1 axes stands at a value of 2");
  row("no part", R"(sdy.mesh @m = <["a"=8]>)", R"(@m, [{"a":(3)2}, {}])", "no part of an axis of size 8");
  row("parts that cross", R"(sdy.mesh @m = <["a"=12]>)", R"(@m, [{"a":(2)6}, {}]; @m, [{"a":(3)4}, {}])", "no common parts");
  row("other devices", R"(sdy.mesh @m = <["a"=2]>;sdy.mesh @n = <["a"=4]>)", R"(@m, [{"a"}, {}]; @n, [{"a"}, {}])", "meshes of 2 and of 4 devices");
  row("other orders", R"(sdy.mesh @m = <["a"=2]>;sdy.mesh @n = <["a"=2], device_ids=[1, 0]>)", R"(@m, [{"a"}, {}]; @n, [{"a"}, {}])", "different orders");
  row("no size", R"(sdy.mesh @m = <["a"=0]>)", R"(@m, [])", "no size that a mesh can have");
  row("too many devices", R"(sdy.mesh @m = <["a"=4294967296]>)", R"(@m, [])", "no size that a mesh can have");
}

void StablehloShardingTest::refuses() {
  QFETCH(QString, meshes);
  QFETCH(QString, shardings);
  QFETCH(QString, what);
  try {
    xla::parseStableHlo(program(meshes, shardings), "a.mlir");
  } catch (const Error& error) {
    const QString found = QString::fromStdString(error.text());
    QVERIFY2(found.startsWith("a.mlir:") && found.contains(what), qPrintable(found));
    return;
  }
  QFAIL("was read");
}

void StablehloShardingTest::shardsArgumentsAndResults() {
  const xla::Module module = xla::parseStableHlo(R"(module @jit_f attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%arg0: tensor<8x8xf32> {mhlo.layout_mode = "default", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8x8xf32> {jax.result_info = "", sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) {
    %0 = sdy.sharding_constraint %arg0 <@mesh, [{?}, {"x"}]> : tensor<8x8xf32>
    %1:2 = stablehlo.optimization_barrier %0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>, <@mesh, [{"x", "y"}]>]>} : tensor<8x8xf32>, tensor<8xf32>
    return %1#1, %1#0 : tensor<8xf32>, tensor<8x8xf32>
  }
})", "a.mlir");
  QCOMPARE(meshOf(module), "x:2 y:2");
  QCOMPARE(QString::fromStdString(tests::printed(module)),
           "(arg0:f32[8,8]@(x -) arg1:f32[8])\n"
           "0:f32[8,8]@(- x) = sharding_constraint(arg0)\n"
           "1#0:f32[8,8]@(y -) 1#1:f32[8]@(x+y) = optimization_barrier(0 arg1)\n"
           "-> 1#1 1#0 @any @(- y)");
}

void StablehloShardingTest::readsWhatRoundTripsLeave() {
  const xla::Module module = xla::parseStableHlo(R"(module @m attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\22x\22=2, \"y\"=2]>}"}} {
  func.func @main(%arg0: tensor<8x8xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{\22x\22}, {}]>"}, mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"}) -> tensor<8x8xf32> {
    %0 = stablehlo.custom_call @Sharding(%arg0) {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{}, {\22y\22}]>]>"}} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
})", "a.mlir");
  QCOMPARE(meshOf(module), "x:2 y:2");
  QCOMPARE(module.partitions, std::int64_t(4));
  const xla::Computation& main = module.computations.at(0);
  QCOMPARE(main.values.at(0).sharding->axes, (std::vector<std::vector<std::string>>{{"x"}, {}}));
  QCOMPARE(main.values.at(1).sharding->axes, (std::vector<std::vector<std::string>>{{}, {"y"}}));
}

void StablehloShardingTest::readsTilings() {
  const xla::Module module = xla::parseStableHlo(R"(module @m attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%arg0: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"}, %arg1: tensor<f32> {mhlo.sharding = ""}) -> (tensor<8x8xf32> {mhlo.sharding = "{devices=[1,4]<=[4]}"}) {
    %0 = stablehlo.custom_call @Sharding(%arg0) {mhlo.sharding = "{replicated}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
})", "a.mlir");
  QCOMPARE(meshOf(module), "x:2 y:2");
  QCOMPARE(QString::fromStdString(tests::printed(module)),
           "(arg0:f32[8,8]@(x -) arg1:f32[])\n"
           "0:f32[8,8]@(- -) = custom_call(arg0) call_target_name=\"Sharding\"\n"
           "-> 0 @(- x+y)");
}

QTEST_GUILESS_MAIN(StablehloShardingTest)
#include "stablehlo_sharding_test.moc"
