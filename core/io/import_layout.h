#pragma once

#include <string>
#include <vector>

#include "core/io/naming/relate.h"
#include "core/io/onnx_emit.h"
#include "core/io/positional.h"
#include "core/layout/layout.h"
#include "core/mesh/mesh.h"

namespace core {

struct FileLayout {
  Mesh mesh;
  Layout layout;
};

// The file's mesh, and its shardings as pins of named dimensions. An axis that names have taken apart gets its mesh axes from
// its major part on: 4096 over 8 = (heads:32, head_dim:128) over 8 is heads over 8. What no pin can say is told in `notes`.
FileLayout layoutOf(const positional::Model& model, const naming::Names& names, const Emission& emission, std::vector<std::string>& notes);

}  // namespace core
