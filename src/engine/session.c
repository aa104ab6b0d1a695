/* Sessions: creating them, talking to the supervisor about them, closing them. */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/io.h"
#include "base/jsonout.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "engine/doctor.h"
#include "engine/engine.h"
#include "engine/environment.h"
#include "engine/record.h"
#include "wire/frame.h"

#define PATIENCE_MS 60000 /* a zygote may have to import pandas first */

int api_error(struct retort_error *to, const struct err *from, int r) {
    if (to && r < 0) {
        *to = (struct retort_error){.code = from->eno, .fault = (enum retort_fault)from->kind};
        memcpy(to->layer, from->layer, sizeof to->layer);
        snprintf(to->message, sizeof to->message, "%s", from->msg);
        if (from->kind == ERR_HOST)
            snprintf(to->hint, sizeof to->hint, "%s",
                     doctor_remedy(layer_by_name(from->layer), from->eno));
    }
    return r;
}

/* --- talking to the supervisor ------------------------------------------------------------------
 */

int session_command(struct retort_session *s, enum ctl_type type) {
    struct ctl_head head = {type, sizeof head};
    return s->ctl < 0 ? -EPIPE : packet_send(s->ctl, &head, sizeof head, NULL, 0);
}

/* The supervisor could not start at all: it said why on the main socket. */
static int engine_failure(struct retort_engine *e, struct err *err) {
    struct ctl_failed failed;
    ssize_t n;
    /* The kernel tells first, and once, that a message of ours was left unread. */
    do
        n = packet_recv(e->main_sock, &failed, sizeof failed, NULL, NULL, MSG_DONTWAIT | MSG_PEEK);
    while (n == -ECONNRESET);
    if (n == sizeof failed && failed.head.type == CTL_FAILED) {
        if (err)
            *err = failed.err;
        return failed.err.eno ? -failed.err.eno : -EIO;
    }
    return err_set(err, ERR_HOST, EPIPE, "the supervisor is gone");
}

int session_expect(struct retort_session *s, void *msg, size_t size, int *fds, size_t *nfds,
                   struct err *err) {
    if (!readable_within(s->ctl, PATIENCE_MS))
        return err_set(err, ERR_HOST, ETIMEDOUT, "the supervisor does not answer");
    ssize_t len = packet_recv(s->ctl, msg, size, fds, nfds, 0);
    if (len == -EMFILE)
        return err_set(err, ERR_HOST, EMFILE, "cannot take what belongs to the session");
    if (len < (ssize_t)sizeof(struct ctl_head))
        return engine_failure(s->engine, err);
    const struct ctl_head *head = msg;
    if (head->size != (size_t)len) {
        for (size_t i = 0; nfds && i < *nfds; i++)
            close(fds[i]);
        return err_set(err, ERR_BUG, EPROTO, "the supervisor is of another version");
    }
    return (int)head->type;
}

void session_measured(struct retort_session *s, const struct ctl_measured *m) {
    s->tree_cpu_us = m->cpu_us;
    s->tree_memory = m->memory;
}

int session_await(struct retort_session *s, enum ctl_type a, enum ctl_type b, int *fds,
                  size_t *nfds) {
    union {
        struct ctl_head head;
        struct ctl_exited exited;
        struct ctl_measured measured;
        struct ctl_swept swept;
        struct ctl_roomed roomed;
    } msg;
    for (;;) {
        size_t room = nfds ? *nfds : 0;
        int type = session_expect(s, &msg, sizeof msg, fds, nfds ? &room : NULL, NULL);
        if (type == CTL_EXITED && msg.exited.generation == s->generation) {
            s->gone = true;
            s->gone_status = msg.exited.status;
        }
        if (type == CTL_SWEPT)
            s->swept = msg.swept.killed;
        if (type == CTL_ROOMED)
            room_take(s, &msg.roomed);
        if (type == CTL_MEASURED)
            session_measured(s, &msg.measured);
        if (type < 0 || type == (int)a || type == (int)b) {
            if (nfds)
                *nfds = type < 0 ? 0 : room;
            return type;
        }
        for (size_t i = 0; fds && i < room; i++)
            close(fds[i]);
    }
}

