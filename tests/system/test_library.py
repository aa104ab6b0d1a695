"""A program that uses the library outlives what its sessions do."""
import json
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


FRESH = r"""
#include <retort.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    struct retort_engine_options o = {.pool = argc > 1 ? 1 : 0};
    struct retort_session_options fresh = {.preload = ""};
    struct retort_engine *engine;
    struct retort_session *session;
    struct retort_result *result;
    char *names;
    (void)argv;
    if (retort_open(&o, &engine, NULL) < 0 || retort_session_new(engine, &fresh, &session, NULL) < 0)
        return 1;
    if (retort_complete(session, "prin", 4, &names, NULL) < 0)
        return 2;
    puts(names);
    retort_free(names);
    if (retort_execute(session, "print(1)", 8, NULL, &result, NULL) < 0)
        return 3;
    puts(retort_result_status(result));
    retort_result_free(result);
    retort_close(engine);
    return 0;
}
"""


@pytest.mark.parametrize("warm", [[], ["warm"]])
def test_a_fresh_session_completes_before_its_first_cell(build, tmp_path, warm):
    source = tmp_path / "fresh.c"
    source.write_text(FRESH)
    env = {"PATH": os.environ["PATH"], "RETORT_LIBEXEC": str(build), "RETORT_STATE": str(tmp_path / "state")}
    done = subprocess.run([compiled(source, build, tmp_path, "shared"), *warm], env=env, capture_output=True, text=True,
                          timeout=60, check=False)
    assert done.stdout == '{"start":0,"names":["print"]}\nok\n'


CANCELS = r"""
#include <retort.h>
#include <stdio.h>
#include <string.h>

static struct retort_session *session;
static bool given_up;

/* The last moment in which a cancellation could be lost: the interrupt itself comes before the answer. */
static bool cancelled(void *user) {
    (void)user;
    if (given_up)
        retort_interrupt(session);
    return given_up;
}

static void run(const char *code) {
    struct retort_callbacks callbacks = {.cancelled = cancelled};
    struct retort_execute_options options = {.callbacks = &callbacks};
    struct retort_result *result;
    struct retort_error error;
    size_t len;
    if (retort_execute(session, code, strlen(code), &options, &result, &error) < 0) {
        puts(error.message);
        return;
    }
    puts(retort_result_json(result, &len));
    retort_result_free(result);
}

int main(void) {
    struct retort_engine_options options = {.pool = 1};
    struct retort_engine *engine;
    struct retort_error error;
    char *report, id[80];
    bool equal;
    if (retort_open(&options, &engine, &error) < 0 || retort_session_new(engine, NULL, &session, &error) < 0)
        return 1;
    retort_interrupt(session);
    run("x = 1\nx");
    given_up = true;
    run("x = 2\nopen('f', 'w').write('x')\nprint(x)");
    given_up = false;
    run("x");
    if (retort_undo(session, 1, &report, &error) < 0)
        return 2;
    retort_free(report);
    run("x + 1");
    if (retort_replay(engine, retort_session_id(session), NULL, NULL, &equal, &report, &error) < 0 || !equal)
        return 3;
    retort_free(report);
    snprintf(id, sizeof id, "%s", retort_session_id(session));
    retort_session_close(session);
    if (retort_session_resume(engine, id, &session, &error) < 0)
        return 4;
    given_up = true;
    run("x = 3");
    given_up = false;
    run("x");
    retort_close(engine);
    return 0;
}
"""


@pytest.mark.few
def test_a_cell_that_was_cancelled_before_its_start_never_ran(build, tmp_path):
    source = tmp_path / "cancels.c"
    source.write_text(CANCELS)
    program = compiled(source, build, tmp_path, "shared")
    env = {"PATH": os.environ["PATH"], "RETORT_LIBEXEC": str(build), "RETORT_STATE": str(tmp_path / "state")}
    done = subprocess.run([program], env=env, stdout=subprocess.PIPE, timeout=120)
    first, second, third, last, unstarted, resumed = map(json.loads, done.stdout.splitlines())
    assert done.returncode == 0
    assert (first["status"], first["value"]) == ("ok", {"text/plain": "1"})
    assert (second["cell"], second["status"], second["state"], second["flags"]) == (2, "interrupted", "rolled_back", [])
    assert (second["stdout"], second["value"], second["files"], second["error"]) == ("", None, [], None)
    assert second["ledger"]["hash"]
    assert (unstarted["status"], unstarted["state_notes"]) == ("interrupted", [])
    assert resumed["value"] == {"text/plain": "1"} and "rebuilt by replay" in str(resumed["state_notes"])
    assert (third["cell"], third["value"], third["files"]) == (3, {"text/plain": "1"}, [])
    assert last["value"] == {"text/plain": "2"}


