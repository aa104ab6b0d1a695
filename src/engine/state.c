/* The state of a session: what it was made of, and the ways back to it.
 *
 * A session is the list of what happened to it (struct past). Its interpreter is a cache of the
 * whole list; a dormant checkpoint, forked from the interpreter, is a cache of the first `base` of
 * it. To go back to the first n, with base <= n: resume the checkpoint and run what lies between
 * again; otherwise start a new interpreter and run all n. Files are set to what they were at that
 * point from their kept bytes, before an interpreter may open them again.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/io.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "engine/record.h"
#include "engine/state.h"

#define REPLAY_US 20000 /* cells this short are run again instead of taking a checkpoint */
#define ANSWER_NS 10000000000ull
#define CHECKPOINT_NS 2000000000ull /* a thread of the user's may hold the interpreter */

/* --- checkpoints --------------------------------------------------------------------------------
 */

/* Reads one frame of the wanted type from an idle interpreter. Everything else it might say now is
 * out of order. */
int state_await_frame(struct retort_session *s, enum frame_type type, uint64_t patience_ns,
                      struct frame *ret) {
    uint64_t until = now_ns() + patience_ns;
    for (;;) {
        int64_t size = frame_peek(s->frames.data, s->frames.len, ret);
        if (size < 0)
            return -EPROTO;
        if (size > 0 && (uint64_t)size <= s->frames.len)
            return ret->type == type && frame_check(ret) == 0 ? 0 : -EPROTO;
        struct pollfd p[] = {{s->channel, POLLIN, 0}, {s->ctl, 0, 0}};
        uint64_t now = now_ns();
        char chunk[65536];
        if (now >= until)
            return -ETIMEDOUT;
        if (poll(p, 2, (int)((until - now) / 1000000) + 1) < 0) {
            if (errno != EINTR) /* a signal of the program that we are part of */
                return -errno;
            continue;
        }
        if (!p[0].revents && p[1].revents)
            return -EPIPE;
        ssize_t n = recv(s->channel, chunk, sizeof chunk, MSG_DONTWAIT);
        if (n < 0 && (errno == EAGAIN || errno == EINTR))
            continue;
        if (n <= 0 || buf_add(&s->frames, chunk, (size_t)n) < 0)
            return -EPIPE;
    }
}

void state_consume(struct retort_session *s, const struct frame *f) {
    buf_drop(&s->frames, FRAME_HEAD + f->len);
}

/* An interpreter that reads has room for these few bytes; for one that does not, nobody waits. */
static bool has_room(int sock) {
    struct pollfd p = {sock, POLLOUT, 0};
    return poll(&p, 1, 0) == 1 && p.revents == POLLOUT;
}

int state_send_socket(struct retort_session *s, enum frame_type type, int fd) {
    char frame[FRAME_HEAD] = {[4] = (char)type};
    if (!has_room(s->channel))
        return -EAGAIN;
    if (send(s->channel, frame, sizeof frame, MSG_NOSIGNAL | MSG_DONTWAIT) != sizeof frame)
        return -EPIPE;
    return packet_send(s->channel, "w", 1, &fd, 1);
}

bool state_fork_failed(const struct frame *f) {
    size_t pos = 0;
    struct field field;
    while (frame_next(f, &pos, &field) > 0)
        if (field.tag == F_ERROR_MESSAGE)
            return true;
    return false;
}

static void drop_base(struct retort_session *s) {
    snapshot_unref(s->base_files);
    s->base_files = NULL;
}

int state_checkpoint(struct retort_session *s) {
    int wake = -1;
    size_t nfds = 1;
    struct frame f;
    state_settle(s);
    if (s->dead || !s->ready || s->unlisted || s->language != LANG_PYTHON ||
        session_command(s, CTL_CHECKPOINT) < 0)
        return -ESRCH;
    if (session_await(s, CTL_WAKE, CTL_EXITED, &wake, &nfds) != CTL_WAKE || nfds != 1)
        return -EPIPE;
    scoped_fd theirs = wake;
    int r = state_send_socket(s, FRAME_CHECKPOINT, theirs);
    fd_done(&theirs);
    if (r == 0)
        r = state_await_frame(s, FRAME_CHECKPOINTED, CHECKPOINT_NS, &f);
    if (r < 0) { /* should it come later, it is not of the state that we would take it for */
        s->late++;
        s->dormant = false;
        s->dropped = true;
        drop_base(s);
        return r;
    }
    bool failed = state_fork_failed(&f);
    state_consume(s, &f);
    drop_base(s);
    if (failed || !(s->base_files = snapshot_ref(keep_snapshot(s)))) {
        s->dormant = false;
        s->dropped = true;
        return -EAGAIN;
    }
    s->dormant = true;
    s->base = s->npast;
    s->loose_us = 0;
    return 0;
}

