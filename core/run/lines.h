#pragma once

#include <cstdint>
#include <string>
#include <vector>

// Files of lines that somebody else is still writing.

namespace core {

// The whole lines beyond `offset`, without their newlines, at most about `most` bytes of them; moves `offset` behind them.
// A file that does not exist has none; one that is shorter than `offset` was made anew and is read from its begin.
std::vector<std::string> newLines(const std::string& path, std::int64_t& offset, std::int64_t most = std::int64_t{64} << 20);

// Cuts off what stands behind the last newline: its writer died in the middle of a line.
void dropCutLine(const std::string& path);

}  // namespace core
