/* Executing a cell: the steps around cell_run. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "base/maxima.h"
#include "engine/cell.h"
#include "engine/result.h"

/* What the cell left running ends with it, before the last output is read and files are looked at:
 * nothing writes any more. */
static void sweep(struct cell *c) {
    struct retort_session *s = c->s;
    union {
        struct ctl_head head;
        struct ctl_swept swept;
        struct ctl_exited exited;
        struct ctl_measured measured;
    } msg;
    if (c->killed || s->background || session_command(s, CTL_SWEEP) < 0)
        return;
    for (;;) {
        int type = session_expect(s, &msg, sizeof msg, NULL, NULL, NULL);
        if (type == CTL_EXITED) {
            c->exited = true;
            c->wait_status = msg.exited.status;
        }
        if (type == CTL_SWEPT && msg.swept.killed + 1 > c->processes)
            c->processes = msg.swept.killed + 1;
        if (type == CTL_SWEPT || type < 0)
            return;
    }
}

static void measure(struct cell *c) {
    struct measure now;
    if (c->s->cgroup && measure_read((int)c->s->cgroup, c->s->measure, &now) == 0)
        c->used = measure_since(&c->before, &now);
    if (c->processes == 0)
        c->processes = 1;
}

static json_t *collect(struct cell *c, bool *ret_rejected) {
    struct manifest now = {0};
    if (c->s->collector < 0 || files_list(c->s->collector, &now, NULL) < 0)
        return json_array();
    c->s->manifest.free_bytes = now.free_bytes;
    c->s->manifest.free_inodes = now.free_inodes;
    return files_changes(c->s->collector, &c->s->manifest, &now, ret_rejected);
}

static int check_code(const struct retort_session *s, const char *code, size_t len,
                      struct err *err) {
    if (len > MAX_CODE)
        return err_set(err, ERR_CALLER, E2BIG, "the code has %zu bytes, more than the %u allowed",
                       len, MAX_CODE);
    if (memchr(code, 0, len))
        return err_set(err, ERR_CALLER, EINVAL, "the code contains a NUL byte");
    if (s->dead)
        return err_set(err, ERR_CALLER, ESRCH, "the session has ended");
    return 0;
}

static int execute(struct retort_session *s, const char *code, size_t len,
                   const struct retort_execute_options *options, struct retort_result **ret,
                   struct err *err) {
    struct cell c;
    int r = check_code(s, code, len, err);
    if (r == 0)
        r = cell_init(&c, s, options, err);
    if (r < 0)
        return r;
    if (s->language == LANG_BASH && s->ctl < 0) {
        s->create.code_len = (uint32_t)len + 1;
        r = session_connect(s, &s->create, code, len, err);
    }
    if (r == 0)
        r = cell_run(&c, code, len, err);
    if (r == 0) {
        bool rejected = false;
        sweep(&c);
        cell_drain(&c);
        measure(&c);
        json_t *files = collect(&c, &rejected);
        *ret = result_new(cell_result(&c, files, rejected));
        r = *ret ? 0 : err_set(err, ERR_HOST, ENOMEM, "cannot hold the result");
        s->used_ns = now_ns();
        if (c.exited)
            s->dead = true;
    }
    cell_done(&c);
    return r;
}

int retort_execute(struct retort_session *s, const char *code, size_t len,
                   const struct retort_execute_options *options, struct retort_result **ret_result,
                   struct retort_error *error) {
    static const struct retort_execute_options none;
    struct retort_execute_options o = options ? *options : none;
    struct err err = ERR_INIT;
    if (s->language != LANG_PYTHON)
        o.script = true; /* one program each; they end with it */
    pthread_mutex_lock(&s->lock);
    int r = execute(s, code, len, &o, ret_result, &err);
    pthread_mutex_unlock(&s->lock);
    return api_error(error, &err, r);
}

int retort_interrupt(struct retort_session *s) {
    uint64_t one = 1;
    return write(s->wake, &one, sizeof one) == sizeof one ? 0 : -errno;
}
