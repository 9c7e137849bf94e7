#include "app/cli/verbs.h"

namespace app {

std::vector<Verb> allVerbs() {
  return {
      compareVerb(),   //
      machinesVerb(),  //
      opsVerb(),       //
  };
}

}  // namespace app
