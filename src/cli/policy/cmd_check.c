/* retort check: says whether a program may run with these tools, from where its data comes from and
 * goes to, without running it. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/policy/verdict.h"

struct check_args {
    const char *program, *tools;
    bool json;
};

#define CHECK_AT(field) offsetof(struct check_args, field)

static const struct opt check_rows[] = {
    {"--tools", 0, OPT_TEXT, "FILE", CHECK_AT(tools),
     "the tools, with their sources and sinks, as JSON", 0},
    {"--json", 0, OPT_FLAG, NULL, CHECK_AT(json), "print the verdict as JSON", 0},
    OPT_END,
};

static const struct opt_table check_table = {
    .usage = "check FILE --tools FILE [--json]",
    .about =
        "Tells whether untrusted data can steer the tools that a Python program calls. It reads\n"
        "the program and does not run it.",
    .rows = {check_rows},
    .operand = CHECK_AT(program),
    .more = "Exit status: 0 accepted, 1 refused, 125 for a failure of Retort itself.\n",
};

static void check_print(const char *program, const json_t *verdict) {
    size_t i;
    json_t *refusal;
    json_array_foreach(json_object_get(verdict, "refusals"), i, refusal) {
        printf("%s\n", verdict_text(refusal, "message"));
    }
    printf("%s: %s\n", program, verdict_text(verdict, "verdict"));
}

int cmd_check(int argc, char **argv) {
    struct check_args args = {0};
    json_t *verdict;
    int r;
    if (!cli_take(&check_table, argc, argv, &args, &r))
        return r;
    if (!args.program || !args.tools)
        return cli_fail("check what? usage: retort %s", check_table.usage);
    const struct verdict_file files[] = {{"the program", args.program, "program", NULL},
                                         {"--tools", args.tools, "tools.json", NULL},
                                         {NULL, NULL, NULL, NULL}};
    if ((r = verdict_ask("check", files, &verdict)))
        return r;
    if (args.json)
        r = verdict_print_json(verdict);
    else
        check_print(args.program, verdict);
    if (r == 0) /* only an explicit yes counts */
        r = strcmp(verdict_text(verdict, "verdict"), "accepted") != 0;
    json_decref(verdict);
    return r;
}
