/* retort serve that was started as root: only the supervisor needs root, so the server becomes
 * another user.
 *
 * Runs in: broker, before it listens.
 * Hostile: nothing yet.
 * Tests: tests/system/test_serve.py
 */
#pragma once

#include "base/err.h"
#include "base/maxima.h"

struct unprivileged {
    unsigned uid, gid;
    char state[MAX_PATH]; /* the state directory, which is that user's */
};

/* Who `name` is (NULL: retort, else nobody), and a state directory that is theirs from the moment
 * it is made: $RETORT_STATE or /var/lib/retort, or "service" in it if root has records there. The
 * configuration is then read from /etc/retort, unless XDG_CONFIG_HOME says otherwise. */
int unprivileged_prepare(const char *name, struct unprivileged *ret, struct retort_error *err);
/* Becomes that user for good. Files that the engine made in its directory are the user's
 * already. */
int unprivileged_become(const struct unprivileged *user, struct retort_error *err);
