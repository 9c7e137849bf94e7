// What is compiled for x86-64: see CMakeLists.txt for its flags.
#include "executor/kernels/vector/vector.h"

#define MESHWRIGHT_LEVEL level_base
#define MESHWRIGHT_LEVEL_NAME "x86-64"
#include "executor/kernels/vector/code.h"
