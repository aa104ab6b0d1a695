#include "engine/host/statedir.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int statedir_find(const char *given, char *ret_path, size_t size, struct retort_error *err) {
    const char *state = secure_getenv("RETORT_STATE"), *xdg = secure_getenv("XDG_STATE_HOME");
    const char *home = secure_getenv("HOME");
    int n;
    if (given || (state && state[0]))
        n = snprintf(ret_path, size, "%s", given ? given : state);
    else if (xdg && xdg[0] == '/')
        n = snprintf(ret_path, size, "%s/retort", xdg);
    else if (home && home[0] == '/')
        n = snprintf(ret_path, size, "%s/.local/state/retort", home);
    else if (getuid() == 0)
        n = snprintf(ret_path, size, "/var/lib/retort");
    else
        return err_set(err, ERR_CALLER, 0, "no state directory: set RETORT_STATE or HOME");
    return n >= (int)size
               ? err_set(err, ERR_CALLER, ENAMETOOLONG, "the state directory's path is too long")
               : 0;
}
