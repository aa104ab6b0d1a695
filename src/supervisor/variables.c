#include "supervisor/variables.h"

#include "wire/control.h"

size_t variables_published(const struct ctl_environment *env, uint32_t flags, char **vars) {
    static char *const always[] = {"PATH=/usr/local/bin:/usr/bin:/bin",
                                   "HOME=/work",
                                   "USER=retort",
                                   "LANG=C.UTF-8",
                                   "TERM=dumb",
                                   "TMPDIR=/tmp",
                                   "PWD=/work",
                                   "PYTHONDONTWRITEBYTECODE=1",
                                   "MPLBACKEND=agg",
                                   "MPLCONFIGDIR=/tmp/.matplotlib",
                                   "XDG_CACHE_HOME=/tmp/.cache",
                                   "OPENBLAS_NUM_THREADS=1",
                                   "OMP_NUM_THREADS=1",
                                   "NUMEXPR_MAX_THREADS=1"};
    static char *const deterministic[] = {"PYTHONHASHSEED=0", "LD_PRELOAD=/opt/retort/shim.so",
                                          "RETORT_DETERMINISTIC=1"};
    static char path[] = "PATH=" PACKAGES_MOUNT "/python/bin:" PACKAGES_MOUNT
                         "/node_modules/.bin:/usr/local/bin:/usr/bin:/bin",
                python[] = "PYTHONPATH=" PACKAGES_MOUNT "/python";
    size_t count = 0;
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        vars[count++] = always[i];
    if (env->packages[0] && !env->image) {
        vars[0] = path;
        vars[count++] = python;
    }
    for (size_t i = 0;
         flags & CREATE_DETERMINISTIC && i < sizeof deterministic / sizeof *deterministic; i++)
        vars[count++] = deterministic[i];
    return count;
}
