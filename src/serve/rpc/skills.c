#include "skills/learn.h"

#include <errno.h>
#include <string.h>

#include "base/base64.h"
#include "base/buf.h"
#include "base/scope.h"
#include "serve/hosted/fault.h"
#include "serve/hosted/json.h"
#include "serve/hosted/sessions.h"
#include "serve/rpc/handlers.h"
#include "serve/rpc/skill_handlers.h"
#include "skills/skillset.h"

#define SKILLS_FOUND 20

static const char *skill_param(const struct request *request, const char *name) {
    return json_string_value(json_object_get(request->params, name));
}

static int skills_reply(struct buf *result, const char *member, json_t *value,
                        struct retort_error *error) {
    scoped_json *reply = member ? json_pack("{s:o}", member, value) : value;

    return reply && buf_json(result, reply) == 0 ? 0 : err_memory(error);
}

/* --- for everybody --- */

static int find_skills(struct request *request, const char *words, struct buf *result,
                       struct retort_error *error) {
    json_t *list;
    int r = skills_list(request->serve->state, words, SKILLS_FOUND, &list, error);

    return r < 0 ? r : skills_reply(result, "skills", list, error);
}

int handle_skills_list(struct request *request, struct buf *result, struct retort_error *error) {
    return find_skills(request, NULL, result, error);
}

int handle_skills_search(struct request *request, struct buf *result, struct retort_error *error) {
    return find_skills(request, skill_param(request, "words"), result, error);
}

int handle_skills_show(struct request *request, struct buf *result, struct retort_error *error) {
    json_t *shown;
    int r = skills_show(request->serve->state, skill_param(request, "name"), &shown, error);

    return r < 0 ? r : skills_reply(result, NULL, shown, error);
}

int handle_skills_export(struct request *request, struct buf *result, struct retort_error *error) {
    json_t *files;
    int r = skills_files(request->serve->state, skill_param(request, "name"), &files, error);

    return r < 0 ? r : skills_reply(result, "files", files, error);
}

int handle_skills_use(struct request *request, struct buf *result, struct retort_error *error) {
    int r = session_use(request->serve, request->hosted, json_object_get(request->params, "skills"),
                        error);

    return r < 0 ? r
                 : skills_reply(result, "skills", skillset_pins(request->hosted->skills), error);
}

/* --- for administrators --- */

/* A skill that is tried reaches no host that the server's rules forbid, like a skill that is
 * called. */
static struct skills_job rpc_job(const struct serve *serve) {
    return (struct skills_job){
        .state = serve->state, .engine = serve->engine, .rules = serve->network};
}

static int take_posted(struct skill_files *files, const json_t *file, struct retort_error *error) {
    const json_t *base64 = json_object_get(file, "base64"), *text = json_object_get(file, "text");
    struct buf data = BUF_INIT(SKILL_BYTES - files->bytes + 1);
    int r = !base64 == !text ? -EINVAL
            : base64 ? base64_decode(&data, json_string_value(base64), json_string_length(base64))
                     : buf_add(&data, json_string_value(text), json_string_length(text));

    if (r >= 0)
        r = buf_add(&data, "", 0);
    if (r < 0) {
        buf_done(&data);
        return err_set(error, ERR_CALLER, EINVAL,
                       "files: either text or valid base64, and %u MiB in all", SKILL_BYTES >> 20);
    }
    return skillfiles_take(files, json_string_value(json_object_get(file, "path")),
                           data.data ? data.data : strdup(""), data.len, error);
}

int handle_skills_add(struct request *request, struct buf *result, struct retort_error *error) {
    struct skills_job job = rpc_job(request->serve);
    struct skill_files files = {.n = 0};
    const json_t *file;
    json_t *added = NULL;
    size_t i;
    int r = handlers_check_admin(request, error);

    json_array_foreach(json_object_get(request->params, "files"), i, file) {
        if (r == 0)
            r = take_posted(&files, file, error);
    }
    if (r == 0)
        r = skills_add(&job, NULL, &files, &added, error);
    skillfiles_done(&files);
    return r < 0 ? r : skills_reply(result, NULL, added, error);
}

int handle_skills_learn(struct request *request, struct buf *result, struct retort_error *error) {
    struct skills_job job = rpc_job(request->serve);
    struct skills_lesson lesson = {.session = skill_param(request, "session"),
                                   .function = skill_param(request, "function"),
                                   .name = skill_param(request, "name"),
                                   .description = skill_param(request, "description"),
                                   .by = "skills.learn"};
    json_t *learned = NULL;
    int r = handlers_check_admin(request, error);

    if (r == 0)
        r = skills_learn(&job, &lesson, &learned, error);
    return r < 0 ? r : skills_reply(result, NULL, learned, error);
}

int handle_skills_test(struct request *request, struct buf *result, struct retort_error *error) {
    struct skills_job job = rpc_job(request->serve);
    json_t *tested = NULL;
    int r = handlers_check_admin(request, error);

    if (r == 0)
        r = skills_test(&job, skill_param(request, "name"), &tested, error);
    return r < 0 ? r : skills_reply(result, NULL, tested, error);
}

int handle_skills_remove(struct request *request, struct buf *result, struct retort_error *error) {
    int r = handlers_check_admin(request, error);

    if (r == 0)
        r = skills_remove(request->serve->state, skill_param(request, "name"), error);
    return r < 0 ? r : skills_reply(result, "removed", json_true(), error);
}
