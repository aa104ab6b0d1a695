/* Messages of an MCP client, one a line, to one session; the tools do nothing. Every reply must be
 * JSON. */
#include <stdlib.h>
#include <string.h>

#include "base/maxima.h"
#include "base/unconst.h"
#include "serve/hosted/json.h"
#include "serve/hosted/serve.h"
#include "serve/mcp/mcp_transport.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int nothing(struct mcp_call *call, const json_t *arguments, json_t **ret_result) {
    mcp_progress(call, 1, 2, "on");
    mcp_log(call, "info", "fuzz", arguments ? json_incref(unconst(arguments)) : json_null());
    *ret_result = mcp_text_result("", mcp_client_can(call, "sampling"));
    return 0;
}

static int list(struct mcp_call *call, const json_t *arguments, json_t **ret_result) {
    (void)call, (void)arguments;
    *ret_result = json_pack("{s:[]}", "resources");
    return 0;
}

static const struct mcp_tool tools[] = {
    {.name = "t", .description = "d", .input_schema = "{\"type\":\"object\"}", .run = nothing},
    {.name = "n", .description = "d", .input_schema = "{}", .needs = "roots", .run = nothing},
    {.name = NULL}};
static const struct mcp_prompt prompts[] = {{"p", NULL, "d", NULL, nothing},
                                            {NULL, NULL, NULL, NULL, NULL}};
static const struct mcp_table table = {.name = "fuzz",
                                       .title = "fuzz",
                                       .version = "0",
                                       .instructions = "",
                                       .tools = tools,
                                       .prompts = prompts,
                                       .list_resources = list,
                                       .list_templates = list,
                                       .read_resource = nothing,
                                       .complete = nothing,
                                       .changes = true};

static void reread(const char *text, size_t len) {
    struct retort_error err = ERR_INIT;
    scoped_json *value = serve_json_parse(text, len, &err);

    if (!value)
        abort();
}

static void heard(struct mcp_link *link, const char *text, size_t len) {
    (void)link;
    reread(text, len);
}

static const struct peer local = {.owner = "local"};

static void say(struct mcp *mcp, struct mcp_session *session, struct mcp_link *link,
                const char *text, size_t len) {
    struct mcp_headers headers = {.version = "2026-07-28", .method = "tools/call", .name = "t"};
    scoped_buf reply = BUF_INIT(MAX_REPLY);
    struct mcp_origin from = {session, &local, link, len % 2 ? &headers : NULL};
    struct mcp_call *call = mcp_call_new(mcp, &from, text, len);

    mcp_call_run(call, &reply);
    if (reply.len)
        reread(reply.data, reply.len);
    mcp_call_free(call);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct mcp_link link = {.send = heard};
    struct mcp *mcp = mcp_new(&table);
    struct mcp_session *session = mcp_session_new(mcp, "local", &link);
    const char *at = (const char *)data, *end = at + size;

    mcp_input_ended(mcp); /* nobody will answer or cancel */
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t len = newline ? (size_t)(newline - at) : (size_t)(end - at);

        say(mcp, session, &link, at, len);
        at += len + 1;
    }
    mcp_changed(mcp, MCP_RESOURCE, "u");
    mcp_session_end(mcp, session);
    mcp_session_unref(mcp, session);
    mcp_free(mcp);
    return 0;
}
