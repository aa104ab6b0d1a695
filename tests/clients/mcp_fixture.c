/* A server with the tools, resources and prompts that the MCP conformance suite asks for, on
 * Retort's own MCP layer.
 *
 * Listens on a free loopback port, prints it on a line of its own, and serves /mcp until its input
 * ends. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "serve/hosted/json.h"
#include "serve/mcp/mcp.h"
#include "serve/rpc/rpc.h"
#include "serve/server/mcp_http.h"

#define NO_ARGUMENTS "{\"type\":\"object\",\"properties\":{}}"
#define PNG                                                                                        \
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJg" \
    "g"                                                                                            \
    "g=="
#define WAV "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA=="

static int give(json_t **ret, json_t *value) {
    *ret = value;
    return value ? 0 : -1;
}

static const char *argument(const json_t *arguments, const char *name) {
    const char *text = json_string_value(json_object_get(arguments, name));

    return text ? text : "";
}

/* --- plain content --- */

static int simple_text(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    (void)call, (void)arguments;
    return give(ret, mcp_text_result("This is a simple text response for testing.", false));
}

static int image_content(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    (void)call, (void)arguments;
    return give(ret, json_pack("{s:[{s:s, s:s, s:s}]}", "content", "type", "image", "data", PNG,
                               "mimeType", "image/png"));
}

static int audio_content(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    (void)call, (void)arguments;
    return give(ret, json_pack("{s:[{s:s, s:s, s:s}]}", "content", "type", "audio", "data", WAV,
                               "mimeType", "audio/wav"));
}

static json_t *embedded(const char *uri, const char *mime, const char *text) {
    return json_pack("{s:s, s:{s:s, s:s, s:s}}", "type", "resource", "resource", "uri", uri,
                     "mimeType", mime, "text", text);
}

static int embedded_resource(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    (void)call, (void)arguments;
    return give(ret, json_pack("{s:[o]}", "content",
                               embedded("test://embedded-resource", "text/plain",
                                        "This is an embedded resource content.")));
}

static int multiple_content(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    (void)call, (void)arguments;
    return give(ret, json_pack("{s:[{s:s, s:s}, {s:s, s:s, s:s}, o]}", "content", "type", "text",
                               "text", "Multiple content types test:", "type", "image", "data", PNG,
                               "mimeType", "image/png",
                               embedded("test://mixed-content-resource", "application/json",
                                        "{\"test\":\"data\",\"value\":123}")));
}

static int error_handling(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    (void)call, (void)arguments;
    return give(ret, mcp_text_result("This tool intentionally returns an error for testing", true));
}

/* --- messages while a tool runs --- */

static int with_logging(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    (void)arguments;
    mcp_log(call, "info", "fixture", json_string("Tool execution started"));
    usleep(50000);
    mcp_log(call, "info", "fixture", json_string("Tool processing data"));
    usleep(50000);
    mcp_log(call, "info", "fixture", json_string("Tool execution completed"));
    return give(ret, mcp_text_result("logged", false));
}

static int with_progress(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    (void)arguments;
    for (int i = 0; i <= 100; i += 50) {
        mcp_progress(call, i, 100, NULL);
        usleep(50000);
    }
    return give(ret, mcp_text_result("progressed", false));
}

/* --- questions to a legacy client --- */

static int asked(struct mcp_call *call, const char *method, json_t *params, const char *before,
                 json_t **ret) {
    json_t *answer = NULL;
    char *text, *whole = NULL;
    int r = mcp_ask(call, method, params, &answer);

    if (r < 0)
        return give(ret, mcp_text_result("the client did not answer", true));
    text = serve_json_text(answer);
    json_decref(answer);
    if (asprintf(&whole, "%s%s", before, text) < 0)
        whole = NULL;
    free(text);
    give(ret, mcp_text_result(whole ? whole : before, false));
    free(whole);
    return 0;
}

static int sampling(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    json_t *params =
        json_pack("{s:[{s:s, s:{s:s, s:s}}], s:i}", "messages", "role", "user", "content", "type",
                  "text", "text", argument(arguments, "prompt"), "maxTokens", 100);

    return asked(call, "sampling/createMessage", params, "LLM response: ", ret);
}

