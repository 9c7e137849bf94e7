#include "core/layers/heads.h"

namespace core {

Heads headsOf(GraphBuilder& build, std::int64_t heads, std::int64_t keyHeads) {
  if (keyHeads == heads || keyHeads == 1) {
    const Shape all{build.dim("heads", heads)};
    return {all, keyHeads == heads ? all : Shape{}};
  }
  const DimId shared = build.dim("kv_heads", keyHeads), group = build.dim("group", heads / keyHeads);
  build.edit().aliases["heads"] = "kv_heads";
  return {{shared, group}, {shared}};
}

}  // namespace core
