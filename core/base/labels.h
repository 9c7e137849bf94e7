#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Names that the iterations of a repeat share, but for a number: the layer's.
//
//   "h.{}/ln .. h.{1}/add"      in iteration 3 of labels 0 1 2 3 4:      "h.3/ln .. h.4/add"

namespace core {

// The name in an iteration: "{}" and "{k}" are replaced by labels[iteration] and labels[iteration + k].
std::string withLabels(std::string_view name, std::span<const std::string> labels, std::size_t iteration);

// What stands between the labels, and how far each label is from the iteration's own.
class NameForm {
 public:
  // The form of a name that is `one` where the label is labels[at] and `other` where it is labels[next]. None when they differ in anything but labels
  // at most one place away, or hold braces themselves.
  static std::optional<NameForm> of(std::string_view one, std::size_t at, std::string_view other, std::size_t next, const std::vector<std::string>& labels);

  bool matches(std::string_view name, std::size_t at, const std::vector<std::string>& labels) const;
  std::string at(std::size_t label, const std::vector<std::string>& labels) const;
  int least() const;  // of the distances; 0 when there are none
  int most() const;
  std::string text(int origin) const;  // with braces; distances are counted from `origin`

 private:
  std::vector<std::string> texts_;  // one more than there are labels
  std::vector<int> distances_;
};

}  // namespace core
