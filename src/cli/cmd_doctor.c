/* retort doctor: what this host can enforce, a line for each layer, then what to do about the rest.
 */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

static const char *text(const json_t *o, const char *name) {
    const char *s = json_string_value(json_object_get(o, name));
    return s ? s : "";
}

static bool is(const json_t *o, const char *name) {
    return json_is_true(json_object_get(o, name));
}

static void print_remedy(const json_t *o) {
    const char *detail = text(o, "detail"), *remedy = text(o, "remedy");
    if (remedy[0] && detail[0])
        printf("  %s: %s\n    %s\n", text(o, "name"), detail, remedy);
    else if (remedy[0])
        printf("  %s: %s\n", text(o, "name"), remedy);
}

static bool has_remedy(const json_t *list) {
    for (size_t i = 0; i < json_array_size(list); i++)
        if (text(json_array_get(list, i), "remedy")[0])
            return true;
    return false;
}

static void print_report(const json_t *report) {
    const json_t *layers = json_object_get(report, "layers"), *o;
    const json_t *host = json_object_get(report, "host");
    const json_t *interpreters = json_object_get(report, "interpreters");
    size_t i;
    printf("retort %s on Linux %s, mode %s\n\n", text(report, "version"), text(report, "kernel"),
           text(report, "mode"));
    json_array_foreach(layers, i, o) {
        printf("%-9s %-13s  %-8s %s\n", text(o, "name"), text(o, "kind"),
               is(o, "enforced") ? "enforced" : "MISSING", text(o, "checked"));
    }
    puts("");
    json_array_foreach(host, i, o) {
        printf("%-12s  %-7s %s\n", text(o, "name"), is(o, "ok") ? "ok" : "WEAK", text(o, "detail"));
    }
    json_array_foreach(interpreters, i, o) {
        printf("%-12s  %-7s %s\n", text(o, "language"), is(o, "works") ? "works" : "FAILS",
               is(o, "works") ? text(o, "version") : text(o, "detail"));
    }
    if (has_remedy(layers) || has_remedy(host))
        puts("\nwhat would help:");
    json_array_foreach(layers, i, o) {
        print_remedy(o);
    }
    json_array_foreach(host, i, o) {
        print_remedy(o);
    }
    printf("\n%s\n", is(report, "core") ? "every core layer holds"
                                        : "NOT every core layer holds: sessions are refused");
}

struct doctor_args {
    bool json;
};

static const struct opt doctor_rows[] = {
    {"--json", 0, OPT_FLAG, NULL, offsetof(struct doctor_args, json), "print it as an object", 0},
    OPT_END,
};

static const struct opt_table doctor_table = {
    .usage = "doctor [--json]",
    .about = "Tells what this host can enforce, layer by layer, with the remedy for the rest.",
    .rows = {doctor_rows},
    .operand = OPT_NO_OPERAND,
};

int cmd_doctor(int argc, char **argv) {
    struct doctor_args args = {0};
    bool core;
    int r;
    if (!cli_take(&doctor_table, argc, argv, &args, &r))
        return r;
    char *report = retort_doctor(&core);
    json_t *parsed = report ? json_loads(report, 0, NULL) : NULL;
    if (!parsed)
        return cli_fail("cannot look: is Retort installed completely?");
    r = core ? 0 : 1;
    if (args.json)
        puts(report);
    if (text(parsed, "error")[0])
        r = cli_fail("cannot look: %s", text(parsed, "error"));
    else if (!args.json)
        print_report(parsed);
    json_decref(parsed);
    retort_free(report);
    return fflush(stdout) == 0 ? r : EXIT_OWN_FAILURE;
}
