#include "executor/kernels/onednn.h"

namespace executor {

const dnnl::engine& onednnEngine() {
  static const dnnl::engine one(dnnl::engine::kind::cpu, 0);
  return one;
}

dnnl::stream& onednnStream() {
  thread_local dnnl::stream one(onednnEngine());
  return one;
}

}  // namespace executor
