#include "agent/reply/extract.h"

#include "agent/reply/extract_json.h"
#include "agent/reply/repair.h"
#include "agent/reply/reply_blocks.h"
#include "base/maxima.h"
#include "base/scope.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void extract_done(struct extract *x) {
    free(x->language);
    free(x->code);
    free(x->text);
    *x = (struct extract){0};
}

int extract_mode_parse(const char *name) {
    static const char *const names[] = {"auto", "calls", "tags", "fences"};
    for (int i = 0; i < 4; i++)
        if (strcmp(name, names[i]) == 0)
            return i;
    return -1;
}

const char *extract_shape(enum extract_mode mode) {
    switch (mode) {
    case EXTRACT_CALLS:
        return "Call the function run_python with one argument:\n{\"code\": \"print(6 * 7)\"}\n"
               "To finish, call final_answer with {\"answer\": \"…\"}.";
    case EXTRACT_TAGS:
        return "Write the code between these tags and nothing after them:\n"
               "<execute_python>\nprint(6 * 7)\n</execute_python>\n"
               "To finish, write: Final answer: …";
    default:
        return "Write one block of code like this and nothing after it:\n"
               "```python\nprint(6 * 7)\n```\n"
               "To finish, write: Final answer: …";
    }
}

static int nothing(struct extract *x, const char *problem) {
    x->kind = EXTRACT_NOTHING;
    snprintf(x->problem, sizeof x->problem, "%s", problem);
    return 0;
}

static char *extract_trimmed(const char *s, size_t len) {
    while (len && isspace((unsigned char)s[0]))
        s++, len--;
    while (len && isspace((unsigned char)s[len - 1]))
        len--;
    return strndup(s, len);
}

static int set_text(struct extract *x, const char *s, size_t len) {
    free(x->text);
    x->text = extract_trimmed(s, len);
    return x->text ? 0 : -ENOMEM;
}

/* A fence around the code inside of a tag or a call is markup, too. */
static const char *inside_fence(struct extract *x, size_t *ret_len) {
    struct blocks inner;
    size_t lead = strspn(x->code, " \t\r\n");
    *ret_len = strlen(x->code);
    if (x->code[lead] != '`')
        return x->code;
    blocks_find(x->code, *ret_len, &inner);
    if (!inner.count || inner.list[0].kind != BLOCK_FENCE || inner.list[0].start != lead)
        return x->code;
    x->repaired = true;
    *ret_len = inner.list[0].body_len;
    return x->code + inner.list[0].body;
}

/* Repairs x->code in place; empty code is no action. */
static int finish_code(struct extract *x) {
    scoped_buf b = BUF_INIT(MAX_CODE);
    bool changed = false;
    size_t len;
    const char *code = inside_fence(x, &len);
    int r = repair_code(code, len, strcmp(x->language, "python") == 0, &b, &changed);
    if (r < 0)
        return r;
    if (!b.len)
        return nothing(x, "the code is empty");
    free(x->code);
    x->code = TAKE(b.data);
    x->repaired = x->repaired || changed;
    return 0;
}

static int extract_set_code(struct extract *x, const char *language, const char *s, size_t len) {
    x->kind = EXTRACT_CODE;
    x->language = strdup(language);
    x->code = strndup(s, len);
    return x->language && x->code ? finish_code(x) : -ENOMEM;
}

/* --- native calls --- */

static int from_call(const struct extract_call *call, size_t others, struct extract *x) {
    x->via = EXTRACT_BY_CALL;
    x->ignored = others;
    const char *args = call->arguments ? call->arguments : "";
    const char *language = extract_call_language(call->name ? call->name : "");
    size_t len = strlen(args), skip = strspn(args, " \t\r\n");
    int r = extract_json(args, len, call->name, x);
    if (r == 1)
        return x->kind == EXTRACT_CODE ? finish_code(x) : 0;
    if (r == -ENOMEM)
        return r;
    if (!language) {
        snprintf(x->problem, sizeof x->problem, "there is no function named \"%.60s\"",
                 call->name ? call->name : "");
        x->kind = EXTRACT_NOTHING;
        return 0;
    }
    if (r == -EINVAL && args[skip] && args[skip] != '{' && strcmp(language, "final") != 0) {
        x->repaired = true;
        return extract_set_code(x, language, args, len);
    }
    if (r == -EINVAL && args[skip] == '{')
        return nothing(x, "the arguments of the call are not valid JSON, perhaps cut off");
    return nothing(x, "the call has no argument \"code\"");
}

/* --- text --- */

