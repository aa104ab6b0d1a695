#include "wire/control.h"

#include <string.h>

const char *const layer_names[LAYER_COUNT] = {
    "user",   "mount",   "pid",      "net",  "ipc", "uts",
    "cgroup", "seccomp", "landlock", "caps", "nnp", "uid",
};

const struct interpreter_row interpreter_rows[LANG_COUNT] = {
#define INTERPRETER(id, name, names, program, package, guest, comes) \
    {program, package, guest, LANG_##id},
#define MODULE(name, names, interpreter, comes)
#define SERVICE(id, program, package, guest) {program, package, guest, LANG_##id},
#define FURTHER(id, name, of, read_as, program, package, guest, comes) \
    {program, package, guest, LANG_##of},
#define FURTHER_MODULE(name, read_as, interpreter, comes)
#include "wire/languages.def"
#undef INTERPRETER
#undef MODULE
#undef SERVICE
#undef FURTHER
#undef FURTHER_MODULE
};

static uint64_t add(uint64_t a, uint64_t b) {
    return a > INT64_MAX || b > INT64_MAX - a ? INT64_MAX : a + b;
}

uint64_t memory_ceiling(const struct limits *l, uint64_t files) {
    uint64_t grown = add(files, MEMORY_ROOM);
    return add(add(l->memory, MEMORY_ALLOWANCE), grown < l->disk ? grown : l->disk);
}

int layer_by_name(const char *name) {
    for (int i = 0; i < LAYER_COUNT; i++)
        if (strcmp(layer_names[i], name) == 0)
            return i;
    return -1;
}

static bool ends_within(const char *text, size_t size) {
    return memchr(text, 0, size) != NULL;
}

static bool is_path(const char *text, size_t size) {
    return ends_within(text, size) && (!text[0] || text[0] == '/');
}

static bool environment_ok(const struct ctl_environment *e) {
    for (size_t i = 0; i < ENV_PREFIXES; i++)
        if (!is_path(e->prefix[i], sizeof e->prefix[i]))
            return false;
    return is_path(e->interpreter, sizeof e->interpreter) &&
           ends_within(e->preload, sizeof e->preload) && is_path(e->packages, sizeof e->packages) &&
           e->image <= (e->packages[0] == '/');
}

bool ctl_start_ok(const struct ctl_start *s) {
    return s->language < LANG_COUNT && is_path(s->interpreter, sizeof s->interpreter);
}

bool ctl_create_ok(const void *bytes, size_t len) {
    struct ctl_create c;
    if (len != sizeof c)
        return false;
    memcpy(&c, bytes, sizeof c);
    return c.head.type == CTL_SESSION && c.head.size == sizeof c && c.language < LANG_COUNT &&
           c.allow_missing < LAYER_BIT(LAYER_COUNT) && environment_ok(&c.env);
}

static size_t answer_size(uint32_t type) {
    switch (type) {
    case CTL_STANDS: return sizeof(struct ctl_stands);
    case CTL_CREATED: return sizeof(struct ctl_created);
    case CTL_FAILED: return sizeof(struct ctl_failed);
    case CTL_EXITED: return sizeof(struct ctl_exited);
    case CTL_KILLED: return sizeof(struct ctl_killed);
    case CTL_MEASURED: return sizeof(struct ctl_measured);
    case CTL_ROOMED: return sizeof(struct ctl_roomed);
    case CTL_STARTED: return sizeof(struct ctl_started);
    case CTL_LOCKED: return sizeof(struct ctl_locked);
    case CTL_RESUMED:
    case CTL_WAKE:
    case CTL_GONE:
    case CTL_NEST: return sizeof(struct ctl_head);
    default: return 0;
    }
}

static bool error_ok(const struct retort_error *e) {
    return e->code >= 0 && ends_within(e->layer, sizeof e->layer) &&
           ends_within(e->message, sizeof e->message) && ends_within(e->hint, sizeof e->hint);
}

bool ctl_answer_ok(const void *bytes, size_t len) {
    union {
        struct ctl_head head;
        struct ctl_created created;
        struct ctl_failed failed;
    } m;
    if (len < sizeof m.head)
        return false;
    memcpy(&m, bytes, len < sizeof m ? len : sizeof m);
    if (m.head.size != len || len != answer_size(m.head.type))
        return false;
    if (m.head.type == CTL_CREATED)
        return ends_within(m.created.cgroup_why, sizeof m.created.cgroup_why) &&
               ends_within(m.created.uid_why, sizeof m.created.uid_why);
    return m.head.type != CTL_FAILED || error_ok(&m.failed.err);
}
