#include "core/plan/shortage.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>

#include "core/cost/memory.h"
#include "core/plan/edit/layout.h"
#include "core/plan/edit/mesh.h"
#include "core/plan/edit/presets.h"
#include "core/plan/edit/variants.h"

namespace core {
namespace {

constexpr std::size_t mostSplits = 8;
constexpr std::size_t mostNewSplits = 3;

// "h.3.attn/scores" -> "h.*.attn/scores": numbers between separators are those of layers.
std::string layerPattern(std::string_view name) {
  const auto separates = [&](std::size_t at) { return at >= name.size() || std::string_view("._/ ").find(name[at]) != std::string_view::npos; };
  const auto isDigit = [&](std::size_t at) { return at < name.size() && std::isdigit(static_cast<unsigned char>(name[at])); };
  std::string pattern;
  for (std::size_t at = 0; at < name.size();) {
    std::size_t end = at;
    while (isDigit(end)) ++end;
    const bool isLayer = end > at && (at == 0 || separates(at - 1)) && end < name.size() && separates(end);
    if (end == at) ++end;
    pattern += isLayer ? std::string_view("*") : name.substr(at, end - at);
    at = end;
  }
  return pattern;
}

// What a change would take off the peak at best, if all that holds the dimension followed.
using Weights = std::map<std::pair<std::string, std::string>, std::int64_t>;  // dimension, axis -> bytes

bool usesAxis(const Sharding& sharding, AxisId axis) {
  return std::any_of(sharding.dims.begin(), sharding.dims.end(), [&](const AxisList& list) { return list.contains(axis); });
}

template <class Visit>
void eachLive(const Program& program, Visit visit) {
  for (BufferId id : memoryUse(program).live) visit(program.buffers[id.index()]);
}

Weights weightsOf(const Program& program) {
  Weights weights;
  eachLive(program, [&](const Buffer& buffer) {
    for (std::size_t d = 0; d < buffer.dims.size(); ++d) {
      if (program.mesh.axes.empty()) weights[{buffer.dims[d], {}}] += buffer.localShape[d] > 1 ? buffer.bytes : 0;
      for (std::size_t a = 0; a < program.mesh.axes.size(); ++a) {
        const std::int64_t parts = std::min(program.mesh.axes[a].size, buffer.localShape[d]);
        if (parts > 1 && !usesAxis(buffer.placement.sharding, static_cast<AxisId>(a)))
          weights[{buffer.dims[d], program.mesh.axes[a].name}] += buffer.bytes - buffer.bytes / parts;
      }
    }
  });
  return weights;
}

bool isLegal(const Analysis& analysis, const Relief& relief) {
  try {
    Plan before = *analysis.plan;
    before.current = analysis.variant;
    const Plan after = relieve(before, relief);
    return after.variant() != before.variant() && !hasErrors(check(after.variant().layout, *after.graph, after.variant().mesh, analysis.step.get()));
  } catch (const Error&) {
    return false;
  }
}

std::vector<std::pair<std::string, std::string>> heaviest(const Weights& weights) {
  std::vector<std::pair<std::string, std::string>> found;
  for (const auto& [what, bytes] : weights)
    if (bytes > 0) found.push_back(what);
  std::stable_sort(found.begin(), found.end(), [&](const auto& a, const auto& b) { return weights.at(a) > weights.at(b); });
  return found;
}

bool hasDevices(const Analysis& analysis, std::int64_t count) { return !analysis.machine || count <= devices(*analysis.machine); }

void addSplits(const Analysis& analysis, std::vector<Relief>& found) {
  const bool isNew = analysis.program->mesh.axes.empty();
  std::size_t dimensions = 0;
  for (const auto& [dimension, axis] : heaviest(weightsOf(*analysis.program))) {
    std::vector<Relief> some;
    if (!isNew) some.push_back({Relief::Kind::split, dimension, axis, 0});
    for (std::int64_t size : {2, 4, 8})
      if (isNew && hasDevices(analysis, size)) some.push_back({Relief::Kind::splitNew, dimension, dimension == batchDimension(*analysis.plan->graph) ? "data" : "model", size});
    std::erase_if(some, [&](const Relief& one) { return !isLegal(analysis, one); });
    found.insert(found.end(), some.begin(), some.end());
    if (!some.empty() && ++dimensions == (isNew ? mostNewSplits : mostSplits)) return;
  }
}

}  // namespace

std::vector<PeakCause> peakCauses(const Analysis& analysis, std::size_t most) {
  if (!analysis.program) return {};
  std::map<std::pair<std::string, MemoryClass>, PeakCause> groups;
  eachLive(*analysis.program, [&](const Buffer& buffer) {
    PeakCause& cause = groups[{layerPattern(buffer.name), buffer.memoryClass}];
    cause.name = cause.buffers == 0 ? buffer.name : layerPattern(buffer.name);
    cause.memoryClass = buffer.memoryClass;
    ++cause.buffers;
    cause.bytes += buffer.bytes;
    if (analysis.step && buffer.tensor.valid() && buffer.tensor.index() < analysis.step->tensors.size())
      cause.tensors.push_back((*analysis.step)[buffer.tensor].name);
  });
  std::vector<PeakCause> causes;
  for (auto& [key, cause] : groups) causes.push_back(std::move(cause));
  std::stable_sort(causes.begin(), causes.end(), [](const PeakCause& a, const PeakCause& b) { return a.bytes > b.bytes; });
  if (causes.size() > most) causes.resize(most);
  return causes;
}

std::vector<Relief> reliefs(const Analysis& analysis) {
  std::vector<Relief> found;
  if (!analysis.program || !analysis.plan) return found;
  const Variant& variant = analysis.plan->variants.at(analysis.variant);
  addSplits(analysis, found);
  if (variant.step.precision == Precision::f32) found.push_back({Relief::Kind::precision, {}, {}, 0});
  for (const MeshAxis& axis : variant.mesh.axes)
    if (hasDevices(analysis, variant.mesh.devices() * 2)) found.push_back({Relief::Kind::enlarge, {}, axis.name, axis.size * 2});
  return found;
}

Plan relieve(Plan plan, const Relief& relief) {
  switch (relief.kind) {
    case Relief::Kind::split:
      return addRule(std::move(plan), relief.dimension, relief.axis);
    case Relief::Kind::splitNew:
      return addRule(addAxis(std::move(plan), relief.axis, relief.size), relief.dimension, relief.axis);
    case Relief::Kind::enlarge:
      return resizeAxis(std::move(plan), relief.axis, relief.size);
    case Relief::Kind::precision:
      break;
  }
  Step step = plan.variant().step;
  step.precision = Precision::bf16;
  return setStep(std::move(plan), step);
}

std::optional<Reached> reached(const Analysis& analysis) {
  if (!analysis.cost || analysis.cost->devices.empty() || hasErrors(analysis.diagnostics)) return {};
  const DeviceCost& device = analysis.cost->devices.front();
  return Reached{.fits = analysis.cost->fits(),
                 .devices = analysis.plan->variants.at(analysis.variant).mesh.devices(),
                 .peakBytes = device.peak.total(),
                 .stepSeconds = device.stepSeconds};
}

bool isBetter(const Reached& one, const Reached& other) {
  if (one.fits != other.fits) return one.fits;
  if (one.fits && one.devices != other.devices) return one.devices < other.devices;
  if (one.fits && one.stepSeconds && other.stepSeconds && *one.stepSeconds != *other.stepSeconds) return *one.stepSeconds < *other.stepSeconds;
  return one.peakBytes < other.peakBytes;
}

}  // namespace core
