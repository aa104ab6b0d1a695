"""The project's own tools: each check must be able to fail."""
import collections
import fcntl
import importlib.machinery
import importlib.util
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest

import traces

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)


@pytest.fixture
def tree(tmp_path):
    """A project of three folders that keeps to its table."""
    for name in ("src/base", "src/wire", "guest/python", "include", "scripts"):
        (tmp_path / name).mkdir(parents=True)
    shutil.copy(ROOT / "scripts/layers", tmp_path / "scripts")
    (tmp_path / "ARCHITECTURE.md").write_text("| src/base | nothing |\n| src/wire | src/base |\n")
    (tmp_path / "Makefile").write_text("modules:\n\t@echo $(patsubst %,BASE:%,$(wildcard src/base/*.c)) WIRE:src/wire/w.c\n")
    (tmp_path / "src/base/b.h").write_text("#include <stdio.h>\n")
    (tmp_path / "src/wire/w.h").write_text('#include "base/b.h"\n')
    return tmp_path


def test_make_alone_builds_the_programs(tmp_path):
    done = run("make", "-n", f"B={tmp_path}", cwd=ROOT)
    assert done.returncode == 0 and f"-o {tmp_path}/retort-supervisor" in done.stdout, done.stdout[:500]


def test_layers_accepts_what_the_table_allows(tree):
    assert run(tree / "scripts/layers").returncode == 0


@pytest.mark.parametrize("line", ['#include "wire/w.h"', "#include <wire/w.h>", '#  include "../wire/w.h"'])
def test_layers_refuses_an_include_against_the_table(tree, line):
    (tree / "src/base/b.c").write_text(f'#include "b.h"\n{line}\n')
    done = run(tree / "scripts/layers")
    assert done.returncode == 1
    assert "src/base/b.c:2: src/base may not use src/wire" in done.stdout


def test_layers_refuses_a_folder_that_is_not_in_the_table(tree):
    (tree / "src/new").mkdir()
    (tree / "src/new/n.c").write_text("")
    done = run(tree / "scripts/layers")
    assert done.returncode == 1
    assert "src/new: missing from the table" in done.stdout


@pytest.mark.parametrize("lists, complaint", [("WIRE:src/wire/v.c", "src/wire/w.c: in no module"),
                                              ("WIRE:src/wire/w.c BASE:src/wire/w.c", "src/wire/w.c: in WIRE and BASE")])
def test_layers_refuses_a_source_file_without_its_one_module(tree, lists, complaint):
    (tree / "src/wire/w.c").write_text("")
    (tree / "Makefile").write_text(f"modules:\n\t@echo {lists}\n")
    done = run(tree / "scripts/layers")
    assert done.returncode == 1
    assert complaint in done.stdout


def test_json_is_read_and_written_in_one_place():
    """src/base/jsonwhole.h says what jansson does when memory is short."""
    calls = [f"{path.relative_to(ROOT)}: {line.strip()}" for path in sorted(ROOT.glob("src/**/*.c"))
             for line in path.read_text().splitlines() if re.search(r"\bjson_(load|dump)\w*\(", line)]
    assert [call.split(":")[0] for call in calls] == ["src/base/jsonout.c", "src/base/jsonwhole.c", "src/base/jsonwhole.c"], calls


WALK = re.compile(r"^\| `([\w/]+\.(?:c|py))` \| (.*) \|$", re.MULTILINE)


def test_walks_name_functions_where_they_are():
    rows = WALK.findall((ROOT / "ARCHITECTURE.md").read_text())
    assert len(rows) > 30
    missing = [f"{path}: {name}" for path, words in rows for name in re.findall(r"`(\w+)`", words)
               if not re.search(rf"\b{name}\(", (ROOT / path).read_text())]
    assert not missing


