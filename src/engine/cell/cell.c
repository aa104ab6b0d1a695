#include "engine/cell/cell.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/io.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "base/tiny.h"
#include "engine/cell/locks.h"
#include "engine/cell/network.h"
#include "engine/cell/room.h"
#include "engine/host/limits.h"
#include "engine/session/record.h"
#include "engine/session/supervisor.h"

#define GRACE_NS 1000000000ull       /* between an interrupt and the kill */
#define GRACE_AGAIN_NS 5000000000ull /* for one that obeyed the first time; else all is lost */
#define NUDGE_NS 50000000ull         /* between two looks whether it was noticed */
#define LOOK_NS 100000000ull         /* between two looks at CPU time and memory */
#define TICK_NS 1000000000ull        /* between two signs of life for those who wait */
#define SETTLE_NS 20000000ull        /* until it is on record that it was begun: most have ended */
#define KILL_PATIENCE_NS 10000000000ull

int cell_init(struct cell *c, struct retort_session *s,
              const struct retort_execute_options *options, struct retort_error *err) {
    *c = (struct cell){.s = s,
                       .options = options,
                       .number = s->cells + 1,
                       .language = s->spec->cells,
                       .in = &s->interp,
                       .json = json_mark()};
    struct limits defaults = s->spec->limits;
    int r = limits_fill(&options->limits, &defaults, &c->limits, err);
    if (r < 0)
        return r;
    c->send = BUF_INIT(MAX_CODE + MAX_ENV_BYTES + MAX_SAVED_STATE + 65536);
    c->said.displays = json_array();
    c->said.plots = json_array();
    c->calls.answers = json_array();
    c->traffic.events = s->spec->network ? json_array() : NULL;
    stream_init(&c->out, c->limits.output, c->limits.output_stored);
    stream_init(&c->err, c->limits.output, c->limits.output_stored);
    c->out.account = c->err.account = &s->account;
    return 0;
}

void cell_done(struct cell *c) {
    stream_done(&c->out);
    stream_done(&c->err);
    buf_done(&c->send);
    buf_spare(&c->in->frames);
    c->s->usage.heavy = c->s->usage.heavy || c->said.bytes + c->calls.bytes > HEAVY;
    account_sub(&c->s->account, ACCOUNT_RESULT, c->said.bytes);
    account_sub(&c->s->account, ACCOUNT_CALLS, c->calls.bytes);
    free(c->said.state);
    json_decref(c->said.notes);
    json_t **all[] = {&c->said.value,   &c->said.displays,  &c->said.plots,
                      &c->said.error,   &c->said.variables, &c->said.dataframes,
                      &c->said.final,   &c->calls.answers,  &c->calls.unused,
                      &c->calls.replay, &c->traffic.events, &c->review.report,
                      &c->review.error, &c->calls.policy};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        json_decref(*all[i]);
}

/* --- sending --- */

static int put_variable(void *to, const char *variable) {
    size_t name = strcspn(variable, "=");
    int r = frame_put(to, F_NAME, variable, name);
    return r < 0 ? r : frame_put_text(to, F_DATA, variable + name + 1);
}

/* The next result tells if that is less than there was. */
static int put_saved(struct retort_session *s, enum language interpreter, unsigned cell,
                     struct buf *b) {
    struct saved_state saved;
    timeline_saved(s, interpreter, cell, &saved);
    int r = saved.data ? frame_put(b, F_STATE, saved.data, saved.len) : 0;
    if (saved.missing && !s->timeline.notes)
        s->timeline.notes = json_array();
    saved_state_tell(&saved, interpreter, s->timeline.notes);
    saved_state_done(&saved);
    return r;
}

int cell_put_hello(struct retort_session *s, const struct interp *in, unsigned cell,
                   struct buf *b) {
    size_t begin = b->len;
    int r = frame_begin(b, FRAME_HELLO);
    if (r == 0)
        r = frame_put_int(b, F_SEED, (int64_t)s->spec->seed);
    if (r == 0)
        r = spec_variables(s->spec, put_variable, b);
    if (r == 0)
        r = put_saved(s, in->language, cell, b);
    return r < 0 ? r : frame_end(b, begin);
}

