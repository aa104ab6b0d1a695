#include "engine/session/supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "engine/files/collector.h"

/* A supervisor that ends is noticed at once. One that lives may have to import pandas first, which takes
 * minutes where forty processes want each processor. */
#define PATIENCE_MS 300000

int session_expect(struct retort_session *s, void *msg, size_t size, int *fds, size_t *nfds,
                   struct retort_error *err) {
    if (!readable_within(s->interp.ctl, PATIENCE_MS))
        return err_errno(err, ERR_HOST, ETIMEDOUT, "the supervisor does not answer");
    ssize_t len = packet_recv(s->interp.ctl, msg, size, fds, nfds, 0);
    if (len == -EMFILE)
        return err_errno(err, ERR_HOST, EMFILE, "cannot take the descriptors of the session");
    if (len <= 0)
        return pair_failure(s->pair, err);
    if (!ctl_answer_ok(msg, (size_t)len)) {
        for (size_t i = 0; nfds && i < *nfds; i++)
            close(fds[i]);
        return err_set(err, ERR_BUG, EPROTO, "the supervisor is of another version");
    }
    return (int)((const struct ctl_head *)msg)->type;
}

/* Waits for one message, and takes note of it. */
static int session_hear(struct retort_session *s, int *fds, size_t *nfds) {
    union {
        struct ctl_head head;
        struct ctl_exited exited;
        struct ctl_measured measured;
        struct ctl_killed killed;
        struct ctl_roomed roomed;
        struct ctl_locked locked;
    } msg;
    int type = session_expect(s, &msg, sizeof msg, fds, nfds, NULL);
    if (type == CTL_EXITED)
        session_heard_exit(s, &msg.exited);
    if (type == CTL_KILLED) {
        s->usage.swept = msg.killed.killed;
        s->usage.living = msg.killed.living;
    }
    if (type == CTL_ROOMED)
        usage_roomed(&s->usage, &msg.roomed);
    if (type == CTL_LOCKED)
        usage_locked(&s->usage, &msg.locked);
    if (type == CTL_MEASURED)
        usage_measured(&s->usage, &msg.measured);
    return type;
}

void session_catch_up(struct retort_session *s) {
    while (s->interp.ctl >= 0 && readable_within(s->interp.ctl, 0) &&
           session_hear(s, NULL, NULL) >= 0)
        ;
}

