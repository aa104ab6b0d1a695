/* Sessions that rest: what they give up, and that they have it again. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/session/rest.h"
#include "engine/session/session.h"

struct fixture {
    struct retort_engine *engine;
    struct retort_session *s;
    ino_t pipe; /* its standard output */
};

static ino_t inode(int fd) {
    struct stat st;
    assert_int_equal(fstat(fd, &st), 0);
    return st.st_ino;
}

static int some_file(void) {
    int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    return fd;
}

/* One without a process that has not been used for a while. */
static struct fixture quiet(void) {
    struct retort_engine_options options = {.pool = 1};
    struct fixture f = {.engine = engine_alloc(&options)};
    const struct session_spec *spec = NULL;
    struct retort_error err = ERR_INIT;
    int out[2];
    assert_non_null(f.engine);
    assert_non_null(f.s = session_alloc(f.engine));
    assert_int_equal(spec_new(&(struct retort_session_options){0}, false, &spec, &err), 0);
    assert_int_equal(session_specify(f.s, spec, &err), 0);
    assert_int_equal(pipe2(out, O_CLOEXEC), 0);
    f.pipe = inode(out[0]);
    f.s->interp.ctl = some_file();
    f.s->files.collector.ctl = f.s->interp.ctl;
    f.s->interp.out = out[0];
    f.s->interp.err = out[1];
    f.s->files.work = some_file();
    f.s->usage.cgroup = 2;
    for (int i = 0; i < CREATED_MEASURES; i++)
        f.s->usage.measure[i] = some_file();
    session_begin(f.s);
    f.s->idle.used_ns = 1;
    return f;
}

static void done(struct fixture *f) {
    session_free(f->s);
    engine_free(f->engine);
}

static void all_of_it_comes_back(void **state) {
    (void)state;
    struct fixture f = quiet();
    assert_int_equal(write(f.s->interp.err, "a", 1), 1);
    session_enter(f.s);
    session_rest(f.s);
    assert_true(f.s->idle.rest >= 0);
    assert_true(f.s->interp.out < 0 && f.s->interp.err < 0 && f.s->interp.interrupt < 0);
    assert_true(f.s->files.work < 0 && f.s->usage.measure[CREATED_MEASURES - 1] < 0);
    assert_true(f.s->interp.ctl >= 0);
    assert_null(session_broken(f.s));
    assert_int_equal(interp_interrupt(&f.s->interp), 0); /* nothing runs */
    assert_int_equal(session_stir(f.s, NULL), 0);
    assert_true(f.s->idle.rest < 0);
    assert_true(inode(f.s->interp.out) == f.pipe);
    assert_true(f.s->usage.net < 0); /* it had none */
    assert_true(f.s->interp.interrupt >= 0 && f.s->files.work >= 0);
    assert_null(session_broken(f.s));
    char byte = 0;
    assert_int_equal(read(f.s->interp.out, &byte, 1), 1); /* what was said meanwhile is there */
    assert_int_equal(byte, 'a');
    session_leave(f.s);
    done(&f);
}

static void nothing_is_lost_where_there_is_no_descriptor_left(void **state) {
    (void)state;
    struct fixture f = quiet();
    struct retort_error err = ERR_INIT;
    struct rlimit before, few;
    session_enter(f.s);
    session_rest(f.s);
    int next = some_file();
    close(next);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    few = before;
    few.rlim_cur = (rlim_t)next + 4; /* some of them would fit */
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    int r = session_stir(f.s, &err);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_int_equal(r, -EMFILE);
    assert_int_equal(err.fault, ERR_HOST);
    assert_true(f.s->idle.rest >= 0 && f.s->interp.out < 0 && f.s->interp.interrupt < 0);
    assert_int_equal(some_file(), next); /* and none is left open */
    close(next);
    assert_int_equal(session_stir(f.s, NULL), 0);
    assert_true(inode(f.s->interp.out) == f.pipe);
    session_leave(f.s);
    done(&f);
}

static void who_is_used_does_not_rest(void **state) {
    (void)state;
    struct fixture f = quiet();
    session_enter(f.s);
    f.s->interp.interrupting = 1; /* and has seen the descriptor */
    session_rest(f.s);
    assert_true(f.s->idle.rest < 0 && f.s->interp.interrupt >= 0 && f.s->interp.out >= 0);
    f.s->interp.interrupting = 0;
    f.s->files.nuploads = 1;
    session_rest(f.s);
    assert_true(f.s->idle.rest < 0);
    f.s->files.nuploads = 0;
    f.s->usage.cells_unswept = 1;
    session_rest(f.s);
    assert_true(f.s->idle.rest < 0);
    f.s->usage.cells_unswept = 0;
    f.s->idle.queued = true;
    assert_false(session_may_rest(f.s));
    f.s->idle.queued = false;
    assert_true(session_may_rest(f.s));
    session_rest(f.s);
    session_disconnect(f.s); /* one that rests can be ended */
    assert_true(f.s->idle.rest < 0);
    f.s->state = SESSION_ENDED;
    session_leave(f.s);
    done(&f);
}

static void only_as_root_and_where_there_are_few(void **state) {
    (void)state;
    struct fixture f = quiet();
    struct rlimit now;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &now), 0);
    assert_false(engine_rests(f.engine));
    f.engine->count = (unsigned)(now.rlim_cur / 2);
    assert_int_equal(engine_rests(f.engine), geteuid() == 0);
    f.engine->count = 0;
    done(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_of_it_comes_back),
        cmocka_unit_test(nothing_is_lost_where_there_is_no_descriptor_left),
        cmocka_unit_test(who_is_used_does_not_rest),
        cmocka_unit_test(only_as_root_and_where_there_are_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
