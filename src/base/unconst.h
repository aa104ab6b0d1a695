/* For functions of libraries and of the kernel's interface that only read what they are given and
 * do not say so: jansson's iterators, struct iovec, the argument lists of exec. Nothing that is
 * reached through it may be written, reference counts aside. */
#pragma once

#include <stdint.h>

static inline void *unconst(const void *p) {
    return (void *)(uintptr_t)p;
}
