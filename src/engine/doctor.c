#include "engine/engine.h"

char *retort_doctor(bool *ret_core_holds) {
    *ret_core_holds = false;
    return NULL;
}
