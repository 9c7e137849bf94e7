#include "core/base/error.h"

#include <algorithm>

namespace core {
namespace {

std::string join(const std::string& what, const std::string& where, const std::string& right) {
  std::string text = where.empty() ? what : where + ": " + what;
  if (!right.empty()) text += " (" + right + ")";
  return text;
}

}  // namespace

std::string Error::text() const { return join(what, where, right); }

std::string Diagnostic::text() const { return join(what, where, right); }

bool hasErrors(const std::vector<Diagnostic>& found) {
  return std::any_of(found.begin(), found.end(),
                     [](const Diagnostic& one) { return one.severity == Diagnostic::Severity::error; });
}

}  // namespace core
