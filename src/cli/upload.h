/* Files of the host that go into a session. */
#pragma once

#include "cli/cli.h"

/* SRC[:NAME]: what SRC and NAME are, in room for MAX_PATH each. 0, or the exit status. */
int cli_upload_names(const char *what, const char *spec, char *ret_source, char *ret_name);
/* Puts what the descriptor has into /work. -errno. */
int cli_upload_fd(struct retort_session *session, int fd, const char *name,
                  struct retort_error *error);
/* Puts SRC[:NAME] into /work; `what` stands before the name in a message. 0, or the exit status. */
int cli_upload_file(struct retort_session *session, const char *what, const char *spec);
/* The same for the --file arguments, and for what lies in the --dir arguments. */
int cli_upload(struct retort_session *session, const struct cli_options *options);
/* Whether they can be read, for commands that put them in later. */
int cli_upload_check(const struct cli_options *options);
