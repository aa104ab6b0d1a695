#include "engine/session/engine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/io.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "engine/host/libexec.h"
#include "engine/host/packages.h"
#include "engine/session/session.h"

/* One program has no use for more than one. */
static unsigned supervisors(const struct retort_engine_options *o) {
    if (!o->pool)
        return 1;
    if (!o->supervisors)
        return pairs_for(pairs_processors());
    return o->supervisors > MAX_PAIRS ? MAX_PAIRS : (unsigned)o->supervisors;
}

struct retort_engine *engine_alloc(const struct retort_engine_options *o) {
    struct retort_engine *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    pairs_init(&e->pairs,
               &(struct pair_settings){
                   .pool = o->pool, .home = o->home, .keep_rights = o->keep_rights != 0},
               supervisors(o));
    gateway_init(&e->gateway);
    judges_init(&e->judges);
    e->max_sessions = o->max_sessions ? o->max_sessions : MAX_SESSIONS;
    pthread_mutex_init(&e->lock, NULL);
    if (o->state_dir && !(e->state_dir = strdup(o->state_dir))) {
        engine_free(e);
        return NULL;
    }
    return e;
}

void engine_free(struct retort_engine *e) {
    gateway_done(&e->gateway);
    judges_done(&e->judges);
    ledger_close(e->ledger);
    json_decref(e->packages);
    free(e->state_dir);
    pairs_done(&e->pairs);
    pthread_mutex_destroy(&e->lock);
    free(e);
}

/* --- the supervisors --- */

/* Checked here because otherwise any later step might be the first to run out of descriptors. */
#define LEAST_DESCRIPTORS 64

static int check_descriptors(struct retort_error *err) {
    struct rlimit now;
    if (getrlimit(RLIMIT_NOFILE, &now) == 0 && now.rlim_cur < LEAST_DESCRIPTORS)
        return err_errno(err, ERR_HOST, EMFILE,
                         "only %llu files may be open, and %d is the least (try: ulimit -n 1024)",
                         (unsigned long long)now.rlim_cur, LEAST_DESCRIPTORS);
    return 0;
}

int engine_start(struct retort_engine *e, struct retort_error *err) {
    int r = check_descriptors(err);
    if (r == 0)
        r = libexec_find(e->pairs.settings.libexec, sizeof e->pairs.settings.libexec, err);
    return r < 0 ? r : pairs_start(&e->pairs, err);
}

void engine_stop(struct retort_engine *e) {
    pairs_stop(&e->pairs);
}

/* --- the list of sessions --- */

int engine_admit(struct retort_engine *e, struct retort_session *s, struct retort_error *err) {
    int r = 0;
    pthread_mutex_lock(&e->lock);
    if (e->count >= e->max_sessions)
        r = err_set(err, ERR_LIMIT, EAGAIN,
                    "there are %u sessions, as many as this engine may have", e->count);
    else {
        e->count++;
        s->next = e->sessions;
        if (s->next)
            s->next->before = s;
        e->sessions = s;
    }
    pthread_mutex_unlock(&e->lock);
    return r;
}

void engine_dismiss(struct retort_engine *e, struct retort_session *s) {
    pthread_mutex_lock(&e->lock);
    *(s->before ? &s->before->next : &e->sessions) = s->next;
    if (s->next)
        s->next->before = s->before;
    e->count--;
    pthread_mutex_unlock(&e->lock);
}
