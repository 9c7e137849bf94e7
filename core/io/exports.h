#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/io/dot.h"
#include "core/plan/analyze.h"

// Forms in which a plan, or a run, leaves for others to read: one table for the command line and the window.
//
//   exported(*findExport("partition-spec"), {.analysis = &analysis})   -> "tokens": P("data", None) ...

namespace core {

struct ExportSource {
  const Analysis* analysis = nullptr;  // of what wants a plan
  std::string title;                   // of traces
  std::string run;                     // a folder, of what wants a run
  DotOptions drawn = {};               // of graphs
};

enum class ExportWants {
  plan,     // which may have errors
  program,  // and so a plan without errors
  run,      // by itself
};

struct Export {
  std::string_view name;    // as --as takes it: "partition-spec"
  std::string_view title;   // "JAX PartitionSpecs"
  std::string_view suffix;  // of files: "py"
  ExportWants wants;
  std::string (*print)(const ExportSource& source);  // Error where the form cannot say it
  std::string_view picture = {};  // "svg": what is printed is DOT, and `meshwright-layout -T svg` makes it one
};

std::span<const Export> exports();
const Export* findExport(std::string_view name);  // none: nullptr

// What it prints. Error with the analysis' first error where it wants a program and there is none.
std::string exported(const Export& form, const ExportSource& source);

// Graphviz can hang or crash on legal graphs, and often does a plainer picture of them: these are tried in turn.
struct PictureAttempt {
  DotOptions drawn;
  std::string_view lacks;  // "no picture with curved edges", where it fails
};
std::span<const PictureAttempt> pictureAttempts();
inline constexpr int pictureSeconds = 30;  // of one attempt

}  // namespace core
