#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace executor {

// The parts one after the other, under a temporary name beside `path`, synced, renamed. Error naming the file and what the system says.
void writeSynced(const std::string& path, std::span<const std::span<const std::byte>> parts);

// Renames a folder whose files are synced, and syncs the folder that it lies in. What had the name before goes.
void publishFolder(const std::string& temporary, const std::string& path);

}  // namespace executor
