#include <QtTest>

#include "core/base/error.h"
#include "core/io/xla/hlo.h"
#include "core/io/xla/lower.h"

// HLO text: what is read of it, where it is wrong, and that any cut is refused.

using namespace core;
using xla::Module;

class HloParseTest : public QObject {
  Q_OBJECT
 private slots:
  void readsAProgram();
  void readsAttributes_data();
  void readsAttributes();
  void namesTheMesh_data();
  void namesTheMesh();
  void unrollsCountedLoops();
  void saysWhereTheTextIsWrong_data();
  void saysWhereTheTextIsWrong();
  void refusesEveryCut();
};

namespace {

const std::string mlp = R"(HloModule jit_step, entry_computation_layout={(f32[8,4]{1,0}, f32[4,6]{1,0})->f32[8]{0}}, num_partitions=4

%region_0.1 (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %add.2 = f32[] add(%a, %b)
}

ENTRY %main.9 (x.1: f32[8,4], w.2: f32[4,6]) -> f32[8] {
  %x.1 = f32[8,4]{1,0} parameter(0), sharding={devices=[2,2]<=[4]}, metadata={op_name="inputs[0]"}
  %w.2 = f32[4,6]{1,0} parameter(1), sharding={devices=[1,2,2]<=[2,2]T(1,0) last_tile_dim_replicate}, metadata={op_name="params['mlp']['kernel']"}
  %dot.3 = f32[8,6]{1,0} dot(%x.1, %w.2), lhs_contracting_dims={1}, rhs_contracting_dims={0}, metadata={op_name="jit(step)/jvp(Model)/mlp/dot_general"}
  %constant.4 = f32[] constant(0)
  ROOT %reduce.5 = f32[8]{0} reduce(%dot.3, /*index=1*/%constant.4), dimensions={1}, to_apply=%region_0.1
}
)";

std::string entry(const std::string& lines) { return "HloModule m\n\nENTRY main {\n" + lines + "}\n"; }

const xla::Instruction& last(const Module& module) { return module.computations.at(static_cast<std::size_t>(module.entry)).instructions.back(); }

}  // namespace

void HloParseTest::readsAProgram() {
  const Module module = xla::parseHlo(mlp, "m.hlo");
  QCOMPARE(module.name, std::string("jit_step"));
  QCOMPARE(module.partitions, std::int64_t{4});
  QCOMPARE(module.computations.size(), std::size_t{2});
  const xla::Computation& main = module.computations.at(static_cast<std::size_t>(module.entry));
  QCOMPARE(main.parameters.size(), std::size_t{2});
  QCOMPARE(main.instructions.size(), std::size_t{3});
  QCOMPARE(main.instructions[0].opcode, std::string("dot_general"));
  QCOMPARE(main.instructions[0].integers("lhs_contracting_dimensions"), std::vector<std::int64_t>{1});
  QCOMPARE(main.instructions[0].line, std::int64_t{12});
  QCOMPARE(main.instructions[2].computations.size(), std::size_t{1});
  QCOMPARE(main.values[static_cast<std::size_t>(main.parameters[1])].name, std::string("params['mlp']['kernel']"));
  const positional::Model model = xla::lower(module);
  QCOMPARE(model.values[static_cast<std::size_t>(model.inputs[1])].name, std::string("mlp.kernel"));
  QVERIFY(!model.values[static_cast<std::size_t>(model.inputs[1])].isFed);
  QVERIFY(model.values[static_cast<std::size_t>(model.inputs[0])].isFed);
  QCOMPARE(model.nodes[0].type, std::string("Einsum"));
  QCOMPARE(model.nodes[0].name, std::string("Model/mlp/dot_general"));
}

void HloParseTest::readsAttributes_data() {
  QTest::addColumn<QString>("lines");
  QTest::addColumn<QString>("key");
  QTest::addColumn<QList<qint64>>("values");
  const QString x = "x = f32[4,6] parameter(0)\n";
  QTest::newRow("transpose") << x + "ROOT t = f32[6,4]{0,1} transpose(x), dimensions={1,0}\n" << "permutation" << QList<qint64>{1, 0};
  QTest::newRow("broadcast") << x + "ROOT t = f32[4,2,6] broadcast(f32[4,6]{1,0} x), dimensions={0,2}\n" << "broadcast_dimensions" << QList<qint64>{0, 2};
  QTest::newRow("slice") << x + "ROOT t = f32[2,3] slice(x), slice={[1:3], [0:6:2]}\n" << "strides" << QList<qint64>{1, 2};
  QTest::newRow("pad") << x + "z = f32[] constant(0)\nROOT t = f32[7,7] pad(x, z), padding=0_0_1x1_0\n" << "interior_padding" << QList<qint64>{1, 0};
  QTest::newRow("window") << "x = f32[1,6,6,3] parameter(0)\nw = f32[3,3,3,8] parameter(1)\nROOT t = f32[1,3,3,8] convolution(x, w), window={size=3x3 stride=2x2 pad=0_1x1_0}, dim_labels=b01f_01io->b01f\n" << "padding" << QList<qint64>{0, 1, 1, 0};
  QTest::newRow("labels") << "x = f32[1,6,6,3] parameter(0)\nw = f32[3,3,3,8] parameter(1)\nROOT t = f32[1,6,6,8] convolution(x, w), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f\n" << "kernel_spatial_dimensions" << QList<qint64>{0, 1};
}

