/* Implements include/retort_skills.h. */
#include "retort_skills.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/jsonscope.h"
#include "base/jsonwhole.h"
#include "skills/learn.h"
#include "skills/skillset.h"

#define FOUND 20

static struct skills_job api_job(const struct retort_library *library) {
    return (struct skills_job){.state = library->state_dir, .engine = library->engine};
}

/* Takes `value`. The fault stays inside the library: `error` has code, message and hint. */
static int api_give(int r, json_t *value, char **ret_json, struct retort_error *error) {
    scoped_json *held = value;
    char *text = r == 0 ? json_whole(held, JSON_COMPACT) : NULL;
    if (r == 0 && !text)
        r = err_memory(error);
    if (r == 0)
        *ret_json = text;
    return r;
}

/* The type of skills_add_folder and skills_test. */
typedef int skill_step(const struct skills_job *job, const char *what, json_t **ret,
                       struct retort_error *err);

static int api_do(const struct retort_library *library, skill_step *step, const char *what,
                  char **ret_json, struct retort_error *error) {
    struct retort_error unused = ERR_INIT, *err = error ? error : &unused;
    struct skills_job job = api_job(library);
    json_t *done = NULL;
    int r = step(&job, what, &done, err);
    return api_give(r, done, ret_json, err);
}

int retort_skill_add(const struct retort_library *library, const char *folder, char **ret_json,
                     struct retort_error *error) {
    return api_do(library, skills_add_folder, folder, ret_json, error);
}

int retort_skill_test(const struct retort_library *library, const char *name, char **ret_json,
                      struct retort_error *error) {
    return api_do(library, skills_test, name, ret_json, error);
}

int retort_skill_learn(const struct retort_library *library, const char *session,
                       const char *function, char **ret_json, struct retort_error *error) {
    struct retort_error unused = ERR_INIT, *err = error ? error : &unused;
    struct skills_job job = api_job(library);
    struct skills_lesson lesson = {
        .session = session, .function = function, .by = "retort_skill_learn"};
    json_t *learned = NULL;
    int r = skills_learn(&job, &lesson, &learned, err);
    return api_give(r, learned, ret_json, err);
}

int retort_skill_list(const struct retort_library *library, const char *words, char **ret_json,
                      struct retort_error *error) {
    struct retort_error unused = ERR_INIT, *err = error ? error : &unused;
    json_t *list = NULL;
    int r = skills_list(library->state_dir, words, FOUND, &list, err);
    return api_give(r, list, ret_json, err);
}

int retort_skill_show(const struct retort_library *library, const char *name, char **ret_json,
                      struct retort_error *error) {
    struct retort_error unused = ERR_INIT, *err = error ? error : &unused;
    json_t *shown = NULL;
    int r = skills_show(library->state_dir, name, &shown, err);
    return api_give(r, shown, ret_json, err);
}

int retort_skill_export(const struct retort_library *library, const char *name, const char *path,
                        struct retort_error *error) {
    struct retort_error unused = ERR_INIT;
    return skills_export(library->state_dir, name, path, error ? error : &unused);
}

int retort_skill_remove(const struct retort_library *library, const char *name,
                        struct retort_error *error) {
    struct retort_error unused = ERR_INIT;
    return skills_remove(library->state_dir, name, error ? error : &unused);
}

/* --- for a session --- */

struct retort_skillset {
    struct skillset *set;
};

int retort_skillset_new(const struct retort_library *library, const char *names,
                        struct retort_skillset **ret, struct retort_error *error) {
    struct retort_error unused = ERR_INIT, *err = error ? error : &unused;
    scoped_json *list = json_in_text(names, 0, NULL);
    struct retort_skillset *skills = calloc(1, sizeof *skills);
    int r = !skills ? err_memory(err)
            : json_is_array(list)
                ? skillset_new(library->engine, library->state_dir, list, &skills->set, err)
                : err_set(err, ERR_CALLER, EINVAL, "names: a JSON list of names");
    if (r < 0)
        free(skills);
    else
        *ret = skills;
    return r;
}

int retort_skillset_tools(const struct retort_skillset *skills, char **ret_json,
                          struct retort_error *error) {
    struct retort_error unused = ERR_INIT;
    return api_give(0, json_deep_copy(skillset_tools(skills->set)), ret_json,
                    error ? error : &unused);
}

bool retort_skillset_call(struct retort_skillset *skills, const struct retort_skill_call *call,
                          char **ret_value, char **ret_failure) {
    struct runner_patience patience = {.caller = call->session, .seconds = call->seconds};
    if (!skillset_names(call->name))
        return false;
    *ret_value = skillset_call(skills->set, call->name, call->arguments, &patience, ret_failure);
    return true;
}

void retort_skillset_close(struct retort_skillset *skills) {
    if (skills)
        skillset_unref(skills->set);
    free(skills);
}