OFFERS = r"""
#include <retort.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *tool(void *user, const char *name, const char *arguments, char **ret_failure) {
    char *text = malloc((2 << 20) + 3);
    (void)user, (void)name, (void)arguments, (void)ret_failure;
    memset(text, ' ', (2 << 20) + 2);
    text[0] = text[(2 << 20) + 1] = '"';
    text[(2 << 20) + 2] = 0;
    return text;
}

int main(void) {
    static const char code[] = "try:\n    tools.big()\nexcept Exception as e:\n    print(e)\n"
                               "try:\n    tools.big(x='y' * (2 << 20))\nexcept Exception as e:\n    print(e)";
    struct retort_engine_options options = {.no_state = true};
    struct retort_callbacks callbacks = {.tool = tool};
    struct retort_execute_options how = {.callbacks = &callbacks};
    struct retort_engine *engine;
    struct retort_session *session;
    struct retort_result *result;
    struct retort_error error;
    size_t len = 1;
    char *many = malloc(1 << 20);
    if (!many || retort_open(&options, &engine, &error) < 0 || retort_session_new(engine, NULL, &session, &error) < 0)
        return 1;
    strcpy(many, "[");
    for (int i = 0; i < 129; i++)
        len += sprintf(many + len, "%s{\"name\": \"t%d\"}", i ? "," : "", i);
    strcpy(many + len, "]");
    if (retort_tools(session, many, &error) == 0)
        return 2;
    puts(error.message);
    if (retort_tools(session, "[{\"name\": \"big\", \"parameters\": {\"properties\": {\"x\": {}}}}]", &error) < 0 ||
        retort_execute(session, code, strlen(code), &how, &result, &error) < 0)
        return 3;
    puts(retort_result_json(result, &len));
    retort_result_free(result);
    free(many);
    retort_close(engine);
    return 0;
}
"""


def test_tools_of_the_library_have_the_limits_of_the_doors(build, tmp_path):
    source = tmp_path / "offers.c"
    source.write_text(OFFERS)
    program = compiled(source, build, tmp_path, "shared")
    env = {"PATH": os.environ["PATH"], "RETORT_LIBEXEC": str(build)}
    done = subprocess.run([program], env=env, stdout=subprocess.PIPE, timeout=120)
    refused, result = done.stdout.splitlines()
    assert done.returncode == 0
    assert b"128" in refused
    assert json.loads(result)["stdout"].splitlines() == [
        "the result of the tool is too large", "the arguments are no JSON object, or too long or too deep"]


NEWER = r"""
#include <retort.h>
#include <stdio.h>

static int told(int r, const struct retort_error *error) {
    puts(r < 0 ? error->message : "taken");
    return r;
}

/* What a program does that was compiled with a header of tomorrow: it sets members that are not known yet. */
int main(void) {
    struct retort_engine_options options = {.no_state = true, .reserved[5] = 1};
    struct retort_session_options more = {.reserved[0] = 1}, limited = {.limits.reserved[8] = 1};
    struct retort_callbacks callbacks = {.reserved[0] = 1};
    struct retort_execute_options how = {.reserved[5] = 1}, calling = {.callbacks = &callbacks};
    struct retort_engine *engine;
    struct retort_session *session;
    struct retort_result *result;
    struct retort_error error;
    told(retort_open(&options, &engine, &error), &error);
    options.reserved[5] = 0;
    if (told(retort_open(&options, &engine, &error), &error) < 0)
        return 1;
    told(retort_session_new(engine, &more, &session, &error), &error);
    told(retort_session_new(engine, &limited, &session, &error), &error);
    if (told(retort_session_new(engine, NULL, &session, &error), &error) < 0)
        return 1;
    told(retort_execute(session, "1", 1, &how, &result, &error), &error);
    told(retort_execute(session, "1", 1, &calling, &result, &error), &error);
    told(retort_execute(session, "1", 1, NULL, &result, &error), &error);
    retort_result_free(result);
    retort_close(engine);
    return 0;
}
"""


def test_options_of_a_later_version_are_refused_and_not_passed_over(build, tmp_path):
    source = tmp_path / "newer.c"
    source.write_text(NEWER)
    program = compiled(source, build, tmp_path, "shared")
    env = {"PATH": os.environ["PATH"], "RETORT_LIBEXEC": str(build)}
    done = subprocess.run([program], env=env, stdout=subprocess.PIPE, timeout=120, text=True)
    said = ["taken" if line == "taken" else "does not know" in line for line in done.stdout.splitlines()]
    assert said == [True, "taken", True, True, "taken", True, True, "taken"]


