#include "core/autodiff/optimizer.h"

#include <fmt/format.h>

namespace core {
namespace {

TensorId slot(GraphBuilder& build, const std::string& name, TensorId parameter) {
  const Tensor like = build.graph()[parameter];
  return build.state(name + "/" + like.name, like.shape, like.dtype, StateKind::slot,
                     Initializer{Initializer::Kind::constant, 0, 0});
}

std::vector<TensorId> apply(GraphBuilder& build, const std::string& kind, TensorId parameter,
                            std::vector<TensorId> inputs, Attributes settings) {
  build.nextName(kind + "/" + build.graph()[parameter].name);
  return build.add(kind, std::move(inputs), std::move(settings));
}

void addSgd(GraphBuilder& build, const OptimizerSettings& settings, const Trained& one) {
  build.update(one.parameter, apply(build, "sgd", one.parameter, {one.parameter, one.gradient},
                                    {{"learning_rate", settings.learningRate}})[0]);
}

void addMomentum(GraphBuilder& build, const OptimizerSettings& settings, const Trained& one) {
  const TensorId speed = slot(build, "momentum", one.parameter);
  const auto made = apply(build, "momentum", one.parameter, {one.parameter, one.gradient, speed},
                          {{"learning_rate", settings.learningRate}, {"momentum", settings.momentum}});
  build.update(one.parameter, made[0]);
  build.update(speed, made[1]);
}

// The step's number counts from 1; what depends on it alone is computed once for each type of parameter.
std::vector<TensorId> adamRates(GraphBuilder& build, const OptimizerSettings& settings, TensorId step, DType type) {
  build.nextName(type == DType::f32 ? "adam/rates" : fmt::format("adam/rates_{}", toString(type)));
  return build.add("adam_rates", {step},
                   {{"learning_rate", settings.learningRate},
                    {"beta1", settings.beta1},
                    {"beta2", settings.beta2},
                    {"dtype", std::string(toString(type))}});
}

void addAdam(GraphBuilder& build, const OptimizerSettings& settings, const std::vector<Trained>& trained) {
  const TensorId before =
      build.state("adam.step", Shape{}, DType::i64, StateKind::counter, Initializer{Initializer::Kind::constant, 0, 0});
  build.nextName("adam/step");
  const TensorId step = build.plus(before, 1.0);
  build.update(before, step);
  std::map<DType, std::vector<TensorId>> rates;
  const Attributes attributes{{"beta1", settings.beta1}, {"beta2", settings.beta2}, {"epsilon", settings.epsilon}};
  for (const Trained& one : trained) {
    std::vector<TensorId>& rate = rates[build.graph()[one.parameter].dtype];
    if (rate.empty()) rate = adamRates(build, settings, step, build.graph()[one.parameter].dtype);
    const TensorId mean = slot(build, "adam.m", one.parameter), square = slot(build, "adam.v", one.parameter);
    const auto made =
        apply(build, "adam", one.parameter, {one.parameter, one.gradient, mean, square, rate[0], rate[1]}, attributes);
    build.update(one.parameter, made[0]);
    build.update(mean, made[1]);
    build.update(square, made[2]);
  }
}

}  // namespace

void addOptimizer(GraphBuilder& build, const OptimizerSettings& settings, const std::vector<Trained>& trained) {
  if (settings.kind == OptimizerKind::adam) return addAdam(build, settings, trained);
  for (const Trained& one : trained)
    settings.kind == OptimizerKind::sgd ? addSgd(build, settings, one) : addMomentum(build, settings, one);
}

std::string describe(const OptimizerSettings& settings) {
  switch (settings.kind) {
    case OptimizerKind::sgd:
      return fmt::format("optimizer: SGD, learning rate {}", settings.learningRate);
    case OptimizerKind::momentum:
      return fmt::format("optimizer: SGD with momentum {}, learning rate {}", settings.momentum, settings.learningRate);
    case OptimizerKind::adam:
      break;
  }
  return fmt::format("optimizer: Adam, learning rate {}, beta1 {}, beta2 {}, epsilon {}", settings.learningRate,
                     settings.beta1, settings.beta2, settings.epsilon);
}

}  // namespace core
