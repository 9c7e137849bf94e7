#include "core/base/labels.h"

#include <algorithm>
#include <cassert>
#include <charconv>

namespace core {
namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }

// The number or the word that begins at `at`.
std::string_view token(std::string_view name, std::size_t at) {
  const bool number = digit(name[at]);
  std::size_t end = at + 1;
  while (end < name.size() && digit(name[end]) == number) ++end;
  return name.substr(at, end - at);
}

constexpr int neighbours = 1;

}  // namespace

std::string withLabels(std::string_view name, std::span<const std::string> labels, std::size_t iteration) {
  std::string text;
  for (std::size_t at = 0; at < name.size(); ++at) {
    if (name[at] != '{') {
      text += name[at];
      continue;
    }
    const std::size_t end = name.find('}', at);
    std::size_t distance = 0;
    if (end != std::string_view::npos) std::from_chars(name.data() + at + 1, name.data() + end, distance);
    if (end == std::string_view::npos || iteration + distance >= labels.size()) {
      text += name[at];
      continue;
    }
    text += labels[iteration + distance];
    at = end;
  }
  return text;
}

std::optional<NameForm> NameForm::of(std::string_view one, std::size_t at, std::string_view other, std::size_t next, const std::vector<std::string>& labels) {
  if (one.find('{') != std::string_view::npos) return std::nullopt;
  NameForm form;
  form.texts_.emplace_back();
  for (std::size_t i = 0, j = 0; i < one.size() || j < other.size();) {
    if (i >= one.size() || j >= other.size()) return std::nullopt;
    const std::string_view a = token(one, i), b = token(other, j);
    i += a.size();
    j += b.size();
    if (a == b) {
      form.texts_.back() += a;
      continue;
    }
    bool found = false;
    for (int distance : {0, -neighbours, neighbours}) {
      const std::size_t first = at + static_cast<std::size_t>(distance), second = next + static_cast<std::size_t>(distance);  // wraps below zero: beyond the end
      if (first >= labels.size() || second >= labels.size() || labels[first] != a || labels[second] != b) continue;
      form.distances_.push_back(distance);
      form.texts_.emplace_back();
      found = true;
      break;
    }
    if (!found) return std::nullopt;
  }
  return form;
}

bool NameForm::matches(std::string_view name, std::size_t at, const std::vector<std::string>& labels) const {
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    if (!name.starts_with(texts_[i])) return false;
    name.remove_prefix(texts_[i].size());
    if (i == distances_.size()) break;
    const std::size_t label = at + static_cast<std::size_t>(distances_[i]);
    if (label >= labels.size() || !name.starts_with(labels[label])) return false;
    name.remove_prefix(labels[label].size());
  }
  return name.empty();
}

std::string NameForm::at(std::size_t label, const std::vector<std::string>& labels) const {
  std::size_t size = 4 * distances_.size();
  for (const std::string& text : texts_) size += text.size();
  std::string name;
  name.reserve(size);
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    name += texts_[i];
    if (i < distances_.size()) name += labels[label + static_cast<std::size_t>(distances_[i])];
  }
  return name;
}

int NameForm::least() const { return distances_.empty() ? 0 : *std::min_element(distances_.begin(), distances_.end()); }
int NameForm::most() const { return distances_.empty() ? 0 : *std::max_element(distances_.begin(), distances_.end()); }

std::string NameForm::text(int origin) const {
  std::string name;
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    name += texts_[i];
    if (i == distances_.size()) break;
    const int distance = distances_[i] - origin;
    assert(distance >= 0 && "the origin is the least of all distances");
    name += distance == 0 ? "{}" : "{" + std::to_string(distance) + "}";
  }
  return name;
}

}  // namespace core
