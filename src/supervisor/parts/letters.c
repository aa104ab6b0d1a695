#include "supervisor/parts/letters.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/io.h"
#include "base/scope.h"
#include "supervisor/session.h"
#include "supervisor/sockets.h"

#define AGAIN_NS 2000000ull
#define GIVE_UP_NS 10000000000ull

struct letter {
    struct letter *next;
    int fds[CREATED_FDS];
    size_t nfds, len;
    char bytes[];
};

/* Letters of all sessions: most often none, and then we look at no session. */
static unsigned waiting;

bool letters_may_wait(int sent) {
    return sent == -ENOBUFS || sent == -ENOMEM;
}

static void letter_free(struct letter *l) {
    close_all(l->fds, l->nfds);
    free(l);
    waiting--;
}

static struct letter *letter_new(const void *msg, size_t len, const int *fds, size_t nfds) {
    struct letter *l = nfds > CREATED_FDS ? NULL : malloc(sizeof *l + len);
    if (!l)
        return NULL;
    waiting++;
    *l = (struct letter){.nfds = nfds, .len = len};
    memcpy(l->bytes, msg, len);
    bool whole = true;
    for (size_t i = 0; i < nfds; i++)
        whole = (l->fds[i] = fcntl(fds[i], F_DUPFD_CLOEXEC, 0)) >= 0 && whole;
    if (whole)
        return l;
    letter_free(l);
    return NULL;
}

int letters_keep(struct session *s, const void *msg, size_t len, const int *fds, size_t nfds) {
    struct letters *box = &s->letters;
    struct letter *l = letter_new(msg, len, fds, nfds), **last = &box->first;
    if (!l)
        return -ENOMEM;
    if (!box->first) {
        box->look_at = now_ns() + AGAIN_NS;
        box->until = now_ns() + GIVE_UP_NS;
    }
    while (*last)
        last = &(*last)->next;
    *last = l;
    return 0;
}

void letters_done(struct letters *box) {
    for (struct letter *l; (l = box->first);) {
        box->first = l->next;
        letter_free(l);
    }
}

const char *letters_broken(const struct session *s) {
    return s->letters.first && s->ctl.fd < 0 ? "something is to be told to nobody" : NULL;
}

uint64_t letters_next(void) {
    uint64_t next = UINT64_MAX;
    for (const struct session *s = sup.sessions; waiting && s; s = s->next)
        if (s->letters.first && s->letters.look_at < next)
            next = s->letters.look_at;
    return next;
}

/* If an owner cannot be told for too long, we close its socket. */
static void send_letters(struct session *s, uint64_t now) {
    int r = 0;
    for (struct letter *l; r == 0 && (l = s->letters.first);) {
        r = packet_send(s->ctl.fd, l->bytes, l->len, l->fds, l->nfds);
        if (r < 0)
            break;
        s->letters.first = l->next;
        letter_free(l);
    }
    if (r < 0 && (!letters_may_wait(r) || now >= s->letters.until)) {
        letters_done(&s->letters);
        shutdown(s->ctl.fd, SHUT_RDWR);
    }
    s->letters.look_at = now + AGAIN_NS;
}

void letters_look(void) {
    uint64_t now = waiting ? now_ns() : 0;
    for (struct session *s = sup.sessions; waiting && s; s = s->next)
        if (s->letters.first && s->letters.look_at <= now)
            send_letters(s, now);
}
