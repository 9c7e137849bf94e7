#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"
#include "core/io/config/families.h"
#include "core/io/config/keys.h"

namespace core {

// What a reader of a family finds.
struct ConfigModel {
  Graph graph;
  std::string layers;  // scope of the equal blocks, "layers.*"; how many
  std::int64_t layerCount = 0;
  std::vector<std::string> notes;  // what is not as a person may expect
};

// A family a file.
ConfigModel readGpt2(const ConfigKeys&, std::string_view architecture, OpenSizes&);
ConfigModel readBert(const ConfigKeys&, std::string_view architecture, OpenSizes&);
ConfigModel readT5(const ConfigKeys&, std::string_view architecture, OpenSizes&);
ConfigModel readVit(const ConfigKeys&, std::string_view architecture, OpenSizes&);
ConfigModel readLlama(const ConfigKeys&, std::string_view architecture, OpenSizes&);
ConfigModel readMistral(const ConfigKeys&, std::string_view architecture, OpenSizes&);
ConfigModel readMixtral(const ConfigKeys&, std::string_view architecture, OpenSizes&);
ConfigModel readQwen3(const ConfigKeys&, std::string_view architecture, OpenSizes&);
ConfigModel readQwen3Moe(const ConfigKeys&, std::string_view architecture, OpenSizes&);
ConfigModel readDeepseekV3(const ConfigKeys&, std::string_view architecture, OpenSizes&);
ConfigModel readGptOss(const ConfigKeys&, std::string_view architecture, OpenSizes&);

}  // namespace core
