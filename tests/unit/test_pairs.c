/* Which pair gets a session, with sockets of ours in the place of supervisors. */
#include "unit.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/io.h"
#include "engine/pairs/pairs.h"

struct fixture {
    struct pairs all;
    int theirs[MAX_PAIRS]; /* the supervisors' ends */
};

static void begin(struct fixture *f, unsigned count) {
    int pair[2];
    pairs_init(&f->all, &(struct pair_settings){.pool = 1}, count);
    for (unsigned i = 0; i < count; i++) {
        assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
        f->all.at[i].main_sock = pair[0];
        f->all.at[i].off = false;
        f->all.at[i].caller = geteuid();
        f->theirs[i] = pair[1];
    }
}

static void end(struct fixture *f) {
    for (unsigned i = 0; i < f->all.count; i++) {
        close(f->all.at[i].main_sock);
        close(f->theirs[i]);
    }
    pairs_done(&f->all);
}

static struct ctl_create wish(enum language language) {
    struct ctl_create create;
    memset(&create, 0, sizeof create);
    create.head = (struct ctl_head){CTL_SESSION, sizeof create};
    create.language = language;
    return create;
}

/* The number of the pair that it came to. */
static unsigned place(struct fixture *f, enum language language) {
    struct ctl_create create = wish(language);
    unsigned generation;
    return (unsigned)(pairs_place(&f->all, &create, &generation) - f->all.at);
}

static bool mend(struct fixture *f, unsigned pair, enum language language, int r) {
    struct ctl_create create = wish(language);
    return pairs_mend(&f->all, &f->all.at[pair], &create, 0, r);
}

static void made(struct fixture *f, unsigned pair, enum language language) {
    struct ctl_create create = wish(language);
    pairs_made(&f->all, &f->all.at[pair], &create, f->all.at[pair].generation);
}

/* Takes the request that a pair has got; returns the socket of its session, or -1. */
static int asked(const struct fixture *f, unsigned pair) {
    struct ctl_create create;
    int fds[2] = {-1, -1};
    size_t nfds = 2;
    ssize_t n = packet_recv(f->theirs[pair], &create, sizeof create, fds, &nfds, MSG_DONTWAIT);
    if (n != sizeof create || nfds != 2)
        return -1;
    close(fds[1]);
    return fds[0];
}

static void one_pair_has_them_all(void **state) {
    struct fixture f;
    (void)state;
    begin(&f, 1);
    for (int i = 0; i < 5; i++)
        assert_int_equal(place(&f, LANG_PYTHON), 0);
    assert_int_equal(f.all.at[0].sessions, 5);
    end(&f);
}

static void what_needs_no_zygote_comes_from_the_least_busy(void **state) {
    struct fixture f;
    (void)state;
    begin(&f, 3);
    unsigned count[3] = {0};
    for (int i = 0; i < 9; i++)
        count[place(&f, LANG_BASH)]++;
    assert_true(count[0] == 3 && count[1] == 3 && count[2] == 3);
    struct pair *p = &f.all.at[1];
    pair_leave(&p);
    assert_null(p);
    assert_int_equal(place(&f, LANG_JAVASCRIPT), 1);
    f.all.at[2].off = true;
    for (int i = 0; i < 4; i++)
        assert_int_not_equal(place(&f, LANG_BASH), 2);
    end(&f);
}

static void others_are_made_warm_when_two_are_wanted_at_once(void **state) {
    struct fixture f;
    (void)state;
    begin(&f, 2);
    for (int i = 0; i < 3; i++)
        assert_int_equal(place(&f, LANG_PYTHON), 0);
    assert_int_equal(asked(&f, 1), -1);
    f.all.at[0].births = 1;
    assert_int_equal(place(&f, LANG_PYTHON), 0); /* the other one is cold, and is asked */
    int sock = asked(&f, 1);
    assert_true(sock >= 0);
    assert_int_equal(place(&f, LANG_PYTHON), 0); /* once */
    assert_int_equal(asked(&f, 1), -1);
    struct ctl_created created = {.head = {CTL_CREATED, sizeof created}};
    assert_int_equal(packet_send(sock, &created, sizeof created, &sock, 1), 0);
    for (int i = 0; i < 5; i++)
        assert_int_equal(place(&f, LANG_PYTHON), 1);
    assert_true(hung_up(sock)); /* nobody wants that session any more */
    close(sock);
    end(&f);
}

