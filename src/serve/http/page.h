/* The page for browsers: files that are built into the program, and their route.
 *
 * Runs in: broker.
 * Hostile: the headers. The files are ours and hold no user's data: so they need no token.
 * Tests: tests/clients/test_page.py
 */
#pragma once

#include "serve/http/http.h"

struct page_asset {
    const char *path, *type;
    const char *etag, *etag_gzip; /* two strong tags, because the bytes differ */
    const char *plain, *gzip;
    size_t plain_len, gzip_len;
};

extern const struct page_asset page_built_in[]; /* an element without a path ends it */

/* GET / and everything below /page. */
enum http_result page_get(struct http_request *request);
