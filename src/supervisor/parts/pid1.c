#include "supervisor/parts/pid1.h"

#include <signal.h>

#include "base/scope.h"
#include "sandbox/process.h"
#include "supervisor/session.h"

void pid1_init(struct pid1 *init) {
    *init = (struct pid1){.pidfd = -1, .sock = SOURCE_NONE};
}

void pid1_kill(const struct pid1 *init) {
    if (init->pidfd >= 0)
        process_signal(init->pidfd, SIGKILL);
}

void pid1_done(struct pid1 *init) {
    source_done(&init->sock);
    fd_done(&init->pidfd);
}

const char *pid1_broken(const struct session *s) {
    bool held = s->pid1.pidfd >= 0 || s->state == SESSION_DYING;
    return s->pid1.pid && !held ? "init is not held" : NULL;
}
