#include "core/cost/classes.h"

#include <QtTest>

#include "core/cost/price.h"
#include "tests/core/cost/small_program.h"

using namespace core;
using namespace core::tests;

class ClassesTest : public QObject {
  Q_OBJECT

 private slots:
  void devicesWithEqualExtentsAreOneClass();
  void unevenBlocksAreTold();
  void nestedBlocksAreToldByTheirParents();
  void eightThousandDevicesAreAsFewClassesAsEight();
  void everyDeviceCostsWhatItsClassCosts();
  void manyRedistributesStayBelowTheLimit();
};

namespace {

void addRows(ProgramBuilder& build, std::int64_t rows, AxisList axes) {
  const BufferId x = build.buffer("x", {rows, 2}, placed({axes, {}})), w = build.buffer("w", {2, 2}, placed({{}, {}}));
  const BufferId y = build.buffer("y", {rows, 2}, placed({axes, {}}));
  build.compute("matmul " + std::to_string(rows), build.matmul(rows, 2, 2), {axes, {}, {}}, {x, w}, {y});
}

}  // namespace

void ClassesTest::devicesWithEqualExtentsAreOneClass() {
  ProgramBuilder build("data:4,model:2");
  addRows(build, 8, {0});
  QCOMPARE(coordinateClasses(build.program), (std::vector<CoordinateClass>{{{0, 0}, 8}}));
}

void ClassesTest::unevenBlocksAreTold() {
  ProgramBuilder build("data:4,model:2");
  addRows(build, 10, {0});  // 3 3 3 1
  QCOMPARE(coordinateClasses(build.program), (std::vector<CoordinateClass>{{{0, 0}, 6}, {{3, 0}, 2}}));
}

// 17 over a:2, b:4: 9 is 3 3 3 0, 8 is 3 3 2 0
void ClassesTest::nestedBlocksAreToldByTheirParents() {
  ProgramBuilder build("a:2,b:4");
  addRows(build, 17, {0, 1});
  std::int64_t devices = 0;
  for (const CoordinateClass& one : coordinateClasses(build.program)) devices += one.devices;
  QCOMPARE(devices, 8);
  QCOMPARE(coordinateClasses(build.program).size(), 6u);  // a: both differ; b: {0,1}, 2, 3
}

void ClassesTest::eightThousandDevicesAreAsFewClassesAsEight() {
  for (const char* mesh : {"data:4,model:2", "data:1024,model:8"}) {
    ProgramBuilder build(mesh);
    addRows(build, 1024 * 8 * 2 - 3, {0});
    addRows(build, 4096 - 1, {1});
    QCOMPARE(coordinateClasses(build.program).size(), 4u);
  }
}

void ClassesTest::everyDeviceCostsWhatItsClassCosts() {
  ProgramBuilder build("a:3,b:2,c:2");
  addRows(build, 7, {0, 1});
  addRows(build, 5, {1, 0});
  addRows(build, 9, {2});
  const BufferId x = build.buffer("r", {6, 5}, placed({{0}, {1}})), y = build.buffer("s", {30}, placed({{1, 0}}));
  build.collective("reshape", CollectiveKind::redistribute, {0, 1}, {x}, {y});
  const std::vector<CoordinateClass> classes = coordinateClasses(build.program);
  std::int64_t devices = 0;
  std::map<std::vector<std::int64_t>, std::int64_t> byClass, byDevice;
  const auto figures = [&](const Coordinate& at) {
    std::vector<std::int64_t> all;
    for (const Instruction& one : build.program.instructions) {
      const InstructionCost cost = price(build.program, one, at, nullptr);
      all.insert(all.end(), {cost.flops, cost.bytesIn, cost.bytesOut});
    }
    return all;
  };
  for (const CoordinateClass& one : classes) {
    devices += one.devices;
    byClass[figures(one.first)] += one.devices;
  }
  for (std::int64_t rank = 0; rank < build.program.mesh.devices(); ++rank) ++byDevice[figures(build.program.mesh.coordinate(rank))];
  QCOMPARE(devices, build.program.mesh.devices());
  QVERIFY(byClass == byDevice);
}

void ClassesTest::manyRedistributesStayBelowTheLimit() {
  ProgramBuilder build("m:64");
  const BufferId flat = build.buffer("flat", {1000}, placed({{0}})), columns = build.buffer("columns", {8, 125}, placed({{}, {0}}));
  build.collective("reshape", CollectiveKind::redistribute, {0}, {flat}, {columns});
  QCOMPARE(coordinateClasses(build.program, 64).size(), 5u);
  QCOMPARE(coordinateClasses(build.program, 4).size(), 3u);  // by extents: 16 or 8 or no elements, 2 or 1 or no columns
}

QTEST_GUILESS_MAIN(ClassesTest)
#include "classes_test.moc"
