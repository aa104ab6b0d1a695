#include "serve/e2b/sandboxes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/io.h"
#include "base/jsonwhole.h"
#include "base/list.h"
#include "base/scope.h"
#include "base/thread.h"
#include "serve/hosted/clustered.h"
#include "serve/hosted/json.h"
#include "serve/hosted/sessions.h"

#define MOST_PAUSED 256 /* of one owner */

/* The note on the record of a sandbox that was killed, so that nobody brings it back. */
#define KILLED_SOURCE "e2b"
#define KILLED_NOTE "{\"killed\": true}"

struct sandboxes {
    struct serve *serve;
    pthread_mutex_t lock;
    struct sandbox *list;
    struct ticker clock;
};

/* --- references --- */

static void sandbox_free(struct sandboxes *table, struct sandbox *s) {
    services_unref(s->services);
    if (s->hosted)
        registry_unref(table->serve->registry, s->hosted);
    json_decref(s->metadata);
    json_decref(s->env);
    json_decref(s->contexts);
    pthread_mutex_destroy(&s->branching);
    pthread_mutex_destroy(&s->asking);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

void sandbox_unref(struct sandboxes *table, struct sandbox *s) {
    if (s && last_reference(&table->lock, &s->refs))
        sandbox_free(table, s);
}

static bool own(const struct sandbox *s, void *owner) {
    return !s->snapshot_of[0] && strcmp(s->peer.owner, owner) == 0;
}

struct sandbox *sandboxes_open_by(struct sandboxes *table, const char *id,
                                  bool (*fits)(const struct sandbox *sandbox, void *user),
                                  void *user) {
    struct sandbox *found = NULL;

    pthread_mutex_lock(&table->lock);
    for (struct sandbox *s = table->list; s && !found; s = s->next)
        if ((!id || strcmp(s->id, id) == 0) && fits(s, user))
            found = s;
    if (found)
        found->refs++;
    pthread_mutex_unlock(&table->lock);
    return found;
}

struct sandbox *sandboxes_find(struct sandboxes *table, const char *owner, const char *id) {
    char whose[OWNER_SIZE];

    snprintf(whose, sizeof whose, "%s", owner);
    return sandboxes_open_by(table, id, own, whose);
}

struct snapshot_wanted {
    const char *owner, *name;
};

static bool is_snapshot(const struct sandbox *s, void *user) {
    const struct snapshot_wanted *wanted = user;

    return s->snapshot_of[0] && strcmp(s->peer.owner, wanted->owner) == 0 &&
           (strcmp(s->id, wanted->name) == 0 || (s->name[0] && strcmp(s->name, wanted->name) == 0));
}

struct sandbox *sandboxes_snapshot(struct sandboxes *table, const char *owner, const char *name) {
    struct snapshot_wanted wanted = {owner, name};

    return sandboxes_open_by(table, NULL, is_snapshot, &wanted);
}

void sandboxes_keep(struct sandboxes *table, struct sandbox *s, const char *of, const char *name) {
    pthread_mutex_lock(&table->lock);
    for (struct sandbox *earlier = table->list; earlier; earlier = earlier->next)
        if (strcmp(earlier->peer.owner, s->peer.owner) == 0 && strcmp(earlier->name, name) == 0)
            earlier->name[0] = 0;
    snprintf(s->name, sizeof s->name, "%s", name);
    snprintf(s->snapshot_of, sizeof s->snapshot_of, "%s", of);
    pthread_mutex_unlock(&table->lock);
}

size_t sandboxes_list(struct sandboxes *table, const char *owner, struct sandbox ***ret_list) {
    size_t n = 0, all = 0;

    pthread_mutex_lock(&table->lock);
    for (struct sandbox *s = table->list; s; s = s->next)
        all++;
    *ret_list = calloc(all + 1, sizeof **ret_list);
    for (struct sandbox *s = table->list; s && *ret_list; s = s->next)
        if (!owner || strcmp(s->peer.owner, owner) == 0) {
            s->refs++;
            (*ret_list)[n++] = s;
        }
    pthread_mutex_unlock(&table->lock);
    return n;
}

/* --- names of sandboxes --- */

/* Older clients use the id in a host's name, which may have no underscore. */
json_t *sandbox_id_json(const char *id) {
    char told[64];

    snprintf(told, sizeof told, "%s", id);
    if (strncmp(told, "s_", 2) == 0)
        told[1] = '-';
    return json_string(told);
}

const char *sandbox_id(const char *told, char id[64]) {
    if (!told)
        return NULL;
    snprintf(id, 64, "%s", told);
    if (strncmp(id, "s-", 2) == 0)
        id[1] = '_';
    return id;
}

/* --- making one --- */

/* Random bytes from the kernel, in characters that any header takes. */
static void make_secret(char secret[SANDBOX_SECRET], const char *id) {
    unsigned char bytes[20];

    random_bytes(bytes, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(secret + 2 * i, 3, "%02x", bytes[i]);
    snprintf(secret + 2 * sizeof bytes, SANDBOX_SECRET - 2 * sizeof bytes, ".%s", id);
}

static json_t *object_of(const json_t *request, const char *name) {
    json_t *value = json_object_get(request, name);

    return json_is_object(value) ? json_deep_copy(value) : json_object();
}

/* Puts the sandbox into the table, with a reference for the caller. False: one with its id is there
 * already. */
static bool sandbox_list(struct sandboxes *table, struct sandbox *s, bool once) {
    const struct sandbox *same;

    s->refs = 2;
    pthread_mutex_init(&s->branching, NULL);
    pthread_mutex_init(&s->asking, NULL);
    pthread_mutex_init(&s->lock, NULL);
    pthread_mutex_lock(&table->lock);
    for (same = once ? table->list : NULL; same && strcmp(same->id, s->id) != 0; same = same->next)
        ;
    if (!same) {
        s->next = table->list;
        table->list = s;
    }
    pthread_mutex_unlock(&table->lock);
    return !same;
}

struct sandbox *sandboxes_add(struct sandboxes *table, const struct peer *peer,
                              struct hosted *hosted, const json_t *request) {
    const char *template = json_string_value(json_object_get(request, "templateID"));
    struct sandbox *s = calloc(1, sizeof *s);

    if (!s)
        return NULL;
    snprintf(s->id, sizeof s->id, "%s", hosted->id);
    snprintf(s->template, sizeof s->template, "%s", template ? template : "base");
    make_secret(s->secret, s->id);
    s->peer = *peer;
    s->hosted = hosted;
    s->metadata = object_of(request, "metadata");
    s->env = object_of(request, "envVars");
    s->contexts = json_array();
    s->auto_pause = json_is_true(json_object_get(request, "autoPause"));
    s->started = time(NULL);
    sandbox_list(table, s, false);
    return s;
}

static void kept_text(const json_t *kept, const char *name, char *ret, size_t size) {
    const char *text = json_string_value(json_object_get(kept, name));

    snprintf(ret, size, "%s", text ? text : "");
}

static unsigned kept_count(const json_t *value) {
    return (unsigned)json_integer_value(value);
}

bool sandboxes_restore(struct sandboxes *table, const struct peer *peer, const char *id,
                       const json_t *kept) {
    struct sandbox *s = calloc(1, sizeof *s);

    if (!s)
        return false;
    snprintf(s->id, sizeof s->id, "%s", id);
    kept_text(kept, "template", s->template, sizeof s->template);
    kept_text(kept, "secret", s->secret, sizeof s->secret);
    kept_text(kept, "snapshot_of", s->snapshot_of, sizeof s->snapshot_of);
    kept_text(kept, "name", s->name, sizeof s->name);
    s->peer = *peer;
    s->metadata = object_of(kept, "metadata");
    s->env = json_object();
    s->contexts = json_deep_copy(json_object_get(kept, "contexts"));
    s->auto_pause = json_is_true(json_object_get(kept, "auto_pause"));
    s->started = (time_t)json_integer_value(json_object_get(kept, "started"));
    s->ends = (time_t)json_integer_value(json_object_get(kept, "ends"));
    s->contexts_made = kept_count(json_object_get(kept, "contexts_made"));
    for (size_t i = 0; i < E2B_KINDS; i++)
        s->interpreters[i] = kept_count(json_array_get(json_object_get(kept, "interpreters"), i));
    if (sandbox_list(table, s, true))
        sandbox_unref(table, s);
    else
        sandbox_free(table, s);
    return true;
}

/* --- its session and services --- */

/* The sandbox was paused; or, in a cluster, another node has had it since, or its session was given
 * up. */
static int sandbox_wake(struct sandboxes *table, struct sandbox *s, struct retort_error *err) {
    if (s->hosted)
        registry_unref(table->serve->registry, s->hosted);
    s->hosted = NULL;
    return clustered_resume(table->serve, &s->peer, s->id, &s->hosted, err);
}

int sandbox_session(struct sandboxes *table, struct sandbox *s, struct hosted **ret_hosted,
                    struct retort_error *err) {
    int r = 0;

    pthread_mutex_lock(&s->lock);
    if (s->removed)
        r = err_set(err, ERR_CALLER, ENOENT, "sandbox %s not found", s->id);
    else if (!s->hosted || clustered_elsewhere(table->serve, &s->peer, s->id))
        r = sandbox_wake(table, s, err);
    if (r >= 0)
        *ret_hosted = registry_get(table->serve->registry, s->peer.owner, s->id);
    pthread_mutex_unlock(&s->lock);
    if (r >= 0 && !*ret_hosted)
        r = err_set(err, ERR_CALLER, ENOENT, "sandbox %s not found", s->id);
    return r;
}

static int start_services(struct sandboxes *table, struct sandbox *s, struct retort_error *err) {
    struct hosted *hosted;
    int r = sandbox_session(table, s, &hosted, err);

    if (r < 0)
        return r;
    r = services_open(hosted->session, &s->services, err);
    registry_unref(table->serve->registry, hosted);
    return r;
}

/* The session may have ended the services' processes since: then this starts new ones. */
int sandbox_ask(struct sandboxes *table, struct sandbox *s, const json_t *question, bool stream,
                struct ask **ret_ask, struct retort_error *err) {
    int r = 0;

    *ret_ask = NULL;
    pthread_mutex_lock(&s->asking);
    for (int tries = 0; tries < 2 && r >= 0 && !*ret_ask; tries++) {
        if (s->services && services_over(s->services)) {
            services_unref(s->services);
            s->services = NULL;
        }
        if (!s->services)
            r = start_services(table, s, err);
        if (r >= 0)
            *ret_ask = services_ask(s->services, question, stream);
    }
    pthread_mutex_unlock(&s->asking);
    return r < 0 || *ret_ask ? r : err_set(err, ERR_HOST, EIO, "the sandbox does not answer");
}

void sandbox_extend(struct sandbox *s, double seconds) {
    pthread_mutex_lock(&s->lock);
    s->ends = time(NULL) + (time_t)seconds;
    pthread_mutex_unlock(&s->lock);
}

/* --- ending --- */

static void end_services(struct sandbox *s) {
    pthread_mutex_lock(&s->asking);
    services_unref(s->services);
    s->services = NULL;
    pthread_mutex_unlock(&s->asking);
}

static struct hosted *take_session(struct sandbox *s) {
    struct hosted *hosted;

    pthread_mutex_lock(&s->lock);
    hosted = s->hosted;
    s->hosted = NULL;
    pthread_mutex_unlock(&s->lock);
    return hosted;
}

/* Ends the sandbox's processes; its history stays in the ledger. */
static bool sandbox_end_session(struct sandboxes *table, struct sandbox *s) {
    struct hosted *hosted = take_session(s);

    if (!hosted)
        return false;
    session_stop(table->serve, hosted);
    end_services(s);
    session_end(table->serve, hosted);
    registry_unref(table->serve->registry, hosted);
    return true;
}

static bool is_paused(struct sandbox *s) {
    bool paused;

    pthread_mutex_lock(&s->lock);
    paused = !s->hosted && !s->removed && !s->snapshot_of[0];
    pthread_mutex_unlock(&s->lock);
    return paused;
}

static void sandbox_remove(struct sandboxes *table, struct sandbox *s) {
    pthread_mutex_lock(&table->lock);
    LIST_DROP(table->list, s, next);
    pthread_mutex_unlock(&table->lock);
    sandbox_unref(table, s);
}

/* Does nothing if somebody brings the sandbox back just now. */
static void forget_paused(struct sandboxes *table, struct sandbox *s) {
    bool forgotten;

    pthread_mutex_lock(&s->lock);
    forgotten = !s->hosted && !s->removed;
    s->removed = s->removed || forgotten;
    pthread_mutex_unlock(&s->lock);
    if (forgotten)
        sandbox_remove(table, s);
}

/* If an owner has too many paused sandboxes, forgets the one that was made first. It is still on
 * record, and a client can connect to it. */
static void hold_paused(struct sandboxes *table, const char *owner) {
    scoped_free struct sandbox **list = NULL;
    size_t n = sandboxes_list(table, owner, &list), paused = 0;
    struct sandbox *first = NULL;

    for (size_t i = 0; i < n; i++)
        if (is_paused(list[i])) {
            first = list[i];
            paused++;
        }
    if (paused > MOST_PAUSED)
        forget_paused(table, first);
    for (size_t i = 0; i < n; i++)
        sandbox_unref(table, list[i]);
}

bool sandbox_pause(struct sandboxes *table, struct sandbox *s) {
    bool was_live = sandbox_end_session(table, s);

    if (was_live)
        hold_paused(table, s->peer.owner);
    return was_live;
}

void sandbox_kill(struct sandboxes *table, struct sandbox *s) {
    bool first;

    pthread_mutex_lock(&s->lock);
    first = !s->removed;
    s->removed = true;
    pthread_mutex_unlock(&s->lock);
    if (!first)
        return;
    sandbox_end_session(table, s);
    if (table->serve->clustered)
        table->serve->clustered->keep(table->serve->clustered, "e2b", s->id, NULL, NULL);
    retort_note_ended(table->serve->engine, s->id, KILLED_SOURCE, KILLED_NOTE, NULL);
    sandbox_remove(table, s);
}

/* Threads that still used the sandbox when it was killed may have added some. */
#define LAST_ENTRIES 8

/* If somebody resumed the session in another way after the kill, it is a sandbox again. */
bool sandboxes_killed(struct sandboxes *table, const char *id) {
    struct retort_part last = {.limit = LAST_ENTRIES};
    scoped_free char *text = NULL;
    const json_t *one;
    bool killed = false;
    size_t i;

    if (retort_entries(table->serve->engine, id, &last, &text, NULL) < 0)
        return false;
    scoped_json *told = json_in_text(text, 0, NULL);
    json_array_foreach(json_object_get(told, "entries"), i, one) {
        const char *kind = json_string_value(json_object_get(one, "kind"));
        const json_t *body = json_object_get(one, "body");
        const char *source = json_string_value(json_object_get(body, "source"));

        if (source && strcmp(source, KILLED_SOURCE) == 0)
            killed = true;
        else if (kind && strcmp(kind, "resume") == 0)
            killed = false;
    }
    return killed;
}

/* --- time --- */

/* A sandbox that is just coming back is looked at the next time. */
static bool sandbox_overdue(struct sandbox *s, time_t now) {
    bool over;

    if (pthread_mutex_trylock(&s->lock) != 0)
        return false;
    over = s->ends && s->ends <= now && (s->hosted || !s->auto_pause);
    pthread_mutex_unlock(&s->lock);
    return over;
}

/* Another node of the cluster has the sandbox now, and looks after its time. */
static void sandbox_let_go(struct sandboxes *table, struct sandbox *s) {
    struct hosted *hosted;

    pthread_mutex_lock(&s->lock);
    bool first = !s->removed;
    s->removed = true;
    pthread_mutex_unlock(&s->lock);
    hosted = take_session(s);
    if (hosted)
        registry_unref(table->serve->registry, hosted);
    end_services(s);
    if (first)
        sandbox_remove(table, s);
}

static void end_overdue(void *user) {
    struct sandboxes *table = user;
    scoped_free struct sandbox **list = NULL;
    size_t n = sandboxes_list(table, NULL, &list);
    time_t now = time(NULL);

    for (size_t i = 0; i < n; i++) {
        bool over = sandbox_overdue(list[i], now);

        if (over && e2b_is_elsewhere(table->serve, list[i]->id))
            sandbox_let_go(table, list[i]);
        else if (over && list[i]->auto_pause)
            sandbox_pause(table, list[i]);
        else if (over)
            sandbox_kill(table, list[i]);
        sandbox_unref(table, list[i]);
    }
}

struct sandboxes *sandboxes_new(struct serve *serve) {
    struct sandboxes *table = calloc(1, sizeof *table);

    if (!table)
        return NULL;
    table->serve = serve;
    pthread_mutex_init(&table->lock, NULL);
    if (ticker_start(&table->clock, end_overdue, table) == 0)
        return table;
    pthread_mutex_destroy(&table->lock);
    free(table);
    return NULL;
}

void sandboxes_free(struct sandboxes *table) {
    if (!table)
        return;
    ticker_stop(&table->clock);
    for (struct sandbox *s; (s = table->list);) {
        table->list = s->next;
        sandbox_free(table, s);
    }
    pthread_mutex_destroy(&table->lock);
    free(table);
}
