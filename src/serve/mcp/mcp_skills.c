#include "serve/mcp/mcp_skills.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "base/thread.h"
#include "base/unconst.h"
#include "engine/host/statedir.h"
#include "serve/hosted/json.h"
#include "serve/mcp/mcp_retort.h"
#include "serve/mcp/mcp_tool.h"
#include "serve/rpc/rpc.h"
#include "skills/skills.h"
#include "skills/skillset.h"

#define TOOL_NAME 65 /* clients take 64 characters */
#define URI "skill://"
#define SETTLE_MS 50 /* the library is written in several steps */

bool mcp_skills_offered(const struct serve *serve) {
    return json_array_size(serve->skills) > 0;
}

/* --- as tools --- */

/* skill_NAME, or skill_NAME__FUNCTION if the function has another name than its skill. */
static bool tool_name(const char *skill, const char *function, char ret[TOOL_NAME]) {
    char same[TOOL_NAME];
    snprintf(same, sizeof same, "%s", skill);
    for (char *c = same; *c; c++)
        *c = *c == '-' ? '_' : *c;
    bool first = strcmp(same, function) == 0;
    int n =
        snprintf(ret, TOOL_NAME, "skill_%s%s%s", skill, first ? "" : "__", first ? "" : function);
    return n < TOOL_NAME;
}

/* {tool: {"skill", "function", "about"}} for all functions that sessions may call. */
static json_t *skill_tools(const struct serve *serve) {
    struct retort_error error = {0};
    scoped_json *names = session_skills(serve, NULL, &error);
    json_t *found = json_object(), *name, *about;
    const char *function;
    size_t i;

    json_array_foreach(names, i, name) {
        scoped_json *shown = NULL;
        char tool[TOOL_NAME];

        if (skills_show(serve->state, json_string_value(name), &shown, &error) < 0)
            continue;
        json_object_foreach(json_object_get(shown, "functions"), function, about) {
            if (tool_name(mcp_argument(shown, "name"), function, tool))
                json_object_set_new(found, tool,
                                    json_pack("{s:O, s:s, s:O, s:O}", "skill",
                                              json_object_get(shown, "name"), "function", function,
                                              "about", about, "description",
                                              json_object_get(shown, "description")));
        }
    }
    return found;
}

static json_t *describe_skill(const char *name, const json_t *one) {
    const json_t *about = json_object_get(one, "about");
    const char *own = mcp_argument(about, "description");

    return json_pack("{s:s, s:s, s:O}", "name", name, "description",
                     own[0] ? own : mcp_argument(one, "description"), "inputSchema",
                     json_object_get(about, "input"));
}

int mcp_skills_list(struct mcp_call *call, const json_t *arguments, json_t **ret_result) {
    scoped_json *found = skill_tools(visit_serve(call));
    json_t *list = json_array(), *one;
    const char *name;

    (void)arguments;
    json_object_foreach(found, name, one) {
        json_array_append_new(list, describe_skill(name, one));
    }
    *ret_result = list;
    return 0;
}

/* A JSON string is also a string in Python. */
static char *call_code(const json_t *one, const json_t *arguments) {
    scoped_free char *text = json_whole(arguments, JSON_COMPACT | JSON_ENSURE_ASCII);
    scoped_json *string = text ? json_string(text) : NULL;
    scoped_free char *quoted =
        string ? json_whole(string, JSON_ENCODE_ANY | JSON_ENSURE_ASCII) : NULL;
    char name[TOOL_NAME], *code = NULL;

    snprintf(name, sizeof name, "%s", mcp_argument(one, "skill"));
    for (char *c = name; *c; c++)
        *c = *c == '-' ? '_' : *c;
    const char *function = mcp_argument(one, "function");
    bool first = strcmp(name, function) == 0;
    if (!quoted ||
        asprintf(&code, "__import__(\"skills\").%s%s%s(**__import__(\"json\").loads(%s))", name,
                 first ? "" : ".", first ? "" : function, quoted) < 0)
        return NULL;
    return code;
}

/* The session may be older than the skill. */
static int use_all(struct visit *visit, const char *skill, struct retort_error *error) {
    struct serve *serve = visit_serve(visit->call);
    scoped_json *pins = skillset_pins(visit->hosted->skills);
    json_t *pin;
    size_t i;

    json_array_foreach(pins, i, pin) {
        if (strcmp(mcp_argument(pin, "name"), skill) == 0)
            return 0;
    }
    scoped_json *names = session_skills(serve, NULL, error);
    return names ? session_use(serve, visit->hosted, names, error) : -ENOMEM;
}

static int run_skill(struct mcp_call *call, const json_t *one, const json_t *arguments,
                     json_t **ret_result) {
    scoped_free char *code = call_code(one, arguments);
    scoped_json *request =
        code ? json_pack("{s:s, s:s}", "code", code, "language", "python") : NULL;
    struct retort_error error = {0};
    struct visit visit;

    if (!request)
        return mcp_fail(call, RPC_BUG, NULL, "out of memory");
    if (visit_join(&visit, call, request, VISIT_RUN, ret_result) < 0)
        return 0;
    visit_enter(&visit);
    if (use_all(&visit, mcp_argument(one, "skill"), &error) < 0)
        *ret_result = mcp_failure(&error);
    else
        mcp_run_in(&visit, request, ret_result);
    visit_leave(&visit);
    return 0;
}

