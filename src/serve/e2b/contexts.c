/* Contexts. Each is an interpreter of the sandbox's session: the first one of its language, or one
 * of those that may stand beside it (wire/languages.def). A cell of our own enters the context's
 * directory.
 *
 * A new context gets an interpreter that no context has had. When there is none left, it gets a
 * used one of Python, whose names we delete first. We cannot empty Node and bash, so a session has
 * only so many contexts of these in its life. SQL has one context, because a session has one
 * database. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "serve/e2b/elsewhere.h"
#include "serve/e2b/routes.h"
#include "serve/hosted/json.h"
#include "serve/hosted/sessions.h"

#define FIRST "python" /* the context that a sandbox has from the beginning */
#define HOME "/home/user"

/* Interpreters that a session may have beside the first one of a language. */
static const struct {
    const char *interpreter, *named;
    unsigned most;
    bool again; /* may be used again, after its names were deleted */
} kinds[E2B_KINDS] = {{"python", "python", 8, true},
                      {"javascript", "javascript and typescript", 4, false},
                      {"bash", "bash", 4, false}};

static const char *context_text(const json_t *object, const char *name, const char *otherwise) {
    const char *text = json_string_value(json_object_get(object, name));

    return text ? text : otherwise;
}

static const char *language_named(const char *name) {
    static const char *const names[][2] = {{"python", "python"}, {"javascript", "javascript"},
                                           {"js", "javascript"}, {"typescript", "typescript"},
                                           {"ts", "typescript"}, {"bash", "bash"},
                                           {"sql", "sql"}};

    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i][0], name) == 0)
            return names[i][1];
    return name ? NULL : FIRST;
}

static const char *runs_in(const char *language) {
    return strcmp(language, "typescript") == 0 ? "javascript" : language;
}

/* E2B_KINDS if the language has only one context. */
static size_t context_kind(const char *language) {
    size_t kind = 0;

    while (kind < E2B_KINDS && strcmp(kinds[kind].interpreter, runs_in(language)) != 0)
        kind++;
    return kind;
}

/* --- the contexts there are --- */

/* Called with the sandbox's lock held: the context's index among those that were made, or -1. */
static ssize_t context_at(const struct sandbox *s, const char *id) {
    size_t i;
    const json_t *one;

    json_array_foreach(s->contexts, i, one) {
        if (strcmp(context_text(one, "id", ""), id) == 0)
            return (ssize_t)i;
    }
    return -1;
}

const char *e2b_find_first(const char *name, char interpreter[E2B_INTERPRETER]) {
    const char *language = language_named(name);

    snprintf(interpreter, E2B_INTERPRETER, "%s", language ? language : "");
    return language;
}

const char *e2b_find_context(struct sandbox *s, const char *id, char interpreter[E2B_INTERPRETER]) {
    const char *language = e2b_find_first(id, interpreter);
    ssize_t at;

    pthread_mutex_lock(&s->lock);
    at = context_at(s, id);
    if (at >= 0) {
        const json_t *one = json_array_get(s->contexts, (size_t)at);

        language = language_named(context_text(one, "language", FIRST));
        snprintf(interpreter, E2B_INTERPRETER, "%s", context_text(one, "interpreter", FIRST));
    }
    pthread_mutex_unlock(&s->lock);
    return language;
}

/* With the lock held. */
static bool is_taken(const struct sandbox *s, const char *interpreter) {
    size_t i;
    const json_t *one;

    json_array_foreach(s->contexts, i, one) {
        if (strcmp(context_text(one, "interpreter", ""), interpreter) == 0)
            return true;
    }
    return false;
}

/* Called with the lock held: takes an interpreter that no context has; false: there is none. The
 * first interpreter has no number, so numbers begin with 2. */
static bool take_interpreter(struct sandbox *s, const char *language,
                             char interpreter[E2B_INTERPRETER]) {
    size_t kind = context_kind(language);
    bool found = s->interpreters[kind] < kinds[kind].most;

    if (found)
        snprintf(interpreter, E2B_INTERPRETER, "%s-%u", language, 2 + s->interpreters[kind]++);
    for (unsigned n = 0; kinds[kind].again && !found && n < kinds[kind].most; n++) {
        snprintf(interpreter, E2B_INTERPRETER, "%s-%u", language, 2 + n);
        found = !is_taken(s, interpreter);
    }
    return found;
}

void e2b_contexts_unknown(struct sandbox *s) {
    for (size_t kind = 0; kind < E2B_KINDS; kind++)
        s->interpreters[kind] = kinds[kind].most;
}

/* --- cells of our own --- */

int e2b_run_quietly(struct serve *serve, struct peer *peer, struct hosted *hosted,
                    const struct quiet_cell *quiet, struct retort_error *error) {
    struct cell_request cell = {.serve = serve,
                                .peer = peer,
                                .hosted = hosted,
                                .code = quiet->code,
                                .len = strlen(quiet->code),
                                .language = quiet->interpreter};
    struct retort_result *result;
    int r = session_run(&cell, &result, error);

    if (r < 0)
        return r;
    if (strcmp(retort_result_status(result), "ok") != 0)
        r = err_set(error, ERR_GUEST, EIO, "the context could not be entered");
    retort_result_free(result);
    return r;
}