static bool checkpoint_useful(const struct retort_session *s) {
    return s->checkpoint != RETORT_CHECKPOINT_OFF && s->npast > 0 && !s->late && !s->gone &&
           !(s->dormant && s->base == s->npast);
}

void state_before_cell(struct retort_session *s) {
    if (checkpoint_useful(s) &&
        (s->checkpoint == RETORT_CHECKPOINT_ALWAYS || s->loose_us > REPLAY_US))
        state_checkpoint(s);
}

void state_after_cell(struct retort_session *s, uint64_t cost_us) {
    s->loose_us += cost_us;
    if (s->npast)
        s->past[s->npast - 1].cost_us = cost_us;
    if (checkpoint_useful(s) || s->unswept)
        idle_add(s);
}

void state_idle(struct retort_session *s) {
    if (s->unswept && session_sweep(s))
        s->unsettled = true; /* it may have changed files after they were looked at */
    if (checkpoint_useful(s))
        state_checkpoint(s);
}

/* --- going back ---------------------------------------------------------------------------------
 */

int state_rebirth(struct retort_session *s, struct err *err) {
    session_hang_up(s);
    s->dead = s->ready = s->dormant = false;
    s->generation = 0;
    s->gone = false;
    s->late = 0;
    s->base = 0;
    drop_base(s);
    int r = session_connect(s, &s->create, err);
    if (r < 0)
        s->dead = true;
    return r;
}

void state_take_notes(const struct frame *f, json_t *notes) {
    size_t pos = 0;
    struct field field;
    while (frame_next(f, &pos, &field) > 0)
        if (field.tag == F_NOTE && json_array_size(notes) < 64)
            json_array_append_new(notes, json_text(field.data, field.len < 400 ? field.len : 400));
}

static void take_generation(struct retort_session *s, const int fds[3]) {
    fd_done(&s->channel);
    fd_done(&s->out);
    fd_done(&s->err);
    s->channel = fds[0];
    s->out = fds[1];
    s->err = fds[2];
    buf_reset(&s->frames);
    s->generation++;
    s->gone = false;
    s->late = 0;
}

/* The dormant process goes on in place of the one that is dead. It is used up by that. */
static int resume(struct retort_session *s, json_t *notes) {
    int fds[3];
    size_t nfds = 3;
    struct frame f;
    s->dormant = false;
    if (keep_restore(s, &s->base_files->files, notes) < 0 || session_command(s, CTL_RESUME) < 0)
        return -EPIPE;
    if (session_await(s, CTL_RESUMED, CTL_GONE, fds, &nfds) != CTL_RESUMED || nfds != 3) {
        for (size_t i = 0; i < nfds; i++)
            close(fds[i]);
        return -ESRCH;
    }
    take_generation(s, fds);
    s->dead = false;
    int r = state_await_frame(s, FRAME_RESUMED, ANSWER_NS, &f);
    if (r < 0)
        return r;
    state_take_notes(&f, notes);
    state_consume(s, &f);
    return 0;
}

static void note_changed(const struct past *p, json_t *notes) {
    char text[160];
    snprintf(text, sizeof text,
             "cell %u could not be run again: this time it ended its interpreter or was stopped",
             p->cell);
    json_array_append_new(notes, json_string(text));
}

static int rerun_cell(struct retort_session *s, const struct past *p, json_t *notes) {
    struct retort_execute_options options = {.limits = limits_again(&p->limits)};
    struct cell c;
    struct err err = ERR_INIT;
    int r = cell_init(&c, s, &options, &err);
    if (r < 0)
        return r;
    c.number = p->cell;
    cell_call_again(&c, p, notes);
    c.again = p->interrupted.after_us ? &p->interrupted : NULL;
    c.quiet = !p->was; /* else it is compared */
    unsigned cells = s->cells;
    cell_forget_interrupts(&c);
    r = cell_run(&c, p->code, p->len, &err);
    s->cells = cells;
    if (r == 0) {
        cell_sweep(&c);
        cell_drain(&c);
    }
    bool stopped = c.stop != STOP_NONE && !(c.again && c.stop == STOP_INTERRUPT && !c.killed);
    if (r == 0 && (c.exited || stopped)) {
        note_changed(p, notes);
        r = -ECANCELED;
    }
    if (r == 0 && p->was)
        differ_note(s, p, &c, notes);
    cell_done(&c);
    return r;
}