void HloParseTest::readsAttributes() {
  QFETCH(QString, lines);
  QFETCH(QString, key);
  QFETCH(QList<qint64>, values);
  const Module module = xla::parseHlo(entry(lines.toStdString()), "m.hlo");
  const auto found = last(module).integers(key.toStdString());
  QCOMPARE(QList<qint64>(found.begin(), found.end()), values);
}

void HloParseTest::namesTheMesh_data() {
  QTest::addColumn<QString>("head");
  QTest::addColumn<QString>("sharding");
  QTest::addColumn<QString>("mesh");
  QTest::addColumn<QString>("axes");  // of each axis of the tensor
  QTest::newRow("one axis") << "num_partitions=4" << "{devices=[4,1]<=[4]}" << "x:4" << "x|";
  QTest::newRow("grid") << "num_partitions=8" << "{devices=[2,4]<=[8]}" << "x:2 y:4" << "x|y";
  QTest::newRow("turned") << "num_partitions=8" << "{devices=[4,2]<=[2,4]T(1,0)}" << "x:2 y:4" << "y|x";
  QTest::newRow("one by one") << "num_partitions=4" << "{devices=[2,2]0,2,1,3}" << "x:2 y:2" << "y|x";
  QTest::newRow("replicated behind") << "num_partitions=8" << "{devices=[1,2,4]<=[8] last_tile_dim_replicate}" << "x:2 y:4" << "|x";
  QTest::newRow("kinds behind") << "num_partitions=8" << "{devices=[2,1,2,2]<=[8] last_tile_dims={manual, replicated}}" << "x:2 y:4" << "x|";
  QTest::newRow("replicated") << "num_partitions=2" << "{replicated}" << "x:2" << "|";
  QTest::newRow("named") << "num_partitions=8, frontend_attributes={xla.sdy.meshes={mesh = #sdy.mesh<[\"data\"=2, \"stage\"=1, \"model\"=4]>}}" << "{devices=[4,2]<=[2,4]T(1,0)}" << "data:2 model:4" << "model|data";
  QTest::newRow("part of a named one") << "num_partitions=8, frontend_attributes={xla.sdy.meshes={mesh = #sdy.mesh<[\"all\"=8]>}}" << "{devices=[2,1,4]<=[8] last_tile_dim_replicate}" << "all_1:2 all_2:4" << "all_1|";
}

void HloParseTest::namesTheMesh() {
  QFETCH(QString, head);
  QFETCH(QString, sharding);
  QFETCH(QString, mesh);
  QFETCH(QString, axes);
  const QString text = "HloModule m, " + head + "\n\nENTRY main {\n  ROOT x = f32[16,8] parameter(0), sharding=" + sharding + "\n}\n";
  const Module module = xla::parseHlo(text.toStdString(), "m.hlo");
  QStringList named, split;
  for (const xla::Axis& axis : module.mesh) named << QString("%1:%2").arg(QString::fromStdString(axis.name)).arg(axis.size);
  QCOMPARE(named.join(' '), mesh);
  const xla::Computation& main = module.computations[0];
  for (const auto& of : main.values[static_cast<std::size_t>(main.parameters[0])].sharding->axes) {
    QStringList one;
    for (const std::string& axis : of) one << QString::fromStdString(axis);
    split << one.join(',');
  }
  QCOMPARE(split.join('|'), axes);
}

