#include <fmt/format.h>

#include "core/graph/fold.h"

namespace core {

namespace {

void printItem(const Fold& fold, const FoldItem& item, int depth, std::string& text);

void printItems(const Fold& fold, const Group& group, int depth, std::string& text) {
  for (const FoldItem& item : group.items) printItem(fold, item, depth, text);
}

void printItem(const Fold& fold, const FoldItem& item, int depth, std::string& text) {
  std::string indent(static_cast<std::size_t>(depth) * 2, ' ');
  switch (item.kind) {
    case FoldItem::Kind::op:
      text += fmt::format("{}{}\n", indent, fold.labels[item.op().index()]);
      return;
    case FoldItem::Kind::group:
      text += fmt::format("{}{}/\n", indent, fold[item.group()].name);
      return printItems(fold, fold[item.group()], depth + 1, text);
    case FoldItem::Kind::stack: {
      const Stack& stack = fold[item.stack()];
      text += fmt::format("{}{} x{}{}\n", indent, stack.name, stack.instances.size(),
                          stack.carried.empty() ? "" : fmt::format(" carries {}", stack.carried.size()));
      return printItems(fold, fold[stack.instances[0]], depth + 1, text);
    }
  }
}

}  // namespace

std::string print(const Fold& fold) {
  std::string text;
  printItems(fold, fold.root(), 0, text);
  return text;
}

std::vector<std::string> describeStacks(const Fold& fold) {
  std::vector<std::string> lines;
  for (const Stack& stack : fold.stacks)
    lines.push_back(fmt::format("{} \u00D7 {} ({} operators each)", stack.instances.size(), stack.name,
                                fold[stack.instances[0]].operators.size()));
  return lines;
}

}  // namespace core
