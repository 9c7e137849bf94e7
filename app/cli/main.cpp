#include "app/cli/verbs.h"

int main(int argc, char** argv) { return app::runVerbs(app::allVerbs(), argc, argv); }
