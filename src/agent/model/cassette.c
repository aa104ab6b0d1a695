#include "agent/model/cassette.h"

#include "base/hash.h"
#include "base/jsonwhole.h"
#include "base/scope.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct cassette {
    char *path;
    bool replays;
    bool recorded; /* an entry has a hash; without one, we need not hash a long conversation */
    json_t *entries;
    bool *used;
    pthread_mutex_t lock; /* guards `used`: code asks several questions at a time */
};

/* --- what identifies a request --- */

/* The length of a number at s that differs from run to run: "12 ms", "71 MB", "0x7f…". */
static size_t volatile_at(const char *s) {
    size_t n = strspn(s, "0123456789.");
    if (n && (strncmp(s + n, " ms", 3) == 0 || strncmp(s + n, " MB", 3) == 0))
        return n + 3;
    if (s[0] == '0' && s[1] == 'x') {
        n = 2 + strspn(s + 2, "0123456789abcdef");
        return n > 6 ? n : 0;
    }
    return 0;
}

static int add_stable(struct buf *out, const char *s) {
    bool after_word = false;
    while (*s) {
        size_t n = after_word ? 0 : volatile_at(s);
        int r = n ? buf_adds(out, "*") : buf_add(out, s, 1);
        if (r < 0)
            return r;
        after_word = isalnum((unsigned char)*s);
        s += n ? n : 1;
    }
    return buf_add(out, "", 1);
}

static int add_calls(struct buf *out, const json_t *calls) {
    const json_t *c;
    size_t i;
    int r = 0;
    json_array_foreach(calls, i, c) {
        const char *name = json_string_value(json_object_get(c, "name"));
        const char *arguments = json_string_value(json_object_get(c, "arguments"));
        if (r == 0)
            r = add_stable(out, name ? name : "");
        if (r == 0)
            r = add_stable(out, arguments ? arguments : "");
    }
    return r;
}

/* The request's hash: everything except the system prompt, or (`dialogue`) only the task and the
 * replies. */
static int request_hash(const json_t *messages, bool dialogue, char ret[HASH_TEXT_SIZE]) {
    scoped_buf text = BUF_INIT(256u << 20);
    const json_t *m;
    size_t i;
    bool task = true;
    int r = 0;
    json_array_foreach(messages, i, m) {
        const char *role = json_string_value(json_object_get(m, "role"));
        const char *content = json_string_value(json_object_get(m, "content"));
        if (strcmp(role, "system") == 0)
            continue;
        bool assistant = strcmp(role, "assistant") == 0;
        if (dialogue && !assistant && !task)
            continue;
        task = task && assistant;
        if (r == 0)
            r = add_stable(&text, role);
        if (r == 0)
            r = add_stable(&text, content ? content : "");
        if (r == 0)
            r = add_calls(&text, json_object_get(m, "calls"));
    }
    struct hash h;
    if (r == 0)
        r = hash_bytes(text.data ? text.data : "", text.len, &h);
    if (r == 0)
        hash_text(&h, ret);
    return r;
}

static const char *cassette_content_of(const json_t *m) {
    const char *s = json_string_value(json_object_get(m, "content"));
    return s ? s : "";
}

static const char *task_of(const json_t *messages) {
    const json_t *m;
    size_t i;
    json_array_foreach(messages, i, m) {
        if (strcmp(json_string_value(json_object_get(m, "role")), "user") == 0)
            return cassette_content_of(m);
    }
    return "";
}

static size_t turn_of(const json_t *messages) {
    const json_t *m;
    size_t i, n = 1;
    json_array_foreach(messages, i, m) {
        n += strcmp(json_string_value(json_object_get(m, "role")), "assistant") == 0;
    }
    return n;
}

/* --- the file --- */

static int read_entries(struct cassette *c, FILE *f, struct model_error *error) {
    scoped_free char *line = NULL;
    size_t room = 0, number = 0;
    ssize_t n;
    while ((n = getline(&line, &room, f)) >= 0) {
        number++;
        if (strspn(line, " \t\r\n") == (size_t)n || *line == '#')
            continue;
        json_t *o = n < (ssize_t)MAX_CASSETTE_LINE ? json_in(line, (size_t)n, 0, NULL) : NULL;
        if (!json_is_object(json_object_get(o, "reply"))) {
            json_decref(o);
            error->fault = MODEL_BAD_REPLY;
            snprintf(error->message, sizeof error->message, "%s: line %zu is no cassette entry",
                     c->path, number);
            return -EINVAL;
        }
        c->recorded = c->recorded || json_object_get(o, "request");
        json_array_append_new(c->entries, o);
    }
    c->used = calloc(json_array_size(c->entries) + 1, 1);
    return c->used ? 0 : -ENOMEM;
}

