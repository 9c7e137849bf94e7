#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace core {

class ConfigKeys;
class OpenSizes;
struct ConfigModel;

// A family of models by its `model_type`. The table is what the reader, its errors and the help of the command line are
// made from.
struct ConfigFamily {
  std::string_view name;                        // "llama"
  std::string_view summary;                     // "Decoder: rotary positions, grouped queries, SwiGLU."
  std::vector<std::string_view> architectures;  // what of it can be built; the first where the file says none
  ConfigModel (*build)(const ConfigKeys& keys, std::string_view architecture, OpenSizes& sizes);
  std::string_view small;  // a config.json of a few layers, to begin with
};
std::span<const ConfigFamily> configFamilies();

}  // namespace core
