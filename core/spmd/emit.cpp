#include "core/spmd/emit.h"

#include <algorithm>
#include <cassert>
#include <set>
#include <unordered_map>

#include "core/spmd/reshard.h"

namespace core {
namespace {

class Emitter {
 public:
  Emitter(const Graph& graph, const Templates& templates, const Decisions& decisions, const Partials& partials, const Mesh& mesh, TensorId loss)
      : graph_(graph), templates_(templates), decisions_(decisions), partials_(partials), mesh_(mesh), loss_(loss), readers_(consumers(graph)) {
    program_.mesh = mesh;
    for (std::size_t i = 0; i < templates.size(); ++i) program_.expressions.push_back(templates[static_cast<int>(i)].expression);
    held_.resize(graph.tensors.size());
  }

  Program run() {
    declareTensors();
    scheduleUpdates();
    for (std::size_t i = 0; i < graph_.operators.size(); ++i) {
      emitOperator(OperatorId(static_cast<std::int64_t>(i)));
      emitUpdates(static_cast<int>(i));
    }
    for (TensorId output : graph_.outputs) program_.outputs.push_back(held_[output.index()].front());
    emitControl();
    return std::move(program_);
  }

 private:
  // --- buffers ---

  BufferId addBuffer(TensorId tensor, std::string name, Placement placement, MemoryClass memoryClass) {
    Buffer buffer{.name = std::move(name), .tensor = tensor, .sizes = graph_.sizes(tensor), .placement = std::move(placement), .dtype = graph_[tensor].dtype, .memoryClass = memoryClass};
    for (DimId dim : graph_[tensor].shape) buffer.dims.push_back(graph_[dim].name);
    buffer.localShape = localShape(buffer.placement, buffer.sizes, mesh_);
    buffer.bytes = byteSize(buffer.dtype);
    for (std::int64_t size : buffer.localShape) buffer.bytes *= size;
    program_.buffers.push_back(std::move(buffer));
    program_.sources.emplace_back();
    return BufferId(static_cast<std::int64_t>(program_.buffers.size()) - 1);
  }

  MemoryClass classOf(const Tensor& tensor) const {
    switch (tensor.kind) {
      case TensorKind::input:
      case TensorKind::constant: return MemoryClass::inputs;
      case TensorKind::state: return tensor.state == StateKind::parameter ? MemoryClass::parameters : MemoryClass::optimizer;
      case TensorKind::value: break;
    }
    constexpr std::string_view prefix = "grad/";  // of a state; that of a value is an activation like any other
    const bool gradient = tensor.name.starts_with(prefix) && states_.count(tensor.name.substr(prefix.size())) != 0;
    return gradient ? MemoryClass::gradients : MemoryClass::activations;
  }

  void declareTensors() {
    for (const Tensor& tensor : graph_.tensors)
      if (tensor.kind == TensorKind::state) states_.insert(tensor.name);
    for (std::size_t t = 0; t < graph_.tensors.size(); ++t) {
      const Tensor& tensor = graph_.tensors[t];
      if (tensor.kind == TensorKind::value) continue;
      const TensorId id(static_cast<std::int64_t>(t));
      const BufferId buffer = addBuffer(id, tensor.name, {decisions_.tensors[t].sharding, {}}, classOf(tensor));
      program_.buffers[buffer.index()].persistent = true;
      program_.sources[buffer.index()] = tensor.source;
      held_[t].push_back(buffer);
      if (tensor.kind == TensorKind::input) program_.inputs.push_back(buffer);
      if (tensor.kind == TensorKind::state) program_.states.push_back(buffer);
    }
  }

  // The buffer from which `need` can be read, made from the nearest one if there is none yet.
  BufferId obtain(TensorId tensor, const Placement& need, const std::string& reader, const std::string& why) {
    for (BufferId held : held_[tensor.index()])
      if (covers(program_.buffers[held.index()].placement, need)) return held;
    BufferId nearest;
    ReshardPlan best;
    for (BufferId held : held_[tensor.index()]) {
      const Buffer& buffer = program_.buffers[held.index()];
      if (!buffer.placement.plain()) continue;
      ReshardPlan plan = reshard(buffer.placement, need, buffer.sizes, byteSize(buffer.dtype), mesh_);
      if (nearest.valid() && plan.bytes >= best.bytes) continue;
      nearest = held;
      best = std::move(plan);
    }
    assert(nearest.valid() && "every tensor has a buffer before it is read");
    return follow(tensor, nearest, best, reader + " reads " + graph_[tensor].name + " as " + printPlacement(tensor, need) + (why.empty() ? "" : ": " + why));
  }

