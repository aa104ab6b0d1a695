/* The action in a model's reply: code, a final answer, or nothing that can be used.
 *
 * An action may come in three forms, tried in this order: native calls, tagged text, fenced blocks;
 * the caller may demand one of them. Only this folder repairs what models get wrong: a cut closing
 * tag, smart quotes, JSON around the code, a fence inside a tag, doctest prompts, thoughts that
 * contain code.
 *
 * Runs in: the broker's process.
 * Hostile: the reply.
 * Owns: the strings it returns (extract_done).
 * Tests: tests/unit/test_agent_extract.c with tests/unit/data/extract/replies.json
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum extract_mode { EXTRACT_AUTO, EXTRACT_CALLS, EXTRACT_TAGS, EXTRACT_FENCES };
enum extract_kind { EXTRACT_CODE, EXTRACT_FINAL, EXTRACT_NOTHING };
enum extract_via { EXTRACT_BY_TEXT, EXTRACT_BY_CALL, EXTRACT_BY_TAG, EXTRACT_BY_FENCE };

/* A native call as the model sent it; `arguments` is text that should be JSON and often is not. */
struct extract_call {
    const char *id, *name, *arguments;
};

struct extract_input {
    const char *text; /* may be NULL */
    const struct extract_call *calls;
    size_t call_count;
    enum extract_mode mode;
};

struct extract {
    enum extract_kind kind;
    enum extract_via via;
    char *language;    /* "python", "bash", "sql", "javascript"; for code */
    char *code;        /* for code */
    char *text;        /* the answer of a final; else the prose before the action, or NULL */
    size_t ignored;    /* further actions in the same reply, which are not run */
    bool repaired;     /* something was repaired */
    char problem[160]; /* for EXTRACT_NOTHING: what was wrong, in words for the model */
};

/* 0 or -ENOMEM. */
int extract_reply(const struct extract_input *input, struct extract *ret);
void extract_done(struct extract *x);
/* The expected form, for a model whose reply had none. */
const char *extract_shape(enum extract_mode mode);
/* "auto", "calls", "tags", "fences"; -1: any other. */
int extract_mode_parse(const char *name);
