/* Requests as the supervisor decodes them: for a session, and of its owner. What is accepted can be
 * used without another look: strings end, numbers name something that there is, and sizes fit. */
#include <stdlib.h>
#include <string.h>

#include "supervisor/requests.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool fact) {
    if (!fact)
        abort();
}

/* The bytes of the input replace some of a good request: most would otherwise fail by their size.
 */
static void patched(const uint8_t *data, size_t size) {
    struct ctl_create c = {.head = {CTL_SESSION, sizeof c}, .env = {.interpreter = "/usr/bin/x"}};
    must(ctl_create_ok(&c, sizeof c));
    for (; size >= 3; data += 3, size -= 3)
        ((uint8_t *)&c)[(size_t)(data[0] << 8 | data[1]) % sizeof c] = data[2];
    if (!ctl_create_ok(&c, sizeof c))
        return;
    must(c.head.type == CTL_SESSION && c.language < LANG_COUNT);
    must(strnlen(c.env.interpreter, sizeof c.env.interpreter) < sizeof c.env.interpreter);
    must(strnlen(c.env.preload, sizeof c.env.preload) < sizeof c.env.preload);
    for (int i = 0; i < ENV_PREFIXES; i++)
        must(c.env.prefix[i][0] == 0 || c.env.prefix[i][0] == '/');
}

/* The same for a message of the supervisor. */
static void answered(const uint8_t *data, size_t size) {
    struct ctl_failed f = {.head = {CTL_FAILED, sizeof f}};
    must(ctl_answer_ok(&f, sizeof f));
    for (; size >= 3; data += 3, size -= 3)
        ((uint8_t *)&f)[(size_t)(data[0] << 8 | data[1]) % sizeof f] = data[2];
    if (!ctl_answer_ok(&f, sizeof f))
        return;
    must(f.head.type == CTL_FAILED && f.err.code >= 0);
    must(strnlen(f.err.message, sizeof f.err.message) < sizeof f.err.message);
}

static void judged(const void *bytes, size_t size) {
    for (int state = SESSION_STARTING; state <= SESSION_DYING; state++)
        for (size_t nfds = 0; nfds < 3; nfds++) {
            size_t row = request_rows();
            enum verdict v = request_judge(bytes, size, nfds, (enum session_state)state, &row);
            must((v == REQUEST_SERVE) == (row < request_rows()));
            must(v == REQUEST_END || size >= sizeof(struct ctl_head));
            must(v != REQUEST_SERVE || state != SESSION_DYING);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    void *bytes = malloc(size ? size : 1); /* of its own, so that one byte too far is seen */
    if (!bytes)
        return 0;
    memcpy(bytes, data, size);
    ctl_create_ok(bytes, size);
    ctl_answer_ok(bytes, size);
    judged(bytes, size);
    free(bytes);
    patched(data, size);
    answered(data, size);
    return 0;
}
