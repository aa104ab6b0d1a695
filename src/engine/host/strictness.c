#include "engine/host/strictness.h"

#include <errno.h>
#include <string.h>

static const char *const names[] = {"off", "note", "repair", "block"};

const char *strictness_name(enum strictness s) {
    return names[s];
}

int strictness_parse(const char *word, enum strictness *ret, struct retort_error *err) {
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(word ? word : names[0], names[i]) == 0) {
            *ret = (enum strictness)i;
            return 0;
        }
    return err_set(err, ERR_CALLER, EINVAL, "review: %.40s is none of off, note, repair, block",
                   word);
}
