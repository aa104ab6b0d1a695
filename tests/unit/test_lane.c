/* Whose turn it is, and who waits for none. */
#include "unit.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "serve/hosted/lane.h"

#define MANY 40

static struct lane_pass enter(struct lane *lane, const char *owner) {
    struct lane_pass pass;
    assert_int_equal(lane_enter(lane, owner, NULL, &pass, NULL), 0);
    assert_ptr_equal(pass.lane, lane);
    return pass;
}

static void await_waiting(struct lane *lane, unsigned count) {
    while (lane_state(lane).waiting != count)
        usleep(1000);
}

/* Clients of owners, each of which waits for a turn and says in which order it had it. */
struct crowd {
    struct lane lane;
    pthread_mutex_t lock;
    char order[MANY + 1];
    atomic_bool given_up;
};

struct client {
    struct crowd *crowd;
    const char *owner;
    pthread_t thread;
    struct retort_error error;
    int r;
    bool inside;
};

static bool crowd_given_up(void *user) {
    return atomic_load(&((struct crowd *)user)->given_up);
}

static void *live(void *arg) {
    struct client *c = arg;
    struct crowd *crowd = c->crowd;
    struct lane_wait wait = {.given_up = crowd_given_up, .user = crowd};
    struct lane_pass pass;
    c->r = lane_enter(&crowd->lane, c->owner, &wait, &pass, &c->error);
    c->inside = pass.lane;
    if (c->inside) {
        pthread_mutex_lock(&crowd->lock);
        crowd->order[strlen(crowd->order)] = c->owner[0];
        pthread_mutex_unlock(&crowd->lock);
    }
    lane_leave(&pass);
    return NULL;
}

static void come(struct crowd *crowd, struct client *c, const char *owner) {
    unsigned before = lane_state(&crowd->lane).waiting;
    *c = (struct client){.crowd = crowd, .owner = owner};
    pthread_create(&c->thread, NULL, live, c);
    await_waiting(&crowd->lane, before + 1);
}

static void one_owner_leaves_a_place_for_others(void **state) {
    (void)state;
    struct lane lane;
    lane_init(&lane, "cells", 8, 0, 1);
    struct lane_pass a[4], b[2], none;
    struct retort_error error;
    for (int i = 0; i < 4; i++)
        a[i] = enter(&lane, "a");
    assert_int_equal(lane_enter(&lane, "a", NULL, &none, &error), -EBUSY);
    assert_null(none.lane);
    assert_int_equal(error.fault, RETORT_FAULT_LIMIT);
    assert_string_equal(error.hint, "try again in 1 s");
    for (int i = 0; i < 2; i++)
        b[i] = enter(&lane, "b");
    assert_int_equal(lane_enter(&lane, "b", NULL, &none, &error), -EBUSY);
    struct lane_pass c = enter(&lane, "c"), d = enter(&lane, "d");
    assert_int_equal(lane_enter(&lane, "e", NULL, &none, &error), -EBUSY);
    lane_leave(&a[0]);
    struct lane_pass e = enter(&lane, "e");
    struct lane_state now = lane_state(&lane);
    assert_int_equal(now.running, 8);
    assert_int_equal(now.passed, 9);
    assert_int_equal(now.refused_full, 3);
    for (int i = 1; i < 4; i++)
        lane_leave(&a[i]);
    lane_leave(&b[0]), lane_leave(&b[1]), lane_leave(&c), lane_leave(&d), lane_leave(&e);
    assert_int_equal(lane_state(&lane).running, 0);
    assert_null(lane.owners);
    lane_done(&lane);
}

/* However many of one wait, another's first comes next. */
static void the_owner_with_the_fewest_is_next(void **state) {
    (void)state;
    static struct crowd crowd;
    crowd = (struct crowd){.lock = PTHREAD_MUTEX_INITIALIZER};
    struct client clients[23];
    lane_init(&crowd.lane, "cells", 2, 1000, 60);
    struct lane_pass first = enter(&crowd.lane, "a"), second = enter(&crowd.lane, "x");
    for (int i = 0; i < 20; i++)
        come(&crowd, &clients[i], "a");
    for (int i = 20; i < 23; i++)
        come(&crowd, &clients[i], i == 22 ? "c" : "b");
    lane_leave(&second); /* one of a's is inside: the place that is left is the others' */
    await_waiting(&crowd.lane, 20);
    while (lane_state(&crowd.lane).running > 1)
        usleep(1000);
    assert_string_equal(crowd.order, "bbc");
    lane_leave(&first);
    for (int i = 0; i < 23; i++)
        pthread_join(clients[i].thread, NULL);
    assert_int_equal(strlen(crowd.order), 23);
    assert_true(lane_state(&crowd.lane).waited_ns > 0);
    lane_done(&crowd.lane);
}

static void the_queue_is_bounded_and_shared(void **state) {
    (void)state;
    static struct crowd crowd;
    crowd = (struct crowd){.lock = PTHREAD_MUTEX_INITIALIZER};
    struct client clients[3], refused = {.crowd = &crowd, .owner = "a"};
    lane_init(&crowd.lane, "cells", 1, 4, 60);
    struct lane_pass pass = enter(&crowd.lane, "x");
    come(&crowd, &clients[0], "a");
    come(&crowd, &clients[1], "a");
    live(&refused);
    assert_int_equal(refused.r, -EBUSY);
    assert_non_null(strstr(refused.error.message, "2 of those are yours"));
    come(&crowd, &clients[2], "b");
    lane_leave(&pass);
    for (int i = 0; i < 3; i++) {
        pthread_join(clients[i].thread, NULL);
        assert_true(clients[i].inside);
    }
    lane_done(&crowd.lane);
}

static void nobody_waits_for_longer_than_he_may(void **state) {
    (void)state;
    static struct crowd crowd;
    crowd = (struct crowd){.lock = PTHREAD_MUTEX_INITIALIZER};
    struct client late = {.crowd = &crowd, .owner = "a"}, gone;
    lane_init(&crowd.lane, "cells", 1, 4, 0.02);
    struct lane_pass pass = enter(&crowd.lane, "x");
    live(&late);
    assert_int_equal(late.r, -EBUSY);
    assert_int_equal(lane_state(&crowd.lane).refused_late, 1);
    crowd.lane.patience = UINT64_C(60000000000);
    come(&crowd, &gone, "a");
    atomic_store(&crowd.given_up, true);
    lane_nudge(&crowd.lane);
    pthread_join(gone.thread, NULL);
    assert_int_equal(gone.r, 0);
    assert_false(gone.inside);
    lane_leave(&pass);
    assert_int_equal(lane_state(&crowd.lane).waiting, 0);
    assert_null(crowd.lane.owners);
    lane_done(&crowd.lane);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_owner_leaves_a_place_for_others),
        cmocka_unit_test(the_owner_with_the_fewest_is_next),
        cmocka_unit_test(the_queue_is_bounded_and_shared),
        cmocka_unit_test(nobody_waits_for_longer_than_he_may),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