static int elicit(struct mcp_call *call, const char *message, const char *schema, json_t **ret) {
    json_t *params =
        json_pack("{s:s, s:o}", "message", message, "requestedSchema", json_loads(schema, 0, NULL));

    return asked(call, "elicitation/create", params, "User response: ", ret);
}

static int elicitation(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    return elicit(call, argument(arguments, "message"),
                  "{\"type\":\"object\",\"properties\":{\"username\":{\"type\":\"string\"},"
                  "\"email\":{\"type\":\"string\"}},\"required\":[\"username\",\"email\"]}",
                  ret);
}

static int elicitation_defaults(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    (void)arguments;
    return elicit(call, "Check the defaults",
                  "{\"type\":\"object\",\"properties\":{"
                  "\"name\":{\"type\":\"string\",\"default\":\"John Doe\"},"
                  "\"age\":{\"type\":\"integer\",\"default\":30},"
                  "\"score\":{\"type\":\"number\",\"default\":95.5},"
                  "\"status\":{\"type\":\"string\",\"enum\":[\"active\",\"inactive\",\"pending\"],"
                  "\"default\":\"active\"},"
                  "\"verified\":{\"type\":\"boolean\",\"default\":true}}}",
                  ret);
}

#define TITLED \
    "[{\"const\":\"value1\",\"title\":\"First\"},{\"const\":\"value2\",\"title\":\"Second\"}]"
#define OPTIONS "[\"option1\",\"option2\",\"option3\"]"

static int elicitation_enums(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    (void)arguments;
    return elicit(
        call, "Choose",
        "{\"type\":\"object\",\"properties\":{"
        "\"untitledSingle\":{\"type\":\"string\",\"enum\":" OPTIONS "},"
        "\"titledSingle\":{\"type\":\"string\",\"oneOf\":" TITLED "},"
        "\"legacyEnum\":{\"type\":\"string\",\"enum\":[\"opt1\",\"opt2\",\"opt3\"],"
        "\"enumNames\":[\"Option One\",\"Option Two\",\"Option Three\"]},"
        "\"untitledMulti\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"enum\":" OPTIONS
        "}},"
        "\"titledMulti\":{\"type\":\"array\",\"items\":{\"anyOf\":" TITLED "}}}}",
        ret);
}

/* --- questions to a modern client: inside the result --- */

#define ASK_NAME                                                                                   \
    "{\"method\":\"elicitation/create\",\"params\":{\"mode\":\"form\",\"message\":\"What is your " \
    "name?\","                                                                                     \
    "\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"}},"    \
    "\"required\":[\"name\"]}}}"
#define ASK_OK                                                                                 \
    "{\"method\":\"elicitation/create\",\"params\":{\"mode\":\"form\",\"message\":\"Please "   \
    "confirm\","                                                                               \
    "\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"ok\":{\"type\":\"boolean\"}}," \
    "\"required\":[\"ok\"]}}}"
#define ASK_MODEL                                                                          \
    "{\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[{\"role\":\"user\"," \
    "\"content\":{\"type\":\"text\",\"text\":\"What is the capital of France?\"}}],"       \
    "\"maxTokens\":100}}"
#define ASK_ROOTS "{\"method\":\"roots/list\",\"params\":{}}"

static int need(json_t **ret, const char *requests, const char *state) {
    json_t *result = json_pack("{s:s, s:o}", "resultType", "input_required", "inputRequests",
                               json_loads(requests, 0, NULL));

    if (state)
        json_object_set_new(result, "requestState", json_string(state));
    return give(ret, result);
}

static bool has_answer(struct mcp_call *call, const char *key) {
    return json_object_get(mcp_input_responses(call), key) != NULL;
}

static int input_elicitation(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    const json_t *answer = json_object_get(mcp_input_responses(call), "user_name");
    char text[100];

    (void)arguments;
    if (!answer)
        return need(ret, "{\"user_name\":" ASK_NAME "}", NULL);
    snprintf(text, sizeof text, "Hello, %.60s!",
             argument(json_object_get(answer, "content"), "name"));
    return give(ret, mcp_text_result(text, false));
}

static int input_sampling(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    (void)arguments;
    if (!has_answer(call, "capital_question"))
        return need(ret, "{\"capital_question\":" ASK_MODEL "}", NULL);
    return give(ret, mcp_text_result("The model answered.", false));
}

