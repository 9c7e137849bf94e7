#include "ui/canvas/visible.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace ui {

namespace {

constexpr int none = -1;

// Where a leaf is shown: the unfolded nodes around it from the root inward, then the node that stands for it;
// and for each unfolded stack around it the instance that the leaf is really in.
struct Place {
  std::vector<int> chain;                   // empty = outside the root
  std::vector<std::pair<int, int>> inside;  // stack node, instance
};

class Finder {
 public:
  Finder(const Scene& scene, const Expansion& expansion, int root)
      : scene_(scene), expansion_(expansion), root_(root), levelOf_(scene.nodes.size(), none) {
    visible_.shownAs.assign(scene.nodes.size(), none);
    places_.resize(scene.nodes.size());
  }

  Visible run() {
    addLevel(root_, 0);
    for (std::size_t n = 0; n < scene_.nodes.size(); ++n)
      if (isLeaf(static_cast<int>(n))) places_[n] = placeOf(static_cast<int>(n));
    for (const SceneEdge& edge : scene_.edges) addEdge(edge);
    numberPorts();
    for (std::size_t n = 0; n < scene_.nodes.size(); ++n) visible_.shownAs[n] = shownAs(static_cast<int>(n));
    return std::move(visible_);
  }

 private:
  const SceneNode& node(int n) const { return scene_.nodes[static_cast<std::size_t>(n)]; }
  bool isLeaf(int n) const { return !unfolds(node(n)); }
  bool isOpen(int n) const { return n == root_ || (unfolds(node(n)) && expansion_.open.contains(node(n).path)); }
  int shownInstance(int stack) const {
    return std::clamp(expansion_.instance.value(node(stack).path, 0), 0, node(stack).multiplicity - 1);
  }

  void addLevel(int container, int depth) {
    levelOf_[static_cast<std::size_t>(container)] = static_cast<int>(visible_.levels.size());
    visible_.levels.push_back(
        {.container = container, .depth = depth, .children = childrenOf(scene_, expansion_, container)});
    for (int child : childrenOf(scene_, expansion_, container))
      if (isOpen(child)) addLevel(child, depth + 1);
  }

  // Instances of a stack are not shown themselves: the stack is.
  bool isInstance(int n) const {
    return n != root_ && node(n).parent >= 0 && node(node(n).parent).kind == SceneNodeKind::stack;
  }
  int instanceNumber(int n) const {
    const auto& siblings = node(node(n).parent).children;
    return static_cast<int>(std::find(siblings.begin(), siblings.end(), n) - siblings.begin());
  }

  Place placeOf(int leaf) const {
    Place place;
    int at = leaf;
    for (;;) {
      std::vector<int> path;  // leaf up to the root
      for (int n = at; n != none && n != root_; n = node(n).parent) path.push_back(n);
      if (path.empty() || node(path.back()).parent != root_) return {};
      place.chain = {root_};
      bool moved = false;
      for (std::size_t i = path.size(); i-- > 0 && !moved;) {
        int n = path[i];
        if (isInstance(n)) {
          int stack = node(n).parent, number = instanceNumber(n);
          bool known =
              std::any_of(place.inside.begin(), place.inside.end(), [&](auto pair) { return pair.first == stack; });
          if (!known) place.inside.push_back({stack, number});
          if (number == shownInstance(stack)) continue;
          at = counterpart(n, node(stack).children[static_cast<std::size_t>(shownInstance(stack))], at);
          moved = true;
          break;
        }
        place.chain.push_back(n);
        if (!isOpen(n)) return place;
      }
      if (!moved) return place;
    }
  }

  // The same operator in another instance.
  int counterpart(int from, int to, int leaf) const {
    const auto& here = node(from).leaves;
    auto at = std::find(here.begin(), here.end(), leaf);
    return node(to).leaves[static_cast<std::size_t>(at - here.begin())];
  }

  VisibleLevel& level(int container) {
    return visible_.levels[static_cast<std::size_t>(levelOf_[static_cast<std::size_t>(container)])];
  }

  int boxOf(int container, int child) {
    auto& boxes = boxes_[container];
    if (boxes.empty())
      for (std::size_t i = 0; i < level(container).children.size(); ++i)
        boxes[level(container).children[i]] = static_cast<int>(i);
    return boxes.at(child);
  }

  // Boxes of ports are numbered last, when all are known: until then negative.
  int port(int container, int tensor, bool in) {
    auto [at, isNew] = ports_.try_emplace({container, tensor, in}, 0);
    if (isNew) {
      auto& ports = in ? level(container).inPorts : level(container).outPorts;
      at->second = static_cast<int>(ports.size());
      ports.push_back(tensor);
    }
    return in ? -2 - 2 * at->second : -3 - 2 * at->second;
  }

  void connect(int container, int from, int to, int tensor, bool back) {
    auto [at, isNew] = edges_.try_emplace({container, from, to, tensor, back}, level(container).edges.size());
    if (isNew)
      level(container).edges.push_back({from, to, tensor, 1, back});
    else
      ++level(container).edges[at->second].count;
  }