uint32_t session_sweep(struct retort_session *s) {
    s->unswept = 0;
    bool swept = session_command(s, CTL_SWEEP) == 0 &&
                 session_await(s, CTL_SWEPT, CTL_SWEPT, NULL, NULL) == CTL_SWEPT;
    return swept ? s->swept : 0;
}

static int variables_memfd(const struct retort_session *s) {
    int fd = memfd_create("retort", MFD_CLOEXEC), r = fd < 0 ? -errno : 0;
    for (char **v = s->env; r == 0 && v && *v; v++)
        r = write_all(fd, *v, strlen(*v) + 1);
    if (r < 0 && fd >= 0)
        close(fd);
    return r < 0 ? r : fd;
}

int session_go(struct retort_session *s, const char *code, size_t len, struct err *err) {
    struct ctl_head head = {CTL_GO, sizeof head};
    scoped_fd fd = memfd_create("program", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    int r = fd < 0 ? -errno : write_all(fd, code, len);
    if (r == 0 &&
        (lseek(fd, 0, SEEK_SET) < 0 ||
         fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) < 0))
        r = -errno;
    if (r == 0)
        r = packet_send(s->ctl, &head, sizeof head, &fd, 1);
    return r < 0 ? err_set(err, ERR_HOST, -r, "cannot pass the program") : 0;
}

static void take_created(struct retort_session *s, const struct ctl_created *c, const int *fds,
                         size_t nfds) {
    s->layers = c->layers;
    s->missing = c->missing;
    json_decref(s->shield);
    s->shield = NULL;
    s->cgroup = nfds == CREATED_FDS ? c->cgroup : 0;
    s->warm = c->warm;
    memcpy(s->cgroup_why, c->cgroup_why, sizeof s->cgroup_why);
    memcpy(s->uid_why, c->uid_why, sizeof s->uid_why);
    s->channel = fds[CREATED_CHANNEL];
    s->out = fds[CREATED_STDOUT];
    s->err = fds[CREATED_STDERR];
    s->collector = fds[CREATED_COLLECTOR];
    s->work = fds[CREATED_WORK];
    s->net = fds[CREATED_NET];
    if (s->missing & LAYER_BIT(LAYER_NET)) /* it would be the host's */
        fd_done(&s->net);
    s->room = (struct room){0};
    for (size_t i = CREATED_CPU; i < nfds; i++)
        s->measure[i - CREATED_CPU] = fds[i];
}

int session_await_created(struct retort_session *s, struct err *err) {
    union {
        struct ctl_head head;
        struct ctl_created created;
        struct ctl_failed failed;
    } msg;
    int fds[CREATED_FDS];
    size_t nfds = CREATED_FDS;
    int r = session_expect(s, &msg, sizeof msg, fds, &nfds, err);
    if (r == CTL_CREATED && nfds >= CREATED_OWN) {
        take_created(s, &msg.created, fds, nfds);
        return 0;
    }
    for (size_t i = 0; r >= 0 && i < nfds; i++)
        close(fds[i]);
    if (r == CTL_FAILED) {
        *err = msg.failed.err;
        return err->eno ? -err->eno : -EIO;
    }
    return r < 0 ? r : err_set(err, ERR_BUG, EPROTO, "unexpected answer of the supervisor");
}

int session_connect(struct retort_session *s, const struct ctl_create *create, struct err *err) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return err_set(err, ERR_HOST, errno, "cannot make a socket");
    s->ctl = pair[0];
    scoped_fd theirs = pair[1];
    scoped_fd extra = variables_memfd(s);
    if (extra < 0)
        return err_set(err, ERR_HOST, -extra, "cannot pass the environment");
    int r = engine_name_paths(s->engine, &create->env);
    if (r == 0)
        r = packet_send(s->engine->main_sock, create, sizeof *create, (int[]){theirs, extra}, 2);
    if (r < 0)
        return engine_failure(s->engine, err);
    fd_done(&theirs); /* or its end would never show */
    return session_await_created(s, err);
}

