/* The Model Context Protocol in both eras, over a table of tools, resources and prompts.
 *
 * A message that carries the modern _meta (protocol 2026-07-28) says everything about itself;
 * anything else belongs to a legacy session (2024-11-05 … 2025-11-25) that began with initialize.
 * What a table keeps between calls belongs to a client in both eras, see mcp_session_data. The
 * layer knows nothing of Retort's sessions: a table gives it what it serves, and
 * tests/clients/mcp_fixture.c gives it another one.
 *
 * Runs in: broker; a call runs in the thread that mcp_call_run was called in.
 * Hostile: every message.
 * Life cycle: mcp_new; transports make calls, run them, free them; mcp_stop ends what is open;
 *   mcp_free.
 * Owns: a call owns its message and a reference to its session.
 * Tests: tests/unit/test_mcp.c, tests/fuzz/fuzz_mcp.c, tests/clients/ (conformance suite, real
 *   clients)
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

enum mcp_code {
    MCP_HEADER_MISMATCH = -32020,
    MCP_MISSING_CAPABILITY = -32021,
    MCP_UNSUPPORTED_VERSION = -32022,
};

struct peer;
struct mcp;
struct mcp_session;
struct mcp_call;

/* Gives a result object, or returns mcp_fail(…). The arguments of a tool fit its schema; arguments
 * that the client gave as null are left out. */
typedef int mcp_handler(struct mcp_call *call, const json_t *arguments, json_t **ret_result);

struct mcp_tool {
    const char *name, *title, *description; /* name NULL ends the list */
    const char *input_schema;               /* JSON text */
    const char *output_schema;              /* or NULL */
    const char *annotations;                /* or NULL */
    const char *needs; /* the tool is refused to clients without this capability; or NULL */
    mcp_handler *run;
    bool ordered; /* begins with mcp_await_turn */
};

struct mcp_prompt {
    const char *name, *title, *description;
    const char *arguments; /* JSON list, or NULL */
    mcp_handler *get;
};

struct mcp_table {
    const char *name, *title, *version, *instructions;
    const struct mcp_tool *tools;
    /* Tools that come and go, or NULL. more_tools gives a list of descriptions. call_more gets the
     * name and arguments, begins with mcp_await_turn, and refuses a tool that it does not know. */
    mcp_handler *more_tools, *call_more;
    const struct mcp_prompt *prompts; /* or NULL */
    /* Resources: NULL where there are none. The lists get no arguments, read_resource the uri as a
     * string. */
    mcp_handler *list_resources, *list_templates, *read_resource;
    mcp_handler *complete; /* completion/complete, or NULL */
    bool changes;          /* lists and resources may change: mcp_changed will be called */
    /* A session ended; no call of it is open. May be NULL. */
    void (*session_ended)(void *user, void *session_data);
    void *user;
};

/* --- for those who implement a table --- */

void *mcp_user(const struct mcp_call *call);
const struct peer *mcp_peer(const struct mcp_call *call); /* who calls */
const char *mcp_owner(const struct mcp_call *call);
bool mcp_is_modern(const struct mcp_call *call);
/* Whether the client's protocol is at least this revision. */
bool mcp_at_least(const struct mcp_call *call, const char *version);
bool mcp_client_can(const struct mcp_call *call, const char *capability);
/* The table's data that stay between a client's calls: of its session; on stdio, of its process; in
 * the modern era over HTTP, of its owner, because nothing else tells clients apart there. NULL only
 * for a legacy call without a session. Under mcp_lock. */
void **mcp_session_data(struct mcp_call *call);
/* The key under which these data can be kept elsewhere; "" if there are none. */
#define MCP_KEY 128
void mcp_session_key(const struct mcp_call *call, char key[MCP_KEY]);
void mcp_home_key(const char *owner, char key[MCP_KEY]);
void mcp_lock(struct mcp_call *call);
void mcp_unlock(struct mcp_call *call);

/* For ordered tools. Waits until earlier calls on the same connection or session have passed their
 * turn on; the next call waits for mcp_pass_turn, or for the end of this call. */
void mcp_await_turn(struct mcp_call *call);
void mcp_pass_turn(struct mcp_call *call);

/* Does nothing unless the client asked for progress; total < 0: unknown. */
void mcp_progress(struct mcp_call *call, double progress, double total, const char *message);
/* Takes `data`. Levels: debug, info, notice, warning, error, critical, alert, emergency. */
void mcp_log(struct mcp_call *call, const char *level, const char *logger, json_t *data);
bool mcp_wants_log(struct mcp_call *call, const char *level);
bool mcp_wants_progress(const struct mcp_call *call);
/* Legacy: asks the client and waits. Takes `params`. 0 with its result, or a negative errno. */
int mcp_ask(struct mcp_call *call, const char *method, json_t *params, json_t **ret_result);
/* Modern: the answers that the client sent with a repeated call; NULL if none. */
const json_t *mcp_input_responses(const struct mcp_call *call);
const char *mcp_request_state(const struct mcp_call *call);

/* The function is called at most once, from another thread, when the client cancels; at once if it
 * has cancelled already. */
void mcp_on_cancel(struct mcp_call *call, void (*cancel)(void *arg), void *arg);
/* After this, the function of mcp_on_cancel is not called any more. */
void mcp_no_cancel(struct mcp_call *call);

/* Makes the call fail with a JSON-RPC error. Takes `data`, which may be NULL. Always returns -1. */
int mcp_fail(struct mcp_call *call, int code, json_t *data, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* {"content": [{text}], "isError": …}; bytes that are not UTF-8 are replaced. */
json_t *mcp_text_result(const char *text, bool is_error);

enum mcp_change { MCP_TOOLS, MCP_PROMPTS, MCP_RESOURCES, MCP_RESOURCE };
/* Tells the clients that subscribed to this. `uri` for MCP_RESOURCE. */
void mcp_changed(struct mcp *mcp, enum mcp_change change, const char *uri);
