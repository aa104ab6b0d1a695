/* Skills from C: the library that `retort skill` keeps (docs/skills.md), for programs that embed
 * Retort.
 *
 * The functions are like those of retort.h: they return 0, or a negative errno with `error` filled
 * in; free JSON text with retort_free. */
#pragma once

#include "retort.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which library to use, and which engine tries and calls skills. */
struct retort_library {
    struct retort_engine *engine;
    const char *state_dir; /* as in struct retort_engine_options; NULL: the default */
    uintptr_t reserved[6];
};

/* Reads, reviews and tests the skill in a folder on the host, and adds it as the next version of
 * its name: {"name", "version", "hash", "tests", "review"}. If a step fails, the library stays as
 * it is. */
int retort_skill_add(const struct retort_library *library, const char *folder, char **ret_json,
                     struct retort_error *error);
/* The same for a function that ran in a recorded session; NULL: the last one that can be kept. */
int retort_skill_learn(const struct retort_library *library, const char *session,
                       const char *function, char **ret_json, struct retort_error *error);
/* [{"name", "version", "hash", "description", "kind", "uses", "failures", "quarantined"}]: all
 * skills, or with `words` up to 20 that match them, the best first. */
int retort_skill_list(const struct retort_library *library, const char *words, char **ret_json,
                      struct retort_error *error);
/* `name` is NAME, the newest healthy version, or NAME@VERSION. */
int retort_skill_show(const struct retort_library *library, const char *name, char **ret_json,
                      struct retort_error *error);
/* Runs the skill's tests again: {"name", "version", "tests"}. */
int retort_skill_test(const struct retort_library *library, const char *name, char **ret_json,
                      struct retort_error *error);
/* Writes the skill's files into the new folder `path`/NAME. */
int retort_skill_export(const struct retort_library *library, const char *name, const char *path,
                        struct retort_error *error);
int retort_skill_remove(const struct retort_library *library, const char *name,
                        struct retort_error *error);

/* Skills that one session may call, pinned to their present versions. */
struct retort_skillset;
/* `names`: a JSON list of NAME and NAME@VERSION. Close it before the engine. */
int retort_skillset_new(const struct retort_library *library, const char *names,
                        struct retort_skillset **ret, struct retort_error *error);
/* The tools to offer to the session with retort_tools: a JSON list, to which you may add others. */
int retort_skillset_tools(const struct retort_skillset *skills, char **ret_json,
                          struct retort_error *error);
struct retort_skill_call {
    /* The session whose code calls: its network rules also hold for the skill, and its record has
     * what the skill reached. */
    struct retort_session *session;
    const char *name, *arguments;
    double seconds; /* the most that the call may take; 0: what the skill declares */
    uintptr_t reserved[4];
};
/* For `tool` of struct retort_callbacks: answers a call in the form that it needs. True: it was a
 * call of these skills; else the tool is the program's own. */
bool retort_skillset_call(struct retort_skillset *skills, const struct retort_skill_call *call,
                          char **ret_value, char **ret_failure);
void retort_skillset_close(struct retort_skillset *skills);

#ifdef __cplusplus
}
#endif