static const char python_entry[] =
    "def __enter(cwd):\n"
    "    import gc, os\n"
    "    for name in list(globals()):\n"
    "        if not name[:2] == name[-2:] == '__' and name != '__enter':\n"
    "            del globals()[name]\n"
    "    gc.collect()\n"
    "    os.makedirs(cwd, exist_ok=True)\n"
    "    os.chdir(cwd)\n"
    "__enter(%s)\n"
    "del __enter\n";
static const char javascript_entry[] =
    "for (const at of [%s]) { require('fs').mkdirSync(at, {recursive: true}); process.chdir(at); }";
static const char bash_entry[] = "mkdir -p -- %s && cd -- %s";

/* A cell that enters the directory, in the language that the interpreter has at hand. */
static int put_entering(struct buf *code, const char *interpreter, const char *cwd) {
    scoped_json *argument = json_string(cwd);
    scoped_free char *text =
        json_whole(argument, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_ENCODE_ANY);
    scoped_buf quoted = BUF_INIT(4 * MAX_PATH + 4);

    buf_adds(&quoted, "'");
    for (const char *c = cwd; *c; c++)
        if (*c == '\'')
            buf_adds(&quoted, "'\\''");
        else
            buf_add(&quoted, c, 1);
    buf_adds(&quoted, "'");
    if (quoted.lost)
        return -ENOMEM;
    if (strncmp(interpreter, "bash", 4) == 0)
        return buf_printf(code, bash_entry, quoted.data, quoted.data);
    bool python = strncmp(interpreter, FIRST, strlen(FIRST)) == 0;
    return !text ? -ENOMEM : buf_printf(code, python ? python_entry : javascript_entry, text);
}

/* Waits for the session's turn. If a context of Python had the interpreter before, its names are
 * gone then. */
static int enter_interpreter(struct http_request *request, struct sandbox *s,
                             const char *interpreter, const char *cwd, struct retort_error *error) {
    struct serve *serve = e2b_of(request)->serve;
    struct peer peer = s->peer;
    scoped_buf code = BUF_INIT(32 * MAX_PATH);
    const char *number = strchr(interpreter, '-');
    /* TypeScript's interpreter is entered as JavaScript: this cell has no types to strip. */
    char enters[E2B_INTERPRETER];
    struct hosted *hosted;
    int r;

    snprintf(enters, sizeof enters, "%s", interpreter);
    if (strncmp(interpreter, "typescript", strlen("typescript")) == 0)
        snprintf(enters, sizeof enters, "javascript%s", number ? number : "");
    if (put_entering(&code, enters, cwd) < 0)
        return err_errno(error, ERR_HOST, ENOMEM, "cannot enter the context");
    r = sandbox_session(e2b_of(request)->sandboxes, s, &hosted, error);
    if (r < 0)
        return r;
    registry_enter(serve->registry, hosted, registry_ticket(serve->registry, hosted));
    r = e2b_run_quietly(serve, &peer, hosted, &(struct quiet_cell){enters, code.data}, error);
    registry_leave(serve->registry, hosted);
    registry_unref(serve->registry, hosted);
    return r;
}

/* --- requests --- */

static json_t *context_json(const char *id, const char *language, const char *cwd) {
    return json_pack("{s:s, s:s, s:s}", "id", id, "language", language, "cwd", cwd);
}

static json_t *context_told(const json_t *context) {
    return context_json(context_text(context, "id", ""), context_text(context, "language", ""),
                        context_text(context, "cwd", HOME));
}

enum http_result e2b_contexts_get(struct http_request *request) {
    struct sandbox *s = e2b_sandbox(request);
    const json_t *one;
    json_t *all;
    size_t i;

    if (!s)
        return HTTP_DONE;
    all = json_pack("[o, o]", context_json(FIRST, FIRST, HOME),
                    context_json("javascript", "javascript", HOME));
    pthread_mutex_lock(&s->lock);
    json_array_foreach(s->contexts, i, one) {
        json_array_append_new(all, context_told(one));
    }
    pthread_mutex_unlock(&s->lock);
    sandbox_unref(e2b_of(request)->sandboxes, s);
    return e2b_reply(request, 200, all);
}

static enum http_result too_many(struct http_request *request, size_t kind) {
    char message[160];

    snprintf(message, sizeof message, "a sandbox has at most %u contexts of %s beside the first%s",
             kinds[kind].most, kinds[kind].named,
             kinds[kind].again ? "" : ", those that are gone included");
    return e2b_error(request, 400, message);
}

