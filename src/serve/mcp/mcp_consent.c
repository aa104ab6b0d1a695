#include "serve/mcp/mcp_consent.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "base/io.h"
#include "base/jsonwhole.h"
#include "base/list.h"
#include "base/scope.h"
#include "base/thread.h"
#include "base/unconst.h"
#include "serve/hosted/fault.h"
#include "serve/hosted/json.h"
#include "serve/mcp/mcp_later.h"
#include "serve/rpc/rpc.h"

#define SHOWN 4000       /* bytes of arguments: a user cannot allow what he cannot see */
#define MOST_HOLDS 16    /* for one owner */
#define UNCLAIMED_S 300u /* how long we keep a result for a client that does not come back */

/* --- the question and its answer --- */

/* NULL: the call cannot be shown, and so it is not made. */
static json_t *consent_params(const struct mcp_call *call, const struct tools_question *question) {
    scoped_free char *arguments = tools_shown(question->arguments);

    if (!arguments || strlen(arguments) > SHOWN) {
        tools_withdraw(visit_serve(call)->tools, question->call,
                       "its arguments are too long to be shown to somebody");
        return NULL;
    }
    return json_pack(
        "{s:s*, s:o, s:{s:s, s:{s:{s:s, s:s, s:b}}, s:[s]}}", "mode",
        mcp_at_least(call, "2025-11-25") ? "form" : NULL, "message",
        json_sprintf("Code in the session wants to call %s with %s", question->name, arguments),
        "requestedSchema", "type", "object", "properties", "allow", "type", "boolean", "title",
        "Allow this call", "default", 0, "required", "allow");
}

static void consent_take(struct serve *serve, const struct peer *peer, const char *call,
                         const json_t *answer) {
    const char *action = mcp_argument(answer, "action");
    const json_t *content = json_object_get(answer, "content");
    bool accepted = strcmp(action, "accept") == 0;
    struct retort_error error;

    if (!accepted && strcmp(action, "decline") != 0) {
        tools_withdraw(serve->tools, call,
                       strcmp(action, "cancel") == 0
                           ? "the question whether it may be called was dismissed"
                           : "the client could not ask whether it may be called");
        return;
    }
    /* An answer that comes too late changes nothing. */
    tools_approve(serve->tools, peer->owner, call,
                  &(struct tools_decision){.allow = accepted &&
                                                    json_is_true(json_object_get(content, "allow")),
                                           .by = peer->name,
                                           .door = "mcp"},
                  &error);
}

/* --- legacy --- */

static void consent_answered(void *user, const json_t *result) {
    struct visit *visit = user;

    consent_take(visit_serve(visit->call), &visit->peer, visit->asked, result);
}

bool consent_ask(struct peer *peer, const struct tools_question *question) {
    struct visit *visit = (struct visit *)peer;
    bool can = !mcp_is_modern(visit->call) && mcp_at_least(visit->call, "2025-06-18") &&
               mcp_client_has_forms(visit->call);
    json_t *params = can ? consent_params(visit->call, question) : NULL;

    if (!params)
        return can;
    snprintf(visit->asked, sizeof visit->asked, "%s", question->call);
    visit->ask = mcp_ask_begin(visit->call, "elicitation/create", params, consent_answered, visit);
    return visit->ask != NULL;
}

void consent_asked(struct peer *peer) {
    struct visit *visit = (struct visit *)peer;

    if (visit->ask)
        mcp_ask_end(visit->ask);
    visit->ask = NULL;
}

/* --- modern --- */

struct hold {
    struct visit visit; /* first: its peer finds the hold; visit.call is a fork */
    struct hold *next;
    struct holds *all;
    char id[33], owner[OWNER_SIZE];
    json_t *arguments;
    /* Under the lock of `all`: */
    struct mcp_call *now; /* the request that waits, or NULL */
    struct progress progress;
    json_t *question; /* the open question, or NULL */
    bool told;        /* the question was given to the client */
    bool done;
    uint64_t done_ns;
    json_t *result;
};

struct holds {
    pthread_mutex_t lock;
    pthread_cond_t change;
    struct hold *list;
};

