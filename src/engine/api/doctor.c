/* Makes one session and runs a program of ours in it, which tries what each layer forbids; then
 * looks at the same things from outside. A layer holds if both sides agree. If a layer fails that a
 * session can do without, the doctor gives that layer up and checks the others all the same. */
#include "engine/api/doctor.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/jsonwhole.h"
#include "base/scope.h"
#include "engine/files/collector.h"
#include "engine/host/environment.h"
#include "engine/host/image.h"
#include "engine/host/limits.h"
#include "engine/host/packages.h"
#include "engine/session/session.h"

#define PIDS 16 /* few, so that the limit is reached soon */

struct doctor {
    struct retort_engine *engine;
    struct retort_session *session; /* NULL: none could be made */
    json_t *seen;                   /* what the program inside saw, or NULL */
    uint32_t failed;                /* layers that could not be set up */
    char why[LAYER_COUNT][360];
    int eno[LAYER_COUNT];
    struct retort_error error; /* that no layer is to blame for: nothing could be found out */
    int listener;
    uint16_t port;
    bool leaked;    /* the program inside reached the listener */
    bool pids_held; /* the kernel's own counters say so */
    bool uid_known;
    uid_t host_uid; /* that the session's files have outside */
};

/* --- what the program inside saw --- */

static const char *seen_text(const struct doctor *d, const char *group, const char *name) {
    json_t *o = group ? json_object_get(d->seen, group) : d->seen;
    const char *text = json_string_value(json_object_get(o, name));
    return text ? text : "";
}

static bool seen_is(const struct doctor *d, const char *name, const char *text) {
    return strcmp(seen_text(d, NULL, name), text) == 0;
}

static bool call_is(const struct doctor *d, const char *name, const char *text) {
    return strcmp(seen_text(d, "calls", name), text) == 0;
}

static bool status_is(const struct doctor *d, const char *name, json_int_t value) {
    const json_t *n = json_object_get(json_object_get(d->seen, "status"), name);
    return json_is_integer(n) && json_integer_value(n) == value;
}

static bool own_namespace(const struct doctor *d, const char *kind) {
    char path[48], host[64] = "";
    snprintf(path, sizeof path, "/proc/self/ns/%s", kind);
    const char *guest = seen_text(d, "namespaces", kind);
    return readlink(path, host, sizeof host - 1) > 0 && guest[0] && strcmp(guest, host) != 0;
}

static bool only(const struct doctor *d, const char *list, const char *text) {
    const json_t *l = json_object_get(d->seen, list);
    const char *first = json_string_value(json_array_get(l, 0));
    return json_array_size(l) == 1 && first && strcmp(first, text) == 0;
}

/* --- the layers --- */

static bool holds_user(const struct doctor *d) {
    const json_t *map = json_object_get(d->seen, "uid_map");
    const char *count = json_string_value(json_array_get(map, 2));
    return own_namespace(d, "user") && json_array_size(map) == 3 && count && !strcmp(count, "1");
}

static bool holds_mount(const struct doctor *d) {
    return own_namespace(d, "mnt") && seen_is(d, "shadow", "ENOENT") &&
           seen_is(d, "write_root", "EROFS");
}

static bool holds_pid(const struct doctor *d) {
    return own_namespace(d, "pid") && json_array_size(json_object_get(d->seen, "processes")) <= 2;
}

static bool holds_net(const struct doctor *d) {
    return own_namespace(d, "net") && only(d, "interfaces", "lo") && !d->leaked &&
           seen_is(d, "loopback", "ECONNREFUSED") && seen_is(d, "outside", "ENETUNREACH");
}

static bool holds_ipc(const struct doctor *d) {
    return own_namespace(d, "ipc");
}

static bool holds_uts(const struct doctor *d) {
    return own_namespace(d, "uts") && seen_is(d, "hostname", "retort");
}

static bool holds_cgroup(const struct doctor *d) {
    const json_t *lines = json_object_get(d->seen, "cgroups");
    for (size_t i = 0; i < json_array_size(lines); i++) {
        const char *line = json_string_value(json_array_get(lines, i));
        size_t len = line ? strlen(line) : 0;
        if (len < 2 || strcmp(line + len - 2, ":/") != 0)
            return false;
    }
    return own_namespace(d, "cgroup") && d->pids_held;
}

static bool holds_seccomp(const struct doctor *d) {
    return status_is(d, "Seccomp", 2) && call_is(d, "mount", "EPERM") &&
           call_is(d, "unshare", "EPERM") && call_is(d, "keyctl", "EPERM") &&
           call_is(d, "bpf", "EPERM") && call_is(d, "ptrace", "EPERM") &&
           call_is(d, "io_uring_setup", "ENOSYS") && call_is(d, "unknown", "ENOSYS") &&
           seen_is(d, "alg", "EAFNOSUPPORT");
}

