#include "supervisor/ablation.h"

#include <fcntl.h>
#include <string.h>

#include "base/io.h"
#include "wire/control.h"

#define ABLATION_FILE "/tmp/retort-ablation" /* names of layers, one a line */

static uint32_t mask;

uint32_t ablation_mask(void) {
    return mask;
}

/* Before main, because the supervisor soon leaves the host's files behind. A file, because it is
 * started without arguments and environment. */
__attribute__((constructor)) static void ablation_read(void) {
    char text[256], *rest = text, *name;
    if (read_file_at(AT_FDCWD, ABLATION_FILE, text, sizeof text) < 0)
        return;
    while ((name = strsep(&rest, "\n"))) {
        int layer = layer_by_name(name);
        if (layer >= 0)
            mask |= LAYER_BIT(layer);
    }
}
