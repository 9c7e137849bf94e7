#include "app/cli/verbs.h"

namespace app {

std::vector<Verb> allVerbs() {
  return {
      machinesVerb(),  //
      opsVerb(),       //
  };
}

}  // namespace app
