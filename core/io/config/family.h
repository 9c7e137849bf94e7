#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"
#include "core/io/config/keys.h"

namespace core {

// What a reader of a family finds.
struct ConfigModel {
  Graph graph;
  std::string layers;  // scope of the equal blocks, "layers.*"; how many
  std::int64_t layerCount = 0;
  std::vector<std::string> notes;  // what is not as a person may expect
};

// A family of models by its `model_type`. The table is what the reader, its errors and the documents are made from.
struct ConfigFamily {
  std::string_view name;                        // "llama"
  std::string_view summary;                     // "Decoder: rotary positions, grouped queries, SwiGLU."
  std::vector<std::string_view> architectures;  // what of it can be built; the first where the file says none
  ConfigModel (*build)(const ConfigKeys& keys, std::string_view architecture, OpenSizes& sizes);
};
std::span<const ConfigFamily> configFamilies();

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
