/* retort doctor: shows what this host can enforce, a line for each layer, then how to repair what
 * is missing.
 */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/jsonwhole.h"
#include "base/unconst.h"
#include "cli/cli.h"

static const char *text(const json_t *o, const char *name) {
    const char *s = json_string_value(json_object_get(o, name));
    return s ? s : "";
}

static bool doctor_says(const json_t *o, const char *name) {
    return json_is_true(json_object_get(o, name));
}

static void print_remedy(const json_t *o) {
    const char *detail = text(o, "detail"), *remedy = text(o, "remedy");
    const char *name = text(o, "name")[0] ? text(o, "name") : text(o, "language");
    if (remedy[0] && detail[0])
        printf("  %s: %s\n    %s\n", name, detail, remedy);
    else if (remedy[0])
        printf("  %s: %s\n", name, remedy);
}

static bool has_remedy(const json_t *list) {
    for (size_t i = 0; i < json_array_size(list); i++)
        if (text(json_array_get(list, i), "remedy")[0])
            return true;
    return false;
}

static size_t count_working(const json_t *interpreters) {
    size_t n = 0;
    for (size_t i = 0; i < json_array_size(interpreters); i++)
        n += doctor_says(json_array_get(interpreters, i), "works");
    return n;
}

static void print_layers(const json_t *report) {
    const char *missing = text(report, "error")[0] ? "UNKNOWN" : "MISSING";
    const json_t *o;
    size_t i;
    json_array_foreach(json_object_get(report, "layers"), i, o) {
        printf("%-9s %-13s  %-8s %s\n", text(o, "name"), text(o, "kind"),
               doctor_says(o, "enforced") ? "enforced" : missing, text(o, "checked"));
    }
}

static void print_remedies(const json_t *const lists[], size_t count) {
    bool any = false;
    const json_t *o;
    size_t i;
    for (size_t n = 0; n < count; n++)
        any |= has_remedy(lists[n]);
    if (any)
        puts("\nwhat would help:");
    for (size_t n = 0; n < count; n++)
        json_array_foreach(lists[n], i, o) {
            print_remedy(o);
        }
}

static bool is_bytes(const char *kind) {
    static const char *const others[] = {"descriptors", "locks", "cpu_ms", "idle_cpu_ms"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(kind, others[i]) == 0)
            return false;
    return true;
}

/* Prints the kinds that count bytes, in MiB; or the other kinds. */
static void print_kinds(const json_t *account, bool bytes) {
    const json_t *limit;
    const char *name, *comma = "";
    json_object_foreach(unconst(account), name, limit) {
        json_int_t n = json_integer_value(limit);
        if (is_bytes(name) != bytes)
            continue;
        printf("%s%s %" JSON_INTEGER_FORMAT, comma, name, bytes ? (n + (1 << 20) - 1) >> 20 : n);
        comma = ", ";
    }
}

/* What sessions cost the program that runs them, beyond their own limits. */
static void print_account(const json_t *account) {
    printf("\na session with the usual limits makes this program hold at most (MiB): ");
    print_kinds(account, true);
    printf("; and has at most: ");
    print_kinds(account, false);
    puts("");
}

static void cmd_doctor_print_report(const json_t *report) {
    const json_t *host = json_object_get(report, "host"), *o;
    const json_t *interpreters = json_object_get(report, "interpreters");
    const json_t *environments = json_object_get(report, "environments");
    const json_t *lists[] = {json_object_get(report, "layers"), host, interpreters, environments};
    size_t i;
    printf("retort %s on Linux %s, mode %s\n\n", text(report, "version"), text(report, "kernel"),
           text(report, "mode"));
    print_layers(report);
    puts("");
    json_array_foreach(host, i, o) {
        printf("%-12s  %-7s %s\n", text(o, "name"), doctor_says(o, "ok") ? "ok" : "WEAK",
               text(o, "detail"));
    }
    json_array_foreach(interpreters, i, o) {
        printf("%-12s  %-7s %s\n", text(o, "language"), doctor_says(o, "works") ? "works" : "FAILS",
               doctor_says(o, "works") ? text(o, "version") : text(o, "detail"));
    }
    json_array_foreach(environments, i, o) {
        printf("%-12s  %-7s environment, %s\n", text(o, "name"),
               doctor_says(o, "works") ? "ok" : "FAILS",
               !doctor_says(o, "works")  ? text(o, "detail")
               : doctor_says(o, "image") ? "a container image"
               : text(o, "packages")[0]  ? "with packages of its own"
                                         : "configured");
    }
    o = json_object_get(report, "indexes");
    printf("%-12s  %-7s packages of Python from %s, of JavaScript from %s\n", "indexes", "",
           text(o, "pip"), text(o, "npm"));
    o = json_object_get(report, "supervisors");
    printf("%-12s  %-7s %" JSON_INTEGER_FORMAT " in one engine, for %" JSON_INTEGER_FORMAT
           " processors\n",
           "supervisors", "", json_integer_value(json_object_get(o, "usual")),
           json_integer_value(json_object_get(o, "processors")));
    print_account(json_object_get(report, "account"));
    print_remedies(lists, sizeof lists / sizeof *lists);
}

static void print_verdict(const json_t *report, bool all_work) {
    bool core = doctor_says(report, "core");
    printf("\n%s%s\n",
           core ? "every core layer holds" : "NOT every core layer holds: sessions are refused",
           core && !all_work ? "; NOT every language works" : "");
}

/* The report covers nothing, or not everything. */
static int fail_to_look(const json_t *report) {
    const char *hint = text(report, "hint");
    return cli_fail("cannot examine this host: %s%s%s", text(report, "error"),
                    hint[0] ? "; what would help: " : "", hint);
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
    json_t *parsed = report ? json_in_text(report, 0, NULL) : NULL;
    if (!parsed)
        return cli_fail("cannot hold the report");
    const json_t *interpreters = json_object_get(parsed, "interpreters");
    size_t working = count_working(interpreters);
    bool failed = text(parsed, "error")[0], all_work = working == json_array_size(interpreters);
    r = core && all_work ? 0 : 1;
    if (args.json)
        puts(report);
    else if (!failed || working > 0)
        cmd_doctor_print_report(parsed);
    if (failed)
        r = fail_to_look(parsed);
    else if (!args.json)
        print_verdict(parsed, all_work);
    json_decref(parsed);
    retort_free(report);
    return fflush(stdout) == 0 ? r : EXIT_OWN_FAILURE;
}
