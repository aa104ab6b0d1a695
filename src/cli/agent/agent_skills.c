#include "cli/agent/agent_skills.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/jsonscope.h"
#include "base/jsonwhole.h"
#include "base/scope.h"
#include "skills/learn.h"
#include "skills/skills.h"

static bool has_skill(const json_t *names, const char *name) {
    const json_t *one;
    size_t i, len = strlen(name);
    json_array_foreach(names, i, one) {
        const char *text = json_string_value(one);
        if (strncmp(text, name, len) == 0 && (!text[len] || text[len] == '@'))
            return true;
    }
    return false;
}

/* Adds the best matches that have functions and are not named already. */
static int find_fitting(const char *task, json_t *names, struct retort_error *err) {
    scoped_json *found = NULL;
    json_t *one;
    size_t i;
    TRY(skills_list(NULL, task, AGENT_SKILLS, &found, err));
    json_array_foreach(found, i, one) {
        const char *name = json_string_value(json_object_get(one, "name")),
                   *kind = json_string_value(json_object_get(one, "kind"));
        if (kind && strcmp(kind, "text") != 0 && !has_skill(names, name))
            json_array_append_new(names, json_string(name));
    }
    return 0;
}

int agent_skills_open(struct agent_skills *skills, struct retort_engine *engine,
                      const struct agent_skills_asked *asked, const char *task,
                      struct retort_error *err) {
    scoped_json *wanted = json_array();
    for (size_t i = 0; i < asked->names.n; i++)
        json_array_append_new(wanted, json_string(asked->names.at[i]));
    if (asked->fitting && task)
        TRY(find_fitting(task, wanted, err));
    return json_array_size(wanted) ? skillset_new(engine, NULL, wanted, &skills->set, err) : 0;
}

void agent_skills_learn(struct retort_engine *engine, struct retort_session *session,
                        const struct agent_outcome *outcome, bool json) {
    struct skills_job job = {.engine = engine};
    struct skills_lesson lesson = {
        .session = outcome->session, .answer = outcome->answer, .by = "retort agent --learn"};
    scoped_json *event = skills_learn_event(&job, &lesson, session);
    const char *problem = json_string_value(json_object_get(event, "problem"));
    scoped_free char *text = event ? json_whole(event, JSON_COMPACT) : NULL;
    if (!text)
        return;
    if (json)
        puts(text);
    else if (problem)
        fprintf(stderr, "nothing was learned: %s\n", problem);
    else
        fprintf(stderr, "learned %s@%d: %d tests passed\n",
                json_string_value(json_object_get(event, "name")),
                (int)json_integer_value(json_object_get(event, "version")),
                (int)json_integer_value(json_object_get(event, "tests")));
}

void agent_skills_close(struct agent_skills *skills) {
    skillset_unref(skills->set);
    skills->set = NULL;
}