static int input_roots(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    (void)arguments;
    if (!has_answer(call, "client_roots"))
        return need(ret, "{\"client_roots\":" ASK_ROOTS "}", NULL);
    return give(ret, mcp_text_result("Got the roots.", false));
}

static bool state_is(struct mcp_call *call, const char *expected) {
    const char *state = mcp_request_state(call);

    return state && strcmp(state, expected) == 0;
}

static int input_state(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    (void)arguments;
    if (!has_answer(call, "confirm"))
        return need(ret, "{\"confirm\":" ASK_OK "}", "handle-4711");
    if (!state_is(call, "handle-4711"))
        return mcp_fail(call, RPC_PARAMS, NULL, "requestState is not one of this server");
    return give(ret, mcp_text_result("state-ok", false));
}

static int input_multiple(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    (void)arguments;
    if (!has_answer(call, "user_name") || !has_answer(call, "greeting") ||
        !has_answer(call, "client_roots"))
        return need(ret,
                    "{\"user_name\":" ASK_NAME ",\"greeting\":" ASK_MODEL
                    ",\"client_roots\":" ASK_ROOTS "}",
                    "handle-many");
    return give(ret, mcp_text_result("Got all of them.", false));
}

static int input_rounds(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    (void)arguments;
    if (has_answer(call, "step2") && state_is(call, "round-2"))
        return give(ret, mcp_text_result("Two rounds done.", false));
    if (has_answer(call, "step1") && state_is(call, "round-1"))
        return need(ret, "{\"step2\":" ASK_OK "}", "round-2");
    return need(ret, "{\"step1\":" ASK_NAME "}", "round-1");
}

static int input_capabilities(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    (void)arguments;
    if (mcp_client_can(call, "sampling"))
        return need(ret, "{\"model\":" ASK_MODEL "}", NULL);
    if (mcp_client_can(call, "elicitation"))
        return need(ret, "{\"user\":" ASK_NAME "}", NULL);
    return give(ret, mcp_text_result("This client can answer nothing.", false));
}

/* --- changes --- */

static int trigger_tools(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    (void)arguments;
    mcp_changed(mcp_of(call), MCP_TOOLS, NULL);
    return give(ret, mcp_text_result("told", false));
}

static int trigger_prompts(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    (void)arguments;
    mcp_changed(mcp_of(call), MCP_PROMPTS, NULL);
    return give(ret, mcp_text_result("told", false));
}

#define SCHEMA_2020                                                                              \
    "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"type\":\"object\","         \
    "\"$defs\":{\"address\":{\"$anchor\":\"addressDef\",\"type\":\"object\",\"properties\":"     \
    "{\"street\":{\"type\":\"string\"},\"city\":{\"type\":\"string\"}}}},"                       \
    "\"properties\":{\"name\":{\"type\":\"string\"},\"address\":{\"$ref\":\"#/$defs/address\"}," \
    "\"contactMethod\":{\"type\":\"string\",\"enum\":[\"phone\",\"email\"]},"                    \
    "\"phone\":{\"type\":\"string\"},\"email\":{\"type\":\"string\"}},"                          \
    "\"allOf\":[{\"anyOf\":[{\"required\":[\"phone\"]},{\"required\":[\"email\"]}]}],"           \
    "\"if\":{\"properties\":{\"contactMethod\":{\"const\":\"phone\"}},"                          \
    "\"required\":[\"contactMethod\"]},\"then\":{\"required\":[\"phone\"]},"                     \
    "\"else\":{\"required\":[\"email\"]},\"additionalProperties\":false}"
#define TEXT_ARGUMENT(name)                        \
    "{\"type\":\"object\",\"properties\":{\"" name \
    "\":{\"type\":\"string\"}},\"required\":[\"" name "\"]}"
#define TOOL(tool_name, what, function) \
    { .name = tool_name, .description = what, .input_schema = NO_ARGUMENTS, .run = function }

