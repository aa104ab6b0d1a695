/* Queues to clients that do not read: what is dropped, and what never is. */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "base/maxima.h"
#include "base/scope.h"
#include "serve/http.h"
#include "serve/hub.h"
#include "serve/outbox.h"

static char large[MAX_EVENT_QUEUE / 2 + 1];

static void a_lost_event_was_got_by_nobody(void **state) {
    (void)state;
    struct hub *hub = hub_new();
    struct hub_reader *reader = hub_subscribe(hub, "me", NULL, NULL);
    scoped_buf out = BUF_INIT(2 * MAX_EVENT_QUEUE);

    memset(large, 'x', sizeof large);
    assert_int_equal(hub_publish(hub, "you", "s", "{}", 2), 0);
    assert_int_equal(hub_publish(hub, "me", "s", large, sizeof large), 1);
    assert_int_equal(hub_publish(hub, "me", "s", large, sizeof large), 0);
    assert_int_equal(hub_take(hub, reader, &out), 1);
    assert_int_equal(out.len, sizeof large + 1);
    assert_int_equal(hub_publish(hub, "me", "s", large, sizeof large), 1);
    hub_unsubscribe(hub, reader);
    hub_free(hub);
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

static void patience_ends(void **state) {
    (void)state;
    assert_true(http_patience(0, 0) > 1);
    assert_true(http_patience(0, 1 << 20) > http_patience(0, 0));
    assert_true(http_patience(1ull << 60, 0) > 0 && http_patience(1ull << 60, 0) < 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lost_event_was_got_by_nobody),
        cmocka_unit_test(notes_give_way_to_the_reply),
        cmocka_unit_test(patience_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