/* The supervisor holds the channel until the interpreter is gone, which would wake up otherwise. */
void session_hang_up(struct retort_session *s) {
    struct ctl_head end = {CTL_END, sizeof end};
    if (s->ctl >= 0 && s->channel >= 0)
        packet_send(s->ctl, &end, sizeof end, &s->channel, 1);
    fd_done(&s->ctl);
    fd_done(&s->channel);
    fd_done(&s->out);
    fd_done(&s->err);
    fd_done(&s->collector);
    fd_done(&s->work);
    fd_done(&s->net);
    for (int i = 0; i < CREATED_MEASURES; i++)
        fd_done(&s->measure[i]);
    buf_reset(&s->frames);
    s->ready_seen = s->tools_sent = false;
    s->unswept = 0;
    s->own_tasks = 0;
    s->alone = false;
    s->counted = (struct measure){0};
    s->leftover = (struct leftover){0};
    s->tree_cpu_us = s->tree_memory = 0;
    s->dead = true;
}

json_t *session_isolation_json(const struct retort_session *s) {
    json_t *layers = json_array(), *missing = json_array();
    for (int i = 0; i < LAYER_COUNT; i++) {
        if (s->layers & LAYER_BIT(i))
            json_array_append_new(layers, json_string(layer_names[i]));
        if (s->missing & LAYER_BIT(i))
            json_array_append_new(missing, json_string(layer_names[i]));
    }
    return json_pack("{s:s s:o s:o}", "tier", "process", "layers", layers, "missing", missing);
}

/* --- options ------------------------------------------------------------------------------------
 */

static int parse_layers(const char *const *names, uint32_t *ret, struct err *err) {
    *ret = 0;
    for (; names && *names; names++) {
        int layer = layer_by_name(*names);
        if (layer < 0)
            return err_set(err, ERR_CALLER, EINVAL, "unknown layer %.40s", *names);
        if (layer == LAYER_USER || layer == LAYER_MOUNT || layer == LAYER_PID)
            return err_set(err, ERR_CALLER, EINVAL, "there is no session without the layer %s",
                           *names);
        *ret |= LAYER_BIT(layer);
    }
    return 0;
}

static int copy_env(struct retort_session *s, const char *const *env, struct err *err) {
    size_t count = 0, bytes = 0;
    for (; env && env[count]; count++) {
        size_t name = strcspn(env[count], "=");
        if (!name || env[count][name] != '=')
            return err_set(err, ERR_CALLER, EINVAL,
                           "an environment variable is given as NAME=VALUE");
        bytes += strlen(env[count]) + 1;
    }
    if (bytes > MAX_ENV_BYTES || count > 256)
        return err_set(err, ERR_CALLER, E2BIG, "too many environment variables");
    s->env = calloc(count + 1, sizeof *s->env);
    for (size_t i = 0; s->env && i < count; i++)
        if (!(s->env[i] = strdup(env[i])))
            return err_set(err, ERR_HOST, ENOMEM, "cannot hold the environment");
    return s->env ? 0 : err_set(err, ERR_HOST, ENOMEM, "cannot hold the environment");
}

static const char *const default_preload = "numpy,pandas,matplotlib.pyplot";

