"""A program that uses the library outlives what its sessions do."""
import os
import subprocess

import pytest
from compiling import compiled

COMPLETES = r"""
#include <retort.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    struct retort_engine_options options = {.no_state = true};
    struct retort_engine *engine;
    struct retort_session *session;
    struct retort_result *result;
    struct retort_error error;
    char *names, *code = malloc(900001), c;
    if (argc < 2 || !code || retort_open(&options, &engine, &error) < 0 ||
        retort_session_new(engine, NULL, &session, &error) < 0 ||
        retort_execute(session, argv[1], strlen(argv[1]), NULL, &result, &error) < 0)
        return 1;
    puts(retort_result_status(result));
    fflush(stdout);
    retort_result_free(result);
    if (fread(&c, 1, 1, stdin) != 1)
        return 1;
    memset(code, 'a', 900000);
    code[900000] = 0;
    if (retort_complete(session, code, 1, &names, &error) == 0)
        return 2;
    puts(error.fault == RETORT_FAULT_GUEST ? "guest" : error.message);
    free(code);
    retort_close(engine);
    return 0;
}
"""
LATER = "import os, signal, threading\nthreading.Timer(0.2, os.kill, (os.getpid(), signal.%s)).start()"


@pytest.mark.parametrize("signal", ["SIGKILL", "SIGSTOP"])
def test_a_question_to_an_interpreter_that_is_dead_or_does_not_read(build, tmp_path, signal):
    source = tmp_path / "completes.c"
    source.write_text(COMPLETES)
    program = compiled(source, build, tmp_path, "shared")
    env = {"PATH": os.environ["PATH"], "RETORT_LIBEXEC": str(build)}
    with subprocess.Popen([program, LATER % signal], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        assert running.stdout.readline() == b"ok\n"
        with pytest.raises(subprocess.TimeoutExpired):
            running.wait(1)  # until the interpreter has done what it was going to
        assert running.communicate(b"x", timeout=60)[0] == b"guest\n"
        assert running.returncode == 0
