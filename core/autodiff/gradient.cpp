#include "core/autodiff/gradient.h"

#include <algorithm>
#include <cassert>

#include "core/base/error.h"
#include "core/ops/op.h"

namespace core {
namespace {

// Backwards over the operators that stand when it begins.
class Backward {
 public:
  Backward(GraphBuilder& build, TensorId loss, std::span<const TensorId> of)
      : build_(build),
        operators_(build.graph().operators.size()),
        reached_(build.graph().tensors.size()),
        parts_(build.graph().tensors.size()),
        total_(build.graph().tensors.size()) {
    for (TensorId id : of) reached_[id.index()] = true;
    for (std::size_t i = 0; i < operators_; ++i) {
      const Operator& op = build.graph().operators[i];
      if (std::any_of(op.inputs.begin(), op.inputs.end(), [&](TensorId id) { return reached_[id.index()]; }))
        for (TensorId id : op.outputs) reached_[id.index()] = isFloating(build.graph()[id].dtype);
    }
    const DType type = build.graph()[loss].dtype;
    build_.pushScope("grad");
    if (reached_[loss.index()]) parts_[loss.index()] = {build_.scalar(1, type)};
    build_.popScope();
  }

  std::vector<TensorId> run(std::span<const TensorId> of) {
    for (std::size_t i = operators_; i-- > 0;) through(Operator(build_.graph().operators[i]));
    std::vector<TensorId> gradients;
    for (TensorId id : of) gradients.push_back(named(id, totalOf(id)));
    return gradients;
  }

 private:
  // A copy of the operator: the graph's own moves while operators are added.
  void through(const Operator& op) {
    if (std::none_of(op.inputs.begin(), op.inputs.end(), [&](TensorId id) { return reached_[id.index()]; })) return;
    build_.pushScope("grad/" + op.name);
    std::vector<TensorId> gradients;
    for (TensorId id : op.outputs) gradients.push_back(totalOf(id));
    if (std::any_of(gradients.begin(), gradients.end(), [](TensorId id) { return id.valid(); })) spread(op, gradients);
    build_.popScope();
  }

  void spread(const Operator& op, const std::vector<TensorId>& outputGradients) {
    if (op.kind == "opaque" || !findOp(op.kind).gradient)
      throw Error{.what = "operator " + op.kind + " has no gradient",
                  .where = op.name,
                  .right = "train a model without it, or leave it out of the loss"};
    const OperatorView view(build_.graph(), op);
    const std::vector<TensorId> made = findOp(op.kind).gradient(build_, {view, op.outputs, outputGradients});
    assert(made.size() == op.inputs.size() && "an operator gives a gradient, or none, for each input");
    for (std::size_t i = 0; i < made.size(); ++i) {
      if (!made[i].valid() || !reached_[op.inputs[i].index()]) continue;
      assert(build_.graph()[made[i]].shape == build_.graph()[op.inputs[i]].shape &&
             "a gradient has its tensor's dimensions");
      assert(build_.graph()[made[i]].dtype == build_.graph()[op.inputs[i]].dtype && "a gradient has its tensor's type");
      contribute(parts_[op.inputs[i].index()], made[i]);
    }
  }

  // Elements picked from one tensor come back as one stack, not as a sum of mostly zeros.
  void contribute(std::vector<TensorId>& parts, TensorId more) {
    for (TensorId& part : parts)
      if (const TensorId joined = joinedStack(part, more); joined.valid()) {
        part = joined;
        return;
      }
    parts.push_back(more);
  }

  TensorId joinedStack(TensorId a, TensorId b) {
    const Operator *first = producer(a), *second = producer(b);
    if (!first || !second || first->kind != "stack" || second->kind != "stack" ||
        first->attributes.at("dim") != second->attributes.at("dim"))
      return {};
    auto places = std::get<std::vector<std::int64_t>>(first->attributes.at("indices"));
    for (std::int64_t place : std::get<std::vector<std::int64_t>>(second->attributes.at("indices"))) {
      if (std::find(places.begin(), places.end(), place) != places.end()) return {};
      places.push_back(place);
    }
    std::vector<TensorId> inputs = first->inputs;
    inputs.insert(inputs.end(), second->inputs.begin(), second->inputs.end());
    Attributes attributes = first->attributes;
    attributes["indices"] = std::move(places);
    return build_.addOne("stack", std::move(inputs), std::move(attributes));
  }

  const Operator* producer(TensorId id) const {
    const Tensor& tensor = build_.graph()[id];
    return tensor.producer.valid() ? &build_.graph()[tensor.producer] : nullptr;
  }

  TensorId totalOf(TensorId id) {
    std::vector<TensorId>& parts = parts_[id.index()];
    if (!total_[id.index()].valid() && !parts.empty()) {
      TensorId sum = parts[0];
      for (std::size_t i = 1; i < parts.size(); ++i) sum = build_.plus(sum, parts[i]);
      total_[id.index()] = sum;
    }
    return total_[id.index()];
  }

  // The name by which a layout pins the gradient of a state.
  TensorId named(TensorId of, TensorId gradient) {
    if (!gradient.valid()) return gradient;
    const std::string name = "grad/" + build_.graph()[of].name;
    const bool shared =
        std::count(total_.begin(), total_.end(), gradient) > 1 || build_.graph()[gradient].kind != TensorKind::value;
    if (!shared && std::count(named_.begin(), named_.end(), gradient) == 0) {
      build_.renameTensor(gradient, name);
    } else {
      build_.nextName(name);
      gradient = build_.unary(Function::identity, gradient);
    }
    named_.push_back(gradient);
    return gradient;
  }

  GraphBuilder& build_;
  std::size_t operators_;
  std::vector<bool> reached_;                 // by forward tensor: depends on one of `of`
  std::vector<std::vector<TensorId>> parts_;  // by forward tensor: contributions to its gradient
  std::vector<TensorId> total_;               // by forward tensor: their sum
  std::vector<TensorId> named_;
};

}  // namespace

std::vector<TensorId> gradients(GraphBuilder& build, TensorId loss, std::span<const TensorId> of) {
  const Tensor& tensor = build.graph()[loss];
  if (!tensor.shape.empty() || !isFloating(tensor.dtype))
    throw Error{.what = "\"" + tensor.name + "\" is no loss",
                .where = tensor.name,
                .right = "a floating number without dimensions"};
  return Backward(build, loss, of).run(of);
}

}  // namespace core