static int put_cell(struct cell *c, const char *code, size_t len) {
    size_t begin = c->send.len;
    int64_t flags = (c->options->script ? CELL_SCRIPT : 0) |
                    (c->s->spec->background ? CELL_KEEP_CHILDREN : 0) |
                    (c->quiet || c->options->quiet ? CELL_QUIET : 0);
    int r = frame_begin(&c->send, FRAME_CELL);
    if (r == 0)
        r = frame_put_int(&c->send, F_CELL, c->number);
    if (r == 0)
        r = frame_put_int(&c->send, F_FLAGS, flags);
    if (r == 0 && c->options->filename)
        r = frame_put_text(&c->send, F_FILENAME, c->options->filename);
    if (r == 0 && language_is_module(c->language))
        r = frame_put_text(&c->send, F_LANGUAGE, c->language->read_as);
    if (r == 0 && c->past && language_of(c->in->language)->comes == COMES_BY_REPLAY)
        r = frame_put(&c->send, F_STATE, c->past->state ? c->past->state : "", c->past->state_len);
    if (r == 0)
        r = frame_put(&c->send, F_CODE, code, len);
    return r < 0 ? r : frame_end(&c->send, begin);
}

static void send_some(struct cell *c) {
    ssize_t n = send(c->in->channel, c->send.data, c->send.len, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n > 0)
        buf_drop(&c->send, (size_t)n);
    else if (n < 0 && errno != EAGAIN && errno != EINTR)
        buf_reset(&c->send); /* the guest is gone, which its end will tell */
}

/* --- stopping --- */

static void cell_kill(struct cell *c) {
    c->killed = true;
    c->clock.kill_at = now_ns() + KILL_PATIENCE_NS;
    /* Init stays, and with it the session's files and its checkpoint. */
    if (interp_order(c->in, CTL_KILL_CELL) < 0)
        c->facts.exited = true;
}

static void cell_stop(struct cell *c, enum cell_stop why) {
    if (c->stop != STOP_NONE)
        return;
    uint64_t now = now_ns();
    c->stop = why;
    c->clock.kill_at = now + (c->again ? GRACE_AGAIN_NS : GRACE_NS);
    c->clock.nudge_at = now + NUDGE_NS;
    if (why == STOP_INTERRUPT)
        c->interrupted =
            (struct interrupted){(now - c->clock.started) / 1000 + 1, c->out.total + c->err.total};
    if (why == STOP_PROTOCOL || why == STOP_MEMORY || interp_order(c->in, CTL_INTERRUPT) < 0)
        cell_kill(c);
}

/* The time until the CPU limit can be reached at the earliest (if every processor works for this
 * session), or until files can outgrow their room. */
static uint64_t next_look(const struct cell *c, uint64_t used_us, uint64_t peak) {
    uint64_t left_us = c->limits.cpu_ms * 1000 > used_us ? c->limits.cpu_ms * 1000 - used_us : 0;
    uint64_t soonest = left_us * 1000 / processors();
    uint64_t room = c->s->usage.cgroup ? room_time(c, peak) : LOOK_NS;
    soonest = room < soonest ? room : soonest;
    return soonest < 1000000 ? 1000000 : soonest < LOOK_NS ? soonest : LOOK_NS;
}

/* Does not ask at every look: looks come every few milliseconds when memory is about to run out. */
static void look_at_network(struct cell *c) {
    const struct retort_session *s = c->s;
    uint64_t now = now_ns();
    if (now < c->clock.network_at)
        return;
    c->clock.network_at = now + LOOK_NS / 2;
    c->facts.network_full =
        network_holds_more(s->usage.net, s->spec->limits.memory, s->usage.cgroup);
    if (c->facts.network_full)
        cell_stop(c, STOP_MEMORY);
}

