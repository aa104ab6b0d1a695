/* Verdicts on programs that are not run: a sealed session reads the program's syntax tree with
 * CPython's own parser and says what is in it. This side carries files in and the verdict out.
 *
 * Hostile: the program, and with it whatever the session answers. */
#pragma once

#include <jansson.h>

/* A file for the judge: its name in messages, its path, its name inside; or, without a path, its
 * text. */
struct verdict_file {
    const char *what, *path, *name, *text;
};

/* Runs `judge`, a function of the guest's module verdicts, over the files; the list ends with one
 * without `what`. Returns 0 and the verdict, an object, or the exit status. */
int verdict_ask(const char *judge, const struct verdict_file *files, json_t **ret);
/* A member as text; "" if there is none. */
const char *verdict_text(const json_t *object, const char *key);
/* Prints the verdict in one line. 0, or the exit status. */
int verdict_print_json(const json_t *verdict);
