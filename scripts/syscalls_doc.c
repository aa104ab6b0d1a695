/* Prints docs/syscalls.md, the reference page of the system call policy, from the table. A program
 * of its own, run when the table changes; a test compares the page with what this prints. */
#include <stdio.h>
#include <string.h>

#include "sandbox/syscalls.h"

enum kind { ALLOWED, REFUSED, ONLY_SETUP, CHECKED };

static const struct row {
    enum kind kind;
    int eno;
    const char *name, *why;
} rows[] = {
#define ALLOW(name, why) {ALLOWED, 0, #name, why},
#define DENY(name, eno, why) {REFUSED, eno, #name, why},
#define SETUP(name, eno, why) {ONLY_SETUP, eno, #name, why},
#define CHECK(name, eno, why) {CHECKED, eno, #name, why},
#include "sandbox/syscalls.def"
};

static const struct when {
    const char *name, *what;
    int eno, setup, told;
} whens[] = {
#define WHEN(name, eno, what, ...) {#name, what, eno, 0, 0},
#define WHEN_SETUP(name, what, ...) {#name, what, 0, 1, 0},
#define WHEN_TOLD(name, what, ...) {#name, what, 0, 0, 1},
#include "sandbox/syscalls.def"
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const char *verdict(int eno) {
    return eno ? strerrorname_np(eno) : "allowed";
}

static const char *when_verdict(const struct when *when) {
    return when->told ? "allowed, and noted: the namespace is used no more" : verdict(when->eno);
}

/* SETUP rows are refused to the guest like any other. */
static int is_in(const struct row *row, enum kind kind, int eno) {
    return (row->kind == kind || (kind == REFUSED && row->kind == ONLY_SETUP)) && row->eno == eno;
}

static unsigned count(enum kind kind, int eno) {
    unsigned n = 0;
    for (size_t i = 0; i < COUNT(rows); i++)
        n += is_in(&rows[i], kind, eno) != 0;
    return n;
}

static const char *reason(const struct row *row, enum kind kind) {
    return kind == REFUSED && row->kind == ONLY_SETUP ? "needed only to prepare a session"
                                                      : row->why;
}

/* One line for all rows that give the same reason. */
static void print_reason(size_t first, enum kind kind, int eno) {
    const char *why = reason(&rows[first], kind);
    for (size_t i = 0; i < first; i++)
        if (is_in(&rows[i], kind, eno) && strcmp(reason(&rows[i], kind), why) == 0)
            return;
    printf("| %s |", why);
    const char *comma = " ";
    for (size_t i = first; i < COUNT(rows); i++)
        if (is_in(&rows[i], kind, eno) && strcmp(reason(&rows[i], kind), why) == 0) {
            printf("%s%s", comma, rows[i].name);
            comma = ", ";
        }
    printf(" |\n");
}

static void print_group(const char *title, enum kind kind, int eno) {
    printf("\n## %s (%u)\n\n| why | calls |\n|---|---|\n", title, count(kind, eno));
    for (size_t i = 0; i < COUNT(rows); i++)
        if (is_in(&rows[i], kind, eno))
            print_reason(i, kind, eno);
}

static void print_text(const char *text) {
    for (; *text; text++)
        printf(*text == '*' ? "\\*" : "%c", *text);
}

/* Neighbours with the same verdict share a line. */
static void print_whens(const struct row *row) {
    const struct when *last = NULL;
    for (size_t i = 0; i < COUNT(whens); i++) {
        if (whens[i].setup || strcmp(whens[i].name, row->name) != 0)
            continue;
        if (last && last->eno == whens[i].eno && last->told == whens[i].told)
            printf("; ");
        else if (last)
            printf(" | %s |\n| | | ", when_verdict(last));
        print_text(whens[i].what);
        last = &whens[i];
    }
    if (last)
        printf(" | %s |\n| | | otherwise ", when_verdict(last));
}

static void print_checks(void) {
    unsigned n = 0;
    for (size_t i = 0; i < COUNT(rows); i++)
        n += rows[i].kind == CHECKED;
    printf(
        "\n## Decided by their arguments (%u)\n\n"
        "The first line that matches decides. Arguments are compared by their low 32 bits, as the\n"
        "kernel reads them.\n\n| call | why | when | verdict |\n|---|---|---|---|\n",
        n);
    for (size_t i = 0; i < COUNT(rows); i++)
        if (rows[i].kind == CHECKED) {
            printf("| %s | %s | ", rows[i].name, rows[i].why);
            print_whens(&rows[i]);
            printf("| %s |\n", verdict(rows[i].eno));
        }
}

static void print_setup(void) {
    printf("\n## What a zygote may do besides\n\n"
           "Until the guest's filter is added in its child; no code of a guest runs before.\n\n"
           "| call | why |\n|---|---|\n");
    for (size_t i = 0; i < COUNT(rows); i++)
        if (rows[i].kind == ONLY_SETUP)
            printf("| %s | %s |\n", rows[i].name, rows[i].why);
    for (size_t i = 0; i < COUNT(whens); i++)
        if (whens[i].setup)
            printf("| %s | %s |\n", whens[i].name, whens[i].what);
}

int main(void) {
    printf(
        "# System calls of a session (x86_64)\n\n"
        "Made from `src/sandbox/syscalls.def` by `make docs`; do not edit.\n\n"
        "The filter is an allow-list. A call of another architecture or ABI (i386, x32) kills the\n"
        "process with SIGSYS. A call that is not named here fails with ENOSYS, so that libraries "
        "fall\n"
        "back to an older one.\n");
    print_group("Allowed", ALLOWED, 0);
    print_checks();
    print_group("Refused with EPERM", REFUSED, EPERM);
    print_group("Refused with ENOSYS", REFUSED, ENOSYS);
    print_setup();
    return 0;
}
