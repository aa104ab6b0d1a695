#include "engine/pairs/pairs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"

/* Which pairs have a zygote for an environment. */
struct warmth {
    struct warmth *next;
    struct ctl_environment env;
    uint32_t flags;
    uint32_t warm;         /* one bit for each pair */
    int coming[MAX_PAIRS]; /* the session that makes it warm, to be ended when it is there; or -1 */
};

void pairs_init(struct pairs *all, const struct pair_settings *settings, unsigned count) {
    *all = (struct pairs){.settings = *settings, .count = count};
    all->settings.count = count;
    pthread_mutex_init(&all->lock, NULL);
    for (unsigned i = 0; i < count; i++)
        pair_init(&all->at[i], &all->settings, i > 0);
}

void pairs_done(struct pairs *all) {
    for (struct warmth *w = all->warmths, *next; w; w = next) {
        next = w->next;
        for (unsigned i = 0; i < all->count; i++)
            fd_done(&w->coming[i]);
        free(w);
    }
    for (unsigned i = 0; i < all->count; i++)
        pair_done(&all->at[i]);
    pthread_mutex_destroy(&all->lock);
}

/* Without the first there is no engine; the others are there to make it faster. */
int pairs_start(struct pairs *all, struct retort_error *err) {
    int r = pair_start(&all->at[0], err);
    for (unsigned i = 1; r == 0 && i < all->count; i++)
        all->at[i].off = pair_start(&all->at[i], NULL) < 0;
    return r;
}

/* All of them end at the same time. */
void pairs_stop(struct pairs *all) {
    for (unsigned i = 0; i < all->count; i++)
        pair_end(&all->at[i]);
    for (unsigned i = 0; i < all->count; i++)
        pair_stop(&all->at[i]);
}

/* --- what is warm --- */

static bool is_forked(const struct pairs *all, const struct ctl_create *create) {
    return all->settings.pool && create->language == LANG_PYTHON && !(create->flags & CREATE_FRESH);
}

static struct warmth *find_warmth(const struct pairs *all, const struct ctl_create *create) {
    struct warmth *w = all->warmths;
    while (w && (w->flags != (create->flags & CREATE_DETERMINISTIC) ||
                 memcmp(&w->env, &create->env, sizeof w->env) != 0))
        w = w->next;
    return w;
}

static struct warmth *get_warmth(struct pairs *all, const struct ctl_create *create) {
    struct warmth *w = find_warmth(all, create);
    if (w || all->nwarmths >= MAX_WARMTHS || !(w = calloc(1, sizeof *w)))
        return w;
    w->env = create->env;
    w->flags = create->flags & CREATE_DETERMINISTIC;
    for (unsigned i = 0; i < MAX_PAIRS; i++)
        w->coming[i] = -1;
    w->next = all->warmths;
    all->warmths = w;
    all->nwarmths++;
    return w;
}

/* Ends the sessions that pairs were asked for only to become warm, if they have been made by now. */
static void hear_of_warm(const struct pairs *all, struct warmth *w) {
    struct ctl_created created;
    for (unsigned i = 0; i < all->count; i++) {
        int fds[CREATED_FDS];
        size_t nfds = CREATED_FDS;
        ssize_t n = w->coming[i] < 0 ? -EAGAIN
                                     : packet_recv(w->coming[i], &created, sizeof created, fds,
                                                   &nfds, MSG_DONTWAIT);
        if (n == -EAGAIN || n == -EINTR)
            continue;
        if (n == sizeof created && created.head.type == CTL_CREATED)
            w->warm |= 1u << i;
        for (size_t k = 0; n > 0 && k < nfds; k++)
            close(fds[k]);
        fd_done(&w->coming[i]);
    }
}

/* --- the choice --- */

static struct pair *least_busy(struct pairs *all, uint32_t among) {
    struct pair *found = NULL;
    for (unsigned i = 0; i < all->count; i++) {
        struct pair *p = &all->at[i];
        if (among & 1u << i && !p->off && (!found || p->sessions < found->sessions))
            found = p;
    }
    return found;
}

/* A cold pair, and its end of the socket on which it will say that it is warm; NULL: there is none. */
static struct pair *find_cold(struct pairs *all, struct warmth *w, int *ret_theirs) {
    int pair[2];
    for (unsigned i = 0; i < all->count; i++) {
        if (all->at[i].off || w->warm & 1u << i || w->coming[i] >= 0)
            continue;
        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
            return NULL;
        w->coming[i] = pair[0];
        *ret_theirs = pair[1];
        return &all->at[i];
    }
    return NULL;
}

static struct pair *choose_pair(struct pairs *all, const struct ctl_create *create,
                                struct pair **ret_cold, int *ret_theirs) {
    struct warmth *w = is_forked(all, create) ? get_warmth(all, create) : NULL;
    if (w)
        hear_of_warm(all, w);
    struct pair *p = least_busy(all, w && w->warm ? w->warm : ~0u);
    if (!p)
        p = least_busy(all, ~0u);
    if (!p)
        return &all->at[0]; /* none can make sessions; this one says why */
    if (w)
        w->warm |= 1u << (p - all->at);
    if (w && p->births > 0)
        *ret_cold = find_cold(all, w, ret_theirs);
    return p;
}

/* Asks for a session that nobody will use: to make it, the pair must start a zygote. */
static void make_warm(struct pair *p, const struct ctl_create *create, int sock) {
    unsigned generation;
    scoped_fd theirs = sock;
    scoped_fd variables = memfd_create("retort", MFD_CLOEXEC);
    if (variables >= 0)
        pair_ask(p, create, (int[]){theirs, variables}, &generation);
}

struct pair *pairs_place(struct pairs *all, const struct ctl_create *create) {
    struct pair *cold = NULL;
    int theirs = -1;
    if (all->count == 1)
        return pair_join(&all->at[0]);
    pthread_mutex_lock(&all->lock);
    struct pair *p = pair_join(choose_pair(all, create, &cold, &theirs));
    pthread_mutex_unlock(&all->lock);
    if (cold)
        make_warm(cold, create, theirs);
    return p;
}

/* --- after a death --- */

static void forget_warm(struct pairs *all, const struct pair *p) {
    pthread_mutex_lock(&all->lock);
    for (struct warmth *w = all->warmths; w; w = w->next)
        w->warm &= ~(1u << (p - all->at));
    pthread_mutex_unlock(&all->lock);
}

bool pairs_mend(struct pairs *all, struct pair *p, unsigned generation, int r) {
    int replaced = all->settings.pool ? pair_replace(p, generation, NULL) : -EPIPE;
    if (replaced)
        forget_warm(all, p);
    if (replaced < 0)
        p->off = true;
    return replaced > 0 || (replaced == 0 && r == -EPIPE) ||
           (replaced < 0 && all->count > 1 && least_busy(all, ~0u));
}
