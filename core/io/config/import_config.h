#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/io/import.h"

// A config.json as Hugging Face's transformers writes it becomes the whole model of its family, built from core/layers;
// weights get initial values, none are read.
//
//   Import found = importConfig(text, "llama/config.json", {.dims = {{"batch", 8}, {"seq", 2048}}});
//   tokens [batch:8 seq:2048], layers.0.self_attn.q_proj.weight [d_model:4096 kv_heads:8 group:4 head_dim:128] ...

namespace core {

// Error where a value that changes the model is not supported; it names the key and what would be right.
Import importConfig(std::string_view text, const std::string& path, const ImportOptions& options);

// A small model of a family, with other settings than its own where some are given: {"num_hidden_layers=8"}.
Import newModel(const std::string& family, const std::vector<std::string>& settings, const ImportOptions& options);

}  // namespace core
