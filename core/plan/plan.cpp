#include "core/plan/plan.h"

namespace core {

bool Plan::operator==(const Plan& other) const {
  const bool sameGraph = graph == other.graph || (graph && other.graph && *graph == *other.graph);
  return sameGraph && name == other.name && origin == other.origin && importNotes == other.importNotes && variants == other.variants && current == other.current &&
         runs == other.runs;
}

}  // namespace core
