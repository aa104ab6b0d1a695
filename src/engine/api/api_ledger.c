/* What the ledger knows: the log, who owns a session, whether it is sound, and running it again. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/jsonout.h"
#include "base/jsonwhole.h"
#include "base/scope.h"
#include "engine/answer/answer.h"
#include "engine/api/api.h"
#include "engine/api/ledgerapi.h"
#include "engine/api/replay.h"
#include "engine/session/record.h"
#include "export/export.h"
#include "ledger/upkeep.h"

/* NULL: it has none, or that was forgotten. */
static json_t *owner_of(struct ledger *l, const char *id) {
    struct ledger_entry create;
    if (ledger_entry_get(l, id, 1, &create, NULL) < 0)
        return NULL;
    json_t *owner = json_incref(json_object_get(create.body, "owner"));
    ledger_entry_done(&create);
    return owner;
}

static int no_ledger(struct retort_error *err) {
    return err_set(err, ERR_CALLER, ENOENT, "this engine keeps no record of sessions");
}

static int give_text(json_t *value, char **ret_json, struct retort_error *err) {
    *ret_json = json_out(value, JSON_COMPACT);
    json_decref(value);
    return *ret_json ? 0 : err_errno(err, ERR_HOST, ENOMEM, "cannot hold the answer");
}

int retort_log(struct retort_engine *e, const char *id, char **ret_json,
               struct retort_error *error) {
    struct retort_error err = ERR_INIT;
    json_t *list = NULL;
    int r = e->ledger ? ledgerapi_log(e->ledger, id, &list, &err) : no_ledger(&err);
    if (r == 0)
        r = give_text(list, ret_json, &err);
    return api_error(error, &err, r);
}

int retort_entries(struct retort_engine *e, const char *id, const struct retort_part *part,
                   char **ret_json, struct retort_error *error) {
    struct retort_error err = ERR_INIT;
    json_t *found = NULL;
    int r = e->ledger ? ledgerapi_entries(e->ledger, id, part, &found, &err) : no_ledger(&err);
    if (r == 0)
        r = give_text(found, ret_json, &err);
    return api_error(error, &err, r);
}

bool retort_mentions(struct retort_engine *e, const char *id, const char *text) {
    return e->ledger && ledgerapi_mentions(e->ledger, id, text);
}

int retort_recorded(struct retort_engine *e, const char *id, uint64_t entry, char **ret_json,
                    struct retort_error *error) {
    struct retort_error err = ERR_INIT;
    json_t *result = NULL;
    int r = e->ledger ? ledger_result(e->ledger, id, entry, &result, &err) : no_ledger(&err);
    if (r == 0)
        r = give_text(result, ret_json, &err);
    return api_error(error, &err, r);
}

/* The exporters write files. */
static int export_read(int fd, char **ret_text, struct retort_error *err) {
    off_t size = lseek(fd, 0, SEEK_END);
    char *text = size >= 0 ? malloc((size_t)size + 1) : NULL;
    if (!text || pread(fd, text, (size_t)size, 0) != size) {
        free(text);
        return err_errno(err, ERR_HOST, ENOMEM, "cannot hold the document");
    }
    text[size] = 0;
    *ret_text = text;
    return 0;
}

static int export_as(struct ledger *l, const char *id, const char *format, char **ret_text,
                     struct retort_error *err) {
    bool page = strcmp(format, "html") == 0;
    if (!page && strcmp(format, "ipynb") != 0)
        return err_set(err, ERR_CALLER, EINVAL, "format must be ipynb or html");
    scoped_fd fd = memfd_create("retort-export", MFD_CLOEXEC);
    if (fd < 0)
        return err_errno(err, ERR_HOST, errno, "cannot hold the document");
    int r = page ? ledger_export_html(l, id, fd, err) : ledger_export_ipynb(l, id, fd, err);
    return r < 0 ? r : export_read(fd, ret_text, err);
}

