#pragma once

#include <cstdio>
#include <string>

namespace app {

// Lays out every graph that `in` holds and writes positions of each (json) or a picture of the first one.
// False, with a line on stderr, where there is no graph, or none that can be read.
bool drawGraphs(std::FILE* in, std::FILE* out, const std::string& format);

}  // namespace app
