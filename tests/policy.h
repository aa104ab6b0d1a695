/* The table of system calls read as plainly as can be: a switch and some ifs. The tests and the
 * live probe hold the generated filters against it, so it shares nothing with the generator but the
 * table. */
#pragma once

#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sandbox/syscalls.h"

/* policy_of: 0 allowed, positive: refused with this errno. */
#define POLICY_KILLED (-1)

struct policy_test {
    unsigned arg;
    uint32_t mask, value;
};

static bool policy_holds(const uint64_t *args, const struct policy_test *tests, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (((uint32_t)args[tests[i].arg] & tests[i].mask) != tests[i].value)
            return false;
    return true;
}

#define POLICY_ALL_HOLD(...)                                      \
    policy_holds(args, (const struct policy_test[]){__VA_ARGS__}, \
                 sizeof((const struct policy_test[]){__VA_ARGS__}) / sizeof(struct policy_test))

/* clang-format off */
static int policy_of_args(bool zygote, unsigned nr, const uint64_t *args) {
#define ARG(n, mask, value) {n, mask, value}
#define WHEN(name, eno, what, ...) \
    if (nr == __NR_##name && POLICY_ALL_HOLD(__VA_ARGS__)) return eno;
#define WHEN_SETUP(name, what, ...) \
    if (zygote && nr == __NR_##name && POLICY_ALL_HOLD(__VA_ARGS__)) return 0;
#include "sandbox/syscalls.def"
    switch (nr) {
#define CHECK(name, eno, why) case __NR_##name: return eno;
#include "sandbox/syscalls.def"
    }
    return POLICY_KILLED;
}

/* Allowed, but the supervisor is told. */
static inline bool policy_told(const struct seccomp_data *d) {
    const uint64_t args[3] = {d->args[0], d->args[1], d->args[2]};
#define ARG(n, mask, value) {n, mask, value}
#define WHEN_TOLD(name, what, ...) \
    if (d->nr == __NR_##name && POLICY_ALL_HOLD(__VA_ARGS__)) return true;
#include "sandbox/syscalls.def"
    return false;
}

static int policy_of(bool zygote, const struct seccomp_data *d) {
    const uint64_t args[3] = {d->args[0], d->args[1], d->args[2]};
    if (d->arch != AUDIT_ARCH_X86_64 || d->nr & 0x40000000)
        return POLICY_KILLED;
    switch ((unsigned)d->nr) { /* a number that stands twice in the table does not compile */
#define ALLOW(name, why) case __NR_##name: return 0;
#define DENY(name, eno, why) case __NR_##name: return eno;
#define SETUP(name, eno, why) case __NR_##name: return zygote ? 0 : eno;
#define CHECK(name, eno, why) case __NR_##name: return policy_of_args(zygote, __NR_##name, args);
#include "sandbox/syscalls.def"
    }
    return ENOSYS;
}
/* clang-format on */