/* Drops <think>…</think>, so that we do not take code in a thought for an action. */
static int without_thoughts(const char *text, size_t len, struct buf *out) {
    static const char *const names[][2] = {{"<think>", "</think>"}, {"<thinking>", "</thinking>"}};
    for (size_t k = 0; k < 2; k++) { /* some templates leave out the opening tag */
        const char *close = memmem(text, len, names[k][1], strlen(names[k][1]));
        const char *open = memmem(text, len, names[k][0], strlen(names[k][0]));
        if (close && (!open || close < open)) {
            size_t skip = (size_t)(close - text) + strlen(names[k][1]);
            text += skip;
            len -= skip;
        }
    }
    for (size_t i = 0; i < len;) {
        size_t n = 0;
        for (size_t k = 0; k < 2 && !n; k++) {
            size_t open = strlen(names[k][0]);
            if (len - i < open || memcmp(text + i, names[k][0], open) != 0)
                continue;
            const char *end = memmem(text + i, len - i, names[k][1], strlen(names[k][1]));
            n = end ? (size_t)(end - text) - i + strlen(names[k][1]) : len - i;
        }
        int r = n ? 0 : buf_add(out, text + i, 1);
        if (r < 0)
            return r;
        i += n ? n : 1;
    }
    return 0;
}

/* "Final answer:" at the start of a line, in any markup. Returns where the answer starts, or 0. */
static size_t final_marker_at(const char *s, size_t len, size_t line) {
    size_t i = line;
    while (i < len && strchr(" \t*#>_-", s[i]))
        i++;
    if (len - i < 12 || strncasecmp(s + i, "final", 5) != 0)
        return 0;
    i += 5;
    if (s[i] != ' ' && s[i] != '_')
        return 0;
    if (strncasecmp(s + i + 1, "answer", 6) != 0)
        return 0;
    i += 7;
    while (i < len && strchr(" *_", s[i]))
        i++;
    if (i >= len || (s[i] != ':' && s[i] != '\n'))
        return 0;
    i++;
    while (i < len && strchr("* \t", s[i]))
        i++;
    return i;
}

static size_t find_final_marker(const char *s, size_t len, size_t *ret_line) {
    for (size_t line = 0; line < len;) {
        size_t answer = final_marker_at(s, len, line);
        if (answer) {
            *ret_line = line;
            return answer;
        }
        const char *eol = memchr(s + line, '\n', len - line);
        line = eol ? (size_t)(eol - s) + 1 : len;
    }
    return 0;
}

static bool runnable(const char *language) {
    return strcmp(language, "python") == 0 || strcmp(language, "bash") == 0 ||
           strcmp(language, "sql") == 0 || strcmp(language, "javascript") == 0;
}

/* Whether this block is an action in this mode. A call in tags counts as tagged text. */
static bool is_action(const char *s, const struct block *b, enum extract_mode mode) {
    if (b->kind == BLOCK_TAG || b->kind == BLOCK_TOOL_CALL)
        return mode == EXTRACT_AUTO || mode == EXTRACT_TAGS;
    if (b->kind != BLOCK_FENCE || (mode != EXTRACT_AUTO && mode != EXTRACT_FENCES))
        return false;
    if (b->language[0] == 0)
        return blocks_look_like_code(s + b->body, b->body_len, false);
    if (strcmp(b->language, "json") == 0)
        return memmem(s + b->body, b->body_len, "\"code\"", 6) != NULL;
    return runnable(b->language);
}

/* Prefers tags to fences, Python to other languages, and the first to the next. */
static const struct block *extract_choose(const char *s, const struct blocks *blocks,
                                          enum extract_mode mode, size_t *ret_others) {
    const struct block *best = NULL;
    int best_rank = 0;
    size_t count = 0;
    for (size_t i = 0; i < blocks->count; i++) {
        const struct block *b = &blocks->list[i];
        if (!is_action(s, b, mode))
            continue;
        bool empty = true;
        for (size_t k = 0; k < b->body_len; k++)
            empty = empty && isspace((unsigned char)s[b->body + k]);
        int rank = (b->kind != BLOCK_FENCE ? 4 : 0) + (strcmp(b->language, "bash") != 0 ? 2 : 1);
        rank = empty ? 1 : rank + 1;
        count += !empty;
        if (rank > best_rank) {
            best = b;
            best_rank = rank;
        }
    }
    *ret_others = count ? count - 1 : 0;
    return best;
}

/* <parameter=code>…</parameter>, <parameter name="code">…</parameter>: the parameter's text. */
static bool parameter_body(const char *s, size_t len, size_t *ret_at, size_t *ret_len) {
    const char *open = memmem(s, len, "<parameter", 10);
    const char *gt = open ? memchr(open, '>', len - (size_t)(open - s)) : NULL;
    if (!gt)
        return false;
    size_t at = (size_t)(gt - s) + 1;
    const char *end = memmem(s + at, len - at, "</parameter>", 12);
    *ret_at = at;
    *ret_len = (end ? (size_t)(end - s) : len) - at;
    return true;
}

