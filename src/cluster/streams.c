#include "cluster/streams.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/io.h"
#include "base/jsonscope.h"
#include "base/jsonwhole.h"
#include "base/scope.h"

#define ASK_MS 2000      /* for one try of a request */
#define AGAIN_US 50000   /* between two tries */
#define PATIENCE_MS 5000 /* for requests other than appends */
#define START_MS 30000   /* for servers that have just been started */
#define MAX_MESSAGE (64u << 20)
#define MESSAGE_HEAD 512 /* most bytes of a message beside its data: subject and headers */
#define SPACE_IS "at most %llu bytes" /* the description of a stream with a limit */
#define KEPT_NS \
    (30 * 86400 * (json_int_t)1000000000) /* after this time nobody asks for a value any more */

/* Codes of JetStream, in "err_code". */
#define WRONG_LAST_SEQUENCE 10071
#define NO_MESSAGE 10037
#define NO_STREAM 10059
#define NO_PEERS 10005

/* Codes that mean that there is no room; the first also stands for other failures. */
#define NOT_STORED 10077
#define ACCOUNT_IS_FULL 10002
#define SERVER_IS_FULL 10023
#define STORAGE_IS_FULL 10047

static const char *const kinds[STREAM_COUNT] = {"LOG", "BYTES", "NODES", "KEPT"};
static const char *const subjects_of[STREAM_COUNT] = {"log.*", "bytes.*.*.*", "lease.*",
                                                      "kept.*.*"};

bool cluster_word_is_valid(const char *word) {
    size_t len = strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
    return len > 0 && len <= 64 && !word[len];
}

bool cluster_name_is_valid(const char *name) {
    return cluster_word_is_valid(name) && strlen(name) <= CLUSTER_NAME_MAX;
}

void streams_subject(const struct log_streams *s, const char *kind, const char *id,
                     char ret[BUS_SUBJECT]) {
    snprintf(ret, BUS_SUBJECT, "retort.%s.%s.%s", s->name, kind, id);
}

/* --- asking JetStream --- */

static int failed(int r, struct retort_error *err) {
    switch (-r) {
    case ENOTCONN: return err_set(err, ERR_HOST, ENOTCONN, "the cluster's log cannot be reached");
    case ETIMEDOUT:
    case EHOSTUNREACH:
        return err_set(err, ERR_HOST, ETIMEDOUT,
                       "the cluster's log does not answer: too few of its servers are there");
    case ENOSPC:
        return err_set(
            err, ERR_HOST, ENOSPC,
            "the cluster's log is full: nothing new is taken until sessions are forgotten "
            "(retort cluster forget), or it gets more room");
    case ENOMEM: return err_memory(err);
    default: return err_errno(err, ERR_HOST, -r, "the cluster's log cannot be used");
    }
}

static bool worth_again(int r) {
    return r == -ENOTCONN || r == -ETIMEDOUT || r == -EHOSTUNREACH || r == -EAGAIN;
}

/* Whether the log is full: then it does not help to ask again. */
static bool says_full(const json_t *error, int code) {
    const char *text = json_string_value(json_object_get(error, "description"));
    if (code == NOT_STORED)
        return text && strncmp(text, "maximum ", 8) == 0;
    return code == ACCOUNT_IS_FULL || code == SERVER_IS_FULL || code == STORAGE_IS_FULL;
}

/* Returns the answer as JSON. -EAGAIN: there is no leader at the moment; -ENOSPC; others: errors of
 * JetStream. */
static int streams_ask_once(struct log_streams *s, const struct bus_message *m, json_t **ret,
                            int *ret_code) {
    scoped_free char *text = NULL;
    size_t len;
    int r = s->table->request(s->bus, m, ASK_MS, &text, &len);
    if (r < 0)
        return r;
    scoped_json *answer = json_in(text, len, 0, NULL);
    const json_t *error = json_object_get(answer, "error");
    if (!answer)
        return -EBADMSG;
    if (!error) {
        *ret = json_incref(answer);
        return 0;
    }
    *ret_code = (int)json_integer_value(json_object_get(error, "err_code"));
    if (says_full(error, *ret_code))
        return -ENOSPC;
    return json_integer_value(json_object_get(error, "code")) == 503 ? -EAGAIN : -EREMOTEIO;
}

static int streams_ask(struct log_streams *s, const struct bus_message *m, unsigned patience_ms,
                       json_t **ret, int *ret_code) {
    uint64_t until = now_ns() + patience_ms * 1000000ull;
    int r;
    *ret_code = 0;
    while (worth_again(r = streams_ask_once(s, m, ret, ret_code)) && now_ns() < until)
        usleep(AGAIN_US);
    return r;
}

/* A request to the API of JetStream about one of the streams. */
struct stream_question {
    const char *what;
    enum stream stream;
    json_t *body; /* freed by the call; or NULL */
    unsigned patience_ms;
};

