#include "core/io/dot.h"

#include <fmt/format.h>

#include <map>

#include "core/base/text.h"

namespace core {
namespace {

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c == '\n' || c == '\r' ? ' ' : c;
  }
  return result + "\"";
}

// Scopes as a tree, so that clusters nest as they do.
struct Scope {
  std::map<std::string, Scope, std::less<>> inner;
  std::vector<OperatorId> operators;
};

Scope scopesOf(const Graph& graph, bool nested) {
  Scope root;
  for (std::size_t i = 0; i < graph.operators.size(); ++i) {
    Scope* at = &root;
    const std::string_view scope = scopeOf(graph.operators[i].name);
    if (nested && !scope.empty())
      for (std::string_view part : split(scope, '/')) at = &at->inner[std::string(part)];
    at->operators.push_back(OperatorId(static_cast<std::int64_t>(i)));
  }
  return root;
}

class DotPrinter {
 public:
  explicit DotPrinter(const Analysis& analysis) : graph_(*analysis.plan->graph), mesh_(analysis.plan->variants[analysis.variant].mesh) {
    if (!analysis.step) return;
    for (std::size_t i = 0; i < analysis.layouts.size(); ++i) shardings_[analysis.step->tensors[i].name] = &analysis.layouts.sharding(i);
  }

  std::string print(const std::string& title, const DotOptions& options) {
    text_ = fmt::format("digraph {} {{\n  rankdir=TB;{}\n", quoted(title), options.curves ? "" : " splines=line;");
    text_ += "  node [shape=box, style=rounded, fontname=\"sans-serif\", fontsize=10];\n  edge [fontname=\"sans-serif\", fontsize=8];\n";
    scope(scopesOf(graph_, options.clusters), "");
    edges();
    return text_ + "}\n";
  }

 private:
  // States and constants would be long edges from far away: they stand in the operators that read them.
  bool isInside(TensorId id) const { return graph_[id].kind == TensorKind::state || graph_[id].kind == TensorKind::constant; }

  void scope(const Scope& scope, const std::string& path) {
    for (OperatorId id : scope.operators) {
      std::string label = graph_[id].kind;
      for (TensorId input : graph_[id].inputs)
        if (isInside(input) && !graph_[input].shape.empty()) label += "\n" + graph_[input].name + " [" + dims(input) + "]";
      text_ += fmt::format("  op{} [label={}, tooltip={}];\n", id.value, lines(label), quoted(graph_[id].name));
    }
    for (const auto& [name, inner] : scope.inner) {
      const std::string innerPath = path.empty() ? name : path + "/" + name;
      text_ += fmt::format("  subgraph {} {{\n  label={}; style=rounded; color=gray60;\n", quoted("cluster_" + innerPath), quoted(name));
      this->scope(inner, innerPath);
      text_ += "  }\n";
    }
  }

  static std::string lines(const std::string& label) {
    std::string all;
    for (std::string_view line : split(label, '\n')) {
      const std::string one = quoted(line);
      all += (all.empty() ? "" : "\\n") + one.substr(1, one.size() - 2);
    }
    return "\"" + all + "\"";
  }

  void edges() {
    const auto readers = consumers(graph_);
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
      const TensorId id(static_cast<std::int64_t>(i));
      if (isInside(id)) continue;
      const Tensor& tensor = graph_.tensors[i];
      const std::string from = tensor.producer.valid() ? fmt::format("op{}", tensor.producer.value) : fmt::format("input{}", i);
      if (!tensor.producer.valid()) text_ += fmt::format("  {} [shape=ellipse, label={}];\n", from, quoted(tensor.name));
      for (OperatorId reader : readers[i]) text_ += fmt::format("  {} -> op{} [label={}];\n", from, reader.value, quoted(dims(id)));
    }
    for (TensorId output : graph_.outputs) {
      text_ += fmt::format("  output{} [shape=ellipse, label={}];\n", output.value, quoted(graph_[output].name));
      if (graph_[output].producer.valid()) text_ += fmt::format("  op{} -> output{} [label={}];\n", graph_[output].producer.value, output.value, quoted(dims(output)));
    }
  }

  std::string dims(TensorId id) const {
    const Tensor& tensor = graph_[id];
    const auto found = shardings_.find(tensor.name);
    std::string text;
    for (std::size_t d = 0; d < tensor.shape.size(); ++d) {
      const Dim& dim = graph_[tensor.shape[d]];
      text += (text.empty() ? "" : " ") + dim.name + ":" + (dim.size == 0 ? std::string("?") : std::to_string(dim.size));
      if (found == shardings_.end() || d >= found->second->dims.size()) continue;
      for (AxisId axis : found->second->dims[d]) text += "/" + mesh_.axes[axis].name;
    }
    return text;
  }

  const Graph& graph_;
  const Mesh& mesh_;
  std::map<std::string, const Sharding*, std::less<>> shardings_;
  std::string text_;
};

}  // namespace

std::string printDot(const Analysis& analysis, const DotOptions& options) { return DotPrinter(analysis).print(analysis.plan->name, options); }

}  // namespace core