static void cell_look(struct cell *c) {
    struct measure now;
    c->clock.look_at = now_ns() + LOOK_NS;
    look_at_network(c);
    if (!c->s->usage.cgroup) {
        if (!c->facts.measuring)
            c->facts.measuring = interp_command(&c->s->interp, CTL_MEASURE) == 0;
        return;
    }
    if (measure_read((int)c->s->usage.cgroup, c->s->usage.measure, &now) < 0)
        return;
    uint64_t used = measure_since(&c->facts.before, &now).cpu_us;
    account_put(&c->s->account, ACCOUNT_CPU, used / 1000);
    locks_ask(c->s, now.cpu_us);
    room_look(c, now.peak_bytes);
    c->clock.look_at = now_ns() + next_look(c, used, now.peak_bytes);
    if (used > c->limits.cpu_ms * 1000)
        cell_stop(c, STOP_CPU);
}

#define AGAIN_NS 1000000000ull /* more than twice the time, until it has said as much */

/* The client interrupted this cell when it ran first. Now it is interrupted after the same time,
 * and not before it has written as much as then. */
static uint64_t interrupt_at(const struct cell *c, uint64_t now) {
    uint64_t ns = c->again->after_us * 1000, soon = now + 10000000;
    if (c->out.total + c->err.total >= c->again->output ||
        now >= c->clock.started + 2 * ns + AGAIN_NS)
        return c->clock.started + ns;
    return soon > c->clock.started + ns ? soon : c->clock.started + ns;
}

/* An interrupt that comes between Python's last look and the system call that waits is noticed when
 * that call returns: any signal makes it. */
static void nudge(struct cell *c, uint64_t now) {
    interp_order(c->in, CTL_POKE);
    c->clock.nudge_at = now + NUDGE_NS;
}

static void tick(struct cell *c, uint64_t now) {
    const struct retort_callbacks *cb = c->options->callbacks;
    c->clock.tick_at = now + TICK_NS;
    cb->tick(cb->user, now - c->clock.started);
}

/* A cell that takes longer is on record, in a cluster too, before it ends. If that fails, its
 * outcome could not be recorded either. */
static void cell_settle(struct cell *c) {
    c->clock.settle_at = 0;
    record_settled(c->s, c->seq, NULL);
}

static void check_clock(struct cell *c) {
    uint64_t now = now_ns();
    if (c->killed && now >= c->clock.kill_at)
        c->facts.exited = true; /* the supervisor hangs: nothing more to wait for */
    else if (c->stop != STOP_NONE && !c->killed && now >= c->clock.kill_at)
        cell_kill(c);
    else if (c->stop != STOP_NONE && !c->killed && now >= c->clock.nudge_at)
        nudge(c, now);
    if (c->again && c->stop == STOP_NONE && now >= interrupt_at(c, now))
        cell_stop(c, STOP_INTERRUPT);
    if (c->stop == STOP_NONE && now >= c->clock.deadline)
        cell_stop(c, STOP_TIMEOUT);
    /* A live session is of no use without its channel; a program may close what it likes. */
    if (c->clock.mute_at && now >= c->clock.mute_at && !c->options->script && !c->said.has_result)
        cell_stop(c, STOP_PROTOCOL);
    if (now >= c->clock.look_at)
        cell_look(c);
    if (c->clock.tick_at && now >= c->clock.tick_at)
        tick(c, now);
    if (c->clock.settle_at && now >= c->clock.settle_at)
        cell_settle(c);
}

static int wait_ms(const struct cell *c) {
    uint64_t now = now_ns(), until = c->stop != STOP_NONE ? c->clock.kill_at : c->clock.deadline;
    if (c->stop != STOP_NONE && !c->killed && c->clock.nudge_at < until)
        until = c->clock.nudge_at;
    if (c->again && c->stop == STOP_NONE && interrupt_at(c, now) < until)
        until = interrupt_at(c, now);
    if (c->clock.look_at < until)
        until = c->clock.look_at;
    if (c->clock.mute_at && c->clock.mute_at < until)
        until = c->clock.mute_at;
    if (c->clock.tick_at && c->clock.tick_at < until)
        until = c->clock.tick_at;
    if (c->clock.settle_at && c->clock.settle_at < until)
        until = c->clock.settle_at;
    return until <= now ? 0 : (int)((until - now) / 1000000 + 1);
}