static const struct mcp_tool tools[] = {
    TOOL("test_simple_text", "Returns text", simple_text),
    TOOL("test_image_content", "Returns an image", image_content),
    TOOL("test_audio_content", "Returns audio", audio_content),
    TOOL("test_embedded_resource", "Returns a resource", embedded_resource),
    TOOL("test_multiple_content_types", "Returns several kinds", multiple_content),
    TOOL("test_error_handling", "Always fails", error_handling),
    TOOL("test_tool_with_logging", "Logs three times", with_logging),
    TOOL("test_logging_tool", "Logs three times", with_logging),
    TOOL("test_tool_with_progress", "Tells its progress", with_progress),
    {.name = "test_sampling",
     .description = "Asks the client's model",
     .input_schema = TEXT_ARGUMENT("prompt"),
     .run = sampling},
    {.name = "test_elicitation",
     .description = "Asks the client's user",
     .input_schema = TEXT_ARGUMENT("message"),
     .run = elicitation},
    TOOL("test_elicitation_sep1034_defaults", "Asks with defaults", elicitation_defaults),
    TOOL("test_elicitation_sep1330_enums", "Asks with choices", elicitation_enums),
    TOOL("test_input_required_result_elicitation", "Needs a name", input_elicitation),
    TOOL("test_streaming_elicitation", "Needs a name", input_elicitation),
    TOOL("test_input_required_result_sampling", "Needs a model", input_sampling),
    TOOL("test_input_required_result_list_roots", "Needs roots", input_roots),
    TOOL("test_input_required_result_request_state", "Needs a confirmation", input_state),
    TOOL("test_input_required_result_tampered_state", "Needs a confirmation", input_state),
    TOOL("test_input_required_result_multiple_inputs", "Needs three things", input_multiple),
    TOOL("test_input_required_result_multi_round", "Needs two rounds", input_rounds),
    TOOL("test_input_required_result_capabilities", "Needs what it can get", input_capabilities),
    {.name = "test_missing_capability",
     .description = "Works only for clients with a model",
     .input_schema = NO_ARGUMENTS,
     .needs = "sampling",
     .run = simple_text},
    TOOL("test_trigger_tool_change", "Says that the tools changed", trigger_tools),
    TOOL("test_trigger_prompt_change", "Says that the prompts changed", trigger_prompts),
    {.name = "json_schema_2020_12_tool",
     .description = "Tool with JSON Schema 2020-12 features",
     .input_schema = SCHEMA_2020,
     .run = simple_text},
    {.name = NULL},
};

/* --- resources --- */

static json_t *listed(const char *uri, const char *name, const char *mime) {
    return json_pack("{s:s, s:s, s:s}", "uri", uri, "name", name, "mimeType", mime);
}

static int list_resources(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    (void)call, (void)arguments;
    return give(ret, json_pack("{s:[o, o, o]}", "resources",
                               listed("test://static-text", "Static text", "text/plain"),
                               listed("test://static-binary", "Static binary", "image/png"),
                               listed("test://watched-resource", "Watched", "text/plain")));
}

static int list_templates(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    (void)call, (void)arguments;
    return give(ret, json_pack("{s:[{s:s, s:s, s:s}]}", "resourceTemplates", "uriTemplate",
                               "test://template/{id}/data", "name", "Template", "mimeType",
                               "application/json"));
}

static int give_text(json_t **ret, const char *uri, const char *mime, const char *text) {
    return give(ret, json_pack("{s:[{s:s, s:s, s:s}]}", "contents", "uri", uri, "mimeType", mime,
                               "text", text));
}

static int read_resource(struct mcp_call *call, const json_t *argument_uri, json_t **ret) {
    const char *uri = json_string_value(argument_uri);
    char id[40], text[200];

    if (strcmp(uri, "test://static-text") == 0)
        return give_text(ret, uri, "text/plain",
                         "This is the content of the static text resource.");
    if (strcmp(uri, "test://watched-resource") == 0)
        return give_text(ret, uri, "text/plain", "Watched.");
    if (strcmp(uri, "test://static-binary") == 0)
        return give(ret, json_pack("{s:[{s:s, s:s, s:s}]}", "contents", "uri", uri, "mimeType",
                                   "image/png", "blob", PNG));
    if (sscanf(uri, "test://template/%39[0-9a-zA-Z]/data", id) == 1) {
        snprintf(text, sizeof text,
                 "{\"id\":\"%s\",\"templateTest\":true,\"data\":\"Data for ID: %s\"}", id, id);
        return give_text(ret, uri, "application/json", text);
    }
    return mcp_fail(call, RPC_PARAMS, json_pack("{s:s}", "uri", uri), "Resource not found");
}

/* --- prompts --- */

