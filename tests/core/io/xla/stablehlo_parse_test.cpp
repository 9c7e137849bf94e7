#include <QtTest>
#include <filesystem>
#include <fstream>
#include <span>
#include <sstream>

#include "core/base/error.h"
#include "core/io/detect.h"
#include "core/io/xla/stablehlo.h"
#include "tests/support/xla_text.h"

// Modules as a whole, and texts that are none.

using namespace core;

class StablehloParseTest : public QObject {
  Q_OBJECT
 private slots:
  void readsAModule();
  void readsTheGenericForm();
  void readsFunctionsWithoutAModule();
  void knowsAliases();
  void namesWhatTheSourceNames();
  void choosesTheEntry();
  void keepsWhatIsGlobal();
  void broadcastsWhatIsLarge();
  void isToldByItsFirstLines();
  void refuses_data();
  void refuses();
  void refusesBytecode();
  void refusesRecursion();
  void endsWhereTheTextIsCut();
  void endsInDeepTexts_data();
  void endsInDeepTexts();
};

namespace {

std::string problem(const std::string& text) {
  try {
    xla::parseStableHlo(text, "a.mlir");
  } catch (const Error& error) {
    return error.text();
  }
  return "read";
}

std::string inMain(const std::string& lines) { return "func.func @main(%a: tensor<4xf32>) {\n" + lines + "\n  return\n}\n"; }

}  // namespace

