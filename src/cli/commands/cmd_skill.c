/* retort skill: the library of skills. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/jsonscope.h"
#include "base/jsonwhole.h"
#include "base/scope.h"
#include "cli/cli.h"
#include "skills/learn.h"
#include "skills/skills.h"

#define SEARCH_MOST 20

struct skill_args {
    const char *what, *where; /* the operands */
    const char *name, *description;
    bool json;
};

#define SKILL_AT(field) offsetof(struct skill_args, field)

static const struct opt skill_rows[] = {
    {"--json", 0, OPT_FLAG, NULL, SKILL_AT(json), "print it as JSON", 0},
    OPT_END,
};

static const struct opt learn_rows[] = {
    {"--name", 0, OPT_TEXT, "NAME", SKILL_AT(name), "of the skill (that of the function)", 0},
    {"--description", 0, OPT_TEXT, "TEXT", SKILL_AT(description),
     "what it is for (the function's docstring)", 0},
    {"--json", 0, OPT_FLAG, NULL, SKILL_AT(json), "print it as JSON", 0},
    OPT_END,
};

/* What `retort skill --help` prints. */
static const struct opt_table skill_table = {
    .usage = "skill add|import [--json] DIR",
    .about =
        "Reads a folder that has a SKILL.md, reviews and tests its code in sealed sessions, and\n"
        "adds it to the library of skills as the next version of its name.",
    .rows = {skill_rows},
    .operand = SKILL_AT(what),
    .more = "import takes a folder of such folders, too. The other commands:\n"
            "  skill learn SESSION [FUNCTION] [--name NAME] [--description TEXT]\n"
            "                              make a skill from a function that ran in a session\n"
            "  skill list                  list the skills\n"
            "  skill search WORDS          find skills by their names and descriptions\n"
            "  skill show NAME[@VERSION]   show one: functions, capabilities, tests, versions\n"
            "  skill test NAME[@VERSION]   run its tests again, in fresh sealed sessions\n"
            "  skill export NAME DIR       write its files into the folder DIR/NAME\n"
            "  skill remove NAME[@VERSION] remove one version, or all\n",
};
static const struct opt_table skill_none_table = {
    .usage = "skill list [--json]",
    .about = "Lists the skills there are.",
    .rows = {skill_rows},
    .operand = OPT_NO_OPERAND,
};
static const struct opt_table skill_name_table = {
    .usage = "skill search|show|test|remove [--json] NAME[@VERSION]",
    .about = "Finds skills, shows one, runs its tests, removes it.",
    .rows = {skill_rows},
    .operand = SKILL_AT(what),
};
static const struct opt_table skill_export_table = {
    .usage = "skill export NAME[@VERSION] DIR",
    .about = "Writes the files of a skill into the folder DIR/NAME.",
    .rows = {skill_rows},
    .operand = SKILL_AT(what),
    .second = SKILL_AT(where),
};

static const struct opt_table skill_learn_table = {
    .usage = "skill learn [--name NAME] [--description TEXT] [--json] SESSION [FUNCTION]",
    .about =
        "Makes a skill of a function that ran in a recorded session, the last one that can be\n"
        "kept: its tests are calls that were made there.",
    .rows = {learn_rows},
    .operand = SKILL_AT(what),
    .second = SKILL_AT(where),
};

/* --- printing --- */

static int skill_print_json(const json_t *value) {
    scoped_free char *text = json_whole(value, JSON_INDENT(2) | JSON_ENSURE_ASCII);
    return text && puts(text) >= 0 && fflush(stdout) == 0 ? 0 : EXIT_OWN_FAILURE;
}

static const char *skill_text(const json_t *value, const char *member) {
    const char *text = json_string_value(json_object_get(value, member));
    return text ? text : "";
}

static int skill_number(const json_t *value, const char *member) {
    return (int)json_integer_value(json_object_get(value, member));
}

/* A description is somebody else's text: prints it without control characters. */
static void print_plain(const char *text) {
    for (; *text; text++)
        putchar((unsigned char)*text < 32 || *text == 127 ? ' ' : *text);
}

static void print_skills(const json_t *list) {
    json_t *one;
    size_t i;
    json_array_foreach(list, i, one) {
        bool quarantined = json_is_true(json_object_get(one, "quarantined"));
        printf("%s@%d%s  ", skill_text(one, "name"), skill_number(one, "version"),
               quarantined ? "  (quarantined)" : "");
        print_plain(skill_text(one, "description"));
        puts("");
    }
}

static void print_added(const json_t *added) {
    printf("%s@%d: %d tests passed, review %s, %s\n", skill_text(added, "name"),
           skill_number(added, "version"), skill_number(added, "tests"),
           skill_text(json_object_get(added, "review"), "verdict"), skill_text(added, "hash"));
}

static void print_tested(const json_t *tested) {
    printf("%s@%d: %d tests passed\n", skill_text(tested, "name"), skill_number(tested, "version"),
           skill_number(tested, "tests"));
}

static int skill_done(int r) {
    return fflush(stdout) == 0 ? r : EXIT_OWN_FAILURE;
}

/* --- the commands --- */

static const struct skills_job own_job = {.state = NULL};

