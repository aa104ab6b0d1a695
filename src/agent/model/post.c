#include "agent/model/post.h"

#include <ctype.h>
#include <curl/curl.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

struct transfer {
    const struct post_request *request;
    struct post_answer *answer;
    CURL *curl;
    int failed;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void init_curl(void) {
    curl_global_init(CURL_GLOBAL_DEFAULT);
}

void post_init(void) {
    pthread_once(&once, init_curl);
}

static size_t post_on_data(char *bytes, size_t size, size_t count, void *user) {
    struct transfer *t = user;
    if (!t->answer->status)
        curl_easy_getinfo(t->curl, CURLINFO_RESPONSE_CODE, &t->answer->status);
    int r = t->request->data(t->request->user, bytes, size * count);
    if (r < 0) {
        t->failed = r;
        return 0;
    }
    return size * count;
}

static bool header_is(const char *line, size_t len, const char *name, char *value, size_t size) {
    size_t n = strlen(name);
    if (len <= n || strncasecmp(line, name, n) != 0 || line[n] != ':')
        return false;
    const char *v = line + n + 1;
    len -= n + 1;
    while (len && isspace((unsigned char)*v))
        v++, len--;
    while (len && isspace((unsigned char)v[len - 1]))
        len--;
    snprintf(value, size, "%.*s", (int)(len < size ? len : size - 1), v);
    return true;
}

/* Seconds, or an HTTP date. */
static double parse_retry_after(const char *value) {
    char *end;
    double seconds = strtod(value, &end);
    if (end != value && !*end)
        return seconds;
    time_t when = curl_getdate(value, NULL), now = time(NULL);
    return when < 0 ? -1 : when > now ? (double)(when - now) : 0;
}

static size_t on_header(char *line, size_t size, size_t count, void *user) {
    struct post_answer *a = ((struct transfer *)user)->answer;
    char value[128];
    size_t len = size * count;
    if (header_is(line, len, "retry-after-ms", value, sizeof value))
        a->retry_after = strtod(value, NULL) / 1000;
    else if (header_is(line, len, "retry-after", value, sizeof value) && a->retry_after < 0)
        a->retry_after = parse_retry_after(value);
    else if (header_is(line, len, "x-should-retry", value, sizeof value))
        a->should_retry = strcasecmp(value, "true") == 0;
    else if (header_is(line, len, "content-type", value, sizeof value))
        a->stream = strncasecmp(value, "text/event-stream", 17) == 0;
    return len;
}

static int post_on_progress(void *user, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
    (void)a, (void)b, (void)c, (void)d;
    const struct transfer *t = user;
    return t->request->cancel && atomic_load(t->request->cancel);
}

static struct curl_slist *header_list(const char *const *headers) {
    struct curl_slist *list = NULL;
    for (; *headers; headers++) {
        struct curl_slist *longer = curl_slist_append(list, *headers);
        if (!longer) {
            curl_slist_free_all(list);
            return NULL;
        }
        list = longer;
    }
    return list;
}

static void set_options(CURL *c, struct transfer *t, struct curl_slist *headers) {
    const struct post_request *r = t->request;
    double timeout = r->timeout > 0 ? r->timeout : 600;
    curl_easy_setopt(c, CURLOPT_URL, r->url);
    curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(c, CURLOPT_POST, 1L);
    curl_easy_setopt(c, CURLOPT_POSTFIELDS, r->body);
    curl_easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)r->body_len);
    curl_easy_setopt(c, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT, 20L);
    curl_easy_setopt(c, CURLOPT_TIMEOUT_MS, (long)(timeout * 1000));
    curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, post_on_data);
    curl_easy_setopt(c, CURLOPT_WRITEDATA, t);
    curl_easy_setopt(c, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(c, CURLOPT_HEADERDATA, t);
    curl_easy_setopt(c, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(c, CURLOPT_XFERINFOFUNCTION, post_on_progress);
    curl_easy_setopt(c, CURLOPT_XFERINFODATA, t);
}

static int error_of(CURLcode code, const struct transfer *t) {
    switch (code) {
    case CURLE_OK: return 0;
    case CURLE_WRITE_ERROR: return t->failed ? t->failed : -EIO;
    case CURLE_ABORTED_BY_CALLBACK: return -ECANCELED;
    case CURLE_OPERATION_TIMEDOUT: return -ETIMEDOUT;
    case CURLE_COULDNT_CONNECT:
    case CURLE_COULDNT_RESOLVE_HOST: return -ECONNREFUSED;
    case CURLE_OUT_OF_MEMORY: return -ENOMEM;
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL: return -EINVAL;
    default: return -EIO;
    }
}

int post_send(const struct post_request *request, struct post_answer *ret) {
    post_init();
    *ret = (struct post_answer){.retry_after = -1, .should_retry = -1};
    CURL *c = curl_easy_init();
    struct curl_slist *headers = header_list(request->headers);
    struct transfer t = {.request = request, .answer = ret, .curl = c};
    int r = -ENOMEM;
    if (c && headers) {
        set_options(c, &t, headers);
        CURLcode code = curl_easy_perform(c);
        curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &ret->status);
        if (code != CURLE_OK)
            snprintf(ret->problem, sizeof ret->problem, "%s", curl_easy_strerror(code));
        r = error_of(code, &t);
    }
    curl_slist_free_all(headers);
    curl_easy_cleanup(c);
    return r;
}
