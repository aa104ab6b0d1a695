#include "cluster/letter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/jsonscope.h"
#include "base/jsonwhole.h"

static json_t *letter_hash_json(const struct hash *h) {
    char text[HASH_TEXT_SIZE];
    hash_text(h, text);
    return json_string(text);
}

static json_t *salt_json(const unsigned char *salt) {
    char text[2 * SALT_SIZE + 1];
    for (size_t i = 0; i < SALT_SIZE; i++)
        snprintf(text + 2 * i, 3, "%02x", salt[i]);
    return json_string(text);
}

static json_t *letter_head(const struct log_letter *letter) {
    const struct ledger_record *r = &letter->record;
    json_t *list = json_array();
    json_t *head = json_pack("{s:i s:s s:s s:I s:s s:I s:o s:o s:I s:o}", "v", LETTER_VERSION,
                             "node", letter->node, "session", r->session, "seq", (json_int_t)r->seq,
                             "kind", ledger_kind_name(r->kind), "time", (json_int_t)r->time, "salt",
                             salt_json(r->salt), "hash", letter_hash_json(&r->hash), "body",
                             (json_int_t)(letter->body_apart ? 0 : r->len), "bytes", list);
    if (letter->body_apart)
        json_object_set_new(head, "apart", letter_hash_json(&letter->body_hash));
    if (r->parent[0]) {
        json_object_set_new(head, "parent", json_string(r->parent));
        json_object_set_new(head, "parent_seq", json_integer((json_int_t)r->parent_seq));
    }
    if (letter->after != LETTER_ANYWHERE)
        json_object_set_new(head, "after", json_integer((json_int_t)letter->after));
    for (size_t i = 0; i < letter->count; i++)
        json_array_append_new(list, json_pack("[o I]", letter_hash_json(&letter->bytes[i].hash),
                                              (json_int_t)letter->bytes[i].len));
    return head;
}

int letter_write(const struct log_letter *letter, struct buf *out) {
    scoped_json *head = letter_head(letter);
    char *text = head ? json_whole(head, JSON_COMPACT) : NULL;
    int r = text ? buf_adds(out, text) : -ENOMEM;
    free(text);
    if (r == 0)
        r = buf_add(out, "\n", 1);
    if (r == 0 && !letter->body_apart)
        r = buf_add(out, letter->record.body, letter->record.len);
    for (size_t i = 0; i < letter->count && r == 0; i++)
        r = buf_add(out, letter->bytes[i].data, letter->bytes[i].len);
    return r;
}

/* --- reading --- */

static int letter_text(const json_t *head, const char *name, char *ret, size_t size) {
    const json_t *value = json_object_get(head, name);
    const char *text = value ? json_string_value(value) : "";
    size_t len = json_string_length(value);
    if (!text || len >= size || strlen(text) != len)
        return -EBADMSG;
    snprintf(ret, size, "%s", text);
    return 0;
}

static int read_hash(const json_t *value, struct hash *ret) {
    return json_is_string(value) && hash_parse(json_string_value(value), ret) == 0 ? 0 : -EBADMSG;
}

static int read_salt(const json_t *value, unsigned char *ret) {
    const char *text = json_string_value(value);
    if (json_string_length(value) != 2 * SALT_SIZE ||
        strspn(text, "0123456789abcdef") != 2 * SALT_SIZE)
        return -EBADMSG;
    for (size_t i = 0; i < SALT_SIZE; i++) {
        char two[3] = {text[2 * i], text[2 * i + 1], 0};
        ret[i] = (unsigned char)strtoul(two, NULL, 16);
    }
    return 0;
}

static int read_count(const json_t *head, const char *name, uint64_t max, uint64_t *ret) {
    const json_t *value = json_object_get(head, name);
    json_int_t n = json_integer_value(value);
    if ((value && !json_is_integer(value)) || n < 0 || (uint64_t)n > max)
        return -EBADMSG;
    *ret = (uint64_t)n;
    return 0;
}

