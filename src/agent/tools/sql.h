/* A SQLite database that code in a session may read, through one host tool.
 *
 * The file is opened read-only here, in the host; the session never sees it. An authorizer admits
 * reading and nothing else, a progress handler ends long queries, rows and bytes are capped, and
 * each call is one statement. Wrong names come back with the right ones.
 *
 * Runs in: the broker's process, in the thread that executes the cell.
 * Hostile: the statements, and the database file (its schema may be malicious: it is not trusted).
 * Owns: the connection.
 * Tests: tests/unit/test_agent_sql.c
 */
#pragma once

#include "base/buf.h"

#define SQL_TOOL "sql"

struct sql;

int sql_open(const char *path, struct sql **ret, char *problem, size_t size);
void sql_close(struct sql *s);
/* Tables, columns, row counts, keys and sample values. */
int sql_card(struct sql *s, struct buf *out);
/* The tool: {"query": …} to {"columns", "rows", "truncated"}. See retort_callbacks. */
char *sql_call(void *user, const char *name, const char *arguments, char **ret_failure);
/* Python that defines sql(query), which returns a DataFrame. */
extern const char sql_prelude[];
