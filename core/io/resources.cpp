#include "core/io/resources.h"

#include <cstdlib>
#include <filesystem>

namespace core {
namespace fs = std::filesystem;

std::string resourceFolder() {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path installed = program.parent_path().parent_path() / "share" / "meshwright";
  if (!program.empty() && fs::is_directory(installed / "machines", ignored)) return installed;
  return MESHWRIGHT_RESOURCES;
}

std::string userFolder() {
  if (const char* data = std::getenv("XDG_DATA_HOME"); data && *data) return fs::path(data) / "meshwright";
  const char* home = std::getenv("HOME");
  return fs::path(home && *home ? home : "/") / ".local" / "share" / "meshwright";
}

}  // namespace core
