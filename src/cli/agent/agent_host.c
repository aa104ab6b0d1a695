#include "cli/agent/agent_host.h"

#include <errno.h>
#include <stdlib.h>

#include "base/io.h"
#include "base/jsonscope.h"
#include "base/jsonwhole.h"
#include "base/scope.h"
#include "base/unconst.h"
#include "cli/cli.h"

#define MAX_SECONDS 1e9 /* more than this is no limit */

static bool host_cancelled(void *user) {
    const struct agent_host *host = user;
    return host->cancel && atomic_load(host->cancel);
}

static void host_hold(void *user, bool held) {
    struct agent_host *host = user;
    if (host->view)
        agent_view_hold(host->view, held);
}

static void host_begun(void *user, double timeout) {
    struct agent_host *host = user;
    host->began_ns = now_ns();
    host->timeout = timeout;
}

/* When the running cell's time is over: the cell cannot look at its clock while it waits for us. */
static uint64_t host_deadline(const struct agent_host *host, struct retort_session *session) {
    scoped_free char *text = retort_session_info(session);
    scoped_json *info = text ? json_in_text(text, 0, NULL) : NULL;
    double own = json_number_value(json_object_get(json_object_get(info, "limits"), "timeout")),
           given = host->timeout, least = given > 0 && !(own > 0 && own < given) ? given : own;
    return least > 0 && least < MAX_SECONDS ? host->began_ns + (uint64_t)(least * 1e9) : UINT64_MAX;
}

static char *host_call(void *user, struct retort_session *session, const char *name,
                       const char *arguments, char **ret_failure) {
    struct agent_host *host = user;
    bool skill = skillset_names(name);
    if (!skill && !toolfile_has(&host->commands, name))
        return NULL;
    uint64_t until = host_deadline(host, session), now = now_ns();
    struct runner_patience patience = {.caller = session,
                                       .seconds = until > now ? (double)(until - now) / 1e9 : 0,
                                       .cancelled = host_cancelled,
                                       .user = user};
    if (skill)
        return skillset_call(host->skills.set, name, arguments, &patience, ret_failure);
    host->commands.until_ns = until;
    return toolfile_call(&host->commands, name, arguments, ret_failure);
}

static void host_settled(void *user, struct retort_session *session) {
    struct agent_host *host = user;
    toolfile_note(&host->commands, session);
}

/* Offers the tools of the file, with its other members, and those of skills. */
static int host_offer(struct agent_host *host, struct agent_options *options) {
    scoped_json *all =
        host->commands.file ? toolfile_shown(&host->commands) : json_pack("{s:[]}", "tools");
    json_t *list = json_object_get(all, "tools");
    if (host->skills.set)
        json_array_extend(list, unconst(skillset_tools(host->skills.set)));
    host->offered = all ? json_whole(all, JSON_COMPACT) : NULL;
    if (!host->offered)
        return cli_fail("out of memory");
    options->tools = (struct agent_tools){.offered = host->offered,
                                          .call = host_call,
                                          .begun = host_begun,
                                          .settled = host_settled,
                                          .user = host};
    return 0;
}

int agent_host_open(struct agent_host *host, struct retort_engine *engine,
                    const struct agent_skills_asked *asked, const char *file,
                    struct agent_options *options) {
    struct retort_error err = ERR_INIT;
    *host = (struct agent_host){.cancel = options->cancel,
                                .commands = {.door = "agent",
                                             .err = &host->err,
                                             .interrupted = host_cancelled,
                                             .hold = host_hold,
                                             .user = host}};
    term_init(&host->err, 2);
    int e = toolfile_read(&host->commands, file);
    if (e)
        return e;
    if (agent_skills_open(&host->skills, engine, asked, options->task, &err) < 0)
        return cli_fail_error(&err);
    return host->skills.set || host->commands.file ? host_offer(host, options) : 0;
}

void agent_host_close(struct agent_host *host) {
    agent_skills_close(&host->skills);
    toolfile_done(&host->commands);
    term_done(&host->err);
    free(host->offered);
    host->offered = NULL;
}
