#include "ui/canvas/scene_join.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace ui {

namespace {

using Names = std::unordered_map<std::string_view, int>;

Names tensorNames(const core::Graph& graph) {
  Names names;
  for (std::size_t t = 0; t < graph.tensors.size(); ++t) names.emplace(graph.tensors[t].name, static_cast<int>(t));
  return names;
}

Names operatorNames(const core::Graph& graph) {
  Names names;
  for (std::size_t o = 0; o < graph.operators.size(); ++o) names.emplace(graph.operators[o].name, static_cast<int>(o));
  return names;
}

void joinLayout(SceneTensor& tensor, const core::TensorLayout& layout, const core::Mesh& mesh) {
  tensor.reason = QString::fromStdString(layout.reason);
  tensor.partial = layout.sharding.partial;
  tensor.reduction = layout.sharding.reduction;
  if (layout.sharding.dims.size() != tensor.dims.size()) return;
  qint64 local = 1;
  for (std::size_t d = 0; d < tensor.dims.size(); ++d) {
    SceneDim& dim = tensor.dims[d];
    dim.axes = layout.sharding.dims[d];
    dim.local = dim.axes.empty() ? dim.size : core::paddedBlock(dim.size, dim.axes, mesh);
    dim.padding = dim.axes.empty() ? 0 : dim.local * mesh.size(dim.axes) - dim.size;
    if (d < layout.origins.size()) dim.origin = layout.origins[d];
    local *= dim.local;
  }
  qint64 whole = 1;
  for (const SceneDim& dim : tensor.dims) whole *= dim.size;
  if (whole > 0) tensor.localBytes = tensor.bytes / whole * local;
}

void joinLayouts(Scene& scene, const core::Graph& graph, const core::Analysis& analysis, const core::Mesh& mesh) {
  if (!analysis.step) return;
  Names names = tensorNames(graph);
  for (std::size_t t = 0; t < analysis.layouts.size() && t < analysis.step->tensors.size(); ++t)
    if (auto found = names.find(analysis.step->tensors[t].name); found != names.end())
      joinLayout(scene.tensors[static_cast<std::size_t>(found->second)], analysis.layouts[t], mesh);
}

// The operator that an operator of the step was made for: itself, or for "grad/h.0/c_fc/MatMul/einsum" h.0/c_fc/MatMul.
int operatorFor(const Names& operators, std::string_view name) {
  if (auto found = operators.find(name); found != operators.end()) return found->second;
  if (name.rfind("grad/", 0) != 0) return -1;
  for (name.remove_prefix(5); !name.empty(); name = name.substr(0, name.rfind('/'))) {
    if (auto found = operators.find(name); found != operators.end()) return found->second;
    if (name.find('/') == std::string_view::npos) break;
  }
  return -1;
}

// A fused instruction's work belongs to the operators in its body, in equal parts: their own costs are not told apart.
void addCost(Scene& scene, const Names& operators, const core::Instruction& instruction,
             const core::InstructionCost& cost, double share) {
  int found = operatorFor(operators, instruction.origin);
  if (found < 0) {
    for (const core::Instruction& inner : instruction.body)
      addCost(scene, operators, inner, cost, share / static_cast<double>(instruction.body.size()));
    return;
  }
  SceneFigures& figures =
      scene.nodes[static_cast<std::size_t>(scene.nodeOfOperator[static_cast<std::size_t>(found)])].figures;
  bool moves = instruction.kind == core::InstructionKind::start || instruction.kind == core::InstructionKind::wait;
  if (moves) {
    figures.communication += share * static_cast<double>(cost.bytesIn);
    return;
  }
  figures.flops = std::max(0.0, figures.flops) + share * static_cast<double>(cost.flops);
  if (cost.seconds) figures.seconds = std::max(0.0, figures.seconds) + share * *cost.seconds;
}

struct PillKey {
  int tensor, consumer;
  bool gradient;
  core::CollectiveKind kind;
  std::vector<core::AxisId> axes;
  auto operator<=>(const PillKey&) const = default;
};

class PillCollector {
 public:
  PillCollector(Scene& scene, const core::Graph& graph, const core::Analysis& analysis)
      : scene_(scene),
        graph_(graph),
        analysis_(analysis),
        tensors_(tensorNames(graph)),
        operators_(operatorNames(graph)) {
    if (analysis.cost && !analysis.cost->devices.empty())
      for (const core::PricedInstruction& priced : analysis.cost->devices.front().instructions)
        if (priced.cost.seconds) seconds_[priced.instruction] += *priced.cost.seconds;
  }

