#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/io.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "cli/shell/shell.h"
#include "serve/hosted/json.h"

#define RED "1;31"
#define YELLOW "33"
#define CYAN "36"
#define DIM "2"

static const char *shell_show_text_of(const json_t *object, const char *name) {
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "";
}

static void shell_show_fresh_line(struct shell *sh) {
    if (sh->mid_line && sh->out.tty)
        write_all(sh->out.fd, "\n", 1);
    sh->mid_line = false;
}

static void print(struct shell *sh, const char *text) {
    shell_show_fresh_line(sh);
    term_puts(&sh->out, text);
    size_t len = strlen(text);
    if (!len || text[len - 1] != '\n')
        term_puts(&sh->out, "\n");
}

void shell_show_output(void *user, enum retort_stream stream, const char *text, size_t len,
                       uint64_t time_ns) {
    struct shell *sh = user;
    (void)time_ns;
    /* The terminal may be slow, and our line must not come in between. */
    elapsed_heard(&sh->elapsed, true);
    term_text(stream == RETORT_STDOUT ? &sh->out : &sh->err, text, len);
    if (len)
        sh->mid_line = text[len - 1] != '\n';
    elapsed_heard(&sh->elapsed, sh->mid_line);
}

/* --- pictures --- */

static const struct {
    const char *mime, *suffix;
    bool base64;
} pictures[] = {{"image/png", "png", true},
                {"image/jpeg", "jpg", true},
                {"application/pdf", "pdf", true},
                {"image/svg+xml", "svg", false}};

/* Opens plotN in the directory for plots, with the next free number. */
static int shell_show_open_plot(struct shell *sh, const char *suffix, char *ret_path, size_t size) {
    for (int tries = 0; tries < 100000; tries++) {
        snprintf(ret_path, size, "%s%splot%u.%s", sh->out_dir ? sh->out_dir : "",
                 sh->out_dir ? "/" : "", ++sh->plots, suffix);
        int fd = open(ret_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd < 0 ? -errno : fd;
    }
    return -EEXIST;
}

/* Shows the picture if the terminal can, and saves it if the terminal cannot or the user wants
 * files. */
static bool show_picture(struct shell *sh, const struct buf *bytes, const char *suffix) {
    shell_show_fresh_line(sh);
    return strcmp(suffix, "png") == 0 && picture_show(sh, bytes) && !sh->out_dir;
}

static void save(struct shell *sh, const char *data, size_t len, const char *suffix) {
    char path[MAX_PATH];
    scoped_fd fd = shell_show_open_plot(sh, suffix, path, sizeof path);
    int r = fd < 0 ? fd : write_all(fd, data, len);
    shell_show_fresh_line(sh);
    if (r < 0)
        term_say(&sh->err, RED, "cannot save %s: %s\n", path, strerror(-r));
    else
        term_say(&sh->err, CYAN, "saved %s\n", path);
}

/* Saves the first picture of a bundle, which may have several forms of one. */
static bool save_picture(struct shell *sh, const json_t *mime) {
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
        const json_t *value = json_object_get(mime, pictures[i].mime);
        scoped_buf bytes = BUF_INIT(MAX_RESULT);
        if (!json_is_string(value))
            continue;
        if (!pictures[i].base64)
            save(sh, json_string_value(value), json_string_length(value), pictures[i].suffix);
        else if (base64_decode(&bytes, json_string_value(value), json_string_length(value)) < 0)
            continue;
        else if (!show_picture(sh, &bytes, pictures[i].suffix))
            save(sh, bytes.data, bytes.len, pictures[i].suffix);
        return true;
    }
    return false;
}

/* Cuts lines that are longer than the screen, because a wrapped table is unreadable. */
static void shell_show_table(struct shell *sh, const char *text) {
    /* One column less, for the mark of a line that was cut. */
    unsigned width = term_columns(sh->out.fd) - 1;
    scoped_buf line = BUF_INIT(MAX_TEXT);
    for (const char *end; *text; text = end + (*end == '\n')) {
        end = text + strcspn(text, "\n");
        term_line(text, width, &line);
        print(sh, line.data);
    }
}

static void show_bundle(struct shell *sh, const json_t *mime) {
    static const char *const texts[] = {"text/plain", "text/markdown", "text/latex", "text/html"};
    save_picture(sh, mime);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *text = json_string_value(json_object_get(mime, texts[i]));
        if (text) {
            bool table = i == 0 && sh->out.tty && json_object_get(mime, "text/html");
            (table ? shell_show_table : print)(sh, text);
            return;
        }
    }
}

