#include <errno.h>
#include <string.h>

#include "serve/hosted/fault.h"
#include "serve/hosted/json.h"
#include "serve/rpc/methods.h"

/* The text before the table of methods; docs/serve.md says what the transports add. */
static const char preface[] =
    "# JSON-RPC reference\n"
    "\n"
    "Made from the table in `src/serve/rpc/methods.c`; the tests fail when the two differ.\n"
    "\n"
    "The same methods are served by `retort rpc` (standard input and output, one object a line), "
    "by the Unix\n"
    "socket of `retort serve --socket PATH` (one object a line) and by HTTP `POST /rpc` (one "
    "object a request).\n"
    "\n"
    "- JSON-RPC 2.0. Ids are strings or numbers and come back as they were sent. An id may not be "
    "used again\n"
    "  while its request is open. Batches (arrays) are refused with -32600.\n"
    "- A request without an id is a notification: it is carried out, and nothing is answered.\n"
    "- Fields that a method does not know are refused by name.\n"
    "- Requests on one session are served in the order they came, requests on different sessions "
    "in parallel; answers\n"
    "  come as they are ready. `session.interrupt`, `session.info` and `tools.result` do not "
    "wait.\n"
    "- A message may have 32 MiB and nest 64 levels deep; a connection may have 256 requests "
    "open.\n"
    "- Standard input: at its end, open requests are finished and answered, then all sessions are "
    "closed. When\n"
    "  nobody reads the answers any more, running cells are interrupted. Unix socket and HTTP: a "
    "client that goes\n"
    "  away leaves its sessions and its running cells alone; they end by their limits, and others "
    "with the same\n"
    "  token find them.\n"
    "\n";

static const char notifications[] =
    "## Notifications\n"
    "\n"
    "Sent while a cell runs, to the connection that asked (standard output, Unix socket) and to "
    "those who read\n"
    "`GET /events`; `cell.begin`, `cell.end` and `events.dropped` to those who read `GET /events` "
    "alone.\n"
    "\n"
    "| method | params |\n"
    "|---|---|\n"
    "| `cell.begin` | `session`, `cell`, `code`, `language` if the cell has one of its own; "
    "`truncated` instead if the code is too long to be sent |\n"
    "| `session.output` | `session`, `cell`, `stream` (stdout or stderr), `text` |\n"
    "| `session.display` | `session`, `cell`, `display` (as in the result) |\n"
    "| `session.files` | `session`, `cell`, `files` (as in the result), if there are any |\n"
    "| `session.network` | `session`, `cell`, `network`: one element of that member of the result "
    "|\n"
    "| `cell.end` | `session`, `cell`, and as in the result: `status`, `exit_code`, `value`, "
    "`error`, `state`; `truncated` if one of them was too large to be sent. Status `failed`: there "
    "is no result, and `error` says why |\n"
    "| `tools.call` | `call`, `session`, `cell`, `name`, `arguments`: answer with `tools.result` "
    "within 60 s |\n"
    "| `tools.approval` | `call`, `session`, `cell`, `name`, `arguments`: decide with "
    "`tools.approve` within 60 s, or the call fails |\n"
    "| `tools.decided` | `call`, `session`, `cell`, `name`, `verdict` (allowed, denied, expired or "
    "cancelled), `by`: what became of a `tools.approval` |\n"
    "| `ledger.replaying` | `session`, `done`, `total`: cells of a session that `ledger.replay` "
    "runs again; `verdict` on the last: `cell`, `equal`, and if it differs `what`, `expected`, "
    "`got`, without those that are too long, then `truncated` |\n"
    "| `agent.event` | `session`, `event`: what the agent of `agent.run` does |\n"
    "| `events.dropped` | `count` of events that this reader lost, null if that is not known |\n"
    "\n";

static const char *schema_type(enum field_type type) {
    static const char *const names[] = {NULL,      "string", "integer", "number",
                                        "boolean", "object", "array"};

    return names[type];
}

