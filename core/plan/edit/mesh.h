#pragma once

#include <cstdint>
#include <string>

#include "core/plan/plan.h"

// Edits of the current variant's mesh. The layout's rules, pins and choices follow: a renamed axis is renamed
// there, a removed one is taken out of them. Error on a name or size that no mesh may have.

namespace core {

Plan setMesh(Plan plan, const Mesh& mesh);  // axes that the new mesh lacks leave the layout
Plan addAxis(Plan plan, const std::string& name, std::int64_t size);
Plan removeAxis(Plan plan, const std::string& name);
Plan renameAxis(Plan plan, const std::string& from, const std::string& to);
Plan resizeAxis(Plan plan, const std::string& name, std::int64_t size);
Plan moveAxis(Plan plan, const std::string& name, std::size_t position);  // the order of ranks changes with it

}  // namespace core