/* A second wall shows only where the first one has a hole. All that can be seen is that the kernel
 * accepted it. */
static bool holds_landlock(const struct doctor *d) {
    return d->session->iso.layers & LAYER_BIT(LAYER_LANDLOCK) && doctor_landlock_version() > 0;
}

static bool holds_caps(const struct doctor *d) {
    return status_is(d, "CapEff", 0) && status_is(d, "CapPrm", 0) && status_is(d, "CapInh", 0) &&
           status_is(d, "CapBnd", 0) && status_is(d, "CapAmb", 0);
}

static bool holds_nnp(const struct doctor *d) {
    return status_is(d, "NoNewPrivs", 1);
}

static bool holds_uid(const struct doctor *d) {
    return d->uid_known && d->host_uid != geteuid() && d->host_uid != 0 &&
           json_array_size(json_object_get(d->seen, "groups")) == 0;
}

static const struct {
    bool (*holds)(const struct doctor *d);
    const char *checked;
} checks[LAYER_COUNT] = {
    [LAYER_USER] = {holds_user, "namespace differs from the host's and maps one id"},
    [LAYER_MOUNT] = {holds_mount, "namespace differs, /etc/shadow absent, /usr read-only"},
    [LAYER_PID] = {holds_pid, "namespace differs, no foreign process in /proc"},
    [LAYER_NET] = {holds_net, "namespace differs, only lo, no way to the host's loopback or out"},
    [LAYER_IPC] = {holds_ipc, "namespace differs from the host's"},
    [LAYER_UTS] = {holds_uts, "namespace differs, host name is the session's"},
    [LAYER_CGROUP] = {holds_cgroup, "namespace shows /, the pids counter refused a fork"},
    [LAYER_SECCOMP] = {holds_seccomp,
                       "mount, unshare, keyctl, bpf, ptrace, io_uring and AF_ALG refused"},
    [LAYER_LANDLOCK] =
        {holds_landlock,
         "the kernel took the rules; a session that it refuses them to does not start"},
    [LAYER_CAPS] = {holds_caps, "all five sets in /proc/self/status are empty"},
    [LAYER_NNP] = {holds_nnp, "NoNewPrivs is 1 in /proc/self/status"},
    [LAYER_UID] = {holds_uid, "its files have another owner on the host than the caller"},
};

static bool is_core(int layer) {
    return layer == LAYER_LANDLOCK ? doctor_has_landlock() : !(LAYERS_SOFT & LAYER_BIT(layer));
}

static const char *remedy(const struct doctor *d, int layer) {
    if (layer == LAYER_CGROUP && d->session && d->session->iso.cgroup_why[0])
        return d->session->iso.cgroup_why;
    if (layer == LAYER_UID && d->session && d->session->iso.uid_why[0])
        return d->session->iso.uid_why;
    return doctor_remedy(layer, d->eno[layer]);
}

static const char *how_checked(const struct doctor *d, int layer) {
    if (d->failed & LAYER_BIT(layer))
        return "a session that wanted it was refused";
    return d->seen ? checks[layer].checked : "no session could be made";
}

/* A layer that was not reached because another one failed needs no remedy of its own. */
static json_t *layer_json(const struct doctor *d, int layer, bool *ret_holds) {
    bool holds = d->seen && checks[layer].holds(d);
    bool failed = d->seen || d->failed & LAYER_BIT(layer);
    char checked[160];
    snprintf(
        checked, sizeof checked, "%s%s",
        holds || !d->seen || d->failed & LAYER_BIT(layer) ? "" : "not so: ", how_checked(d, layer));
    *ret_holds = holds;
    return json_pack("{s:s s:s s:b s:s s:s? s:s?}", "name", layer_names[layer], "kind",
                     is_core(layer) ? "core" : "reinforcement", "enforced", holds, "checked",
                     checked, "detail", d->why[layer][0] ? d->why[layer] : NULL, "remedy",
                     holds || !failed ? NULL : remedy(d, layer));
}

/* --- looking --- */

static int listen_on_loopback(struct doctor *d) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t len = sizeof address;
    d->listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (d->listener < 0 || bind(d->listener, (struct sockaddr *)&address, sizeof address) < 0 ||
        listen(d->listener, 1) < 0 ||
        getsockname(d->listener, (struct sockaddr *)&address, &len) < 0)
        return -errno;
    d->port = ntohs(address.sin_port);
    return 0;
}

