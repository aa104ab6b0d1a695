/* What the routes of the E2B door share.
 *
 * Runs in: broker, the thread of a connection.
 * Hostile: requests.
 * Tests: tests/clients/test_e2b.py
 */
#pragma once

#include <jansson.h>

#include "serve/e2b/e2b.h"

struct e2b *e2b_of(const struct http_request *request);
/* {code, message}, in the form that clients test for. */
enum http_result e2b_error(struct http_request *request, int status, const char *message);
enum http_result e2b_fault(struct http_request *request, const struct retort_error *error);
/* Takes the value. */
enum http_result e2b_reply(struct http_request *request, int status, json_t *value);
/* The body as an object; an empty one if there is none. NULL: answered already. */
json_t *e2b_body(struct http_request *request);
/* The sandbox that a request of the code interpreter or of a sandbox's files is about, with a
 * reference. NULL: answered already. */
struct sandbox *e2b_sandbox(struct http_request *request);
/* The path below the sandbox's home that a client means, without the home's name. NULL: it lies
 * elsewhere. */
const char *e2b_work_path(const char *path);

/* control.c */
enum http_result e2b_control_get(struct http_request *request);
enum http_result e2b_control_post(struct http_request *request);
enum http_result e2b_control_delete(struct http_request *request);
enum http_result e2b_unsupported(struct http_request *request);
/* What a client is told of a sandbox that was made for it. */
json_t *e2b_made_json(struct sandbox *s);
/* How long it may live. */
double e2b_seconds(const json_t *body);
/* The part of a list that the request asks for. */
enum http_result e2b_page(struct http_request *request, const json_t *all);
/* "/sandboxes/ID/VERB" and "/v2/sandboxes/ID/VERB": false if it is neither. */
bool e2b_read_path(const char *path, char id[64], const char **ret_verb);
/* interpreter.c */
enum http_result e2b_execute(struct http_request *request);
/* contexts.c */
enum http_result e2b_contexts_get(struct http_request *request);
enum http_result e2b_contexts_post(struct http_request *request);
enum http_result e2b_contexts_delete(struct http_request *request);
/* transfers.c */
enum http_result e2b_download(struct http_request *request);
int e2b_upload_begin(struct http_request *request);
int e2b_upload_data(struct http_request *request, const char *data, size_t len);
enum http_result e2b_upload(struct http_request *request);
void e2b_upload_done(struct http_request *request);
/* connect.c */
enum http_result e2b_connect(struct http_request *request);
