/* JSON-RPC as lines, one object each, over a pair of descriptors: standard input and output, or a
 * Unix socket.
 *
 * Reading is a baton: whoever holds read_lock takes one line, begins its call (which fixes its
 * place in the session's queue), makes sure that somebody waits for the baton, passes it on and
 * runs the call itself. So an answer never waits until one thread hands it to another, and a
 * blocked call never stops the reading.
 *
 * Runs in: broker.
 * Hostile: everything read; a client that does not read its answers stops only its own calls.
 * Life cycle: lines_run returns when input has ended and every open call was answered.
 * Tests: tests/unit/test_lines.c, tests/system/test_rpc.py
 */
#pragma once

#include "base/buf.h"
#include "serve/hosted/serve.h"

enum lines_client {
    LINES_GUEST, /* one of many clients */
    LINES_ADMIN, /* one of many clients: the server's own user, or root */
    LINES_ALONE, /* the only client of this process: when it goes away, running cells are
                    interrupted */
};

/* Serves the methods of serve/rpc/methods.h. The descriptors stay the caller's. */
int lines_run(struct serve *serve, const char *owner, int in, int out, enum lines_client who);

/* A server of its own on standard input and output, until the input ends. */
int serve_rpc_stdio(struct retort_engine *engine, const struct serve_defaults *defaults);

/* The same machinery for another protocol on lines (MCP). */
struct lines;
struct lines_protocol {
    void (*started)(void *user,
                    struct lines *lines); /* called first; `lines` lives until lines_serve
                                             returns */
    /* Called for each line, in the order of arrival. Returns a job, or NULL if there is no memory
     * and nothing was done. */
    void *(*begin)(void *user, const char *text, size_t len);
    bool (*is_quick)(const void *job);
    /* Refuses the job: too many are open. */
    void (*refuse)(void *job);
    void (*run)(void *job, struct buf *reply); /* releases the job */
    void (*input_ended)(void *user);
    void (*output_broke)(void *user);
};
int lines_serve(const struct lines_protocol *protocol, void *user, int in, int out);
/* Sends one JSON text as a line; from any thread. */
void lines_send(struct lines *lines, const char *text, size_t len);
