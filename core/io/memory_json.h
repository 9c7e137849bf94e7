#pragma once

#include "core/cost/cost.h"
#include "core/io/json_reader.h"

namespace core {

// The names of memory classes in files; toString() has those for people.
Names<MemoryClass> memoryClassNames();

Json memoryJson(const MemoryAt& memory);  // {"parameters": 4096, ..., "total": 8192}

}  // namespace core
