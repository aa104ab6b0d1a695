/* Cells and their results, host tools, completion, notes, undo. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/jsonout.h"
#include "base/jsonscope.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "engine/api/api.h"
#include "engine/api/services.h"
#include "engine/cell/review.h"
#include "engine/host/result.h"
#include "engine/session/supervisor.h"
#include "engine/timeline/branch.h"
#include "engine/timeline/question.h"
#include "engine/timeline/timeline.h"
#include "ledger/upkeep.h"

/* --- cells --- */

static int execute_into(struct retort_session *s, const char *code, size_t len,
                        const struct retort_execute_options *options, struct retort_result **ret,
                        struct retort_error *err) {
    json_t *result;
    int r = execute(s, code, len, options, &result, err);
    if (r < 0)
        return r;
    *ret = result_new(result);
    return *ret ? 0 : err_errno(err, ERR_HOST, ENOMEM, "cannot hold the result");
}

int retort_execute(struct retort_session *s, const char *code, size_t len,
                   const struct retort_execute_options *options, struct retort_result **ret_result,
                   struct retort_error *error) {
    static const struct retort_execute_options none;
    LOCKED(s, error, execute_into(s, code, len, options ? options : &none, ret_result, &err));
}

/* The cell was begun and has no outcome: its engine could not record one. It is not run again. */
static json_t *lost_result(const struct retort_session *s) {
    return json_pack("{s:s s:s s:s s:s s:s s:s}", "schema", "retort.result/1", "session", s->id,
                     "status", "lost", "state", "lost", "stdout", "", "stderr", "");
}

static int answered(struct retort_session *s, const char *request, struct retort_result **ret,
                    struct retort_error *err) {
    json_t *result = NULL;
    uint64_t seq;
    if (!s->recorded)
        return 0;
    int r = ledger_requested(s->engine->ledger, s->id, request, &seq, err);
    if (r <= 0)
        return r;
    if (seq == 0)
        result = lost_result(s);
    else if ((r = ledger_result(s->engine->ledger, s->id, seq, &result, err)) < 0)
        return r;
    json_object_set_new(result, "session", json_string(s->id));
    *ret = result_new(result);
    return *ret ? 1 : err_errno(err, ERR_HOST, ENOMEM, "cannot hold the result");
}

int retort_answered(struct retort_session *s, const char *request,
                    struct retort_result **ret_result, struct retort_error *error) {
    LOCKED(s, error, answered(s, request, ret_result, &err));
}

/* The thread of the cell calls, which has the session. */
int retort_reached(struct retort_session *s, const char *event, struct retort_error *error) {
    struct retort_error err = ERR_INIT;
    int r = tools_reached(&s->tools, event);
    if (r < 0)
        err_set(&err, ERR_CALLER, EINVAL,
                "no call of a tool is waiting, or this is no event of the network");
    return api_error(error, &err, r);
}

int retort_interrupt(struct retort_session *s) {
    return interp_interrupt(&s->interp); /* in one that rests no cell runs */
}

int retort_undo(struct retort_session *s, unsigned cells, char **ret_json,
                struct retort_error *error) {
    LOCKED(s, error, undo(s, cells, ret_json, &err));
}

int retort_complete(struct retort_session *s, const char *code, size_t cursor, char **ret_json,
                    struct retort_error *error) {
    return retort_complete_in(s, NULL, code, cursor, ret_json, error);
}

int retort_complete_in(struct retort_session *s, const char *language, const char *code,
                       size_t cursor, char **ret_json, struct retort_error *error) {
    LOCKED(s, error, question_complete(s, language, code, cursor, ret_json, &err));
}

int retort_variables(struct retort_session *s, const char *language, char **ret_json,
                     struct retort_error *error) {
    LOCKED(s, error, question_variables(s, language, ret_json, &err));
}

/* The end of a cell does not end them, and a session that is brought back comes without them.
 */
static int service_channel(struct retort_session *s, int *ret_channel, struct retort_error *err) {
    if (s->spec->review == STRICT_BLOCK) /* nobody would have read them */
        return err_set(err, ERR_CALLER, EPERM,
                       "the code of this session is reviewed: commands run in its cells only");
    int r = session_wake(s, err);
    if (r >= 0)
        r = session_add_interp(s, LANG_SERVICES, err);
    if (r < 0)
        return r;
    *ret_channel = fcntl(s->others[LANG_SERVICES]->channel, F_DUPFD_CLOEXEC, 0);
    return *ret_channel < 0 ? err_errno(err, ERR_HOST, errno, "cannot hold the channel") : 0;
}

int session_services(struct retort_session *s, int *ret_channel, struct retort_error *error) {
    LOCKED(s, error, service_channel(s, ret_channel, &err));
}

int retort_note(struct retort_session *s, const char *source, const char *json,
                struct retort_error *error) {
    LOCKED(s, error, record_note(s, source, json, &err));
}

static bool are_tools(const json_t *tools) {
    size_t i;
    const json_t *tool;
    bool good = json_is_array(tools) && json_array_size(tools) <= MAX_TOOLS;
    json_array_foreach(tools, i, tool) {
        const json_t *name = json_object_get(tool, "name");
        good = good && json_is_string(name) && json_string_length(name) < 128;
    }
    return good;
}

/* Takes a list of tools, or an object with that list and the policy beside it. */
static int offer(struct retort_session *s, const char *tools_json, struct retort_error *err) {
    scoped_json *given = json_in_text(tools_json, JSON_REJECT_DUPLICATES, NULL);
    json_t *tools = json_is_object(given) ? json_object_get(given, "tools") : given;
    if (!are_tools(tools))
        return err_set(err, ERR_CALLER, EINVAL,
                       "tools are a list of at most %d {name, description, parameters}", MAX_TOOLS);
    return flow_offer(s, tools, json_is_object(given) ? given : NULL, err);
}

int retort_tools(struct retort_session *s, const char *tools_json, struct retort_error *error) {
    LOCKED(s, error, offer(s, tools_json, &err));
}

/* --- branches --- */

int retort_branch(struct retort_session *s, unsigned count, struct retort_session **ret_sessions,
                  struct retort_error *error) {
    LOCKED(s, error, branch(s, count, ret_sessions, &err));
}

int retort_compare(struct retort_session *const *sessions, unsigned count, char **ret_json,
                   struct retort_error *error) {
    struct retort_error err = ERR_INIT;
    return api_error(error, &err, compare(sessions, count, ret_json, &err));
}

bool retort_siblings(const struct retort_session *a, const struct retort_session *b) {
    return branch_siblings(a, b);
}

int retort_keep(struct retort_session *kept, struct retort_session *const *others, unsigned count,
                struct retort_error *error) {
    struct retort_error err = ERR_INIT;
    for (unsigned i = 0; i < count; i++)
        if (!branch_siblings(kept, others[i]))
            return api_error(error, &err,
                             err_set(&err, ERR_CALLER, EINVAL,
                                     "%s was not branched off together with %s", others[i]->id,
                                     kept->id));
    for (unsigned i = 0; i < count; i++) {
        retort_interrupt(others[i]);
        branch_give_up(others[i], kept->id);
    }
    return 0;
}
