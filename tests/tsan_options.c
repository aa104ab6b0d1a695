/* Linked into every program of the build with the thread sanitizer: tests start programs with an environment of
 * their own. The first race ends the program, so that no test passes over it; tests fork, and the child may start
 * threads. */
const char *__tsan_default_options(void);

const char *__tsan_default_options(void) {
    return "halt_on_error=1:die_after_fork=0:second_deadlock_stack=1";
}
