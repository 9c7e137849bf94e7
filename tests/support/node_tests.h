#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/io/import.h"

// Recorded tests of single operators, as archives have them: NAME/model.onnx, NAME/test_data_set_0/input_0.pb, output_0.pb ...

namespace tests {

// Unpacks `archive`.tar.xz beside which `archive`.list stands, into `folder`; names of those whose outputs a second implementation
// confirmed. None where tar or xz is missing.
std::optional<std::vector<std::string>> unpackNodeTests(const std::string& archive, const std::string& folder);

struct NodeTest {
  core::Import imported;  // with dimensions bound, and inputs that decide sizes made known
  std::string data;       // the folder with the inputs that are left, and the outputs
};

// Error as the importer throws it. `scratch` is an empty folder for data that have to be renumbered.
NodeTest readNodeTest(const std::string& folder, const std::string& scratch);

}  // namespace tests