static struct cassette *cassette_make(void) {
    struct cassette *c = calloc(1, sizeof *c);
    if (c)
        pthread_mutex_init(&c->lock, NULL);
    return c;
}

int cassette_open(const char *path, bool records, struct cassette **ret,
                  struct model_error *error) {
    struct cassette *c = cassette_make();
    if (!c || !(c->path = strdup(path)) || !(c->entries = json_array())) {
        cassette_free(c);
        return -ENOMEM;
    }
    FILE *f = records ? NULL : fopen(path, "re");
    int r = f || records || errno == ENOENT ? 0 : -errno;
    if (r < 0) {
        error->fault = MODEL_BAD_REQUEST;
        snprintf(error->message, sizeof error->message, "%s: %s", path, strerror(-r));
    }
    if (f) {
        c->replays = true;
        r = read_entries(c, f, error);
        fclose(f);
    }
    if (r < 0)
        cassette_free(c);
    else
        *ret = c;
    return r;
}

/* Each try counts its own turns. */
static int turn_in_list(const json_t *replies, size_t at) {
    const json_t *number = json_object_get(json_array_get(replies, at), "try");
    int turn = 1;
    for (size_t i = 0; i < at; i++) {
        const json_t *other = json_object_get(json_array_get(replies, i), "try");
        turn += json_integer_value(other) == json_integer_value(number);
    }
    return turn;
}

int cassette_of(const json_t *replies, struct cassette **ret) {
    struct cassette *c = cassette_make();
    json_t *reply;
    size_t i;
    if (!c || !(c->path = strdup("the list of replies")) || !(c->entries = json_array()) ||
        !(c->used = calloc(json_array_size(replies) + 1, 1))) {
        cassette_free(c);
        return -ENOMEM;
    }
    c->replays = true;
    json_array_foreach(replies, i, reply) {
        json_t *match =
            json_pack("{s:i,s:O*,s:O*}", "turn", turn_in_list(replies, i), "try",
                      json_object_get(reply, "try"), "depth", json_object_get(reply, "depth"));
        json_array_append_new(c->entries, json_pack("{s:o,s:O}", "match", match, "reply", reply));
    }
    *ret = c;
    return 0;
}

void cassette_free(struct cassette *c) {
    if (!c)
        return;
    json_decref(c->entries);
    pthread_mutex_destroy(&c->lock);
    free(c->used);
    free(c->path);
    free(c);
}

bool cassette_replays(const struct cassette *c) {
    return c->replays;
}

/* --- replay --- */

static bool text_fits(const json_t *match, const char *key, const char *text) {
    const char *part = json_string_value(json_object_get(match, key));
    return !part || strstr(text, part);
}

struct wanted_reply {
    const json_t *messages;
    size_t turn, number, depth;
    char request[HASH_TEXT_SIZE], dialogue[HASH_TEXT_SIZE];
};

static bool written_entry_fits(const json_t *match, const struct wanted_reply *w) {
    const json_t *turn = json_object_get(match, "turn");
    const json_t *last = json_array_get(w->messages, json_array_size(w->messages) - 1);
    if (turn && (size_t)json_integer_value(turn) != w->turn)
        return false;
    return text_fits(match, "last", cassette_content_of(last)) &&
           text_fits(match, "task", task_of(w->messages));
}

/* Each of several tries has its own replies; an entry that names no try is for all. */
static bool is_of_try(const json_t *entry, const struct wanted_reply *w) {
    const json_t *number = json_object_get(entry, "try");
    if (!number)
        number = json_object_get(json_object_get(entry, "match"), "try");
    return !number || (size_t)json_integer_value(number) == w->number;
}

/* Questions that code asks have replies of their own. */
static bool is_of_depth(const json_t *entry, const struct wanted_reply *w) {
    const json_t *depth = json_object_get(entry, "depth");
    if (!depth)
        depth = json_object_get(json_object_get(entry, "match"), "depth");
    return (size_t)json_integer_value(depth) == w->depth;
}

