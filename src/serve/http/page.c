#include "serve/http/page.h"

#include <string.h>

#include "base/unconst.h"
#include "serve/http/response.h"

/* The page may use only the server's own scripts, styles and requests, and nothing inline: so text
 * that slips into the page as markup can do nothing. Pictures of guests are data and blobs. */
#define POLICY                                                                                     \
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "        \
    "font-src 'self'; connect-src 'self'; frame-src 'none'; base-uri 'none'; form-action 'none'; " \
    "frame-ancestors 'none'"

static const struct page_asset *page_find(const char *path) {
    if (strcmp(path, "/") == 0)
        path = "/page/index.html";
    for (const struct page_asset *one = page_built_in; one->path; one++)
        if (strcmp(path, one->path) == 0)
            return one;
    return NULL;
}

static bool page_takes_gzip(const struct http_request *request) {
    const char *accepted = http_header(request, "Accept-Encoding");

    return accepted && strstr(accepted, "gzip") && !strstr(accepted, "gzip;q=0");
}

static void page_headers(struct MHD_Response *response, const struct page_asset *asset, bool gzip) {
    MHD_add_response_header(response, "Content-Type", asset->type);
    MHD_add_response_header(response, "ETag", gzip ? asset->etag_gzip : asset->etag);
    MHD_add_response_header(response, "Vary", "Accept-Encoding");
    MHD_add_response_header(response, "Cache-Control", "no-cache");
    MHD_add_response_header(response, "Content-Security-Policy", POLICY);
    MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
    MHD_add_response_header(response, "X-Frame-Options", "DENY");
    MHD_add_response_header(response, "X-DNS-Prefetch-Control", "off");
    MHD_add_response_header(response, "Cross-Origin-Opener-Policy", "same-origin");
    if (gzip)
        MHD_add_response_header(response, "Content-Encoding", "gzip");
}

enum http_result page_get(struct http_request *request) {
    const struct page_asset *asset = page_find(request->path);
    const char *known = http_header(request, "If-None-Match");
    bool gzip = page_takes_gzip(request);
    struct MHD_Response *response;
    bool same;

    if (!asset)
        return http_reply_error(request, 404, "no such path");
    same = known && strstr(known, gzip ? asset->etag_gzip : asset->etag);
    response = MHD_create_response_from_buffer(same   ? 0
                                               : gzip ? asset->gzip_len
                                                      : asset->plain_len,
                                               unconst(gzip ? asset->gzip : asset->plain),
                                               MHD_RESPMEM_PERSISTENT);
    if (response)
        page_headers(response, asset, gzip);
    return http_send(request, same ? 304 : 200, response);
}