/* --- receiving --- */

#define READ_SIZE TINY(65536, 509)
#define FAIR_SHARE (1u << 20) /* as much as a pipe holds at most */

bool cell_is_program(const struct cell *c) {
    return c->options->script && c->in->language == LANG_BASH;
}

static void cell_show(struct cell *c, enum retort_stream which, const char *data, size_t len) {
    const struct retort_callbacks *cb = c->options->callbacks;
    if (cb && cb->output && len)
        cb->output(cb->user, which, data, len, now_ns() - c->clock.started);
}

void cell_show_withheld(struct cell *c) {
    if (!c->shown)
        cell_show(c, RETORT_STDERR, c->err.head.data, c->err.head.len);
    c->shown = true;
}

static bool withheld(const struct cell *c, enum retort_stream which, size_t len) {
    return which == RETORT_STDERR && !c->shown && !c->in->ready && !cell_is_program(c) &&
           c->err.total + len <= c->err.head_max;
}

static void cell_emit(struct cell *c, enum retort_stream which, const char *data, size_t len) {
    bool later = withheld(c, which, len);
    if (!later)
        cell_show_withheld(c);
    stream_add(which == RETORT_STDOUT ? &c->out : &c->err, data, len);
    if (!later)
        cell_show(c, which, data, len);
}

/* Reads all that was there, but only a fair share at a time: an endless writer must not keep us from
 * looking at the clock. */
static void drain(struct cell *c, int *fd, enum retort_stream which) {
    char chunk[READ_SIZE];
    for (size_t got = 0; *fd >= 0 && got < FAIR_SHARE;) {
        ssize_t n = read(*fd, chunk, sizeof chunk);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            return;
        if (n <= 0) {
            close(*fd);
            *fd = -1;
            return;
        }
        cell_emit(c, which, chunk, (size_t)n);
        got += (size_t)n;
        if ((size_t)n < sizeof chunk)
            return;
    }
}

static void drain_both(struct cell *c) {
    drain(c, &c->in->out, RETORT_STDOUT);
    drain(c, &c->in->err, RETORT_STDERR);
}

static int handle_frames(struct cell *c) {
    struct buf *b = &c->in->frames;
    size_t pos = 0;
    int r = 0;
    while (r == 0) {
        struct frame f;
        int64_t size = frame_peek(b->data + pos, b->len - pos, &f);
        if (size < 0)
            r = (int)size;
        if (size <= 0 || (uint64_t)size > b->len - pos)
            break;
        if (f.type != FRAME_RESULT)
            drain_both(c); /* what was printed before the frame was sent comes before it */
        r = frame_check(&f);
        if (r == 0)
            r = cell_frame(c, &f);
        pos += (size_t)size;
    }
    buf_drop(b, pos);
    return r;
}

/* A result that was sent before the interpreter had read all of its code is not accepted: the rest
 * of the code would stand in the channel, in the middle of a frame, before the next cell. */
static bool left_unread(struct cell *c) {
    if (c->said.has_result && c->send.len && !c->options->script)
        send_some(c);
    return c->said.has_result && c->send.len && !c->options->script;
}

