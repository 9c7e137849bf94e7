#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "core/io/naming/name.h"

// Where names come from, by priority: 0 the file, 2 the operator, 3 a pattern, 4 and 5 what is usual at such a place, 6 to 10
// what is left: the parameter, the input, the module, the output.

namespace core::naming {
namespace {

using positional::Model;
using positional::Node;
using positional::Value;

class Hinter {
 public:
  Hinter(Names& names, const Model& model, const Walk& walk) : names_(names), atoms_(names.atoms), model_(model), walk_(walk) {
    for (const Relation& relation : names.relations) {
      for (int output : nodeOf(relation).outputs) maker_[output] = &relation;
      for (const Operand& operand : relation.operands)
        if (operand.value >= 0) users_[operand.value].push_back(&relation);
    }
    for (int input : model.inputs) {
      if (isParameter(valueAt(input))) continue;
      for (AtomId a : atoms_.leaves(*names.axes[static_cast<std::size_t>(input)])) inInputs_.insert(a);
    }
  }

  void run() {
    symbols();
    for (const Relation& relation : names_.relations) {
      const std::string& type = nodeOf(relation).type;
      if (type == "Gather") table(relation);
      else if (type == "Softmax" || type == "ReduceMax") attention(relation);
      else if (type == "LayerNormalization" && !relation.summed.empty()) last(relation.summed.back(), 4, "d_model");
      else if (type == "ReduceMean" || type == "ReduceSum") norm(relation);
      else if (type == "Conv") image(relation);
      else if ((type == "SoftmaxCrossEntropyLoss" || type == "NegativeLogLikelihoodLoss") && !relation.summed.empty()) last(relation.summed[0], 3, "classes");
      else if (type == "TopK") last(relation.operands[0].axes[axisOfTopK(relation)], 3, "experts");
      else if (type == "Concat" && stacks(relation)) atoms_.hint(relation.added, 6, "concat");
      modules(relation);
    }
    packed();
    inputs();
    outputs();
    parameters();
  }

 private:
  const Node& nodeOf(const Relation& relation) const { return model_.nodes[static_cast<std::size_t>(relation.node)]; }
  const Value& valueAt(int value) const { return model_.values[static_cast<std::size_t>(value)]; }
  void last(const Axis& axis, int priority, const std::string& text) { atoms_.hint(axis, priority, text); }
  Axis leaves(const Axis& axis) const { return atoms_.leaves(axis); }

