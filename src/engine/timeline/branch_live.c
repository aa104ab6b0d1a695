#include "engine/timeline/branch.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "engine/session/supervisor.h"

#define PATIENCE_MS 5000 /* for a fork, and a copy that opens its files again */
#define PATIENCE_NS (PATIENCE_MS * 1000000ull)

int branch_live_ask(struct retort_session *to, struct retort_session *from,
                    struct retort_error *err) {
    struct ctl_head head = {CTL_BRANCH, sizeof head};
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return err_errno(err, ERR_HOST, errno, "cannot make a socket");
    to->pair = pair_join(from->pair);
    to->interp.ctl = pair[0];
    scoped_fd theirs = pair[1];
    int r = packet_send(from->interp.ctl, &head, sizeof head, &theirs, 1);
    return r < 0 ? err_errno(err, ERR_HOST, -r, "the supervisor is gone") : 0;
}

static int await_nest(struct retort_session *to, struct retort_error *err) {
    union {
        struct ctl_head head;
        struct ctl_failed failed;
    } msg;
    int fd = -1;
    size_t nfds = 1;
    int type = session_expect(to, &msg, sizeof msg, &fd, &nfds, err);
    if (type == CTL_NEST && nfds == 1)
        return fd;
    if (type == CTL_FAILED)
        *err = msg.failed.err;
    return type < 0 ? type : -EPROTO;
}

/* The answer says that the forker has ended. We may not have heard from the copy yet. */
static int ask_interpreter(struct retort_session *from, int fd, struct retort_error *err) {
    struct frame f;
    int r = interp_send_socket(&from->interp, FRAME_BRANCH, fd);
    if (r == 0)
        r = interp_await_frame(&from->interp, FRAME_CHECKPOINTED, PATIENCE_NS, &f);
    if (r < 0) {
        from->interp.unanswered++;
        return err_errno(err, ERR_GUEST, -r, "the interpreter does not answer");
    }
    bool failed = interp_fork_failed(&f);
    interp_consume(&from->interp, &f);
    return failed ? err_set(err, ERR_GUEST, EAGAIN, "the interpreter could not fork") : 0;
}

static int await_copy(struct retort_session *to, struct retort_error *err) {
    struct frame f;
    if (!readable_within(to->interp.ctl, PATIENCE_MS))
        return err_set(err, ERR_GUEST, ETIMEDOUT, "the branch does not answer");
    int r = session_await_created(to, err);
    if (r == 0 && (r = interp_await_frame(&to->interp, FRAME_RESUMED, PATIENCE_NS, &f)) < 0)
        err_errno(err, ERR_GUEST, -r, "the branch does not answer");
    if (r < 0)
        return r;
    interp_take_notes(&f, to->timeline.notes);
    interp_consume(&to->interp, &f);
    to->interp.greeted = to->interp.ready = true;
    to->usage.room.files = to->spec->limits.disk; /* for which the supervisor has made way */
    return 0;
}

int branch_live_fork(struct retort_session *to, struct retort_session *from,
                     struct retort_error *err) {
    scoped_fd fd = await_nest(to, err);
    int r = fd < 0 ? fd : ask_interpreter(from, fd, err);
    fd_done(&fd); /* or its end would never show */
    if (r == 0)
        r = await_copy(to, err);
    if (r < 0)
        session_disconnect(to);
    return r;
}
