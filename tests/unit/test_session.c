/* Sessions without a supervisor: what is always true of one, that what is not is found, and the
 * parts that need no process. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "engine/cell/locks.h"
#include "engine/session/session.h"
#include "engine/session/supervisor.h"

struct fixture {
    struct retort_engine *engine;
    struct retort_session *s;
};

static struct fixture live(void) {
    struct retort_engine_options options = {.pool = 1};
    struct fixture f = {.engine = engine_alloc(&options)};
    const struct session_spec *spec = NULL;
    struct retort_error err = ERR_INIT;
    assert_non_null(f.engine);
    assert_non_null(f.s = session_alloc(f.engine));
    assert_int_equal(spec_new(&(struct retort_session_options){0}, false, &spec, &err), 0);
    assert_int_equal(session_specify(f.s, spec, &err), 0);
    f.s->interp.ctl = open("/dev/null", O_RDWR | O_CLOEXEC);
    f.s->files.collector.ctl = f.s->interp.ctl;
    session_begin(f.s);
    assert_null(session_broken(f.s));
    return f;
}

static void done(struct fixture *f) {
    session_free(f->s);
    engine_free(f->engine);
}

static void expect(const struct fixture *f, const char *words) {
    const char *broken = session_broken(f->s);
    assert_non_null(broken);
    assert_non_null(strstr(broken, words));
}

static void a_session_that_is_being_made_promises_nothing(void **state) {
    (void)state;
    struct fixture f = live();
    f.s->state = SESSION_NEW;
    f.s->timeline.checkpoint_at = 7;
    assert_null(session_broken(f.s));
    f.s->timeline.checkpoint_at = 0;
    done(&f);
}

static void a_live_session_has_a_process(void **state) {
    (void)state;
    struct fixture f = live();
    session_disconnect(f.s);
    expect(&f, "a live session has no process");
    f.s->state = SESSION_ASLEEP;
    assert_null(session_broken(f.s));
    done(&f);
}

static void a_sleeping_one_has_none(void **state) {
    (void)state;
    struct fixture f = live();
    f.s->state = SESSION_ASLEEP;
    expect(&f, "a sleeping session has a process");
    session_finish(f.s);
    assert_int_equal(f.s->state, SESSION_ENDED);
    assert_null(session_broken(f.s));
    done(&f);
}

static void a_state_is_one_of_four(void **state) {
    (void)state;
    struct fixture f = live();
    f.s->state = (enum session_state)9;
    expect(&f, "no state");
    done(&f);
}

static void pipes_need_a_supervisor(void **state) {
    (void)state;
    struct fixture f = live();
    f.s->state = SESSION_ENDED;
    f.s->interp.out = dup(f.s->interp.ctl);
    assert_null(session_broken(f.s));
    fd_done(&f.s->interp.ctl);
    expect(&f, "an interpreter without a supervisor");
    done(&f);
}

static void tools_are_offered_before_they_are_sent(void **state) {
    (void)state;
    struct fixture f = live();
    f.s->tools.sent = 1;
    expect(&f, "tools were sent");
    f.s->tools.offered = json_array();
    assert_null(session_broken(f.s));
    done(&f);
}

static void measures_come_with_a_cgroup(void **state) {
    (void)state;
    struct fixture f = live();
    f.s->usage.cgroup = 2;
    expect(&f, "files of the cgroup");
    f.s->usage.cgroup = 0;
    f.s->usage.measure[1] = dup(f.s->interp.ctl);
    expect(&f, "files of the cgroup");
    done(&f);
}

/* Who is asked forks a process to count them. */
static void what_a_cgroup_used_before_is_not_the_sessions(void **state) {
    (void)state;
    struct fixture f = live();
    int pair[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
    int ctl = f.s->interp.ctl;
    f.s->interp.ctl = pair[0];
    locks_begin(f.s, 5000000);
    locks_ask(f.s, 5003000);
    assert_false(f.s->usage.locks.asked);
    locks_begin(f.s, 5080000); /* each cell begins, but the session has begun */
    locks_ask(f.s, 5100000);
    assert_true(f.s->usage.locks.asked);
    f.s->interp.ctl = ctl;
    close(pair[0]);
    close(pair[1]);
    done(&f);
}

/* What session_expect makes of a message, and whether it left a descriptor open. */
static int heard(const void *message, size_t len, bool *ret_open) {
    struct fixture f = live();
    struct retort_error err = ERR_INIT;
    char room[sizeof(struct ctl_failed)];
    int pair[2], fds[1] = {-1}, ctl = f.s->interp.ctl;
    size_t nfds = 1;
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
    f.s->interp.ctl = pair[0];
    assert_int_equal(packet_send(pair[1], message, len, &ctl, 1), 0);
    int next = dup(ctl);
    close(next);
    int type = session_expect(f.s, room, sizeof room, fds, &nfds, &err);
    *ret_open = fcntl(next, F_GETFD) >= 0;
    if (*ret_open)
        close(next);
    f.s->interp.ctl = ctl;
    close(pair[0]);
    close(pair[1]);
    done(&f);
    return type;
}

static void only_whole_messages_of_the_supervisor_are_taken(void **state) {
    (void)state;
    bool open;
    struct ctl_exited exited = {.head = {CTL_EXITED, sizeof exited}};
    assert_int_equal(heard(&exited, sizeof exited, &open), CTL_EXITED);
    assert_true(open); /* it is the caller's now */
    exited.head.size = sizeof exited.head;
    assert_int_equal(heard(&exited, sizeof exited.head, &open), -EPROTO);
    assert_false(open);
    assert_int_equal(heard(&exited, 4, &open), -EPROTO);
    assert_false(open);
    struct ctl_head request = {CTL_END, sizeof request};
    assert_int_equal(heard(&request, sizeof request, &open), -EPROTO);
    struct ctl_failed failed = {.head = {CTL_FAILED, sizeof failed}};
    assert_int_equal(heard(&failed, sizeof failed, &open), CTL_FAILED);
    failed.err.code = -1;
    assert_int_equal(heard(&failed, sizeof failed, &open), -EPROTO);
    failed.err.code = 1;
    memset(failed.err.message, 'x', sizeof failed.err.message);
    assert_int_equal(heard(&failed, sizeof failed, &open), -EPROTO);
    assert_false(open);
}

static void no_layer_is_in_force_and_missing(void **state) {
    (void)state;
    struct fixture f = live();
    f.s->iso.layers = LAYER_BIT(LAYER_NET);
    f.s->iso.missing = LAYER_BIT(LAYER_NET) | LAYER_BIT(LAYER_IPC);
    expect(&f, "in force and missing");
    done(&f);
}

/* --- files --- */

static struct manifest list_of(const char *first, const char *second) {
    const char *names[] = {first, second};
    struct manifest m = {.files = calloc(2, sizeof *m.files), .count = 2};
    for (size_t i = 0; i < 2; i++) {
        m.files[i] = (struct file){
            .path = strdup(names[i]), .target = strdup(""), .mode = 0100644, .kept = KEPT_NOT};
        m.bytes += file_bytes(&m.files[i]);
    }
    return m;
}

static void lists_of_files_are_sorted_and_accounted(void **state) {
    (void)state;
    struct fixture f = live();
    struct manifest now = list_of("b", "a");
    files_take(&f.s->files, &now);
    expect(&f, "not sorted");
    manifest_sort(&f.s->files.manifest);
    assert_null(session_broken(f.s));
    assert_non_null(manifest_find(&f.s->files.manifest, "b"));
    account_add(&f.s->account, ACCOUNT_LISTS, 1);
    expect(&f, "not accounted");
    account_sub(&f.s->account, ACCOUNT_LISTS, 1);
    f.s->files.manifest.bytes++;
    expect(&f, "another size");
    f.s->files.manifest.bytes--;
    done(&f);
}

static void snapshots_are_shared_until_something_changes(void **state) {
    (void)state;
    struct fixture f = live();
    struct manifest now = list_of("a", "b");
    files_take(&f.s->files, &now);
    struct snapshot *first = snapshot_ref(files_snapshot(&f.s->files));
    assert_ptr_equal(files_snapshot(&f.s->files), first);
    f.s->files.changed = true;
    struct snapshot *second = files_snapshot(&f.s->files);
    assert_ptr_not_equal(second, first);
    assert_ptr_equal(f.s->files.snapshots, second);
    assert_null(session_broken(f.s));
    uint64_t held = account_used(&f.s->account, ACCOUNT_LISTS);
    snapshot_unref(first);
    assert_true(account_used(&f.s->account, ACCOUNT_LISTS) < held);
    assert_null(second->next);
    assert_null(session_broken(f.s));
    done(&f);
}

static void kept_bytes_lie_in_the_spool(void **state) {
    (void)state;
    struct fixture f = live();
    struct manifest now = list_of("a", "b");
    now.files[1].size = 10;
    now.files[1].kept = 5;
    files_take(&f.s->files, &now);
    expect(&f, "beyond the end of the spool");
    f.s->files.spool_len = 15;
    expect(&f, "without a spool");
    f.s->files.spool = spool_open();
    assert_null(session_broken(f.s));
    done(&f);
}

static void uploads_are_counted(void **state) {
    (void)state;
    struct fixture f = live();
    struct retort_upload u = {.staged = ".upload-1"};
    f.s->files.uploads = &u;
    expect(&f, "number of uploads");
    f.s->files.nuploads = 1;
    assert_null(session_broken(f.s));
    assert_true(files_hide(&f.s->files, ".upload-1"));
    assert_false(files_hide(&f.s->files, ".upload-2"));
    f.s->files.uploads = NULL;
    done(&f);
}

static void a_session_and_its_files_are_recorded_together(void **state) {
    (void)state;
    struct fixture f = live();
    f.s->recorded = true;
    expect(&f, "whether they are recorded");
    session_set_recorded(f.s, false);
    assert_null(session_broken(f.s));
    done(&f);
}

/* --- outputs --- */

static void outputs_are_accounted_and_the_oldest_go(void **state) {
    (void)state;
    struct fixture f = live();
    struct stream out;
    stream_init(&out, 1000, 0);
    stream_add(&out, "hello", 5);
    for (unsigned cell = 1; cell <= OUTPUTS + 1; cell++)
        outputs_keep(&f.s->outputs, cell, RETORT_STDOUT, &out, false);
    assert_int_equal(account_used(&f.s->account, ACCOUNT_OUTPUT), OUTPUTS * 5);
    assert_null(outputs_find(&f.s->outputs, 1, RETORT_STDOUT, NULL));
    assert_int_equal(f.s->outputs.gone, 1);
    assert_null(session_broken(f.s));
    f.s->outputs.ring[3].len++;
    expect(&f, "outputs are not accounted");
    f.s->outputs.ring[3].len--;
    f.s->outputs.ring[3].cell = 0;
    expect(&f, "an output of no cell");
    f.s->outputs.ring[3].cell = 4;
    stream_done(&out);
    done(&f);
}

/* --- the timeline --- */

static void add_file(struct retort_session *s, const char *path) {
    struct step *step = timeline_grow(s);
    assert_non_null(step);
    step->path = strdup(path);
    timeline_count(s, step);
}

static void add_cell(struct retort_session *s, unsigned number, const char *code) {
    struct step *step = timeline_grow(s);
    assert_non_null(step);
    step->cell = number;
    step->language = language_of(LANG_PYTHON);
    step->code = strdup(code);
    step->len = strlen(code);
    timeline_count(s, step);
}

static void steps_are_cells_and_files(void **state) {
    (void)state;
    struct fixture f = live();
    add_cell(f.s, 1, "x = 1");
    add_file(f.s, "a");
    add_cell(f.s, 2, "y = 1");
    add_file(f.s, "b");
    assert_null(session_broken(f.s));
    assert_int_equal(timeline_cells(f.s), 2);
    assert_int_equal(timeline_before(f.s, 1), 2); /* the file after the cell goes with it */
    assert_int_equal(timeline_before(f.s, 2), 0);
    timeline_cut(f.s, 2);
    assert_int_equal(timeline_cells(f.s), 1);
    assert_null(session_broken(f.s));
    f.s->timeline.steps[1].cell = 3;
    expect(&f, "not one of a cell and a file");
    f.s->timeline.steps[1].cell = 0;
    account_add(&f.s->account, ACCOUNT_PAST, 1);
    expect(&f, "the timeline is not accounted");
    account_sub(&f.s->account, ACCOUNT_PAST, 1);
    done(&f);
}

static void a_checkpoint_has_its_place_files_and_process(void **state) {
    (void)state;
    struct fixture f = live();
    f.s->timeline.checkpoint_at = 1;
    expect(&f, "beyond its end");
    add_cell(f.s, 1, "x = 1");
    assert_null(session_broken(f.s));
    f.s->timeline.has_checkpoint = true;
    expect(&f, "a checkpoint without its files");
    f.s->files.checkpoint = snapshot_ref(files_snapshot(&f.s->files));
    assert_null(session_broken(f.s));
    session_finish(f.s);
    assert_false(f.s->timeline.has_checkpoint);
    assert_null(f.s->files.checkpoint);
    assert_null(session_broken(f.s));
    done(&f);
}

static void nobody_leaves_the_result_of_a_cell_on_the_account(void **state) {
    (void)state;
    struct fixture f = live();
    account_add(&f.s->account, ACCOUNT_RESULT, 1);
    expect(&f, "a result is accounted");
    done(&f);
}

/* --- specs --- */

static void a_spec_is_shared(void **state) {
    (void)state;
    const char *const env[] = {"A=1", "B=2", NULL};
    struct retort_session_options options = {
        .env = env, .owner = "ann", .deterministic = true, .checkpoint = RETORT_CHECKPOINT_ALWAYS};
    const struct session_spec *spec = NULL;
    struct retort_error err = ERR_INIT;
    assert_int_equal(spec_new(&options, false, &spec, &err), 0);
    assert_ptr_equal(spec_ref(spec), spec);
    spec_unref(spec);
    assert_string_equal(spec->variables[1], "B=2");
    assert_string_equal(spec->owner, "ann");
    assert_int_equal(spec->checkpoint, RETORT_CHECKPOINT_OFF); /* which a replay does not repeat */
    struct ctl_create message;
    spec_message(spec, &message);
    assert_true(ctl_create_ok(&message, sizeof message));
    spec_unref(spec);
}

static void a_spec_is_refused(void **state) {
    (void)state;
    static const char *const env[] = {"A", NULL}, *const layers[] = {"pid", NULL};
    const struct retort_session_options bad[] = {
        {.owner = "a b"}, {.env = env}, {.language = "cobol"}, {.allow_missing = layers}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const struct session_spec *spec = NULL;
        struct retort_error err = ERR_INIT;
        assert_true(spec_new(&bad[i], false, &spec, &err) < 0);
        assert_null(spec);
        assert_int_equal(err.fault, ERR_CALLER);
    }
}

static void isolation_is_told_once_and_again_for_a_new_process(void **state) {
    (void)state;
    struct isolation iso = {0};
    struct ctl_created created = {.layers = LAYER_BIT(LAYER_USER), .cgroup_why = "none here"};
    isolation_take(&iso, &created);
    const char *before = isolation_text(&iso);
    assert_ptr_equal(isolation_text(&iso), before);
    json_t *first = isolation_shared(&iso), *second = isolation_shared(&iso);
    assert_ptr_equal(first, second);
    assert_int_equal(json_array_size(json_object_get(first, "layers")), 1);
    assert_string_equal(iso.cgroup_why, "none here");
    created.layers |= LAYER_BIT(LAYER_NET);
    isolation_take(&iso, &created);
    json_t *third = isolation_shared(&iso);
    assert_int_equal(json_array_size(json_object_get(third, "layers")), 2);
    assert_non_null(strstr(isolation_text(&iso), "\"net\""));
    assert_null(strstr(before, "\"net\"")); /* whoever asked then may still hold it */
    json_decref(first);
    json_decref(second);
    json_decref(third);
    isolation_done(&iso);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_session_that_is_being_made_promises_nothing),
        cmocka_unit_test(a_live_session_has_a_process),
        cmocka_unit_test(a_sleeping_one_has_none),
        cmocka_unit_test(a_state_is_one_of_four),
        cmocka_unit_test(pipes_need_a_supervisor),
        cmocka_unit_test(tools_are_offered_before_they_are_sent),
        cmocka_unit_test(measures_come_with_a_cgroup),
        cmocka_unit_test(what_a_cgroup_used_before_is_not_the_sessions),
        cmocka_unit_test(only_whole_messages_of_the_supervisor_are_taken),
        cmocka_unit_test(no_layer_is_in_force_and_missing),
        cmocka_unit_test(lists_of_files_are_sorted_and_accounted),
        cmocka_unit_test(snapshots_are_shared_until_something_changes),
        cmocka_unit_test(kept_bytes_lie_in_the_spool),
        cmocka_unit_test(uploads_are_counted),
        cmocka_unit_test(a_session_and_its_files_are_recorded_together),
        cmocka_unit_test(outputs_are_accounted_and_the_oldest_go),
        cmocka_unit_test(steps_are_cells_and_files),
        cmocka_unit_test(a_checkpoint_has_its_place_files_and_process),
        cmocka_unit_test(nobody_leaves_the_result_of_a_cell_on_the_account),
        cmocka_unit_test(a_spec_is_shared),
        cmocka_unit_test(a_spec_is_refused),
        cmocka_unit_test(isolation_is_told_once_and_again_for_a_new_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
