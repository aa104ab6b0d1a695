/* Zygotes: warm interpreters from which sessions are forked. */
#pragma once

#include "supervisor/session.h"

struct zygote;

/* Makes sure that `env` has a zygote, warming up or ready. */
int zygote_want(struct environment *env, struct retort_error *err);
bool zygote_is_ready(const struct zygote *zygote);
/* How many interpreters that were forked from it are alive. */
unsigned zygote_children(const struct zygote *zygote);
/* The environment has none any more; this one stays as parent of what was forked from it. */
void zygote_dismiss(struct environment *env);

/* Asks for the interpreter of `s`. Its set-up socket is watched from here on. */
void zygote_fork(struct zygote *zygote, struct session *s);