  BufferId follow(TensorId tensor, BufferId at, const ReshardPlan& plan, const std::string& reason) {
    for (const ReshardStep& step : plan.steps) {
      const bool reduces = step.kind == InstructionKind::start && (step.collective.kind == CollectiveKind::allReduce || step.collective.kind == CollectiveKind::reduceScatter);
      const MemoryClass memoryClass = reduces || step.kind == InstructionKind::place ? program_.buffers[at.index()].memoryClass : MemoryClass::communication;
      const std::string what = step.kind == InstructionKind::place ? "place" : std::string(toString(step.collective.kind));
      const BufferId next = addBuffer(tensor, graph_[tensor].name + " -> " + printPlacement(tensor, step.result), step.result, memoryClass);
      Instruction instruction{.kind = step.kind, .name = uniqueName(what + " " + graph_[tensor].name), .origin = originOf(tensor), .reason = reason, .inputs = {at}, .outputs = {next}, .collective = step.collective};
      if (step.kind == InstructionKind::start) {
        instruction.pair = pairs_++;
        Instruction wait = instruction;
        wait.kind = InstructionKind::wait;
        wait.name += " wait";
        program_.instructions.push_back(std::move(instruction));
        program_.instructions.push_back(std::move(wait));
      } else {
        program_.instructions.push_back(std::move(instruction));
      }
      held_[tensor.index()].push_back(next);
      at = next;
    }
    return at;
  }

  // --- operators ---

  void emitOperator(OperatorId id) {
    const Operator& op = graph_[id];
    const OperatorLayout& layout = decisions_.operators[id.index()];
    const Partials::Operator& passes = partials_.operators[id.index()];
    Instruction instruction{.kind = InstructionKind::compute, .name = op.name, .op = op.kind, .origin = originOf(op), .reason = layout.reason.empty() ? "nothing splits it" : layout.reason, .expression = templates_.of(id), .loopAxes = layout.axes};
    for (const auto& [name, value] : op.attributes)
      if (name != "origin") instruction.attributes.emplace(name, value);
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
      Placement need = templates_.required(id, static_cast<int>(i), layout.axes);
      need.sharding.partial = passes.operands[i];
      instruction.inputs.push_back(obtain(op.inputs[i], need, op.name, layout.reason));
    }
    for (std::size_t o = 0; o < op.outputs.size(); ++o) {
      Sharding made = producedOutput(templates_.expression(id), static_cast<int>(o), layout.axes);
      made.partial.bits |= passes.passes.bits;
      const TensorId tensor = op.outputs[o];
      const BufferId buffer = addBuffer(tensor, graph_[tensor].name, {made, {}}, classOf(graph_[tensor]));
      held_[tensor.index()].push_back(buffer);
      instruction.outputs.push_back(buffer);
    }
    program_.instructions.push_back(std::move(instruction));
    for (TensorId tensor : op.outputs) resolve(tensor, op);
  }

  // What the operator left partial and nobody can use so becomes whole at once, or scattered where all want only a part.
  void resolve(TensorId tensor, const Operator& op) {
    const BufferId made = held_[tensor.index()].front();
    const Placement have = program_.buffers[made.index()].placement;
    Placement want = have;
    want.sharding.partial = partials_.kept[tensor.index()];
    if (tensor == loss_) want.sharding.partial = have.sharding.partial;
    if (want.sharding.partial.empty()) want.sharding.reduction = Reduction::sum;
    if (tensor != loss_)
      if (const auto pinned = pinOf(tensor)) want.sharding = *pinned;
    if (want.sharding.partial.empty() && !have.sharding.partial.empty())
      if (const auto common = commonNeed(tensor); common && !(*common == have.sharding)) want.sharding = *common;
    if (want == have) return;
    std::string reason;
    if (have.sharding.partial == want.sharding.partial) reason = "pin " + graph_[tensor].name;
    else reason = whyPartial(op, decisions_.operators[graph_[tensor].producer.index()]) + ", and " + firstReader(tensor) + " needs the whole";
    const ReshardPlan plan = reshard(have, want, program_.buffers[made.index()].sizes, byteSize(graph_[tensor].dtype), mesh_);
    const BufferId resolved = follow(tensor, made, plan, reason);
    // Whoever reads it from now on reads the resolved value.
    std::vector<BufferId>& held = held_[tensor.index()];
    held = {resolved};
  }

  static std::string whyPartial(const Operator& op, const OperatorLayout& layout) {
    if (layout.reason.empty()) return op.name + " adds partial sums that it was given";
    return op.name + " reduces a dimension that is split (" + layout.reason + ")";
  }

  std::optional<Sharding> pinOf(TensorId tensor) const {
    const TensorLayout& layout = decisions_.tensors[tensor.index()];
    if (std::find(layout.origins.begin(), layout.origins.end(), Origin::pin) == layout.origins.end()) return std::nullopt;
    return layout.sharding;
  }

