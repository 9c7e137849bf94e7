#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace tests {

// The folder of model files that are not part of the tree: $MESHWRIGHT_MODELS, else shared/models beside the source
// tree or one folder further up. A test that needs it says so and is skipped where there is none:
//
//   const auto models = tests::sharedModels();
//   if (!models) QSKIP("needs the folder of shared models (MESHWRIGHT_MODELS)");
inline std::optional<std::string> sharedModels() {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (const char* given = std::getenv("MESHWRIGHT_MODELS")) {
    if (fs::is_directory(given, ignored)) return given;
    return std::nullopt;
  }
#ifdef MESHWRIGHT_SOURCE
  const fs::path source = MESHWRIGHT_SOURCE;
  for (const char* up : {"../shared/models", "../../shared/models"})
    if (fs::is_directory(source / up, ignored)) return fs::canonical(source / up).string();
#endif
  return std::nullopt;
}

}  // namespace tests