struct holds *holds_new(void) {
    struct holds *holds = calloc(1, sizeof *holds);

    if (holds) {
        pthread_mutex_init(&holds->lock, NULL);
        cond_init_monotonic(&holds->change);
    }
    return holds;
}

static struct holds *holds_of(const struct mcp_call *call) {
    return ((const struct mcp_place *)mcp_user(call))->holds;
}

static void hold_free(struct hold *hold) {
    json_decref(hold->arguments);
    json_decref(hold->question);
    json_decref(hold->result);
    free(hold);
}

void holds_free(struct holds *holds) {
    if (!holds)
        return;
    while (holds->list) {
        struct hold *first = holds->list;

        holds->list = first->next;
        hold_free(first);
    }
    pthread_mutex_destroy(&holds->lock);
    pthread_cond_destroy(&holds->change);
    free(holds);
}

/* Called under the lock: forgets the holds that nobody came back for. False: there is no room for
 * another. */
static bool holds_sweep(struct holds *holds, const char *owner) {
    struct hold *oldest = NULL;
    unsigned count = 0;

    for (struct hold *hold = holds->list, *next; hold; hold = next) {
        next = hold->next;
        if (hold->done && !hold->now && now_ns() - hold->done_ns > UNCLAIMED_S * 1000000000ull) {
            LIST_DROP(holds->list, hold, next);
            hold_free(hold);
        } else if (strcmp(hold->owner, owner) == 0) {
            count++;
            if (hold->done && !hold->now) /* the list has the youngest first */
                oldest = hold;
        }
    }
    if (count >= MOST_HOLDS && oldest) {
        LIST_DROP(holds->list, oldest, next);
        hold_free(oldest);
        count--;
    }
    return count < MOST_HOLDS;
}

/* --- events of its cell --- */

static void hold_send(struct peer *peer, struct serve_event *event) {
    struct hold *hold = (struct hold *)peer;

    pthread_mutex_lock(&hold->all->lock);
    if (hold->now)
        visit_tell(hold->now, &hold->progress, event);
    pthread_mutex_unlock(&hold->all->lock);
}

static bool hold_ask(struct peer *peer, const struct tools_question *question) {
    struct hold *hold = (struct hold *)peer;
    json_t *params = consent_params(hold->visit.call, question);

    if (!params)
        return true;
    pthread_mutex_lock(&hold->all->lock);
    snprintf(hold->visit.asked, sizeof hold->visit.asked, "%s", question->call);
    hold->question = params;
    hold->told = false;
    pthread_cond_broadcast(&hold->all->change);
    pthread_mutex_unlock(&hold->all->lock);
    return true;
}

static void hold_asked(struct peer *peer) {
    struct hold *hold = (struct hold *)peer;

    pthread_mutex_lock(&hold->all->lock);
    json_decref(hold->question);
    hold->question = NULL;
    pthread_mutex_unlock(&hold->all->lock);
}

static void *hold_run(void *arg) {
    struct hold *hold = arg;
    struct holds *all = hold->all;
    struct mcp_call *call = hold->visit.call;
    json_t *result = NULL;

    visit_enter(&hold->visit);
    mcp_run_in(&hold->visit, hold->arguments, &result);
    visit_leave(&hold->visit);
    pthread_mutex_lock(&all->lock);
    hold->done = true;
    hold->done_ns = now_ns();
    hold->result = result;
    if (hold->now)
        mcp_call_lean(hold->now, NULL);
    pthread_cond_broadcast(&all->change);
    pthread_mutex_unlock(&all->lock);
    mcp_call_free(call);
    return NULL;
}

/* --- the request that waits for it --- */

static json_t *hold_question(struct hold *hold) {
    hold->told = true;
    return json_pack("{s:s, s:{s:{s:s, s:O}}, s:s}", "resultType", "input_required",
                     "inputRequests", hold->visit.asked, "method", "elicitation/create", "params",
                     hold->question, "requestState", hold->id);
}

static void hold_watch(struct hold *hold) {
    while (!hold->done && (!hold->question || hold->told)) {
        struct timespec second;

        clock_gettime(CLOCK_MONOTONIC, &second);
        second.tv_sec++;
        pthread_cond_timedwait(&hold->all->change, &hold->all->lock, &second);
        progress_tick(&hold->progress, "running");
    }
}

