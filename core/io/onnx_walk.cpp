#include "core/io/onnx_walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/base/error.h"
#include "core/io/element.h"
#include "core/io/equation.h"
#include "core/io/mapped_file.h"
#include "core/io/onnx_fold.h"

namespace core {
namespace {

using positional::DataPtr;
using positional::Model;
using positional::Node;
using positional::Sizes;
using positional::Value;

constexpr std::int64_t mostLoaded = std::int64_t{1} << 24;  // elements of one integer or boolean tensor that are read
constexpr std::size_t mostFolded = std::size_t{1} << 18;    // elements of a computed constant; what is larger stays computed at run time
constexpr std::int64_t openSizesFrom = 2003;                // far from what symbols are walked with
constexpr std::int64_t smallReal = 64;                      // floats of a constant that may be a scale or a bound

// Integers and booleans for shapes, indices and masks; of floats only small ones that are no parameters.
DataPtr loadKnown(const Value& value) {
  if (value.kind != Value::Kind::initializer || isParameter(value)) return nullptr;
  std::int64_t count = positional::product(*value.sizes);
  if (count > (isFloating(value.dtype) ? smallReal : mostLoaded)) return nullptr;
  if (value.data) return value.data;
  const auto* source = std::get_if<FileSource>(&value.source);
  if (!source || source->fileBytes == 0) return nullptr;
  MappedFile file(source->path);
  if (source->offset + source->bytes > static_cast<std::int64_t>(file.bytes().size())) return nullptr;
  auto bytes = file.bytes().subspan(static_cast<std::size_t>(source->offset), static_cast<std::size_t>(source->bytes));
  return std::make_shared<positional::Data>(readElements(bytes, onnxTypeOf(source->stored), *value.sizes));
}

bool isPrime(std::int64_t n) {
  for (std::int64_t d = 2; d * d <= n; ++d)
    if (n % d == 0) return false;
  return n > 1;
}

// The next `count` primes from `from` on; `from` is moved behind them.
std::vector<std::int64_t> primes(std::int64_t& from, std::size_t count) {
  std::vector<std::int64_t> found;
  for (; found.size() < count; ++from)
    if (isPrime(from)) found.push_back(from);
  return found;
}

class Walker {
 public:
  // `open`: from where on sizes are made up for axes that data decide.
  Walker(const Model& model, const std::map<std::string, std::int64_t>& sizes, std::int64_t open, const std::vector<DataPtr>& loaded) : model_(model), sizes_(sizes), open_(open) {
    known_.resize(model.values.size());
    for (std::size_t i = 0; i < known_.size(); ++i) known_[i] = declared(model.values[i], loaded[i]);
  }

  std::vector<Known> run(std::vector<std::string>& problems) {
    for (const Node& node : model_.nodes) visit(node, problems);
    return std::move(known_);
  }

  std::int64_t open() const { return open_; }

 private:
  Known declared(const Value& value, const DataPtr& data) const {
    Known known{.dtype = value.dtype, .typeKnown = value.typeKnown, .data = data};
    if (!value.sizes) return known;
    known.sizes = value.sizes;
    for (std::size_t i = 0; i < known.sizes->size(); ++i) {
      if ((*known.sizes)[i] >= 0 || i >= value.symbols.size()) continue;
      auto size = sizes_.find(value.symbols[i]);
      if (size != sizes_.end()) (*known.sizes)[i] = size->second;
    }
    return known;
  }