  // The one sharding in which all readers want this tensor, if there is one.
  std::optional<Sharding> commonNeed(TensorId tensor) const {
    std::optional<Sharding> common;
    for (OperatorId reader : readers_[tensor.index()]) {
      const std::vector<TensorId>& inputs = graph_[reader].inputs;
      for (std::size_t k = 0; k < inputs.size(); ++k) {
        if (inputs[k] != tensor) continue;
        const Placement& need = templates_.required(reader, static_cast<int>(k), decisions_.operators[reader.index()].axes);
        if (!need.plain() || (common && !(*common == need.sharding))) return std::nullopt;
        common = need.sharding;
      }
    }
    for (const Update& update : graph_.updates) {
      if (update.value != tensor) continue;
      const Sharding& need = decisions_.tensors[update.state.index()].sharding;
      if (common && !(*common == need)) return std::nullopt;
      common = need;
    }
    // Only a finer split than what is there is worth having at once.
    if (common && common->used().bits == 0) return std::nullopt;
    return common;
  }

  // --- updates and the end of the step ---

  void scheduleUpdates() {
    std::vector<int> lastRead(graph_.tensors.size(), -1);
    for (std::size_t i = 0; i < graph_.operators.size(); ++i)
      for (TensorId input : graph_.operators[i].inputs) lastRead[input.index()] = static_cast<int>(i);
    updatesAfter_.resize(graph_.operators.size());
    for (const Update& update : graph_.updates) {
      const int ready = std::max(lastRead[update.state.index()], graph_[update.value].producer.value);
      if (ready >= 0) updatesAfter_[static_cast<std::size_t>(ready)].push_back(update);
    }
  }

  void emitUpdates(int after) {
    for (const Update& update : updatesAfter_[static_cast<std::size_t>(after)]) {
      const BufferId state = held_[update.state.index()].front();
      const Placement need = program_.buffers[state.index()].placement;
      Placement exact = need;
      BufferId value = obtain(update.value, exact, "update " + graph_[update.state].name, "");
      if (!(program_.buffers[value.index()].placement == need)) {  // covers more: cut out the state's part
        const ReshardPlan plan = reshard(program_.buffers[value.index()].placement, need, program_.buffers[value.index()].sizes, byteSize(graph_[update.value].dtype), mesh_);
        value = follow(update.value, value, plan, "update " + graph_[update.state].name);
      }
      program_.instructions.push_back({.kind = InstructionKind::update, .name = "update " + graph_[update.state].name, .origin = originOf(update.value), .reason = "the step's new value", .inputs = {value}, .outputs = {state}});
    }
  }

  void emitControl() {
    Instruction control{.kind = InstructionKind::control, .name = "control", .reason = "the loss and the stop flag, once a step"};
    if (loss_.valid()) {
      program_.loss = held_[loss_.index()].front();
      control.inputs.push_back(program_.loss);
    }
    for (AxisId axis = 0; axis < mesh_.axes.size(); ++axis) control.collective.axes.push_back(axis);
    program_.instructions.push_back(std::move(control));
  }

  // --- words ---

  std::string printPlacement(TensorId tensor, const Placement& placement) const {
    std::vector<std::string> names;
    for (DimId dim : graph_[tensor].shape) names.push_back(graph_[dim].name);
    return print(placement.sharding, names, mesh_) + (placement.plain() ? "" : " with halo");
  }

  std::string firstReader(TensorId tensor) const {
    const auto& readers = readers_[tensor.index()];
    return readers.empty() ? "what follows" : graph_[readers.front()].name;
  }

  static std::string originOf(const Operator& op) {
    const auto origin = op.attributes.find("origin");
    return origin == op.attributes.end() ? op.name : std::get<std::string>(origin->second);
  }

  std::string originOf(TensorId tensor) const {
    const OperatorId producer = graph_[tensor].producer;
    return producer.valid() ? originOf(graph_[producer]) : std::string();
  }

  std::string uniqueName(const std::string& wanted) {
    const int times = names_[wanted]++;
    return times == 0 ? wanted : wanted + " #" + std::to_string(times + 1);
  }

  const Graph& graph_;
  const Templates& templates_;
  const Decisions& decisions_;
  const Partials& partials_;
  const Mesh& mesh_;
  TensorId loss_;
  std::vector<std::vector<OperatorId>> readers_;
  Program program_;
  std::vector<std::vector<BufferId>> held_;  // per tensor: buffers that hold it, the producer's first
  std::vector<std::vector<Update>> updatesAfter_;
  std::unordered_map<std::string, int> names_;
  std::set<std::string> states_;
  int pairs_ = 0;
};

}  // namespace

Program emit(const Graph& graph, const Templates& templates, const Decisions& decisions, const Partials& partials, const Mesh& mesh, TensorId loss) {
  return Emitter(graph, templates, decisions, partials, mesh, loss).run();
}

}  // namespace core
