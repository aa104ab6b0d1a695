#include "engine/gateway/authority.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/buf.h"
#include "base/io.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"

#define SYSTEM_AUTHORITIES "/etc/ssl/certs/ca-certificates.crt"

void authority_done(struct authority *a) {
    if (a->key)
        explicit_bzero(a->key, strlen(a->key));
    free(a->key);
    free(a->certificate);
    *a = (struct authority){0};
}

/* --- files --- */

static int add_file(struct buf *b, const char *path) {
    char chunk[8192];
    scoped_fd fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    ssize_t n = fd < 0 ? -errno : 1;
    while (n > 0 && (n = read_full(fd, chunk, sizeof chunk)) > 0)
        if (buf_add(b, chunk, (size_t)n) < 0)
            n = -EFBIG;
    explicit_bzero(chunk, sizeof chunk);
    return (int)n;
}

char *authority_bundle(const struct authority *a) {
    scoped_buf all = BUF_INIT(MAX_BUNDLE);
    add_file(&all, SYSTEM_AUTHORITIES); /* a system may have none */
    return buf_adds(&all, "\n") < 0 || buf_adds(&all, a->certificate) < 0 ? NULL : TAKE(all.data);
}

/* --- secrets --- */

/* What stands between ${ and }: a variable of this process, or the first line of a file. */
static int secret_value(const char *name, struct buf *ret, struct retort_error *err) {
    const char *value = name[0] == '/' ? NULL : secure_getenv(name);
    if (name[0] == '/') {
        int r = add_file(ret, name);
        if (r < 0)
            return err_errno(err, ERR_CALLER, -r, "network: cannot read the secret %.100s", name);
        if (ret->data)
            ret->data[ret->len = strcspn(ret->data, "\r\n")] = 0;
    } else if (value && buf_adds(ret, value) < 0)
        return err_errno(err, ERR_HOST, ENOMEM, "cannot hold the secret");
    if (!ret->data || !ret->len || strpbrk(ret->data, "\r\n"))
        return err_set(err, ERR_CALLER, ENOENT, "network: the secret %.100s is not set", name);
    return 0;
}

/* A process that has a secret must leave no core, neither in a file nor (which a limit of 0 would
 * still allow) in a pipe. */
static void forbid_cores(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_CORE, &limit) < 0)
        return;
    limit.rlim_cur = limit.rlim_max < 1 ? limit.rlim_max : 1;
    setrlimit(RLIMIT_CORE, &limit);
}

static int fill_secret(json_t *secret, struct retort_error *err) {
    const char *value = json_string_value(json_object_get(secret, "value"));
    const char *open = value ? strstr(value, "${") : NULL, *close = open ? strchr(open, '}') : NULL;
    scoped_buf found = BUF_INIT(MAX_SECRET);
    if (!close || strstr(close, "${"))
        return err_set(err, ERR_CALLER, EINVAL,
                       "network: the value of a secret contains ${NAME}, once");
    forbid_cores();
    scoped_free char *name = strndup(open + 2, (size_t)(close - open) - 2);
    int r = name ? secret_value(name, &found, err) : -ENOMEM;
    if (r < 0)
        return r;
    json_object_set_new(
        secret, "value",
        json_sprintf("%.*s%s%s", (int)(open - value), value, found.data, close + 1));
    json_object_set_new(secret, "hidden", json_string(found.data));
    explicit_bzero(found.data, found.len);
    return json_is_string(json_object_get(secret, "value"))
               ? 0
               : err_set(err, ERR_CALLER, EINVAL, "network: the secret is no UTF-8");
}

static int fill_rule(json_t *rule, struct retort_error *err) {
    json_t *secret = json_object_get(rule, "secret");
    const char *path = json_string_value(json_object_get(rule, "authority"));
    scoped_buf pem = BUF_INIT(MAX_BUNDLE);
    int r = secret ? fill_secret(secret, err) : 0;
    if (r == 0 && path) {
        r = add_file(&pem, path);
        if (r < 0)
            return err_errno(err, ERR_CALLER, -r, "network: cannot read %.100s", path);
        json_object_set_new(rule, "authority", json_string(pem.data ? pem.data : ""));
    }
    return r;
}

int authority_disclose(const struct authority *a, const char *network, char **ret,
                       struct retort_error *err) {
    json_t *all = json_object(), *rules = json_in_text(network, 0, NULL), *rule;
    size_t i;
    int r = 0;
    json_object_set_new(all, "network", rules);
    json_array_foreach(json_is_array(rules) ? rules : json_object_get(rules, "rules"), i, rule) {
        if (r == 0 && json_is_object(rule))
            r = fill_rule(rule, err);
    }
    if (a->key) {
        json_object_set_new(all, "key", json_string(a->key));
        json_object_set_new(all, "certificate", json_string(a->certificate));
    }
    if (r == 0 && !(*ret = json_whole(all, JSON_COMPACT)))
        r = err_errno(err, ERR_HOST, ENOMEM, "cannot hold the rules");
    json_decref(all);
    return r;
}