static void note_interrupted(const struct past *p, json_t *notes) {
    char text[160];
    snprintf(text, sizeof text,
             "cell %u was interrupted when it ran first: it was run again for as long, which may "
             "have led elsewhere",
             p->cell);
    json_array_append_new(notes, json_string(text));
}

/* A file that was put in or deleted from outside. Cells that come after may need it: that it is not
 * there again is told, and they run all the same. */
static void rerun_file(struct retort_session *s, const struct past *p, json_t *notes) {
    int r = p->files ? keep_restore_path(s, &p->files->files, p->path) : record_rewrite(s, p);
    if (r >= 0 || r == -ENOENT) /* to delete what is not there */
        return;
    json_t *name = json_name(p->path, strlen(p->path));
    char text[400];
    snprintf(text, sizeof text,
             "%.200s: was put in from outside, and its bytes are gone; cells that need it came to "
             "something else",
             json_string_value(name));
    json_array_append_new(notes, json_string(text));
    json_decref(name);
}

int state_rerun(struct retort_session *s, size_t from, size_t to, json_t *notes) {
    int r = 0;
    for (size_t i = from; r == 0 && i < to; i++) {
        const struct past *p = &s->past[i];
        if (p->cell && p->interrupted.after_us)
            note_interrupted(p, notes);
        if (p->cell)
            r = rerun_cell(s, p, notes);
        else if (p->path)
            rerun_file(s, p, notes);
    }
    return r;
}

static void cut(struct retort_session *s) {
    if (session_command(s, CTL_CUT) == 0)
        session_await(s, CTL_SWEPT, CTL_SWEPT, NULL, NULL);
}

int state_note_files(struct retort_session *s) {
    struct manifest now = {0};
    bool rejected = false;
    int r = files_list(s, &now, NULL);
    s->unlisted = r < 0;
    if (r == 0)
        json_decref(files_changes(s, &now, &rejected));
    else
        s->files_incomplete = true;
    return r;
}

/* Cells that were run again made their files again, perhaps with other bytes: those of the first
 * time count. */
static int set_files(struct retort_session *s, size_t count, json_t *notes) {
    const struct past *last = count ? &s->past[count - 1] : NULL;
    if (!last)
        return keep_restore(s, NULL, notes);
    if (last->files && !last->files_lost)
        return keep_restore(s, &last->files->files, notes);
    if (last->files_lost) {
        s->files_incomplete = true;
        json_array_append_new(notes, json_string("the files are those that the cells made when "
                                                 "they were run again: no list of what there was "
                                                 "is held any more"));
    }
    return state_note_files(s);
}

/* Outcomes in the ledger are as long as a guest made them, and have been compared. */
static void forget_outcomes(struct retort_session *s) {
    for (size_t i = 0; i < s->npast; i++) {
        json_decref(s->past[i].was);
        s->past[i].was = NULL;
    }
}

const char *state_recover(struct retort_session *s, size_t count, json_t *notes) {
    size_t base = s->base, noted = json_array_size(notes);
    struct err err = ERR_INIT;
    const char *via = "replay";
    past_cut(s, count);
    if (!s->dead)
        cut(s);
    if (s->dormant && base <= count && resume(s, notes) == 0 &&
        state_rerun(s, base, count, notes) == 0)
        via = base < count ? "replay" : "checkpoint";
    else {
        while (json_array_size(notes) > noted) /* of what did not come about */
            json_array_remove(notes, noted);
        json_array_clear(s->birth_notes); /* of that birth, nothing is left */
        s->birth_replayed = false;
        int r = state_rebirth(s, &err);
        if (r < 0)
            json_array_append_new(notes, json_string(err.msg));
        else
            r = state_rerun(s, 0, count, notes);
        if (r < 0) {
            session_hang_up(s);
            return NULL;
        }
    }
    forget_outcomes(s);
    s->asleep = false;
    s->loose_us =
        0; /* the checkpoint is used up: all of the past has to be run again, until the next */
    for (size_t i = 0; i < count; i++)
        s->loose_us += s->past[i].cost_us;
    if (strcmp(via, "replay") == 0 && set_files(s, count, notes) < 0) {
        session_hang_up(s);
        return NULL;
    }
    return via;
}

/* --- questions to the idle interpreter: completion, variables
 * ----------------------------------------------- */

