/* /files/SESSION/PATH: upload (whole or not at all) in constant memory, and download
 * (serve/http/download.h).
 *
 * Runs in: broker, the thread of the connection.
 * Hostile: paths.
 * Tests: tests/system/test_serve.py
 */
#pragma once

#include "serve/http/http.h"

enum http_result http_files_get(struct http_request *request);
int http_files_put_begin(struct http_request *request);
int http_files_put_data(struct http_request *request, const char *data, size_t len);
enum http_result http_files_put(struct http_request *request);
void http_files_put_done(struct http_request *request);
enum http_result http_files_delete(struct http_request *request);
