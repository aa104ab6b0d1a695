/* retort review: checks code against rules, for people and pipelines. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/jsonwhole.h"
#include "base/scope.h"
#include "cli/cli.h"
#include "cli/policy/verdict.h"

struct review_args {
    const char *program, *language, *rules;
    bool json, sarif;
};

#define REVIEW_AT(field) offsetof(struct review_args, field)

static const struct opt review_rows[] = {
    {"--language", 'l', OPT_TEXT, "python|sql|bash", REVIEW_AT(language),
     "its language; otherwise what the name of the file says", 0},
    {"--rules", 0, OPT_TEXT, "FILE", REVIEW_AT(rules), "more rules, as JSON", 0},
    {"--json", 0, OPT_FLAG, NULL, REVIEW_AT(json), "print the verdict as JSON", 0},
    {"--sarif", 0, OPT_FLAG, NULL, REVIEW_AT(sarif), "print the findings as SARIF 2.1.0", 0},
    OPT_END,
};

static const struct opt_table review_table = {
    .usage = "review FILE [--language LANGUAGE] [--rules FILE] [--json | --sarif]",
    .about = "Checks code against rules, without running it.",
    .rows = {review_rows},
    .operand = REVIEW_AT(program),
    .more = "Exit status: 0 nothing blocked, 1 blocked, 125 for a failure of Retort itself.\n",
};

/* NULL: the name has no known ending. */
static const char *language_by_ending(const char *path) {
    static const char *const endings[][2] = {
        {".py", "python"}, {".sql", "sql"}, {".sh", "bash"}, {".bash", "bash"}};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcmp(dot, endings[i][0]) == 0)
            return endings[i][1];
    return NULL;
}

static int review_check(struct review_args *args) {
    if (!args->program)
        return cli_fail("review what? usage: retort %s", review_table.usage);
    if (args->json && args->sarif)
        return cli_fail("give either --json or --sarif, not both");
    if (!args->language)
        args->language = language_by_ending(args->program);
    if (!args->language)
        return cli_fail("in which language is %s? Say --language python, sql or bash",
                        args->program);
    if (strcmp(args->language, "python") && strcmp(args->language, "sql") &&
        strcmp(args->language, "bash"))
        return cli_fail("there are no rules for the language '%.60s'", args->language);
    return 0;
}

static int review_ask(const struct review_args *args, json_t **ret) {
    json_t *o = json_pack("{s:s s:s s:b}", "language", args->language, "file", args->program,
                          "sarif", args->sarif);
    scoped_free char *options = o ? json_whole(o, JSON_COMPACT) : NULL;
    json_decref(o);
    if (!options)
        return cli_fail("the name of the file is no UTF-8");
    const struct verdict_file files[] = {
        {"options", NULL, "options.json", options},
        {"the code", args->program, "program", NULL},
        {args->rules ? "--rules" : NULL, args->rules, "rules.json", NULL},
        {NULL, NULL, NULL, NULL}};
    return verdict_ask("review", files, ret);
}

static void review_print(const char *program, const json_t *verdict) {
    size_t i;
    json_t *f;
    json_array_foreach(json_object_get(verdict, "findings"), i, f) {
        const char *hint = verdict_text(f, "hint");
        printf("%s:%lld: %s: %s [%s]%s%s\n", program,
               (long long)json_integer_value(json_object_get(f, "line")),
               verdict_text(f, "severity"), verdict_text(f, "message"), verdict_text(f, "rule"),
               hint[0] ? "; " : "", hint);
    }
    printf("%s: %s\n", program,
           strcmp(verdict_text(verdict, "verdict"), "block") ? "nothing blocked" : "blocked");
}

int cmd_review(int argc, char **argv) {
    struct review_args args = {0};
    json_t *verdict;
    int r;
    if (!cli_take(&review_table, argc, argv, &args, &r))
        return r;
    if ((r = review_check(&args)) || (r = review_ask(&args, &verdict)))
        return r;
    if (args.json || args.sarif)
        r = verdict_print_json(args.sarif ? json_object_get(verdict, "sarif") : verdict);
    else
        review_print(args.program, verdict);
    const char *word = verdict_text(verdict, "verdict");
    if (r == 0) /* code that is not known to be harmless is blocked */
        r = strcmp(word, "clean") && strcmp(word, "note") && strcmp(word, "repair");
    json_decref(verdict);
    return r;
}
