// Linked into every program of a sanitizer build. Plugins of MPI and Graphviz stay mapped, so that the stacks of what
// they leak still have names when the leaks are listed and packaging/lsan.supp can tell them from ours.
extern "C" int dlclose(void*) noexcept { return 0; }