  // The innermost stack that both ends are in, up to where their instances part.
  struct Common {
    int carried = none;   // the stack whose instances hand the value on; none when both are in the same ones
    bool hidden = false;  // not of what is shown
  };
  Common commonOf(const Place& from, const Place& to) const {
    for (std::size_t i = 0;
         i < from.inside.size() && i < to.inside.size() && from.inside[i].first == to.inside[i].first; ++i) {
      auto [stack, a] = from.inside[i];
      int b = to.inside[i].second, shown = shownInstance(stack), last = node(stack).multiplicity - 1;
      if (a != b) return {stack, a != shown && !(shown == last && b == shown)};
      if (a != shown) return {none, true};
    }
    return {};
  }

  // What enters or leaves a stack is drawn for the first or last instance and for the one that is shown.
  bool shownAtBorder(const Place& inner, const Place& outer, bool entering) const {
    for (std::size_t i = 0; i < inner.inside.size(); ++i) {
      auto [stack, number] = inner.inside[i];
      bool shared = i < outer.inside.size() && outer.inside[i].first == stack;
      int end = entering ? 0 : node(stack).multiplicity - 1;
      if (!shared && number != shownInstance(stack) && number != end) return false;
    }
    return true;
  }

  void addEdge(const SceneEdge& edge) {
    const Place &from = places_[static_cast<std::size_t>(edge.from)], &to = places_[static_cast<std::size_t>(edge.to)];
    if (!shownAtBorder(to, from, true) || !shownAtBorder(from, to, false)) return;
    if (from.chain.empty() || to.chain.empty()) {  // one end, or both, outside the root
      leave(from.chain, 0, edge.tensor);
      enter(to.chain, 0, edge.tensor);
      return;
    }
    auto [stack, hidden] = commonOf(from, to);
    if (hidden) return;
    std::size_t common = 0;  // so many nodes around both ends
    if (stack != none) {     // the stack's own level, wherever the ways part below it
      auto at = std::find(from.chain.begin(), from.chain.end(), stack);
      common = static_cast<std::size_t>(at - from.chain.begin()) + 1;
    } else {
      while (common < from.chain.size() && common < to.chain.size() && from.chain[common] == to.chain[common]) ++common;
    }
    if (common >= from.chain.size() || common >= to.chain.size()) return;  // within one shown node
    leave(from.chain, common, edge.tensor);
    int container = from.chain[common - 1];
    connect(container, boxOf(container, from.chain[common]), boxOf(container, to.chain[common]), edge.tensor,
            stack != none);
    enter(to.chain, common, edge.tensor);
  }

  // Through the borders of the unfolded nodes from place `first` of a chain inward.
  void leave(const std::vector<int>& chain, std::size_t first, int tensor) {
    for (std::size_t i = first; i + 1 < chain.size(); ++i)
      connect(chain[i], boxOf(chain[i], chain[i + 1]), port(chain[i], tensor, false), tensor, false);
  }
  void enter(const std::vector<int>& chain, std::size_t first, int tensor) {
    for (std::size_t i = first; i + 1 < chain.size(); ++i)
      connect(chain[i], port(chain[i], tensor, true), boxOf(chain[i], chain[i + 1]), tensor, false);
  }

  int shownAs(int n) {
    if (isLeaf(n))
      return places_[static_cast<std::size_t>(n)].chain.empty() ? none
                                                                : places_[static_cast<std::size_t>(n)].chain.back();
    std::vector<int> path;
    for (int at = n; at != none; at = node(at).parent) path.push_back(at);
    auto root = std::find(path.begin(), path.end(), root_);
    if (root == path.end()) return none;
    int shown = root_;
    for (auto at = root; at != path.begin();) {
      --at;
      if (isInstance(*at) && instanceNumber(*at) != shownInstance(node(*at).parent))
        break;  // hidden: the stack stands for it
      if (isInstance(*at)) continue;
      shown = *at;
      if (!isOpen(*at)) break;
    }
    return shown;
  }

  void numberPorts() {
    for (VisibleLevel& l : visible_.levels)
      for (VisibleEdge& e : l.edges)
        for (int* end : {&e.from, &e.to})
          if (*end < 0)
            *end = *end % 2 == 0 ? l.inBox(static_cast<std::size_t>((-2 - *end) / 2))
                                 : l.outBox(static_cast<std::size_t>((-3 - *end) / 2));
  }

  struct PortKey {
    int container, tensor;
    bool in;
    auto operator<=>(const PortKey&) const = default;
  };
  struct EdgeKey {
    int container, from, to, tensor;
    bool back;
    auto operator<=>(const EdgeKey&) const = default;
  };

  const Scene& scene_;
  const Expansion& expansion_;
  int root_;
  std::vector<int> levelOf_;
  Visible visible_;
  std::vector<Place> places_;
  std::unordered_map<int, std::unordered_map<int, int>> boxes_;
  std::map<PortKey, int> ports_;
  std::map<EdgeKey, std::size_t> edges_;
};

}  // namespace

bool unfolds(const SceneNode& node) {
  return node.kind == SceneNodeKind::group || node.kind == SceneNodeKind::stack;
}

const std::vector<int>& childrenOf(const Scene& scene, const Expansion& expansion, int node) {
  const SceneNode& n = scene.nodes[static_cast<std::size_t>(node)];
  if (n.kind != SceneNodeKind::stack) return n.children;
  int shown = std::clamp(expansion.instance.value(n.path, 0), 0, n.multiplicity - 1);
  return scene.nodes[static_cast<std::size_t>(n.children[static_cast<std::size_t>(shown)])].children;
}

Visible visibleOf(const Scene& scene, const Expansion& expansion, int root) {
  return Finder(scene, expansion, root).run();
}

}  // namespace ui