static int streams_call(struct log_streams *s, const struct stream_question *q, json_t **ret,
                        int *ret_code) {
    char subject[BUS_SUBJECT];
    scoped_free char *text = q->body ? json_whole(q->body, JSON_COMPACT) : strdup("");
    *ret_code = 0;
    snprintf(subject, sizeof subject, "$JS.API.STREAM.%s.RETORT-%s-%s", q->what, s->name,
             kinds[q->stream]);
    json_decref(q->body);
    if (!text)
        return -ENOMEM;
    struct bus_message m = {.subject = subject, .data = text, .len = strlen(text)};
    return streams_ask(s, &m, q->patience_ms, ret, ret_code);
}

static int stream_refused(int r, int code, struct retort_error *err) {
    return r == -EREMOTEIO
               ? err_set(err, ERR_HOST, EREMOTEIO,
                         "the cluster's log refuses what it was asked (error %d of NATS)", code)
               : failed(r, err);
}

/* --- their room --- */

static bool stream_is_bounded(enum stream stream) {
    return stream == STREAM_LOG || stream == STREAM_BYTES;
}

uint64_t streams_space(const json_t *info) {
    const char *said =
        json_string_value(json_object_get(json_object_get(info, "config"), "description"));
    unsigned long long space = 0;
    return said && sscanf(said, SPACE_IS, &space) == 1 ? space : 0;
}

static int stream_look(struct log_streams *s, enum stream stream, struct retort_error *err) {
    scoped_json *info = NULL;
    struct stream_room *room = &s->rooms[stream];
    int r = streams_info(s, stream, NULL, &info, err);
    if (r < 0)
        return r;
    const json_t *bytes = json_object_get(json_object_get(info, "state"), "bytes");
    room->space = streams_space(info);
    room->used = (uint64_t)json_integer_value(bytes);
    return 0;
}

int streams_look(struct log_streams *s, struct retort_error *err) {
    int r = stream_look(s, STREAM_LOG, err);
    return r < 0 ? r : stream_look(s, STREAM_BYTES, err);
}

static bool room_fits(const struct stream_room *room, size_t len) {
    return !room->space || room->used + len + MESSAGE_HEAD <= room->space;
}

/* We look before we refuse something: sessions may have been forgotten, or the limit was
 * changed. */
static int room_for(struct log_streams *s, const struct stream_append *a,
                    struct retort_error *err) {
    if (room_fits(&s->rooms[a->stream], a->len))
        return 0;
    int r = stream_look(s, a->stream, err);
    if (r < 0)
        return r;
    return room_fits(&s->rooms[a->stream], a->len) ? 0 : failed(-ENOSPC, err);
}

/* --- making them --- */

static json_t *stream_config(const struct log_streams *s, enum stream stream,
                             const struct cluster_options *o) {
    json_int_t lease = (json_int_t)(o->lease * 1e9);
    bool nodes = stream == STREAM_NODES, kept = stream == STREAM_KEPT;
    json_t *config =
        json_pack("{s:o s:[o] s:s s:s s:s s:i s:I s:i s:I s:b}", "name",
                  json_sprintf("RETORT-%s-%s", s->name, kinds[stream]), "subjects",
                  json_sprintf("retort.%s.%s", s->name, subjects_of[stream]), "retention", "limits",
                  "storage", "file", "discard", nodes ? "old" : "new", "num_replicas",
                  (int)o->replicas, "max_age",
                  nodes  ? lease
                  : kept ? KEPT_NS
                         : (json_int_t)0,
                  "max_msgs_per_subject", nodes || kept ? 1 : -1, "duplicate_window",
                  nodes ? lease : (json_int_t)120000000000, "allow_direct", stream == STREAM_BYTES);
    if (stream_is_bounded(stream) && o->space)
        json_object_set_new(config, "description",
                            json_sprintf(SPACE_IS, (unsigned long long)o->space));
    return config;
}

/* Changes one setting of a stream. Takes the value. */
static int stream_change(struct log_streams *s, enum stream stream, json_t *config,
                         const char *name, json_t *value) {
    json_t *answer = NULL;
    int code;
    json_object_set_new(config, name, value);
    int r = streams_call(
        s, &(struct stream_question){"UPDATE", stream, json_incref(config), PATIENCE_MS}, &answer,
        &code);
    json_decref(answer);
    return r;
}

/* Sets the room of an existing stream as the options ask. An older Retort set the limit in NATS; it
 * is moved to the description. */
