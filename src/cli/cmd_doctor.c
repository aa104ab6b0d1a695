/* retort doctor: what this host can enforce. */
#include <stdio.h>

#include "cli/cli.h"

int cmd_doctor(int argc, char **argv) {
    (void)argc;
    (void)argv;
    bool core;
    char *report = retort_doctor(&core);
    puts(report ? report : "{}");
    retort_free(report);
    return core ? 0 : 1;
}
