#pragma once

#include "app/cli/arguments.h"

// Every verb, a file each; the table is in verbs.cpp.

namespace app {

Verb newVerb();
Verb importVerb();
Verb checkVerb();
Verb estimateVerb();
Verb programVerb();
Verb evaluateVerb();
Verb runVerb();
Verb compareVerb();
Verb exportVerb();
Verb calibrateVerb();
Verb machinesVerb();
Verb opsVerb();

std::vector<Verb> allVerbs();

}  // namespace app