int retort_export(struct retort_engine *e, const char *id, const char *format, char **ret_text,
                  struct retort_error *error) {
    struct retort_error err = ERR_INIT;
    struct ledger_session known;
    int r = e->ledger ? ledger_session_get(e->ledger, id, &known, &err) : no_ledger(&err);
    if (r == 0)
        r = export_as(e->ledger, id, format, ret_text, &err);
    return api_error(error, &err, r);
}

int retort_owner(struct retort_engine *e, const char *id, char **ret_owner,
                 struct retort_error *error) {
    struct retort_error err = ERR_INIT;
    struct ledger_session known;
    int r = e->ledger ? ledger_session_get(e->ledger, id, &known, &err) : no_ledger(&err);
    if (r == 0) {
        json_t *owner = owner_of(e->ledger, id);
        *ret_owner = strdup(owner ? json_string_value(owner) : "");
        json_decref(owner);
        r = *ret_owner ? 0 : err_errno(&err, ERR_HOST, ENOMEM, "cannot hold the answer");
    }
    return api_error(error, &err, r);
}

int retort_rename(struct retort_engine *e, const char *id, const char *name,
                  struct retort_error *error) {
    struct retort_error err = ERR_INIT;
    int r = e->ledger ? ledger_rename(e->ledger, id, name, &err) : no_ledger(&err);
    return api_error(error, &err, r);
}

int retort_note_ended(struct retort_engine *e, const char *id, const char *source, const char *json,
                      struct retort_error *error) {
    struct retort_error err = ERR_INIT;
    return api_error(error, &err, record_note_on(e->ledger, id, source, json, &err));
}

int retort_check(struct retort_engine *e, const char *id, const char *question, const char *answer,
                 char **ret_json, struct retort_error *error) {
    struct retort_error err = ERR_INIT;
    json_t *report = NULL;
    int r = answer_check(e, id, &(struct asked_answer){answer, question}, &report, &err);
    if (r == 0)
        r = give_text(report, ret_json, &err);
    return api_error(error, &err, r);
}

int retort_verify(struct retort_engine *e, const char *id, const char *head, bool *ret_sound,
                  char **ret_json, struct retort_error *error) {
    struct retort_error err = ERR_INIT;
    json_t *report = NULL;
    int r = e->ledger ? ledgerapi_verify(e->ledger, id, head, &report, &err) : no_ledger(&err);
    if (r == 0) {
        *ret_sound = json_is_true(json_object_get(report, "sound"));
        r = give_text(report, ret_json, &err);
    }
    return api_error(error, &err, r);
}

int retort_replay(struct retort_engine *e, const char *id,
                  void (*progress)(void *user, unsigned done, unsigned total, const char *verdict),
                  void *user, bool *ret_equal, char **ret_json, struct retort_error *error) {
    struct retort_error err = ERR_INIT;
    struct replay x = {.progress = progress, .user = user};
    int r = e->ledger ? replay(e, id, &x, ret_json, &err) : no_ledger(&err);
    if (r == 0)
        *ret_equal = !x.differs;
    return api_error(error, &err, r);
}

/* What was found, with what a replay says of the session. */
static json_t *calls_report(const char *replayed, json_t *found) {
    json_t *report = json_in_text(replayed, 0, NULL), *all = json_object();
    static const char *const kept[] = {"session", "equal", "different"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        json_object_set(all, kept[i], json_object_get(report, kept[i]));
    json_object_set_new(all, "functions", json_is_array(found) ? found : json_array());
    json_decref(report);
    return all;
}

int retort_calls(struct retort_engine *e, const char *id, char **ret_json,
                 struct retort_error *error) {
    struct retort_error err = ERR_INIT;
    struct replay_watch watch = {
        .before = "from retort_guest import calls as _; _.begin()",
        .after = "from retort_guest import calls as _; final_answer(_.found())"};
    struct replay x = {.watch = &watch};
    char *replayed = NULL;
    int r = e->ledger ? replay(e, id, &x, &replayed, &err) : no_ledger(&err);
    if (r == 0)
        r = give_text(calls_report(replayed, watch.found), ret_json, &err);
    else
        json_decref(watch.found);
    free(replayed);
    return api_error(error, &err, r);
}
