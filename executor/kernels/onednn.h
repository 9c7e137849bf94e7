#pragma once

#include <oneapi/dnnl/dnnl.hpp>
#include <string>

#include "core/base/error.h"

// What all kernels share that hand their work to oneDNN.

namespace executor {

const dnnl::engine& onednnEngine();
dnnl::stream& onednnStream();  // one a thread

// An exception of the library becomes an Error that says what failed.
template <class Work>
void callOnednn(const char* what, const Work& work) {
  try {
    work();
  } catch (const dnnl::error& error) {
    throw core::Error{.what = std::string("oneDNN ") + what + ": " + error.what(), .where = "", .right = ""};
  }
}

}  // namespace executor
