#pragma once

#include "core/io/positional.h"

namespace core {

// Exporters store a head that is the embedding as a transposed copy. Where a matrix is the exact transpose of a table that ids
// read, it becomes a transpose of that table: one weight, two uses. The report says so.
void tieTransposed(positional::Model& model);

}  // namespace core
