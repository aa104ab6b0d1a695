#include "gate/mask.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/buf.h"

int masks_init(struct masks *m, const char *secret) {
    scoped_buf coded = BUF_INIT(2 * MAX_MASKED);
    *m = (struct masks){{NULL}};
    if (strlen(secret) < 4) /* it would hide half of every answer */
        return 0;
    if (base64_encode(&coded, secret, strlen(secret)) < 0)
        return -ENOMEM;
    while (coded.len && coded.data[coded.len - 1] == '=')
        coded.data[--coded.len] = 0;
    m->texts[0] = strdup(secret);
    m->texts[1] = strdup(coded.data);
    return m->texts[0] && m->texts[1] ? 0 : -ENOMEM;
}

void masks_done(struct masks *m) {
    for (size_t i = 0; i < MASKS && m->texts[i]; i++) {
        explicit_bzero(m->texts[i], strlen(m->texts[i]));
        free(m->texts[i]);
        m->texts[i] = NULL;
    }
}

void masks_apply(const struct masks *m, char *bytes, size_t len) {
    for (size_t i = 0; len && i < MASKS && m->texts[i]; i++) {
        size_t n = strlen(m->texts[i]);
        char *end = bytes + len;
        for (char *at = bytes; (at = memmem(at, (size_t)(end - at), m->texts[i], n)); at += n)
            memset(at, '*', n);
    }
}

size_t masks_open(const struct masks *m, const char *bytes, size_t len) {
    size_t most = 0;
    for (size_t i = 0; i < MASKS && m->texts[i]; i++) {
        size_t n = strlen(m->texts[i]) - 1;
        for (n = n < len ? n : len; n > most; n--)
            if (memcmp(bytes + len - n, m->texts[i], n) == 0) {
                most = n;
                break;
            }
    }
    return most;
}
