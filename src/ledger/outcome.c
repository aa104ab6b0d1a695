/* Results in the ledger.
 *
 * The outcome entry holds what comparing and listing need: status, state, resources, hashes. It
 * refers to a blob with the whole result, in which {"blob": "sha256:…"} stands for the base64 of an
 * image; the entry refers to that blob too, in "displays". Streams stay in the result; a stream
 * that was too long for it is a blob that the caller names. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/io.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "base/unconst.h"
#include "ledger/blobs.h"
#include "ledger/db.h"
#include "ledger/upkeep.h"

#define IMAGE_MIN 1024 /* smaller images stay in the result */
#define CANONICAL (JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY)

static int no_memory(struct retort_error *err) {
    return err_memory(err);
}

static json_t *hash_json(const struct hash *h) {
    char text[HASH_TEXT_SIZE];
    hash_text(h, text);
    return json_string(text);
}

/* --- writing --- */

struct outcome_writer {
    struct ledger *l;
    json_t *body, *stored;
    struct retort_error *err;
};

/* Stores the bytes of one image. Returns what replaces it in the result, or NULL to leave it. */
static json_t *move_image(struct outcome_writer *o, size_t index, const char *mime,
                          const json_t *value) {
    scoped_free char *data = NULL;
    size_t len;
    struct hash h;
    if (strncmp(mime, "image/", 6) != 0 || json_string_length(value) < IMAGE_MIN ||
        base64_bytes(json_string_value(value), json_string_length(value), &data, &len) < 0 ||
        store_put(o->l, data, len, &h, o->err) < 0)
        return NULL;
    json_t *list = json_object_get(o->body, "displays");
    json_array_append_new(list, json_pack("{s:I, s:s, s:o}", "display", (json_int_t)index, "mime",
                                          mime, "blob", hash_json(&h)));
    return json_pack("{s:o}", "blob", hash_json(&h));
}

static json_t *move_images(struct outcome_writer *o, const json_t *displays) {
    json_t *moved = json_array(), *display;
    size_t i;
    json_array_foreach(displays, i, display) {
        json_t *copy = json_copy(display), *mimes = json_object(), *value;
        const char *mime;
        json_object_foreach(json_object_get(display, "mime"), mime, value) {
            json_t *instead = move_image(o, i, mime, value);
            json_object_set_new(mimes, mime, instead ? instead : json_incref(value));
        }
        json_object_set_new(copy, "mime", mimes);
        json_array_append_new(moved, copy);
    }
    return moved;
}

/* {"sha256": …, "size": …} of a text, or of a value in canonical form. */
json_t *ledger_summary(const json_t *value) {
    scoped_free char *dump = json_is_string(value) ? NULL : json_whole(value, CANONICAL);
    const char *text = dump ? dump : json_string_value(value);
    size_t len = dump ? strlen(dump) : json_string_length(value);
    char hex[HASH_TEXT_SIZE];
    struct hash h;
    if (!text || hash_bytes(text, len, &h) < 0)
        return NULL;
    hash_text(&h, hex);
    return json_pack("{s:s, s:I}", "sha256", hex + 7, "size", (json_int_t)len);
}

static void outcome_make_body(struct outcome_writer *o, const json_t *result, const json_t *extra) {
    static const char *const copied[] = {"cell",  "status",    "exit_code", "signal", "flags",
                                         "state", "resources", "files",     "review", "policy"};
    static const char *const summed[] = {"stdout", "stderr", "value", "displays"};
    const char *key;
    json_t *value;
    for (size_t i = 0; i < sizeof copied / sizeof copied[0]; i++)
        json_object_set(o->body, copied[i], json_object_get(result, copied[i]));
    json_t *sums = json_object();
    for (size_t i = 0; i < sizeof summed / sizeof summed[0]; i++)
        if ((value = json_object_get(result, summed[i])))
            json_object_set_new(sums, summed[i], ledger_summary(value));
    json_object_set_new(o->body, "sums", sums);
    json_object_set_new(o->body, "blobs", json_object());
    json_object_set_new(o->body, "displays", json_array());
    json_object_foreach(unconst(extra), key, value) {
        if (json_is_object(json_object_get(o->body, key)) && json_is_object(value))
            json_object_update(json_object_get(o->body, key), value);
        else
            json_object_set(o->body, key, value);
    }
}

