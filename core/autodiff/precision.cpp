#include "core/autodiff/precision.h"

#include "core/ops/builder.h"

namespace core {
namespace {

class Conversion {
 public:
  explicit Conversion(const Graph& graph) : graph_(graph), now_(graph.tensors.size()), narrow_(graph.tensors.size()) {
    build_.edit().name = graph.name;
    build_.edit().dims = graph.dims;
    build_.edit().aliases = graph.aliases;
    for (const Operator& op : graph.operators) build_.uniqueName(op.name + "/bf16");
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) leaf(i);
  }

  Graph run() {
    for (const Operator& op : graph_.operators) add(op);
    for (const Update& update : graph_.updates) build_.update(now_[update.state.index()], wide(update.value));
    for (TensorId id : graph_.outputs) build_.output(now_[id.index()]);
    return build_.take();
  }

 private:
  void leaf(std::size_t i) {
    const Tensor& tensor = graph_.tensors[i];
    if (tensor.kind == TensorKind::input) now_[i] = build_.input(tensor.name, tensor.shape, tensor.dtype);
    if (tensor.kind == TensorKind::constant)
      now_[i] = build_.constant(tensor.name, tensor.shape, tensor.dtype, tensor.source);
    if (tensor.kind == TensorKind::state)
      now_[i] = build_.state(tensor.name, tensor.shape, tensor.dtype, tensor.state, tensor.source);
  }

  TensorId narrow(TensorId id) {
    const TensorId now = now_[id.index()];
    if (build_.graph()[now].dtype != DType::f32) return now;
    TensorId& cast = narrow_[id.index()];
    if (!cast.valid()) {
      build_.nextName(graph_[id].name + "/bf16");
      cast = build_.cast(now, DType::bf16);
    }
    return cast;
  }

  TensorId wide(TensorId id) {
    const TensorId now = now_[id.index()];
    if (build_.graph()[now].dtype == graph_[id].dtype) return now;
    build_.nextName(graph_[id].name + "/f32");
    return build_.cast(now, graph_[id].dtype);
  }

  void add(const Operator& op) {
    std::vector<TensorId> inputs;
    for (TensorId id : op.inputs) inputs.push_back(narrow(id));
    Attributes attributes = op.attributes;
    if (const auto type = attributes.find("dtype");
        type != attributes.end() && type->second == Attribute(std::string("f32")))
      type->second = std::string("bf16");
    build_.nextName(op.name);
    const std::vector<TensorId> made = op.kind == "opaque"
                                           ? opaque(op, std::move(inputs))
                                           : build_.add(op.kind, std::move(inputs), std::move(attributes));
    for (std::size_t i = 0; i < op.outputs.size(); ++i) {
      now_[op.outputs[i].index()] = made[i];
      build_.renameTensor(made[i], graph_[op.outputs[i]].name);
    }
  }

  std::vector<TensorId> opaque(const Operator& op, std::vector<TensorId> inputs) {
    std::vector<Shape> shapes;
    std::vector<DType> types;
    for (TensorId id : op.outputs) {
      shapes.push_back(graph_[id].shape);
      types.push_back(graph_[id].dtype == DType::f32 ? DType::bf16 : graph_[id].dtype);
    }
    return build_.opaque(std::get<std::string>(op.attributes.at("type")), std::move(inputs), shapes, types,
                         op.attributes);
  }

  const Graph& graph_;
  GraphBuilder build_;
  std::vector<TensorId> now_;     // by old tensor
  std::vector<TensorId> narrow_;  // by old tensor: its cast, once one is made
};

}  // namespace

Graph inBf16(const Graph& forward) {
  return Conversion(forward).run();
}

}  // namespace core