  void visit(const Node& node, std::vector<std::string>& problems) {
    std::vector<const Known*> inputs;
    std::vector<DataPtr> data;
    bool allKnown = true;
    for (int input : node.inputs) {
      inputs.push_back(input < 0 ? nullptr : &known_[static_cast<std::size_t>(input)]);
      data.push_back(input < 0 ? nullptr : inputs.back()->data);
      allKnown = allKnown && (input < 0 || data.back());
    }
    if (shapeOf(node, inputs)) return;
    if (allKnown && !node.outputs.empty() && node.outputs[0] >= 0)
      if (std::optional<positional::Data> result = fold(node, data, model_); result && result->count() <= mostFolded) return set(node.outputs[0], std::move(*result));
    std::string problem;
    std::vector<Known> outputs = inferOutputs(node, inputs, problem);
    if (node.type == "Einsum" && node.domain.empty()) einsumSizes(node, inputs, outputs);
    if (node.type == "ConstantOfShape" && node.domain.empty()) filledType(node, outputs);
    rankByShape(node, inputs, outputs);
    if (!problem.empty()) problems.push_back(fmt::format("{} ({}): {}", node.name, node.type, problem));
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (node.outputs[i] < 0) continue;
      Known& known = known_[static_cast<std::size_t>(node.outputs[i])];
      merge(known, outputs[i]);
      if (problem.empty()) openSizes(known);
    }
  }

  // A shape that is computed has a length, if nothing more: ONNX's rule drops that.
  static void rankByShape(const Node& node, const std::vector<const Known*>& inputs, std::vector<Known>& outputs) {
    const std::size_t at = node.type == "Reshape" ? 1 : 0;
    if (!node.domain.empty() || (node.type != "Reshape" && node.type != "ConstantOfShape") || outputs.empty() || outputs[0].sizes) return;
    if (at >= inputs.size() || !inputs[at] || !inputs[at]->sizes || inputs[at]->sizes->size() != 1 || inputs[at]->sizes->front() < 0) return;
    outputs[0].sizes.emplace(static_cast<std::size_t>(inputs[at]->sizes->front()), -1);
  }

  // What only data decide is like a symbol that nobody can bind: a size of its own, another one in the second walk.
  void openSizes(Known& known) {
    if (!known.sizes) return;
    for (std::int64_t& size : *known.sizes)
      if (size < 0) size = primes(open_, 1)[0];
  }

  // Shape and Size of a tensor whose sizes are known, its elements or not.
  bool shapeOf(const Node& node, const std::vector<const Known*>& inputs) {
    if (!node.domain.empty() || (node.type != "Shape" && node.type != "Size") || inputs.empty() || !inputs[0] || !inputs[0]->sizes) return false;
    const Sizes& sizes = *inputs[0]->sizes;
    if (std::find(sizes.begin(), sizes.end(), -1) != sizes.end()) return false;
    positional::Data data{.dtype = DType::i64};
    if (node.type == "Size") {
      data.integers = {positional::product(sizes)};
    } else {
      auto rank = static_cast<std::int64_t>(sizes.size());
      auto bound = [&](const char* name, std::int64_t missing) {
        std::int64_t at = node.integer(name, missing);
        return std::clamp<std::int64_t>(at < 0 ? at + rank : at, 0, rank);
      };
      for (std::int64_t i = bound("start", 0); i < bound("end", rank); ++i) data.integers.push_back(sizes[static_cast<std::size_t>(i)]);
      data.sizes = {static_cast<std::int64_t>(data.integers.size())};
    }
    set(node.outputs[0], std::move(data));
    return true;
  }

  // Tensors as attributes are values of the model; ONNX's rule does not see them.
  void filledType(const Node& node, std::vector<Known>& outputs) const {
    auto given = node.attributes.find("value");
    const int* value = given == node.attributes.end() ? nullptr : std::get_if<int>(&given->second);
    if (value && !outputs.empty()) outputs[0].dtype = model_.values[static_cast<std::size_t>(*value)].dtype;
  }

