#include "engine/session/rest.h"

#include <errno.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "engine/session/session.h"

#define QUIET_NS 500000000ull
#define EACH 12 /* descriptors of a session that has no files */
#define MOST (4 + CREATED_MEASURES)

_Static_assert(MOST <= PACKET_MAX_FDS, "they go into one message");

bool engine_rests(const struct retort_engine *e) {
    struct rlimit limit;
    return geteuid() == 0 && getrlimit(RLIMIT_NOFILE, &limit) == 0 &&
           (rlim_t)e->count * EACH > limit.rlim_cur / 2;
}

bool session_may_rest(const struct retort_session *s) {
    return s->state == SESSION_LIVE && s->idle.rest < 0 && !s->idle.queued &&
           now_ns() - s->idle.used_ns > QUIET_NS && now_ns() - s->idle.restless_ns > QUIET_NS;
}

static void places(struct retort_session *s, int *ret[MOST]) {
    ret[0] = &s->interp.out;
    ret[1] = &s->interp.err;
    ret[2] = &s->files.work;
    ret[3] = &s->usage.net;
    for (int i = 0; i < CREATED_MEASURES; i++)
        ret[4 + i] = &s->usage.measure[i];
}

/* An upload needs to know how full the disk is. */
void session_rest(struct retort_session *s) {
    int *place[MOST], fds[MOST], pair[2];
    uint32_t which = 0;
    size_t n = 0;
    if (!session_may_rest(s) || s->files.nuploads || s->usage.cells_unswept)
        return;
    places(s, place);
    for (size_t i = 0; i < MOST; i++)
        if (*place[i] >= 0) {
            which |= 1u << i;
            fds[n++] = *place[i];
        }
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return;
    scoped_fd from = pair[0], rest = pair[1];
    if (packet_send(from, &which, sizeof which, fds, n) < 0 || !interp_deafen(&s->interp))
        return; /* it can do without */
    s->idle.rest = take_fd(&rest);
    for (size_t i = 0; i < MOST; i++)
        fd_done(place[i]);
}

/* Looked at, so that they are there still if this fails. */
static int look(int rest, int *const place[MOST]) {
    uint32_t which = 0;
    int fds[MOST];
    size_t n = MOST, next = 0;
    ssize_t len = packet_recv(rest, &which, sizeof which, fds, &n, MSG_PEEK | MSG_DONTWAIT);
    if (len != sizeof which)
        return len < 0 ? (int)len : -EPROTO;
    for (size_t i = 0; i < MOST && next < n; i++)
        if (which & 1u << i)
            *place[i] = fds[next++];
    return 0;
}

int session_stir(struct retort_session *s, struct retort_error *err) {
    int *place[MOST];
    if (s->idle.rest < 0)
        return 0;
    places(s, place);
    scoped_fd event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    int r = event < 0 ? -errno : look(s->idle.rest, place);
    if (r < 0)
        return err_errno(err, ERR_HOST, -r, "cannot take the descriptors of the session");
    s->interp.interrupt = take_fd(&event);
    close(s->idle.rest);
    s->idle.rest = -1;
    return 0;
}