static int from_tool_call(const char *s, const struct block *b, struct extract *x) {
    size_t at, len;
    if (parameter_body(s + b->body, b->body_len, &at, &len))
        return extract_set_code(x, "python", s + b->body + at, len);
    int r = extract_json(s + b->body, b->body_len, NULL, x);
    if (r == 1)
        return x->kind == EXTRACT_CODE ? finish_code(x) : 0;
    return r == -ENOMEM ? r : nothing(x, "the call is not valid JSON with an argument \"code\"");
}

static int from_tag(const char *s, const struct block *b, struct extract *x) {
    const char *body = s + b->body;
    const char *language = runnable(b->language) ? b->language : "python";
    int r = extract_json_text(body, b->body_len, x);
    if (r == 1 && x->kind == EXTRACT_CODE) {
        x->repaired = true;
        return finish_code(x);
    }
    return r < 0 ? r : extract_set_code(x, language, body, b->body_len);
}

static int from_fence(const char *s, const struct block *b, struct extract *x) {
    if (strcmp(b->language, "json") == 0) {
        int r = extract_json(s + b->body, b->body_len, NULL, x);
        if (r == 1)
            return x->kind == EXTRACT_CODE ? finish_code(x) : 0;
        return r == -ENOMEM ? r : nothing(x, "the block is not valid JSON with \"code\"");
    }
    return extract_set_code(x, b->language[0] ? b->language : "python", s + b->body, b->body_len);
}

static int from_block(const char *s, const struct block *b, size_t others, struct extract *x) {
    int r = set_text(x, s, b->start);
    if (r < 0)
        return r;
    x->via = b->kind == BLOCK_FENCE ? EXTRACT_BY_FENCE : EXTRACT_BY_TAG;
    x->ignored = others;
    x->repaired = !b->closed;
    if (b->kind == BLOCK_TOOL_CALL)
        return from_tool_call(s, b, x);
    return b->kind == BLOCK_TAG ? from_tag(s, b, x) : from_fence(s, b, x);
}

static const struct block *final_block(const struct blocks *blocks) {
    for (size_t i = 0; i < blocks->count; i++)
        if (blocks->list[i].kind == BLOCK_FINAL)
            return &blocks->list[i];
    return NULL;
}

static int extract_final_text(struct extract *x, const char *s, size_t len) {
    x->kind = EXTRACT_FINAL;
    int r = set_text(x, s, len);
    return r == 0 && !x->text[0] ? nothing(x, "the final answer is empty") : r;
}

/* Whether code came in another form than the one asked for. */
static bool came_another_way(const char *s, const struct blocks *blocks) {
    size_t others;
    return extract_choose(s, blocks, EXTRACT_AUTO, &others) != NULL;
}

static int extract_from_text(const char *s, size_t len, enum extract_mode mode, struct extract *x) {
    struct blocks blocks;
    blocks_find(s, len, &blocks);
    size_t others = 0, line = 0;
    const struct block *action = extract_choose(s, &blocks, mode, &others),
                       *end = final_block(&blocks);
    size_t answer = find_final_marker(s, len, &line);
    /* An answer before the code counts; one after the code was written without seeing the
     * output. */
    if (end && (!action || end->start < action->start))
        return extract_final_text(x, s + end->body, end->body_len);
    if (answer && (!action || line < action->start))
        return extract_final_text(x, s + answer, len - answer);
    if (action)
        return from_block(s, action, others, x);
    if (mode != EXTRACT_AUTO && came_another_way(s, &blocks))
        return nothing(x, "the code did not come in the expected way");
    int r = extract_json_text(s, len, x);
    if (r)
        return r < 0 ? r : x->kind == EXTRACT_CODE ? finish_code(x) : 0;
    if (blocks_look_like_code(s, len, true) && mode == EXTRACT_AUTO)
        return extract_set_code(x, "python", s, len);
    return extract_final_text(x, s, len);
}

int extract_reply(const struct extract_input *input, struct extract *ret) {
    *ret = (struct extract){0};
    const char *text = input->text ? input->text : "";
    scoped_buf plain = BUF_INIT(MAX_CODE);
    int r = without_thoughts(text, strlen(text), &plain);
    size_t blank = plain.len ? strspn(plain.data, " \t\r\n") : 0;
    if (r == 0 && input->call_count) {
        r = from_call(&input->calls[0], input->call_count - 1, ret);
        if (r == 0 && !ret->text && plain.len > blank)
            r = set_text(ret, plain.data, plain.len);
    } else if (r == 0 && plain.len == blank) {
        r = nothing(ret, "the reply is empty");
    } else if (r == 0) {
        r = extract_from_text(plain.data, plain.len, input->mode, ret);
    }
    if (r < 0)
        extract_done(ret);
    return r;
}
