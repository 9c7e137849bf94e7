#include "core/base/checked.h"

namespace core {

void refuseOverflow() {
  throw Error{.what = "a count of bytes, elements or flops does not fit 64 bits", .where = {}, .right = "smaller sizes"};
}

}  // namespace core
