#include "engine/session/session.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/io.h"

static void set_id(struct retort_session *s) {
    unsigned char id[10];
    random_bytes(id, sizeof id);
    memcpy(s->id, "s_", 3);
    for (size_t i = 0; i < sizeof id; i++)
        snprintf(s->id + 2 + 2 * i, 3, "%02x", id[i]);
}

struct retort_session *session_alloc(struct retort_engine *e) {
    struct retort_session *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->engine = e;
    s->state = SESSION_NEW;
    interp_init(&s->interp, LANG_PYTHON);
    usage_init(&s->usage);
    uplink_init(&s->uplink);
    s->idle.rest = -1;
    files_init(&s->files, &s->account);
    outputs_init(&s->outputs, &s->account);
    proof_init(&s->proof, &s->account);
    /* Keeps bytes even without checkpoints: running cells again does not bring back what was
     * written from outside. A session of a one-shot engine ends with its program: nothing is ever
     * restored. */
    s->files.keeps = e->pairs.settings.pool > 0;
    s->files.ledger = e->ledger;
    pthread_mutex_init(&s->lock, NULL);
    set_id(s);
    return s;
}

int session_specify(struct retort_session *s, const struct session_spec *spec,
                    struct retort_error *err) {
    pthread_mutex_lock(&s->engine->lock); /* the idle thread and retort_accounts() read it */
    s->spec = spec;
    account_limits(&s->account, &spec->limits);
    pthread_mutex_unlock(&s->engine->lock);
    s->interp.language = spec->language;
    s->files.disk = spec->limits.disk;
    s->interp.interrupt = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (s->interp.interrupt < 0)
        return err_errno(err, ERR_HOST, errno, "cannot make an event descriptor");
    return 0;
}

/* The C library does not return memory that many small pieces occupied. Without this it would keep,
 * for each thread, what the largest session needed once. */
void session_free(struct retort_session *s) {
    bool heavy = s->usage.heavy || account_heavy(&s->account);
    atomic_fetch_add(&s->engine->given_back, account_held(&s->account));
    session_disconnect(s);
    timeline_done(s);
    interp_done(&s->interp);
    for (int i = 0; i < LANG_COUNT; i++)
        if (s->others[i]) {
            interp_done(s->others[i]);
            free(s->others[i]);
        }
    isolation_done(&s->iso);
    files_done(&s->files);
    outputs_done(&s->outputs);
    proof_done(&s->proof);
    tools_done(&s->tools);
    json_decref(s->last);
    judges_leave(&s->engine->judges, s->reviewed.judge);
    json_decref(s->reviewed.told);
    spec_unref(s->spec);
    pthread_mutex_destroy(&s->lock);
    free(s);
    if (heavy)
        malloc_trim(0);
}

void session_set_recorded(struct retort_session *s, bool recorded) {
    s->recorded = s->files.in_store = recorded;
}

/* --- states --- */

void session_begin(struct retort_session *s) {
    pthread_mutex_lock(&s->lock);
    s->state = SESSION_LIVE;
    s->idle.used_ns = now_ns();
    session_leave(s);
}

void session_disconnect(struct retort_session *s) {
    if (s->idle.rest >= 0) {
        close(s->idle.rest);
        s->idle.rest = -1;
    }
    interp_close(&s->interp);
    for (int i = 0; i < LANG_COUNT; i++)
        if (s->others[i])
            interp_hang_up(s->others[i]);
    files_close(&s->files);
    usage_close(&s->usage);
    uplink_close(&s->uplink);
    pair_leave(&s->pair);
    s->tools.sent = 0;
    s->timeline.has_checkpoint = false;
    s->timeline.checkpoint_at = 0;
    snapshot_unref(s->files.checkpoint);
    s->files.checkpoint = NULL;
}

void session_finish(struct retort_session *s) {
    session_disconnect(s);
    s->state = SESSION_ENDED;
}

/* --- the lock --- */

static void session_check(const struct retort_session *s) {
#ifdef RETORT_CHECKED
    const char *broken = session_broken(s);
    if (broken) {
        fprintf(stderr, "session %s is broken: %s\n", s->id, broken);
        abort();
    }
#else
    (void)s;
#endif
}

void session_enter(struct retort_session *s) {
    pthread_mutex_lock(&s->lock);
    session_check(s);
}

bool session_try_enter(struct retort_session *s) {
    if (pthread_mutex_trylock(&s->lock) != 0)
        return false;
    session_check(s);
    return true;
}

static void session_count(struct retort_session *s);

void session_leave(struct retort_session *s) {
    session_check(s);
    session_count(s);
    pthread_mutex_unlock(&s->lock);
}

/* --- what it makes us hold --- */

static uint64_t descriptors(const struct retort_session *s) {
    const int own[] = {s->interp.ctl, s->interp.channel,   s->interp.out,
                       s->interp.err, s->interp.interrupt, s->files.collector.sock,
                       s->files.work, s->files.spool,      s->usage.net,
                       s->uplink.fd,  s->idle.rest};
    uint64_t n = 0;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        n += own[i] >= 0;
    for (size_t i = 0; i < CREATED_MEASURES; i++)
        n += s->usage.measure[i] >= 0;
    for (size_t i = 0; i < OUTPUTS; i++)
        n += s->outputs.ring[i].fd >= 0;
    for (size_t i = 0; i < LANG_COUNT; i++)
        if (s->others[i] && s->others[i]->channel >= 0)
            n += 3;
    return n + s->files.nuploads + (s->spec && s->spec->packages >= 0);
}

uint64_t session_frames(const struct retort_session *s) {
    uint64_t bytes = s->interp.frames.cap;
    for (size_t i = 0; i < LANG_COUNT; i++)
        bytes += s->others[i] ? s->others[i]->frames.cap : 0;
    return bytes;
}

/* Some parts count for themselves. Their counts go into the account when the lock is left, because
 * readers of the account take no lock. */
static void session_count(struct retort_session *s) {
    if (s->state == SESSION_NEW) /* who makes it has it alone, and holds no lock */
        return;
    account_put(&s->account, ACCOUNT_FRAMES, session_frames(s));
    account_put(&s->account, ACCOUNT_KEPT_FILES, s->files.spool_len);
    account_put(&s->account, ACCOUNT_DESCRIPTORS, descriptors(s));
    account_put(&s->account, ACCOUNT_LOCKS, s->usage.locks.held);
    account_put(&s->account, ACCOUNT_CPU, 0);
    account_put(&s->account, ACCOUNT_IDLE_CPU, s->usage.leftover.used_us / 1000);
}
