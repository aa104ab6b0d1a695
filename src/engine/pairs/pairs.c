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
    unsigned generation[MAX_PAIRS]; /* of the supervisor that all this is said of */
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

/* A supervisor that has taken the place of another is cold. */
static void forget_dead(const struct pairs *all, struct warmth *w) {
    for (unsigned i = 0; i < all->count; i++) {
        unsigned now = all->at[i].generation;
        if (w->generation[i] == now)
            continue;
        w->generation[i] = now;
        w->warm &= ~(1u << i);
        w->asked &= ~(1u << i);
        fd_done(&w->coming[i]);
    }
}

/* Ends the sessions that pairs were asked for only to become warm, if they have been made by now. */
static void hear_of_warm(struct pairs *all, struct warmth *w) {
    struct ctl_created created;
    forget_dead(all, w);
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

static struct pair *least_busy(struct pairs *all, uint32_t among, bool mending) {
    struct pair *found = NULL;
    for (unsigned i = 0; i < all->count; i++) {
        struct pair *p = &all->at[i];
        if (among & 1u << i && !p->off && p->mending == mending &&
            (!found || load_of(p) < load_of(found)))
            found = p;
    }
    return found;
}

static struct pair *any_pair(struct pairs *all) {
    struct pair *p = least_busy(all, ~0u, false);
    return p ? p : least_busy(all, ~0u, true);
}

/* Who makes a session, and who is to become warm meanwhile. */
struct placing {
    struct pair *pair, *cold; /* cold: or NULL */
    unsigned generation, cold_generation;
    int theirs; /* the cold one's end of the socket on which it will say that it is warm */
};

static void find_cold(struct pairs *all, struct warmth *w, struct placing *ret) {
    int pair[2];
    for (unsigned i = 0; i < all->count; i++) {
        if (all->at[i].off || all->at[i].mending || (w->warm | w->asked) & 1u << i ||
            w->coming[i] >= 0)
            continue;
        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
            return;
        w->coming[i] = pair[0];
        ret->theirs = pair[1];
        ret->cold = &all->at[i];
        ret->cold_generation = w->generation[i];
        return;
    }
}

static void choose_pair(struct pairs *all, const struct ctl_create *create, struct placing *ret) {
    struct warmth *w = is_forked(all, create) ? get_warmth(all, create) : NULL;
    if (w)
        hear_of_warm(all, w);
    struct pair *p = w ? least_busy(all, w->warm, false) : NULL;
    if (!p && w)
        p = least_busy(all, w->asked, false);
    if (!p)
        p = any_pair(all);
    *ret = (struct placing){.pair = p ? p : &all->at[0], .theirs = -1};
    ret->generation = w ? w->generation[ret->pair - all->at] : ret->pair->generation;
    if (!p)
        return; /* none can make sessions; the first says why */
    if (w)
        w->asked |= pair_bit(all, p);
    if (w && p->births > 0)
        find_cold(all, w, ret);
}

/* Asks for a session that nobody will use: to make it, the pair must start a zygote. */
static void make_warm(const struct placing *choice, const struct ctl_create *create) {
    struct pair *p = choice->cold;
    scoped_fd theirs = choice->theirs;
    scoped_fd variables = memfd_create("retort", MFD_CLOEXEC);
    /* A pair that cannot be asked is dead, and nobody else may ask it for long. */
    if (variables >= 0 &&
        pair_ask(p, create, (int[]){theirs, variables}, choice->cold_generation) < 0)
        pair_replace(p, choice->cold_generation, NULL);
}

struct pair *pairs_place(struct pairs *all, const struct ctl_create *create,
                         unsigned *ret_generation) {
    struct placing choice = {.pair = &all->at[0]};
    if (all->count == 1) {
        *ret_generation = pair_generation(choice.pair);
        return pair_join(choice.pair);
    }
    pthread_mutex_lock(&all->lock);
    choose_pair(all, create, &choice);
    pair_join(choice.pair);
    pthread_mutex_unlock(&all->lock);
    if (choice.cold)
        make_warm(&choice, create);
    *ret_generation = choice.pair->mending ? pair_generation(choice.pair) : choice.generation;
    return choice.pair;
}

void pairs_tidy(struct pairs *all) {
    pthread_mutex_lock(&all->lock);
    for (struct warmth *w = all->warmths; w; w = w->next)
        hear_of_warm(all, w);
    pthread_mutex_unlock(&all->lock);
}

/* --- how it went --- */

void pairs_made(struct pairs *all, struct pair *p, const struct ctl_create *create,
                unsigned generation) {
    if (all->count == 1)
        return;
    pthread_mutex_lock(&all->lock);
    struct warmth *w = is_forked(all, create) ? find_warmth(all, create) : NULL;
    if (w)
        forget_dead(all, w);
    if (w && p->generation == generation)
        w->warm |= pair_bit(all, p);
    count_failure(p, false);
    pthread_mutex_unlock(&all->lock);
}

/* Others are asked before it, for what it could not make. */
static void forget_warm(struct pairs *all, struct pair *p, const struct ctl_create *create) {
    pthread_mutex_lock(&all->lock);
    struct warmth *w = find_warmth(all, create);
    if (w) {
        w->warm &= ~pair_bit(all, p);
        w->asked &= ~pair_bit(all, p);
    }
    count_failure(p, true);
    pthread_mutex_unlock(&all->lock);
}

bool pairs_mend(struct pairs *all, struct pair *p, const struct ctl_create *create,
                unsigned generation, int r) {
    bool another = p->generation != generation; /* of which nothing is known */
    int replaced = all->settings.pool ? pair_replace(p, generation, NULL) : -EPIPE;
    if (!another)
        forget_warm(all, p, create);
    return replaced > 0 || (replaced == 0 && r == -EPIPE) ||
           (replaced < 0 && all->count > 1 && any_pair(all));
}
