/* Responses of libmicrohttpd itself, for what streams.
 *
 * Runs in: broker.
 * Tests: tests/system/test_serve.py
 */
#pragma once

#include <microhttpd.h>

#include "serve/http/http.h"

/* Takes the response over; NULL drops the connection. */
enum http_result http_send(struct http_request *request, int status, struct MHD_Response *response);
