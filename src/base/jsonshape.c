#include "base/jsonshape.h"

#include <stdbool.h>

struct json_shape json_shape(const char *text, size_t len) {
    struct json_shape shape = {0, 1};
    size_t depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < len; i++) {
        char c = text[i];
        if (c == '"')
            quoted = !quoted;
        else if (quoted)
            i += c == '\\';
        else if (c == '[' || c == '{')
            depth++;
        else if ((c == ']' || c == '}') && depth > 0)
            depth--;
        shape.values += !quoted && (c == ',' || c == '[' || c == '{');
        shape.depth = depth > shape.depth ? depth : shape.depth;
    }
    return shape;
}
