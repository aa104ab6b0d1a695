/* What wasm.py calls: one function in a fresh instance. prepare, begin, enter and finish are
 * generated for each module.
 *
 * Runs in: as host.h
 * Hostile: the module, even while the instance is made: it may have a start function.
 * Tests: tests/system/test_wasm.py
 */

#if __has_include("wasm-rt-exceptions.h") /* a header of its own in later releases of wabt */
#include "wasm-rt-exceptions.h"
#endif

#define SHOWN __attribute__((visibility("default")))

/* 0, or the number of a trap. After a trap, unless it is a program's exit, the process must not be
 * used again: what the instance held is not freed. */
SHOWN int skill_call(unsigned which, const union number *in, union number *out,
                     struct streams *io) {
    static bool ready;
    static volatile bool whole;
    if (!ready) {
        wasm_rt_init();
        prepare();
        ready = true;
    }
    streams = io;
    whole = false;
    files_begin(io);
    int trap = wasm_rt_impl_try();
    if (trap) {
        if (io->exited && whole)
            finish();
        return trap;
    }
    begin();
    whole = true;
    enter(which, in, out);
    finish();
    return 0;
}

SHOWN const char *skill_trap(int trap) {
    return wasm_rt_strerror((wasm_rt_trap_t)trap);
}
