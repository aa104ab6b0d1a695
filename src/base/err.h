/* Errors that work everywhere: after fork, when memory is out, and across a pipe in one write.
 *
 * A function returns 0 or a positive count on success and a negative errno on failure; the context
 * goes into a struct err owned by the caller. `kind` says whose fault it was, and one table maps
 * kinds to exit codes, JSON-RPC codes and HTTP statuses, so that every door tells the same story.
 */
#pragma once

#include <stddef.h>

enum err_kind {
    ERR_NONE = 0,
    ERR_CALLER, /* the request was wrong: bad option, missing file, unknown session */
    ERR_GUEST,  /* code in a session did something it may not */
    ERR_LIMIT,  /* a configured limit was reached */
    ERR_HOST,   /* this machine cannot do what was asked: no memory, no namespace, full disk */
    ERR_BUG,    /* Retort's own fault */
};

struct err {
    int eno; /* positive errno, 0 if there is none */
    enum err_kind kind;
    char layer[24]; /* the isolation layer that failed, or "" */
    char msg[360];  /* one line, printable, without host paths of the guest's choosing */
};

#define ERR_INIT ((struct err){.eno = 0, .kind = ERR_NONE})

/* Fills `err` (which may be NULL) and returns -eno, or -EIO when eno is 0. The message ends with
 * what eno means, unless it says so already or the caller's fault was no more than EINVAL. */
int err_set(struct err *err, enum err_kind kind, int eno, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* The same, naming the isolation layer that could not be set up. */
int err_layer(struct err *err, const char *layer, int eno, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

#ifdef __clang_analyzer__ /* knows only what it sees: that both return less than nothing */
#define err_set(...) ((err_set)(__VA_ARGS__), -1)
#define err_layer(...) ((err_layer)(__VA_ARGS__), -1)
#endif

/* Returns from the function that it stands in if the call failed. */
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
const char *err_kind_name(enum err_kind kind);
