#include "core/io/naming/name.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace core::naming {
namespace {

using positional::Model;

// The hints of one class, in order of appearance.
struct Class {
  std::vector<Hint> hints;
  std::size_t tensors = 0;
  std::size_t first = 0;  // order of appearance

  int priority() const {
    int best = 10;
    for (const Hint& hint : hints) best = std::min(best, hint.priority);
    return best;
  }

  // The most frequent text of the best priority; the first one where several are.
  std::string text() const {
    int best = priority();
    std::map<std::string, int> counts;
    for (const Hint& hint : hints)
      if (hint.priority == best) ++counts[hint.text];
    std::string chosen = "dim";
    int most = 0;
    for (const Hint& hint : hints)
      if (hint.priority == best && counts[hint.text] > most) most = counts[hint.text], chosen = hint.text;
    return chosen;
  }

  bool says(const std::string& text) const {
    return std::any_of(hints.begin(), hints.end(), [&](const Hint& hint) { return hint.text == text; });
  }
};

class Chooser {
 public:
  Chooser(const Names& names, const Model& model) : atoms_(names.atoms) {
    auto see = [&](const Axes& axes, bool counts) {
      for (AtomId a : atoms_.leaves(axes)) {
        auto [found, fresh] = classes_.emplace(a, Class{.first = order_.size()});
        if (fresh) order_.push_back(a);
        if (counts) ++found->second.tensors;
      }
    };
    for (int input : model.inputs) see(*names.axes[static_cast<std::size_t>(input)], true);
    for (std::size_t v = 0; v < model.values.size(); ++v)
      if (names.axes[v]) see(*names.axes[v], true);
    for (const Relation& relation : names.relations) {
      for (const Operand& operand : relation.operands) {
        see(operand.axes, false);
        for (const Edit& edit : operand.edits) see({edit.from, edit.to}, false);
      }
      for (const auto& takings : relation.takings)
        for (const Taking& taking : takings) see({taking.from, taking.to}, false);
    }
    for (std::size_t a = 0; a < atoms_.count(); ++a) {
      const Atom& atom = atoms_.at(static_cast<AtomId>(a));
      Axis own = atoms_.leaves(Axis{static_cast<AtomId>(a)});
      if (atom.parent != static_cast<AtomId>(a)) continue;  // its hints were merged into the root's
      if (own.size() == 1 && classes_.count(own[0])) gather(classes_[own[0]], atom);
      else if (own.size() > 1 && !atom.hints.empty()) compounds_.emplace_back(static_cast<AtomId>(a), own[0]);
    }
  }

  Dictionary choose() {
    for (AtomId a : order_) texts_[a] = classes_[a].text();
    twins();
    families();
    std::vector<AtomId> order = order_;
    std::stable_sort(order.begin(), order.end(), [&](AtomId a, AtomId b) { return classes_[a].tensors > classes_[b].tensors; });
    Dictionary dictionary;
    std::set<std::string> taken;
    for (AtomId a : order) {
      std::string name = texts_[a];
      for (int n = 2; !taken.insert(name).second; ++n) name = fmt::format("{}_{}", texts_[a], n);
      dictionary.names[a] = name;
    }
    for (auto [compound, major] : compounds_) {
      Class one;
      gather(one, atoms_.at(compound));
      if (one.priority() <= 6 && dictionary.names.count(major) && taken.insert(one.text()).second) dictionary.aliases[one.text()] = major;
    }
    return dictionary;
  }

 private:
  void gather(Class& into, const Atom& atom) const { into.hints.insert(into.hints.end(), atom.hints.begin(), atom.hints.end()); }

  // The older one of two twins is the base; its second copy has its name and what it is for.
  void twins() {
    for (AtomId a : order_) {
      AtomId base = a;
      for (AtomId twin : atoms_.at(a).twins)
        if (AtomId root = atoms_.root(twin); root < base && classes_.count(root)) base = root;
      if (base == a || classes_[a].priority() <= 2) continue;
      bool columns = classes_[a].says("seq_kv");
      bool generic = classes_[a].priority() >= 4 || columns;
      if (!generic) continue;
      texts_[a] = columns ? texts_[base] + "_kv" : texts_[base];
    }
  }

  // The largest of a family has the name; what stride or padding made of it says how much smaller it is.
  void families() {
    std::map<AtomId, std::vector<AtomId>> members;
    for (AtomId a : order_) members[atoms_.family(a)].push_back(a);
    for (auto& [family, all] : members) {
      if (all.size() < 2) continue;
      auto base = std::min_element(all.begin(), all.end(), [&](AtomId a, AtomId b) { return std::pair(classes_[a].priority(), a) < std::pair(classes_[b].priority(), b); });
      for (AtomId a : all) {
        if (a == *base || classes_[a].priority() <= 6) continue;
        std::int64_t ratio = std::llround(static_cast<double>(atoms_.size(*base)) / static_cast<double>(atoms_.size(a)));
        if (atoms_.size(a) > atoms_.size(*base)) texts_[a] = texts_[*base] + "_max";  // what the base was cut from
        else texts_[a] = ratio > 1 ? fmt::format("{}_s{}", texts_[*base], ratio) : texts_[*base];
      }
    }
  }

  const Atoms& atoms_;
  std::map<AtomId, Class> classes_;
  std::vector<AtomId> order_;
  std::map<AtomId, std::string> texts_;
  std::vector<std::pair<AtomId, AtomId>> compounds_;
};

}  // namespace

Dictionary chooseNames(const Names& names, const Model& model, const Walk&) { return Chooser(names, model).choose(); }

}  // namespace core::naming