/* Called under the lock of `all`, which it gives up. */
static json_t *hold_wait(struct hold *hold, struct mcp_call *call) {
    struct holds *all = hold->all;
    json_t *result;

    hold->now = call;
    progress_begin(&hold->progress, call, "running");
    if (!hold->done) /* the hold's call exists until then */
        mcp_call_lean(call, hold->visit.call);
    hold_watch(hold);
    hold->now = NULL;
    if (hold->done) {
        result = hold->result;
        hold->result = NULL;
        LIST_DROP(all->list, hold, next);
    } else {
        result = hold_question(hold);
        mcp_call_lean(call, NULL);
        hold = NULL;
    }
    pthread_mutex_unlock(&all->lock);
    if (hold)
        hold_free(hold);
    return result;
}

static struct hold *hold_new(const struct visit *visit, const json_t *arguments) {
    struct hold *hold = calloc(1, sizeof *hold);
    unsigned char bytes[16];

    if (!hold || getrandom(bytes, sizeof bytes, 0) != sizeof bytes ||
        !(hold->arguments = json_deep_copy(arguments))) {
        free(hold);
        return NULL;
    }
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(hold->id + 2 * i, 3, "%02x", bytes[i]);
    hold->visit = *visit;
    hold->visit.peer.send = visit->peer.send ? hold_send : NULL;
    hold->visit.peer.tick = NULL; /* the waiting request reports progress instead */
    hold->visit.peer.consult = hold_ask;
    hold->visit.peer.consulted = hold_asked;
    hold->all = holds_of(visit->call);
    snprintf(hold->owner, sizeof hold->owner, "%s", visit->peer.owner);
    return hold;
}

/* Lists the hold and starts its thread. True: the lock is held. */
static bool hold_start(struct hold *hold, const struct mcp_call *call) {
    struct holds *all = hold->all;
    pthread_t thread;
    bool room;

    hold->visit.call = mcp_call_fork(call);
    pthread_mutex_lock(&all->lock);
    room = hold->visit.call && holds_sweep(all, hold->owner) &&
           thread_start(&thread, hold_run, hold) == 0;
    if (room) {
        pthread_detach(thread);
        hold->next = all->list;
        all->list = hold;
        return true; /* still under the lock, so that no other request claims it */
    }
    pthread_mutex_unlock(&all->lock);
    mcp_call_free(hold->visit.call);
    return false;
}

bool hold_begin(struct visit *visit, const json_t *arguments, json_t **ret_result) {
    struct mcp_call *call = visit->call;

    if (!mcp_is_modern(call) || !mcp_client_has_forms(call) || !tools_may_ask(visit->hosted))
        return false;
    struct hold *hold = hold_new(visit, arguments);
    if (!hold)
        return false;
    if (!hold_start(hold, call)) {
        hold_free(hold);
        return false;
    }
    *ret_result = hold_wait(hold, call);
    return true;
}

int hold_resume(struct mcp_call *call, json_t **ret_result) {
    struct holds *all = holds_of(call);
    const char *state = mcp_request_state(call);
    struct hold *hold;
    bool waits = false;

    mcp_pass_turn(call);
    pthread_mutex_lock(&all->lock);
    for (hold = all->list; hold; hold = hold->next)
        if (strcmp(hold->id, state) == 0 && strcmp(hold->owner, mcp_owner(call)) == 0)
            break;
    waits = hold && hold->now;
    if (!hold || waits) {
        pthread_mutex_unlock(&all->lock);
        return mcp_fail(call, RPC_PARAMS, NULL,
                        waits ? "another request waits for this call already"
                              : "requestState: there is no such call (any more)");
    }
    const json_t *answer = json_object_get(mcp_input_responses(call), hold->visit.asked);
    if (hold->question && hold->told && answer)
        consent_take(visit_serve(call), mcp_peer(call), hold->visit.asked, answer);
    else
        hold->told = false; /* the client is asked again */
    *ret_result = hold_wait(hold, call);
    return 0;
}