static enum http_result create_context(struct http_request *request, struct sandbox *s,
                                       const json_t *body) {
    const char *language = language_named(context_text(body, "language", NULL)),
               *cwd = context_text(body, "cwd", HOME);
    struct retort_error error = {0};
    char id[64], interpreter[E2B_INTERPRETER];
    size_t kind = language ? context_kind(language) : E2B_KINDS;
    json_t *made = NULL;

    if (!language)
        return e2b_error(request, 400,
                         "this language is not supported: there are python, "
                         "javascript, typescript, bash and sql");
    if (kind == E2B_KINDS)
        return e2b_reply(request, 200, context_json(language, language, HOME));
    if (strlen(cwd) >= MAX_PATH)
        return e2b_error(request, 400, "the name of the directory is too long");
    pthread_mutex_lock(&s->lock);
    if (take_interpreter(s, language, interpreter)) {
        snprintf(id, sizeof id, "context-%u", ++s->contexts_made);
        made = json_pack("{s:s, s:s, s:s, s:s}", "id", id, "language", language, "cwd", cwd,
                         "interpreter", interpreter);
        json_array_append_new(s->contexts, made);
    }
    pthread_mutex_unlock(&s->lock);
    if (!made)
        return too_many(request, kind);
    e2b_save(e2b_of(request), s);
    if (enter_interpreter(request, s, interpreter, cwd, &error) < 0)
        return e2b_fault(request, &error);
    return e2b_reply(request, 200, context_json(id, language, cwd));
}

static enum http_result no_context(struct http_request *request, const char *id) {
    char message[120];

    snprintf(message, sizeof message, "Context %.80s not found", id);
    return e2b_error(request, 404, message);
}

/* Takes an interpreter that no context has had, if there is one; *left is the one it had before. */
static bool change_interpreter(struct sandbox *s, const char *id, const char *language,
                               char left[E2B_INTERPRETER], char interpreter[E2B_INTERPRETER]) {
    size_t kind = context_kind(language);
    bool changed;
    ssize_t at;

    pthread_mutex_lock(&s->lock);
    at = context_at(s, id);
    changed = at >= 0 && s->interpreters[kind] < kinds[kind].most &&
              take_interpreter(s, language, interpreter);
    if (changed) {
        json_t *one = json_array_get(s->contexts, (size_t)at);

        snprintf(left, E2B_INTERPRETER, "%s", context_text(one, "interpreter", ""));
        json_object_set_new(one, "interpreter", json_string(interpreter));
    }
    pthread_mutex_unlock(&s->lock);
    return changed;
}

static enum http_result restart_context(struct http_request *request, struct sandbox *s,
                                        const char *id) {
    char interpreter[E2B_INTERPRETER], left[E2B_INTERPRETER];
    const char *language = e2b_find_context(s, id, interpreter);
    size_t kind = language ? context_kind(language) : E2B_KINDS;
    struct retort_error error = {0};
    bool changed;

    if (!language)
        return no_context(request, id);
    changed = kind < E2B_KINDS && change_interpreter(s, id, language, left, interpreter);
    if (!changed && (kind == E2B_KINDS || !kinds[kind].again))
        return e2b_error(request, 501, "this context cannot be restarted: make another one");
    if (changed && kinds[kind].again && enter_interpreter(request, s, left, HOME, &error) < 0)
        return e2b_fault(request, &error);
    if (enter_interpreter(request, s, interpreter, HOME, &error) < 0)
        return e2b_fault(request, &error);
    return e2b_reply(request, 200, context_json(id, language, HOME));
}

/* "/contexts/ID" and "/contexts/ID/restart". */
static const char *context_path(const struct http_request *request, char id[64]) {
    const char *rest = request->path + strlen("/contexts");
    size_t len = *rest == '/' ? strcspn(rest + 1, "/") : 0;

    snprintf(id, 64, "%.*s", len < 64 ? (int)len : 0, *rest ? rest + 1 : rest);
    return *rest ? rest + 1 + len : rest;
}

enum http_result e2b_contexts_post(struct http_request *request) {
    struct sandbox *s = e2b_sandbox(request);
    scoped_json *body = s ? e2b_body(request) : NULL;
    char id[64];
    const char *verb = context_path(request, id);
    enum http_result r = HTTP_DONE;

    if (body && !id[0])
        r = create_context(request, s, body);
    else if (body && strcmp(verb, "/restart") == 0)
        r = restart_context(request, s, id);
    else if (body)
        r = e2b_unsupported(request);
    sandbox_unref(e2b_of(request)->sandboxes, s);
    return r;
}

/* Frees what a context of Python held. */
enum http_result e2b_contexts_delete(struct http_request *request) {
    struct sandbox *s = e2b_sandbox(request);
    char id[64], interpreter[E2B_INTERPRETER];
    const char *language;
    struct retort_error error = {0};
    ssize_t at;

    if (!s)
        return HTTP_DONE;
    context_path(request, id);
    language = e2b_find_context(s, id, interpreter);
    pthread_mutex_lock(&s->lock);
    at = context_at(s, id);
    if (at >= 0)
        json_array_remove(s->contexts, (size_t)at);
    pthread_mutex_unlock(&s->lock);
    if (at >= 0 && strcmp(language, FIRST) == 0)
        enter_interpreter(request, s, interpreter, HOME, &error);
    e2b_save(e2b_of(request), s);
    sandbox_unref(e2b_of(request)->sandboxes, s);
    return at >= 0 ? http_reply(request, 200, NULL, "", 0) : no_context(request, id);
}
