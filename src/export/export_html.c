/* Writes a session as one page to read, print and send: no script, no link to anything outside,
 * images inline.
 *
 * Shows everything that ran, in the order of the record, with what a branch inherited; marks what
 * was undone, rolled back or interrupted. All text of a guest goes through put_text; images appear
 * only as data URLs in <img>, where a browser runs nothing. A content security policy in the page
 * forbids the rest. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/jsonwhole.h"
#include "base/scope.h"
#include "export/export.h"
#include "export/export_page.h"
#include "export/export_table.h"
#include "ledger/upkeep.h"

static const char style[] =
    ":root{--bg:#fff;--fg:#1c2024;--soft:#60686f;--line:#d9dde1;--code:#f5f7f9;--ok:#1a7f37;"
    "--warn:#9a6700;--bad:#cf222e;color-scheme:light dark}"
    "@media(prefers-color-scheme:dark){:root{--bg:#15181b;--fg:#e4e8eb;--soft:#98a1a9;--line:#"
    "343a40;"
    "--code:#1e2327;--ok:#4ac26b;--warn:#d4a72c;--bad:#ff7b72}}"
    "body{margin:0 auto;max-width:60rem;padding:1.5rem;background:var(--bg);color:var(--fg);"
    "font:16px/1.5 system-ui,sans-serif}"
    "h1{font-size:1.5rem;margin:0 0 .5rem}h2{font-size:1rem;margin:0 0 .4rem}"
    "pre{margin:.4rem 0;padding:.6rem .8rem;overflow-x:auto;white-space:pre-wrap;"
    "overflow-wrap:anywhere;font:13px/1.45 ui-monospace,monospace;border-radius:6px}"
    "pre.code{background:var(--code);border:1px solid var(--line)}"
    "pre.stderr,pre.error{border-left:3px solid var(--bad)}pre.error{color:var(--bad)}"
    "img{max-width:100%;height:auto;background:#fff;color:#1c2024;border-radius:6px}"
    "section{border-top:1px solid var(--line);padding:1rem 0;break-inside:avoid-page}"
    "section.off pre,section.off img{opacity:.55}"
    "table{border-collapse:collapse;font-size:.9rem}td,th{text-align:left;padding:.15rem .8rem "
    ".15rem 0;"
    "vertical-align:top}td{overflow-wrap:anywhere}"
    ".frame{overflow-x:auto;margin:.4rem .8rem}.frame td,.frame th{text-align:right;padding:.15rem "
    ".7rem;border-bottom:1px solid var(--line);overflow-wrap:normal}"
    ".hash{font:12px ui-monospace,monospace;color:var(--soft);overflow-wrap:anywhere}"
    "p{margin:.4rem "
    "0}.event{font-weight:600}.soft{color:var(--soft);font-size:.9rem}.mark{font-size:.8rem;"
    "padding:.1rem .5rem;"
    "border:1px solid currentColor;border-radius:1rem;font-weight:normal}"
    "pre.words{border-left:3px solid var(--line)}section:target{background:var(--code)}a{color:"
    "inherit}"
    ".answer,.check{white-space:pre-wrap;overflow-wrap:anywhere}.answer{font-size:1.1rem}"
    ".number{font-weight:600}.number sup{font-size:.7rem;font-weight:normal;margin-left:.15em}"
    ".verdict{overflow-wrap:normal}.number.bad{text-decoration:underline "
    "wavy}.number.given,.given{color:var(--soft)}"
    "details{margin:.4rem 0 1rem}h2 .soft{font-weight:normal}.check{margin:.2rem 0 .6rem}"
    "section.step{padding-bottom:0}section.step+section{border:0;padding-top:.2rem}"
    ".ok{color:var(--ok)}.warn{color:var(--warn)}.bad{color:var(--bad)}"
    "@media print{body{max-width:none;padding:0}details{display:none}pre{white-space:pre-wrap}}";

/* --- writing --- */

void put_text(struct page *p, const char *text, size_t len) {
    scoped_free char *clean = export_clean(text, len);
    for (const char *c = clean ? clean : ""; *c; c++) {
        switch (*c) {
        case '&': fputs("&amp;", p->out); break;
        case '<': fputs("&lt;", p->out); break;
        case '>': fputs("&gt;", p->out); break;
        case '"': fputs("&quot;", p->out); break;
        case '\'': fputs("&#39;", p->out); break;
        default: fputc(*c, p->out);
        }
    }
}

void put_json_text(struct page *p, const json_t *text) {
    if (json_is_string(text))
        put_text(p, json_string_value(text), json_string_length(text));
}

