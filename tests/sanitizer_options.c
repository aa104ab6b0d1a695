/* Linked into every program of the builds with sanitizers: tests start programs with an environment of their own.
 *
 * An allocation that cannot be made fails, as it does without the sanitizer: programs are tested for what they do then.
 * The first race ends the program, so that no test passes over it; tests fork, and the child may start threads. */
const char *__asan_default_options(void);
const char *__tsan_default_options(void);

const char *__asan_default_options(void) {
    return "allocator_may_return_null=1";
}

const char *__tsan_default_options(void) {
    return "halt_on_error=1:die_after_fork=0:second_deadlock_stack=1";
}
