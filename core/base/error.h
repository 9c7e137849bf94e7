#pragma once

#include <string>
#include <vector>

namespace core {

// The world is wrong: a file, a process, a format. Thrown; caught at a menu action, a verb or a rank's main.
//
//   throw Error{.what = "unknown key \"axis\"", .where = "bert.layout.json: /rules/3", .right = "a rule has \"dimension\" and \"axes\""};
struct Error {
  std::string what;   // what is wrong
  std::string where;  // the place: file, path inside it, operator; may be empty
  std::string right;  // what would be right; may be empty

  // "WHERE: WHAT (RIGHT)" on one line, empty parts left out.
  std::string text() const;
};

// The person's plan is wrong: a value, as many as there are, each shown where it is.
struct Diagnostic {
  enum class Severity { error, warning, note };
  std::string what;
  std::string where;  // a scope, tensor or axis of the plan
  std::string right;
  Severity severity = Severity::error;

  bool operator==(const Diagnostic&) const = default;
  std::string text() const;
};

bool hasErrors(const std::vector<Diagnostic>& found);

}  // namespace core