static void what_made_it_warm_is_ended_though_nobody_comes(void **state) {
    struct fixture f;
    (void)state;
    begin(&f, 2);
    place(&f, LANG_PYTHON);
    f.all.at[0].births = 1;
    place(&f, LANG_PYTHON);
    int sock = asked(&f, 1);
    pairs_tidy(&f.all);
    assert_false(hung_up(sock));
    struct ctl_created created = {.head = {CTL_CREATED, sizeof created}};
    assert_int_equal(packet_send(sock, &created, sizeof created, &sock, 1), 0);
    pairs_tidy(&f.all);
    assert_true(hung_up(sock));
    close(sock);
    assert_int_equal(place(&f, LANG_PYTHON), 1);
    end(&f);
}

static void it_is_warm_when_it_has_made_a_session(void **state) {
    struct fixture f;
    (void)state;
    begin(&f, 2);
    assert_int_equal(place(&f, LANG_PYTHON), 0);
    assert_int_equal(place(&f, LANG_PYTHON), 0); /* both wait for the same zygote */
    assert_false(mend(&f, 0, LANG_PYTHON, -EINVAL));
    assert_int_equal(place(&f, LANG_PYTHON), 1);
    made(&f, 1, LANG_PYTHON);
    for (int i = 0; i < 5; i++)
        assert_int_equal(place(&f, LANG_PYTHON), 1);
    end(&f);
}

/* Each session that comes to the second pair ends at once, so that it looks empty. */
static void one_that_fails_does_not_get_all_that_come(void **state) {
    struct fixture f;
    (void)state;
    begin(&f, 2);
    int failed = 0;
    for (int i = 0; i < 20; i++) {
        struct pair *p = &f.all.at[place(&f, LANG_BASH)];
        if (p == &f.all.at[0])
            continue;
        mend(&f, 1, LANG_BASH, -EPIPE);
        pair_leave(&p);
        failed++;
    }
    assert_in_range(failed, 1, 5);
    made(&f, 1, LANG_BASH);
    for (int i = 0; i < 5; i++)
        assert_int_equal(place(&f, LANG_BASH), 1);
    end(&f);
}

static void one_that_could_not_be_made_warm_is_asked_again(void **state) {
    struct fixture f;
    (void)state;
    begin(&f, 2);
    place(&f, LANG_PYTHON);
    f.all.at[0].births = 1;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(place(&f, LANG_PYTHON), 0);
        int sock = asked(&f, 1);
        assert_true(sock >= 0);
        close(sock);
    }
    end(&f);
}

static void a_pair_that_cannot_be_replaced_is_left_out(void **state) {
    struct fixture f;
    (void)state;
    begin(&f, 2);
    assert_int_equal(place(&f, LANG_PYTHON), 0);
    assert_true(mend(&f, 0, LANG_PYTHON, -EPIPE)); /* it lives */
    assert_false(mend(&f, 0, LANG_PYTHON, -EINVAL));
    f.all.at[0].caller = geteuid() + 1;
    close(f.theirs[0]);
    f.theirs[0] = -1;
    assert_true(mend(&f, 0, LANG_PYTHON, -EPIPE));
    for (int i = 0; i < 3; i++)
        assert_int_equal(place(&f, LANG_PYTHON), 1);
    f.all.at[1].caller = geteuid() + 1;
    close(f.theirs[1]);
    f.theirs[1] = -1;
    assert_false(mend(&f, 1, LANG_PYTHON, -EPIPE));
    assert_true(f.all.at[0].off && f.all.at[1].off);
    end(&f);
}

