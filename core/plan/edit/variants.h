#pragma once

#include <string>

#include "core/plan/plan.h"

// Edits of the list of variants, and of what the current one does, is fed with and runs on.

namespace core {

std::string freeVariantName(const Plan& plan);  // "A" .. "Z", "A2" ...
Plan addVariant(Plan plan, Variant variant);  // behind the others, and becomes the current one; an empty name is filled
Plan duplicateVariant(Plan plan, std::size_t index);
Plan removeVariant(Plan plan, std::size_t index);  // Error for the last one
Plan renameVariant(Plan plan, std::size_t index, const std::string& name);
Plan selectVariant(Plan plan, std::size_t index);

Plan setStep(Plan plan, const Step& step);
Plan setData(Plan plan, const Data& data);
Plan setMachine(Plan plan, const std::string& nameOrFile);
Plan addRun(Plan plan, const std::string& folder);  // a folder stands once, the newest last

}  // namespace core
