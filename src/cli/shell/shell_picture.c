/* Pictures on terminals that show them.
 *
 * Kitty's and iTerm's protocols take the file as it is: the terminal decodes it. Sixel wants
 * pixels, and we do not decode a guest's picture in this process: a sealed session of its own does
 * that, and we pass its answer on only if it is sixel data. */
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/io.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "cli/shell/shell.h"

static bool env_is(const char *name, const char *value) {
    const char *text = getenv(name);
    return text && strcmp(text, value) == 0;
}

static bool env_begins(const char *name, const char *with) {
    const char *text = getenv(name);
    return text && strncmp(text, with, strlen(with)) == 0;
}

static enum picture_kind asked_kind(const char *name) {
    static const char *const names[] = {"none", "kitty", "iterm", "sixel"};
    for (int i = 0; i < (int)(sizeof names / sizeof *names); i++)
        if (strcmp(name, names[i]) == 0)
            return (enum picture_kind)i;
    return PICTURE_NONE;
}

enum picture_kind picture_kind(const struct term *t) {
    const char *asked = getenv("RETORT_PICTURES");
    if (!t->tty)
        return PICTURE_NONE;
    if (asked && asked[0])
        return asked_kind(asked);
    /* Screen and tmux do not pass pictures on. */
    if (env_begins("TERM", "screen") || env_begins("TERM", "tmux"))
        return PICTURE_NONE;
    if (env_is("TERM", "xterm-kitty") || env_is("TERM", "xterm-ghostty"))
        return PICTURE_KITTY;
    if (env_is("TERM_PROGRAM", "iTerm.app") || env_is("TERM_PROGRAM", "WezTerm") ||
        env_is("LC_TERMINAL", "iTerm2"))
        return PICTURE_ITERM;
    if (env_begins("TERM", "foot") || env_begins("TERM", "mlterm") || env_begins("TERM", "yaft"))
        return PICTURE_SIXEL;
    return PICTURE_NONE;
}

static bool shell_picture_put(int fd, const char *text) {
    return write_all(fd, text, strlen(text)) == 0;
}

#define KITTY_CHUNK 4096

static bool show_kitty(int fd, const char *base64) {
    const char *begin = "\033_Ga=T,f=100,";
    bool good = true;
    for (size_t len; good && *base64; base64 += len, begin = "\033_G") {
        len = strnlen(base64, KITTY_CHUNK);
        good = shell_picture_put(fd, begin) &&
               shell_picture_put(fd, base64[len] ? "m=1;" : "m=0;") &&
               write_all(fd, base64, len) == 0 && shell_picture_put(fd, "\033\\");
    }
    return good && shell_picture_put(fd, "\n");
}

static bool show_iterm(int fd, const char *base64) {
    return shell_picture_put(fd, "\033]1337;File=inline=1:") && shell_picture_put(fd, base64) &&
           shell_picture_put(fd, "\007\n");
}

/* --- sixel --- */

static const char to_sixel[] =
    "from PIL import Image\n"
    "image = Image.open('/work/picture').convert('RGB')\n"
    "image.thumbnail((800, 600))\n"
    "image = image.quantize(64)\n"
    "palette = image.getpalette()\n"
    "width, height = image.size\n"
    "pixels = image.load()\n"
    "out = [f'\"1;1;{width};{height}']\n"
    "for n in range(len(palette) // 3):\n"
    "    r, g, b = (v * 100 // 255 for v in palette[3 * n:3 * n + 3])\n"
    "    out.append(f'#{n};2;{r};{g};{b}')\n"
    "def run(c, n):\n"
    "    return f'!{n}{c}' if n > 3 else c * n\n"
    "for top in range(0, height, 6):\n"
    "    rows = range(top, min(top + 6, height))\n"
    "    columns = [[pixels[x, y] for y in rows] for x in range(width)]\n"
    "    for n in sorted({c for column in columns for c in column}):\n"
    "        line, last, count = [f'#{n}'], None, 0\n"
    "        for column in columns:\n"
    "            c = chr(63 + sum(1 << i for i, v in enumerate(column) if v == n))\n"
    "            if c != last and count:\n"
    "                line.append(run(last, count))\n"
    "                count = 0\n"
    "            last, count = c, count + 1\n"
    "        out.append(''.join(line) + run(last, count) + '$')\n"
    "    out.append('-')\n"
    "open('/work/sixel', 'w').write(''.join(out))\n";

static bool convert(struct retort_session *s, const struct buf *png) {
    struct retort_result *result = NULL;
    bool good = retort_file_write(s, "picture", 0, png->data, png->len, true, NULL) >= 0 &&
                retort_execute(s, to_sixel, sizeof to_sixel - 1, NULL, &result, NULL) >= 0 &&
                strcmp(retort_result_status(result), "ok") == 0;
    retort_result_free(result);
    return good;
}

/* Allows digits, colours, repetitions, columns and line ends: none of these moves the cursor, asks
 * or sets anything. */
static bool is_sixel(const char *data, size_t len) {
    for (size_t i = 0; i < len; i++)
        if (!((data[i] >= '?' && data[i] <= '~') || strchr("0123456789;#!\"$-", data[i])) ||
            !data[i])
            return false;
    return len > 0;
}

static bool show_sixel(struct shell *sh, const struct buf *png) {
    struct retort_session_options options = sh->options->session;
    struct retort_session *s = NULL;
    char *data = NULL;
    size_t len = 0;
    uint64_t size = 0;
    options.no_record = true;
    options.limits.timeout = 10;
    if (retort_session_new(sh->engine, &options, &s, NULL) < 0)
        return false;
    bool good = convert(s, png) &&
                retort_file_read(s, "sixel", 0, MAX_RESULT, &data, &len, &size, NULL) >= 0 &&
                len == size && is_sixel(data, len) && shell_picture_put(sh->out.fd, "\033Pq") &&
                write_all(sh->out.fd, data, len) == 0 && shell_picture_put(sh->out.fd, "\033\\\n");
    retort_free(data);
    retort_session_close(s);
    return good;
}

bool picture_show(struct shell *sh, const struct buf *png) {
    if (sh->pictures == PICTURE_NONE || !png->len)
        return false;
    if (sh->pictures == PICTURE_SIXEL)
        return show_sixel(sh, png);
    scoped_free char *base64 = base64_text(png->data, png->len);
    return base64 && (sh->pictures == PICTURE_KITTY ? show_kitty(sh->out.fd, base64)
                                                    : show_iterm(sh->out.fd, base64));
}
