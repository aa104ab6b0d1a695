/* Queues to clients that do not read: what is dropped, and what never is. */
#include "unit.h"

#include <errno.h>
#include <malloc.h>
#include <string.h>

#include "base/maxima.h"
#include "base/scope.h"
#include "serve/hosted/hub.h"
#include "serve/hosted/json.h"
#include "serve/http/http.h"
#include "serve/http/outbox.h"

static char large[MAX_EVENT_QUEUE / 2 + 1];

static const struct hub_start now;

static struct hub *open_hub(void) {
    struct hub *hub = hub_new();

    hub_open(hub);
    return hub;
}

/* Everything there is, and a NUL behind it. */
static void read_all(struct hub *hub, struct hub_reader *reader, struct buf *out) {
    char data[10000];
    ssize_t n;

    buf_reset(out);
    while ((n = hub_read(hub, reader, data, sizeof data)) > 0)
        buf_add(out, data, (size_t)n);
    buf_add(out, "", 1);
}

/* They outlive the sessions that they tell of, and would be in the middle of what those had. */
static void events_are_kept_apart_from_other_memory(void **state) {
    struct hub *hub = open_hub();
    struct hub_reader *reader = hub_subscribe(hub, "me", NULL, &now);
    scoped_buf out = BUF_INIT(64 << 20);
    static char text[300000];
    (void)state;
    memset(text, 'x', sizeof text);
    size_t before = mallinfo2().uordblks;
    for (size_t i = 0; i < 2000; i++) /* more than are kept */
        hub_publish(hub, "me", "s", text, i % 500 == 499 ? sizeof text : 1 + i * 7919 % 5000);
    assert_true(mallinfo2().uordblks < before + 100000);
    hub_unsubscribe(hub, reader);
    reader = hub_subscribe(hub, "me", NULL, &now);
    for (size_t i = 0; i < 300; i++) {
        size_t len = i == 150 ? sizeof text : 1 + i * 7919 % 5000;
        text[0] = text[len - 1] = (char)('a' + i % 26);
        hub_publish(hub, "me", "s", text, len);
        read_all(hub, reader, &out);
        const char *data = memmem(out.data, out.len, "data: ", 6);
        assert_non_null(data);
        assert_int_equal(out.data + out.len - data, 6 + len + 3);
        assert_memory_equal(data + 6, text, len);
        text[0] = text[len - 1] = 'x';
    }
    hub_unsubscribe(hub, reader);
    hub_free(hub);
}

static void who_never_reads_is_told_what_it_lost(void **state) {
    (void)state;
    struct hub *hub = open_hub();
    struct hub_reader *reader = hub_subscribe(hub, "me", "s", &now);
    scoped_buf out = BUF_INIT(2 * MAX_EVENT_RING);
    int fit = MAX_EVENT_RING / (sizeof large + 40);

    memset(large, 'x', sizeof large);
    assert_int_equal(hub_publish(hub, "you", "s", "{}", 2), 0);
    for (int i = 0; i < fit; i++)
        assert_int_equal(hub_publish(hub, "me", "s", large, sizeof large), 1);
    for (int i = 0; i < 3; i++)
        assert_int_equal(hub_publish(hub, "me", "s", large, sizeof large), 0);
    read_all(hub, reader, &out);
    assert_non_null(strstr(out.data, "event: events.dropped\n"));
    assert_non_null(strstr(out.data, "\"count\":3}"));
    assert_true(out.len > (size_t)fit * sizeof large && out.len < MAX_EVENT_RING + 1000);
    assert_int_equal(hub_publish(hub, "me", "s", large, sizeof large), 1);
    hub_unsubscribe(hub, reader);
    hub_free(hub);
}

/* The rest of it is gone: what follows would be taken for a part of it. */
static void half_an_event_is_never_followed_by_another(void **state) {
    (void)state;
    struct hub *hub = open_hub();
    struct hub_reader *reader = hub_subscribe(hub, "me", NULL, &now);
    char data[100];

    hub_publish(hub, "me", "s", large, sizeof large);
    assert_int_equal(hub_read(hub, reader, data, sizeof data), sizeof data);
    for (size_t sent = 0; sent <= MAX_EVENT_RING; sent += sizeof large)
        hub_publish(hub, "me", "s", large, sizeof large);
    assert_int_equal(hub_read(hub, reader, data, sizeof data), -EPIPE);
    hub_unsubscribe(hub, reader);
    hub_free(hub);
}

static void a_loud_owner_takes_nothing_from_a_quiet_one(void **state) {
    (void)state;
    struct hub *hub = open_hub();
    struct hub_reader *reader = hub_subscribe(hub, "quiet", NULL, &now);
    scoped_buf out = BUF_INIT(10000);
    char owner[16];

    hub_publish(hub, "quiet", "s", "mine", 4);
    for (int i = 0; i < 20; i++)
        for (size_t sent = 0; sent <= MAX_EVENT_RING; sent += sizeof large) {
            snprintf(owner, sizeof owner, "loud-%d", i);
            hub_publish(hub, owner, "s", large, sizeof large);
        }
    read_all(hub, reader, &out);
    assert_non_null(strstr(out.data, "data: mine\n\n"));
    hub_unsubscribe(hub, reader);
    hub_free(hub);
}