/* Prints what was done, or why it failed. */
static int skill_tell(int r, const json_t *done, bool json, void (*print)(const json_t *done),
                      const struct retort_error *err) {
    if (r < 0)
        return cli_fail_error(err);
    if (json)
        return skill_print_json(done);
    print(done);
    return skill_done(0);
}

static int skill_add(const struct skill_args *args) {
    struct retort_error err = ERR_INIT;
    scoped_json *added = NULL;
    int r = skills_add_folder(&own_job, args->what, &added, &err);
    return skill_tell(r, added, args->json, print_added, &err);
}

static int skill_learn(const struct skill_args *args) {
    struct retort_error err = ERR_INIT;
    struct retort_engine_options options = {.supervisors = 1};
    struct skills_job job = {.state = NULL};
    struct skills_lesson lesson = {.session = args->what,
                                   .function = args->where,
                                   .name = args->name,
                                   .description = args->description,
                                   .by = "retort skill learn"};
    scoped_json *learned = NULL;
    if (retort_open(&options, &job.engine, &err) < 0)
        return cli_fail_error(&err);
    int r = skills_learn(&job, &lesson, &learned, &err);
    retort_close(job.engine);
    return skill_tell(r, learned, args->json, print_added, &err);
}

static int skill_import(const struct skill_args *args) {
    struct retort_error err = ERR_INIT;
    scoped_json *report = NULL;
    json_t *one;
    size_t i;
    if (skills_import(&own_job, args->what, &report, &err) < 0)
        return cli_fail_error(&err);
    int r = args->json ? skill_print_json(report) : 0;
    const json_t *added = args->json ? NULL : json_object_get(report, "added");
    json_array_foreach(added, i, one) {
        print_added(one);
    }
    json_array_foreach(json_object_get(report, "refused"), i, one) {
        r = cli_fail("%s: %s", skill_text(one, "folder"), skill_text(one, "reason"));
    }
    return skill_done(r);
}

static int skill_find(const char *words, bool json) {
    struct retort_error err = ERR_INIT;
    scoped_json *list = NULL;
    int r = skills_list(NULL, words, SEARCH_MOST, &list, &err);
    r = skill_tell(r, list, json, print_skills, &err);
    if (r == 0 && !json && json_array_size(list) == 0)
        puts(words ? "no skill is like that" : "there is none; `retort skill add DIR` adds one");
    return skill_done(r);
}

static int skill_list(const struct skill_args *args) {
    return skill_find(NULL, args->json);
}

static int skill_search(const struct skill_args *args) {
    return skill_find(args->what, args->json);
}

static int skill_show(const struct skill_args *args) {
    struct retort_error err = ERR_INIT;
    scoped_json *shown = NULL;
    int r = skills_show(NULL, args->what, &shown, &err);
    return skill_tell(r, shown, true, NULL, &err);
}

static int skill_test(const struct skill_args *args) {
    struct retort_error err = ERR_INIT;
    scoped_json *tested = NULL;
    int r = skills_test(&own_job, args->what, &tested, &err);
    return skill_tell(r, tested, args->json, print_tested, &err);
}

static int skill_remove(const struct skill_args *args) {
    struct retort_error err = ERR_INIT;
    return skills_remove(NULL, args->what, &err) < 0 ? cli_fail_error(&err) : 0;
}

static int skill_export(const struct skill_args *args) {
    struct retort_error err = ERR_INIT;
    if (!args->where)
        return cli_fail("into which folder?");
    return skills_export(NULL, args->what, args->where, &err) < 0 ? cli_fail_error(&err) : 0;
}

static const struct {
    const char *name;
    const struct opt_table *table;
    int (*run)(const struct skill_args *args);
} skill_commands[] = {
    {"add", &skill_table, skill_add},
    {"import", &skill_table, skill_import},
    {"learn", &skill_learn_table, skill_learn},
    {"list", &skill_none_table, skill_list},
    {"search", &skill_name_table, skill_search},
    {"show", &skill_name_table, skill_show},
    {"test", &skill_name_table, skill_test},
    {"remove", &skill_name_table, skill_remove},
    {"export", &skill_export_table, skill_export},
};

static int skill_run(size_t i, int argc, char **argv) {
    struct skill_args args = {0};
    int r;
    if (!cli_take(skill_commands[i].table, argc, argv, &args, &r))
        return r;
    if (!args.what && skill_commands[i].table != &skill_none_table)
        return cli_fail(skill_commands[i].run == skill_learn ? "which session?" : "which skill?");
    return skill_commands[i].run(&args);
}

#define SKILL_COMMANDS (sizeof skill_commands / sizeof *skill_commands)

int cmd_skill(int argc, char **argv) {
    const char *word = argc > 1 ? argv[1] : "";
    size_t i = 0;
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return opt_help(&skill_table), skill_done(0);
    while (i < SKILL_COMMANDS && strcmp(word, skill_commands[i].name) != 0)
        i++;
    return i < SKILL_COMMANDS ? skill_run(i, argc - 1, argv + 1)
                              : cli_fail("skill: add, import, learn, list, search, show, test, "
                                         "export or remove? `retort "
                                         "skill --help` tells more");
}
