#include "ui/canvas/scene.h"

#include <algorithm>
#include <unordered_map>

#include "ui/canvas/scene_join.h"

namespace ui {

namespace {

using core::FoldItem;

QString text(const std::string& s) {
  return QString::fromStdString(s);
}

class SceneBuilder {
 public:
  SceneBuilder(const core::Graph& graph, const core::Fold& fold) : graph_(graph), fold_(fold) {
    scene_.nodeOfOperator.assign(graph.operators.size(), -1);
    scene_.nodeOfGroup.assign(fold.groups.size(), -1);
    scene_.nodeOfStack.assign(fold.stacks.size(), -1);
  }

  Scene run() {
    addTensors();
    int root = addGroup(core::GroupId(0), -1, QString());
    addEnds(root);
    addEdges();
    return std::move(scene_);
  }

 private:
  int add(SceneNode node) {
    int id = static_cast<int>(scene_.nodes.size());
    if (node.parent >= 0) scene_.nodes[static_cast<std::size_t>(node.parent)].children.push_back(id);
    scene_.nodes.push_back(std::move(node));
    return id;
  }

  // `within`: path by place inside a stack, so that what is unfolded in one instance is so in all; empty outside of
  // stacks.
  int addGroup(core::GroupId id, int parent, const QString& within) {
    const core::Group& group = fold_[id];
    int node = add({.kind = SceneNodeKind::group,
                    .index = id.value,
                    .parent = parent,
                    .path = within.isEmpty() ? text(group.path) : within,
                    .title = text(group.name),
                    .operators = static_cast<int>(group.operators.size())});
    scene_.nodeOfGroup[id.index()] = node;
    for (std::size_t i = 0; i < group.items.size(); ++i) {
      const FoldItem& item = group.items[i];
      QString place = within.isEmpty() ? QString() : QStringLiteral("%1/%2").arg(within).arg(i);
      if (item.kind == FoldItem::Kind::op) addOperator(item.op(), node);
      if (item.kind == FoldItem::Kind::group) addGroup(item.group(), node, place);
      if (item.kind == FoldItem::Kind::stack) addStack(item.stack(), node, place);
    }
    SceneNode& made = scene_.nodes[static_cast<std::size_t>(node)];
    made.subtitle = QStringLiteral("%1 operators").arg(made.operators);
    if (group.stack.valid())
      for (core::OperatorId op : group.operators) made.leaves.push_back(scene_.nodeOfOperator[op.index()]);
    return node;
  }

  void addStack(core::StackId id, int parent, const QString& within) {
    const core::Stack& stack = fold_[id];
    int node = add({.kind = SceneNodeKind::stack,
                    .index = id.value,
                    .parent = parent,
                    .path = within.isEmpty() ? text(stack.path) : within,
                    .title = text(stack.name),
                    .multiplicity = static_cast<int>(stack.instances.size()),
                    .carries = !stack.carried.empty()});
    scene_.nodeOfStack[id.index()] = node;
    for (core::GroupId instance : stack.instances) {
      int made = addGroup(instance, node, scene_.nodes[static_cast<std::size_t>(node)].path + QStringLiteral("[]"));
      scene_.nodes[static_cast<std::size_t>(node)].operators += scene_.nodes[static_cast<std::size_t>(made)].operators;
    }
    SceneNode& made = scene_.nodes[static_cast<std::size_t>(node)];
    made.subtitle = QStringLiteral("%1 operators each").arg(made.operators / std::max(1, made.multiplicity));
  }

  void addOperator(core::OperatorId id, int parent) {
    const core::Operator& op = graph_[id];
    SceneNode node{.kind = SceneNodeKind::op,
                   .index = id.value,
                   .parent = parent,
                   .path = text(op.name),
                   .title = text(fold_.labels[id.index()]),
                   .subtitle = text(op.kind),
                   .operators = 1};
    node.opaque = op.kind == "opaque";
    if (node.opaque)
      if (auto type = op.attributes.find("type"); type != op.attributes.end())
        if (const auto* name = std::get_if<std::string>(&type->second)) node.subtitle = text(*name);
    for (core::TensorId input : op.inputs) {
      if (!input.valid()) continue;
      const core::Tensor& tensor = graph_[input];
      bool fixed = tensor.kind == core::TensorKind::state ||
                   (tensor.kind == core::TensorKind::constant && !tensor.shape.empty());
      if (fixed && std::find(node.rows.begin(), node.rows.end(), input.value) == node.rows.end())
        node.rows.push_back(input.value);
    }
    for (core::TensorId output : op.outputs) node.rows.push_back(output.value);
    scene_.nodeOfOperator[id.index()] = add(std::move(node));
  }

  void addTensors() {
    std::vector<QString> names;  // shared by all tensors that carry the dimension
    for (const core::Dim& dim : graph_.dims) names.push_back(text(dim.name));
    scene_.tensors.reserve(graph_.tensors.size());
    for (const core::Tensor& tensor : graph_.tensors) {
      SceneTensor made{.name = text(tensor.name),
                       .dtype = QString::fromLatin1(core::toString(tensor.dtype).data(),
                                                    static_cast<int>(core::toString(tensor.dtype).size())),
                       .kind = tensor.kind};
      made.bytes = core::byteSize(tensor.dtype);
      for (core::DimId dim : tensor.shape) {
        qint64 size = graph_.size(dim);
        made.dims.push_back({.name = names[dim.index()], .size = size, .local = size});
        made.bytes *= size;
      }
      made.localBytes = made.bytes;
      scene_.tensors.push_back(std::move(made));
    }
  }