static int add_field_rows(struct buf *out, const struct method_field *fields, const char *prefix) {
    int r = 0;

    for (; fields->name && r >= 0; fields++) {
        const char *type = schema_type(fields->type);
        char below[96];

        r = buf_printf(out, "| `%s%s` | %s | %s | %s", prefix, fields->name, type ? type : "any",
                       fields->required ? "yes" : "", fields->summary);
        if (r >= 0 && fields->values) {
            r = buf_adds(out, ": ");
            for (const char *c = fields->values; *c && r >= 0; c++)
                r = *c == '|' ? buf_adds(out, ", ") : buf_add(out, c, 1);
        }
        if (r >= 0)
            r = buf_adds(out, " |\n");
        snprintf(below, sizeof below, "%s%s%s.", prefix, fields->name,
                 fields->type == FIELD_ARRAY ? "[]" : "");
        if (r >= 0 && fields->fields)
            r = add_field_rows(out, fields->fields, below);
    }
    return r;
}

static int add_fields(struct buf *out, const char *title, const struct method_field *fields) {
    int r;

    if (!fields->name)
        return buf_printf(out, "%s: none.\n\n", title);
    r = buf_printf(out, "| %s | type | required | |\n|---|---|---|---|\n", title);
    if (r >= 0)
        r = add_field_rows(out, fields, "");
    return r < 0 ? r : buf_adds(out, "\n");
}

static int add_method(struct buf *out, const struct method *m) {
    int r = buf_printf(out, "## %s\n\n%s\n\n", m->name, m->summary);

    if (r >= 0)
        r = add_fields(out, "parameter", m->params);
    if (r >= 0)
        r = add_fields(out, "result", m->result);
    if (r >= 0 && m->errors)
        r = buf_printf(out, "Errors: %s.\n\n", m->errors);
    if (r >= 0)
        r = buf_printf(out,
                       "```json\n"
                       "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}\n"
                       "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":%s}\n"
                       "```\n\n",
                       m->name, m->example, m->answer);
    return r;
}

static int add_errors(struct buf *out) {
    int r = buf_adds(
        out, "## Errors\n\n"
             "`error.data.fault` says whose fault it was; `error.data.layer` names an isolation "
             "layer that could not be set up, `error.data.hint` what would help.\n\n"
             "| code | HTTP | fault | meaning |\n|---|---|---|---|\n"
             "| -32700 | 400 | caller | not JSON, nested too deep, a key twice, too long |\n"
             "| -32600 | 400 | caller | not a request: version, id, a batch, an id in use |\n"
             "| -32601 | 404 | caller | no such method |\n");

    for (const struct fault_row *row = fault_table; row->meaning && r >= 0; row++)
        r = buf_printf(out, "| %d | %d | %s | %s |\n", row->rpc_code, row->http_status,
                       fault_name(row->fault), row->meaning);
    return r;
}

int methods_reference(struct buf *out) {
    int r = buf_adds(out, preface);

    for (size_t i = 0; i < methods_count() && r >= 0; i++)
        r = add_method(out, &methods[i]);
    if (r >= 0)
        r = buf_adds(out, notifications);
    return r < 0 ? r : add_errors(out);
}

static json_t *field_schema(const struct method_field *field) {
    const char *type = schema_type(field->type);
    json_t *schema = json_object();

    if (field->fields && field->type == FIELD_OBJECT) {
        json_decref(schema);
        schema = methods_schema(field->fields);
    } else if (type) {
        json_object_set_new(schema, "type", json_string(type));
    }
    if (field->type == FIELD_INTEGER || field->type == FIELD_NUMBER)
        json_object_set_new(schema, "minimum", json_integer(0));
    if (field->fields && field->type == FIELD_ARRAY)
        json_object_set_new(schema, "items", methods_schema(field->fields));
    if (field->values) {
        json_t *list = json_array();

        for (const char *at = field->values; at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL)
            json_array_append_new(list, json_stringn(at, strcspn(at, "|")));
        json_object_set_new(schema, "enum", list);
    }
    json_object_set_new(schema, "description", json_string(field->summary));
    return schema;
}

json_t *methods_schema(const struct method_field *fields) {
    json_t *properties = json_object(), *required = json_array(), *schema;
    bool open = false;

    for (; fields->name; fields++) {
        if (strcmp(fields->name, "…") == 0) {
            open = true;
            continue;
        }
        json_object_set_new(properties, fields->name, field_schema(fields));
        if (fields->required)
            json_array_append_new(required, json_string(fields->name));
    }
    schema = json_pack("{s:s, s:o, s:o}", "type", "object", "properties", properties, "required",
                       required);
    if (!open)
        json_object_set_new(schema, "additionalProperties", json_false());
    return schema;
}