LONG = "int long_one(void) {\n" + "    call();\n" * 60 + "}\n"
TWIN = """
static int NAME(int number, char *text) {
    struct thing *thing = find(number);

    if (!thing)
        return refuse(number, "no such thing");
    thing->count += number;
    thing->text = text;
    write_down(thing, thing->count, 7);
    return thing->count;
}
"""
SHAPES = {
    "long-functions": [("src/base/b.c", LONG)],
    "many-parameters": [("src/base/b.c", "int f(int a, int b, int c,\n      int d, int e, int (*f)(int, int), int g) {\n}\n")],
    "large-structs": [("src/base/b.h", "struct big {\n    int a, b;\n    struct {\n" + "        int c;\n" * 24 + "    };\n};\n")],
    "large-headers": [("src/base/b.h", "typedef int handler(int);\nhandler one, two;\n" + "int f(void);\n" * 24)],
    "large-folders": [(f"src/base/b{n}.c", "") for n in range(17)],
    "same-functions": [("src/base/b.c", "static void f(void) {\n}\n"), ("src/base/c.c", "void f(void) {\n}\n")],
    "same-structs": [("src/base/b.h", "struct s {\n    int a;\n};\n"), ("src/base/c.c", "struct s {\n    int a;\n};\n")],
    "broken-banners": [("src/base/b.c", "/* --- reading ------\n * ------ */\n")],
    "unknown-files": [("src/base/b.c", "/* See base/gone.h. */\n")],
    "same-lines": [("src/base/b.c", TWIN.replace("NAME", "f")), ("src/base/c.c", TWIN.replace("NAME", "g").replace("thing", "place"))],
}


def shape(tree, *arguments):
    shutil.copy(ROOT / "scripts/shape", tree / "scripts")
    return run(tree / "scripts/shape", *arguments)


@pytest.mark.parametrize("measure", SHAPES)
def test_shape_sees_what_is_too_much(tree, measure):
    before = shape(tree, "-v", measure).stdout
    for path, text in SHAPES[measure]:
        (tree / path).write_text(text)
    assert "src/base" not in before
    assert "    src/base" in shape(tree, "-v", measure).stdout


def test_shape_leaves_alone_what_is_not(tree):
    (tree / "src/base/b.h").write_text("/* base/b.h */\n/* --- reading --- */\nstruct s {\n    int a;\n};\nint f(struct s *s);\n")
    (tree / "src/base/b.c").write_text("struct s;\nint f(struct s *s) {\n    return s->a;\n}\n")
    assert "src/base" not in shape(tree, "-v").stdout


def test_shape_fails_above_a_bound(tree):
    assert shape(tree).returncode == 0
    (tree / "src/base/b.c").write_text(LONG)
    assert shape(tree).returncode == 1


@pytest.fixture
def compiled(tmp_path):
    """compiled(source): a build directory whose three privileged programs are made of that source."""

    def compile_all(source):
        (tmp_path / "guest/python").mkdir(parents=True)
        (tmp_path / "p.c").write_text(source)
        for name in ("retort-supervisor", "retort-init", "guest/python/_retort.abi3.so"):
            subprocess.run(["gcc", "-g", "-shared", "-fPIC", "-o", tmp_path / name, tmp_path / "p.c"], check=True)
        return tmp_path

    return compile_all


def test_boundary_accepts_harmless_programs(compiled):
    build = compiled("static inline int ablation(void) { return 0; } int f(void) { return ablation(); }")
    # At -O0 the inline function leaves a symbol; the release is built with -O2.
    subprocess.run(["gcc", "-O2", "-g", "-shared", "-fPIC", "-o", build / "retort-supervisor", build / "p.c"], check=True)
    assert "retort-supervisor" not in run(ROOT / "scripts/boundary", build).stdout


@pytest.mark.parametrize("symbol", ["json_loads", "curl_easy_init", "MHD_start_daemon", "event_base_new", "sqlite3_open",
                                    "evhttp_new", "agent_run"])
@pytest.mark.few(1)
def test_boundary_refuses_foreign_symbols(compiled, symbol):
    done = run(ROOT / "scripts/boundary", compiled(f"void {symbol}(void); void f(void) {{ {symbol}(); }}"))
    assert done.returncode == 1
    assert f"retort-init: has the symbol {symbol}" in done.stdout


@pytest.mark.parametrize("given", [[], ["/nowhere"], ["a", "b"]])
def test_boundary_says_what_it_wants(given):
    done = run(ROOT / "scripts/boundary", *given)
    assert done.returncode == 1 and done.stderr.startswith("boundary: usage: scripts/boundary BUILD")


