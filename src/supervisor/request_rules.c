/* Applies the rules of requests.def, without the handlers: a pure function. */
#include <string.h>

#include "supervisor/requests.h"

#define IN(state) (1u << SESSION_##state)

static const struct rule {
    uint32_t type;
    size_t size;
    size_t descriptors;
    uint32_t states;
} rules[] = {
#define REQUEST(type, body, descriptors, states, handler, why) \
    {type, sizeof(struct body), descriptors, states},
#include "supervisor/requests.def"
#undef REQUEST
};

#define ROWS (sizeof rules / sizeof *rules)

size_t request_rows(void) {
    return ROWS;
}

static bool request_fits(const struct rule *rule, const struct ctl_head *head, size_t len,
                         size_t nfds) {
    return head->type == rule->type && head->size == rule->size && len == rule->size &&
           nfds == rule->descriptors;
}

enum verdict request_judge(const void *bytes, size_t len, size_t nfds, enum session_state state,
                           size_t *ret_row) {
    struct ctl_head head;
    if (len < sizeof head)
        return REQUEST_END;
    memcpy(&head, bytes, sizeof head);
    for (size_t i = 0; i < ROWS; i++) {
        if (!request_fits(&rules[i], &head, len, nfds))
            continue;
        if (state == SESSION_DYING)
            return REQUEST_DROP;
        if (!(rules[i].states & 1u << state))
            return REQUEST_END;
        *ret_row = i;
        return REQUEST_SERVE;
    }
    return REQUEST_END;
}
