/* HTML that a guest gave for a table: whatever is taken over has no tag and no attribute but those
 * of tables, and is taken over as it is the second time. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "export/export_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool fact) {
    if (!fact)
        abort();
}

static void check_tags(const char *at) {
    static const char *const tags[] = {"table", "thead", "tbody", "tr", "th", "td"};
    while ((at = strchr(at, '<'))) {
        bool found = false;
        at += 1 + (at[1] == '/');
        for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
            size_t len = strlen(tags[i]);
            found = found || (strncmp(at, tags[i], len) == 0 && strchr("> ", at[len]));
        }
        must(found);
        const char *end = strchr(at, '>'), *space = memchr(at, ' ', (size_t)(end - at));
        must(!space || strncmp(space, " colspan=\"", 10) == 0 ||
             strncmp(space, " rowspan=\"", 10) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    scoped_free char *html = strndup((const char *)data, size);
    scoped_buf once = BUF_INIT(2 * EXPORT_TABLE_MAX), twice = BUF_INIT(2 * EXPORT_TABLE_MAX);
    if (!html || export_table(html, &once) < 0)
        return 0;
    check_tags(once.data);
    must(export_table(once.data, &twice) == 0);
    must(once.len == twice.len && memcmp(once.data, twice.data, once.len) == 0);
    return 0;
}
