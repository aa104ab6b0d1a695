/* Review rules, from the options --review and --rules. */
#include <fcntl.h>
#include <string.h>

#include "base/io.h"
#include "base/maxima.h"
#include "cli/cli.h"
#include "engine/host/strictness.h"

int cli_rules(const char *review, const char *file, const char **ret) {
    static char text[MAX_REVIEW_RULES + 2]; /* static: a process has one command line */
    struct retort_error err = ERR_INIT;
    enum strictness mode;
    if (strictness_parse(review, &mode, &err) < 0)
        return cli_fail("--%s", err.message);
    if (!file)
        return 0;
    if (mode == STRICT_OFF)
        return cli_fail("--rules needs --review");
    ssize_t n = read_file_at(AT_FDCWD, file, text, sizeof text);
    if (n < 0)
        return cli_fail("--rules %s: %s", file, strerror((int)-n));
    if (n > (ssize_t)MAX_REVIEW_RULES)
        return cli_fail("--rules %s: more than %u bytes", file, MAX_REVIEW_RULES);
    *ret = text;
    return 0;
}
