/* Bytes from a client of any door: JSON-RPC messages, parameters, tool schemas, token lines,
 * base64. What was taken for JSON is written again and must be taken again. */
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "base/toolschema.h"
#include "serve/hosted/json.h"
#include "serve/http/guard.h"
#include "serve/rpc/methods.h"
#include "serve/rpc/rpc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct method_field inner[] = {{"number", FIELD_NUMBER, true, "", NULL, NULL},
                                            {NULL, FIELD_ANY, false, NULL, NULL, NULL}};
static const struct method_field fields[] = {{"session", FIELD_STRING, true, "", NULL, NULL},
                                             {"kind", FIELD_STRING, false, "", NULL, "one|two"},
                                             {"object", FIELD_OBJECT, false, "", inner, NULL},
                                             {"list", FIELD_ARRAY, false, "", inner, NULL},
                                             {"count", FIELD_INTEGER, false, "", NULL, NULL},
                                             {"on", FIELD_BOOLEAN, false, "", NULL, NULL},
                                             {"any", FIELD_ANY, false, "", NULL, NULL},
                                             {NULL, FIELD_ANY, false, NULL, NULL, NULL}};
static const struct method method = {.name = "fuzz", .params = fields};

static void must(bool fact) {
    if (!fact)
        abort();
}

/* What can be written can be read. */
static void reread(const char *text, size_t len) {
    struct retort_error err = ERR_INIT;
    scoped_json *value = serve_json_parse(text, len, &err);

    must(value != NULL);
}

static void message(const char *text, size_t size) {
    struct rpc_message msg;
    struct retort_error error = {0};
    char reason[100], why[60];
    scoped_buf reply = BUF_INIT(MAX_REPLY);
    int code = rpc_parse(text, size, &msg, reason, sizeof reason);

    if (code == 0 && msg.params) {
        methods_check(&method, msg.params, &error);
        if (toolschema_supported(msg.params, why, sizeof why) == 0)
            toolschema_check(msg.params, msg.root, why, sizeof why);
    }
    must(rpc_error_reply(&reply, msg.id, code, code ? reason : error.message, msg.params) == 0);
    reread(reply.data, reply.len);
    rpc_message_done(&msg);
}

static void text(const char *bytes, size_t size) {
    scoped_buf quoted = BUF_INIT(MAX_REPLY), plain = BUF_INIT(MAX_REPLY),
               again = BUF_INIT(MAX_REPLY);
    struct guard_token token;
    scoped_free char *line = strndup(bytes, size);
    char word[64];

    must(buf_json_string(&quoted, bytes, size) == 0);
    reread(quoted.data, quoted.len);
    guard_parse_line(line, word, sizeof word, &token);
    if (base64_decode(&plain, bytes, size) == 0 && plain.len) {
        must(base64_encode(&again, plain.data, plain.len) == 0);
        must(again.len == size && memcmp(again.data, bytes, size) == 0);
    }
}

/* What is left of one that was too long. */
static void ends(const char *bytes, size_t size) {
    struct rpc_message msg;
    char reason[200];
    scoped_free char *left = strndup(bytes, size);

    must(rpc_parse(left, (size_t)MAX_REQUEST + 1, &msg, reason, sizeof reason) == RPC_PARSE);
    reread(msg.id, strlen(msg.id));
    rpc_message_done(&msg);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    message((const char *)data, size);
    ends((const char *)data, size);
    text((const char *)data, size);
    return 0;
}
