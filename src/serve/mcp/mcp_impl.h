/* What the files of the MCP layer share: sessions, open calls, questions to clients.
 *
 * Runs in: broker.
 * Invariants: everything below `lock` in struct mcp is read and written under it; on_cancel is
 *   called under cancel_lock of its call, so that mcp_no_cancel waits for a cancellation that is
 *   under way.
 * Locks, in the order in which one thread may take them: that of the holds, that of struct mcp, a
 *   call's cancel_lock, that of a session (struct hosted), that of the tools. A cancellation takes
 *   the last four: on_cancel calls session_stop. Whoever has one of the later ones must not call
 *   into this layer.
 * Tests: as for serve/mcp/mcp.h
 */
#pragma once

#include <pthread.h>

#include "serve/hosted/serve.h"
#include "serve/mcp/mcp_later.h"
#include "serve/rpc/rpc.h"

#define MCP_MODERN "2026-07-28"
#define MCP_NEWEST_LEGACY "2025-11-25"
#define MCP_ASK_SECONDS 120
#define META(name) "io.modelcontextprotocol/" name

struct mcp_session {
    struct mcp_session *next;
    unsigned refs;
    bool ended;
    bool home; /* it keeps the state of an owner's modern calls over HTTP, which belong to no
                  session */
    char id[48];
    char owner[OWNER_SIZE];
    char version[16];
    int log_level;
    json_t *capabilities;
    json_t *subscriptions;   /* an object whose keys are uris */
    struct mcp_link *link;   /* for unsolicited messages, or NULL */
    void *data;              /* belongs to the table */
    unsigned long long used; /* value of the layer's use counter at its last use */
};

struct mcp_ask {
    struct mcp_ask *next;
    struct mcp_call *call;
    char id[32];
    bool done;
    json_t *result;         /* NULL when done: refused or failed */
    mcp_answered *answered; /* NULL: a thread waits for the answer */
    void *user;
};

struct mcp_call {
    struct mcp *mcp;
    struct mcp_call *next; /* in the list of open calls */
    struct mcp_session *session;
    struct mcp_session *home; /* the session that keeps its state: `session`, or the owner's home;
                                 or NULL */
    struct peer peer;
    struct mcp_link *link;
    struct rpc_message msg;
    bool modern, open, cancelled, forked;
    struct mcp_call *behind; /* a call that is cancelled with this one, or NULL; under the layer's
                                lock */
    bool in_turn;            /* later calls wait for it; calls are listed youngest first */
    char version[16];
    const json_t *meta;     /* params._meta, or NULL */
    const json_t *progress; /* token, or NULL */
    int log_level;          /* least level sent; -1: none */
    const json_t *filter;   /* of subscriptions/listen */

    pthread_mutex_t cancel_lock;
    void (*on_cancel)(void *arg);
    void *cancel_arg;

    int code, status; /* a failure, and its HTTP status */
    char reason[300];
    json_t *data;
};

struct mcp {
    const struct mcp_table *table;
    json_t *schemas; /* schemas of the tools' arguments, in the order of the tools; never changed */
    pthread_mutex_t lock;
    pthread_cond_t change; /* an ask was answered, or a call was cancelled */
    struct mcp_session *sessions;
    struct mcp_call *calls;
    struct mcp_ask *asks;
    unsigned long long last_ask, uses;
    bool stopping, input_ended;
};

int mcp_level(const char *name); /* -1: no such level */
void mcp_send_note(struct mcp_link *link, const char *method, json_t *params); /* takes params */
/* Makes a legacy session for HTTP, with a reference; nobody can guess its id. Clients seldom end
 * their sessions: if an owner has too many, the one that has been idle longest is ended; NULL if
 * none is idle. */
struct mcp_session *mcp_session_make(struct mcp *mcp, const char *owner);
/* The home of an owner, made when it is first needed, with a reference. */
struct mcp_session *mcp_home(struct mcp *mcp, const char *owner);
void mcp_call_open(struct mcp_call *call);
void mcp_call_shut(struct mcp_call *call);
/* notifications/cancelled, and the answer to a question of ours. */
void mcp_cancel_request(struct mcp_call *from, const json_t *id);
void mcp_settle(struct mcp_call *from);
/* Waits until the call is cancelled or the layer stops. */
void mcp_wait_for_end(struct mcp_call *call);