  // ONNX's rule gives Einsum's rank only.
  static void einsumSizes(const Node& node, const std::vector<const Known*>& inputs, std::vector<Known>& outputs) {
    std::optional<Equation> equation = parseEquation(node.text("equation", ""), inputs.size());
    if (!equation || outputs.empty()) return;
    std::map<char, std::int64_t> sizes;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!inputs[i] || !inputs[i]->sizes || inputs[i]->sizes->size() != equation->inputs[i].size()) return;
      for (std::size_t k = 0; k < equation->inputs[i].size(); ++k) {
        std::int64_t& size = sizes.emplace(equation->inputs[i][k], 1).first->second;
        if (size == 1) size = (*inputs[i]->sizes)[k];
      }
    }
    outputs[0].sizes.emplace();
    for (char letter : equation->output) outputs[0].sizes->push_back(sizes.count(letter) ? sizes[letter] : -1);
  }

  void set(int value, positional::Data data) {
    Known& known = known_[static_cast<std::size_t>(value)];
    known.dtype = data.dtype;
    known.typeKnown = true;
    known.sizes = data.sizes;
    known.data = std::make_shared<positional::Data>(std::move(data));
  }

  // What the operator's rule says goes before what the file declares.
  static void merge(Known& known, const Known& found) {
    if (found.typeKnown) {
      known.dtype = found.dtype;
      known.typeKnown = true;
    }
    if (!found.sizes) return;
    std::optional<Sizes> declared = known.sizes;
    known.sizes = found.sizes;
    if (!declared || declared->size() != found.sizes->size()) return;
    for (std::size_t i = 0; i < declared->size(); ++i)
      if ((*known.sizes)[i] < 0) (*known.sizes)[i] = (*declared)[i];
  }

  const Model& model_;
  const std::map<std::string, std::int64_t>& sizes_;
  std::int64_t open_;
  std::vector<Known> known_;
};

std::vector<std::string> symbolsOf(const Model& model) {
  std::vector<std::string> found;
  for (int input : model.inputs)
    for (const std::string& symbol : model.values[static_cast<std::size_t>(input)].symbols)
      if (!symbol.empty() && std::find(found.begin(), found.end(), symbol) == found.end()) found.push_back(symbol);
  return found;
}

std::map<std::string, std::int64_t> bindSymbols(const std::map<std::string, std::int64_t>& bound, const std::vector<std::string>& unbound, const std::vector<std::int64_t>& sizes) {
  std::map<std::string, std::int64_t> all = bound;
  for (std::size_t i = 0; i < unbound.size(); ++i) all[unbound[i]] = sizes[i];
  return all;
}

void compare(const std::vector<Known>& a, const std::vector<Known>& b, Walk& walk) {
  for (std::size_t v = 0; v < a.size(); ++v) {
    std::size_t rank = a[v].sizes ? a[v].sizes->size() : 0;
    walk.varies.emplace_back(rank, false);
    bool sameRank = b[v].sizes && b[v].sizes->size() == rank;
    for (std::size_t i = 0; i < rank; ++i) walk.varies[v][i] = sameRank && (*a[v].sizes)[i] != (*b[v].sizes)[i];
    bool same = (a[v].data == nullptr) == (b[v].data == nullptr) && (!a[v].data || a[v].data == b[v].data || *a[v].data == *b[v].data);
    walk.dataVaries.push_back(!same);
  }
}

// Backwards from the outputs through what is not known at import.
std::vector<bool> aliveNodes(const Model& model, const Walk& walk) {
  std::vector<bool> needed(model.values.size(), false), alive(model.nodes.size(), false);
  auto isKnown = [&](int v) { return walk.values[static_cast<std::size_t>(v)].data && !walk.dataVaries[static_cast<std::size_t>(v)]; };
  for (int output : model.outputs) needed[static_cast<std::size_t>(output)] = true;
  for (std::size_t n = model.nodes.size(); n-- > 0;) {
    const Node& node = model.nodes[n];
    for (int output : node.outputs)
      if (output >= 0 && needed[static_cast<std::size_t>(output)] && !isKnown(output)) alive[n] = true;
    if (!alive[n]) continue;
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
      if (node.inputs[i] >= 0 && !isStructural(node, i)) needed[static_cast<std::size_t>(node.inputs[i])] = true;
  }
  return alive;
}

}  // namespace

bool isParameter(const Value& value) {
  if (!isFloating(value.dtype) || value.isConstant) return false;
  bool dotted = value.name.find('.') != std::string::npos;
  if (value.kind == Value::Kind::input) return dotted && !value.isFed;
  if (value.kind != Value::Kind::initializer) return false;
  return dotted || !value.sizes || positional::product(*value.sizes) > 1;
}