  void collect(const std::vector<core::Instruction>& instructions, int times) {
    for (const core::Instruction& instruction : instructions) {
      if (instruction.kind == core::InstructionKind::repeat)
        collect(instruction.body, times * static_cast<int>(instruction.count));
      if (instruction.kind == core::InstructionKind::start)
        for (std::size_t i = 0; i < instruction.inputs.size(); ++i) add(instruction, i, times);
    }
  }

 private:
  // The graph's tensor that a buffer holds, or of whose gradient it is.
  std::pair<int, bool> tensorOf(const core::Instruction& instruction, std::size_t i) const {
    for (core::BufferId id :
         {instruction.inputs[i], i < instruction.outputs.size() ? instruction.outputs[i] : core::BufferId()}) {
      if (!id.valid()) continue;
      const core::Buffer& buffer = analysis_.program->buffers[id.index()];
      std::string_view name = buffer.name;
      if (buffer.tensor.valid() && analysis_.step && buffer.tensor.index() < analysis_.step->tensors.size())
        name = (*analysis_.step)[buffer.tensor].name;
      name = name.substr(0, name.find(" -> "));
      if (auto found = tensors_.find(name); found != tensors_.end()) return {found->second, false};
      if (name.rfind("grad/", 0) == 0)
        if (auto found = tensors_.find(name.substr(5)); found != tensors_.end()) return {found->second, true};
      if (int op = operatorFor(operators_, name); op >= 0) return {readBy(op), true};
    }
    return {-1, false};
  }

  // What an operator computes on: its gradient is what the operator's backward gives.
  int readBy(int op) const {
    const core::Operator& made = graph_.operators[static_cast<std::size_t>(op)];
    for (core::TensorId input : made.inputs)
      if (input.valid() && graph_[input].kind == core::TensorKind::value) return input.value;
    return made.outputs[0].value;
  }

  int consumerOf(const core::Instruction& instruction, int tensor) const {
    auto found = operators_.find(instruction.origin);
    if (found == operators_.end()) return -1;
    const auto& inputs = graph_.operators[static_cast<std::size_t>(found->second)].inputs;
    bool reads = std::find(inputs.begin(), inputs.end(), core::TensorId(tensor)) != inputs.end();
    return reads ? scene_.nodeOfOperator[static_cast<std::size_t>(found->second)] : -1;
  }

  void add(const core::Instruction& instruction, std::size_t i, int times) {
    auto [tensor, gradient] = tensorOf(instruction, i);
    if (tensor < 0) return;
    const core::Collective& collective = instruction.collective;
    PillKey key{tensor,
                gradient ? -1 : consumerOf(instruction, tensor),
                gradient,
                collective.kind,
                {collective.axes.begin(), collective.axes.end()}};
    auto found = std::find_if(keys_.begin(), keys_.end(), [&](const auto& k) { return k == key; });
    if (found != keys_.end()) {
      scene_.pills[static_cast<std::size_t>(found - keys_.begin())].count += times;
      return;
    }
    keys_.push_back(key);
    ScenePill pill{.kind = collective.kind,
                   .axes = collective.axes,
                   .tensor = tensor,
                   .consumer = key.consumer,
                   .bytes = analysis_.program->buffers[instruction.inputs[i].index()].bytes,
                   .count = times,
                   .gradient = gradient,
                   .name = QString::fromStdString(instruction.name),
                   .reason = QString::fromStdString(instruction.reason)};
    if (auto priced = seconds_.find(&instruction); priced != seconds_.end())
      pill.seconds = priced->second / static_cast<double>(instruction.inputs.size() * static_cast<std::size_t>(times));
    scene_.pills.push_back(std::move(pill));
  }

