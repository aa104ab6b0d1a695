/* What doors keep in the cluster: small values that any node may read. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/jsonwhole.h"
#include "base/scope.h"
#include "serve/cluster/passing.h"
#include "serve/hosted/json.h"

#define KEPT_PATIENCE_MS 5000

static struct log_streams *kept_place(struct clustered *c, const char *kind, const char *id,
                                      char ret_subject[BUS_SUBJECT]) {
    struct log_streams *s = cluster_streams(((struct cluster_door *)(void *)c)->cluster);
    char both[BUS_SUBJECT];

    if (!cluster_word_is_valid(kind) || !cluster_word_is_valid(id))
        return NULL;
    snprintf(both, sizeof both, "%s.%s", kind, id);
    streams_subject(s, "kept", both, ret_subject);
    return s;
}

int kept_put(struct clustered *c, const char *kind, const char *id, const json_t *value,
             uint64_t *version) {
    char subject[BUS_SUBJECT];
    struct log_streams *s = kept_place(c, kind, id, subject);
    struct retort_error ignored;

    if (!s)
        return -EINVAL;
    if (!value)
        return streams_purge(s, STREAM_KEPT, subject, 0, &ignored);
    scoped_free char *text = serve_json_text(value);
    if (!text)
        return -ENOMEM;
    struct stream_append a = {.stream = STREAM_KEPT,
                              .subject = subject,
                              .expect = *version,
                              .data = text,
                              .len = strlen(text),
                              .patience_ms = KEPT_PATIENCE_MS};
    return streams_append(s, &a, version, &ignored);
}

int kept_get(struct clustered *c, const char *kind, const char *id, json_t **ret,
             uint64_t *ret_version) {
    char subject[BUS_SUBJECT];
    struct log_streams *s = kept_place(c, kind, id, subject);
    struct stream_message m;
    struct retort_error ignored;
    int r = s ? streams_last(s, STREAM_KEPT, subject, &m, &ignored) : -ENOENT;

    if (r < 0)
        return r;
    *ret = json_in(m.data, m.len, 0, NULL);
    *ret_version = m.seq;
    free(m.data);
    return *ret ? 0 : -EBADMSG;
}
