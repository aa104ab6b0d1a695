#include "engine/pairs/pairs.h"

#include <errno.h>
#include <sched.h>
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
    uint32_t warm;         /* one bit for each pair: it has made such a session */
    uint32_t asked;        /* it has been asked for one that somebody waits for */
    int coming[MAX_PAIRS]; /* the session that makes it warm, to be ended when it is there; or -1 */
};

#define PROCESSORS_OF_ONE 3

unsigned pairs_for(unsigned processors) {
    unsigned count = (processors + PROCESSORS_OF_ONE - 1) / PROCESSORS_OF_ONE;
    return count < 1 ? 1 : count > MAX_PAIRS ? MAX_PAIRS : count;
}

unsigned pairs_processors(void) {
    cpu_set_t set;
    /* A machine with more than the set can hold has no small number of them. */
    int r = sched_getaffinity(0, sizeof set, &set);
    return r == 0 ? (unsigned)CPU_COUNT(&set) : errno == EINVAL ? CPU_SETSIZE : 1;
}

void pairs_init(struct pairs *all, const struct pair_settings *settings, unsigned count) {
    *all = (struct pairs){.settings = *settings, .count = count};
    all->settings.count = count;
    all->settings.launch = LAUNCH_NONE;
    pthread_mutex_init(&all->lock, NULL);
    for (unsigned i = 0; i < count; i++)
        pair_init(&all->at[i], &all->settings);
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

/* Without the first there is no engine; the others are there to make it faster. They begin when the
 * first stands: with version 2 it gets a cgroup for itself and its caller only while nobody else is
 * where they were started, and the others then find what it has prepared. The same holds for a
 * launcher; without one, a supervisor that dies is not replaced. */
int pairs_start(struct pairs *all, struct retort_error *err) {
    uint32_t layers;
    bool tell = all->count > 1 || all->settings.keep_rights;
    int r = pair_start(&all->at[0], tell, err);
    if (r < 0 || !tell || !pair_stands(&all->at[0], &layers))
        return r;
    for (unsigned i = 0; i < all->count; i++)
        all->at[i].needs = layers;
    for (unsigned i = 1; i < all->count; i++)
        pair_start(&all->at[i], false, NULL);
    struct ctl_hello hello = pair_hello(&all->at[0], false);
    if (all->settings.keep_rights)
        launch_keep(&all->settings.launch, all->settings.libexec, &hello);
    return 0;
}

/* All of them end at the same time. */
void pairs_stop(struct pairs *all) {
    for (unsigned i = 0; i < all->count; i++)
        pair_end(&all->at[i]);
    for (unsigned i = 0; i < all->count; i++)
        pair_stop(&all->at[i]);
    launch_end(&all->settings.launch);
}

/* --- what is warm --- */

#define MOST_FAILURES 10

static void count_failure(struct pair *p, bool failed) {
    p->failures = !failed ? 0 : p->failures < MOST_FAILURES ? p->failures + 1 : MOST_FAILURES;
}

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

static uint32_t pair_bit(const struct pairs *all, const struct pair *p) {
    return 1u << (p - all->at);
}

/* Ends the sessions that pairs were asked for only to become warm, if they have been made by now. */
static void hear_of_warm(struct pairs *all, struct warmth *w) {
    struct ctl_created created;
    for (unsigned i = 0; i < all->count; i++) {
        int fds[CREATED_FDS];
        size_t nfds = CREATED_FDS;
        ssize_t n = w->coming[i] < 0 ? -EAGAIN
                                     : packet_recv(w->coming[i], &created, sizeof created, fds,
                                                   &nfds, MSG_DONTWAIT);
        if (n == -EAGAIN || n == -EINTR)
            continue;
        bool came = n == sizeof created && created.head.type == CTL_CREATED;
        if (came)
            w->warm |= 1u << i;
        count_failure(&all->at[i], !came);
        for (size_t k = 0; n > 0 && k < nfds; k++)
            close(fds[k]);
        fd_done(&w->coming[i]);
    }
}

/* --- the choice --- */

/* One that ends whatever it begins has no session, and must not get all that come: each failure
 * since it made one counts twice as much as the last. */
static unsigned load_of(const struct pair *p) {
    return p->sessions + (1u << p->failures) - 1;
}

static struct pair *least_busy(struct pairs *all, uint32_t among) {
    struct pair *found = NULL;
    for (unsigned i = 0; i < all->count; i++) {
        struct pair *p = &all->at[i];
        if (among & 1u << i && !p->off && (!found || load_of(p) < load_of(found)))
            found = p;
    }
    return found;
}

/* A cold pair, and its end of the socket on which it will say that it is warm; NULL: there is none. */
static struct pair *find_cold(struct pairs *all, struct warmth *w, int *ret_theirs) {
    int pair[2];
    for (unsigned i = 0; i < all->count; i++) {
        if (all->at[i].off || (w->warm | w->asked) & 1u << i || w->coming[i] >= 0)
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
    struct pair *p = w ? least_busy(all, w->warm) : NULL;
    if (!p && w)
        p = least_busy(all, w->asked);
    if (!p)
        p = least_busy(all, ~0u);
    if (!p)
        return &all->at[0]; /* none can make sessions; this one says why */
    if (w)
        w->asked |= pair_bit(all, p);
    if (w && p->births > 0)
        *ret_cold = find_cold(all, w, ret_theirs);
    return p;
}

/* Asks for a session that nobody will use: to make it, the pair must start a zygote. */
static void make_warm(struct pair *p, const struct ctl_create *create, int sock) {
    unsigned generation;
    scoped_fd theirs = sock;
    scoped_fd variables = memfd_create("retort", MFD_CLOEXEC);
    if (variables >= 0 && pair_ask(p, create, (int[]){theirs, variables}, &generation) < 0)
        pair_replace(p, generation, NULL); /* it is dead, and nobody else may ask it for long */
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

void pairs_tidy(struct pairs *all) {
    pthread_mutex_lock(&all->lock);
    for (struct warmth *w = all->warmths; w; w = w->next)
        hear_of_warm(all, w);
    pthread_mutex_unlock(&all->lock);
}

/* --- how it went --- */

void pairs_made(struct pairs *all, struct pair *p, const struct ctl_create *create) {
    if (all->count == 1)
        return;
    pthread_mutex_lock(&all->lock);
    struct warmth *w = is_forked(all, create) ? find_warmth(all, create) : NULL;
    if (w)
        w->warm |= pair_bit(all, p);
    count_failure(p, false);
    pthread_mutex_unlock(&all->lock);
}

/* Others are asked before it, for what it could not make; when it is another process, for all. */
static void forget_warm(struct pairs *all, struct pair *p, const struct ctl_create *create,
                        bool everything) {
    pthread_mutex_lock(&all->lock);
    const struct warmth *own = find_warmth(all, create);
    for (struct warmth *w = all->warmths; w; w = w->next)
        if (everything || w == own) {
            w->warm &= ~pair_bit(all, p);
            w->asked &= ~pair_bit(all, p);
        }
    count_failure(p, true);
    pthread_mutex_unlock(&all->lock);
}

bool pairs_mend(struct pairs *all, struct pair *p, const struct ctl_create *create,
                unsigned generation, int r) {
    int replaced = all->settings.pool ? pair_replace(p, generation, NULL) : -EPIPE;
    forget_warm(all, p, create, replaced != 0);
    return replaced > 0 || (replaced == 0 && r == -EPIPE) ||
           (replaced < 0 && all->count > 1 && least_busy(all, ~0u));
}
