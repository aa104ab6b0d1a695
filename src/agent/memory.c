#include "agent/memory.h"

#include "base/maxima.h"
#include "base/scope.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int state_path(const char *state, const char *rest, char *out, size_t size) {
    const char *home = getenv("HOME"), *xdg = getenv("XDG_STATE_HOME"),
               *own = getenv("RETORT_STATE");
    int n;
    if (state || own)
        n = snprintf(out, size, "%s/%s", state ? state : own, rest);
    else if (xdg && *xdg)
        n = snprintf(out, size, "%s/retort/%s", xdg, rest);
    else
        n = snprintf(out, size, "%s/.local/state/retort/%s", home ? home : "", rest);
    return n > 0 && (size_t)n < size ? 0 : -ENAMETOOLONG;
}

static bool plain_name(const char *s) {
    return *s && strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
                     strlen(s);
}

static int file_path(const char *state, const char *session, char *out, size_t size) {
    char rest[160];
    if (!plain_name(session) || strlen(session) > 100)
        return -EINVAL;
    snprintf(rest, sizeof rest, "agent/%s.jsonl", session);
    return state_path(state, rest, out, size);
}

int memory_open(struct memory *m, const char *state, const char *session) {
    char path[MAX_PATH], dir[MAX_PATH];
    *m = (struct memory){0};
    int r = file_path(state, session, path, sizeof path);
    if (r == 0)
        r = state_path(state, "agent", dir, sizeof dir);
    if (r < 0)
        return r;
    if (mkdir(dir, 0700) < 0 && errno != EEXIST)
        return -errno;
    scoped_fd fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return -errno;
    m->file = fdopen(fd, "a");
    if (!m->file)
        return -errno;
    take_fd(&fd);
    return 0;
}

void memory_add(struct memory *m, const json_t *event) {
    const char *name = json_string_value(json_object_get(event, "event"));
    if (!m->file || json_object_get(event, "delta") || (name && strcmp(name, "output") == 0))
        return;
    json_dumpf(event, m->file, JSON_COMPACT);
    fputc('\n', m->file);
    fflush(m->file); /* a run that is killed leaves what it did */
}

void memory_close(struct memory *m, const json_t *messages) {
    if (!m->file)
        return;
    json_t *line = messages ? json_pack("{s:O}", "messages", messages) : NULL;
    if (line) {
        json_dumpf(line, m->file, JSON_COMPACT);
        fputc('\n', m->file);
    }
    json_decref(line);
    fclose(m->file);
    m->file = NULL;
}

json_t *memory_load(const char *state, const char *session) {
    char path[MAX_PATH];
    scoped_free char *line = NULL;
    size_t room = 0;
    json_t *messages = NULL;
    if (file_path(state, session, path, sizeof path) < 0)
        return NULL;
    FILE *f = fopen(path, "re");
    while (f && getline(&line, &room, f) >= 0) {
        if (strncmp(line, "{\"messages\":", 12) != 0)
            continue;
        json_t *o = json_loads(line, 0, NULL);
        json_decref(messages);
        messages = json_incref(json_object_get(o, "messages"));
        json_decref(o);
    }
    if (f)
        fclose(f);
    return messages;
}