/* The interpreter may be dead, which must not become a signal to the host program, or not read. */
static int send_within(int sock, const char *data, size_t len, uint64_t patience_ns) {
    uint64_t until = now_ns() + patience_ns;
    while (len) {
        ssize_t n = send(sock, data, len, MSG_DONTWAIT | MSG_NOSIGNAL);
        uint64_t now = now_ns();
        struct pollfd p = {sock, POLLOUT, 0};
        if (n >= 0) {
            data += n;
            len -= (size_t)n;
        } else if (errno == EAGAIN && now < until)
            poll(&p, 1, (int)((until - now) / 1000000) + 1);
        else if (errno != EINTR)
            return errno == EAGAIN ? -ETIMEDOUT : -errno;
    }
    return 0;
}

static int send_question(struct retort_session *s, const char *code, size_t cursor) {
    scoped_buf b = BUF_INIT(MAX_TEXT);
    int r = frame_begin(&b, FRAME_COMPLETE);
    if (r == 0)
        r = frame_put_text(&b, F_CODE, code);
    if (r == 0)
        r = frame_put_int(&b, F_START, (int64_t)cursor);
    if (r == 0)
        r = frame_end(&b, 0);
    return r < 0 ? r : send_within(s->channel, b.data, b.len, ANSWER_NS);
}

/* What a new interpreter says first; a cell would have heard it. */
static int await_ready(struct retort_session *s) {
    struct frame f;
    if (s->ready || s->ready_seen)
        return 0;
    int r = state_await_frame(s, FRAME_READY, ANSWER_NS, &f);
    if (r < 0)
        return r;
    s->ready_seen = true;
    state_consume(s, &f);
    return 0;
}

static json_t *completions_json(const struct frame *f) {
    json_t *names = json_array();
    int64_t start = 0;
    size_t pos = 0;
    struct field field;
    while (frame_next(f, &pos, &field) > 0) {
        if (field.tag == F_START)
            field_int(&field, &start);
        if (field.tag == F_NAME)
            json_array_append_new(
                names, json_text(field.data, field.len < MAX_NAME ? field.len : MAX_NAME));
    }
    return json_pack("{s:I s:o}", "start", (json_int_t)start, "names", names);
}

static int complete(struct retort_session *s, const char *code, size_t cursor, char **ret_json,
                    struct err *err) {
    struct frame f;
    if (s->dead || (!s->ready && s->language != LANG_PYTHON)) {
        *ret_json = strdup("{\"start\":0,\"names\":[]}");
        return *ret_json ? 0 : err_set(err, ERR_HOST, ENOMEM, "cannot complete");
    }
    int r = await_ready(s);
    if (r == 0)
        r = send_question(s, code, cursor);
    if (r == 0)
        r = state_await_frame(s, FRAME_COMPLETIONS, ANSWER_NS, &f);
    if (r < 0) { /* half a question, or an answer that comes late, would spoil the next cell */
        state_recover(s, s->npast, NULL);
        return err_set(err, ERR_GUEST, -r, "the session does not answer");
    }
    json_t *o = completions_json(&f);
    *ret_json = json_dumps(o, JSON_COMPACT);
    json_decref(o);
    state_consume(s, &f);
    return *ret_json ? 0 : err_set(err, ERR_HOST, ENOMEM, "cannot complete");
}

json_t *state_variables(struct retort_session *s) {
    scoped_buf b = BUF_INIT(MAX_TEXT);
    struct frame f;
    struct field field;
    struct json_count count = {0};
    json_t *list = NULL;
    size_t pos = 0;
    if (s->language != LANG_PYTHON || s->dead)
        return NULL;
    if (!s->ready)
        return json_array();
    if (frame_begin(&b, FRAME_COMPLETE) < 0 || frame_end(&b, 0) < 0 ||
        send_within(s->channel, b.data, b.len, ANSWER_NS) < 0 ||
        state_await_frame(s, FRAME_COMPLETIONS, ANSWER_NS, &f) < 0) {
        state_recover(s, s->npast,
                      NULL); /* its answer, if it comes, would be taken for another's */
        return NULL;
    }
    while (!list && frame_next(&f, &pos, &field) > 0)
        if (field.tag == F_VARIABLES)
            list = guest_json(&field, &count);
    state_consume(s, &f);
    return list;
}

int retort_complete(struct retort_session *s, const char *code, size_t cursor, char **ret_json,
                    struct retort_error *error) {
    struct err err = ERR_INIT;
    pthread_mutex_lock(&s->lock);
    int r = complete(s, code, cursor, ret_json, &err);
    pthread_mutex_unlock(&s->lock);
    return api_error(error, &err, r);
}