static void who_comes_back_gets_what_it_missed_and_nothing_twice(void **state) {
    (void)state;
    struct hub *hub = open_hub();
    struct hub_reader *reader = hub_subscribe(hub, "me", "s", &now);
    scoped_buf out = BUF_INIT(10000);
    char id[40] = "";

    hub_publish(hub, "me", "s", "one", 3);
    read_all(hub, reader, &out);
    assert_int_equal(sscanf(out.data, "id: %39s", id), 1);
    hub_unsubscribe(hub, reader);
    hub_publish(hub, "me", "other", "not-mine", 8);
    hub_publish(hub, "me", "s", "two", 3);
    reader = hub_subscribe(hub, "me", "s", &(struct hub_start){.last = id});
    read_all(hub, reader, &out);
    assert_null(strstr(out.data, "one"));
    assert_null(strstr(out.data, "not-mine"));
    assert_null(strstr(out.data, "dropped"));
    assert_non_null(strstr(out.data, "data: two\n\n"));
    hub_unsubscribe(hub, reader);
    reader = hub_subscribe(hub, "me", "s", &(struct hub_start){.last = "12-99"});
    read_all(hub, reader, &out);
    assert_non_null(strstr(out.data, "\"count\":null}"));
    assert_non_null(strstr(out.data, "data: one\n\n"));
    hub_unsubscribe(hub, reader);
    hub_free(hub);
}

static void a_gap_is_told_to_who_comes_back(void **state) {
    (void)state;
    struct hub *hub = open_hub();
    struct hub_reader *reader = hub_subscribe(hub, "me", NULL, &now);
    scoped_buf out = BUF_INIT(2 * MAX_EVENT_RING);
    char id[40] = "";

    hub_publish(hub, "me", "s", "one", 3);
    read_all(hub, reader, &out);
    assert_int_equal(sscanf(out.data, "id: %39s", id), 1);
    hub_unsubscribe(hub, reader);
    hub_publish(hub, "me", "s", "lost", 4);
    for (size_t sent = 0; sent < MAX_EVENT_RING; sent += sizeof large)
        hub_publish(hub, "me", "s", large, sizeof large);
    reader = hub_subscribe(hub, "me", NULL, &(struct hub_start){.last = id});
    read_all(hub, reader, &out);
    /* "lost", and the first of the large ones */
    assert_non_null(strstr(out.data, "\"count\":2}"));
    hub_unsubscribe(hub, reader);
    hub_free(hub);
}

static void nothing_is_kept_where_nobody_can_listen(void **state) {
    (void)state;
    struct hub *hub = hub_new();

    hub_publish(hub, "me", "s", "before", 6);
    assert_int_equal(hub_next(hub, "me"), 0);
    hub_open(hub);
    assert_int_equal(hub_next(hub, "me"), 1);
    hub_free(hub);
}

static void members_are_found_where_they_stand(void **state) {
    (void)state;
    static const char *const names[] = {"files", "a", "none"};
    static const char text[] = "{\"value\":{\"files\":[]},\"s\":\"\\\"files\\\":[]\",\"a\":-1.5,"
                               "\"files\":[{\"p\":\"}]\"},[]]}";
    struct json_span spans[3];

    serve_json_members(text, sizeof text - 1, names, 3, spans);
    assert_int_equal(spans[0].len, 15);
    assert_memory_equal(spans[0].text, "[{\"p\":\"}]\"},[]]", 15);
    assert_int_equal(spans[1].len, 4);
    assert_memory_equal(spans[1].text, "-1.5", 4);
    assert_null(spans[2].text);
}

static void notes_give_way_to_the_reply(void **state) {
    (void)state;
    struct outbox *outbox = outbox_new();
    scoped_buf out = BUF_INIT(MAX_STREAM);

    memset(large, 'x', sizeof large);
    for (int i = 0; i < 5; i++)
        outbox_note(outbox, large, sizeof large);
    outbox_reply(outbox, "the reply", 9);
    outbox_end(outbox);
    assert_int_equal(outbox_take(outbox, &out), 0);
    assert_true(out.len < MAX_EVENT_QUEUE + 200);
    assert_non_null(memmem(out.data, out.len, "data: the reply", 15));
    assert_int_equal(outbox_take(outbox, &out), -EPIPE);
    outbox_unref(outbox);
}

static void bytes_wait_for_a_reader_and_not_for_ever(void **state) {
    (void)state;
    struct outbox *outbox = outbox_new();
    scoped_buf out = BUF_INIT(MAX_STREAM);
    size_t taken = 0;

    while (outbox_try(outbox, large, sizeof large))
        taken++;
    assert_true(taken > 0 && taken * sizeof large <= 4u << 20);
    assert_false(outbox_try(outbox, large, sizeof large));
    assert_int_equal(outbox_take(outbox, &out), 0);
    assert_int_equal(out.len, taken * sizeof large);
    assert_true(outbox_try(outbox, large, sizeof large));
    while (outbox_try(outbox, large, sizeof large))
        ;
    outbox_leave(outbox); /* then nobody waits */
    outbox_bytes(outbox, large, sizeof large);
    assert_true(outbox_try(outbox, large, sizeof large));
    outbox_unref(outbox);
}

static void patience_ends(void **state) {
    (void)state;
    assert_true(http_patience(0, 0) > 1);
    assert_true(http_patience(0, 1 << 20) > http_patience(0, 0));
    assert_true(http_patience(1ull << 60, 0) > 0 && http_patience(1ull << 60, 0) < 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_are_kept_apart_from_other_memory),
        cmocka_unit_test(who_never_reads_is_told_what_it_lost),
        cmocka_unit_test(half_an_event_is_never_followed_by_another),
        cmocka_unit_test(a_loud_owner_takes_nothing_from_a_quiet_one),
        cmocka_unit_test(who_comes_back_gets_what_it_missed_and_nothing_twice),
        cmocka_unit_test(a_gap_is_told_to_who_comes_back),
        cmocka_unit_test(nothing_is_kept_where_nobody_can_listen),
        cmocka_unit_test(members_are_found_where_they_stand),
        cmocka_unit_test(notes_give_way_to_the_reply),
        cmocka_unit_test(bytes_wait_for_a_reader_and_not_for_ever),
        cmocka_unit_test(patience_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