void put_pre(struct page *p, const char *class, const json_t *text) {
    if (!json_string_length(text))
        return;
    fprintf(p->out, "<pre class=\"%s\">", class);
    put_json_text(p, text);
    fputs("</pre>\n", p->out);
}

static void put_time(struct page *p, int64_t ms) {
    time_t seconds = (time_t)(ms / 1000);
    struct tm tm;
    char text[40] = "";
    if (gmtime_r(&seconds, &tm))
        strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &tm);
    fputs(text, p->out);
}

void put_mark(struct page *p, const char *class, const char *text) {
    fprintf(p->out, " <span class=\"mark %s\">", class);
    put_text(p, text, strlen(text));
    fputs("</span>", p->out);
}

/* --- the results of a cell --- */

static void put_data(struct page *p, const char *kind, const char *base64, const json_t *alt) {
    fprintf(p->out, "<p><img src=\"data:%s;base64,%s\" alt=\"", kind, base64);
    put_json_text(p, alt);
    fputs("\"></p>\n", p->out);
}

static bool put_image(struct page *p, const json_t *mimes) {
    static const char *const kinds[] = {"image/png", "image/jpeg", "image/gif", "image/webp"};
    const json_t *alt = json_object_get(mimes, "text/plain"), *value;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (export_is_base64(value = json_object_get(mimes, kinds[i]))) {
            put_data(p, kinds[i], json_string_value(value), alt);
            return true;
        }
    value = json_object_get(mimes, "image/svg+xml");
    scoped_free char *svg = json_is_string(value)
                                ? base64_text(json_string_value(value), json_string_length(value))
                                : NULL;
    if (svg)
        put_data(p, "image/svg+xml", svg, alt);
    return svg != NULL;
}

static bool put_table(struct page *p, const json_t *mimes) {
    const char *html = json_string_value(json_object_get(mimes, "text/html"));
    scoped_buf table = BUF_INIT(2 * EXPORT_TABLE_MAX);
    if (!html || export_table(html, &table) < 0)
        return false;
    scoped_free char *clean = export_clean(table.data, table.len);
    if (clean)
        fprintf(p->out, "<div class=\"frame\">%s</div>\n", clean);
    return clean != NULL;
}

static void put_mimes(struct page *p, const json_t *mimes) {
    if (!json_object_size(mimes) || put_image(p, mimes) || put_table(p, mimes))
        return;
    if (json_object_get(mimes, "text/plain"))
        put_pre(p, "value", json_object_get(mimes, "text/plain"));
    else
        fputs("<p class=\"soft\">(output without a plain text form)</p>\n", p->out);
}

static void put_error(struct page *p, const json_t *error) {
    json_t *trace = json_object_get(error, "traceback");
    if (!json_is_object(error))
        return;
    if (json_string_length(trace)) {
        put_pre(p, "error", trace);
        return;
    }
    fputs("<pre class=\"error\">", p->out);
    put_json_text(p, json_object_get(error, "name"));
    fputs(": ", p->out);
    put_json_text(p, json_object_get(error, "message"));
    fputs("</pre>\n", p->out);
}

static void put_files(struct page *p, const json_t *files) {
    json_t *file;
    size_t i;
    if (!json_array_size(files))
        return;
    fputs("<table><tr><th>file<th>change<th>bytes<th>sha256</tr>\n", p->out);
    json_array_foreach(files, i, file) {
        fputs("<tr><td>", p->out);
        put_json_text(p, json_object_get(file, "path"));
        fputs("<td>", p->out);
        put_json_text(p, json_object_get(file, "change"));
        fprintf(p->out, "<td>%lld<td class=\"hash\">",
                (long long)json_integer_value(json_object_get(file, "size")));
        put_json_text(p, json_object_get(file, "sha256"));
        fputs("</tr>\n", p->out);
    }
    fputs("</table>\n", p->out);
}

static void html_put_result(struct page *p, const struct ledger_entry *e) {
    json_t *result = export_result(p->l, p->session, e->seq), *display;
    size_t i;
    if (!result)
        fputs("<p class=\"warn\">The recorded output has expired.</p>\n", p->out);
    put_pre(p, "stdout", json_object_get(result, "stdout"));
    put_pre(p, "stderr", json_object_get(result, "stderr"));
    json_array_foreach(json_object_get(result, "displays"), i, display) {
        put_mimes(p, json_object_get(display, "mime"));
    }
    put_mimes(p, json_object_get(result, "value"));
    put_error(p, json_object_get(result, "error"));
    json_decref(result);
}