static void a_supervisor_that_took_anothers_place_is_cold(void **state) {
    struct fixture f;
    (void)state;
    begin(&f, 2);
    place(&f, LANG_PYTHON);
    made(&f, 0, LANG_PYTHON);
    f.all.at[0].generation++;
    made(&f, 1, LANG_PYTHON);
    for (int i = 0; i < 3; i++)
        assert_int_equal(place(&f, LANG_PYTHON), 1);
    /* What its predecessor has made says nothing of it. */
    struct ctl_create create = wish(LANG_PYTHON);
    pairs_made(&f.all, &f.all.at[0], &create, 0);
    assert_int_equal(place(&f, LANG_PYTHON), 1);
    end(&f);
}

static void it_is_asked_as_the_one_that_was_chosen(void **state) {
    struct fixture f;
    struct ctl_create create = wish(LANG_PYTHON);
    int own[2];
    (void)state;
    begin(&f, 2);
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, own), 0);
    f.all.at[0].generation = 1;
    assert_int_equal(pair_ask(&f.all.at[0], &create, own, 0), -EPIPE);
    assert_int_equal(asked(&f, 0), -1);
    /* Nor does the failure count for the new one. */
    assert_true(mend(&f, 0, LANG_PYTHON, -EPIPE));
    assert_int_equal(f.all.at[0].failures, 0);
    assert_int_equal(pair_ask(&f.all.at[0], &create, own, 1), 0);
    int sock = asked(&f, 0);
    assert_true(sock >= 0);
    close(sock);
    close(own[0]);
    close(own[1]);
    end(&f);
}

static void one_that_is_being_replaced_is_waited_for_by_nobody_else(void **state) {
    struct fixture f;
    unsigned generation;
    (void)state;
    begin(&f, 2);
    place(&f, LANG_PYTHON);
    made(&f, 0, LANG_PYTHON);
    f.all.at[0].mending = true;
    f.all.at[1].births = 1; /* two at once make nobody warm that is not there */
    for (int i = 0; i < 3; i++)
        assert_int_equal(place(&f, LANG_PYTHON), 1);
    assert_int_equal(place(&f, LANG_BASH), 1);
    struct ctl_create create = wish(LANG_PYTHON);
    assert_int_equal(pair_ask(&f.all.at[0], &create, (int[]){0, 0}, 0), -EPIPE);
    assert_int_equal(asked(&f, 0), -1);
    f.all.at[0].mending = false;
    assert_ptr_equal(pairs_place(&f.all, &create, &generation), &f.all.at[0]);
    end(&f);
}

static void who_has_another_pair_does_not_wait_until_the_dead_one_has_ended(void **state) {
    struct fixture f;
    (void)state;
    begin(&f, 2);
    struct pair *p = &f.all.at[0];
    snprintf(f.all.settings.libexec, sizeof f.all.settings.libexec, "/nonexistent");
    close(f.theirs[0]);
    f.theirs[0] = -1;
    pid_t keeper = p->supervisor = fork();
    if (keeper == 0)
        _exit((int)alarm(60) + pause()); /* it takes its time */
    assert_int_equal(place(&f, LANG_BASH), 0);
    assert_true(mend(&f, 0, LANG_BASH, -EPIPE));
    assert_true(p->mending && p->generation == 0 && p->replaced == 0);
    assert_true(mend(&f, 0, LANG_BASH, -EPIPE)); /* whoever else finds out */
    for (int i = 0; i < 3; i++)
        assert_int_equal(place(&f, LANG_BASH), 1);
    struct retort_error err;
    assert_int_equal(pair_failure(p, &err), -EPIPE);
    kill(keeper, SIGKILL);
    assert_int_equal(pair_generation(p), 1);
    assert_true(p->off && p->replaced == 1 && p->supervisor == 0);
    end(&f);
}