def test_boundary_refuses_a_switch_that_turns_layers_off(compiled):
    done = run(ROOT / "scripts/boundary", compiled('const char *f(void) { return "RETORT_ABLATE"; }'))
    assert done.returncode == 1
    assert "retort-supervisor: holds the text 'ABLAT'" in done.stdout


def test_a_link_that_fails_is_not_taken_for_one_that_succeeds(build, tmp_path):
    """The real link line of the static program, with an object that calls a function nobody has. (nm would not tell
    afterwards: a program that is static and position independent keeps no trace of what it lacks.)"""
    (tmp_path / "q.c").write_text("int nowhere(void); int q(void); int q(void) { return nowhere(); }")
    subprocess.run(["gcc", "-fPIC", "-c", "-o", tmp_path / "q.o", tmp_path / "q.c"], check=True)
    for name in ("obj", "guest"):
        (tmp_path / name).symlink_to(build / name)
    options = [] if build == ROOT / "build" else [f"VARIANT={build.name}"]
    link = ["make", "-s", "-C", ROOT, *options, f"B={tmp_path}", tmp_path / "retort"]
    done = run(*link)
    assert (done.returncode, done.stderr) == (0, "")
    (tmp_path / "retort").unlink()
    done = run(*link, f"STATIC=-static-pie {tmp_path}/q.o")
    assert done.returncode != 0 and "undefined reference to `nowhere'" in done.stderr
    assert not (tmp_path / "retort").exists()


def test_boundary_refuses_missing_programs(tmp_path):
    assert "retort-supervisor: not built" in run(ROOT / "scripts/boundary", tmp_path).stdout


@pytest.fixture
def fakes(tmp_path):
    """fakes(name=script…): a PATH with these programs in front and, of the system's, only what deps itself uses."""

    def make(**scripts):
        for name in ("dirname", "sh", "env", "sed", "head", "grep", "flock"):
            (tmp_path / name).symlink_to(shutil.which(name))
        for name, script in scripts.items():
            path = tmp_path / name.replace("_", "-")
            path.write_text(f"#!/bin/sh\n{script}\n")
            path.chmod(0o755)
        return {"PATH": str(tmp_path), "LOG": str(tmp_path / "log")}

    return make


# deps asks dpkg-query for one package at a time, and for what python3 depends on.
LACKS_GCC = 'case "$*" in *Depends*) echo "python3.11 (>= 3.11.2)" ;; *" gcc") ;; *) printf installed ;; esac'
LACKS_ALL = 'exit 1'


def test_deps_never_calls_apt_when_all_is_there(fakes):
    env = fakes(dpkg_query="printf installed", id="echo 0", apt_get='echo called >>"$LOG"')
    assert run(ROOT / "scripts/deps", "build", "test", env=env).returncode == 0
    assert not pathlib.Path(env["LOG"]).exists()


def test_deps_installs_only_what_is_missing(fakes):
    env = fakes(dpkg_query=LACKS_GCC, id="echo 0", apt_cache="", apt_get='echo "$@" >>"$LOG"')
    assert run(ROOT / "scripts/deps", "build", env=env).returncode == 0
    assert pathlib.Path(env["LOG"]).read_text() == "install -y -q --no-install-recommends -o DPkg::Lock::Timeout=600 gcc\n"


def test_of_two_deps_one_installs_and_the_other_finds_it(fakes):
    lacks = 'case "$*" in *Depends*) echo "python3.11 (>= 3.11.2)" ;; *" gcc") [ ! -e "$LOG" ] || printf installed ;; *) printf installed ;; esac'
    env = fakes(dpkg_query=lacks, id="echo 0", apt_cache="", apt_get='echo "$1" >>"$LOG"')
    with open(ROOT / "scripts/packages", encoding="utf-8") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        both = [subprocess.Popen([ROOT / "scripts/deps", "build"], env=env) for _ in range(2)]
        wait_for_flock(both)
    assert [one.wait() for one in both] == [0, 0]
    assert pathlib.Path(env["LOG"]).read_text() == "install\n"


