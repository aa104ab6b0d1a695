/* A record as another program may have left it, one entry a line: a letter for its kind, and its
 * body, in which "@" stands for bytes that the store has. Whatever is in it can be brought back as
 * the past of a session, checked, and written as a notebook and as a page; or is refused. */
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/host/limits.h"
#include "engine/session/record.h"
#include "export/export.h"
#include "ledger/store.h"
#include "ledger/upkeep.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST_LINES 64

static char place[] = "/tmp/fuzz_ledger_XXXXXX";
static struct retort_engine engine = {.pairs = {.settings = {.pool = 1}}};
static char blob[HASH_TEXT_SIZE]; /* what "@" means */
static int nowhere = -1;

static void must(bool fact) {
    if (!fact)
        abort();
}

/* --- the ledger --- */

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at) {
    (void)st, (void)type, (void)at;
    return remove(path);
}

static void remove_place(void) {
    ledger_close(engine.ledger);
    nftw(place, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void open_ledger(void) {
    struct hash hash;
    struct retort_error err = ERR_INIT;
    must(mkdtemp(place) && ledger_open(place, NULL, &engine.ledger, &err) == 0);
    must(store_put(engine.ledger, "x = 1\n", 6, &hash, &err) == 0);
    hash_text(&hash, blob);
    nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    atexit(remove_place);
}

static void fill_in(json_t *value) {
    const char *key;
    size_t i;
    json_t *v;
    void *next;
    if (json_is_string(value) && strcmp(json_string_value(value), "@") == 0)
        json_string_set(value, blob);
    json_array_foreach(value, i, v) fill_in(v);
    json_object_foreach_safe(value, next, key, v) fill_in(v);
}

static json_t *body_of(const char *line, size_t len) {
    json_t *body = json_loadb(line, len, JSON_ALLOW_NUL, NULL);
    fill_in(body);
    return body;
}

static bool write_line(const char *id, bool first, const char *line, size_t len) {
    struct ledger_ref ref;
    unsigned kind = (unsigned)(line[0] - 'a') % LEDGER_KINDS;
    json_t *body = body_of(line + 1, len - 1);
    int r = !json_is_object(body) ? -1
            : first               ? ledger_begin(engine.ledger, id, NULL, body, &ref, NULL)
                    : ledger_append(engine.ledger, id, (enum ledger_kind)kind, body, &ref, NULL);
    json_decref(body);
    return r == 0;
}

/* --- what is made of it --- */

static void load(const char *id) {
    struct session_spec spec = {.cells = language_of(LANG_PYTHON)};
    struct ledger_history history = {0};
    struct retort_session *s = session_alloc(&engine);
    must(s && session_specify(s, &spec, NULL) == 0);
    if (ledger_history(engine.ledger, id, &history, NULL) == 0 &&
        record_load(s, &history, NULL) == 0)
        for (size_t i = 0; i < s->timeline.nsteps; i++) {
            const struct step *p = &s->timeline.steps[i];
            must(p->path || (p->code && p->language));
            if (!p->path)
                json_decref(record_calls(s, p));
        }
    ledger_history_done(&history);
    s->spec = NULL;
    session_free(s);
}

static int read_again(void *user, const struct ledger_entry *e) {
    json_t *result = NULL;
    if (e->kind == LEDGER_CELL_OUTCOME &&
        ledger_result(engine.ledger, user, e->seq, &result, NULL) == 0)
        json_decref(result);
    if (e->kind == LEDGER_NOTE)
        json_decref(ledger_note_event(engine.ledger, e->body));
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static unsigned counter;
    char id[LEDGER_ID_SIZE];
    struct ledger_report report;
    const char *line = (const char *)data, *end = line + size;
    if (!engine.ledger)
        open_ledger();
    snprintf(id, sizeof id, "s_%u", ++counter);
    bool begun = false;
    for (int n = 0; n < MOST_LINES && line < end; n++) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        size_t len = (size_t)((stop ? stop : end) - line);
        begun |= len && write_line(id, !begun, line, len);
        line += len + 1;
    }
    if (!begun)
        return 0;
    load(id);
    ledger_entries(engine.ledger, id, 1, 0, read_again, id, NULL);
    ledger_export_ipynb(engine.ledger, id, nowhere, NULL);
    ledger_export_html(engine.ledger, id, nowhere, NULL);
    must(ledger_verify(engine.ledger, id, NULL, NULL, NULL, &report, NULL) == 0);
    must(report.worst.verdict == LEDGER_OK);
    return 0;
}
