#include "app/cli/verbs.h"

namespace app {

std::vector<Verb> allVerbs() {
  return {
      newVerb(),       //
      importVerb(),    //
      checkVerb(),     //
      estimateVerb(),  //
      programVerb(),   //
      evaluateVerb(),  //
      runVerb(),       //
      compareVerb(),   //
      exportVerb(),    //
      calibrateVerb(), //
      machinesVerb(),  //
      opsVerb(),       //
  };
}

}  // namespace app
