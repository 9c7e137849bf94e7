#pragma once

#include "core/cost/counted.h"
#include "core/run/trace.h"

namespace core {

// What the ranks of a run counted, all its steps together. Frees and the frames of repeats count nothing and are left out.
Counted countedFrom(const Trace& trace);

}  // namespace core