  Scene& scene_;
  const core::Graph& graph_;
  const core::Analysis& analysis_;
  Names tensors_, operators_;
  std::vector<PillKey> keys_;
  std::unordered_map<const core::Instruction*, double> seconds_;
};

void count(SceneFigures& figures, const SceneTensor& tensor) {
  for (const SceneDim& dim : tensor.dims) {
    if (dim.axes.empty() && dim.origin != core::Origin::pin) continue;
    switch (dim.origin) {
      case core::Origin::pin:
        ++figures.pins;
        break;
      case core::Origin::rule:
        ++figures.rules;
        break;
      case core::Origin::choice:
        ++figures.choices;
        break;
      case core::Origin::propagated:
        ++figures.inferred;
        break;
      case core::Origin::replicated:
        break;
    }
  }
}

int severity(core::Diagnostic::Severity s) {
  switch (s) {
    case core::Diagnostic::Severity::error:
      return 3;
    case core::Diagnostic::Severity::warning:
      return 2;
    case core::Diagnostic::Severity::note:
      return 1;
  }
  return 0;
}

// A diagnostic's place is an operator, a tensor or a scope.
void joinProblems(Scene& scene, const core::Graph& graph, const std::vector<core::Diagnostic>& found) {
  if (found.empty()) return;
  Names tensors = tensorNames(graph), operators = operatorNames(graph);
  for (const core::Diagnostic& one : found) {
    int node = -1;
    if (auto op = operators.find(one.where); op != operators.end())
      node = scene.nodeOfOperator[static_cast<std::size_t>(op->second)];
    else if (auto tensor = tensors.find(one.where); tensor != tensors.end())
      node = scene.nodeOfTensor[static_cast<std::size_t>(tensor->second)];
    else
      for (int group : scene.nodeOfGroup)
        if (group > 0 && scene.nodes[static_cast<std::size_t>(group)].path == QString::fromStdString(one.where))
          node = group;
    if (node < 0) continue;
    int& problem = scene.nodes[static_cast<std::size_t>(node)].problem;
    problem = std::max(problem, severity(one.severity));
  }
}

// In how many ways a stack's instances are split; one where a person treats them alike.
void countLayouts(Scene& scene) {
  for (SceneNode& stack : scene.nodes) {
    if (stack.kind != SceneNodeKind::stack) continue;
    std::vector<std::vector<core::AxisList>> seen;
    for (int instance : stack.children) {
      std::vector<core::AxisList> own;
      for (int leaf : scene.nodes[static_cast<std::size_t>(instance)].leaves)
        for (int row : scene.nodes[static_cast<std::size_t>(leaf)].rows)
          for (const SceneDim& dim : scene.tensors[static_cast<std::size_t>(row)].dims) own.push_back(dim.axes);
      if (std::find(seen.begin(), seen.end(), own) == seen.end()) seen.push_back(std::move(own));
      if (seen.size() > 8) break;
    }
    stack.layouts = static_cast<int>(seen.size());
  }
}

}  // namespace

void joinAnalysis(Scene& scene, const core::Graph& graph, const core::Analysis& analysis) {
  if (!analysis.plan || analysis.variant >= analysis.plan->variants.size()) return;
  const core::Mesh& mesh = analysis.plan->variants[analysis.variant].mesh;
  for (const core::MeshAxis& axis : mesh.axes) {
    scene.axes += QString::fromStdString(axis.name);
    scene.axisSizes.push_back(axis.size);
  }
  scene.analysed = !analysis.layouts.empty();
  joinLayouts(scene, graph, analysis, mesh);
  if (analysis.program) PillCollector(scene, graph, analysis).collect(analysis.program->instructions, 1);
  joinProblems(scene, graph, analysis.diagnostics);
  countLayouts(scene);
  if (!analysis.cost || analysis.cost->devices.empty()) return;
  Names operators = operatorNames(graph);
  for (const core::PricedInstruction& priced : analysis.cost->devices.front().instructions)
    addCost(scene, operators, *priced.instruction, priced.cost, 1);
}

void sumFigures(Scene& scene) {
  for (std::size_t n = 0; n < scene.nodes.size(); ++n) {
    SceneNode& node = scene.nodes[n];
    if (node.kind != SceneNodeKind::op && node.kind != SceneNodeKind::input) continue;
    for (int row : node.rows) {
      if (scene.nodeOfTensor[static_cast<std::size_t>(row)] != static_cast<int>(n)) continue;  // a state counts once
      node.figures.memory += static_cast<double>(scene.tensors[static_cast<std::size_t>(row)].localBytes);
      count(node.figures, scene.tensors[static_cast<std::size_t>(row)]);
    }
  }
  for (const ScenePill& pill : scene.pills) {
    int node = pill.consumer >= 0 ? pill.consumer : scene.nodeOfTensor[static_cast<std::size_t>(pill.tensor)];
    if (node >= 0 && scene.nodes[static_cast<std::size_t>(node)].figures.communication == 0)
      scene.nodes[static_cast<std::size_t>(node)].figures.communication = static_cast<double>(pill.bytes) * pill.count;
  }
  for (std::size_t n = scene.nodes.size(); n-- > 1;) {  // children stand behind their parents
    const SceneNode& node = scene.nodes[n];
    if (node.kind == SceneNodeKind::output) continue;
    SceneNode& parent = scene.nodes[static_cast<std::size_t>(node.parent)];
    parent.figures.add(node.figures);
    parent.problem = std::max(parent.problem, node.problem);
    parent.opaque |= node.opaque;
  }
}

}  // namespace ui