int session_await(struct retort_session *s, enum ctl_type a, enum ctl_type b, int *fds,
                  size_t *nfds) {
    for (;;) {
        size_t room = nfds ? *nfds : 0;
        int type = session_hear(s, fds, nfds ? &room : NULL);
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
    uint64_t began = now_ns();
    s->usage.cells_unswept = 0;
    bool swept = interp_command(&s->interp, CTL_KILL_STRAYS) == 0 &&
                 session_await(s, CTL_KILLED, CTL_KILLED, NULL, NULL) == CTL_KILLED;
    s->usage.sweep_ns = lasting_ns(s->usage.sweep_ns, now_ns() - began);
    return swept ? s->usage.swept : 0;
}

void session_cut(struct retort_session *s, const struct interp *i) {
    if (interp_order(i, CTL_KILL_CELL) == 0)
        session_await(s, CTL_KILLED, CTL_KILLED, NULL, NULL);
}

static int write_variable(void *to, const char *variable) {
    return write_all(*(int *)to, variable, strlen(variable) + 1);
}

static int variables_memfd(const struct session_spec *spec) {
    int fd = memfd_create("retort", MFD_CLOEXEC);
    int r = fd < 0 ? -errno : spec_variables(spec, write_variable, &fd);
    if (r < 0 && fd >= 0)
        close(fd);
    return r < 0 ? r : fd;
}

int session_go(struct retort_session *s, const char *code, size_t len, struct retort_error *err) {
    struct ctl_head head = {CTL_RUN_BASH, sizeof head};
    scoped_fd fd = memfd_create("program", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    int r = fd < 0 ? -errno : write_all(fd, code, len);
    if (r == 0 &&
        (lseek(fd, 0, SEEK_SET) < 0 ||
         fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) < 0))
        r = -errno;
    if (r == 0)
        r = packet_send(s->interp.ctl, &head, sizeof head, &fd, 1);
    return r < 0 ? err_errno(err, ERR_HOST, -r, "cannot pass the program") : 0;
}

int session_go_live(struct retort_session *s, struct retort_error *err) {
    if (s->interp.language != LANG_BASH || s->interp.greeted)
        return 0;
    int r = interp_command(&s->interp, CTL_LIVE_BASH);
    return r < 0 ? err_errno(err, ERR_HOST, -r, "cannot reach the session") : 0;
}

static void take_created(struct retort_session *s, const struct ctl_created *c, const int *fds,
                         size_t nfds) {
    isolation_take(&s->iso, c);
    usage_take(&s->usage, c, fds, nfds);
    s->interp.warm = c->warm;
    s->interp.channel = fds[CREATED_CHANNEL];
    s->interp.out = fds[CREATED_STDOUT];
    s->interp.err = fds[CREATED_STDERR];
    s->files.collector.ctl = s->interp.ctl;
    s->files.work = fds[CREATED_WORK];
}

static int write_trust(struct retort_session *s, struct retort_error *err) {
    scoped_free char *bundle =
        gateway_bundle(&s->engine->gateway, s->engine->pairs.settings.libexec, err);
    if (!bundle)
        return -ENOMEM;
    scoped_fd fd = collector_trust(&s->files.collector, err);
    if (fd < 0)
        return fd;
    int r = write_all(fd, bundle, strlen(bundle));
    return r < 0 ? err_errno(err, ERR_LIMIT, -r,
                             "cannot write the certificates that the session trusts")
                 : 0;
}

int session_uplink(struct retort_session *s, struct retort_error *err) {
    pid_t gate = 0;
    if (!(s->iso.layers & LAYER_BIT(LAYER_NET)))
        return err_layer(err, "net", 0,
                         "a gate to the network needs a network of the session's own");
    if (s->spec->reads && write_trust(s, err) < 0)
        return -EIO;
    scoped_fd listener = collector_listen(&s->files.collector, err);
    if (listener < 0)
        return listener;
    int r = gateway_open(&s->engine->gateway, s->engine->pairs.settings.libexec, listener,
                         s->spec->network, &gate, err);
    if (r >= 0)
        uplink_open(&s->uplink, r, gate);
    return r < 0 ? r : 0;
}

int session_await_created(struct retort_session *s, struct retort_error *err) {
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
        return s->spec->network ? session_uplink(s, err) : 0;
    }
    for (size_t i = 0; r >= 0 && i < nfds; i++)
        close(fds[i]);
    if (r == CTL_FAILED) {
        *err = msg.failed.err;
        return err->code ? -err->code : -EIO;
    }
    return r < 0 ? r : err_set(err, ERR_BUG, EPROTO, "unexpected answer of the supervisor");
}

/* One attempt at it, with this supervisor of its pair. */
static int ask_for_session(struct retort_session *s, const struct ctl_create *create,
                           unsigned generation, struct retort_error *err) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return err_errno(err, ERR_HOST, errno, "cannot make a socket");
    s->interp.ctl = pair[0];
    scoped_fd theirs = pair[1];
    scoped_fd extra = variables_memfd(s->spec);
    if (extra < 0)
        return err_errno(err, ERR_HOST, -extra, "cannot pass the environment");
    if (pair_ask(s->pair, create, (int[]){theirs, extra}, generation) < 0)
        return pair_failure(s->pair, err);
    fd_done(&theirs); /* or its end would never show */
    return session_await_created(s, err);
}

/* A supervisor that is alive closes the socket without an answer if it had no descriptor left for
 * it. */
static int name_cause(struct pair *p, int r, struct retort_error *err) {
    return r == -EPIPE && pair_lives(p)
               ? err_errno(err, ERR_HOST, EMFILE, "the supervisor cannot take the session")
               : r;
}

/* We may find out only now that a supervisor has died, and the next one may die as well. */
int session_connect(struct retort_session *s, struct retort_error *err) {
    struct pairs *pairs = &s->engine->pairs;
    struct ctl_create create;
    spec_message(s->spec, &create);
    for (int tries = 1;; tries++) {
        unsigned generation = 0;
        struct pair *p = s->pair = pairs_place(pairs, &create, &generation);
        atomic_fetch_add(&p->births, 1);
        int r = ask_for_session(s, &create, generation, err);
        atomic_fetch_sub(&p->births, 1);
        if (r == 0)
            pairs_made(pairs, p, &create, generation);
        if (r == 0 || !pairs_mend(pairs, p, &create, generation, r) || tries == SUPERVISOR_TRIES)
            return name_cause(p, r, err);
        session_disconnect(s);
    }
}

bool session_was_left(const struct retort_session *s) {
    return s->engine->pairs.settings.pool && s->interp.ctl >= 0 && hung_up(s->interp.ctl);
}

int session_reconnect(struct retort_session *s, struct retort_error *err) {
    session_disconnect(s);
    s->interp.greeted = s->interp.exited = false;
    s->interp.generation = 0;
    s->interp.unanswered = 0;
    return session_connect(s, err);
}
