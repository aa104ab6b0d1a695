/* Interpreters beside the first one of a session, each for another language. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "engine/host/image.h"
#include "engine/host/interpreter.h"
#include "engine/session/supervisor.h"

struct interp *session_interp(struct retort_session *s, enum language language) {
    return language == s->interp.language ? &s->interp : s->others[language];
}

bool session_speaks(struct retort_session *s, enum language language) {
    const struct interp *i = session_interp(s, language);
    return i && i->ctl >= 0 && i->channel >= 0 && !i->exited;
}

void session_heard_exit(struct retort_session *s, const struct ctl_exited *told) {
    struct interp *i = told->language < LANG_COUNT ? session_interp(s, told->language) : NULL;
    if (!i || told->generation != i->generation)
        return;
    i->exited = true;
    i->exit_status = told->status;
}

/* Where the interpreter is, if not at its usual path: somewhere that every session can see. A
 * further interpreter of the session's own language is the same program as the first. */
static int find_interpreter(const struct retort_session *s, struct ctl_start *start,
                            struct retort_error *err) {
    struct ctl_environment env = {0};
    if (interpreter_rows[start->language].kind == s->interp.language) {
        memcpy(start->interpreter, s->spec->env.interpreter, sizeof start->interpreter);
        return 0;
    }
    if (s->spec->env.image) {
        env = s->spec->env;
        int found = image_interpreter(start->language, NULL,
                                      (const char *const *)s->spec->variables, &env, err);
        memcpy(start->interpreter, env.interpreter, sizeof start->interpreter);
        return found;
    }
    int r = interpreter_choose(start->language, NULL, &env, err);
    if (r == 0 && env.prefix[0][0] && memcmp(env.prefix, s->spec->env.prefix, sizeof env.prefix))
        return err_set(err, ERR_CALLER, ENOENT,
                       "%.200s is not part of the session's environment: make a session with the "
                       "language %s",
                       env.interpreter, language_of(start->language)->name);
    memcpy(start->interpreter, env.interpreter, sizeof start->interpreter);
    return r;
}

static struct interp *interp_new(enum language language) {
    struct interp *i = calloc(1, sizeof *i);
    if (i)
        interp_init(i, language);
    return i;
}

static int await_started(struct retort_session *s, struct interp *i, struct retort_error *err) {
    union {
        struct ctl_head head;
        struct ctl_started started;
        struct ctl_failed failed;
        struct ctl_exited exited;
        struct ctl_measured measured;
        struct ctl_roomed roomed;
        struct ctl_locked locked;
    } msg;
    for (;;) {
        int fds[3];
        size_t nfds = 3;
        int type = session_expect(s, &msg, sizeof msg, fds, &nfds, err);
        if (type == CTL_STARTED && nfds == 3) {
            i->ctl = s->interp.ctl;
            interp_take_generation(i, fds);
            i->generation = msg.started.generation;
            return 0;
        }
        for (size_t n = 0; type >= 0 && n < nfds; n++)
            close(fds[n]);
        if (type == CTL_EXITED)
            session_heard_exit(s, &msg.exited);
        if (type == CTL_ROOMED)
            usage_roomed(&s->usage, &msg.roomed);
        if (type == CTL_LOCKED)
            usage_locked(&s->usage, &msg.locked);
        if (type == CTL_FAILED)
            *err = msg.failed.err;
        if (type < 0 || type == CTL_FAILED)
            return type < 0 ? type : -EIO;
    }
}

int session_add_interp(struct retort_session *s, enum language language, struct retort_error *err) {
    struct ctl_start start = {.head = {CTL_START, sizeof start}, .language = language};
    if (session_speaks(s, language))
        return 0;
    if (language == s->interp.language)
        return err_set(err, ERR_HOST, ESRCH, "the session has no interpreter");
    int r = find_interpreter(s, &start, err);
    if (r < 0)
        return r;
    if (!s->others[language] && !(s->others[language] = interp_new(language)))
        return err_errno(err, ERR_HOST, ENOMEM, "cannot hold another interpreter");
    interp_hang_up(s->others[language]);
    s->tools.sent &= ~(1u << language);
    s->usage.own_tasks = OWN_UNKNOWN; /* it has some of its own */
    s->usage.only_own = false;
    if (packet_send(s->interp.ctl, &start, sizeof start, NULL, 0) < 0)
        return pair_failure(s->pair, err);
    return await_started(s, s->others[language], err);
}

void session_drop_interp(struct retort_session *s, enum language language) {
    struct interp *i = s->others[language];
    if (!i || i->ctl < 0)
        return;
    session_cut(s, i);
    interp_hang_up(i);
    s->usage.own_tasks = OWN_UNKNOWN;
    s->usage.only_own = false;
}
