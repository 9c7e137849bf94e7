#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <vector>

#include "app/layout/draw.h"

// meshwright-layout: graphs in DOT on standard input, on standard output their positions or a picture.
//
//   echo 'digraph { a -> b }' | meshwright-layout -T json
//   {"width":54,"height":108,"nodes":[{"name":"a","x":27,"y":18},{"name":"b","x":27,"y":90}]}
//
// It is a program of its own because Graphviz can hang, abort or crash on legal input: whoever asks sets a deadline and
// kills it.

namespace {

constexpr const char* usage =
    "usage: meshwright-layout [-T json|svg|png|pdf] < GRAPHS.dot\n"
    "  json: one line a graph, centres of nodes in points, y downward; svg, png, pdf: a picture of the first graph\n";

}  // namespace

int main(int argc, char** argv) {
  std::string format = "json";
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument == "--help" || argument == "-h") {
      std::fputs(usage, stdout);
      return 0;
    }
    if (argument == "-T" && i + 1 < argc) {
      format = argv[++i];
    } else if (argument.rfind("-T", 0) == 0 && argument.size() > 2) {
      format = argument.substr(2);
    } else {
      std::fprintf(stderr, "meshwright-layout: unknown argument \"%s\"\n%s", argument.c_str(), usage);
      return 2;
    }
  }
  if (format != "json" && format != "svg" && format != "png" && format != "pdf") {
    std::fprintf(stderr, "meshwright-layout: unknown format \"%s\" (json, svg, png or pdf)\n", format.c_str());
    return 2;
  }
  return app::drawGraphs(stdin, stdout, format) ? 0 : 2;
}