static int letter_record(const json_t *head, struct log_letter *ret) {
    struct ledger_record *r = &ret->record;
    const char *kind = json_string_value(json_object_get(head, "kind"));
    uint64_t time, seq, parent_seq;
    if (!kind || kind_parse(kind, &r->kind) < 0 ||
        letter_text(head, "session", r->session, sizeof r->session) < 0 ||
        letter_text(head, "parent", r->parent, sizeof r->parent) < 0 ||
        letter_text(head, "node", ret->node, sizeof ret->node) < 0 ||
        read_count(head, "seq", INT64_MAX, &seq) < 0 ||
        read_count(head, "parent_seq", INT64_MAX, &parent_seq) < 0 ||
        read_count(head, "time", INT64_MAX, &time) < 0 ||
        read_count(head, "after", LETTER_ANYWHERE, &ret->after) < 0 ||
        read_hash(json_object_get(head, "hash"), &r->hash) < 0 ||
        read_salt(json_object_get(head, "salt"), r->salt) < 0)
        return -EBADMSG;
    if (!json_object_get(head, "after"))
        ret->after = LETTER_ANYWHERE;
    r->seq = seq;
    r->parent_seq = parent_seq;
    r->time = (int64_t)time;
    ret->body_apart = json_object_get(head, "apart") != NULL;
    return ret->body_apart ? read_hash(json_object_get(head, "apart"), &ret->body_hash) : 0;
}

/* Reads the pieces after the first line, and their length. */
static int read_pieces(const json_t *head, const char *data, size_t len, struct log_letter *ret,
                       size_t *ret_len) {
    const json_t *list = json_object_get(head, "bytes"), *one;
    uint64_t body, piece;
    size_t i, at;
    if (read_count(head, "body", len, &body) < 0)
        return -EBADMSG;
    ret->record.body = data;
    ret->record.len = at = (size_t)body;
    ret->bytes = calloc(json_array_size(list) + 1, sizeof *ret->bytes);
    if (!ret->bytes)
        return -ENOMEM;
    json_array_foreach(list, i, one) {
        struct letter_bytes *b = &ret->bytes[i];
        json_int_t n = json_integer_value(json_array_get(one, 1));
        if (n < 0 || (piece = (uint64_t)n) > len - at ||
            read_hash(json_array_get(one, 0), &b->hash) < 0)
            return -EBADMSG;
        b->data = data + at;
        b->len = (size_t)piece;
        at += b->len;
        ret->count++;
    }
    *ret_len = at;
    return 0;
}

static int read_refs(struct log_letter *ret) {
    if (ret->body_apart)
        return 0;
    scoped_json *body = json_in(ret->record.body, ret->record.len, JSON_ALLOW_NUL, NULL);
    int r = json_is_object(body) ? refs_collect(body, &ret->record.refs) : -EBADMSG;
    return r == -EINVAL ? -EBADMSG : r;
}

int letter_read(const char *data, size_t len, struct log_letter *ret, size_t *ret_len) {
    const char *end = memchr(data, '\n', len);
    *ret_len = 0;
    *ret = (struct log_letter){.count = 0};
    scoped_json *head = end ? json_in(data, (size_t)(end - data), 0, NULL) : NULL;
    if (!json_is_object(head))
        return -EBADMSG;
    json_int_t version = json_integer_value(json_object_get(head, "v"));
    if (version < LETTER_OLDEST || version > LETTER_VERSION)
        return -EPROTO;
    int r = letter_record(head, ret);
    if (r == 0)
        r = read_pieces(head, end + 1, len - (size_t)(end + 1 - data), ret, ret_len);
    if (r == 0)
        r = read_refs(ret);
    *ret_len += (size_t)(end + 1 - data);
    if (r < 0)
        letter_done(ret);
    return r;
}

void letter_done(struct log_letter *letter) {
    free(letter->bytes);
    refs_done(&letter->record.refs);
    letter->bytes = NULL;
    letter->count = 0;
}