/* --- entries --- */

static bool is_in_state(const struct page *p, uint64_t intent_seq) {
    for (size_t i = 0; i < p->history.count; i++)
        if (p->history.steps[i].seq == intent_seq &&
            strcmp(p->history.steps[i].session, p->session) == 0)
            return true;
    return false;
}

static void put_footer(struct page *p, const struct ledger_entry *e) {
    const json_t *used = json_object_get(e->body, "resources");
    fputs("<p class=\"soft\">", p->out);
    if (json_is_number(json_object_get(used, "wall_ms")))
        fprintf(p->out, "%.1f ms, ", json_number_value(json_object_get(used, "wall_ms")));
    put_time(p, e->time_ms);
    fprintf(p->out, "</p>\n<p class=\"hash\">%s entry %llu · %s</p>\n", p->session,
            (unsigned long long)e->seq, e->hash);
}

static void put_marks(struct page *p, const json_t *body) {
    const char *status = json_string_value(json_object_get(body, "status"));
    const char *state = json_string_value(json_object_get(body, "state"));
    if (status)
        put_mark(p, strcmp(status, "ok") == 0 ? "ok" : "bad", status);
    if (state && strcmp(state, "kept") != 0)
        put_mark(p, "warn", strcmp(state, "rolled_back") == 0 ? "rolled back" : state);
    else if (!is_in_state(p, p->intent_seq))
        put_mark(p, "warn", "undone");
}

static void html_put_cell(struct page *p, const struct ledger_entry *e) {
    fprintf(p->out, "<section id=\"%s-%llu\"%s><h2>Cell %lld", p->session,
            (unsigned long long)e->seq, is_in_state(p, p->intent_seq) ? "" : " class=\"off\"",
            (long long)json_integer_value(json_object_get(e->body, "cell")));
    put_marks(p, e->body);
    fputs("</h2>\n", p->out);
    if (p->code) {
        fputs("<pre class=\"code\">", p->out);
        put_text(p, p->code, p->code_len);
        fputs("</pre>\n", p->out);
    } else {
        fputs("<p class=\"warn\">The code of this cell has expired.</p>\n", p->out);
    }
    put_review(p, json_object_get(e->body, "review"));
    html_put_result(p, e);
    put_files(p, json_object_get(e->body, "files"));
    put_footer(p, e);
    fputs("</section>\n", p->out);
}

static void put_event(struct page *p, const struct ledger_entry *e) {
    static const char *const words[LEDGER_KINDS] = {
        [LEDGER_TOOL_CALL] = "Host tool called:",
        [LEDGER_FILE_WRITE] = "File written from outside:",
        [LEDGER_FILE_DELETE] = "File deleted from outside:",
        [LEDGER_UNDO] = "Undo, cells taken back:",
        [LEDGER_BRANCH] = "Branched to",
        [LEDGER_SLEEP] = "Put to sleep",
        [LEDGER_RESUME] = "Resumed",
        [LEDGER_CLOSE] = "Closed",
        [LEDGER_FORGET] = "Forgotten",
        [LEDGER_CELL_OUTCOME] = "A cell (forgotten)",
        [LEDGER_NOTE] = "Note",
        [LEDGER_NETWORK] = "Network:",
    };
    static const char *const details[] = {"name", "verdict", "method", "host",
                                          "path", "child",   "source"};
    json_t *cells = json_object_get(e->body, "cells");
    fprintf(p->out, "<section><p class=\"event\">%s", words[e->kind] ? words[e->kind] : "");
    for (size_t i = 0; i < sizeof details / sizeof details[0]; i++)
        if (json_is_string(json_object_get(e->body, details[i]))) {
            fputs(" <code>", p->out);
            put_json_text(p, json_object_get(e->body, details[i]));
            fputs("</code>", p->out);
        }
    if (json_is_integer(cells))
        fprintf(p->out, " %lld", (long long)json_integer_value(cells));
    fputs("</p>\n", p->out);
    put_footer(p, e);
    fputs("</section>\n", p->out);
}

static int put_entry(void *user, const struct ledger_entry *e) {
    struct page *p = user;
    switch (e->kind) {
    case LEDGER_CREATE: break;
    case LEDGER_CELL_INTENT:
        free(p->code);
        p->code = e->body ? export_code(p->l, e->body, &p->code_len) : NULL;
        p->intent_seq = e->seq;
        break;
    case LEDGER_CELL_OUTCOME:
        if (e->body) {
            html_put_cell(p, e);
            break;
        }
        /* fall through */
    default:
        if (!put_note(p, e))
            put_event(p, e);
    }
    return ferror(p->out) ? -EIO : 0;
}

