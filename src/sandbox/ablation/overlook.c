#ifndef RETORT_ABLATION
#define RETORT_ABLATION /* this file is in no other build; so tools can look at it alone */
#endif
#include "sandbox/ablation/overlook.h"

#include <stdlib.h>
#include <string.h>

static const char *const checks[CHECK_COUNT] = {
#define CHECK(name) #name,
#include "sandbox/ablation/checks.def"
#undef CHECK
};

static bool overlooked[CHECK_COUNT];

static enum check check_by_name(const char *name) {
    enum check i = 0;
    while (i < CHECK_COUNT && strcmp(checks[i], name) != 0)
        i++;
    return i;
}

void overlook_configure(void) {
    const char *given = getenv("RETORT_OVERLOOK");
    char text[160] = "", *rest = text, *name;
    if (!given || !given[0])
        return;
    if (strlen(given) >= sizeof text)
        abort();
    memcpy(text, given, strlen(given) + 1);
    while ((name = strsep(&rest, ","))) {
        enum check check = check_by_name(name);
        if (check == CHECK_COUNT)
            abort(); /* a test that names no check would prove nothing */
        overlooked[check] = true;
    }
}

bool overlooks(enum check check) {
    return overlooked[check];
}
