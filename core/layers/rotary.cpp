#include "core/layers/rotary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/layers/dense.h"
#include "core/layers/named.h"

namespace core {
namespace {

constexpr double turn = 2 * std::numbers::pi;

double llama3Angle(const Rotary& rotary, double angle) {
  const double trained = static_cast<double>(rotary.trainedPositions), turns = trained * angle / turn;
  if (turns < rotary.lowFrequency) return angle / rotary.factor;
  if (turns > rotary.highFrequency) return angle;
  const double smooth = (turns - rotary.lowFrequency) / (rotary.highFrequency - rotary.lowFrequency);
  return (1 - smooth) * angle / rotary.factor + smooth * angle;
}

// At which pair an angle makes so many turns within the trained positions.
double pairOfTurns(const Rotary& rotary, double turns, double size) {
  return size * std::log(static_cast<double>(rotary.trainedPositions) / (turns * turn)) / (2 * std::log(rotary.theta));
}

struct Border {
  double low = 0, high = 0;
};

Border yarnBorder(const Rotary& rotary, double size) {
  Border border{pairOfTurns(rotary, rotary.fastTurns, size), pairOfTurns(rotary, rotary.slowTurns, size)};
  if (rotary.wholeBorders) border = {std::floor(border.low), std::ceil(border.high)};
  border = {std::max(border.low, 0.0), std::min(border.high, size - 1)};
  if (border.low == border.high) border.high += 0.001;
  return border;
}

double yarnAngle(const Rotary& rotary, double angle, double pair, const Border& border) {
  const double divided = std::clamp((pair - border.low) / (border.high - border.low), 0.0, 1.0);
  return angle / rotary.factor * divided + angle * (1 - divided);
}

}  // namespace

double yarnMagnitude(double factor, double weight) {
  return factor <= 1 ? 1 : 0.1 * weight * std::log(factor) + 1;
}

std::vector<double> rotaryAngles(const Rotary& rotary, std::int64_t size) {
  const double whole = static_cast<double>(size);
  const Border border = rotary.scaling == Rotary::Scaling::yarn ? yarnBorder(rotary, whole) : Border{};
  std::vector<double> angles;
  for (std::int64_t i = 0; i < size / 2; ++i) {
    const double pair = static_cast<double>(i), angle = std::pow(rotary.theta, -2 * pair / whole);
    switch (rotary.scaling) {
      case Rotary::Scaling::none:
        angles.push_back(angle);
        break;
      case Rotary::Scaling::linear:
        angles.push_back(angle / rotary.factor);
        break;
      case Rotary::Scaling::llama3:
        angles.push_back(llama3Angle(rotary, angle));
        break;
      case Rotary::Scaling::yarn:
        angles.push_back(yarnAngle(rotary, angle, pair, border));
        break;
    }
  }
  return angles;
}

RotaryTable rotaryTable(GraphBuilder& build, const std::string& name, DimId seq, DimId half, const Rotary& rotary,
                        Pairs pairs) {
  const Named at(build, name);
  const DimId pair = build.dim("pair", 2);
  const std::vector<double> angles = rotaryAngles(rotary, 2 * build.graph().size(half));
  const TensorId places = at("places").iota(seq, DType::f32);
  const TensorId turned = at("angles").times(places, fixedNumbers(build, name + ".angles", half, angles));
  TensorId cosine = at("cosine").unary(Function::cos, turned), sine = at("sine").unary(Function::sin, turned);
  if (rotary.magnitude != 1) {
    cosine = at("cosine_scaled").times(cosine, rotary.magnitude);
    sine = at("sine_scaled").times(sine, rotary.magnitude);
  }
  const TensorId signs = fixedNumbers(build, name + ".signs", pair, std::array{-1.0, 1.0});
  return {cosine, at("sine_signed").times(sine, signs), half, pair, pairs};
}

// (a, b) -> (a cos - b sin, b cos + a sin): each times the cosine, and the other of its pair times the signed sine.
TensorId rotate(GraphBuilder& build, const std::string& scope, TensorId x, DimId size, const RotaryTable& table) {
  const Named at(build, scope);
  const bool halves = table.pairs == Pairs::halves;
  const TensorId apart =
      at("pairs").split(x, size, halves ? Shape{table.pair, table.half} : Shape{table.half, table.pair});
  const TensorId other = at("other").slice(apart, table.pair, table.pair, 1, -1);
  const TensorId straight = at("straight").times(apart, table.cosine);
  const TensorId across = at("across").times(other, table.sine);
  return at("turned").plus(straight, across);
}

}  // namespace core