void show_display(void *user, const char *display_json) {
    struct shell *sh = user;
    elapsed_heard(&sh->elapsed, true); /* a picture takes time, and must not be interrupted */
    json_t *display = json_in_text(display_json, JSON_ALLOW_NUL, NULL);
    const json_t *mime = json_object_get(display, "mime");
    if (!save_picture(sh, mime)) /* the text of a figure says no more than that it is one */
        show_bundle(sh, mime);
    json_decref(display);
    elapsed_heard(&sh->elapsed, false);
}

/* --- errors --- */

static bool begins(const char *line, const char *with) {
    return strncmp(line, with, strlen(with)) == 0;
}

static const char *colour_of_line(const char *line, bool last) {
    size_t indent = strspn(line, " ");
    if (last)
        return RED;
    if (begins(line, "  File ") || begins(line, "Traceback "))
        return CYAN;
    return line[indent] && !line[indent + strspn(line + indent, "^~ \n")] ? RED : "0";
}

static void show_traceback(struct shell *sh, const char *text) {
    for (const char *line = text, *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        end += *end == '\n';
        const char *sgr = colour_of_line(line, !*end);
        if (sh->err.colour)
            dprintf(sh->err.fd, "\033[%sm", sgr);
        term_text(&sh->err, line, (size_t)(end - line));
        if (sh->err.colour)
            dprintf(sh->err.fd, "\033[0m");
    }
    if (*text && text[strlen(text) - 1] != '\n')
        term_puts(&sh->err, "\n");
}

static void shell_show_error(struct shell *sh, const json_t *error) {
    const char *hint = shell_show_text_of(error, "hint");
    const json_t *value;
    const char *name;
    if (shell_show_text_of(error, "traceback")[0])
        show_traceback(sh, shell_show_text_of(error, "traceback"));
    else
        term_say(&sh->err, RED, "%s\n", shell_show_text_of(error, "message"));
    json_object_foreach(json_object_get(error, "values"), name, value) {
        if (json_is_string(value))
            term_say(&sh->err, DIM, "  %.60s = %.200s\n", name, json_string_value(value));
    }
    if (hint[0])
        term_say(&sh->err, YELLOW, "%s\n", hint);
}

/* --- the rest of a result --- */

static void shell_show_status(struct shell *sh, const json_t *result) {
    const char *status = shell_show_text_of(result, "status");
    const json_t *error = json_object_get(result, "error");
    if (strcmp(status, "ok") == 0 || strcmp(status, "error") == 0)
        return;
    if (strcmp(status, "exit") == 0)
        term_say(&sh->err, YELLOW, "the cell ended with exit status %d\n",
                 (int)json_integer_value(json_object_get(result, "exit_code")));
    else if (strcmp(status, "signal") == 0)
        term_say(&sh->err, RED, "the interpreter was killed by signal %d\n",
                 (int)json_integer_value(json_object_get(result, "signal")));
    else if (!json_is_object(error) || strcmp(status, "interrupted") == 0) /* else the error says
                                                                              it */
        term_say(&sh->err, RED, "the cell was stopped: %s\n", status);
}

static void shell_show_state(struct shell *sh, const json_t *result) {
    const char *state = shell_show_text_of(result, "state"),
               *via = shell_show_text_of(result, "state_via");
    const json_t *note;
    size_t i;
    if (strcmp(state, "rolled_back") == 0 && !via[0])
        term_say(&sh->err, YELLOW, "the cell was not run\n");
    else if (strcmp(state, "rolled_back") == 0)
        term_say(&sh->err, YELLOW, "rolled back (%s): memory and files are as before this cell\n",
                 via);
    else if (via[0])
        term_say(&sh->err, YELLOW, "the session was rebuilt by %s\n", via);
    json_array_foreach(json_object_get(result, "state_notes"), i, note) {
        if (json_is_string(note))
            term_say(&sh->err, YELLOW, "  %s\n", json_string_value(note));
    }
}

static void show_cost(struct shell *sh, const json_t *result) {
    const json_t *resources = json_object_get(result, "resources");
    double seconds = json_number_value(json_object_get(resources, "wall_ms")) / 1000;
    const char *unrecorded = shell_show_text_of(json_object_get(result, "ledger"), "error");
    if (seconds > 1)
        term_say(&sh->err, DIM, "%.1f s\n", seconds);
    if (unrecorded[0])
        term_say(&sh->err, RED, "this cell is not on record: %s\n", unrecorded);
}

void show_result(struct shell *sh, const json_t *result) {
    shell_show_fresh_line(sh);
    if (json_is_object(json_object_get(result, "value")))
        show_bundle(sh, json_object_get(result, "value"));
    if (json_is_object(json_object_get(result, "error")))
        shell_show_error(sh, json_object_get(result, "error"));
    shell_show_status(sh, result);
    shell_show_state(sh, result);
    show_cost(sh, result);
}