static void read_channel(struct cell *c) {
    struct buf *b = &c->in->frames;
    char chunk[READ_SIZE];
    ssize_t n = recv(c->in->channel, chunk, sizeof chunk, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0) {
        close(c->in->channel);
        c->in->channel = -1;
        c->clock.mute_at = now_ns() + GRACE_NS; /* most likely the news of its end is under way */
        return;
    }
    c->said.bytes += (uint64_t)n;
    account_add(&c->s->account, ACCOUNT_RESULT, (uint64_t)n);
    if (c->said.bytes > MAX_RESULT || buf_add(b, chunk, (size_t)n) < 0 || handle_frames(c) < 0 ||
        left_unread(c)) {
        cell_stop(c, STOP_PROTOCOL);
        fd_done(&c->in->channel); /* nothing it says from here on counts */
    } else if (c->said.has_result && c->options->script)
        fd_done(&c->in->channel); /* which tells the program's interpreter to end */
    account_put(&c->s->account, ACCOUNT_FRAMES, session_frames(c->s));
}

/* Nobody measured the session's processes when the cell began. So takes what they had used at the
 * last look, plus the most that they can have used since. */
static void find_before(struct cell *c, uint64_t cpu_us) {
    uint64_t most = (now_ns() - c->clock.started) / 1000 * processors();
    uint64_t least = cpu_us > most ? cpu_us - most : 0;
    if (!c->facts.based && least > c->facts.before.cpu_us)
        c->facts.before.cpu_us = least;
    c->facts.based = true;
}

static void take_measured(struct cell *c, const struct ctl_measured *m) {
    c->facts.measuring = false;
    usage_measured(&c->s->usage, m);
    find_before(c, m->cpu_us);
    c->facts.used.cpu_us =
        m->cpu_us > c->facts.before.cpu_us ? m->cpu_us - c->facts.before.cpu_us : 0;
    account_put(&c->s->account, ACCOUNT_CPU, c->facts.used.cpu_us / 1000);
    locks_ask(c->s, m->cpu_us);
    if (m->memory > c->facts.memory_peak)
        c->facts.memory_peak = m->memory;
    if (m->processes > c->facts.processes + 1) /* init is not one of theirs */
        c->facts.processes = m->processes - 1;
    if (c->facts.used.cpu_us > c->limits.cpu_ms * 1000)
        cell_stop(c, STOP_CPU);
    if (m->memory > c->s->spec->limits.memory)
        cell_stop(c, STOP_MEMORY);
}

static void take_roomed(struct cell *c, const struct ctl_roomed *r) {
    usage_roomed(&c->s->usage, r);
    if (room_exceeded(c))
        cell_stop(c, STOP_MEMORY);
}

static void take_locked(struct cell *c, const struct ctl_locked *l) {
    usage_locked(&c->s->usage, l);
    if (!locks_exceeded(c->s))
        return;
    c->facts.locks_full = true;
    cell_stop(c, STOP_MEMORY);
}

/* Without a cgroup a short program has never been looked at while it ran. */
static void take_exited(struct cell *c, const struct ctl_exited *e) {
    if (c->s->usage.cgroup)
        return;
    if (e->cpu_us > c->facts.before.cpu_us + c->facts.used.cpu_us)
        c->facts.used.cpu_us = e->cpu_us - c->facts.before.cpu_us;
    if (e->peak_kb << 10 > c->facts.memory_peak)
        c->facts.memory_peak = e->peak_kb << 10;
}

static void read_ctl(struct cell *c) {
    union {
        struct ctl_head head;
        struct ctl_exited exited;
        struct ctl_measured measured;
        struct ctl_roomed roomed;
        struct ctl_locked locked;
        struct ctl_failed failed;
    } msg;
    ssize_t n = packet_recv(c->s->interp.ctl, &msg, sizeof msg, NULL, NULL, MSG_DONTWAIT);
    if (n == -EAGAIN)
        return;
    uint32_t type = n > 0 && ctl_answer_ok(&msg, (size_t)n) ? msg.head.type : 0;
    if (type == CTL_FAILED) {
        c->facts.failed = msg.failed.err;
        c->facts.exited = true;
    }
    if (type == CTL_MEASURED)
        take_measured(c, &msg.measured);
    if (type == CTL_ROOMED)
        take_roomed(c, &msg.roomed);
    if (type == CTL_LOCKED)
        take_locked(c, &msg.locked);
    if (type == CTL_EXITED &&
        (msg.exited.language != c->in->language || msg.exited.generation != c->in->generation))
        session_heard_exit(c->s, &msg.exited);
    else if (type == CTL_EXITED) {
        c->facts.exited = true;
        c->facts.exit_cpu_us = msg.exited.cpu_us;
        c->facts.exit_peak_kb = msg.exited.peak_kb;
        c->facts.wait_status = msg.exited.status;
        take_exited(c, &msg.exited);
    }
    /* The supervisor has given the session up, or has itself ended, and everything with it. */
    if (n <= 0) {
        c->facts.exited = c->killed = true;
        c->facts.wait_status = 9;
        shutdown(c->s->interp.ctl, SHUT_RDWR); /* session_disconnect closes it with all the rest */
    }
}

