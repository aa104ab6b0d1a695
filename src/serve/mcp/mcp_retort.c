#include "serve/mcp/mcp_retort.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "engine/host/result.h"
#include "serve/hosted/fault.h"
#include "serve/hosted/json.h"
#include "serve/mcp/mcp_consent.h"
#include "serve/mcp/mcp_skills.h"
#include "serve/mcp/mcp_tool.h"
#include "serve/rpc/rpc.h"

/* --- run_code --- */

struct running {
    struct serve *serve;
    struct hosted *hosted;
    atomic_bool cancelled;
};

static void cancel_run(void *arg) {
    struct running *running = arg;

    atomic_store(&running->cancelled, true);
    session_stop(running->serve, running->hosted);
}

static json_t *tool_cell_result(const struct visit *visit, const struct retort_result *cell,
                                bool details) {
    bool failed =
        strcmp(retort_result_status(cell), "ok") != 0 && retort_result_exit_code(cell) != 0;
    const json_t *result = result_object(cell);
    json_t *content = mcp_result_content(result), *out;

    if (details) {
        scoped_json *links = mcp_result_links(visit->hosted->id, json_object_get(result, "files"));

        json_array_extend(content, links);
    }
    out = visit_result(visit, content, failed);
    if (details)
        json_object_set_new(out, "structuredContent", mcp_result_structured(result));
    return out;
}

void mcp_run_in(struct visit *visit, const json_t *arguments, json_t **ret_result) {
    struct running running = {.serve = visit_serve(visit->call), .hosted = visit->hosted};
    const json_t *code = json_object_get(arguments, "code");
    struct cell_request request = {
        .serve = running.serve,
        .peer = &visit->peer,
        .hosted = visit->hosted,
        .code = json_string_value(code),
        .len = json_string_length(code),
        .language = json_string_value(json_object_get(arguments, "language")),
        .limits.timeout = json_number_value(json_object_get(arguments, "timeout")),
        .cancel = &running.cancelled};
    struct retort_error error = {0};
    struct retort_result *cell = NULL;
    int r;

    mcp_on_cancel(visit->call, cancel_run, &running);
    r = atomic_load(&running.cancelled) ? err_set(&error, ERR_CALLER, ECANCELED, "cancelled")
        : visit->hosted->removed /* removed by a reset while this call waited */
            ? err_set(&error, ERR_CALLER, ENOENT, "The session was closed.")
            : session_run(&request, &cell, &error);
    mcp_no_cancel(visit->call);
    *ret_result =
        r < 0 ? mcp_failure(&error)
              : tool_cell_result(visit, cell, json_is_true(json_object_get(arguments, "details")));
    retort_result_free(cell);
}

static int tool_run_code(struct mcp_call *call, const json_t *arguments, json_t **ret_result) {
    struct visit visit;

    if (json_string_length(json_object_get(arguments, "code")) > MAX_CODE)
        return mcp_fail(call, RPC_PARAMS, NULL, "code must have at most %u bytes", MAX_CODE);
    if (mcp_request_state(call))
        return hold_resume(call, ret_result);
    if (visit_join(&visit, call, arguments, VISIT_RUN, ret_result) < 0)
        return 0;
    if (hold_begin(&visit, arguments, ret_result))
        return 0;
    visit_enter(&visit);
    mcp_run_in(&visit, arguments, ret_result);
    visit_leave(&visit);
    return 0;
}

/* --- check_answer --- */

static json_t *text_content(const char *text) {
    return json_pack("[o]", mcp_text_block(text));
}

/* The text for the model: short if the answer holds, else with hints. */
static void tool_tell_check(const json_t *report, struct buf *out) {
    size_t count = json_array_size(json_object_get(report, "numbers"));
    long long flags = json_integer_value(json_object_get(report, "flags"));
    const json_t *answer = json_object_get(report, "answer"), *note;
    size_t i;

    if (!count)
        buf_adds(out, "There is no number in it that needs a proof.\n");
    else if (!flags)
        buf_printf(out, "Accepted: %s proved by what ran.\n",
                   count == 1 ? "its one number is" : "all its numbers are");
    else
        buf_printf(out, "%lld of %zu numbers are not proved:\n%s", flags, count,
                   mcp_argument(report, "advice"));
    json_array_foreach(json_object_get(report, "notes"), i, note) {
        buf_printf(out, "%s\n", json_string_value(note));
    }
    if (answer)
        buf_printf(out, "The answer, filled in:\n%s\n", json_string_value(answer));
}

static json_t *tool_check_result(const struct visit *visit, const char *text, bool details) {
    scoped_json *report = json_in_text(text, 0, NULL);
    scoped_buf said = BUF_INIT(MAX_ANSWER + (1u << 20));
    json_t *out;

    tool_tell_check(report, &said);
    out = visit_result(visit, text_content(said.data ? said.data : ""), false);
    if (details)
        json_object_set(out, "structuredContent", report);
    return out;
}

static int tool_check_answer(struct mcp_call *call, const json_t *arguments, json_t **ret_result) {
    const char *question = json_string_value(json_object_get(arguments, "question"));
    struct retort_error error = {0};
    struct visit visit;
    char *text = NULL;

    if (visit_join(&visit, call, arguments, VISIT_OLD, ret_result) < 0)
        return 0;
    visit_enter(&visit);
    if (retort_check(visit_serve(call)->engine, visit.hosted->id, question,
                     mcp_argument(arguments, "answer"), &text, &error) < 0)
        *ret_result = mcp_failure(&error);
    else
        *ret_result =
            tool_check_result(&visit, text, json_is_true(json_object_get(arguments, "details")));
    retort_free(text);
    visit_leave(&visit);
    return 0;
}

/* --- undo and branch --- */

