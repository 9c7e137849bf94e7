// What is compiled for x86-64-v3: see CMakeLists.txt for its flags.
#include "executor/kernels/vector/vector.h"

#define MESHWRIGHT_LEVEL level_v3
#define MESHWRIGHT_LEVEL_NAME "x86-64-v3"
#include "executor/kernels/vector/code.h"