static void read_wake(struct cell *c) {
    uint64_t count;
    if (read(c->s->interp.interrupt, &count, sizeof count) == sizeof count)
        cell_stop(c, STOP_INTERRUPT);
}

static void turn(struct cell *c) {
    struct retort_session *s = c->s;
    struct pollfd p[] = {{c->in->out, POLLIN, 0},
                         {c->in->err, POLLIN, 0},
                         {c->in->channel, (short)(POLLIN | (c->send.len ? POLLOUT : 0)), 0},
                         {s->interp.ctl, POLLIN, 0},
                         {s->interp.interrupt, POLLIN, 0},
                         {s->uplink.fd, POLLIN, 0}};
    if (poll(p, sizeof p / sizeof *p, wait_ms(c)) > 0) {
        if (p[0].revents)
            drain(c, &c->in->out, RETORT_STDOUT);
        if (p[1].revents)
            drain(c, &c->in->err, RETORT_STDERR);
        if (p[2].revents & POLLOUT && c->send.len)
            send_some(c);
        if (p[2].revents & (POLLIN | POLLHUP | POLLERR))
            read_channel(c);
        if (p[3].revents)
            read_ctl(c);
        if (p[4].revents)
            read_wake(c);
        if (p[5].revents)
            cell_traffic_read(c);
    }
    check_clock(c);
}

bool cell_outcome_only(const struct cell *c) {
    return c->options->script && c->options->quiet && c->in->language == LANG_PYTHON &&
           c->said.has_result && !c->killed && !cell_lacked_memory(c);
}

static bool cell_ended(const struct cell *c) {
    return c->facts.exited || cell_outcome_only(c) ||
           (!c->options->script && c->said.has_result && !c->killed);
}

/* A script's traceback comes without the line that names an interrupt: if a limit sent it, that is
 * said instead. */
static void name_interrupt(struct cell *c) {
    static const char name[] = "KeyboardInterrupt\n";
    if (c->options->script && c->in->language == LANG_PYTHON && c->said.has_result &&
        c->said.kind == RESULT_INTERRUPTED && (c->stop == STOP_NONE || c->stop == STOP_INTERRUPT))
        cell_emit(c, RETORT_STDERR, name, sizeof name - 1);
}

#define REST_ROUNDS 4 /* one empties a pipe of any size; something may still be writing */

void cell_drain(struct cell *c) {
    for (uint64_t i = 0, before = ~0ull; i < REST_ROUNDS && before != c->out.total + c->err.total;
         i++) {
        before = c->out.total + c->err.total;
        drain_both(c);
    }
    if (c->facts.exited && c->in->channel >= 0 && c->stop != STOP_PROTOCOL)
        for (uint64_t seen = ~0ull; c->in->channel >= 0 && seen != c->said.bytes;) {
            seen = c->said.bytes;
            read_channel(c);
        }
    cell_show_withheld(c);
    name_interrupt(c);
    cell_traffic_end(c);
}

void cell_last_words(struct cell *c, char *ret, size_t size) {
    drain(c, &c->in->err, RETORT_STDERR);
    err_last_words(c->err.head.data, c->shown ? 0 : c->err.head.len, ret, size);
}