static json_int_t tool_number_at(const json_t *arguments, const char *name) {
    const json_t *value = json_object_get(arguments, name);

    return value ? json_integer_value(value) : 1;
}

static int tool_undo(struct mcp_call *call, const json_t *arguments, json_t **ret_result) {
    struct retort_error error = {0};
    struct visit visit;
    char *left;

    if (visit_join(&visit, call, arguments, VISIT_OLD, ret_result) < 0)
        return 0;
    visit_enter(&visit);
    if (session_undo(visit.hosted, tool_number_at(arguments, "cells"), &left, &error) < 0) {
        *ret_result = mcp_failure(&error);
    } else {
        *ret_result = visit_result(&visit, text_content(left), false);
        retort_free(left);
    }
    visit_leave(&visit);
    return 0;
}

static int tool_branch(struct mcp_call *call, const json_t *arguments, json_t **ret_result) {
    struct retort_error error = {0};
    struct visit visit;
    scoped_json *ids = json_array();

    if (visit_join(&visit, call, arguments, VISIT_OLD, ret_result) < 0)
        return 0;
    visit_enter(&visit);
    if (session_branch(visit_serve(call), &visit.peer, visit.hosted,
                       tool_number_at(arguments, "count"), ids, &error) < 0) {
        *ret_result = mcp_failure(&error);
    } else {
        scoped_json *made = json_pack("{s:O}", "sessions", ids);
        scoped_free char *text = made ? serve_json_text(made) : NULL;

        *ret_result = visit_result(&visit, text_content(text ? text : ""), false);
    }
    visit_leave(&visit);
    return 0;
}

/* --- the table --- */

static const struct {
    const char *name;
    mcp_handler *run;
} handlers[] = {
    {"run_code", tool_run_code}, {"files", mcp_files},    {"check_answer", tool_check_answer},
    {"undo", tool_undo},         {"branch", tool_branch}, {"reset", visit_reset}};

#define TOOLS (sizeof handlers / sizeof *handlers)

struct mcp_retort {
    struct mcp_table table;
    json_t *texts;
    struct mcp_tool tools[TOOLS + 1];
    char *schemas[TOOLS], *annotations[TOOLS];
    char *run_code; /* its description */
    struct mcp_place place;
};

/* mcp_tools.json beside this file, with names, texts and schemas. */
__asm__(".section .rodata\n"
        ".global mcp_tools_text\n"
        "mcp_tools_text: .incbin \"src/serve/mcp/mcp_tools.json\"\n"
        ".byte 0\n"
        ".previous\n");
extern const char mcp_tools_text[];

static mcp_handler *handler_of(const char *name) {
    for (size_t i = 0; i < TOOLS; i++)
        if (strcmp(handlers[i].name, name) == 0)
            return handlers[i].run;
    return NULL;
}

static bool read_tools(struct mcp_retort *retort) {
    const json_t *list = json_object_get(retort->texts, "tools");
    bool whole = json_array_size(list) == TOOLS;

    for (size_t i = 0; whole && i < TOOLS; i++) {
        const json_t *tool = json_array_get(list, i);

        retort->schemas[i] = serve_json_text(json_object_get(tool, "inputSchema"));
        retort->annotations[i] = serve_json_text(json_object_get(tool, "annotations"));
        retort->tools[i] = (struct mcp_tool){.name = mcp_argument(tool, "name"),
                                             .title = mcp_argument(tool, "title"),
                                             .description = mcp_argument(tool, "description"),
                                             .input_schema = retort->schemas[i],
                                             .annotations = retort->annotations[i],
                                             .run = handler_of(mcp_argument(tool, "name")),
                                             .ordered = true};
        whole = retort->schemas[i] && retort->annotations[i] && retort->tools[i].run;
    }
    return whole;
}

/* The description of run_code names what this server has. */
static bool describe_run_code(struct mcp_retort *retort, const struct serve *serve) {
    scoped_free char *facts = mcp_facts(serve);

    if (!facts || asprintf(&retort->run_code, "%s %s", retort->tools[0].description, facts) < 0) {
        retort->run_code = NULL;
        return false;
    }
    retort->tools[0].description = retort->run_code;
    return true;
}

struct mcp_retort *mcp_retort_new(struct serve *serve) {
    struct mcp_retort *retort = calloc(1, sizeof *retort);

    if (!retort)
        return NULL;
    retort->texts = json_in_text(mcp_tools_text, 0, NULL);
    retort->place = (struct mcp_place){serve, holds_new()};
    if (!retort->place.holds || !read_tools(retort) || !describe_run_code(retort, serve)) {
        mcp_retort_free(retort);
        return NULL;
    }
    retort->table = (struct mcp_table){.name = "retort",
                                       .title = "Retort",
                                       .version = RETORT_VERSION,
                                       .instructions = mcp_argument(retort->texts, "instructions"),
                                       .tools = retort->tools,
                                       .list_resources = mcp_list_resources,
                                       .list_templates = mcp_list_templates,
                                       .read_resource = mcp_read_resource,
                                       .session_ended = visit_ended,
                                       .user = &retort->place};
    if (mcp_skills_offered(serve)) {
        retort->table.more_tools = mcp_skills_list;
        retort->table.call_more = mcp_skills_call;
        retort->table.changes = true;
    }
    return retort;
}

const struct mcp_table *mcp_retort_table(const struct mcp_retort *retort) {
    return &retort->table;
}

void mcp_retort_free(struct mcp_retort *retort) {
    if (!retort)
        return;
    for (size_t i = 0; i < TOOLS; i++) {
        free(retort->schemas[i]);
        free(retort->annotations[i]);
    }
    free(retort->run_code);
    json_decref(retort->texts);
    holds_free(retort->place.holds);
    free(retort);
}