/* Tries until a session can be made, or until a layer fails that no session can do without. */
static void make_session(struct doctor *d) {
    const char *given_up[LAYER_COUNT + 1] = {NULL};
    struct retort_session_options options = {.limits = {.pids = PIDS}, .allow_missing = given_up};
    for (size_t n = 0; n < LAYER_COUNT; n++) {
        struct retort_error error = {0};
        if (retort_session_new(d->engine, &options, &d->session, &error) == 0)
            return;
        d->session = NULL;
        int layer = layer_by_name(error.layer);
        if (layer < 0) {
            d->error = error;
            return;
        }
        d->eno[layer] = error.code;
        memcpy(d->why[layer], error.message, sizeof d->why[layer]);
        if (d->failed & LAYER_BIT(layer) || layer <= LAYER_PID) {
            d->failed |= LAYER_BIT(layer);
            return;
        }
        d->failed |= LAYER_BIT(layer);
        given_up[n] = layer_names[layer];
    }
}

static json_t *doctor_execute(struct retort_session *s, const char *code,
                              struct retort_error *error) {
    struct retort_result *result;
    if (retort_execute(s, code, strlen(code), NULL, &result, error) < 0)
        return NULL;
    json_t *o = json_in_text(retort_result_json(result, NULL), 0, NULL);
    retort_result_free(result);
    return o;
}

static bool has_flag(const json_t *result, const char *name) {
    const json_t *flags = json_object_get(result, "flags");
    for (size_t i = 0; i < json_array_size(flags); i++)
        if (strcmp(json_string_value(json_array_get(flags, i)), name) == 0)
            return true;
    return false;
}

static void look_inside(struct doctor *d) {
    char code[160];
    snprintf(code, sizeof code,
             "import runpy; runpy.run_path('/opt/retort/python/doctor.py', {'PORT': %u}) and None",
             d->port);
    json_t *result = doctor_execute(d->session, code, NULL);
    const char *out = json_string_value(json_object_get(result, "stdout"));
    d->seen = out ? json_in_text(out, 0, NULL) : NULL;
    d->pids_held = d->session->usage.cgroup && has_flag(result, "pids_limit");
    json_decref(result);
}

static void look_from_outside(struct doctor *d) {
    struct stat st;
    uint64_t size;
    scoped_fd connected = accept4(d->listener, NULL, NULL, SOCK_CLOEXEC);
    d->leaked = connected >= 0;
    scoped_fd file = collector_open(&d->session->files.collector, "doctor", &size, NULL);
    d->uid_known = file >= 0 && fstat(file, &st) == 0;
    if (d->uid_known)
        d->host_uid = st.st_uid;
}

/* --- interpreters --- */

/* Why a program that only prints a version failed: its last words, if it said anything. */
static void describe_failure(const json_t *result, const struct retort_error *error, char *ret,
                             size_t size) {
    const char *status = json_string_value(json_object_get(result, "status"));
    const char *said = json_string_value(json_object_get(result, "stderr"));
    said = said ? said + strspn(said, "#\n ") : "";
    if (error->message[0])
        snprintf(ret, size, "%s", error->message);
    else
        snprintf(ret, size, "it ended with status %s%s%.*s", status ? status : "unknown",
                 said[0] ? ": " : "", (int)strcspn(said, "\n"), said);
}

/* What stands beside a layer already is not said again. */
static const char *interpreter_remedy(const struct doctor *d, const struct retort_error *error,
                                      const char *package) {
    int layer = layer_by_name(error->layer);
    if (error->code == ENOENT)
        return package;
    return error->hint[0] && !(layer >= 0 && d->failed & LAYER_BIT(layer)) ? error->hint : NULL;
}

static json_t *interpreter_json(const struct doctor *d, const char *language, const char *code,
                                const char *package) {
    struct retort_session_options options = {.language = language};
    struct retort_session *s = NULL;
    struct retort_error error = {0};
    char detail[400] = "";
    json_t *result = NULL;
    if (retort_session_new(d->engine, &options, &s, &error) == 0)
        result = doctor_execute(s, code, &error);
    const char *status = json_string_value(json_object_get(result, "status"));
    const char *out = json_string_value(json_object_get(result, "stdout"));
    bool works = status && !strcmp(status, "ok") && out;
    if (!works)
        describe_failure(result, &error, detail, sizeof detail);
    json_t *o = json_pack("{s:s s:b s:o s:s? s:s?}", "language", language, "works", works,
                          "version", works ? json_stringn(out, strcspn(out, "\n")) : json_null(),
                          "detail", works ? NULL : detail, "remedy",
                          works ? NULL : interpreter_remedy(d, &error, package));
    json_decref(result);
    retort_session_close(s);
    return o;
}