static int stream_fit(struct log_streams *s, enum stream stream, const struct cluster_options *o,
                      const json_t *info) {
    json_t *config = json_object_get(info, "config");
    json_int_t told = json_integer_value(json_object_get(config, "max_bytes"));
    uint64_t has = streams_space(info), space = o->space;
    if (!space)
        space = has || told < 0 ? has : (uint64_t)told;
    if (!stream_is_bounded(stream) || !config || (space == has && told <= 0))
        return 0;
    json_object_set_new(config, "max_bytes", json_integer(-1));
    return stream_change(s, stream, config, "description",
                         json_sprintf(SPACE_IS, (unsigned long long)space));
}

static int stream_make(struct log_streams *s, enum stream stream, const struct cluster_options *o,
                       struct retort_error *err) {
    json_t *answer = NULL;
    int code, r = streams_call(s, &(struct stream_question){"INFO", stream, NULL, START_MS},
                               &answer, &code);
    bool missing = r == -EREMOTEIO && code == NO_STREAM;
    /* Servers that were just started may not all know each other yet. */
    for (uint64_t until = now_ns() + START_MS * 1000000ull;
         missing && r == -EREMOTEIO && (code == NO_STREAM || code == NO_PEERS) && now_ns() < until;
         usleep(code == NO_PEERS ? 4 * AGAIN_US : 0))
        r = streams_call(
            s, &(struct stream_question){"CREATE", stream, stream_config(s, stream, o), START_MS},
            &answer, &code);
    if (r == 0 && !missing)
        r = stream_fit(s, stream, o, answer);
    json_decref(answer);
    if (r == -EREMOTEIO)
        return err_set(err, ERR_HOST, EREMOTEIO,
                       "NATS does not make a stream with %u replicas (error %d): does it run with "
                       "JetStream, on as many servers?",
                       o->replicas, code);
    return r < 0 ? failed(r, err) : 0;
}

int streams_open(const struct cluster_options *options, bool make, struct log_streams *ret,
                 struct retort_error *err) {
    char why[160] = "";
    *ret = (struct log_streams){.bus = NULL};
    snprintf(ret->name, sizeof ret->name, "%s", options->name);
    int r = bus_load(&ret->table, err);
    if (r < 0)
        return r;
    r = ret->table->open(&options->bus, &ret->bus, why, sizeof why);
    if (r == -EACCES)
        return err_set(err, ERR_CALLER, EACCES, "NATS refuses this node: %s", why);
    if (r < 0)
        return err_set(err, ERR_HOST, -r, "cannot connect to NATS: %s", why);
    for (int i = 0; make && i < STREAM_COUNT && r == 0; i++)
        r = stream_make(ret, (enum stream)i, options, err);
    if (make && r == 0)
        r = streams_look(ret, err);
    if (r < 0)
        streams_close(ret);
    return r;
}

static int lease_update(struct log_streams *s, json_t *config, json_int_t lease) {
    json_object_set_new(config, "duplicate_window", json_integer(lease));
    return stream_change(s, STREAM_NODES, config, "max_age", json_integer(lease));
}

int streams_lease(struct log_streams *s, double wanted, double *ret, struct retort_error *err) {
    scoped_json *info = NULL;
    json_int_t lease = (json_int_t)(wanted * 1e9);
    int r = streams_info(s, STREAM_NODES, NULL, &info, err);
    if (r < 0)
        return r;
    json_t *config = json_object_get(info, "config");
    json_int_t has = json_integer_value(json_object_get(config, "max_age"));
    bool alone =
        json_integer_value(json_object_get(json_object_get(info, "state"), "messages")) == 0;
    if (has != lease && (has <= 0 || (alone && lease_update(s, config, lease) == 0)))
        has = lease;
    *ret = (double)has / 1e9;
    return 0;
}

void streams_close(struct log_streams *s) {
    if (s->bus)
        s->table->close(s->bus);
    s->bus = NULL;
}

/* --- appending, reading, removing --- */

/* If the acknowledgement of an entry was lost and we send the entry again, a log with replicas
 * refuses it though it is there. So we look whether it is the last one. Entries have a salt: no two
 * are the same. */
static bool append_is_last(struct log_streams *s, const struct stream_append *a,
                           uint64_t *ret_seq) {
    struct stream_message last;
    if (!a->id || streams_last(s, a->stream, a->subject, &last, NULL) < 0)
        return false;
    bool same = last.len == a->len && memcmp(last.data, a->data, a->len) == 0;
    free(last.data);
    *ret_seq = last.seq;
    return same;
}

