#include "supervisor/branch/gate.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "sandbox/process.h"
#include "supervisor/branch/branch.h"

/* A guest that asks without end would keep us from serving others: after this many refusals we
 * close the listener, and the kernel refuses by itself. */
#define REFUSALS 1000
/* What is only noted a program may do as often as it likes. But our time for it is counted to nobody,
 * some 15 us each: whoever does it more often in a while than this waits until the next one. */
#define NOTED 20
#define WHILE_NS 10000000ull

struct gate {
    struct source source;
    struct gate *next; /* that is paused */
    unsigned refs, refused, noted;
    uint64_t until;     /* the end of the while in which so many were noted */
    bool heard, paused; /* a call was made whose effect lasts */
};

static struct gate *paused;

/* A newer kernel may use a larger structure. */
union question {
    struct seccomp_notif notif;
    char room[512];
};

/* We poll first, because in older kernels (6.1 is one) receiving from a listener whose last process
 * has ended waits for ever. A question may vanish a moment later; then receiving fails. */
static bool is_asked(struct source *source) {
    struct pollfd p = {.fd = source->fd, .events = POLLIN};
    if (poll(&p, 1, 0) > 0 && p.revents & POLLIN)
        return true;
    if (p.revents & (POLLHUP | POLLERR))
        source_done(source);
    return false;
}

/* The process that asked may have been killed since, and its number given to another. We hold a
 * pidfd first and then check that the question still waits: so the pidfd is of the process that
 * asked. A thread that is not the first of its process cannot be held, but none of ours asks. */
static bool still_asks(int listener, uint64_t id, int pidfd) {
    return pidfd >= 0 && ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

/* Arguments in registers cannot change, and it does not matter which process asked: all that share
 * this gate count as one session here. */
static bool is_noted(struct gate *gate, int nr) {
    if (nr != SYS_setsockopt && nr != SYS_shmget && nr != SYS_semget && nr != SYS_msgget &&
        nr != SYS_mq_open)
        return false;
    gate->heard = true;
    return true;
}

static void pause_after(struct gate *gate) {
    uint64_t now = now_ns();
    if (now >= gate->until) {
        gate->until = now + WHILE_NS;
        gate->noted = 0;
    }
    if (++gate->noted < NOTED)
        return;
    source_pause(&gate->source);
    gate->paused = true;
    gate->next = paused;
    paused = gate;
}

static void unpause(struct gate *gate) {
    struct gate **p = &paused;
    while (*p != gate)
        p = &(*p)->next;
    *p = gate->next;
    gate->paused = false;
}

uint64_t gates_next(void) {
    uint64_t first = UINT64_MAX;
    for (const struct gate *gate = paused; gate; gate = gate->next)
        first = gate->until < first ? gate->until : first;
    return first;
}

void gates_look(void) {
    uint64_t now = paused ? now_ns() : 0;
    for (struct gate *gate = paused, *next; gate; gate = next) {
        next = gate->next;
        if (gate->until > now)
            continue;
        unpause(gate);
        source_resume(&gate->source);
    }
}

static bool is_permitted(struct gate *gate, const struct seccomp_notif *asked) {
    pid_t pid = (pid_t)asked->pid;
    scoped_fd held = process_hold(pid);
    bool permitted = still_asks(gate->source.fd, asked->id, held) &&
                     branch_permits(gate, pid, held, asked->data.nr, (int)asked->data.args[1]);
    gate->refused += !permitted;
    return permitted;
}

static void on_gate(struct source *source) {
    struct gate *gate = source->owner;
    union question q = {0};
    if (!is_asked(source) || ioctl(source->fd, SECCOMP_IOCTL_NOTIF_RECV, &q.notif) < 0)
        return;
    struct seccomp_notif_resp answer = {.id = q.notif.id, .error = -EPERM};
    bool noted = is_noted(gate, q.notif.data.nr);
    if (noted || is_permitted(gate, &q.notif)) {
        answer.error = 0;
        answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    }
    ioctl(source->fd, SECCOMP_IOCTL_NOTIF_SEND, &answer); /* fails if the caller is gone */
    if (gate->refused >= REFUSALS)
        source_done(source);
    else if (noted && !gate->paused)
        pause_after(gate);
}

void gate_raise(struct gate *gate) {
    if (gate && !gate->paused)
        source_raise(&gate->source);
}

struct gate *gate_new(int fd) {
    struct gate *gate = fd < 0 ? NULL : calloc(1, sizeof *gate);
    if (!gate) {
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    gate->refs = 1;
    gate->source = (struct source){.fd = fd, .ready = on_gate, .owner = gate};
    source_add(&gate->source); /* if it fails, the listener is closed, and no branch can be live */
    return gate;
}

struct gate *gate_ref(struct gate *gate) {
    if (gate)
        gate->refs++;
    return gate;
}

void gate_unref(struct gate *gate) {
    if (!gate || --gate->refs)
        return;
    if (gate->paused)
        unpause(gate);
    source_done(&gate->source);
    free(gate);
}

bool gate_is_open(const struct gate *gate) {
    return gate && gate->source.fd >= 0;
}

bool gate_heard_nothing(const struct gate *gate) {
    return gate && !gate->heard;
}