static int outcome_put_result(struct outcome_writer *o, const json_t *result) {
    struct hash h;
    json_object_del(o->stored, "ledger");
    json_object_set_new(o->stored, "displays", move_images(o, json_object_get(result, "displays")));
    scoped_free char *text = json_whole(o->stored, JSON_COMPACT);
    if (!text)
        return no_memory(o->err);
    int r = store_put(o->l, text, strlen(text), &h, o->err);
    if (r == 0)
        json_object_set_new(json_object_get(o->body, "blobs"), "result", hash_json(&h));
    return r;
}

int ledger_outcome(struct ledger *l, const char *session, const json_t *result, const json_t *extra,
                   struct ledger_ref *ret, struct retort_error *err) {
    struct outcome_writer o = {
        .l = l, .body = json_object(), .stored = json_copy(unconst(result)), .err = err};
    int r = o.body && o.stored ? 0 : no_memory(err);
    if (r == 0) {
        outcome_make_body(&o, result, extra);
        r = outcome_put_result(&o, result);
    }
    if (r == 0)
        r = ledger_append(l, session, LEDGER_CELL_OUTCOME, o.body, ret, err);
    json_decref(o.body);
    json_decref(o.stored);
    return r;
}

/* --- reading --- */

static json_t *image_text(struct ledger *l, const json_t *value) {
    const char *text = json_string_value(json_object_get(value, "blob"));
    scoped_free char *data = NULL;
    size_t len;
    struct hash h;
    if (!text || hash_parse(text, &h) < 0 || store_get(l, &h, MAX_FRAME, &data, &len, NULL) < 0)
        return NULL;
    scoped_free char *encoded = base64_text(data, len);
    return encoded ? json_string(encoded) : NULL;
}

/* Leaves out an image whose bytes are gone; a guest's own JSON object is no image. */
static void bring_images(struct ledger *l, json_t *result) {
    json_t *display, *value;
    const char *mime;
    void *next;
    size_t i;
    json_array_foreach(json_object_get(result, "displays"), i, display) {
        json_t *mimes = json_object_get(display, "mime");
        json_object_foreach_safe(mimes, next, mime, value) {
            if (strncmp(mime, "image/", 6) != 0 || !json_is_object(value))
                continue;
            json_t *text = image_text(l, value);
            if (text)
                json_object_set_new(mimes, mime, text);
            else
                json_object_del(mimes, mime);
        }
    }
}

static json_t *load_result(struct ledger *l, const json_t *body, struct retort_error *err) {
    const char *text = json_string_value(json_object_get(json_object_get(body, "blobs"), "result"));
    scoped_free char *data = NULL;
    size_t len;
    struct hash h;
    if (!text || hash_parse(text, &h) < 0) {
        /* The cell was interrupted when its engine died: only the entry tells of it. */
        return json_pack("{s:s, s:O?, s:s?, s:s?, s:s, s:s, s:O?}", "schema", "retort.result/1",
                         "cell", json_object_get(body, "cell"), "status",
                         json_string_value(json_object_get(body, "status")), "state",
                         json_string_value(json_object_get(body, "state")), "stdout", "", "stderr",
                         "", "reason", json_object_get(body, "reason"));
    }
    /* Escapes make a result longer than what a cell may send; it must still be read. */
    if (store_get(l, &h, MAX_REPLY, &data, &len, err) < 0)
        return NULL;
    json_t *result = json_in(data, len, JSON_ALLOW_NUL, NULL);
    if (!result)
        err_errno(err, ERR_HOST, EBADMSG, "a recorded result cannot be read");
    return result;
}

