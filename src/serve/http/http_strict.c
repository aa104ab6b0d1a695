#include "serve/http/http_strict.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

struct head {
    unsigned lengths, encodings, hosts, headers;
    const char *wrong;
    uintptr_t line; /* where the next header line should begin */
};

static bool is_token(const char *name) {
    return name[0] && !name[strspn(name, "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz"
                                         "ABCDEFGHIJKLMNOPQRSTUVWXYZ")];
}

static bool strict_is_number(const char *value) {
    return value[0] && !value[strspn(value, "0123456789")];
}

static bool strict_is_text(const char *value) {
    for (; *value; value++)
        if (((unsigned char)*value < ' ' && *value != '\t') || *value == 0x7f)
            return false;
    return true;
}

/* From 1.0 on, libmicrohttpd refuses bare line feeds and continued lines if we tell it to be
 * strict. Older versions accept both silently. But they leave names and values where they came, in
 * one buffer, with each line end replaced by NULs: so the distance to the next line shows how a
 * line ended. A continued value has been moved elsewhere. */
static bool lines_are_seen(void) {
    return MHD_VERSION < 0x01000000;
}

static void check_line(struct head *head, const char *name, const char *value) {
    if (head->line && head->line != (uintptr_t)name)
        head->wrong = "a line of the head does not end with CRLF, or is continued";
    head->line = (uintptr_t)value + strlen(value) + 2;
}

static enum MHD_Result check_header(void *cls, enum MHD_ValueKind kind, const char *name,
                                    const char *value) {
    struct head *head = cls;

    (void)kind;
    value = value ? value : "";
    head->headers++;
    if (!is_token(name))
        head->wrong = "the name of a header is not valid";
    if (!strict_is_text(value))
        head->wrong = "the value of a header has control characters";
    if (lines_are_seen())
        check_line(head, name, value);
    if (strcasecmp(name, "Host") == 0)
        head->hosts++;
    if (strcasecmp(name, "Content-Length") == 0) {
        head->lengths++;
        if (!strict_is_number(value))
            head->wrong = "Content-Length is no number";
    }
    if (strcasecmp(name, "Transfer-Encoding") == 0) {
        head->encodings++;
        if (strcasecmp(value, "chunked") != 0)
            head->wrong = "no Transfer-Encoding but chunked is served";
    }
    return head->wrong ? MHD_NO : MHD_YES;
}

static bool ends_well(struct MHD_Connection *mhd, const struct head *head, const char *method) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);

    return info && head->line + 2 == (uintptr_t)method + info->header_size;
}

const char *http_strict(struct MHD_Connection *mhd, const char *method, const char *version) {
    struct head head = {.line = (uintptr_t)version + strlen(version) + 2};

    MHD_get_connection_values(mhd, MHD_HEADER_KIND, check_header, &head);
    if (head.wrong)
        return head.wrong;
    if (head.lengths > 1 || head.encodings > 1 || head.lengths + head.encodings > 1)
        return "the length of the body is given more than once";
    if (head.hosts != 1)
        return "a request has one Host";
    if (head.encodings && strcmp(version, "HTTP/1.1") != 0)
        return "Transfer-Encoding is of HTTP/1.1";
    if (lines_are_seen() && !ends_well(mhd, &head, method))
        return "the head does not end with an empty line that ends with CRLF";
    return NULL;
}