static int fill_create(struct retort_session *s, const struct retort_session_options *o,
                       struct ctl_create *c, struct err *err) {
    c->head = (struct ctl_head){CTL_SESSION, sizeof *c};
    int r = language_parse(o->language, &s->language, err);
    if (r == 0)
        r = limits_fill(&o->limits, &limits_default, &s->limits, err);
    account_limits(&s->account, &s->limits);
    if (r == 0)
        r = parse_layers(o->allow_missing, &c->allow_missing, err);
    if (r == 0)
        r = interpreter_choose(s->language, o->python, &c->env, err);
    if (r < 0)
        return r;
    c->language = s->language;
    c->limits = s->limits;
    c->flags = (o->strict ? CREATE_STRICT : 0) | (o->fresh ? CREATE_FRESH : 0) |
               (o->deterministic ? CREATE_DETERMINISTIC : 0);
    s->flags = c->flags;
    const char *preload = o->preload ? o->preload : default_preload;
    if (strlen(preload) >= sizeof c->env.preload)
        return err_set(err, ERR_CALLER, E2BIG, "the list of modules to preload is too long");
    if (s->language == LANG_PYTHON)
        snprintf(c->env.preload, sizeof c->env.preload, "%s", preload);
    return 0;
}

/* --- life ---------------------------------------------------------------------------------------
 */

struct retort_session *session_alloc(struct retort_engine *e) {
    struct retort_session *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->engine = e;
    s->ctl = s->channel = s->out = s->err = s->collector = s->work = s->net = s->wake = s->spool =
        -1;
    for (int i = 0; i < CREATED_MEASURES; i++)
        s->measure[i] = -1;
    for (int i = 0; i < OUTPUTS; i++)
        s->outputs[i].fd = -1;
    s->frames = BUF_INIT(MAX_FRAME + FRAME_HEAD);
    pthread_mutex_init(&s->lock, NULL);
    unsigned char id[10];
    random_bytes(id, sizeof id);
    memcpy(s->id, "s_", 3);
    for (size_t i = 0; i < sizeof id; i++)
        snprintf(s->id + 2 + 2 * i, 3, "%02x", id[i]);
    random_bytes(&s->seed, sizeof s->seed);
    s->seed >>= 12; /* exact in a JSON number */
    return s;
}

void session_begin(struct retort_session *s) {
    pthread_mutex_lock(&s->lock);
    s->used_ns = now_ns();
    pthread_mutex_unlock(&s->lock);
}

/* The C library keeps for itself what many small pieces had, and would so hold for ever what the
 * worst session of each thread needed once. */
void session_free(struct retort_session *s) {
    bool heavy = s->heavy || account_heavy(&s->account);
    session_hang_up(s);
    fd_done(&s->wake);
    fd_done(&s->spool);
    buf_done(&s->frames);
    manifest_done(&s->manifest);
    snapshot_unref(s->base_files);
    snapshot_unref(s->snapshot);
    past_done(s);
    output_done(s);
    json_decref(s->tools);
    json_decref(s->last);
    json_decref(s->birth_notes);
    for (char **v = s->env; v && *v; v++)
        free(*v);
    free(s->env);
    free(s->isolation);
    json_decref(s->shield);
    pthread_mutex_destroy(&s->lock);
    free(s);
    if (heavy)
        malloc_trim(0);
}

int engine_admit(struct retort_engine *e, struct retort_session *s, struct err *err) {
    int r = 0;
    pthread_mutex_lock(&e->lock);
    if (e->count >= e->max_sessions)
        r = err_set(err, ERR_LIMIT, EAGAIN,
                    "there are %u sessions, as many as this engine may have", e->count);
    else {
        e->count++;
        s->next = e->sessions;
        e->sessions = s;
    }
    pthread_mutex_unlock(&e->lock);
    return r;
}

void engine_dismiss(struct retort_engine *e, struct retort_session *s) {
    pthread_mutex_lock(&e->lock);
    for (struct retort_session **p = &e->sessions; *p; p = &(*p)->next)
        if (*p == s) {
            *p = s->next;
            e->count--;
            break;
        }
    pthread_mutex_unlock(&e->lock);
}

static int set_name(char *to, size_t size, const char *what, const char *name, struct err *err) {
    size_t len =
        name ? strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.")
             : 0;
    if (name && (name[len] || len == 0 || len >= size))
        return err_set(err, ERR_CALLER, EINVAL, "%s has 1 to %zu letters, digits, '_', '-' or '.'",
                       what, size - 1);
    snprintf(to, size, "%s", name ? name : "");
    return 0;
}

