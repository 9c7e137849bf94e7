#pragma once

#include "core/io/config/keys.h"
#include "core/layers/rotary.h"

namespace core {

// "rope_theta" and "rope_scaling", or "rope_parameters" that holds both; scalings that depend on the length of the text
// are refused.
Rotary readRotary(const ConfigKeys& keys, double theta, std::int64_t positions);

// "mscale_all_dim" of YaRN: what DeepSeek multiplies its scores with, squared. 1 where there is none.
double readScoreMagnitude(const ConfigKeys& keys);

}  // namespace core