int streams_append(struct log_streams *s, const struct stream_append *a, uint64_t *ret_seq,
                   struct retort_error *err) {
    char expect[24];
    struct bus_header headers[3] = {{NULL, NULL}};
    struct bus_message m = {
        .subject = a->subject, .headers = headers, .data = a->data, .len = a->len};
    int n = 0, code, r = room_for(s, a, err);
    json_t *answer = NULL;
    if (r < 0)
        return r;
    snprintf(expect, sizeof expect, "%llu", (unsigned long long)a->expect);
    if (a->id)
        headers[n++] = (struct bus_header){"Nats-Msg-Id", a->id};
    if (a->expect != STREAMS_ANY)
        headers[n++] = (struct bus_header){"Nats-Expected-Last-Subject-Sequence", expect};
    r = streams_ask(s, &m, a->patience_ms, &answer, &code);
    if (r == -EREMOTEIO && code == WRONG_LAST_SEQUENCE && append_is_last(s, a, ret_seq))
        return 0;
    if (r == -EREMOTEIO && code == WRONG_LAST_SEQUENCE)
        return err_set(err, ERR_HOST, ESTALE, "another node has taken the session over");
    if (r < 0)
        return stream_refused(r, code, err);
    *ret_seq = (uint64_t)json_integer_value(json_object_get(answer, "seq"));
    json_decref(answer);
    s->rooms[a->stream].used += a->len + MESSAGE_HEAD;
    return *ret_seq ? 0 : failed(-EBADMSG, err);
}

/* Takes `question`. */
static int stream_get(struct log_streams *s, enum stream stream, json_t *question,
                      struct stream_message *ret, struct retort_error *err) {
    scoped_json *answer = NULL;
    scoped_buf data = BUF_INIT(MAX_MESSAGE);
    int code,
        r = streams_call(s, &(struct stream_question){"MSG.GET", stream, question, PATIENCE_MS},
                         &answer, &code);
    if (r == -EREMOTEIO && code == NO_MESSAGE)
        return -ENOENT;
    if (r < 0)
        return stream_refused(r, code, err);
    const json_t *message = json_object_get(answer, "message");
    const json_t *text = json_object_get(message, "data");
    if (text)
        r = base64_decode(&data, json_string_value(text), json_string_length(text));
    if (r < 0)
        return failed(r, err);
    *ret = (struct stream_message){
        .seq = (uint64_t)json_integer_value(json_object_get(message, "seq")), .len = data.len};
    ret->data = data.data ? TAKE(data.data) : strdup("");
    return ret->data ? 0 : failed(-ENOMEM, err);
}

int streams_last(struct log_streams *s, enum stream stream, const char *subject,
                 struct stream_message *ret, struct retort_error *err) {
    return stream_get(s, stream, json_pack("{s:s}", "last_by_subj", subject), ret, err);
}

int streams_any_last(struct log_streams *s, enum stream stream, const char *subject,
                     struct stream_message *ret, struct retort_error *err) {
    char where[BUS_SUBJECT];
    scoped_json *question = json_pack("{s:s}", "last_by_subj", subject);
    scoped_free char *text = question ? json_whole(question, JSON_COMPACT) : NULL;
    snprintf(where, sizeof where, "$JS.API.DIRECT.GET.RETORT-%s-%s", s->name, kinds[stream]);
    if (!text)
        return failed(-ENOMEM, err);
    struct bus_message m = {.subject = where, .data = text, .len = strlen(text)};
    *ret = (struct stream_message){.seq = 0};
    int r = s->table->request(s->bus, &m, ASK_MS, &ret->data, &ret->len);
    return r < 0 && r != -ENOENT ? failed(r, err) : r;
}

int streams_next(struct log_streams *s, enum stream stream, const char *subject, uint64_t from,
                 struct stream_message *ret, struct retort_error *err) {
    return stream_get(s, stream,
                      json_pack("{s:I s:s}", "seq", (json_int_t)from, "next_by_subj", subject), ret,
                      err);
}

int streams_follows(struct log_streams *s, const char *subject, uint64_t at, uint64_t seq,
                    struct retort_error *err) {
    struct stream_message next;
    int r = streams_next(s, STREAM_LOG, subject, at + 1, &next, err);
    if (r < 0)
        return r;
    free(next.data);
    return next.seq == seq;
}

int streams_purge(struct log_streams *s, enum stream stream, const char *subjects, unsigned keep,
                  struct retort_error *err) {
    json_t *answer = NULL;
    int code, r = streams_call(s,
                               &(struct stream_question){
                                   "PURGE", stream,
                                   json_pack("{s:s s:i}", "filter", subjects, "keep", (int)keep),
                                   PATIENCE_MS},
                               &answer, &code);
    json_decref(answer);
    return r < 0 ? stream_refused(r, code, err) : 0;
}

int streams_info(struct log_streams *s, enum stream stream, const char *subjects, json_t **ret,
                 struct retort_error *err) {
    json_t *question = subjects ? json_pack("{s:s}", "subjects_filter", subjects) : NULL;
    int code, r = streams_call(s, &(struct stream_question){"INFO", stream, question, PATIENCE_MS},
                               ret, &code);
    if (r == -EREMOTEIO && code == NO_STREAM)
        return err_set(err, ERR_CALLER, ENOENT, "there is no cluster of this name");
    return r < 0 ? stream_refused(r, code, err) : 0;
}
