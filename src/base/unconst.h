/* Takes `const` away, for interfaces that only read their argument and do not declare it so:
 * jansson's iterators, struct iovec, the argument lists of exec. Nobody may write through the
 * result, except to reference counts. */
#pragma once

#include <stdint.h>

static inline void *unconst(const void *p) {
    return (void *)(uintptr_t)p;
}