@pytest.mark.few
def test_who_builds_in_a_tree_waits_for_its_turn():
    with open(ROOT / "Makefile", encoding="utf-8") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        make = subprocess.Popen(["make", "-n", "demo"], cwd=ROOT, stdout=subprocess.DEVNULL)
        wait_for_flock([make])
    assert make.wait() == 0


def wait_for_flock(programs):
    """Each of them has come to a flock(1), and stays there."""
    for program in programs:
        while not any(traces.name_of(pid) == "flock" for pid in traces.tree(program.pid)):
            assert program.poll() is None
            time.sleep(0.01)


def test_deps_uses_sudo_when_not_root(fakes):
    env = fakes(dpkg_query=LACKS_GCC, id="echo 1000", sudo='echo sudo >>"$LOG"; exec "$@"', apt_cache="",
                apt_get='echo "$1" >>"$LOG"')
    assert run(ROOT / "scripts/deps", "build", env=env).returncode == 0
    assert pathlib.Path(env["LOG"]).read_text() == "sudo\ninstall\n"


def test_deps_says_what_to_do_without_root_and_sudo(fakes):
    env = fakes(dpkg_query=LACKS_GCC, id="echo 1000", apt_get='echo "$@" >>"$LOG"')
    done = run(ROOT / "scripts/deps", "build", env=env)
    assert done.returncode == 1
    assert done.stderr == "deps: missing packages; as root, run: apt-get install gcc\n"
    assert not pathlib.Path(env["LOG"]).exists()


def test_deps_knows_no_version_before_apt_does(fakes):
    """On a bare system the first `apt-get update` tells which Python the release has."""
    apt_cache = 'grep -q update "$LOG" 2>/dev/null || exit 100; echo "Depends: python3.13 (>= 3.13.5-1~), libpython3-stdlib (= 3.13.5-1)"'
    env = fakes(dpkg_query=LACKS_ALL, id="echo 0", apt_cache=apt_cache, apt_get='echo "$@" >>"$LOG"')
    assert run(ROOT / "scripts/deps", "build", "test", env=env).returncode == 0
    first, second = pathlib.Path(env["LOG"]).read_text().splitlines()
    assert first == "update -q"
    assert {"gcc", "libpython3.13-testsuite"} < set(second.split()) and "@" not in second


def test_deps_leaves_out_what_the_release_lacks_for_tests_alone(fakes):
    apt_cache = '[ "$3" != mypy ] && [ "$3" != libedit-dev ]'
    env = fakes(dpkg_query=LACKS_ALL, id="echo 0", apt_cache=apt_cache, apt_get='echo "$@" >>"$LOG"')
    done = run(ROOT / "scripts/deps", "build", "test", env=env)
    assert done.stderr == "deps: this release has no mypy; the tests that need it will be skipped\n"
    installed = pathlib.Path(env["LOG"]).read_text().splitlines()[-1].split()
    assert "libedit-dev" in installed and "curl" in installed and "mypy" not in installed


def test_no_package_has_a_version_in_its_name():
    lines = (ROOT / "scripts/packages").read_text().splitlines()
    names = [line.split()[1] for line in lines if line and not line.startswith("#")]
    assert [name for name in names if re.search(r"\d\.\d|-\d+(-|$)", name)] == []


@pytest.mark.parametrize("version, serves", [("v20.1.0", True), ("v18.0.0", True), ("v16.9.9", False)])
def test_deps_accepts_a_node_that_is_new_enough(fakes, version, serves):
    env = fakes(dpkg_query='[ "$4" = nodejs ] || printf installed', id="echo 0", node=f"echo {version}",
                apt_cache="", apt_get='echo "$@" >>"$LOG"')
    assert run(ROOT / "scripts/deps", "build", env=env).returncode == 0
    assert pathlib.Path(env["LOG"]).exists() is not serves


@pytest.mark.parametrize("script, says, ends", [
    ("demo", "retort: layer user: not here", "demo: FAILED: exit status 7 instead of 0: retort: layer user: not here"),
    ("demo-agent", "ModuleNotFoundError: No module named 'numpy'", ": ModuleNotFoundError: No module named 'numpy'"),
    ("demo-patterns", "retort: layer user: not here", 'did not say "mail went to: ann@example.org": retort: layer user: not here')])