int session_open(struct retort_session *s, const struct retort_session_options *o,
                 struct ctl_create *c, struct err *err) {
    int r = set_name(s->owner, sizeof s->owner, "an owner", o->owner, err);
    if (r == 0)
        r = set_name(s->door, sizeof s->door, "a door", o->door, err);
    if (r == 0)
        r = fill_create(s, o, c, err);
    if (r == 0)
        r = copy_env(s, o->env, err);
    if (r == 0 && (s->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) < 0)
        r = err_set(err, ERR_HOST, errno, "cannot make an event descriptor");
    if (o->has_seed)
        s->seed = o->seed;
    s->background = o->background;
    /* Making a checkpoint allocates memory and looks at clocks, which a replay would not repeat. */
    bool repeatable = o->deterministic || !s->engine->pool;
    s->checkpoint = repeatable ? RETORT_CHECKPOINT_OFF : o->checkpoint;
    s->on_error = o->on_error;
    if (r == 0)
        r = session_connect(s, c, err);
    s->recorded = s->engine->ledger && !o->no_record;
    return r < 0 ? r : record_create(s, err);
}

int retort_session_new(struct retort_engine *engine, const struct retort_session_options *options,
                       struct retort_session **ret_session, struct retort_error *error) {
    static const struct retort_session_options none;
    struct err err = ERR_INIT;
    struct retort_session *s = session_alloc(engine);
    if (!s)
        return api_error(error, &err,
                         err_set(&err, ERR_HOST, ENOMEM, "cannot hold another session"));
    struct environment env = {0};
    int r = API_KNOWN(options ? options : &none, &err);
    if (r == 0)
        r = environment_apply(options ? options : &none, &env, &err);
    if (r == 0 && (r = engine_admit(engine, s, &err)) == 0 &&
        (r = session_open(s, &env.options, &s->create, &err)) < 0)
        engine_dismiss(engine, s);
    environment_done(&env);
    if (r < 0) {
        session_free(s);
        return api_error(error, &err, r);
    }
    session_begin(s);
    *ret_session = s;
    return 0;
}

void retort_session_close(struct retort_session *s) {
    if (!s)
        return;
    engine_dismiss(s->engine, s);
    idle_forget(s);
    pthread_mutex_lock(&s->lock);
    record_end(s, LEDGER_CLOSE);
    pthread_mutex_unlock(&s->lock);
    session_free(s);
}

const char *retort_session_id(const struct retort_session *s) {
    return s->id;
}

const char *retort_session_isolation(struct retort_session *s) {
    pthread_mutex_lock(&s->lock);
    if (!s->isolation) {
        json_t *o = session_isolation_json(s);
        s->isolation = json_dumps(o, JSON_COMPACT);
        json_decref(o);
    }
    pthread_mutex_unlock(&s->lock);
    return s->isolation;
}

void retort_free(void *pointer) {
    free(pointer);
}

/* Answers while a cell runs, too: its thread holds the lock, and changes the few words read here
 * one at a time. */
char *retort_session_info(struct retort_session *s) {
    bool held = pthread_mutex_trylock(&s->lock) == 0;
    struct account account;
    session_account(s, &account);
    json_t *o = json_pack("{s:s s:s s:i s:s s:f s:b s:o s:o s:o}", "session", s->id, "language",
                          language_names[s->language], "cells", (int)s->cells, "state",
                          s->asleep ? "asleep"
                          : s->dead ? "ended"
                                    : "live",
                          "idle_s", (double)(now_ns() - s->used_ns) / 1e9, "warm", s->warm,
                          "limits", limits_json(&s->limits), "isolation", session_isolation_json(s),
                          "account", account_json(&account));
    if (held) /* what a rebuilt session has to say, until its first result says it */
        json_object_set_new(o, "state_notes",
                            s->birth_notes ? json_copy(s->birth_notes) : json_array());
    char *text = json_out(o, JSON_COMPACT);
    json_decref(o);
    if (held)
        pthread_mutex_unlock(&s->lock);
    return text;
}
