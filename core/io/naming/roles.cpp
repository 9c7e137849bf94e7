#include <algorithm>
#include <cctype>
#include <set>
#include <tuple>

#include "core/io/naming/name.h"

namespace core::naming {
namespace {

using positional::Model;
using positional::Value;

const std::set<std::string>& notModules() {
  static const std::set<std::string> all{"weight", "bias", "w", "b", "s", "m", "v", "rm", "riv", "bn", "running", "mean", "var", "scale", "in", "out", "kernel", "embedding"};
  return all;
}

bool isSeparator(char c) { return c == '.' || c == '/' || c == '_' || c == ':'; }
bool isNumber(const std::string& text) { return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); }); }

// Tokens and the separators between them, in turn.
std::vector<std::string> pieces(const std::string& name) {
  std::vector<std::string> all{""};
  for (char c : name) {
    if (isSeparator(c)) all.insert(all.end(), {std::string(1, c), ""});
    else all.back().push_back(c);
  }
  return all;
}

using Key = std::tuple<std::string, int, std::size_t, std::size_t, std::size_t, std::int64_t>;  // role, place, axis, leaf, leaves, size

class Uniter {
 public:
  explicit Uniter(Atoms& atoms) : atoms_(atoms) {}

  void add(const std::string& role, int place, const Axes& axes) {
    for (std::size_t i = 0; i < axes.size(); ++i) {
      Axis leaves = atoms_.leaves(axes[i]);
      for (std::size_t k = 0; k < leaves.size(); ++k) {
        auto [found, fresh] = first_.emplace(Key{role, place, i, k, leaves.size(), atoms_.size(leaves[k])}, leaves[k]);
        if (!fresh) atoms_.unite(found->second, leaves[k]);
      }
    }
  }

 private:
  Atoms& atoms_;
  std::map<Key, AtomId> first_;
};

// "past_0" and "past_1": their names differ in numbers only.
std::string withoutNumbers(const std::string& name) {
  std::string out;
  int numbers = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (!std::isdigit(static_cast<unsigned char>(name[i]))) {
      out.push_back(name[i]);
      continue;
    }
    while (i + 1 < name.size() && std::isdigit(static_cast<unsigned char>(name[i + 1]))) ++i;
    out.push_back('#');
    ++numbers;
  }
  return numbers == 1 ? out : "";
}

bool runs(const Relation& relation, std::size_t output) { return output < relation.outputs.size(); }

}  // namespace

std::string roleOf(const std::string& name, bool isNode) {
  std::vector<std::string> all = pieces(name);
  std::size_t end = all.size();
  if (isNode)  // the last path component is the operator
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i] == "/") end = i;
  bool path = end < all.size();
  std::string out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    bool before = (!isNode || path) && i + 2 < end && isNumber(all[i]) && !all[i + 2].empty() && !isNumber(all[i + 2]) && !notModules().count(all[i + 2]);
    out += before ? "*" : all[i];
  }
  return out;
}

void uniteRepeated(Names& names, const Model& model, const Walk& walk) {
  (void)walk;
  Uniter uniter(names.atoms);
  for (std::size_t v = 0; v < model.values.size(); ++v) {
    const Value& value = model.values[v];
    if (!names.axes[v]) continue;
    if (value.kind == Value::Kind::initializer || isParameter(value)) {
      std::string role = roleOf(value.name, false);
      if (role != value.name) uniter.add("parameter " + role, 0, *names.axes[v]);
    } else if (value.kind == Value::Kind::input) {
      std::string role = withoutNumbers(value.name);
      if (!role.empty()) uniter.add("input " + role, 0, *names.axes[v]);
    }
  }
  for (const Relation& relation : names.relations) {
    const std::string& name = model.nodes[static_cast<std::size_t>(relation.node)].name;
    std::string role = roleOf(name, true);
    if (role == name) continue;
    for (std::size_t i = 0; runs(relation, i); ++i) uniter.add("output " + role, static_cast<int>(i), relation.outputs[i]);
    for (std::size_t i = 0; i < relation.operands.size(); ++i)
      if (relation.operands[i].value >= 0) uniter.add("operand " + role, static_cast<int>(i), relation.operands[i].axes);
  }
  // Kernels of one size, whatever they slide over.
  std::map<std::pair<std::string, std::int64_t>, AtomId> kernels;
  for (std::size_t a = 0; a < names.atoms.count(); ++a)
    for (const Hint& hint : std::vector<Hint>(names.atoms.at(static_cast<AtomId>(a)).hints)) {
      if (hint.text.rfind("kernel_", 0) != 0) continue;
      Axis leaves = names.atoms.leaves(Axis{static_cast<AtomId>(a)});
      if (leaves.size() != 1) continue;
      auto [found, fresh] = kernels.emplace(std::pair{hint.text, names.atoms.size(leaves[0])}, leaves[0]);
      if (!fresh) names.atoms.unite(found->second, leaves[0]);
    }
  names.atoms.uniteTwins();
}

std::string moduleOf(const std::string& parameter) {
  std::vector<std::string> all = pieces(parameter);
  auto drop = [&] { all.resize(all.size() >= 2 ? all.size() - 2 : 0); };
  if (all.size() > 2 && isNumber(all.back()) && notModules().count(all[all.size() - 3])) drop();
  while (all.size() > 2 && (notModules().count(all.back()) || all.back().empty())) drop();
  std::string out;
  for (const std::string& piece : all) out += piece;
  return out;
}

std::string identifier(const std::string& text) {
  std::string out;
  for (char c : text) {
    bool kept = std::isalnum(static_cast<unsigned char>(c));
    if (kept) out.push_back(c);
    else if (!out.empty() && out.back() != '_') out.push_back('_');
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  if (out.empty()) return "dim";
  return std::isdigit(static_cast<unsigned char>(out[0])) ? "dim_" + out : out;
}

}  // namespace core::naming
