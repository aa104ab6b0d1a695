/* One POST over libcurl; delivers the answer as it arrives.
 *
 * Runs in: the broker's process, in the caller's thread.
 * Hostile: the answer.
 * Owns: nothing beyond the call. The key travels in a header only: never in an address, a log or an
 *   error.
 * Tests: tests/system/test_agent_models.py
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct post_request {
    const char *url;
    const char *const *headers; /* "Name: value", NULL-terminated */
    const char *body;
    size_t body_len;
    double timeout;            /* seconds for the whole call; 0: ten minutes */
    const atomic_bool *cancel; /* may be NULL */
    int (*data)(void *user, const char *bytes, size_t len); /* negative ends the transfer */
    void *user;
};

struct post_answer {
    long status;
    double retry_after; /* seconds, negative if the server did not say */
    int should_retry;   /* x-should-retry: 1, 0, or -1 if absent */
    bool stream;        /* text/event-stream */
    char problem[160];  /* an error of the transfer itself */
};

/* 0 when an answer arrived, whatever its status; -ECANCELED, -ETIMEDOUT, -ECONNREFUSED, -EIO, or
 * what the data callback returned. */
int post_send(const struct post_request *request, struct post_answer *ret);
/* Initialises libcurl; many threads may call it. */
void post_init(void);