static void it_says_when_it_stands_or_why_not(void **state) {
    struct fixture f;
    struct retort_error err;
    uint32_t layers = 0;
    (void)state;
    begin(&f, 2);
    struct ctl_stands stands = {{CTL_STANDS, sizeof stands}, LAYER_BIT(LAYER_UID)};
    assert_int_equal(packet_send(f.theirs[0], &stands, sizeof stands, NULL, 0), 0);
    assert_true(pair_stands(&f.all.at[0], &layers));
    assert_int_equal(layers, LAYER_BIT(LAYER_UID));
    struct ctl_failed failed = {.head = {CTL_FAILED, sizeof failed}};
    err_layer(&failed.err, "cgroup", EUSERS, "none is left");
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(packet_send(f.theirs[i], &failed, sizeof failed, NULL, 0), 0);
        assert_false(pair_stands(&f.all.at[i], &layers));
        assert_int_equal(pair_failure(&f.all.at[i], &err), -EUSERS);
    }
    end(&f);
}

/* Its supervisor was killed, and the one that is to clear up after it cannot be started. */
static void what_cannot_be_started_leaves_nothing(void **state) {
    struct fixture f;
    (void)state;
    begin(&f, 1);
    struct pair *p = &f.all.at[0];
    snprintf(f.all.settings.libexec, sizeof f.all.settings.libexec, "/nonexistent");
    p->supervisor = fork();
    if (p->supervisor == 0)
        raise(SIGKILL);
    close(f.theirs[0]);
    f.theirs[0] = -1;
    pair_stop(p);
    assert_true(p->off && p->supervisor == 0 && p->main_sock == -1 && p->names_sock == -1);
    end(&f);
}

static void *come_and_go(void *argument) {
    struct fixture *f = argument;
    for (int i = 0; i < 1000; i++) {
        struct ctl_create create = wish(i % 2 ? LANG_PYTHON : LANG_BASH);
        unsigned generation;
        struct pair *p = pairs_place(&f->all, &create, &generation);
        pair_leave(&p);
    }
    return NULL;
}

static void many_threads_leave_none_behind(void **state) {
    struct fixture f;
    pthread_t threads[4];
    (void)state;
    begin(&f, 3);
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, come_and_go, &f), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(f.all.at[i].sessions, 0);
    end(&f);
}

static void their_number_follows_the_processors(void **state) {
    static const unsigned expected[][2] = {{0, 1}, {1, 1}, {2, 1},  {3, 1},  {4, 2},
                                           {6, 2}, {7, 3}, {16, 6}, {22, 8}, {1000, 8}};
    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_int_equal(pairs_for(expected[i][0]), expected[i][1]);
    assert_true(pairs_processors() >= 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(their_number_follows_the_processors),
        cmocka_unit_test(one_pair_has_them_all),
        cmocka_unit_test(what_needs_no_zygote_comes_from_the_least_busy),
        cmocka_unit_test(others_are_made_warm_when_two_are_wanted_at_once),
        cmocka_unit_test(what_made_it_warm_is_ended_though_nobody_comes),
        cmocka_unit_test(it_is_warm_when_it_has_made_a_session),
        cmocka_unit_test(one_that_fails_does_not_get_all_that_come),
        cmocka_unit_test(one_that_could_not_be_made_warm_is_asked_again),
        cmocka_unit_test(a_pair_that_cannot_be_replaced_is_left_out),
        cmocka_unit_test(a_supervisor_that_took_anothers_place_is_cold),
        cmocka_unit_test(it_is_asked_as_the_one_that_was_chosen),
        cmocka_unit_test(one_that_is_being_replaced_is_waited_for_by_nobody_else),
        cmocka_unit_test(who_has_another_pair_does_not_wait_until_the_dead_one_has_ended),
        cmocka_unit_test(it_says_when_it_stands_or_why_not),
        cmocka_unit_test(what_cannot_be_started_leaves_nothing),
        cmocka_unit_test(many_threads_leave_none_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