  static bool madeUp(const std::string& symbol) {
    auto digits = [](const std::string& text) { return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); }); };
    if (digits(symbol) || symbol == "?" || symbol.rfind("unk__", 0) == 0) return true;
    std::size_t dim = symbol.rfind("_dim_");
    return dim != std::string::npos && digits(symbol.substr(dim + 5));
  }

  void symbols() {
    for (const auto& [symbol, atom] : names_.symbols) {
      bool unnamed = false;  // "x_0": what the parser calls an axis without a size or a symbol
      for (int input : model_.inputs) unnamed = unnamed || symbol.rfind(valueAt(input).name + "_", 0) == 0;
      if (!madeUp(symbol) && !unnamed) atoms_.hint(atom, 0, identifier(symbol));
    }
  }

  static std::set<std::string> tokens(const std::string& name) {
    std::set<std::string> all{""};
    std::string token;
    for (char c : name + ".") {
      if (std::isalnum(static_cast<unsigned char>(c))) {
        token.push_back(static_cast<char>(std::tolower(c)));
      } else {
        all.insert(token);
        token.clear();
      }
    }
    return all;
  }

  static bool hasToken(const std::string& name, std::initializer_list<const char*> wanted) {
    std::set<std::string> all = tokens(name);
    return std::any_of(wanted.begin(), wanted.end(), [&](const char* one) { return all.count(one) > 0; });
  }

  // A table that ids read. Ids that are known at import count positions.
  bool isTable(const Relation& relation) const {
    return nodeOf(relation).type == "Gather" && relation.operands.size() > 1 && relation.operands[0].parameter && relation.operands[1].value >= 0 && relation.operands[0].axes.size() == 2;
  }

  bool readsPositions(const Relation& relation) const {
    return walk_.values[static_cast<std::size_t>(relation.operands[1].value)].data != nullptr || hasToken(valueAt(relation.operands[0].value).name, {"pos", "wpe", "position", "positions"});
  }

  void table(const Relation& relation) {
    if (!isTable(relation)) return;
    const std::string& name = valueAt(relation.operands[0].value).name;
    const Axis& rows = relation.operands[0].axes[0];
    atoms_.hint(relation.operands[0].axes[1], 6, "emb");
    if (readsPositions(relation)) return last(rows, 3, "positions");
    std::set<int> tables;
    for (const Relation& other : names_.relations)
      if (isTable(other) && !readsPositions(other)) tables.insert(other.operands[0].value);
    bool words = hasToken(name, {"wte", "word", "words", "tok", "token", "tokens", "vocab"}) && !hasToken(name, {"type", "typ"});
    bool text = words || tables.size() == 1;
    if (text) texts_.insert(given(relation.operands[1].value));
    last(rows, 2, text ? "vocab" : identifier(moduleOf(name)) + "_rows");
  }

  // The input that the ids are, through what keeps them in their range.
  int given(int value, int depth = 0) const {
    auto found = maker_.find(value);
    if (found == maker_.end() || depth > 12) return value;
    static const std::set<std::string> through{"Max", "Min", "Clip", "Where", "Add", "Cast", "Reshape", "Identity"};
    if (!through.count(nodeOf(*found->second).type)) return value;
    for (const Operand& operand : found->second->operands)
      if (operand.value >= 0 && !operand.fixed && !operand.axes.empty())
        if (int from = given(operand.value, depth + 1); valueAt(from).kind == Value::Kind::input) return from;
    return value;
  }

  bool stacks(const Relation& relation) const {
    return relation.added.size() == 1 && atoms_.size(relation.added[0]) == static_cast<std::int64_t>(relation.operands.size());
  }

  std::size_t axisOfTopK(const Relation& relation) const {
    std::int64_t axis = nodeOf(relation).integer("axis", -1), rank = static_cast<std::int64_t>(relation.operands[0].axes.size());
    return static_cast<std::size_t>(std::clamp<std::int64_t>(axis < 0 ? axis + rank : axis, 0, rank - 1));
  }

  // x - mean(x) over the last axis, or the mean of x x.
  void norm(const Relation& relation) {
    if (relation.summed.size() != 1 || relation.operands[0].axes.empty() || relation.summed[0] != relation.operands[0].axes.back()) return;
    if (auto made = maker_.find(relation.operands[0].value); made != maker_.end()) {
      const Node& square = nodeOf(*made->second);
      if (square.type == "Mul" && square.inputs[0] == square.inputs[1]) return last(relation.summed[0], 4, "d_model");
    }
    int mean = nodeOf(relation).outputs[0];
    for (const char* type : {"Div", "Mul", "Reshape"}) mean = behind(mean, type);
    auto users = users_.find(mean);
    if (users == users_.end()) return;
    for (const Relation* user : users->second)
      if (nodeOf(*user).type == "Sub" && nodeOf(*user).inputs[0] == relation.operands[0].value) last(relation.summed[0], 4, "d_model");
  }

  // What an operator of this type makes of the value; itself where none does.
  int behind(int value, const std::string& type) const {
    auto users = users_.find(value);
    if (users == users_.end()) return value;
    for (const Relation* user : users->second)
      if (nodeOf(*user).type == type && nodeOf(*user).inputs[0] == value) return nodeOf(*user).outputs[0];
    return value;
  }

  // The axes of an image that comes from outside, wherever they stand there.
  void image(const Relation& relation) {
    static const char* spatial[] = {"depth", "height", "width"};
    const Axes& axes = relation.operands[0].axes;
    const std::size_t rank = axes.size();
    if (rank < 3 || rank > 5) return;
    auto outside = [&](const Axis& axis) {
      const Axis own = leaves(axis);
      return own.size() == 1 && inInputs_.count(own[0]) > 0;
    };
    if (outside(axes[1])) last(axes[1], 4, "channels");
    for (std::size_t i = 2; i < rank; ++i)
      if (outside(axes[i])) last(axes[i], 3, spatial[3 - (rank - 2) + (i - 2)]);
  }

  // The product of two activations that a softmax is taken of, through scaling and masking.
  const Relation* scoresOf(int value, int depth = 0) const {
    auto found = maker_.find(value);
    if (found == maker_.end() || depth > 12) return nullptr;
    const Relation& relation = *found->second;
    auto flows = [](const Operand& one) { return one.value >= 0 && !one.parameter && !one.fixed; };
    if (!relation.labels.empty() && std::count_if(relation.operands.begin(), relation.operands.end(), flows) == 2 && !relation.summed.empty()) return &relation;
    static const std::set<std::string> through{"Div", "Mul", "Add", "Sub", "Where", "Cast", "Identity", "Max", "Clip", "Dropout", "Reshape"};
    if (!through.count(nodeOf(relation).type)) return nullptr;
    for (const Operand& operand : relation.operands)
      if (flows(operand))
        if (const Relation* scores = scoresOf(operand.value, depth + 1)) return scores;
    return nullptr;
  }

  // Scores are a product; what both sides have is batch and heads, what only the first has rows, what only the second columns.
  // `softmax` is one, or the maximum that one begins with.
  void attention(const Relation& softmax) {
    if (softmax.operands.empty() || softmax.operands[0].axes.size() < 2) return;
    const Relation* scores = scoresOf(softmax.operands[0].value);
    if (!scores || scores->labels.size() != 2) return;
    const Axes& axes = scores->outputs[0];
    auto in = [&](std::size_t side, int label) { return std::count(scores->labels[side].begin(), scores->labels[side].end(), label) > 0; };
    std::vector<std::size_t> rows, columns, shared;
    for (std::size_t i = 0; i < axes.size() && i < scores->outLabels.size(); ++i) {
      const bool first = in(0, scores->outLabels[i]), second = in(1, scores->outLabels[i]);
      (first && second ? shared : first ? rows : columns).push_back(i);
    }
    if (rows.empty() || columns.empty()) return;
    const Axis summed = leaves(softmax.summed.empty() ? softmax.operands[0].axes.back() : softmax.summed[0]);
    if (summed == leaves(axes[rows.back()]) && summed != leaves(axes[columns.back()])) std::swap(rows, columns);  // keys stand first
    if (leaves(axes[columns.back()]) != summed) return;
    last(leaves(axes[rows.back()]), 3, "seq");
    last(summed, 3, "seq_kv");
    Axis width = leaves(scores->summed[0]);
    if (!width.empty()) atoms_.hint(width.back(), 3, "head_dim");
    for (std::size_t i = 0; i + 1 < width.size(); ++i) atoms_.hint(width[i], 3, "half");
    rows.pop_back();
    shared.insert(shared.end(), rows.begin(), rows.end());
    for (std::size_t i : shared)
      for (AtomId a : leaves(axes[i])) {
        bool outside = inInputs_.count(a) > 0;
        atoms_.hint(a, 3, outside ? "batch" : "heads");
        if (!outside) heads_.insert(a);
      }
    int weights = nodeOf(softmax).outputs[0];
    if (nodeOf(softmax).type != "Softmax")
      for (const char* type : {"Reshape", "Sub", "Exp", "Div", "Cast"}) weights = type == std::string("Sub") ? subtracted(softmax, weights) : behind(weights, type);
    auto users = users_.find(weights);
    if (users == users_.end()) return;
    for (const Relation* user : users->second) {
      if (user->labels.empty() || user->outputs[0].empty()) continue;
      Axis value = leaves(user->outputs[0].back());
      if (!value.empty() && (width.empty() || value.back() != width.back()) && nodeOf(softmax).type == "Softmax") atoms_.hint(value.back(), 3, "head_dim_v");
      if (nodeOf(softmax).type != "Softmax") ownWidth(*user, weights, width);
    }
  }

  // scores - max(scores)
  int subtracted(const Relation& softmax, int most) const {
    auto users = users_.find(softmax.operands[0].value);
    if (users == users_.end()) return most;
    for (const Relation* user : users->second)
      if (nodeOf(*user).type == "Sub" && nodeOf(*user).inputs[0] == softmax.operands[0].value) return nodeOf(*user).outputs[0];
    return most;
  }

  // The axis that only the values have, in a product of weights and values.
  void ownWidth(const Relation& product, int weights, const Axis& width) {
    const std::size_t side = product.operands[0].value == weights ? 1 : 0;
    for (std::size_t i = 0; i < product.labels.at(side).size(); ++i) {
      const int label = product.labels[side][i];
      if (std::count(product.labels[1 - side].begin(), product.labels[1 - side].end(), label) > 0) continue;
      const Axis value = leaves(product.operands[side].axes[i]);
      if (!value.empty() && (width.empty() || value.back() != width.back())) atoms_.hint(value.back(), 3, "head_dim_v");
    }
  }

  // What stands before heads in a stored axis: query, key and value in one weight.
  void packed() {
    for (std::size_t v = 0; v < model_.values.size(); ++v) {
      if (!isParameter(model_.values[v]) || !names_.axes[v]) continue;
      for (const Axis& axis : *names_.axes[v]) {
        Axis own = leaves(axis);
        for (std::size_t i = 1; i < own.size(); ++i)
          if (heads_.count(own[i]) && !heads_.count(own[i - 1])) atoms_.hint(own[i - 1], 3, "qkv");
      }
    }
  }

  void inputs() {
    for (int input : model_.inputs) {
      const Value& value = valueAt(input);
      if (isParameter(value)) continue;
      const Axes& axes = *names_.axes[static_cast<std::size_t>(input)];
      for (std::size_t i = 0; i < axes.size(); ++i) last(axes[i], 7, identifier(fmt::format("{}_{}", value.name, i)));
      bool othersVary = false;
      for (std::size_t i = 1; i < axes.size(); ++i) othersVary = othersVary || (i < value.symbols.size() && !value.symbols[i].empty());
      bool varies = !value.symbols.empty() && !value.symbols[0].empty();
      if (!axes.empty() && (varies || !othersVary)) last(axes[0], 5, "batch");
      std::size_t rank = axes.size();
      if (rank == 2 && texts_.count(input)) last(axes[1], 4, "seq");
      if (isFloating(value.dtype) && rank == 3) last(axes[1], 5, "seq");
      if (isFloating(value.dtype) && (rank == 2 || rank == 3)) last(axes.back(), 5, "features");
    }
  }

  void outputs() {
    static const std::set<std::string> classes{"logits", "scores", "probs", "probabilities"}, empty{"y", "output", "out", "result"};
    for (int output : model_.outputs) {
      const Axes& axes = *names_.axes[static_cast<std::size_t>(output)];
      std::string name = valueAt(output).name;
      std::string text = identifier(name.substr(name.rfind('/') == std::string::npos ? 0 : name.rfind('/') + 1));
      for (std::size_t i = 0; i < axes.size(); ++i) last(axes[i], 9, identifier(fmt::format("{}_{}", text, i)));
      bool image = axes.size() >= 4;  // of an image: its channels
      if (axes.empty()) continue;
      const Axis& made = image ? axes[1] : axes.back();
      if (!made.empty() && inInputs_.count(leaves(made).front())) continue;
      last(made, 6, image || classes.count(text) ? "classes" : empty.count(text) ? (axes.size() == 2 ? "classes" : "out") : text);
    }
  }

  // What a product or a convolution makes is named after its module, what it contracts the same with "_in".
  void modules(const Relation& relation) {
    std::size_t k = 0;
    for (const Operand& operand : relation.operands) {
      if (operand.value < 0 || !operand.parameter || operand.axes.size() < 2) {
        ++k;
        continue;
      }
      std::string module = identifier(moduleOf(parameterName(operand.value)));
      if (module.rfind("onnx_", 0) == 0) module = identifier(scope(nodeOf(relation).name));
      bool convolution = nodeOf(relation).type.rfind("Conv", 0) == 0;
      for (std::size_t i = 0; i < operand.axes.size(); ++i) {
        bool made = convolution ? i == (nodeOf(relation).type == "Conv" ? 0u : 1u) : !(k < relation.labels.size()) || std::count(relation.outLabels.begin(), relation.outLabels.end(), relation.labels[k][i]) > 0;
        if (convolution && i > 1) continue;
        if (convolution || k < relation.labels.size()) last(operand.axes[i], 8, made ? module : module + "_in");
      }
      ++k;
    }
  }

  // Through transposes to the stored weight.
  const std::string& parameterName(int value) const {
    for (int depth = 0; depth < 8; ++depth) {
      auto found = maker_.find(value);
      if (found == maker_.end() || found->second->operands.empty() || found->second->operands[0].value < 0) break;
      value = found->second->operands[0].value;
    }
    return valueAt(value).name;
  }

  static std::string scope(const std::string& node) {
    std::size_t slash = node.rfind('/');
    std::string path = slash == std::string::npos || slash == 0 ? node : node.substr(0, slash), out;
    for (std::size_t at = 0; at < path.size();) {  // "/layers/layers.0/c1": a part that the next one repeats says nothing
      std::size_t end = std::min(path.find('/', at), path.size());
      std::string part = path.substr(at, end - at);
      if (path.compare(end, part.size() + 2, "/" + part + ".") != 0) out += part + "/";
      at = end + 1;
    }
    return out;
  }

  void parameters() {
    std::map<AtomId, std::set<std::size_t>> matrices;  // unfactored: two leaves
    std::map<AtomId, std::set<std::size_t>> holding;   // of any
    std::set<AtomId> model;
    for (std::size_t v = 0; v < model_.values.size(); ++v) {
      const Value& value = model_.values[v];
      if (!isParameter(value) || !names_.axes[v]) continue;
      const Axes& axes = *names_.axes[v];
      if (axes.size() == 1 && hasToken(value.name, {"norm", "ln", "norm1", "norm2", "norm3", "ln1", "ln2", "layernorm"})) last(axes[0], 5, "d_model");
      Axis all;
      for (const Axis& axis : axes) {
        Axis own = leaves(axis);
        all.insert(all.end(), own.begin(), own.end());
      }
      if (axes.size() == 2 && all.size() == 2)
        for (AtomId a : all) matrices[a].insert(v);
      if (axes.size() == 2 || axes.size() == 3)
        for (AtomId a : all) holding[a].insert(v);
    }
    for (std::size_t a = 0; a < atoms_.count(); ++a)
      for (const Hint& hint : atoms_.at(static_cast<AtomId>(a)).hints)
        if (hint.text == "d_model")
          for (AtomId leaf : leaves({static_cast<AtomId>(a)})) model.insert(leaf);
    for (const auto& [atom, holders] : holding)
      if (holders.size() >= 2) atoms_.hint(atom, 6, "hidden");
    for (const auto& [atom, holders] : matrices) {
      auto withModel = std::count_if(holders.begin(), holders.end(), [&](std::size_t v) {
        Axis all = atoms_.leaves(*names_.axes[v]);
        return std::any_of(all.begin(), all.end(), [&](AtomId a) { return model.count(a) > 0; });
      });
      if (withModel >= 2 && !model.count(atom)) atoms_.hint(atom, 4, "ffn");
    }
  }

  Names& names_;
  Atoms& atoms_;
  const Model& model_;
  const Walk& walk_;
  std::map<int, const Relation*> maker_;
  std::map<int, std::vector<const Relation*>> users_;
  std::set<AtomId> inInputs_;
  std::set<AtomId> heads_;
  std::set<int> texts_;  // values that are ids of words
};

}  // namespace

void addHints(Names& names, const Model& model, const Walk& walk) { Hinter(names, model, walk).run(); }

}  // namespace core::naming
