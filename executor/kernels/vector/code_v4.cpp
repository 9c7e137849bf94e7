// What is compiled for x86-64-v4: see CMakeLists.txt for its flags.
#include "executor/kernels/vector/vector.h"

#define MESHWRIGHT_LEVEL level_v4
#define MESHWRIGHT_LEVEL_NAME "x86-64-v4"
#include "executor/kernels/vector/code.h"
