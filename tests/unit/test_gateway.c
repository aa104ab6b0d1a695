/* The gate as the engine starts it, with programs in its place that do not answer. */
#include "unit.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "engine/gateway/gateway.h"

/* The first that is started says nothing, and all that follow end at once. */
#define MUTE                                                     \
    "#!/bin/sh\n"                                                \
    "mkdir \"$(dirname \"$0\")/second\" 2>/dev/null || exit 0\n" \
    "exec sleep 600\n"

struct asker {
    struct gateway *gateway;
    const char *libexec;
    atomic_bool answered;
};

static void *ask_for_bundle(void *user) {
    struct asker *a = user;
    struct retort_error err = ERR_INIT;
    char *bundle = gateway_bundle(a->gateway, a->libexec, &err);
    atomic_store(&a->answered, true);
    return bundle;
}

static void make_program(const char *dir) {
    char path[128];
    snprintf(path, sizeof path, "%s/retort-gate", dir);
    scoped_fd fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0700);
    assert_true(fd >= 0);
    assert_int_equal(write_all(fd, MUTE, strlen(MUTE)), 0);
}

static void wait_for_gate(struct gateway *g) {
    pid_t pid = 0;
    while (pid == 0) {
        pthread_mutex_lock(&g->lock);
        pid = g->pid;
        pthread_mutex_unlock(&g->lock);
        usleep(1000);
    }
}

static void nobody_waits_for_who_needs_an_authority(void **state) {
    (void)state;
    char dir[] = "/tmp/retort-gateway-XXXXXX", path[128];
    assert_non_null(mkdtemp(dir));
    make_program(dir);
    struct gateway g;
    gateway_init(&g);
    struct asker asker = {.gateway = &g, .libexec = dir};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, ask_for_bundle, &asker), 0);
    wait_for_gate(&g);

    struct retort_error err = ERR_INIT;
    pid_t gate = 0;
    scoped_fd listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    scoped_fd uplink = gateway_open(&g, dir, listener, "[]", &gate, &err);
    assert_true(uplink >= 0);
    assert_false(atomic_load(&asker.answered));

    void *bundle;
    gateway_give_up(&g, gate);
    pthread_join(thread, &bundle);
    assert_null(bundle);
    gateway_done(&g);
    snprintf(path, sizeof path, "%s/second", dir);
    rmdir(path);
    snprintf(path, sizeof path, "%s/retort-gate", dir);
    unlink(path);
    assert_int_equal(rmdir(dir), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_waits_for_who_needs_an_authority),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