def test_the_last_line_of_a_failing_demo_names_the_cause(tmp_path, script, says, ends):
    program = tmp_path / "retort"
    program.write_text(f'#!/bin/sh\necho "{says}" >&2\nexit 7\n')
    program.chmod(0o755)
    done = run(ROOT / "scripts" / script, tmp_path)
    assert done.returncode != 0 and done.stderr.splitlines()[-1].endswith(ends)


@pytest.mark.parametrize("script", ["demo", "demo-agent", "demo-patterns"])
def test_a_demo_that_is_interrupted_leaves_nothing(tmp_path, script):
    program, folder = tmp_path / "retort", tmp_path / "tmp"
    program.write_text("#!/bin/sh\nexec sleep 1000\n")
    program.chmod(0o755)
    folder.mkdir()
    with subprocess.Popen([ROOT / "scripts" / script, tmp_path], env=os.environ | {"TMPDIR": str(folder)}, start_new_session=True,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as demo:
        while not any(traces.name_of(pid) == "sleep" for pid in traces.tree(demo.pid)):
            assert demo.poll() is None
            time.sleep(0.01)
        assert list(folder.iterdir())
        os.killpg(demo.pid, signal.SIGINT)
    assert demo.returncode == 130 and not list(folder.iterdir())


@pytest.mark.parametrize("call", ["strcpy(a, b)", "sprintf(a, b)", "system(b)", "atoi(b)", "signal(1, 0)", "mktemp(a)"])
def test_banned_functions_do_not_compile(tmp_path, call):
    source = tmp_path / "s.c"
    source.write_text(f"void f(char *a, const char *b);\nvoid f(char *a, const char *b) {{ (void)a; (void)b; {call}; }}\n")
    done = run("gcc", "-std=gnu17", "-Wall", "-Werror", "-include", ROOT / "src/base/banned.h", "-c", "-o", "/dev/null", source)
    assert done.returncode != 0
    assert "poisoned" in done.stderr or "banned" in done.stderr


def add_unit(tree, name, script):
    program = tree / "out/tests" / name
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    source = tree / f"tests/unit/{name}.c"
    if not source.exists():
        source.write_text("")


@pytest.mark.few
def test_make_alone_builds():
    done = run("make", "-n", "-B", cwd=ROOT)
    assert "build/retort-supervisor" in done.stdout and done.stdout == run("make", "-n", "-B", "all", cwd=ROOT).stdout


@pytest.fixture
def suite(tree):
    """suite(tap, *arguments, **env): runs scripts/check over one unit test that prints this; gives status and last line."""
    for name in ("tests/unit", "tests/fuzz", "out/tests"):
        (tree / name).mkdir(parents=True)
    shutil.copy(ROOT / "scripts/check", tree / "scripts")
    (tree / "scripts/shape").write_text("#!/bin/sh\n")
    (tree / "scripts/shape").chmod(0o755)
    (tree / "tests/unit/test_x.c").write_text("alpha beta")

    def check(tap, *arguments, status=0, **env):
        add_unit(tree, "test_x", f"cat <<'END'\n{tap}END\nexit {status}")
        done = run(tree / "scripts/check", "--build", "out", *arguments, env={"PATH": "/usr/bin:/bin", **env})
        return done.returncode, done.stdout.splitlines()[-1]

    return check


def test_check_sums_up(suite):
    assert suite("ok 1 - alpha\nok 2 - beta\n") == (0, "4 passed, 0 failed, 0 skipped")


def test_check_fails_when_a_case_fails(suite):
    assert suite("ok 1 - alpha\nnot ok 2 - beta\n", status=1) == (1, "3 passed, 1 failed, 0 skipped")


def test_check_fails_when_a_program_dies(suite):
    assert suite("ok 1 - alpha\n", status=99) == (1, "3 passed, 1 failed, 0 skipped")


def test_check_fails_when_a_program_says_nothing(suite):
    assert suite("") == (1, "2 passed, 1 failed, 0 skipped")


def test_a_skip_fails_only_in_ci(suite):
    skipped = "ok 1 - alpha\nnot ok 2 # SKIP beta\n"
    assert suite(skipped) == (0, "3 passed, 0 failed, 1 skipped")
    assert suite(skipped, CI="true") == (1, "3 passed, 0 failed, 1 skipped")


def test_check_keeps_what_is_named(suite):
    both = "ok 1 - alpha\nok 2 - beta\n"
    assert suite(both, "-T", "alpha") == (0, "1 passed, 0 failed, 0 skipped")
    assert suite(both, "-T", "test_x") == (0, "2 passed, 0 failed, 0 skipped")
    assert suite(both, "-T", "gamma") == (1, "0 passed, 0 failed, 0 skipped")


def test_check_ends_a_program_that_hangs(suite):
    """On a loaded machine the first limits may be over before others have had their time."""
    assert any(suite("", "--time-limit", limit, status="$(sleep 1000)") == (1, "2 passed, 1 failed, 0 skipped")
               for limit in ("2", "15", "60"))


def test_check_reports_what_passed_before_a_test_that_hangs(suite, tree):
    """On a loaded machine the first limits may be over before pytest is there."""
    (tree / "tests/system").mkdir()
    (tree / "tests/system/test_z.py").write_text("import time\ndef test_a(): pass\ndef test_b(): time.sleep(1000)\n")
    unit = "ok 1 - alpha\n"
    assert any(suite(unit, "--time-limit", limit) == (1, "4 passed, 1 failed, 0 skipped") for limit in ("3", "15", "60"))


def test_check_refuses_a_unit_test_that_is_not_built(suite, tree):
    (tree / "tests/unit/test_y.c").write_text("")
    assert suite("ok 1 - alpha\n") == (1, "3 passed, 1 failed, 0 skipped")


def test_jobs_run_side_by_side(suite, tree):
    """Each of two ends only when the other has begun."""
    os.mkfifo(tree / "meeting")
    add_unit(tree, "test_reads", f"cat {tree}/meeting && echo ok 1 - reads")
    add_unit(tree, "test_writes", f"echo >{tree}/meeting && echo ok 1 - writes")
    assert suite("ok 1 - alpha\n", "-j", "2") == (0, "5 passed, 0 failed, 0 skipped")


def test_another_job_is_started_while_processors_are_idle(monkeypatch):
    loader = importlib.machinery.SourceFileLoader("check", str(ROOT / "scripts/check"))
    check = importlib.util.module_from_spec(importlib.util.spec_from_loader("check", loader))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # it would lie beside the script
    loader.exec_module(check)
    clock = [0, 0, 0]  # seconds, ticks that were idle, ticks in all
    monkeypatch.setattr(check.Processors, "now", lambda self: tuple(clock))
    monkeypatch.setattr(check.time, "monotonic", lambda: clock[0])
    processors = check.Processors()
    clock[:] = 0.5, 100, 100
    assert not processors.room(), "the job before may not have begun"
    clock[:] = 1, 110, 200
    assert processors.room()
    clock[:] = 2, 120, 400
    assert not processors.room(), "they were busy for 19 parts of 20"
    assert processors.report() == "2 s, processors busy for 70 % of it"


def test_every_job_has_a_place_of_its_own_that_goes_with_it(suite, tree):
    for name in ("test_a", "test_b"):
        add_unit(tree, name, f'[ -z "$(ls -A $TMPDIR)" ] && touch $TMPDIR/left && echo $TMPDIR >>{tree}/places && echo ok 1 - {name}')
    assert suite("ok 1 - alpha\n") == (0, "5 passed, 0 failed, 0 skipped")
    first, second = (tree / "places").read_text().split()
    assert first != second and not pathlib.Path(first).parent.exists()


def test_check_shows_what_a_job_that_fails_has_printed(suite, tree):
    add_unit(tree, "test_y", "echo its last words; exit 3")
    done = run(tree / "scripts/check", "--build", "out", env={"PATH": "/usr/bin:/bin"})
    assert "its last words" in done.stdout and "FAIL test_y: exit status 3" in done.stdout
    assert (tree / "out/check/test_y.log").read_text() == "its last words\n"


@pytest.mark.parametrize("again,last", [((), ["FAIL test_y: exit status 3", "4 passed, 2 failed, 0 skipped"]),
                                        (("--again",), ["UNSTABLE test_y: exit status 3", "FAIL test_z: exit status 4", "5 passed, 1 failed, 0 skipped"])])
def test_what_fails_gets_a_second_try_where_that_is_wanted(suite, tree, again, last):
    assert suite("ok 1 - alpha\nok 2 - beta\n")[0] == 0
    add_unit(tree, "test_y", f"[ -e {tree}/before ] || {{ touch {tree}/before; exit 3; }}; echo ok 1 - y")
    add_unit(tree, "test_z", "exit 4")
    done = run(tree / "scripts/check", "--build", "out", *again, env={"PATH": "/usr/bin:/bin"})
    assert done.returncode == 1 and [line for line in last if line in done.stdout.splitlines()] == last


def test_tests_that_need_the_machine_run_when_the_others_are_over(suite, tree):
    (tree / "tests/system").mkdir()
    text = "import pathlib, pytest\ndef note(what): open({0!r}, 'a').write(what)\n" \
           "@pytest.mark.alone\ndef test_alone(): note('alone')\ndef test_other(): note('other ')\n"
    (tree / "tests/system/test_z.py").write_text(text.format(str(tree / "order")))
    add_unit(tree, "test_y", f"sleep 0.1; printf 'unit ' >>{tree}/order; echo ok 1 - y")
    assert suite("ok 1 - alpha\n") == (0, "6 passed, 0 failed, 0 skipped")
    assert (tree / "order").read_text().split()[-1] == "alone"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_check_ends_what_it_started_when_it_is_interrupted(suite, tree, number):
    os.mkfifo(tree / "up")
    add_unit(tree, "test_y", f"exec 3>{tree}/up; echo up >&3; sleep 1000 & wait")
    words = [tree / "scripts/check", "--build", "out", "-T", "test_y"]
    with subprocess.Popen(words, env={"PATH": "/usr/bin:/bin"}, stdout=subprocess.PIPE, text=True) as check:
        held = open(tree / "up")
        held.readline()
        check.send_signal(number)
        said, _ = check.communicate(timeout=100)
    assert check.returncode == 1 and said.splitlines()[-2:] == ["FAIL check: interrupted", "0 passed, 1 failed, 0 skipped"]
    assert held.read() == "", "whoever held it is gone"
    held.close()


def collected(file, **env):
    words = ["/usr/bin/python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--collect-only", file]
    return [line for line in run(*words, cwd=ROOT, env={**os.environ, **env}).stdout.splitlines() if "::" in line]


@pytest.mark.few
def test_the_parts_of_a_file_are_the_file():
    whole = collected(__file__, RETORT_PART="")
    parts = [name for part in ("1/3", "2/3", "3/3") for name in collected(__file__, RETORT_PART=part)]
    assert len(whole) > 20 and parts == whole


@pytest.mark.few
def test_by_turns_every_test_runs_once_and_every_caller_runs_some():
    def names_and_callers(soak):
        found = collected("tests/system/test_compare.py", RETORT_PART="", RETORT_ALL="1", RETORT_SOAK=soak)
        return [re.sub(r"\[(root|user)", "[", name) for name in found], {re.search(r"\[(root|user)", name)[1] for name in found}

    by_turns, callers = names_and_callers("")
    assert (sorted(by_turns), callers) == (sorted(set(names_and_callers("1")[0])), names_and_callers("1")[1])


def test_what_costs_much_runs_in_few_variants_unless_all_are_asked_for():
    def variants(every):
        found = collected("tests/system/test_hostile_packages.py", RETORT_PART="", RETORT_SOAK="", RETORT_ALL=every)
        return collections.Counter(re.search(r"::(\w+)", name)[1] for name in found)

    few, every = variants(""), variants("1")
    assert (few["test_wheels"], few["test_an_engine_goes_on"]) == (3, 0)
    assert every["test_wheels"] > 10 and every["test_an_engine_goes_on"] >= 1 and every >= few
