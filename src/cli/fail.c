#include <stdarg.h>
#include <stdio.h>

#include "cli/cli.h"

int cli_fail(const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    fputs("retort: ", stderr);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
    va_end(ap);
    return EXIT_OWN_FAILURE;
}

int cli_fail_error(const struct retort_error *error) {
    const char *layer = error->layer;
    return cli_fail("%s%s%s%s%s%s%s", layer[0] ? "setup_failed: layer " : "", layer,
                    layer[0] ? ": " : "", error->message,
                    error->hint[0] ? "; what would help: " : "", error->hint,
                    layer[0] ? " (`retort doctor` tells more)" : "");
}