// A carried counter from 0 to 3 picks a row each time; what is collected is one tensor in the end.
void HloParseTest::unrollsCountedLoops() {
  const Module module = xla::parseHlo(R"(HloModule scan

body {
  p = (s32[], f32[3,4], f32[3,4]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[3,4] get-tuple-element(p), index=1
  y = f32[3,4] get-tuple-element(p), index=2
  zero = s32[] constant(0)
  row = f32[1,4] dynamic-slice(x, i, zero), dynamic_slice_sizes={1,4}
  twice = f32[1,4] add(row, row)
  new = f32[3,4] dynamic-update-slice(y, twice, i, zero)
  one = s32[] constant(1)
  next = s32[] add(i, one)
  ROOT t = (s32[], f32[3,4], f32[3,4]) tuple(next, x, new)
}

cond {
  p = (s32[], f32[3,4], f32[3,4]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(3)
  ROOT less = pred[] compare(i, n), direction=LT
}

ENTRY main {
  x = f32[3,4] parameter(0)
  zero = f32[] constant(0)
  empty = f32[3,4] broadcast(zero), dimensions={}
  start = s32[] constant(0)
  state = (s32[], f32[3,4], f32[3,4]) tuple(start, x, empty)
  loop = (s32[], f32[3,4], f32[3,4]) while(state), condition=cond, body=body
  ROOT y = f32[3,4] get-tuple-element(loop), index=2
}
)",
                                      "scan.hlo");
  const positional::Model model = xla::lower(module);
  std::map<std::string, int> types;
  for (const positional::Node& node : model.nodes) ++types[node.type];
  QCOMPARE(types["Gather"], 3);
  QCOMPARE(types["Add"], 3);
  QCOMPARE(types["Concat"], 1);
  QCOMPARE(types.count("while"), std::size_t{0});
}

void HloParseTest::saysWhereTheTextIsWrong_data() {
  QTest::addColumn<QString>("lines");
  QTest::addColumn<QString>("what");
  QTest::addColumn<QString>("where");
  QTest::newRow("unknown operand") << "ROOT t = f32[4] negate(x)\n" << "nothing before makes \"x\"" << "m.hlo:4:";
  QTest::newRow("no root") << "x = f32[4] parameter(0)\n" << "ROOT" << "m.hlo:6:";
  QTest::newRow("twice") << "x = f32[4] parameter(0)\nx = f32[4] parameter(1)\nROOT y = f32[4] negate(x)\n" << "two instructions \"x\"" << "m.hlo:5:";
  QTest::newRow("missing parameter") << "ROOT x = f32[4] parameter(1)\n" << "lacks parameter(0)" << "m.hlo:6:";
  QTest::newRow("short constant") << "ROOT x = f32[3] constant({1, 2})\n" << "2 elements" << "m.hlo:4:";
  QTest::newRow("long constant") << "ROOT x = f32[2] constant({1, 2, 3})\n" << "more than 2" << "m.hlo:4:";
  QTest::newRow("huge constant") << "ROOT x = f32[1099511627776] constant({1})\n" << "elements" << "m.hlo:4:";
  QTest::newRow("huge type") << "ROOT x = f32[4611686018427387904,8] parameter(0)\n" << "" << "";
  QTest::newRow("negative size") << "ROOT x = f32[-4] parameter(0)\n" << "negative" << "m.hlo:4:";
  QTest::newRow("bounded size") << "ROOT x = f32[<=4] parameter(0)\n" << "bound" << "m.hlo:4:";
  QTest::newRow("labels") << "x = f32[1,6,3] parameter(0)\nROOT y = f32[1,6,3] convolution(x, x), window={size=3}, dim_labels=b0_0io->b0f\n" << "labels no convolution" << "m.hlo:5:";
  QTest::newRow("uneven tiles") << "ROOT x = f32[12] parameter(0), sharding={devices=[6]<=[4]}\n" << "6 tiles, 4 devices" << "m.hlo:4:";
  QTest::newRow("order of devices") << "ROOT x = f32[12] parameter(0), sharding={devices=[4]0,3,1,2}\n" << "order that no mesh has" << "m.hlo:4:";
  QTest::newRow("unknown sharding") << "ROOT x = f32[12] parameter(0), sharding={sliced}\n" << "\"sliced\" is no sharding" << "m.hlo:4:";
  QTest::newRow("other type") << "x = f32[4] parameter(0)\nROOT y = f32[5] negate(x)\n" << "" << "";
}

void HloParseTest::saysWhereTheTextIsWrong() {
  QFETCH(QString, lines);
  QFETCH(QString, what);
  QFETCH(QString, where);
  try {
    xla::lower(xla::parseHlo(entry(lines.toStdString()), "m.hlo"));
    QFAIL("it was read");
  } catch (const Error& error) {
    QVERIFY2(QString::fromStdString(error.what).contains(what), error.text().c_str());
    QVERIFY2(QString::fromStdString(error.where).startsWith(where), error.text().c_str());
  }
}

void HloParseTest::refusesEveryCut() {
  for (std::size_t cut = 0; cut + 2 < mlp.size(); ++cut) {
    try {
      xla::parseHlo(mlp.substr(0, cut), "m.hlo");
      QFAIL(qPrintable(QString("cut at %1 it was read").arg(cut)));
    } catch (const Error& error) {
      QVERIFY2(error.where.rfind("m.hlo", 0) == 0, error.text().c_str());
    }
  }
}

QTEST_APPLESS_MAIN(HloParseTest)
#include "hlo_parse_test.moc"