RESUMES = r"""
#include <errno.h>
#include <retort.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    struct retort_engine *engine;
    struct retort_session *session, *again = NULL;
    struct retort_error error;
    char id[64];
    if (retort_open(NULL, &engine, &error) < 0 || retort_session_new(engine, NULL, &session, &error) < 0)
        return 1;
    snprintf(id, sizeof id, "%s", retort_session_id(session));
    if (retort_session_resume(engine, id, &again, &error) != -EBUSY)
        return 2;
    retort_session_close(session);
    if (retort_session_resume(engine, id, &again, &error) < 0 || strcmp(retort_session_id(again), id) != 0)
        return 3;
    if (retort_session_resume(engine, id, &session, &error) != -EBUSY)
        return 4;
    retort_close(engine);
    return 0;
}
"""


def test_one_session_does_not_live_twice(build, tmp_path):
    source = tmp_path / "resumes.c"
    source.write_text(RESUMES)
    program = compiled(source, build, tmp_path, "shared")
    env = {"PATH": os.environ["PATH"], "RETORT_LIBEXEC": str(build), "RETORT_STATE": str(tmp_path / "state")}
    assert subprocess.run([program], env=env, timeout=60, check=False).returncode == 0


SKILLED = r"""
#include <retort_skills.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct retort_session *caller;

static char *tool(void *user, const char *name, const char *arguments, char **ret_failure) {
    char *value = NULL;
    struct retort_skill_call call = {.session = caller, .name = name, .arguments = arguments, .seconds = 20};
    if (retort_skillset_call(user, &call, &value, ret_failure))
        return value;
    *ret_failure = strdup("none of ours");
    return NULL;
}

int main(int argc, char **argv) {
    struct retort_library library = {.state_dir = argv[1]};
    struct retort_engine_options options = {.state_dir = argv[1]};
    struct retort_skillset *skills;
    struct retort_session *session;
    struct retort_result *result;
    struct retort_error error = {0};
    char *text;
    static const char code[] = "from skills import double\ndef six(n):\n    'Multiplies by six.'\n    return 6 * n\n"
                               "print(double(x=21), six(1), six(2))";
    if (argc < 4 || retort_open(&options, &library.engine, &error) < 0 ||
        retort_skill_add(&library, argv[2], &text, &error) < 0)
        return puts(error.message), 1;
    retort_free(text);
    if (retort_skill_list(&library, "double a number", &text, &error) < 0 || !strstr(text, "\"double\""))
        return 2;
    retort_free(text);
    if (retort_skillset_new(&library, "[\"double@1\"]", &skills, &error) < 0 ||
        retort_skillset_tools(skills, &text, &error) < 0 ||
        retort_session_new(library.engine, NULL, &session, &error) < 0 || retort_tools(session, text, &error) < 0)
        return puts(error.message), 3;
    retort_free(text);
    caller = session;
    struct retort_callbacks callbacks = {.user = skills, .tool = tool};
    struct retort_execute_options run = {.callbacks = &callbacks};
    if (retort_execute(session, code, sizeof code - 1, &run, &result, &error) < 0)
        return puts(error.message), 4;
    size_t len;
    puts(strstr(retort_result_json(result, &len), "42 6 12") ? "42" : retort_result_json(result, &len));
    retort_result_free(result);
    char id[64];
    snprintf(id, sizeof id, "%s", retort_session_id(session));
    retort_session_close(session);
    if (retort_skill_learn(&library, id, "six", &text, &error) < 0)
        return puts(error.message), 5;
    retort_free(text);
    if (retort_skill_test(&library, "six", &text, &error) < 0 || retort_skill_export(&library, "six@1", argv[3], &error) < 0)
        return puts(error.message), 6;
    retort_free(text);
    if (retort_skill_remove(&library, "six", &error) < 0 || retort_skill_show(&library, "six", &text, &error) == 0)
        return 7;
    puts(error.message);
    retort_skillset_close(skills);
    retort_close(library.engine);
    return 0;
}
"""


def test_a_program_keeps_and_calls_skills(build, tmp_path):
    source = tmp_path / "skilled.c"
    source.write_text(SKILLED)
    program = compiled(source, build, tmp_path, "shared")
    folder = tmp_path / "double"
    folder.mkdir()
    (folder / "SKILL.md").write_text("---\nname: double\ndescription: Doubles a number.\n---\n")
    (folder / "skill.py").write_text("def double(x):\n    return 2 * x\n")
    (folder / "skill.json").write_text(json.dumps({"functions": ["double"], "tests": [{"in": {"x": 3}, "out": 6}, {"in": {"x": 1}, "out": 2}]}))
    env = {"PATH": os.environ["PATH"], "RETORT_LIBEXEC": str(build)}
    done = subprocess.run([program, tmp_path / "state", folder, tmp_path / "out"], env=env, capture_output=True, text=True, timeout=120, check=False)
    assert (done.stdout, done.returncode) == ("42\nthere is no skill six\n", 0), done
    assert "def six" in (tmp_path / "out/six/skill.py").read_text()