int ledger_result(struct ledger *l, const char *session, uint64_t seq, json_t **ret,
                  struct retort_error *err) {
    struct ledger_entry e;
    struct retort_error why = ERR_INIT;
    int r = ledger_entry_get(l, session, seq, &e, err);
    if (r < 0)
        return r;
    if (e.kind != LEDGER_CELL_OUTCOME || !e.body) {
        ledger_entry_done(&e);
        return err_set(err, ERR_CALLER, ENODATA, "entry %llu of session %.64s holds no result",
                       (unsigned long long)seq, session);
    }
    json_t *result = load_result(l, e.body, &why);
    if (result) {
        bring_images(l, result);
        json_object_set_new(result, "ledger",
                            json_pack("{s:I, s:s, s:b}", "entry", (json_int_t)e.seq, "hash", e.hash,
                                      "durable", flush_is_done(l)));
        *ret = result;
    } else {
        r = err_set(err, why.fault ? why.fault : ERR_HOST, why.code ? why.code : ENOMEM, "%s",
                    why.fault ? why.message : "out of memory");
    }
    ledger_entry_done(&e);
    return r;
}

int ledger_stream(struct ledger *l, const char *session, uint64_t seq, const char *stream,
                  uint64_t *ret_size, struct retort_error *err) {
    struct ledger_entry e;
    struct hash h;
    json_t *result = NULL;
    int r = ledger_entry_get(l, session, seq, &e, err);
    if (r < 0)
        return r;
    const char *blob = json_string_value(json_object_get(json_object_get(e.body, "blobs"), stream));
    bool stored = blob && hash_parse(blob, &h) == 0;
    ledger_entry_done(&e);
    if (stored)
        return store_open(l, &h, false, ret_size, err);
    if ((r = ledger_result(l, session, seq, &result, err)) < 0)
        return r;
    const json_t *text = json_object_get(result, stream);
    size_t len = json_string_length(text);
    int fd = store_memfd(len ? json_string_value(text) : "", len, err);
    if (fd >= 0 && ret_size)
        *ret_size = len;
    json_decref(result);
    return fd;
}

static int request_query(struct ledger *l, const char *session, const char *request,
                         uint64_t *ret_intent, uint64_t *ret_outcome, struct retort_error *err) {
    struct session_row row;
    int r = row_find(l, session, &row, err);
    sqlite3_stmt *s = r == 0 ? db_stmt(l, ST_REQUESTED) : NULL;
    if (r < 0)
        return r;
    *ret_intent = *ret_outcome = 0;
    if (s) {
        sqlite3_bind_int64(s, 1, row.n);
        sqlite3_bind_text(s, 2, request, -1, SQLITE_STATIC);
    }
    int rc = s ? sqlite3_step(s) : sqlite3_errcode(l->db.handle);
    if (rc == SQLITE_ROW)
        *ret_intent = (uint64_t)sqlite3_column_int64(s, 0);
    if (s)
        sqlite3_reset(s);
    if (rc == SQLITE_DONE)
        return 0;
    s = rc == SQLITE_ROW ? db_stmt(l, ST_OUTCOME_OF) : NULL;
    if (!s)
        return db_error(l, l->db.handle, rc, err);
    sqlite3_bind_int64(s, 1, row.n);
    sqlite3_bind_int64(s, 2, (sqlite3_int64)*ret_intent);
    rc = sqlite3_step(s);
    if (rc == SQLITE_ROW)
        *ret_outcome = (uint64_t)sqlite3_column_int64(s, 0);
    sqlite3_reset(s);
    return rc == SQLITE_ROW ? 0 : db_error(l, l->db.handle, rc, err);
}

int ledger_requested(struct ledger *l, const char *session, const char *request, uint64_t *ret_seq,
                     struct retort_error *err) {
    uint64_t intent;
    pthread_mutex_lock(&l->lock);
    int r = request_query(l, session, request, &intent, ret_seq, err);
    pthread_mutex_unlock(&l->lock);
    return r < 0 ? r : intent > 0;
}
