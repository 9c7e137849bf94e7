#include <QtTest>

#include <algorithm>
#include <cmath>
#include <random>

#include "core/layout/layout.h"
#include "core/ops/builder.h"
#include "core/spmd/partition.h"
#include "executor/local_cluster.h"

using namespace core;

namespace {

constexpr int triples = 1000;
constexpr unsigned firstSeed = 1;

// Grows a graph of random operators over a few dimensions, of sizes that divide and sizes that do not.
class RandomGraph {
 public:
  explicit RandomGraph(unsigned seed) : random_(seed) {
    for (const char* name : {"a", "b", "c", "d"}) dims_.push_back(build_.dim(name, 2 + pick(6)));
    for (int i = 0; i < 3; ++i) values_.push_back(build_.input("x" + std::to_string(i), someShape(), DType::f64));
    const int operators = 4 + pick(8);
    for (int i = 0; i < operators; ++i) grow();
    build_.output(values_.back());
  }

  Graph take() { return build_.take(); }

  std::string layout(const Mesh& mesh) {
    std::string text;
    for (const MeshAxis& axis : mesh.axes) {
      if (pick(4) == 0) continue;
      text += build_.graph()[dims_[static_cast<std::size_t>(pick(static_cast<int>(dims_.size())))]].name + ":" + axis.name + ";";
    }
    return text;
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  TensorId value() { return values_[static_cast<std::size_t>(pick(static_cast<int>(values_.size())))]; }
  const Shape& shapeOf(TensorId id) const { return build_.graph()[id].shape; }

  Shape someShape() {
    Shape shape;
    for (DimId dim : dims_)
      if (pick(2) == 0) shape.push_back(dim);
    if (shape.empty()) shape.push_back(dims_[0]);
    std::shuffle(shape.begin(), shape.end(), random_);
    return shape;
  }

  Shape someOf(const Shape& all) {
    Shape some;
    for (DimId dim : all)
      if (pick(2) == 0) some.push_back(dim);
    return some;
  }

  bool free(TensorId x, DimId dim) const { return std::find(shapeOf(x).begin(), shapeOf(x).end(), dim) == shapeOf(x).end(); }

  void grow() {
    const TensorId x = value(), y = value();
    const Shape& shape = shapeOf(x);
    switch (pick(10)) {
      case 0: return keep(build_.unary(pick(2) ? Function::tanh : Function::negate, x));
      case 1: return keep(build_.plus(x, y));
      case 2: return keep(build_.times(x, y));
      case 3: return keep(build_.times(x, 0.5));
      case 4: return keep(build_.sum(x, someOf(shape)));
      case 5: return keep(build_.reduce(Reduction::max, x, someOf(shape)));
      case 6: {
        Shape all = shape;
        for (DimId dim : shapeOf(y))
          if (free(x, dim)) all.push_back(dim);
        return keep(build_.einsum({x, y}, someOf(all)));
      }
      case 7: return renamed(x);
      case 8: return cut(x);
      default: return mergedAndSplit(x);
    }
  }

  void renamed(TensorId x) {
    if (shapeOf(x).empty()) return;
    const DimId from = shapeOf(x)[0];
    const DimId to = build_.newDim("r", build_.graph().size(from));
    dims_.push_back(to);
    keep(build_.rename(x, from, to));
  }

  void cut(TensorId x) {
    if (shapeOf(x).empty()) return;
    const DimId from = shapeOf(x)[0];
    const std::int64_t size = build_.graph().size(from);
    if (size < 2) return;
    const DimId into = build_.newDim("s", size - 1);
    const TensorId part = build_.slice(x, from, into, pick(2));
    keep(pick(2) ? part : build_.pad(part, into, from, 1, 0.25));
  }

  void mergedAndSplit(TensorId x) {
    if (shapeOf(x).size() < 2) return;
    const Shape pair{shapeOf(x)[0], shapeOf(x)[1]};
    const DimId whole = build_.newDim("m", build_.graph().size(pair[0]) * build_.graph().size(pair[1]));
    const TensorId merged = build_.merge(x, pair, whole);
    keep(merged);
    if (pick(2)) keep(build_.split(build_.unary(Function::sin, merged), whole, pair));
  }

  void keep(TensorId x) {
    if (build_.graph().elements(x) < 20000) values_.push_back(x);
  }

  std::mt19937 random_;
  GraphBuilder build_;
  Shape dims_;
  std::vector<TensorId> values_;
};

executor::Tensor filled(const Graph& graph, TensorId tensor) {
  std::vector<double> numbers;
  for (std::int64_t i = 0; i < graph.elements(tensor); ++i) numbers.push_back(std::sin(0.7 * static_cast<double>(i) + tensor.value));
  return executor::Tensor::of(graph[tensor].dtype, graph.sizes(tensor), numbers);
}

std::vector<double> runProgram(const Graph& graph, const Program& program) {
  executor::LocalCluster cluster(program, {.checking = true, .loadsStates = true});
  for (BufferId input : program.inputs) cluster.set(input, filled(graph, program.buffers[input.index()].tensor));
  cluster.step();
  return cluster.get(program.outputs[0]).values();
}

double largestDifference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0, scale = 1e-300;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::isnan(a[i]) ? INFINITY : std::abs(a[i] - b[i]));
    scale = std::max(scale, std::abs(b[i]));
  }
  return a.size() == b.size() ? largest / scale : INFINITY;
}

}  // namespace

class RandomProgramsTest : public QObject {
  Q_OBJECT
 private slots:
  void equalOneDevice();
};

void RandomProgramsTest::equalOneDevice() {
  const char* meshes[] = {"p:2", "p:3", "p:2,q:2", "p:2,q:3", "p:2,q:2,r:2"};
  int compared = 0, collectives = 0;
  for (unsigned seed = firstSeed; compared < triples; ++seed) {
    RandomGraph random(seed);
    const Mesh mesh = Mesh::of(meshes[seed % 5]);
    const std::string layout = random.layout(mesh);
    const Graph graph = random.take();
    if (hasErrors(check(Layout::of(layout), graph, mesh))) continue;
    const Program sharded = partition(graph, Layout::of(layout), mesh, {}).program;
    const QByteArray where = QStringLiteral("seed %1, layout %2, mesh %3").arg(seed).arg(QString::fromStdString(layout), QString::fromStdString(print(mesh))).toUtf8();
    const std::vector<Diagnostic> wrong = verify(sharded);
    QVERIFY2(wrong.empty(), wrong.empty() ? "" : (where + ": " + wrong[0].text().c_str()).constData());
    const double difference = largestDifference(runProgram(graph, sharded), runProgram(graph, partition(graph, {}, {}, {}).program));
    QVERIFY2(difference <= 1e-12, (where + ": differs by " + QByteArray::number(difference)).constData());
    ++compared;
    collectives += static_cast<int>(std::count_if(sharded.instructions.begin(), sharded.instructions.end(), [](const Instruction& one) { return one.kind == InstructionKind::start; }));
  }
  qInfo("%d random (graph, layout, mesh) triples equal one device, seeds from %u, %d collectives", compared, firstSeed, collectives);
}

QTEST_GUILESS_MAIN(RandomProgramsTest)
#include "random_programs_test.moc"