  void addEnds(int root) {
    inputNode_.assign(graph_.tensors.size(), -1);
    std::vector<int> inputs;
    for (std::size_t t = 0; t < graph_.tensors.size(); ++t) {
      if (graph_.tensors[t].kind != core::TensorKind::input) continue;
      inputNode_[t] = add({.kind = SceneNodeKind::input,
                           .index = static_cast<int>(t),
                           .parent = root,
                           .path = QStringLiteral("input:") + text(graph_.tensors[t].name),
                           .title = text(graph_.tensors[t].name),
                           .subtitle = QStringLiteral("input"),
                           .rows = {static_cast<int>(t)}});
      inputs.push_back(inputNode_[t]);
    }
    auto& children = scene_.nodes[static_cast<std::size_t>(root)].children;
    std::rotate(children.begin(), children.end() - static_cast<std::ptrdiff_t>(inputs.size()), children.end());
    for (core::TensorId output : graph_.outputs) {
      const std::string& name = graph_[output].name;
      outputs_.push_back(add({.kind = SceneNodeKind::output,
                              .index = output.value,
                              .parent = root,
                              .path = QStringLiteral("output:") + text(name),
                              .title = text(name),
                              .subtitle = QStringLiteral("output"),
                              .rows = {output.value}}));
    }
  }

  int maker(core::TensorId id) const {
    const core::Tensor& tensor = graph_[id];
    if (tensor.kind == core::TensorKind::input) return inputNode_[id.index()];
    return makers_[id.index()];
  }

  void addEdges() {
    makers_.assign(graph_.tensors.size(), -1);
    for (std::size_t i = 0; i < graph_.operators.size(); ++i)
      for (core::TensorId output : graph_.operators[i].outputs) makers_[output.index()] = scene_.nodeOfOperator[i];
    for (std::size_t i = 0; i < graph_.operators.size(); ++i) {
      const auto& inputs = graph_.operators[i].inputs;
      for (std::size_t k = 0; k < inputs.size(); ++k) {
        if (!inputs[k].valid() || std::find(inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(k),
                                            inputs[k]) != inputs.begin() + static_cast<std::ptrdiff_t>(k))
          continue;
        if (int from = maker(inputs[k]); from >= 0)
          scene_.edges.push_back({from, scene_.nodeOfOperator[i], inputs[k].value});
      }
    }
    for (std::size_t o = 0; o < outputs_.size(); ++o)
      if (int from = maker(graph_.outputs[o]); from >= 0)
        scene_.edges.push_back({from, outputs_[o], graph_.outputs[o].value});
  }

  const core::Graph& graph_;
  const core::Fold& fold_;
  Scene scene_;
  std::vector<int> inputNode_, makers_, outputs_;
};

}  // namespace

void SceneFigures::add(const SceneFigures& other) {
  memory += other.memory;
  if (other.flops >= 0) flops = std::max(0.0, flops) + other.flops;
  if (other.seconds >= 0) seconds = std::max(0.0, seconds) + other.seconds;
  communication += other.communication;
  pins += other.pins;
  rules += other.rules;
  choices += other.choices;
  inferred += other.inferred;
}

SceneRef SceneNode::ref() const {
  switch (kind) {
    case SceneNodeKind::op:
      return {SceneRef::Kind::op, index};
    case SceneNodeKind::group:
      return {SceneRef::Kind::group, index};
    case SceneNodeKind::stack:
      return {SceneRef::Kind::stack, index};
    case SceneNodeKind::input:
    case SceneNodeKind::output:
      return {SceneRef::Kind::tensor, index};
  }
  return {};
}

std::optional<int> Scene::nodeOf(const SceneRef& ref) const {
  auto in = [](const std::vector<int>& list, int index) -> std::optional<int> {
    if (index < 0 || static_cast<std::size_t>(index) >= list.size() || list[static_cast<std::size_t>(index)] < 0)
      return {};
    return list[static_cast<std::size_t>(index)];
  };
  switch (ref.kind) {
    case SceneRef::Kind::op:
      return in(nodeOfOperator, ref.index);
    case SceneRef::Kind::group:
      return in(nodeOfGroup, ref.index);
    case SceneRef::Kind::stack:
      return in(nodeOfStack, ref.index);
    case SceneRef::Kind::tensor:
      return in(nodeOfTensor, ref.index);
    case SceneRef::Kind::collective:
      if (ref.index < 0 || static_cast<std::size_t>(ref.index) >= pills.size()) return {};
      return in(nodeOfTensor, pills[static_cast<std::size_t>(ref.index)].tensor);
    case SceneRef::Kind::none:
      break;
  }
  return {};
}

Scene buildScene(const core::Graph& graph, const core::Fold& fold, const core::Analysis* analysis) {
  Scene scene = SceneBuilder(graph, fold).run();
  scene.nodeOfTensor.assign(graph.tensors.size(), -1);
  for (std::size_t n = scene.nodes.size(); n-- > 0;)  // makers last, so that they win over readers of a state
    if (scene.nodes[n].kind != SceneNodeKind::output)
      for (int row : scene.nodes[n].rows) {
        bool made = scene.tensors[static_cast<std::size_t>(row)].kind == core::TensorKind::value ||
                    scene.nodes[n].kind == SceneNodeKind::input;
        if (made || scene.nodeOfTensor[static_cast<std::size_t>(row)] < 0 ||
            static_cast<int>(n) < scene.nodeOfTensor[static_cast<std::size_t>(row)])
          scene.nodeOfTensor[static_cast<std::size_t>(row)] = static_cast<int>(n);
      }
  if (analysis) joinAnalysis(scene, graph, *analysis);
  sumFigures(scene);
  return scene;
}

}  // namespace ui