void StablehloParseTest::readsAModule() {
  const xla::Module module = xla::parseStableHlo(R"(// a comment
module @jit_main attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32> {mhlo.layout_mode = "default"}, %arg1: tensor<f32>) -> (tensor<4xf32> {jax.result_info = ""}) {
    %0 = call @twice(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func private @twice(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {a = 1} {
    %0 = stablehlo.add %arg0, %arg0 : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
)", "a.mlir");
  QCOMPARE(module.format, std::string("StableHLO"));
  QCOMPARE(module.name, std::string("jit_main"));
  QCOMPARE(module.partitions, std::int64_t(8));
  QCOMPARE(module.instructions, std::int64_t(2));
  QVERIFY(module.mesh.empty());
  const xla::Computation& main = module.computations.at(static_cast<std::size_t>(module.entry));
  QCOMPARE(main.instructions.at(0).line, std::int64_t(4));
  QCOMPARE(QString::fromStdString(tests::printed(module)),
           "(arg0:f32[4] arg1:f32[])\n"
           "0:f32[4] = call(arg0) {(arg0:f32[4]); 0:f32[4] = add(arg0 arg0); -> 0}\n"
           "-> 0");
}

void StablehloParseTest::readsTheGenericForm() {
  const xla::Module module = xla::parseStableHlo(R"("builtin.module"() <{sym_name = "m"}> ({
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4xf32>):
    %0 = "func.call"(%arg0) <{callee = @f}> : (tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%0) : (tensor<4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "f", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4xf32>):
    "func.return"(%arg0) : (tensor<4xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 2 : i32} : () -> ()
)", "a.mlir");
  QCOMPARE(module.name, std::string("m"));
  QCOMPARE(module.partitions, std::int64_t(2));
  QCOMPARE(QString::fromStdString(tests::printed(module)), "(arg0:f32[4])\n0:f32[4] = call(arg0) {(arg0:f32[4]); -> arg0}\n-> 0");
}

void StablehloParseTest::readsFunctionsWithoutAModule() {
  const xla::Module module = xla::parseStableHlo("func.func private @g(tensor<f32>) -> tensor<f32>\nfunc.func @f(%x: tensor<f32>) -> tensor<f32> {\n  func.return %x : tensor<f32>\n}", "a.mlir");
  QCOMPARE(QString::fromStdString(tests::printed(module)), "(x:f32[])\n-> x");
}

void StablehloParseTest::knowsAliases() {
  const xla::Module module = xla::parseStableHlo(R"(#dot = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>
#dims = array<i64: 2, 3>
!vector4 = tensor<4xf32>
func.func @main(%a: !vector4) -> tensor<f32> {
  %0 = "stablehlo.dot_general"(%a, %a) <{dot_dimension_numbers = #dot, sizes = #dims}> : (!vector4, !vector4) -> tensor<f32>
  return %0 : tensor<f32>
}
)", "a.mlir");
  QCOMPARE(QString::fromStdString(tests::printed(module)),
           "(a:f32[4])\n0:f32[] = dot_general(a a) lhs_contracting_dimensions=[0] rhs_contracting_dimensions=[0] sizes=[2,3]\n-> 0");
}

void StablehloParseTest::namesWhatTheSourceNames() {
  const xla::Module module = xla::parseStableHlo(R"(module {
  func.func @main(%arg0: tensor<f32> loc("params['w']"), %arg1: tensor<f32> loc(#loc4)) -> tensor<f32> {
    %0 = stablehlo.add %arg0, %arg1 : tensor<f32> loc(#loc2)
    %1 = stablehlo.add %0, %arg1 : tensor<f32> loc(callsite("jit(f)/mul"(#loc1) at #loc1))
    %2 = stablehlo.add %1, %arg1 : tensor<f32> loc(fused<"x">["jit(f)/sub", #loc1])
    %3 = stablehlo.add %2, %arg1 : tensor<f32> loc(unknown)
    return %3 : tensor<f32> loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc = loc(unknown)
#loc1 = loc("a.py":1:2)
#loc2 = loc(#loc3)
#loc3 = loc("jit(f)/jit(main)/add"(#loc1))
#loc4 = loc("x")
)", "a.mlir");
  const xla::Computation& main = module.computations.at(0);
  QCOMPARE(main.values.at(0).name, std::string("params['w']"));
  QCOMPARE(main.values.at(1).name, std::string("x"));
  QCOMPARE(main.instructions.at(0).scope, std::string("jit(f)/jit(main)/add"));
  QCOMPARE(main.instructions.at(1).scope, std::string("jit(f)/mul"));
  QCOMPARE(main.instructions.at(2).scope, std::string("jit(f)/sub"));
  QCOMPARE(main.instructions.at(3).scope, std::string());
}

void StablehloParseTest::choosesTheEntry() {
  const std::string f = "func.func @f() {\n  return\n}\n", g = "func.func private @g() {\n  return\n}\n", main = "func.func @main() {\n  return\n}\n";
  QCOMPARE(xla::parseStableHlo(f + g, "").entry, 0);
  QCOMPARE(xla::parseStableHlo(g + f + main, "").entry, 2);
  QVERIFY(problem(g).find("no function that could be run") != std::string::npos);
  QVERIFY(problem(f + "func.func @h() {\n  return\n}\n").find("no function is @main") != std::string::npos);
}

void StablehloParseTest::keepsWhatIsGlobal() {
  const xla::Module module = xla::parseStableHlo(R"(module {
  util.global private @"weights.0" {inlining_policy = #util.inline.never} = #util.byte_pattern<1> : tensor<4xf32>
  func.func @main() -> tensor<4xf32> {
    %ptr.0 = util.global.address @"weights.0" : !util.ptr<tensor<4xf32>>
    %0 = util.global.load.indirect %ptr.0 : !util.ptr<tensor<4xf32>> -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
})", "a.mlir");
  const xla::Computation& main = module.computations.at(0);
  QCOMPARE(main.instructions.at(0).opcode, std::string("custom_call"));
  QCOMPARE(main.instructions.at(0).text("call_target_name", ""), std::string("util.global.address"));
  QVERIFY(main.instructions.at(0).text("global", "").find("#util.byte_pattern<1> : tensor<4xf32>") != std::string::npos);
  QCOMPARE(main.instructions.at(1).operands, std::vector<int>{0});
}

void StablehloParseTest::broadcastsWhatIsLarge() {
  const xla::Module module = xla::parseStableHlo(inMain("%0 = stablehlo.constant dense<1> : tensor<4611686018427387904xi8>"), "a.mlir");
  QCOMPARE(module.computations[0].instructions.size(), std::size_t(2));
  QCOMPARE(module.computations[0].instructions[0].literal->integers, std::vector<std::int64_t>{1});
}

void StablehloParseTest::isToldByItsFirstLines() {
  const auto isProgram = [](const std::string& text) { return detectFile(std::as_bytes(std::span(text))) == FileKind::stableHlo; };
  for (const char* text : {"module @jit_f attributes {} {\n}", "// RUN: x\n\n// y\nmodule {\n}", "#loc1 = loc(\"x\")\nmodule @jit_f {\n}", "sdy.mesh @mesh = <[\"a\"=2]>", "func.func @main() {\n}", "\"builtin.module\"() ({\n", "ML\xEFR"})
    QVERIFY2(isProgram(text), text);
  for (const char* text : {"# A title\n", "#!/bin/sh\n", "hello", "{}", "HloModule f"}) QVERIFY2(!isProgram(text), text);
}

void StablehloParseTest::refuses_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("where");
  QTest::addColumn<QString>("what");
  auto whole = [](const char* name, const char* text, const char* where, const char* what) { QTest::newRow(name) << text << where << what; };
  auto line = [](const char* name, const char* text, const char* where, const char* what) { QTest::newRow(name) << QString::fromStdString(inMain(text)) << where << what; };
  whole("nothing", "", "1:1", "no function that could be run");
  whole("another text", "hello", "1:1", "\"hello\" stands where a module or function should");
  whole("several modules", "func.func @main() {\n  return\n}\n// -----\nfunc.func @main() {\n  return\n}\n", "5:1", "several modules");
  whole("a second module", "module {\n}\nmodule {\n}", "3:8", "a second module");
  whole("a name twice", "func.func @main() {\n  return\n}\nfunc.func @main() {\n  return\n}\n", "4:12", "defined twice");
  whole("a wrong result", "func.func @main(%a: tensor<f32>) -> tensor<i32> {\n  return %a : tensor<f32>\n}", "1:12", "returns other values");
  whole("blocks", "func.func @main() {\n  return\n^bb1:\n  return\n}", "3:1", "control flow");
  line("an unknown value", "%0 = stablehlo.add %b, %a : tensor<4xf32>", "2:20", "nothing makes the value %b");
  line("a value twice", "%a = stablehlo.add %a, %a : tensor<4xf32>", "2:6", "%a is made twice");
  line("no such part", "%0:2 = stablehlo.optimization_barrier %a, %a : tensor<4xf32>, tensor<4xf32>\n%1 = stablehlo.abs %0#2 : tensor<4xf32>", "3:20", "%0 has 2 values, no 2");
  line("another type", "%0 = stablehlo.add %a, %a : (tensor<4xf32>, tensor<3xf32>) -> tensor<4xf32>", "2:28", "operand 1 of stablehlo.add");
  line("too few types", "%0 = stablehlo.add %a, %a : (tensor<4xf32>) -> tensor<4xf32>", "2:28", "2 operands, but 1 types");
  line("too few results", "%0:2 = stablehlo.add %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>", "2:8", "makes 1 values, but 2 are named");
  line("no type", "%0 = stablehlo.add %a, %a\n", "5:1", "\"}\" stands where a part of stablehlo.add should");
  line("an unknown type", "%0 = stablehlo.convert %a : tensor<4xq7>", "2:38", "\"q7\" is no type");
  line("a tuple", "%0 = stablehlo.tuple %a : tuple<tensor<4xf32>>", "2:27", "tuples are not read");
  line("no known number of axes", "%0 = stablehlo.convert %a : tensor<*xf32>", "2:36", "the number of axes");
  line("a tensor that is too large", "%0 = stablehlo.convert %a : tensor<4294967296x4294967296xf32>", "2:36", "2^62");
  line("a number that is too large", "%0 = stablehlo.convert %a : tensor<99999999999999999999xf32>", "2:36", "2^62");
  line("an unknown function", "%0 = call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>", "2:6", "@f is not defined");
  line("an unknown alias of a type", "%0 = stablehlo.convert %a : !foo", "2:29", "!foo is not defined");
  line("values elsewhere", "%0 = stablehlo.constant dense_resource<w> : tensor<4xf32>", "2:25", "dense_resource");
  line("too few values", "%0 = stablehlo.constant dense<[1, 2]> : tensor<3xi32>", "2:31", "only 2 values stand for an axis of size 3");
  line("too many values", "%0 = stablehlo.constant dense<[1, 2]> : tensor<1xi32>", "2:31", "more than 1 values");
  line("no values", "%0 = stablehlo.constant dense<> : tensor<3xi32>", "2:31", "no value stands for 3");
  line("too few axes", "%0 = stablehlo.constant dense<[[1]]> : tensor<1xi32>", "2:32", "more axes than the 1");
  line("a number out of range", "%0 = stablehlo.constant dense<[1, 300]> : tensor<2xi8>", "2:35", "does not fit s8");
  line("a real whole number", "%0 = stablehlo.constant dense<1.5> : tensor<2xi8>", "2:31", "no number of type s8");
  line("too few bytes", "%0 = stablehlo.constant dense<\"0x00FF\"> : tensor<3xi8>", "2:31", "2 bytes stand for 3 elements");
  line("no bytes", "%0 = stablehlo.constant dense<\"0x0G\"> : tensor<1xi8>", "2:34", "hexadecimal");
  line("no convolution", "%0 = stablehlo.convolution(%a, %a) dim_numbers = [b, f, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>", "2:51", "axes of a convolution");
  line("an open text", "%0 = stablehlo.custom_call @f(%a) {a = \"b} : (tensor<4xf32>) -> tensor<4xf32>", "2:40", "a text has no end");
}

void StablehloParseTest::refuses() {
  QFETCH(QString, text);
  QFETCH(QString, where);
  QFETCH(QString, what);
  const QString found = QString::fromStdString(problem(text.toStdString()));
  QVERIFY2(found.startsWith("a.mlir:" + where + ": "), qPrintable(found));
  QVERIFY2(found.contains(what), qPrintable(found));
}

void StablehloParseTest::refusesBytecode() { QVERIFY(problem("ML\xEFR\x01").find("bytecode") != std::string::npos); }

void StablehloParseTest::refusesRecursion() {
  auto calling = [](const char* name, const char* called) { return QStringLiteral("func.func @%1() {\n  call @%2() : () -> ()\n  return\n}\n").arg(name, called).toStdString(); };
  QVERIFY(problem(calling("main", "f") + calling("f", "g") + calling("g", "f")).find("calls itself") != std::string::npos);
  QCOMPARE(problem(calling("main", "f") + calling("f", "g") + calling("g", "h") + "func.func @h() {\n  return\n}\n"), std::string("read"));
}

// Every text that is cut somewhere is either refused with a place in it or still a whole module.
void StablehloParseTest::endsWhereTheTextIsCut() {
  int refused = 0;
  for (const auto& entry : std::filesystem::directory_iterator(MESHWRIGHT_SOURCE "/tests/data/stablehlo")) {
    if (entry.path().extension() != ".mlir") continue;
    std::ifstream stream(entry.path());
    std::stringstream text;
    text << stream.rdbuf();
    const std::string whole = text.str();
    QCOMPARE(problem(whole), std::string("read"));
    for (std::size_t size = 0; size < whole.size(); size += 16) {
      const std::string found = problem(whole.substr(0, size));
      if (found == "read") continue;
      QVERIFY2(found.starts_with("a.mlir:"), found.c_str());
      ++refused;
    }
  }
  QVERIFY(refused > 1000);
}

void StablehloParseTest::endsInDeepTexts_data() {
  QTest::addColumn<QString>("before");
  QTest::addColumn<QString>("each");
  auto row = [](const char* name, const char* before, const char* each) { QTest::newRow(name) << before << each; };
  row("lists", "func.func @main() {\n  %0 = stablehlo.constant dense<", "[");
  row("attributes", "func.func @main() {\n  stablehlo.custom_call @f() {a = ", "[");
  row("dictionaries", "func.func @main() {\n  stablehlo.custom_call @f() ", "{a = ");
  row("types", "func.func @main(%a: ", "tensor<");
  row("functions' types", "func.func @main(%a: ", "(");
  row("regions", "func.func @main(%a: tensor<i32>) {\n", "\"stablehlo.case\"(%a) ({");
  row("locations", "func.func @main(%a: tensor<i32> loc(", "callsite(");
  row("aliases", "#a = ", "[");
  row("modules", "", "module {");
  row("brackets", "func.func @main() {\n  util.x ", "(");
}

void StablehloParseTest::endsInDeepTexts() {
  QFETCH(QString, before);
  QFETCH(QString, each);
  const std::string found = problem((before + each.repeated(200'000)).toStdString());
  QVERIFY2(found.starts_with("a.mlir:"), found.c_str());
}

QTEST_GUILESS_MAIN(StablehloParseTest)
#include "stablehlo_parse_test.moc"
