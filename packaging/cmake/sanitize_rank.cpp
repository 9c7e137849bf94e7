// Of programs that are started under mpirun, in a sanitizer build: MPI is built without frame pointers, so whole stacks are needed to tell its leaks from ours.
// Slow, therefore in these alone.
extern "C" const char* __asan_default_options() { return "fast_unwind_on_malloc=0"; }
