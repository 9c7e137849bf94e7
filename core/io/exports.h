#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/plan/analyze.h"

namespace core {

// A form in which a plan leaves as text: one table for the command line and the window.
struct Export {
  std::string_view name;    // as --as takes it: "partition-spec"
  std::string_view title;   // "JAX PartitionSpecs"
  std::string_view suffix;  // of files: "py"
  bool wantsProgram;        // a plan with errors has none; the others can be written all the same
  std::string (*print)(const Analysis& analysis, const std::string& title);  // Error where the form cannot say it
};

std::span<const Export> textExports();
const Export* findExport(std::string_view name);  // none: nullptr

// What it prints. Error with the analysis' first error where it wants a program and there is none.
std::string exported(const Export& form, const Analysis& analysis, const std::string& title);

}  // namespace core