int mcp_skills_call(struct mcp_call *call, const json_t *params, json_t **ret_result) {
    const char *name = mcp_argument(params, "name");
    const json_t *given = json_object_get(params, "arguments");
    scoped_json *found = strncmp(name, "skill_", 6) == 0 ? skill_tools(visit_serve(call)) : NULL;
    scoped_json *none = json_object();
    const json_t *one = json_object_get(found, name);

    if (!one)
        return mcp_fail(call, RPC_PARAMS, NULL, "unknown tool: %.100s", name);
    return run_skill(call, one, given ? given : none, ret_result);
}

/* --- as resources --- */

void mcp_skills_resources(const struct serve *serve, json_t *resources) {
    struct retort_error error = {0};
    scoped_json *list = NULL;
    json_t *one;
    size_t i;

    if (!mcp_skills_offered(serve) || skills_list(serve->state, NULL, 0, &list, &error) < 0)
        return;
    json_array_foreach(list, i, one) {
        json_array_append_new(
            resources, json_pack("{s:o, s:O, s:O, s:s}", "uri",
                                 json_sprintf(URI "%s", mcp_argument(one, "name")), "name",
                                 json_object_get(one, "name"), "description",
                                 json_object_get(one, "description"), "mimeType", "text/markdown"));
    }
}

char *mcp_skills_text(const struct serve *serve, const char *uri) {
    struct retort_error error = {0};
    scoped_json *shown = NULL;

    if (!mcp_skills_offered(serve) || strncmp(uri, URI, strlen(URI)) != 0 ||
        skills_show(serve->state, uri + strlen(URI), &shown, &error) < 0)
        return NULL;
    return strdup(mcp_argument(shown, "text"));
}

/* --- changes --- */

struct skills_watch {
    struct mcp *mcp;
    const struct serve *serve;
    int events, stop;
    pthread_t thread;
    json_t *known;
};

/* {NAME: VERSION} of the skills that are not in quarantine. */
static json_t *healthy(const struct serve *serve) {
    struct retort_error error = {0};
    scoped_json *list = NULL;
    json_t *found = json_object(), *one;
    size_t i;

    if (skills_list(serve->state, NULL, 0, &list, &error) < 0)
        return found;
    json_array_foreach(list, i, one) {
        if (!json_is_true(json_object_get(one, "quarantined")))
            json_object_set(found, mcp_argument(one, "name"), json_object_get(one, "version"));
    }
    return found;
}

static void tell_changes(struct skills_watch *watch) {
    json_t *now = healthy(watch->serve), *version;
    const char *name;

    if (!json_equal(now, watch->known)) {
        mcp_changed(watch->mcp, MCP_TOOLS, NULL);
        mcp_changed(watch->mcp, MCP_RESOURCES, NULL);
    }
    json_object_foreach(now, name, version) {
        const json_t *before = json_object_get(watch->known, name);
        scoped_free char *uri = NULL;

        if (before && !json_equal(before, version) && asprintf(&uri, URI "%s", name) >= 0)
            mcp_changed(watch->mcp, MCP_RESOURCE, uri);
    }
    json_decref(watch->known);
    watch->known = now;
}

static void *watch_library(void *arg) {
    struct skills_watch *watch = arg;
    char events[4096];
    struct pollfd fds[2] = {{.fd = watch->stop, .events = POLLIN},
                            {.fd = watch->events, .events = POLLIN}};

    while (poll(fds, 2, -1) >= 0 || errno == EINTR) {
        if (fds[0].revents)
            return NULL;
        if (!fds[1].revents)
            continue;
        poll(fds, 1, SETTLE_MS);
        while (read(watch->events, events, sizeof events) > 0)
            ;
        tell_changes(watch);
    }
    return NULL;
}

static void watch_free(struct skills_watch *watch) {
    if (watch->events >= 0)
        close(watch->events);
    if (watch->stop >= 0)
        close(watch->stop);
    json_decref(watch->known);
    free(watch);
}

struct skills_watch *mcp_skills_watch(struct mcp *mcp, const struct serve *serve) {
    char path[MAX_PATH], index[MAX_PATH + 16];
    struct skills_watch *watch = NULL;

    if (!mcp || !mcp_skills_offered(serve) ||
        statedir_find(serve->state, path, sizeof path, NULL) < 0 ||
        !(watch = calloc(1, sizeof *watch)))
        return NULL;
    snprintf(index, sizeof index, "%s/skills.db", path);
    /* healthy() reads the list, which also makes the index that is watched. */
    *watch = (struct skills_watch){.mcp = mcp,
                                   .serve = serve,
                                   .events = inotify_init1(IN_CLOEXEC | IN_NONBLOCK),
                                   .stop = eventfd(0, EFD_CLOEXEC),
                                   .known = healthy(serve)};
    if (watch->events < 0 || watch->stop < 0 ||
        inotify_add_watch(watch->events, index, IN_MODIFY) < 0 ||
        thread_start(&watch->thread, watch_library, watch) < 0) {
        watch_free(watch);
        return NULL;
    }
    return watch;
}

void mcp_skills_unwatch(struct skills_watch *watch) {
    uint64_t one = 1;

    if (!watch)
        return;
    while (write(watch->stop, &one, sizeof one) < 0 && errno == EINTR)
        ;
    pthread_join(watch->thread, NULL);
    watch_free(watch);
}
