/* Errors that work everywhere: after fork, when there is no memory, and across a pipe in one write.
 *
 * A function returns 0 or a positive count on success and a negative errno on failure; the context
 * goes into a struct retort_error owned by the caller. There is one such structure for the library,
 * its programs and whoever uses it. `fault` says whose fault it was, and one table (serve/hosted/
 * fault.c) maps faults to exit codes, JSON-RPC codes and HTTP statuses, so that every door tells the
 * same story. A message is one line, printable, without host paths of the guest's choosing.
 *
 * Tests: tests/unit/test_err.c
 */
#pragma once

#include <stddef.h>

#include "retort.h"

/* The short names of enum retort_fault. */
#define ERR_NONE RETORT_FAULT_NONE
#define ERR_CALLER RETORT_FAULT_CALLER
#define ERR_GUEST RETORT_FAULT_GUEST
#define ERR_LIMIT RETORT_FAULT_LIMIT
#define ERR_HOST RETORT_FAULT_HOST
#define ERR_BUG RETORT_FAULT_BUG

#define ERR_INIT ((struct retort_error){.code = 0, .fault = ERR_NONE})

/* All fill `err`, which may be NULL, and return -eno, or -EIO when eno is 0. */

/* The message says it all. */
int err_set(struct retort_error *err, enum retort_fault fault, int eno, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* The message says what failed; ": " and what eno means follow. */
int err_errno(struct retort_error *err, enum retort_fault fault, int eno, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* The same, for this host's fault, naming the isolation layer that could not be set up. */
int err_layer(struct retort_error *err, const char *layer, int eno, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* This host has no memory left for us: whatever we wanted to do with it says nothing. */
int err_memory(struct retort_error *err);

/* Puts what we were doing, and ": ", before the message that is already there. Fault and errno
 * stay. */
int err_wrap(struct retort_error *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#ifdef __clang_analyzer__ /* the analyser does not see the definitions: tell it that they return a
                             negative number */
#define err_set(...) ((err_set)(__VA_ARGS__), -1)
#define err_errno(...) ((err_errno)(__VA_ARGS__), -1)
#define err_wrap(...) ((err_wrap)(__VA_ARGS__), -1)
#define err_memory(...) ((err_memory)(__VA_ARGS__), -1)
#define err_layer(...) ((err_layer)(__VA_ARGS__), -1)
#endif

/* Makes the enclosing function return the error if the call failed: where nothing is to be released,
 * or scoped_… does it. Where more has to be done, `if (r == 0)` goes on. */
#define TRY(call)          \
    do {                   \
        int try_ = (call); \
        if (try_ < 0)      \
            return try_;   \
    } while (0)

/* The last line of what a program said, fit for a message: printable ASCII, the rest as '?'. "" if
 * it said nothing. */
void err_last_words(const char *said, size_t len, char *ret, size_t size);

/* "caller", "guest", … for logs and JSON. */
const char *fault_name(enum retort_fault fault);