static json_t *interpreters_json(struct doctor *d) {
    static const struct {
        const char *language, *code, *package;
    } all[] = {
        {"python", "import platform\nprint(platform.python_version())", "apt-get install python3"},
        {"bash", "echo $BASH_VERSION", "apt-get install bash"},
        {"javascript", "console.log(process.versions.node)", "apt-get install nodejs"},
    };
    json_t *list = json_array();
    for (size_t i = 0; d->engine && (d->session || !d->failed) && i < sizeof all / sizeof *all; i++)
        json_array_append_new(list,
                              interpreter_json(d, all[i].language, all[i].code, all[i].package));
    return list;
}

/* --- environments --- */

static json_t *environment_json(const char *name) {
    struct retort_session_options asked = {.environment = name};
    struct configured found = {0};
    struct retort_error err = ERR_INIT;
    int r = environment_apply(&asked, NULL, &found, &err);
    const char *packages = found.options.packages;
    bool works = r == 0;
    if (packages) {
        scoped_fd held = packages_hold(packages, &err);
        works = held >= 0;
    }
    json_t *o =
        json_pack("{s:s s:b s:b s:s? s:s? s:s?}", "name", name, "works", works, "image",
                  packages && image_is(packages), "packages",
                  packages ? packages_hash(packages) : NULL, "detail", works ? NULL : err.message,
                  "remedy", packages && !works ? "retort env update, or retort env remove" : NULL);
    environment_done(&found);
    return o;
}

static json_t *environments_json(void) {
    json_t *names = environment_names(NULL), *list = json_array(), *name;
    size_t i;
    json_array_foreach(names, i, name) {
        json_array_append_new(list, environment_json(json_string_value(name)));
    }
    json_decref(names);
    return list;
}

/* Without a name and password that the address may have: reports are shown to others. */
static json_t *index_json(enum packages_kind kind) {
    char *text = packages_public(packages_index(kind));
    json_t *shown = text ? json_string(text) : NULL;
    free(text);
    return shown;
}

/* --- the report --- */

static const char *mode(const struct doctor *d) {
    if (!d->seen || !holds_uid(d))
        return "plain";
    return geteuid() == 0 ? "root" : "subordinate";
}

/* The default limits of a session, whether or not a session could be made. */
static json_t *account_limits_json(void) {
    struct account account = {0};
    account_limits(&account, &limits_default);
    json_t *kinds = account_json(&account), *o = json_object(), *kind;
    const char *name;
    json_object_foreach(kinds, name, kind) {
        json_object_set(o, name, json_object_get(kind, "limit"));
    }
    json_decref(kinds);
    return o;
}

static json_t *report_json(struct doctor *d, bool *ret_core) {
    json_t *layers = json_array();
    struct utsname host;
    uname(&host);
    unsigned processors = pairs_processors();
    *ret_core = true;
    for (int i = 0; i < LAYER_COUNT; i++) {
        bool holds;
        json_array_append_new(layers, layer_json(d, i, &holds));
        *ret_core &= holds || !is_core(i);
    }
    const struct retort_error *e = &d->error;
    return json_pack("{s:s s:s s:s s:s s:s? s:s? s:b s:o s:o s:o s:o s:o s:{s:i s:i} s:{s:o s:o}}",
                     "schema", "retort.doctor/1", "version", RETORT_VERSION, "kernel", host.release,
                     "mode", mode(d), "error", e->message[0] ? e->message : NULL, "hint",
                     e->hint[0] ? e->hint : NULL, "core", *ret_core, "layers", layers, "host",
                     doctor_host(), "interpreters", interpreters_json(d), "environments",
                     environments_json(), "account", account_limits_json(), "supervisors", "usual",
                     (int)pairs_for(processors), "processors", (int)processors, "indexes", "pip",
                     index_json(PACKAGES_PIP), "npm", index_json(PACKAGES_NPM));
}

char *retort_doctor(bool *ret_core_holds) {
    struct doctor d = {.listener = -1};
    struct retort_engine_options options = {.no_state = true};
    int r = listen_on_loopback(&d);
    if (r < 0)
        d.error = (struct retort_error){.code = -r, .message = "cannot listen on 127.0.0.1"};
    else if (retort_open(&options, &d.engine, &d.error) == 0)
        make_session(&d);
    if (d.session) {
        look_inside(&d);
        look_from_outside(&d);
    }
    json_t *report = report_json(&d, ret_core_holds);
    char *text = json_whole(report, JSON_INDENT(2));
    json_decref(report);
    json_decref(d.seen);
    retort_close(d.engine);
    fd_done(&d.listener);
    return text;
}