/* 3: the same request; 2: the entry was written for it; 1: the same replies so far; 0: another. */
static int fit(const json_t *entry, const struct wanted_reply *w) {
    const char *request = json_string_value(json_object_get(entry, "request"));
    const char *dialogue = json_string_value(json_object_get(entry, "dialogue"));
    const json_t *match = json_object_get(entry, "match");
    if (!is_of_try(entry, w) || !is_of_depth(entry, w))
        return 0;
    if (request && strcmp(request, w->request) == 0)
        return 3;
    if (match && written_entry_fits(match, w))
        return 2;
    return dialogue && strcmp(dialogue, w->dialogue) == 0;
}

/* `again`: also takes an entry that was used before. */
static const json_t *find_entry(struct cassette *c, const struct wanted_reply *w, bool again) {
    int best = 0;
    size_t at = 0;
    for (size_t i = 0; i < json_array_size(c->entries); i++) {
        int rank = again || !c->used[i] ? fit(json_array_get(c->entries, i), w) * 2 : 0;
        if (rank && !c->used[i])
            rank++;
        if (rank > best) {
            best = rank;
            at = i;
        }
    }
    if (!best)
        return NULL;
    c->used[at] = true;
    return json_array_get(c->entries, at);
}

static int fill_reply(const json_t *reply, const struct model_listener *listener,
                      struct model_reply *ret) {
    struct model_error error;
    struct model_stream s = {.reply = ret, .error = &error, .listener = listener};
    const json_t *text = json_object_get(reply, "text"), *call;
    size_t i;
    int r = text ? model_add_text(&s, json_string_value(text), json_string_length(text)) : 0;
    json_array_foreach(json_object_get(reply, "calls"), i, call) {
        const json_t *a = json_object_get(call, "arguments");
        scoped_free char *arguments =
            json_is_string(a) ? strdup(json_string_value(a)) : json_whole(a, JSON_COMPACT);
        struct model_call *c = model_add_call(ret, json_string_value(json_object_get(call, "id")),
                                              json_string_value(json_object_get(call, "name")));
        if (r == 0)
            r = c && arguments ? buf_adds(&c->arguments, arguments) : -ENOMEM;
    }
    ret->prompt_tokens =
        (unsigned long long)json_integer_value(json_object_get(reply, "prompt_tokens"));
    ret->completion_tokens =
        (unsigned long long)json_integer_value(json_object_get(reply, "completion_tokens"));
    const char *finish = json_string_value(json_object_get(reply, "finish"));
    const json_t *thought = json_object_get(reply, "thought");
    snprintf(ret->finish, sizeof ret->finish, "%s", finish ? finish : "");
    ret->blocks = json_incref(json_object_get(reply, "blocks"));
    if (r == 0 && thought)
        r = buf_add(&ret->thought, json_string_value(thought), json_string_length(thought));
    ret->complete = true;
    return r;
}

static int look_up(struct cassette *c, const struct model_request *request, bool again,
                   const json_t **ret_entry, size_t *ret_turn) {
    struct wanted_reply w = {.messages = request->messages,
                             .turn = turn_of(request->messages),
                             .number = request->number,
                             .depth = request->depth};
    int r = c->recorded ? request_hash(w.messages, false, w.request) : 0;
    if (r == 0 && c->recorded)
        r = request_hash(w.messages, true, w.dialogue);
    if (r < 0)
        return r;
    pthread_mutex_lock(&c->lock);
    *ret_entry = find_entry(c, &w, again);
    pthread_mutex_unlock(&c->lock);
    *ret_turn = w.turn;
    return 0;
}

/* Gives the entry's reply, or the fault that it records. */
static int give_entry(const struct cassette *c, const json_t *entry,
                      const struct model_listener *listener, struct model_reply *ret,
                      struct model_error *error) {
    const json_t *reply = json_object_get(entry, "reply");
    const char *fault = json_string_value(json_object_get(reply, "fault"));
    if (!fault || strcmp(fault, model_fault_name(MODEL_CONTEXT_OVERFLOW)) != 0)
        return fill_reply(reply, listener, ret);
    error->fault = MODEL_CONTEXT_OVERFLOW;
    snprintf(error->message, sizeof error->message, "%s: it was too long", c->path);
    return -E2BIG;
}

