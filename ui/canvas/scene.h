#pragma once

#include <QString>
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

#include "core/graph/fold.h"
#include "core/graph/graph.h"
#include "core/plan/analyze.h"

// What the canvas shows: a tree of nodes, edges between its leaves, tensors with their shardings, collectives.
// A value without geometry, built from a graph, its fold and, where there is one, its analysis.

namespace ui {

// What can be selected, hovered and searched. The index is a core id's value, or of a collective its place in
// Scene::pills.
struct SceneRef {
  enum class Kind : std::uint8_t { none, op, tensor, group, stack, collective };
  Kind kind = Kind::none;
  int index = -1;
  bool valid() const { return kind != Kind::none && index >= 0; }
  bool operator==(const SceneRef&) const = default;
  static SceneRef of(core::OperatorId id) { return {Kind::op, id.value}; }
  static SceneRef of(core::TensorId id) { return {Kind::tensor, id.value}; }
  static SceneRef of(core::GroupId id) { return {Kind::group, id.value}; }
  static SceneRef of(core::StackId id) { return {Kind::stack, id.value}; }
};

struct SceneDim {
  QString name;
  qint64 size = 0;
  core::AxisList axes;  // major first
  qint64 local = 0;     // padded size on a device
  qint64 padding = 0;   // what all devices together allocate beyond `size`
  core::Origin origin = core::Origin::replicated;
};

struct SceneTensor {
  QString name;
  QString dtype;
  core::TensorKind kind = core::TensorKind::value;
  std::vector<SceneDim> dims;
  core::AxisSet partial;
  core::Reduction reduction = core::Reduction::sum;
  qint64 bytes = 0;       // whole
  qint64 localBytes = 0;  // on a device
  QString reason;
};

// Per device; of a group, all within; of a stack, all instances. Negative = not known.
struct SceneFigures {
  double memory = 0;  // bytes of states and of what it makes
  double flops = -1;
  double seconds = -1;                                 // computing
  double communication = 0;                            // payload bytes handed to collectives
  int pins = 0, rules = 0, choices = 0, inferred = 0;  // decided dimensions of its tensors
  void add(const SceneFigures& other);
};

enum class SceneNodeKind : std::uint8_t { op, group, stack, input, output };

struct SceneNode {
  SceneNodeKind kind = SceneNodeKind::op;
  int index = -1;  // id of the operator, group, stack or tensor
  int parent = -1;
  QString path;               // stable: expansion is remembered by it
  QString title;              // "c_attn"
  QString subtitle;           // "einsum", "12 operators"
  std::vector<int> children;  // of a stack: its instances
  std::vector<int> rows;      // tensors shown within an operator: states read, then what it makes
  std::vector<int> leaves;    // of an instance: its operators' nodes, corresponding one to one to the other instances'
  int multiplicity = 1;       // of a stack
  int operators = 0;          // within
  SceneFigures figures;
  bool opaque = false;   // the catalogue lacks it
  bool carries = false;  // a stack whose instances hand a value on
  int layouts = 1;       // of a stack: in how many ways its instances are split
  int problem = 0;       // 0 none, 1 note, 2 warning, 3 error
  SceneRef ref() const;
};

struct SceneEdge {
  int from = -1;  // leaf nodes
  int to = -1;
  int tensor = -1;
};

// A collective of the program where the graph has its value.
struct ScenePill {
  core::CollectiveKind kind = core::CollectiveKind::allReduce;
  core::AxisList axes;
  int tensor = -1;                // that is moved
  int consumer = -1;              // node that needs it moved; -1 = all
  qint64 bytes = 0;               // payload in, one call
  int count = 1;                  // calls a step
  std::optional<double> seconds;  // one call
  bool gradient = false;          // of the tensor's gradient
  QString name;                   // the instruction's
  QString reason;
};

struct Scene {
  std::vector<SceneNode> nodes;      // [0] is the root group
  std::vector<SceneTensor> tensors;  // by TensorId of the graph
  std::vector<SceneEdge> edges;
  std::vector<ScenePill> pills;
  std::vector<int> nodeOfOperator, nodeOfGroup, nodeOfStack;
  std::vector<int> nodeOfTensor;  // that makes it; of a state or constant the first that reads it
  QStringList axes;               // of the mesh, in order
  std::vector<qint64> axisSizes;
  bool analysed = false;  // false: no shardings, no figures per device

  std::optional<int> nodeOf(const SceneRef& ref) const;  // a tensor's is its producer
  QString describe(const SceneRef& ref) const;           // one line, for accessibility and the status bar
};

// `analysis` may be null, or of another graph of the same plan (its step graph): tensors and operators are joined by
// name.
Scene buildScene(const core::Graph& graph, const core::Fold& fold, const core::Analysis* analysis = nullptr);

}  // namespace ui