bool isStructural(const Node& node, std::size_t input) {
  static const std::map<std::string, std::set<std::size_t>> table{
      {"Reshape", {1}}, {"Expand", {1}}, {"Slice", {1, 2, 3, 4}}, {"Unsqueeze", {1}}, {"Squeeze", {1}}, {"Split", {1}}, {"ConstantOfShape", {0}}, {"Range", {0, 1, 2}},
      {"Tile", {1}}, {"Pad", {1, 2}}, {"Resize", {1, 2, 3}}, {"Upsample", {1}}, {"TopK", {1}}, {"OneHot", {1}}, {"ReduceSum", {1}}, {"ReduceMean", {1}}, {"ReduceMax", {1}},
      {"ReduceMin", {1}}, {"ReduceProd", {1}}, {"ReduceL1", {1}}, {"ReduceL2", {1}}, {"ReduceLogSum", {1}}, {"ReduceLogSumExp", {1}}, {"ReduceSumSquare", {1}},
      {"Dropout", {2}}, {"CumSum", {1}}, {"CastLike", {1}}};
  auto found = table.find(node.type);
  return node.domain.empty() && found != table.end() && found->second.count(input) > 0;
}

namespace {
bool isStored(const Value& value) { return value.kind == Value::Kind::initializer || isParameter(value); }
}  // namespace

void separateCopies(Model& model) {
  std::vector<Node> kept;
  std::vector<int> moved(model.nodes.size(), -1);
  for (std::size_t n = 0; n < model.nodes.size(); ++n) {
    Node& node = model.nodes[n];
    bool copies = node.type == "Identity" && node.domain.empty() && node.inputs.size() == 1 && node.inputs[0] >= 0 && node.outputs.size() == 1 &&
                  node.outputs[0] >= 0 && isStored(model.values[static_cast<std::size_t>(node.inputs[0])]);
    if (copies) {
      Value copy = model.values[static_cast<std::size_t>(node.inputs[0])];
      copy.name = model.values[static_cast<std::size_t>(node.outputs[0])].name;
      if (copy.kind == Value::Kind::input) copy.kind = Value::Kind::initializer;  // without values
      model.values[static_cast<std::size_t>(node.outputs[0])] = std::move(copy);
      continue;
    }
    moved[n] = static_cast<int>(kept.size());
    kept.push_back(std::move(node));
  }
  model.nodes = std::move(kept);
  for (Value& value : model.values)
    if (value.producer >= 0) value.producer = moved[static_cast<std::size_t>(value.producer)];
}

Walk walk(const Model& model, const std::map<std::string, std::int64_t>& bound) {
  std::vector<DataPtr> loaded;
  for (const Value& value : model.values) loaded.push_back(loadKnown(value));
  Walk best;
  std::map<std::string, std::int64_t> given;
  for (const std::string& symbol : symbolsOf(model)) {
    auto known = bound.find(symbol);
    if (known != bound.end()) given[symbol] = known->second;
    else best.unbound.push_back(symbol);
  }
  // Small primes go through tables and masks of a fixed length; convolutions with strides need larger ones.
  bool first = true;
  for (std::int64_t start : {5, 101, 521}) {
    Walk tried{.unbound = best.unbound};
    std::int64_t from = start;
    tried.sizes = bindSymbols(given, tried.unbound, primes(from, tried.unbound.size()));
    auto other = bindSymbols(given, tried.unbound, primes(from, tried.unbound.size()));
    Walker walker(model, tried.sizes, openSizesFrom, loaded);
    tried.values = walker.run(tried.problems);
    std::vector<std::string> ignored;
    const bool fixed = tried.unbound.empty() && walker.open() == openSizesFrom;
    compare(tried.values, fixed ? tried.values : Walker(model, other, walker.open() + 1, loaded).run(ignored), tried);
    if (first || tried.problems.size() < best.problems.size()) best = std::move(tried);
    first = false;
    if (best.problems.empty() || best.unbound.empty()) break;
  }
  best.alive = aliveNodes(model, best);
  return best;
}

}  // namespace core
