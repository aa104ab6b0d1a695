#include "supervisor/requests.h"

#include <errno.h>
#include <signal.h>
#include <sys/socket.h>

#include "base/io.h"
#include "base/scope.h"
#include "sandbox/process.h"
#include "supervisor/branch/branch.h"
#include "supervisor/files/collector.h"
#include "supervisor/parts/checkpoint.h"
#include "supervisor/parts/companion.h"
#include "supervisor/parts/killing.h"
#include "supervisor/parts/memory.h"
#include "supervisor/sockets.h"

#define MOST_DESCRIPTORS 1

union body {
    struct ctl_head head;
    struct ctl_room room;
    struct ctl_which which;
    struct ctl_start start;
};

/* Takes the descriptor out of *fd if it keeps it. */
typedef void request_fn(struct session *s, const union body *body, int *fd);

static void request_killed(struct session *s, int killed) {
    int living = cgroup_tasks(&s->cgroup);
    struct ctl_killed told = {{CTL_KILLED, sizeof told},
                              killed > 0 ? (uint32_t)killed : 0,
                              living > 0 ? (uint32_t)living : 0};
    session_tell(s, &told, sizeof told, NULL, 0);
}

static void request_cell_killed(struct session *s, int killed) {
    if (killed < 0)
        session_kill(s); /* a process would not die: killing pid 1 ends everything */
    else
        request_killed(s, 0);
}

static bool known(struct session *s, const union body *body) {
    bool is = body->which.language < LANG_COUNT;
    if (!is)
        session_dismiss(s, -1);
    return is;
}

static void request_kill_strays(struct session *s, const union body *body, int *fd) {
    (void)body, (void)fd;
    int killed = killing_begin(s, 0, request_killed);
    if (killed != -EINPROGRESS)
        request_killed(s, killed);
}

static void request_kill_cell(struct session *s, const union body *body, int *fd) {
    (void)fd;
    if (!known(s, body))
        return;
    int killed = killing_begin(s, LANGUAGE_BIT(body->which.language), request_cell_killed);
    if (killed != -EINPROGRESS)
        request_cell_killed(s, killed);
}

static void request_interrupt(struct session *s, const union body *body, int *fd) {
    (void)fd;
    if (known(s, body))
        process_signal(companion_pidfd(s, body->which.language), SIGINT); /* fails if it is gone */
}

static void request_poke(struct session *s, const union body *body, int *fd) {
    (void)fd;
    if (known(s, body))
        process_signal(companion_pidfd(s, body->which.language), SIGURG);
}

static void request_measure(struct session *s, const union body *body, int *fd) {
    (void)body, (void)fd;
    memory_measure(s);
}

static void request_locks(struct session *s, const union body *body, int *fd) {
    (void)body, (void)fd;
    memory_locks(s);
}

static void request_collect(struct session *s, const union body *body, int *fd) {
    (void)body;
    if (s->network.collected)
        session_dismiss(s, -1);
    else
        collector_start(s, *fd);
}

static void request_room(struct session *s, const union body *body, int *fd) {
    (void)fd;
    memory_room(s, body->room.files);
}

static void request_checkpoint(struct session *s, const union body *body, int *fd) {
    (void)body, (void)fd;
    checkpoint_prepare(s);
}

static void request_resume(struct session *s, const union body *body, int *fd) {
    (void)body, (void)fd;
    checkpoint_resume(s);
}

static void request_branch(struct session *s, const union body *body, int *fd) {
    (void)body;
    branch_create(s, take_fd(fd));
}

/* If this bash has ended meanwhile, that is reported elsewhere. */
static void request_run_bash(struct session *s, const union body *body, int *fd) {
    (void)body;
    if (s->terms.language != LANG_BASH)
        session_dismiss(s, -1);
    else if (s->interp.setup.fd >= 0)
        packet_send(s->interp.setup.fd, "g", 1, fd, 1);
}

static void request_live_bash(struct session *s, const union body *body, int *fd) {
    (void)body, (void)fd;
    if (s->terms.language != LANG_BASH)
        session_dismiss(s, -1);
    else if (s->interp.setup.fd >= 0)
        packet_send(s->interp.setup.fd, "l", 1, NULL, 0);
}

static void request_start(struct session *s, const union body *body, int *fd) {
    (void)fd;
    if (!ctl_start_ok(&body->start) || body->start.language == s->terms.language)
        session_dismiss(s, -1);
    else
        companion_start(s, &body->start);
}

static void request_end(struct session *s, const union body *body, int *fd) {
    (void)body;
    session_dismiss(s, take_fd(fd));
}

static request_fn *const handlers[] = {
#define REQUEST(type, body, descriptors, states, handler, why) handler,
#include "supervisor/requests.def"
#undef REQUEST
};

/* We lack descriptors, and the kernel closed what came with the request. For a branch or a
 * collector the closed socket is the refusal; any other request that has a descriptor cannot do
 * without it. */
static bool may_be_lost(ssize_t received, const union body *body) {
    return received == -EMFILE && (body->head.type == CTL_BRANCH || body->head.type == CTL_COLLECT);
}

void requests_serve(struct source *source) {
    struct session *s = source->owner;
    /* The socket has ended, perhaps after further requests: we read it later. */
    if (killing_goes_on(s))
        return;
    union body body = {.head = {0}};
    int fds[MOST_DESCRIPTORS + 1] = {-1, -1}; /* one more, so that we see if there are too many */
    size_t nfds = MOST_DESCRIPTORS + 1, row = 0;
    ssize_t n = packet_recv(source->fd, &body, sizeof body, fds, &nfds, MSG_DONTWAIT);
    if (nothing_yet(n) || may_be_lost(n, &body))
        return;
    switch (request_judge(&body, n > 0 ? (size_t)n : 0, nfds, s->state, &row)) {
    case REQUEST_SERVE: handlers[row](s, &body, &fds[0]); break;
    case REQUEST_DROP: break;
    case REQUEST_END: session_dismiss(s, -1); break;
    }
    close_all(fds, nfds);
}
