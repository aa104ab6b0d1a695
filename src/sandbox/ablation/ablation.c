#ifndef RETORT_ABLATION
/* Only this build has this file; defined here so that tools can read it alone. */
#define RETORT_ABLATION
#endif
#include "sandbox/ablation/ablation.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/io.h"
#include "sandbox/lockdown.h"

static uint32_t mask;
static uid_t outside;

/* tests/vm/run sets this kernel command line. */
static bool in_test_machine(void) {
    char text[4096];
    return read_file_at(AT_FDCWD, "/proc/cmdline", text, sizeof text) > 0 &&
           strstr(text, "retort.only=");
}

static uint32_t bit_of(const char *name) {
    int layer = layer_by_name(name);
    if (layer < 0 && strcmp(name, "readonly") != 0)
        abort(); /* a test that names no layer would prove nothing */
    return layer < 0 ? ABLATE_READONLY : LAYER_BIT(layer);
}

void ablation_configure(void) {
    const char *given = getenv("RETORT_ABLATE");
    char text[160] = "", *rest = text, *name;
    if (!given || !given[0])
        return;
    if (!in_test_machine() || strlen(given) >= sizeof text)
        abort();
    memcpy(text, given, strlen(given) + 1);
    while ((name = strsep(&rest, ",")))
        mask |= bit_of(name);
}

uint32_t ablation_mask(void) {
    return mask;
}

void ablation_choose(uid_t id) {
    outside = id;
}

int ablation_become(void) {
    return outside && getuid() != outside ? lockdown_become(outside) : 0;
}

int ablation_keep_caps(void) {
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2];
    if (syscall(SYS_capget, &head, data) < 0)
        return -errno;
    for (int i = 0; i < 2; i++)
        data[i].inheritable = data[i].effective = data[i].permitted;
    if (syscall(SYS_capset, &head, data) < 0)
        return -errno;
    /* Fails for capabilities that we do not have. */
    for (int c = 0; c < 64; c++)
        prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, c, 0, 0);
    return 0;
}
