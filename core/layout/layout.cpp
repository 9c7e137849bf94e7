#include "core/layout/layout.h"

#include <algorithm>
#include <map>

#include "core/base/text.h"
#include "core/layout/resolve.h"

namespace core {
namespace {

constexpr std::string_view separators = ";, \t";

Rule& ruleFor(Layout& layout, const std::string& dimension) {
  for (Rule& rule : layout.rules)
    if (rule.dimension == dimension) return rule;
  return layout.rules.emplace_back(Rule{dimension, {}});
}

std::vector<std::string> axisNames(const Mesh& mesh) {
  std::vector<std::string> names;
  for (const MeshAxis& axis : mesh.axes) names.push_back(axis.name);
  return names;
}

std::vector<std::string> dimNames(const Graph& graph) {
  std::vector<std::string> names;
  for (const Dim& dim : graph.dims) names.push_back(dim.name);
  for (const auto& [alias, name] : graph.aliases) names.push_back(alias);
  return names;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

class Checker {
 public:
  Checker(const Layout& layout, const Graph& graph, const Mesh& mesh, const Graph* elsewhere)
      : layout_(layout), graph_(graph), mesh_(mesh), elsewhere_(elsewhere), pinned_(layout, graph) {}

  std::vector<Diagnostic> run() {
    for (const Rule& rule : layout_.rules) checkRule(rule, "rule " + rule.dimension, true);
    for (const Pin& pin : layout_.pins) checkPin(pin);
    checkPinsOfOneTensor();
    for (const Choice& choice : layout_.choices) checkAxes(choice.axes, "choice of " + choice.op);
    if (found_.empty()) checkTensors();
    return std::move(found_);
  }

 private:
  void report(std::string what, std::string where, std::string right) { found_.push_back({std::move(what), std::move(where), std::move(right)}); }

  void checkAxes(const std::vector<std::string>& axes, const std::string& where) {
    for (std::size_t i = 0; i < axes.size(); ++i) {
      if (!mesh_.find(axes[i])) {
        const std::vector<std::string> names = axisNames(mesh_);
        report("the mesh has no axis '" + axes[i] + "'", where, names.empty() ? "it has none" : didYouMean(axes[i], names));
      }
      if (std::find(axes.begin(), axes.begin() + static_cast<std::ptrdiff_t>(i), axes[i]) != axes.begin() + static_cast<std::ptrdiff_t>(i))
        report("axis '" + axes[i] + "' stands twice", where, "each axis once");
    }
  }

  void checkRule(const Rule& rule, const std::string& where, bool wholeGraph) {
    if (!resolveDim(graph_, rule.dimension)) {
      if (wholeGraph && elsewhere_ && resolveDim(*elsewhere_, rule.dimension)) {
        found_.push_back({"dimension '" + rule.dimension + "' exists only in another kind of step", where, "", Diagnostic::Severity::note});
      } else {
        report("the graph has no dimension '" + rule.dimension + "'", where, didYouMean(rule.dimension, dimNames(graph_)));
      }
    }
    checkAxes(rule.axes, where);
  }

  void checkPin(const Pin& pin) {
    const std::string where = "pin " + pin.tensor;
    bool matched = false;
    for (const TensorId pinned : pinned_.of(pin.tensor)) {
      const Tensor& tensor = graph_[pinned];
      matched = true;
      for (const Rule& dim : pin.dims) {
        const auto id = resolveDim(graph_, dim.dimension);
        if (id && std::find(tensor.shape.begin(), tensor.shape.end(), *id) == tensor.shape.end())
          report("tensor '" + tensor.name + "' has no dimension '" + dim.dimension + "'", where, "its dimensions are " + listed(namesOf(tensor)));
      }
    }
    if (!matched && elsewhere_) {
      matched = std::any_of(elsewhere_->tensors.begin(), elsewhere_->tensors.end(), [&](const Tensor& tensor) { return globMatch(pin.tensor, tensor.name); });
      if (matched) {
        found_.push_back({"tensor '" + pin.tensor + "' exists only in another kind of step", where, "", Diagnostic::Severity::note});
        return;
      }
    }
    if (!matched) {
      std::vector<std::string> names;
      for (const Tensor& tensor : graph_.tensors) names.push_back(tensor.name);
      report("no tensor is named '" + pin.tensor + "'", where, didYouMean(pin.tensor, names));
    }
    for (const Rule& dim : pin.dims) checkRule(dim, where, false);
  }

  // A tensor has one layout. (Of two globs that match it, the later one counts.)
  void checkPinsOfOneTensor() {
    for (std::size_t i = 0; i < layout_.pins.size(); ++i)
      for (std::size_t k = i + 1; k < layout_.pins.size(); ++k)
        if (layout_.pins[i].tensor == layout_.pins[k].tensor && !(layout_.pins[i] == layout_.pins[k]))
          report("tensor '" + layout_.pins[i].tensor + "' is pinned in two ways", "pin " + layout_.pins[i].tensor, "one pin; its readers get a reshard where they want another part");
  }

  std::vector<std::string> namesOf(const Tensor& tensor) const {
    std::vector<std::string> names;
    for (DimId dim : tensor.shape) names.push_back(graph_[dim].name);
    return names;
  }

  // One report for each pair of dimensions, naming the first tensor that has both and how many do.
  void checkTensors() {
    const ResolvedLayout resolved = resolve(layout_, graph_, mesh_);
    std::map<std::pair<DimId, DimId>, std::pair<std::string, int>> clashes;
    std::map<std::pair<DimId, DimId>, AxisId> axisOf;
    for (std::size_t t = 0; t < graph_.tensors.size(); ++t) {
      const Tensor& tensor = graph_.tensors[t];
      std::vector<DimId> owner(mesh_.axes.size());
      for (std::size_t d = 0; d < tensor.shape.size(); ++d) {
        for (AxisId axis : resolved.wanted(TensorId(static_cast<std::int64_t>(t)), d, tensor.shape[d])) {
          if (!owner[axis].valid()) {
            owner[axis] = tensor.shape[d];
            continue;
          }
          auto& [name, count] = clashes[{owner[axis], tensor.shape[d]}];
          if (count++ == 0) name = tensor.name;
          axisOf[{owner[axis], tensor.shape[d]}] = axis;
        }
      }
    }
    for (const auto& [pair, clash] : clashes)
      report("axis '" + mesh_.axes[axisOf[pair]].name + "' splits two dimensions of one tensor: '" + graph_[pair.first].name + "' and '" + graph_[pair.second].name + "'",
             clash.first + (clash.second > 1 ? " and " + std::to_string(clash.second - 1) + " more" : ""), "split one of them over another axis, or pin the tensor");
  }

  const Layout& layout_;
  const Graph& graph_;
  const Mesh& mesh_;
  const Graph* elsewhere_;
  PinnedTensors pinned_;
  std::vector<Diagnostic> found_;
};

}  // namespace

Layout Layout::of(std::string_view text) {
  Layout layout;
  std::size_t at = text.find_first_not_of(separators);
  while (at != std::string_view::npos) {
    const std::size_t end = text.find_first_of(separators, at);
    const std::string item(text.substr(at, end == std::string_view::npos ? end : end - at));
    const std::size_t colon = item.find(':');
    if (colon == std::string::npos || colon == 0 || colon + 1 == item.size() || item.find(':', colon + 1) != std::string::npos)
      throw Error{.what = "\"" + item + "\" is not a layout rule", .where = "layout \"" + std::string(text) + "\"", .right = "a rule is DIMENSION:AXIS, as in \"batch:data;heads:model\""};
    ruleFor(layout, item.substr(0, colon)).axes.push_back(item.substr(colon + 1));
    at = end == std::string_view::npos ? end : text.find_first_not_of(separators, end);
  }
  return layout;
}

std::string printMeshTensorflow(const Layout& layout) {
  std::string text;
  for (const Rule& rule : layout.rules)
    for (const std::string& axis : rule.axes) text += (text.empty() ? "" : ";") + rule.dimension + ":" + axis;
  return text;
}

std::vector<Diagnostic> check(const Layout& layout, const Graph& graph, const Mesh& mesh, const Graph* elsewhere) {
  return Checker(layout, graph, mesh, elsewhere).run();
}

}  // namespace core