void cell_forget_interrupts(const struct cell *c) {
    uint64_t count;
    if (atomic_exchange(&c->s->interp.interrupt_asked, false))
        while (read(c->s->interp.interrupt, &count, sizeof count) == sizeof count)
            ;
}

bool cell_may_start(struct cell *c) {
    const struct retort_callbacks *cb = c->options->callbacks;
    cell_forget_interrupts(c);
    if (!cb || !cb->cancelled || !cb->cancelled(cb->user))
        return true;
    c->s->cells++;
    c->unstarted = true;
    c->stop = STOP_INTERRUPT;
    c->clock.started = c->clock.ended = now_ns();
    return false;
}

/* Since the last cell the guest may have said nothing but the late answer to a checkpoint. */
static void hear_idle_talk(struct cell *c) {
    for (uint64_t seen = ~0ull;
         c->in->channel >= 0 && c->stop == STOP_NONE && seen != c->said.bytes;) {
        seen = c->said.bytes;
        read_channel(c);
    }
    if (c->stop != STOP_NONE)
        buf_reset(&c->send);
    if (c->in->exited) {
        c->facts.exited = true;
        c->facts.wait_status = c->in->exit_status;
    }
}

/* Before its first cell a session has only tasks of its own, and it never has fewer. Since an
 * interpreter was left alone it has done nothing but what we asked for in idle time, and that
 * succeeded unless a checkpoint was dropped. */
static void measure_before(struct cell *c) {
    struct retort_session *s = c->s;
    const struct measure *last =
        s->usage.only_own && !s->timeline.checkpoint_dropped ? &s->usage.counted : NULL;
    s->usage.only_own = false;
    if (measure_begin((int)s->usage.cgroup, s->usage.measure, last, &c->facts.before) < 0)
        return;
    locks_begin(s, c->facts.before.cpu_us);
    if (last)
        return;
    uint64_t own = c->facts.before.tasks - s->timeline.has_checkpoint;
    if (s->usage.own_tasks != OWN_UNKNOWN && (!s->usage.own_tasks || own < s->usage.own_tasks))
        s->usage.own_tasks = own;
}

/* Without a cgroup: up to the last look (leftover.c). */
static uint64_t idle_cpu_us(const struct retort_session *s, uint64_t now_us) {
    const struct usage *u = &s->usage;
    if (u->cgroup)
        return u->counted.cpu_us && now_us > u->counted.cpu_us ? now_us - u->counted.cpu_us : 0;
    return u->leftover.cell == s->cells ? u->leftover.used_us : 0;
}

int cell_run(struct cell *c, const char *code, size_t len, struct retort_error *err) {
    struct retort_session *s = c->s;
    int r =
        c->in->greeted || cell_is_program(c) ? 0 : cell_put_hello(c->s, c->in, c->number, &c->send);
    if (r == 0)
        r = cell_put_tools(c);
    if (r == 0 && !cell_is_program(c))
        r = put_cell(c, code, len);
    if (r < 0)
        return err_errno(err, ERR_CALLER, -r, "the code is too long");
    if (s->usage.cgroup) {
        measure_before(c);
        room_before(c);
    } else
        c->facts.before.cpu_us = s->usage.tree_cpu_us;
    c->facts.idle_cpu_us = idle_cpu_us(s, c->facts.before.cpu_us);
    if (!c->options->script)
        hear_idle_talk(c);
    cell_traffic_begin(c);
    c->in->greeted = true;
    s->cells++;
    c->clock.started = now_ns();
    c->clock.deadline = c->clock.started + c->limits.timeout_ms * 1000000;
    c->clock.look_at = c->clock.started + next_look(c, 0, c->facts.before.peak_bytes);
    if (c->options->callbacks && c->options->callbacks->tick)
        c->clock.tick_at = c->clock.started + TICK_NS;
    if (c->seq)
        c->clock.settle_at = c->clock.started + SETTLE_NS;
    if (c->send.len)
        send_some(c);
    while (!cell_ended(c))
        turn(c);
    c->clock.ended = now_ns();
    return 0;
}
