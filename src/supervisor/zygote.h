/* Zygotes: warm interpreters from which sessions are forked. */
#pragma once

#include "supervisor/session.h"

struct zygote;

/* Makes sure that `env` has a zygote, warming up or ready. */
int zygote_want(struct environment *env, struct retort_error *err);
bool zygote_is_ready(const struct zygote *zygote);
/* How many interpreters that it forked are alive. */
unsigned zygote_children(const struct zygote *zygote);
/* The environment has no zygote any more; this one stays as the parent of what it forked. */
void zygote_dismiss(struct environment *env);

/* Asks for the interpreter of `s`, and watches its set-up socket from then on. */
void zygote_fork(struct zygote *zygote, struct session *s);
