#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/io/config/keys.h"

// What readers of several families share.

namespace core {

inline constexpr std::int64_t usualBatch = 8, usualSeq = 2048;  // where the person gives none

std::int64_t readLayers(const ConfigKeys& keys, std::string_view key);  // 1 to 10000

// "head_dim"; where there is none `otherwise`, or (0) hidden_size / heads. Even, as rotary positions need.
std::int64_t readHeadSize(const ConfigKeys& keys, std::int64_t model, std::int64_t heads, std::int64_t otherwise);

// "layer_types", a word for each layer, as windows: 0 where a layer looks at all.
std::vector<std::int64_t> readWindows(const ConfigKeys& keys, std::int64_t layers, std::int64_t window);

void requireChosen(const ConfigKeys& keys, std::string_view key, std::int64_t chosen, std::int64_t experts,
                   std::string_view expertsKey);

std::string expertsNote(std::int64_t chosen, std::int64_t experts);

}  // namespace core