/* --- the page --- */

static void put_verdict(struct page *p, const struct ledger_report *r) {
    enum ledger_verdict v = r->worst.verdict;
    const char *class = v == LEDGER_OK ? "ok" : v < LEDGER_MISSING ? "warn" : "bad";
    fprintf(p->out, "<tr><th>verified<td class=\"%s\">%s", class, ledger_verdict_name(v));
    if (v != LEDGER_OK) {
        fprintf(p->out, " (%s, entry %llu: ", r->worst.session, (unsigned long long)r->worst.seq);
        put_text(p, r->worst.text, strlen(r->worst.text));
        fputs(")", p->out);
    }
    fprintf(p->out, "; %llu entries, %llu stored objects, %llu bytes checked</tr>\n",
            (unsigned long long)r->entries, (unsigned long long)r->blobs,
            (unsigned long long)r->bytes);
}

static void put_origin(struct page *p, const char *session) {
    json_t *origin = export_origin(p->l, session, NULL);
    scoped_free char *text = origin ? json_whole(origin, JSON_INDENT(2) | JSON_SORT_KEYS) : NULL;
    if (text) {
        fputs("<details><summary>Environment</summary><pre class=\"code\">", p->out);
        put_text(p, text, strlen(text));
        fputs("</pre></details>\n", p->out);
    }
    json_decref(origin);
}

static void put_head(struct page *p, const struct ledger_session *s,
                     const struct ledger_report *r) {
    fprintf(
        p->out,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:;"
        " style-src 'unsafe-inline'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n"
        "<title>Session %s</title>\n<style>%s</style></head>\n<body>\n<h1>Session "
        "%s</h1>\n<table>\n",
        s->id, style, s->id);
    fprintf(p->out, "<tr><th>state<td>%s</tr>\n<tr><th>begun<td>", ledger_state_name(s->state));
    put_time(p, s->created_ms);
    fputs("</tr>\n", p->out);
    if (s->parent[0])
        fprintf(p->out, "<tr><th>branch of<td>%s, entry %llu</tr>\n", s->parent,
                (unsigned long long)s->parent_seq);
    put_verdict(p, r);
    fprintf(p->out, "<tr><th>head<td class=\"hash\">%s</tr>\n</table>\n", r->head);
    put_origin(p, s->id);
}

static int put_entries(struct page *p, const struct ledger_part *parts, size_t count,
                       int (*put)(void *page, const struct ledger_entry *e),
                       struct retort_error *err) {
    int r = 0;
    for (size_t i = 0; i < count && r == 0; i++) {
        p->session = parts[i].session;
        r = ledger_entries(p->l, parts[i].session, 1, parts[i].last, put, p, err);
    }
    return r;
}

static int put_page(struct page *p, const char *session, struct retort_error *err) {
    scoped_free struct ledger_part *parts = NULL;
    struct ledger_session s;
    struct ledger_report report = {.entries = 0};
    size_t count = 0;
    int r = ledger_session_get(p->l, session, &s, err);
    if (r == 0)
        r = ledger_verify(p->l, session, NULL, NULL, NULL, &report, err);
    if (r == 0)
        r = ledger_lineage(p->l, session, &parts, &count, err);
    if (r < 0)
        return r;
    /* A forgotten session has no history, but its hashes can still be shown. */
    ledger_history(p->l, session, &p->history, NULL);
    put_head(p, &s, &report);
    r = put_entries(p, parts, count, put_summary, err);
    put_ends(p);
    if (r == 0)
        r = put_entries(p, parts, count, put_entry, err);
    fputs("</body></html>\n", p->out);
    return r;
}

int ledger_export_html(struct ledger *l, const char *session, int fd, struct retort_error *err) {
    struct page p = {.l = l};
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    p.out = copy < 0 ? NULL : fdopen(copy, "w");
    if (!p.out) {
        int eno = errno;
        if (copy >= 0)
            close(copy);
        return err_errno(err, ERR_HOST, eno, "cannot write the page");
    }
    p.cells = json_object();
    int r = put_page(&p, session, err);
    bool failed = ferror(p.out);
    errno = 0;
    if (fclose(p.out) != 0 || failed)
        r = err_errno(err, ERR_HOST, errno ? errno : EIO, "cannot write the page");
    ledger_history_done(&p.history);
    free(p.code);
    json_decref(p.cells);
    return r;
}
