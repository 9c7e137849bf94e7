#include "executor/kernels/vector/vector.h"

namespace executor {

namespace level_base {
extern const VectorCode code;
}
#ifdef MESHWRIGHT_CPU_LEVELS
namespace level_v3 {
extern const VectorCode code;
}
namespace level_v4 {
extern const VectorCode code;
}
#endif

int vectorLevels(const VectorCode* (&levels)[3]) {
  int count = 0;
  levels[count++] = &level_base::code;
#ifdef MESHWRIGHT_CPU_LEVELS
  if (__builtin_cpu_supports("x86-64-v3")) levels[count++] = &level_v3::code;
  if (__builtin_cpu_supports("x86-64-v4")) levels[count++] = &level_v4::code;
#endif
  return count;
}

const VectorCode& vectorCode() {
  static const VectorCode& best = [&]() -> const VectorCode& {
    const VectorCode* levels[3];
    return *levels[vectorLevels(levels) - 1];
  }();
  return best;
}

}  // namespace executor