static int give_prompt(json_t **ret, json_t *content) {
    return give(ret, json_pack("{s:[{s:s, s:o}]}", "messages", "role", "user", "content", content));
}

static json_t *text_content(const char *text) {
    return json_pack("{s:s, s:s}", "type", "text", "text", text);
}

static int simple_prompt(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    (void)call, (void)arguments;
    return give_prompt(ret, text_content("This is a simple prompt for testing."));
}

static int prompt_with_arguments(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    char text[300];

    (void)call;
    snprintf(text, sizeof text, "Prompt with arguments: arg1='%.90s', arg2='%.90s'",
             argument(arguments, "arg1"), argument(arguments, "arg2"));
    return give_prompt(ret, text_content(text));
}

static int prompt_with_resource(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    (void)call;
    return give(ret,
                json_pack("{s:[{s:s, s:o}, {s:s, s:o}]}", "messages", "role", "user", "content",
                          embedded(argument(arguments, "resourceUri"), "text/plain",
                                   "Embedded resource content for testing."),
                          "role", "user", "content",
                          text_content("Please process the embedded resource above.")));
}

static int prompt_with_image(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    (void)call, (void)arguments;
    return give(ret,
                json_pack("{s:[{s:s, s:{s:s, s:s, s:s}}, {s:s, s:o}]}", "messages", "role", "user",
                          "content", "type", "image", "data", PNG, "mimeType", "image/png", "role",
                          "user", "content", text_content("Please analyze the image above.")));
}

static int prompt_with_input(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    (void)arguments;
    if (!has_answer(call, "user_context"))
        return need(ret, "{\"user_context\":" ASK_NAME "}", NULL);
    return give_prompt(ret, text_content("A prompt with context."));
}

#define REQUIRED(name) "{\"name\":\"" name "\",\"description\":\"" name "\",\"required\":true}"

static const struct mcp_prompt prompts[] = {
    {"test_simple_prompt", NULL, "A simple prompt", NULL, simple_prompt},
    {"test_prompt_with_arguments", NULL, "A prompt with arguments",
     "[" REQUIRED("arg1") "," REQUIRED("arg2") "]", prompt_with_arguments},
    {"test_prompt_with_embedded_resource", NULL, "A prompt with a resource",
     "[" REQUIRED("resourceUri") "]", prompt_with_resource},
    {"test_prompt_with_image", NULL, "A prompt with an image", NULL, prompt_with_image},
    {"test_input_required_result_prompt", NULL, "A prompt that asks", NULL, prompt_with_input},
    {NULL, NULL, NULL, NULL, NULL},
};

static int complete(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    (void)call, (void)arguments;
    return give(
        ret, json_pack("{s:{s:[], s:i, s:b}}", "completion", "values", "total", 0, "hasMore", 0));
}

static const struct mcp_table table = {
    .name = "retort-mcp-fixture",
    .title = "Fixture",
    .version = "1",
    .instructions = "Canned answers for the conformance suite.",
    .tools = tools,
    .prompts = prompts,
    .list_resources = list_resources,
    .list_templates = list_templates,
    .read_resource = read_resource,
    .complete = complete,
    .changes = true,
};

static const struct http_route routes[] = {MCP_HTTP_ROUTES, {.method = NULL}};

int main(int argc, char **argv) {
    struct mcp_http user = {.mcp = mcp_new(&table)};
    struct metrics metrics = {0};
    struct http_config config = {.address = "127.0.0.1",
                                 .routes = routes,
                                 .user = &user,
                                 .metrics = &metrics,
                                 .max_connections = 200};
    struct http *http;
    struct retort_error err = ERR_INIT;
    char byte;

    if (argc > 1 && strcmp(argv[1], "--stdio") == 0)
        return mcp_lines_run(user.mcp, STDIN_FILENO, STDOUT_FILENO) < 0;
    if (guard_new(NULL, true, NULL, &config.guard, &err) < 0 ||
        http_start(&config, &http, &err) < 0) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    printf("%u\n", http_port(http));
    fflush(stdout);
    while (read(STDIN_FILENO, &byte, 1) > 0)
        ;
    mcp_stop(user.mcp);
    http_drain(http, 5);
    http_stop(http);
    mcp_free(user.mcp);
    guard_free(config.guard);
    return 0;
}
