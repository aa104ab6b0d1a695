/* Requests to the supervisor: each row of the table with its own size, descriptors and states, and
 * nothing else. */
#include "unit.h"

#include <string.h>

#include "supervisor/requests.h"

#define IN(state) (1u << SESSION_##state)
#define STATES 6

static const struct row {
    uint32_t type, size;
    size_t descriptors;
    uint32_t states;
    const char *why;
} rows[] = {
#define REQUEST(type, body, descriptors, states, handler, why) \
    {type, sizeof(struct body), descriptors, states, why},
#include "supervisor/requests.def"
#undef REQUEST
};
#define ROWS (sizeof rows / sizeof *rows)

union body {
    struct ctl_head head;
    char bytes[1024];
};

static enum verdict judge(uint32_t type, uint32_t size, size_t len, size_t nfds,
                          enum session_state state, size_t *ret_row) {
    union body body = {.head = {type, size}};
    return request_judge(&body, len, nfds, state, ret_row);
}

static void every_row_is_served_where_it_says(void **state) {
    (void)state;
    assert_int_equal(request_rows(), ROWS);
    for (size_t i = 0; i < ROWS; i++)
        for (int st = 0; st < STATES; st++) {
            size_t row = 99;
            const struct row *r = &rows[i];
            enum verdict v =
                judge(r->type, r->size, r->size, r->descriptors, (enum session_state)st, &row);
            bool there = r->states & 1u << st;
            assert_int_equal(v, there                 ? REQUEST_SERVE
                                : st == SESSION_DYING ? REQUEST_DROP
                                                      : REQUEST_END);
            assert_int_equal(row, there ? i : 99);
        }
}

static void another_size_ends_the_session(void **state) {
    (void)state;
    size_t row;
    for (size_t i = 0; i < ROWS; i++)
        for (uint32_t size = 0; size < 200; size++) {
            const struct row *r = &rows[i];
            if (size == r->size)
                continue;
            assert_int_equal(judge(r->type, r->size, size, r->descriptors, SESSION_LIVE, &row),
                             REQUEST_END);
            assert_int_equal(judge(r->type, size, r->size, r->descriptors, SESSION_LIVE, &row),
                             REQUEST_END);
        }
}

static void other_descriptors_end_the_session(void **state) {
    (void)state;
    size_t row;
    for (size_t i = 0; i < ROWS; i++)
        for (size_t n = 0; n < 4; n++)
            if (n != rows[i].descriptors)
                assert_int_equal(
                    judge(rows[i].type, rows[i].size, rows[i].size, n, SESSION_LIVE, &row),
                    REQUEST_END);
}

static void an_unknown_type_ends_the_session(void **state) {
    (void)state;
    size_t row;
    for (uint32_t type = 0; type < 300; type++) {
        bool known = false;
        for (size_t i = 0; i < ROWS; i++)
            known = known || rows[i].type == type;
        for (int st = 0; !known && st < STATES; st++)
            assert_int_equal(judge(type, sizeof(struct ctl_head), sizeof(struct ctl_head), 0,
                                   (enum session_state)st, &row),
                             REQUEST_END);
    }
}

static void every_row_says_why_it_is_safe(void **state) {
    (void)state;
    for (size_t i = 0; i < ROWS; i++)
        assert_true(strlen(rows[i].why) > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_served_where_it_says),
        cmocka_unit_test(another_size_ends_the_session),
        cmocka_unit_test(other_descriptors_end_the_session),
        cmocka_unit_test(an_unknown_type_ends_the_session),
        cmocka_unit_test(every_row_says_why_it_is_safe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
