/* Copies files of the host into a session. */
#pragma once

#include "cli/cli.h"

/* Splits SRC[:NAME]; each result has room for MAX_PATH. 0, or the exit status. */
int cli_upload_names(const char *what, const char *spec, char *ret_source, char *ret_name);
/* Copies what the descriptor reads into /work. -errno. */
int cli_upload_fd(struct retort_session *session, int fd, const char *name,
                  struct retort_error *error);
/* Copies SRC[:NAME] into /work; `what` begins error messages. 0, or the exit status. */
int cli_upload_file(struct retort_session *session, const char *what, const char *spec);
/* The same for all --file arguments, and for the contents of the --dir arguments. */
int cli_upload(struct retort_session *session, const struct cli_options *options);
/* Checks whether they can be read, for commands that upload them later. */
int cli_upload_check(const struct cli_options *options);