int cassette_replay(struct cassette *c, const struct model_request *request,
                    const struct model_listener *listener, struct model_reply *ret,
                    struct model_error *error) {
    const json_t *entry = NULL;
    size_t turn;
    int r = look_up(c, request, true, &entry, &turn);
    if (r < 0)
        return r;
    if (entry)
        return give_entry(c, entry, listener, ret, error);
    error->fault = MODEL_NO_CASSETTE_ENTRY;
    snprintf(error->message, sizeof error->message, "%s has no reply for turn %zu of this task",
             c->path, turn);
    return -ENOENT;
}

int cassette_recall(struct cassette *c, const struct model_request *request,
                    const struct model_listener *listener, struct model_reply *ret,
                    struct model_error *error) {
    const json_t *entry = NULL;
    size_t turn;
    int r = look_up(c, request, false, &entry, &turn);
    if (r < 0 || !entry)
        return r;
    r = give_entry(c, entry, listener, ret, error);
    return r < 0 && error->fault == MODEL_OK ? r : 1;
}

bool cassette_contradicts(const struct cassette *c, const struct model_request *request) {
    struct wanted_reply w = {.number = request->number};
    bool any = false;
    for (size_t i = 0; i < json_array_size(c->entries); i++) {
        const json_t *entry = json_array_get(c->entries, i);
        any = any || (is_of_try(entry, &w) && is_of_depth(entry, &w));
    }
    return any && !request->depth && turn_of(request->messages) == 1;
}

size_t cassette_size(const struct cassette *c) {
    return json_array_size(c->entries);
}

/* --- recording --- */

static json_t *reply_json(const struct model_reply *reply) {
    json_t *calls = json_array();
    for (size_t i = 0; i < reply->call_count; i++) {
        const struct model_call *c = &reply->calls[i];
        json_array_append_new(calls,
                              json_pack("{s:s,s:s,s:s}", "id", c->id, "name", c->name, "arguments",
                                        c->arguments.data ? c->arguments.data : ""));
    }
    json_t *text = json_stringn(reply->text.data ? reply->text.data : "", reply->text.len);
    json_t *o =
        json_pack("{s:o,s:o,s:I,s:I,s:s}", "text", text ? text : json_string(""), "calls", calls,
                  "prompt_tokens", (json_int_t)reply->prompt_tokens, "completion_tokens",
                  (json_int_t)reply->completion_tokens, "finish", reply->finish);
    if (o && reply->thought.len)
        json_object_set_new(o, "thought", json_stringn(reply->thought.data, reply->thought.len));
    if (o && reply->blocks)
        json_object_set(o, "blocks", reply->blocks);
    return o;
}

static json_t *overflow_json(void) {
    return json_pack("{s:s}", "fault", model_fault_name(MODEL_CONTEXT_OVERFLOW));
}

/* With one write, because several tries may write at the same time. */
static int append_line(const char *path, const char *line) {
    scoped_buf text = BUF_INIT(MAX_CASSETTE_LINE + 2);
    scoped_fd fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0)
        return -errno;
    int r = buf_printf(&text, "%s\n", line);
    if (r < 0)
        return r;
    ssize_t n = write(fd, text.data, text.len);
    return n < 0 ? -errno : (size_t)n < text.len ? -EIO : 0;
}

int cassette_record(struct cassette *c, const struct model_request *request,
                    const struct model_reply *reply) {
    char hash[HASH_TEXT_SIZE], dialogue[HASH_TEXT_SIZE];
    int r = request_hash(request->messages, false, hash);
    if (r == 0)
        r = request_hash(request->messages, true, dialogue);
    if (r < 0)
        return r;
    json_t *entry = json_pack("{s:s,s:s,s:o}", "request", hash, "dialogue", dialogue, "reply",
                              reply ? reply_json(reply) : overflow_json());
    if (entry && request->number)
        json_object_set_new(entry, "try", json_integer(request->number));
    if (entry && request->depth)
        json_object_set_new(entry, "depth", json_integer(request->depth));
    scoped_free char *line = entry ? json_whole(entry, JSON_COMPACT) : NULL;
    json_decref(entry);
    return line ? append_line(c->path, line) : -ENOMEM;
}
