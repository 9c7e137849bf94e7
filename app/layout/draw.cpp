#include "app/layout/draw.h"

#include <fmt/format.h>
#include <gvc.h>

#include <cstring>

namespace app {

namespace {

char* text(const char* s) {
  return const_cast<char*>(s);
}  // the library's interface knows no const

void setDefault(Agraph_t* graph, const char* name, const char* value) {
  if (!agattr(graph, AGRAPH, text(name), nullptr)) agattr(graph, AGRAPH, text(name), text(value));
}

// Limits on network simplex keep large graphs from taking minutes; `curved` and large `ortho` hang or abort.
void tame(Agraph_t* graph, bool picture) {
  setDefault(graph, "nslimit", "0.2");
  setDefault(graph, "nslimit1", "0.2");
  setDefault(graph, "mclimit", "0.1");
  if (!picture) {
    agsafeset(graph, text("splines"), text("none"), text("none"));
    return;
  }
  const char* splines = agget(graph, text("splines"));
  bool risky =
      splines && (!std::strcmp(splines, "curved") || (!std::strcmp(splines, "ortho") && agnnodes(graph) > 500));
  if (risky || agnnodes(graph) > 500) agsafeset(graph, text("splines"), text("polyline"), text(""));
}

std::string quoted(const char* name) {
  std::string out = "\"";
  for (const char* c = name; *c; ++c) {
    if (*c == '"' || *c == '\\') out += '\\';
    if (static_cast<unsigned char>(*c) < 0x20)
      out += fmt::format("\\u{:04x}", static_cast<int>(*c));
    else
      out += *c;
  }
  return out + '"';
}

std::string positions(Agraph_t* graph) {
  boxf box = GD_bb(graph);
  std::string line =
      fmt::format("{{\"width\":{:.2f},\"height\":{:.2f},\"nodes\":[", box.UR.x - box.LL.x, box.UR.y - box.LL.y);
  bool first = true;
  for (Agnode_t* node = agfstnode(graph); node; node = agnxtnode(graph, node)) {
    pointf at = ND_coord(node);
    line += fmt::format("{}{{\"name\":{},\"x\":{:.2f},\"y\":{:.2f}}}", first ? "" : ",", quoted(agnameof(node)),
                        at.x - box.LL.x, box.UR.y - at.y);
    first = false;
  }
  return line + "]}\n";
}

bool draw(GVC_t* context, Agraph_t* graph, std::FILE* out, const std::string& format) {
  bool picture = format != "json";
  tame(graph, picture);
  if (gvLayout(context, graph, "dot") != 0) {
    std::fprintf(stderr, "meshwright-layout: graph \"%s\" has no layout\n", agnameof(graph));
    return false;
  }
  bool drawn = true;
  if (picture) {
    drawn = gvRender(context, graph, format.c_str(), out) == 0;
  } else {
    std::string line = positions(graph);
    drawn = std::fwrite(line.data(), 1, line.size(), out) == line.size();
  }
  gvFreeLayout(context, graph);
  return drawn && std::fflush(out) == 0;
}

}  // namespace

bool drawGraphs(std::FILE* in, std::FILE* out, const std::string& format) {
  GVC_t* context = gvContext();
  int drawn = 0;
  bool good = true;
  while (good && !(format != "json" && drawn > 0)) {
    Agraph_t* graph = agread(in, nullptr);
    if (!graph) break;
    good = draw(context, graph, out, format);
    agclose(graph);
    ++drawn;
  }
  if (agerrors() >= AGERR) good = false;  // agread has said what and in which line
  if (good && drawn == 0)
    std::fputs("meshwright-layout: no graph on standard input (DOT: digraph { a -> b })\n", stderr);
  gvFreeContext(context);
  return good && drawn > 0;
}

}  // namespace app
