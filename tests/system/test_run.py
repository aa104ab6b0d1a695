"""retort run as a user sees it: output, results, exit statuses, limits, and what is left when it has ended."""
import dataclasses
import glob
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile

import pytest
import traces

FIELDS = {"schema": str, "session": str, "cell": int, "status": str, "exit_code": (int, type(None)),
          "signal": (int, type(None)), "flags": list, "stdout": str, "stderr": str, "truncated": dict, "files": list,
          "displays": list, "plots": list, "dataframes": list, "variables": list, "resources": dict, "state": str,
          "state_notes": list, "isolation": dict}
FLAGS = {"truncated", "disk_full", "pids_limit", "denied", "oom_child", "protocol_error", "artifact_rejected",
         "checkpoint_dropped", "files_incomplete", "account_full"}
CORE = {"user", "mount", "pid", "net", "ipc", "uts", "seccomp", "caps", "nnp"}
MEGABYTE = 1 << 20


@pytest.fixture(scope="module", autouse=True)
def subreaper():
    traces.adopt()


def text(done):
    return done.stdout.decode(), done.stderr.decode(), done.returncode


# ---- output, results, statuses ---------------------------------------------------------------------------------


@pytest.mark.parametrize("language, code", [("python", "print(6*7)"), ("bash", "echo $((6*7))"),
                                            ("javascript", "console.log(6*7)")])
def test_forty_two(caller, language, code):
    assert text(caller.run("run", "-l", language, "-c", code)) == ("42\n", "", 0)
    result = caller.result(code, language=language)
    assert (result["status"], result["stdout"]) == ("ok", "42\n")


def test_code_from_file_and_standard_input(retort, tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import sys\nprint('from', __file__ is not None)\n")
    assert retort.run("run", script).stdout == b"from True\n"
    assert retort.run("run", "-", input=b"print('dash')").stdout == b"dash\n"
    assert retort.run("run", input=b"print('nothing')").stdout == b"nothing\n"


def test_result_object(caller):
    result = caller.result("import sys\nprint('out'); print('err', file=sys.stderr)\nopen('made', 'w').write('abc')")
    for name, kind in FIELDS.items():
        assert isinstance(result[name], kind), name
    assert result["schema"] == "retort.result/1" and result["session"].startswith("s_") and result["cell"] == 1
    assert (result["stdout"], result["stderr"], result["error"]) == ("out\n", "err\n", None)
    assert set(result["flags"]) <= FLAGS
    [made] = result["files"]
    assert (made["path"], made["size"], made["change"]) == ("made", 3, "created")
    assert made["sha256"] == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert {"wall_ms", "cpu_ms", "peak_memory_mb", "processes"} <= set(result["resources"])
    assert all(amount > 0 for name, amount in result["resources"].items() if name not in ("threads", "idle_cpu_ms"))


def test_isolation_report(caller):
    isolation = caller.result("1")["isolation"]
    assert isolation["tier"] == "process" and CORE <= set(isolation["layers"])
    assert not set(isolation["layers"]) & set(isolation["missing"])
    assert set(isolation["missing"]) <= {"uid", "cgroup", "landlock"}
    if caller.root:
        assert "uid" in isolation["layers"]


def test_strict_refuses_what_is_missing(caller):
    missing = caller.result("1")["isolation"]["missing"]
    done = caller.run("run", "--strict", "-c", "print(1)")
    if missing:
        assert done.returncode == 125 and done.stdout == b"" and one_line(done.stderr)
        assert any(layer.encode() in done.stderr for layer in missing)
    else:
        assert done.returncode == 0


STATUSES = [  # language, code, options, status, exit status of retort
    ("python", "print('kept')", [], "ok", 0),
    ("python", "print('kept'); raise ValueError('no')", [], "error", 1),
    ("python", "print('kept'); import sys; sys.exit(3)", [], "exit", 3),
    ("python", "print('kept'); import sys; sys.exit()", [], "exit", 0),
    ("python", "print('kept', flush=True); import os; os._exit(7)", [], "exit", 7),
    ("python", "print('kept', flush=True); import ctypes; ctypes.string_at(0)", [], "signal", 139),
    ("python", "print('kept', flush=True); import os; os.abort()", [], "signal", 134),
    ("python", "print('kept', flush=True); import os; os.kill(os.getpid(), 9)", [], "signal", 137),
    ("python", "print('kept')\nwhile True: pass", [], "timeout", 124),
    ("python", "print('kept')\nwhile True: pass", ["--cpu", "1"], "cpu_limit", 124),
    ("python", "print('kept'); import time; time.sleep(1000)", [], "timeout", 124),
    ("bash", "echo kept", [], "ok", 0),
    ("bash", "echo kept; exit 3", [], "exit", 3),
    ("bash", "echo kept; kill -SEGV $$", [], "signal", 139),
    ("bash", "echo kept; while :; do :; done", [], "timeout", 124),
    ("javascript", "console.log('kept')", [], "ok", 0),
    ("javascript", "console.log('kept'); process.exit(3)", [], "exit", 3),
    ("javascript", "console.log('kept'); throw new Error('no')", [], "error", 1),
    ("javascript", "console.log('kept'); process.abort()", [], "signal", 134),
    ("javascript", "console.log('kept'); for (;;);", [], "timeout", 124),
]


@pytest.mark.parametrize("language, code, options, status, code_of_retort", STATUSES)
def test_status_and_exit_status(retort, language, code, options, status, code_of_retort):
    for patience in (1, 8, 64):
        more = ["--timeout", str(patience)] if status == "timeout" else []
        done = retort.run("run", "--json", "-l", language, *options, *more, "-c", code)
        result = json.loads(done.stdout)
        assert (result["status"], done.returncode) == (status, code_of_retort)
        if result["stdout"] or not more:  # on a busy machine the time may be over before an interpreter has begun
            break
    assert result["stdout"] == "kept\n"
    assert result["exit_code"] == (code_of_retort if status == "exit" else None)
    assert result["signal"] == (code_of_retort - 128 if status == "signal" else None)


def test_error_is_written_for_its_author(caller):
    result = caller.result("def f(x):\n    return 1 / x\nf(0)")
    error = result["error"]
    assert error["name"] == "ZeroDivisionError" and error["line"] == 2 and "f(0)" in error["traceback"]
    assert "/opt/retort" not in result["stderr"]


def test_output_passes_through_live(caller):
    """The first line arrives while the program still waits for what only its reader can end."""
    child = caller.popen("run", "-c", "print('first', flush=True)\nimport time; time.sleep(600)",
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        assert child.stdout.readline() == b"first\n"
    finally:
        child.kill()
        child.communicate()


def test_bytes_pass_through_unchanged(caller):
    done = caller.run("run", "-c", "import sys; sys.stdout.buffer.write(bytes(range(256)))")
    assert done.stdout == bytes(range(256))


# ---- files, environment, interpreters --------------------------------------------------------------------------


def test_file_goes_in(caller):
    source = caller.home / "data.csv"
    source.write_text("a,b\n1,2\n")
    for spec, name in ((f"{source}", "data.csv"), (f"{source}:other.csv", "other.csv"),
                       (f"{source}:deep/er/x.csv", "deep/er/x.csv")):
        result = caller.result(f"print(open('/work/{name}').read(), end='')", "--file", spec)
        assert result["stdout"] == "a,b\n1,2\n", result
        assert result["files"] == []


def test_files_come_out(caller):
    out = caller.home / "out"
    code = "import os\nos.makedirs('sub/dir')\nopen('a', 'w').write('1')\nopen('sub/dir/b', 'wb').write(b'x' * 3000000)"
    assert caller.run("run", "--out", out, "-c", code).returncode == 0
    assert sorted(str(p.relative_to(out)) for p in out.rglob("*") if p.is_file()) == ["a", "sub/dir/b"]
    assert (out / "a").read_text() == "1" and (out / "sub/dir/b").stat().st_size == 3000000


def test_unchanged_files_stay_in(caller):
    (caller.home / "same").write_text("same")
    (caller.home / "grows").write_text("short")
    out = caller.home / "changed"
    options = ["--file", caller.home / "same", "--file", caller.home / "grows", "--out", out]
    assert caller.run("run", *options, "-c", "open('grows', 'a').write(' and long')").returncode == 0
    assert [p.name for p in out.iterdir()] == ["grows"] and (out / "grows").read_text() == "short and long"


def test_environment_is_given_by_name(caller):
    code = "import os; print(os.environ['NAME'], os.environ.get('SECRET'))"
    done = caller.run("run", "--env", "NAME=a=b c", "-c", code, env={"SECRET": "host"})
    assert done.stdout == b"a=b c None\n"
    done = caller.run("run", "-l", "bash", "--env", "NAME=x", "-c", "echo $NAME$SECRET", env={"SECRET": "host"})
    assert done.stdout == b"x\n"


@pytest.fixture
def homes(caller):
    """The caller's home, which lies in /tmp, and one that does not."""
    other = pathlib.Path(tempfile.mkdtemp(dir="/var/tmp"))
    if os.geteuid() == 0:
        os.chown(other, caller.home.stat().st_uid, -1)
    yield caller.home, other
    shutil.rmtree(other)


@pytest.mark.parametrize("which", [0, 1], ids=["tmp", "elsewhere"])
def test_virtual_environment_under_a_home(caller, homes, which):
    home = homes[which]
    venv = home / "venv with space"
    subprocess.run(caller.command("/usr/bin/python3", "-m", "venv", "--without-pip", venv), check=True)
    [site] = venv.glob("lib/python3*/site-packages")
    (site / "only_here.py").write_text("value = 42\n")
    (home / "private").write_text("secret")
    code = f"import only_here, os, sys; print(only_here.value, sys.prefix, os.path.exists('{home}/private'))"
    for name in (venv, venv / "bin/python3"):
        assert text(caller.run("run", "--python", name, "-c", code)) == (f"42 {venv} False\n", "", 0)


def interpreters():
    """Those of pyenv that are new enough, if there are any, and the system's."""
    root = os.environ.get("PYENV_ROOT", os.path.expanduser("~/.pyenv"))
    found = glob.glob(f"{root}/versions/3.9.*/bin/python3") + glob.glob(f"{root}/versions/3.1[0-9].*/bin/python3")
    return [*found[:1], *found[-1:], "/usr/bin/python3"]


def test_other_interpreters(retort):
    for interpreter in interpreters():
        prefix = subprocess.run([interpreter, "-c", "import sys; print(sys.prefix)"], capture_output=True, check=True)
        done = retort.run("run", "--python", interpreter, "-c", "import sys, ssl, sqlite3, ctypes; print(sys.prefix)")
        assert (done.stdout, done.stderr) == (prefix.stdout, b"")


# ---- bad input ---------------------------------------------------------------------------------------------------


def one_line(stderr):
    return stderr.startswith(b"retort: ") and stderr.count(b"\n") == 1 and stderr.endswith(b"\n")


BAD = {
    "unknown option": ["--frobnicate", "-c", "1"],
    "unknown language": ["-l", "cobol", "-c", "1"],
    "unknown layer": ["--allow-missing", "moat", "-c", "1"],
    "missing script": ["no-such-file.py"],
    "script is a directory": ["."],
    "missing upload": ["--file", "no-such-file", "-c", "1"],
    "upload of a directory": ["--file", ".", "-c", "1"],
    "missing interpreter": ["--python", "no/such/python", "-c", "1"],
    "interpreter that is none": ["--python", "/etc/passwd", "-c", "1"],
    "interpreter that is something else": ["--python", "/bin/true", "-c", "1"],
    "negative time-out": ["--timeout", "-1", "-c", "1"],
    "zero memory": ["--memory", "0", "-c", "1"],
    "endless time-out": ["--timeout", "inf", "-c", "1"],
    "no number": ["--cpu", "many", "-c", "1"],
    "half a process": ["--pids", "1.5", "-c", "1"],
    "too little memory": ["--memory", "0.5", "-c", "1"],
    "option without value": ["-c"],
    "option twice": ["-c", "1", "-c", "2"],
    "option twice, by two names": ["-l", "bash", "--language", "bash", "-c", "1"],
    "value for a switch": ["--json=yes", "-c", "1"],
    "code twice": ["-c", "1", "file.py"],
    "variable without name": ["--env", "=x", "-c", "1"],
    "variable without value": ["--env", "NAME", "-c", "1"],
    "upload outside": ["--file", "/etc/hostname:../x", "-c", "1"],
    "upload to an absolute name": ["--file", "/etc/hostname:/etc/x", "-c", "1"],
    "upload without name": ["--file", "/etc/hostname:", "-c", "1"],
    "upload with a long name": ["--file", "/etc/hostname:" + "n" * 300, "-c", "1"],
    "output to a file": ["--out", "/etc/hostname", "-c", "1"],
    "output to nowhere": ["--out", "/no/such/directory", "-c", "1"],
    "seed": ["--seed", "-3", "-c", "1"],
}


@pytest.mark.parametrize("arguments", BAD.values(), ids=BAD.keys())
def test_bad_input(retort, arguments):
    done = retort.run("run", *arguments)
    assert (done.returncode, done.stdout, one_line(done.stderr)) == (125, b"", True), done


def test_limits_are_refused_in_their_own_unit(retort):
    done = retort.run("run", "--memory", "1", "-c", "1")
    assert done.stderr == b"retort: limit memory must be between 16 MiB and 1 TiB\n"
    done = retort.run("run", "--pids", "40000", "-c", "1")
    assert done.stderr == b"retort: limit pids must be between 1 and 32768\n"


def test_a_value_may_be_attached(retort):
    assert retort.run("run", "-cprint(6 * 7)", "--timeout=9").stdout == b"42\n"


def test_operands_after_two_dashes(retort):
    (retort.home / "-odd.py").write_text("print(6 * 7)")
    assert retort.run("run", "--", "-odd.py").stdout == b"42\n"


COMMANDS = ["run", "shell", "serve", "mcp", "rpc", "agent", "check", "review", "log", "verify", "replay", "export", "forget", "doctor"]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(retort, command):
    long = retort.run(command, "--help")
    assert (long.returncode, long.stderr) == (0, b"") and long.stdout.startswith(b"usage: retort " + command.encode())
    for words in ([command, "-h"], ["help", command], [command, "--json", "-h"] if command == "run" else [command, "-h"]):
        assert retort.run(*words).stdout == long.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_names_an_unknown_option(retort, command):
    done = retort.run(command, "--frobnicate")
    assert (done.returncode, done.stdout, one_line(done.stderr)) == (125, b"", True)
    assert b"--frobnicate" in done.stderr and f"`retort {command} --help`".encode() in done.stderr


def test_help_of_what_is_no_command(retort):
    done = retort.run("help", "frobnicate")
    assert (done.returncode, one_line(done.stderr)) == (125, True) and b"frobnicate" in done.stderr
    assert retort.run("-h").stdout == retort.run("help").stdout != b""


BAD_CODE = {"NUL": b"print(1)\0", "50 MB": b"#" * (50 * MEGABYTE), "not UTF-8": b"print('\xff')"}


@pytest.mark.parametrize("code", BAD_CODE.values(), ids=BAD_CODE.keys())
@pytest.mark.parametrize("language", ["python", "bash"])
def test_bad_code(retort, language, code):
    done = retort.run("run", "-l", language, "-", input=code)
    assert (done.returncode, done.stdout, one_line(done.stderr)) == (125, b"", True), done.stderr[:200]


def test_unreadable_interpreter(caller):
    hidden = caller.home / "hidden-python"
    hidden.write_bytes(b"")
    hidden.chmod(0)
    done = caller.run("run", "--python", hidden, "-c", "1")
    assert (done.returncode, done.stdout, one_line(done.stderr)) == (125, b"", True), done.stderr


def test_a_tight_umask_of_the_caller(caller):
    code = "import os\nprint(*(oct(os.stat(p).st_mode & 0o777) for p in ('/', '/etc', '/etc/passwd', '/dev/null', '/work')))"
    before = os.umask(0o077)
    try:
        done = caller.run("run", "-c", code)
    finally:
        os.umask(before)
    assert text(done) == ("0o755 0o755 0o444 0o666 0o755\n", "", 0)


def test_few_descriptors(caller):
    """Enough is enough, and too few is said with the remedy."""
    def run(files):
        limited = dataclasses.replace(caller, prefix=(*caller.prefix, "/usr/bin/prlimit", f"--nofile={files}"))
        return limited.run("run", "-c", "print(6 * 7)")
    assert text(run(64)) == ("42\n", "", 0)
    done = run(63)
    assert (done.returncode, done.stdout, one_line(done.stderr)) == (125, b"", True)
    assert b"ulimit -n" in done.stderr


@pytest.mark.few
def test_long_script(retort):
    """Just below the maximum, which is more than an argument may be long."""
    long = "# " + "x" * (15 * MEGABYTE)
    assert retort.run("run", "-", input=f"{long}\nprint(42)".encode()).stdout == b"42\n"
    assert retort.run("run", "-l", "bash", "-", input=f"{long}\necho 42".encode()).stdout == b"42\n"


# ---- limits ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", ["x = bytearray(10**10)", "x = []\nwhile True: x.append(b'x' * 10**6 + bytes(1))",
                                  "import numpy\nx = [numpy.ones(10**6) for _ in range(10**5)]"])
def test_memory(caller, code):
    result = caller.result(code, "--memory", "128")
    assert result["status"] == "oom" or result["error"]["name"].endswith("MemoryError"), result


def told_of_memory(words, peak):
    """The limit, and the peak as it was measured."""
    said = re.search(r"peak (?:was )?(\d+) MiB", words)
    assert "64 MiB" in words and said and abs(int(said[1]) - peak) <= 1, (words, peak)


@pytest.mark.parametrize("code", ["x = bytearray(10**9)", "import numpy\nnumpy.ones(10**8)"])
def test_out_of_memory_names_limit_and_peak(caller, code):
    """Also where the kernel refuses memory, and the exception is Python's own."""
    result = caller.result(code, "--memory", "64")
    told_of_memory(f"{result['error']['message']} {result['error']['hint']}", result["resources"]["peak_memory_mb"])
    assert "larger" in result["error"]["hint"]
    last = caller.run("run", "--memory", "64", "-c", code).stderr.decode().splitlines()[-1]
    assert re.match(r"retort: .*64 MiB.* peak (was )?[1-9]\d* MiB", last), last


@pytest.mark.few
def test_bash_out_of_memory_names_limit_and_peak(caller):
    """Where the kernel refuses memory, bash says how much it wanted and ends itself; code that says the same is believed."""
    for code in ("printf -v x %100000000s", "echo 'bash: xmalloc: cannot allocate 7 bytes' >&2; exit 2"):
        result = caller.result(code, "--memory", "64", language="bash")
        assert result["status"] in ("oom", "exit") and result["error"]["name"] == "OutOfMemory", result
        told_of_memory(result["error"]["message"], result["resources"]["peak_memory_mb"])
        last = caller.run("run", "-l", "bash", "--memory", "64", "-c", code).stderr.decode().splitlines()[-1]
        assert re.match(r"retort: .*64 MiB.* peak \d+ MiB", last), last
    for code in ("echo 'cannot allocate 7 bytes'; exit 2", "echo ': cannot allocate 7 bytes' >&2; exit 3", "exit 2"):
        assert caller.result(code, language="bash")["error"] is None


def test_what_code_says_of_memory_stays(caller):
    error = caller.result("raise MemoryError('the attic is full')", "--memory", "64")["error"]
    assert error["message"] == "the attic is full" and "the limit `memory` is 64 MiB" in error["hint"]


TOO_LONG = {
    "loop": ("def f():\n    while 1: pass\nf()", "line 2, in f"),
    "wait": ("import time\ntime.sleep(600)", "line 2, in <module>"),
    "await": ("import asyncio\nawait asyncio.sleep(600)", "line 2, in <module>"),
    "asyncio": ("import asyncio\nasyncio.run(asyncio.sleep(600))", "line 2, in <module>"),
}


@pytest.mark.parametrize("how", TOO_LONG)
@pytest.mark.few(1)
def test_a_time_limit_says_where_and_names_no_interrupt(caller, how):
    code, place = TOO_LONG[how]
    for stopped in (lambda limit: caller.run("run", "--timeout", limit, "-c", code).stderr.decode(),
                    lambda limit: caller.result(code, "--timeout", limit)["stderr"]):
        said = stopped("1")
        if place not in said:  # on a busy machine the import alone, the code's or our own, may take as long
            said = stopped("20")
        assert place in said and not re.search("^KeyboardInterrupt", said, re.M), said


def test_all_that_is_said_of_a_time_limit(caller):
    out, said, status = text(caller.run("run", "--timeout", "5", "-c", "import time; time.sleep(60)"))
    assert (out, re.sub(r"^ +\^+\n", "", said, flags=re.M), status) == (  # newer Pythons point at the place
        "", 'Traceback (most recent call last):\n  File "<string>", line 1, in <module>\n    import time; time.sleep(60)\n'
        "retort: stopped after 5 s (limit `timeout`)\n", 124)


@pytest.mark.parametrize("code", ["raise KeyboardInterrupt", "import os; os.kill(os.getpid(), 2)"])
def test_an_interrupt_of_its_own_has_its_name(caller, code):
    assert text(caller.run("run", "-c", code))[1].endswith("\nKeyboardInterrupt\n")
    assert caller.result(code)["stderr"].endswith("\nKeyboardInterrupt\n")
    hook = "import sys\nsys.excepthook = lambda *e: print('mine', e[0].__name__, file=sys.stderr)\n"
    assert text(caller.run("run", "-c", hook + code))[1] == "mine KeyboardInterrupt\n"


def test_memory_of_the_whole_tree(caller):
    """Each process stays far below the limit, all together do not."""
    code = """
import os, signal, sys
for _ in range(8):
    if os.fork() == 0:
        kept = b'x' * (60 << 20) + bytes(1)
        signal.pause()
try:
    os.wait()
    print('one died')
finally:
    pass
"""
    result = caller.result(code, "--memory", "128", "--disk", "16", "--timeout", "20")
    assert result["status"] == "oom" or "oom_child" in result["flags"], result


def test_fork_bomb(caller):
    code = "import os, time\ntry:\n    while True: os.fork()\nexcept BlockingIOError: time.sleep(0.5)"
    before = traces.Before()
    result = caller.result(code, "--pids", "32")
    assert result["status"] == "ok" and result["flags"] == ["pids_limit"], result
    assert before.left() == []


def test_daemon_is_gone(caller):
    """Detached, deaf to signals, without descriptors: none of it helps."""
    code = """
import os, signal, time
ready, done = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in set(range(1, 65)) - {9, 19, 32, 33}:
            signal.signal(number, signal.SIG_IGN)
        os.write(done, b'x')
        os.closerange(0, 100)
        while True: time.sleep(1)
    os._exit(0)
os.read(ready, 1)
print('daemon runs')
"""
    before = traces.Before()
    result = caller.result(code)
    assert (result["status"], result["stdout"]) == ("ok", "daemon runs\n")
    assert before.left() == []


def test_children_do_not_have_the_last_word(caller):
    """Writers that outlive their program neither keep the run from ending nor change files that are being listed."""
    code = "for i in 1 2 3 4; do yes & done; while :; do echo x >> grows; done & sleep 0.2; exit 0"
    result = caller.result(code, "--out", caller.home / "steady", language="bash")
    assert result["status"] == "ok"
    [grown] = result["files"]
    assert (caller.home / "steady/grows").stat().st_size == grown["size"]


@pytest.mark.few
def test_a_gigabyte_of_output_costs_nothing(retort, count):
    """The peak of the broker, the supervisor included, is that of a run that prints nothing, and a little."""
    code = "import os\nfor _ in range({}): os.write(1, b'y' * (1 << 20))"

    def peak(megabytes, *options):
        child = retort.popen("run", *options, "-c", code.format(megabytes), stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        assert child.returncode == 0
        return usage.ru_maxrss

    for options in ([], ["--json"]):
        assert peak(count(1024, 10240), *options) < peak(1, *options) + 4096  # KiB


def test_truncated_output(caller):
    result = caller.result("for i in range(100000): print('line', i)", "--output", "4")
    assert result["flags"] == ["truncated"] and len(result["stdout"]) <= 4096
    assert result["stdout"].startswith("line 0\n") and result["stdout"].endswith("line 99999\n")
    assert result["truncated"]["stdout"]["total"] == sum(len(f"line {i}\n") for i in range(100000))


def test_disk(caller):
    code = "f = open('big', 'wb')\nwhile True: f.write(bytes(1 << 20))"
    result = caller.result(code, "--disk", "8")
    assert result["status"] == "error" and result["error"]["name"] == "OSError" and "disk_full" in result["flags"]


# ---- what is left --------------------------------------------------------------------------------------------------


def start_and_wait(caller, language="python"):
    code = {"python": "import time\nprint('up', flush=True)\ntime.sleep(600)", "bash": "echo up; sleep 600"}[language]
    child = caller.popen("run", "-l", language, "-c", code, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout.readline() == b"up\n"
    return child


def parts(child, name):
    """The processes of that name in what `child` started, eldest first; it may be setpriv's or retort's own."""
    return sorted(pid for pid in traces.tree(child.pid) | {child.pid} if traces.name_of(pid) == name[:15])


@pytest.mark.parametrize("language", ["python", "bash"])
def test_killed_caller_leaves_nothing(caller, language):
    before = traces.Before()
    child = start_and_wait(caller, language)
    os.kill(parts(child, "retort")[0], signal.SIGKILL)
    child.communicate()
    assert before.left() == []


@pytest.mark.parametrize("which", [0, -2], ids=["keeper", "supervisor"])  # the last is the collector
def test_killed_supervisor_leaves_nothing(caller, which):
    before = traces.Before()
    child = start_and_wait(caller)
    os.kill(parts(child, "retort-supervisor")[which], signal.SIGKILL)
    _, stderr = child.communicate()
    assert child.returncode == 125 and one_line(stderr), stderr
    assert before.left() == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signalled_caller_leaves_nothing(caller, number):
    before = traces.Before()
    child = start_and_wait(caller)
    os.kill(parts(child, "retort")[0], number)
    child.communicate()
    assert child.returncode != 0
    assert before.left() == []


def test_many_runs_leave_nothing(caller, count):
    caller.result("1")
    before = traces.Before()
    for i in range(count(10, 10000)):
        code = [b"print(42)", b"import os; os.fork(); print(42)", b"1/0"][i % 3]
        caller.run("run", "-", input=code)
    assert before.left() == []


def test_runs_side_by_side(caller):
    before = traces.Before()
    runs = [caller.popen("run", "-c", f"print({i} * {i})", stdout=subprocess.PIPE) for i in range(8)]
    assert [run.communicate()[0] for run in runs] == [b"%d\n" % (i * i) for i in range(8)]
    assert before.left() == []


# ---- ordinary programs ---------------------------------------------------------------------------------------------

WORKLOADS = {
    "numpy": "import numpy as np; print(int((np.arange(1000.) @ np.ones(1000)) / 999 * 2))",
    "pandas": "import pandas as pd; print(pd.DataFrame({'a': [1, 2], 'b': [1, 1]}).groupby('b').a.sum().loc[1] + 997)",
    "matplotlib": "import matplotlib.pyplot as p; p.plot([1, 2]); p.savefig('x.png'); import os; "
                  "print(1000 * (os.path.getsize('x.png') > 999))",
    "scipy": "from scipy import optimize; print(round(optimize.brentq(lambda x: x - 1000, 0, 9999)))",
    "subprocess": "import subprocess; print(subprocess.run(['seq', '1000'], capture_output=True, text=True)"
                  ".stdout.split()[-1])",
    "multiprocessing": "import multiprocessing as m\nwith m.Pool(4) as p: print(sum(p.map(abs, [-250] * 4)))",
    "threads": "from concurrent.futures import ThreadPoolExecutor as T\n"
               "with T(16) as t: print(sum(t.map(lambda x: 10, range(100))))",
    "asyncio": """
import asyncio
async def main():
    async def serve(r, w):
        w.write(await r.read(4)); w.close()
    server = await asyncio.start_server(serve, '127.0.0.1', 0)
    r, w = await asyncio.open_connection(*server.sockets[0].getsockname())
    w.write(b'1000'); print((await r.read()).decode())
asyncio.run(main())""",
    "sqlite3": "import sqlite3; d = sqlite3.connect('d.db'); d.execute('pragma journal_mode=wal'); "
               "d.execute('create table t(x)'); d.executemany('insert into t values (?)', [(i,) for i in range(1000)]);"
               "d.commit(); print(d.execute('select count(*) from t').fetchone()[0])",
    "tempfile": "import tempfile\nwith tempfile.NamedTemporaryFile() as f, tempfile.TemporaryDirectory() as d: "
                "print(f.write(bytes(1000)))",
    "ssl": """
import ssl
a, b, c, d = ssl.MemoryBIO(), ssl.MemoryBIO(), ssl.MemoryBIO(), ssl.MemoryBIO()
try: ssl.create_default_context().wrap_bio(a, b, server_hostname='localhost').do_handshake()
except ssl.SSLWantReadError: print(1000 * (len(b.read()) > 100))""",
    "zipfile": "import zipfile\nwith zipfile.ZipFile('z.zip', 'w', 8) as z: z.writestr('n', bytes(1000))\n"
               "print(len(zipfile.ZipFile('z.zip').read('n')))",
    "decimal": "from decimal import Decimal as D; print(int(D(10) ** 3))",
    "ctypes": "import ctypes; f = ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 1000); print(f())",
    "shared memory": "from multiprocessing import shared_memory as s; m = s.SharedMemory(create=True, size=1000); "
                     "print(len(m.buf[:1000])); m.close(); m.unlink()",
    "loopback": "import socket; s = socket.create_server(('localhost', 0)); c = socket.create_connection("
                "s.getsockname()); c.send(b'1000'); print(s.accept()[0].recv(9).decode())",
}


@pytest.mark.parametrize("code", WORKLOADS.values(), ids=WORKLOADS.keys())
@pytest.mark.few(5)
def test_python_workload(caller, code):
    if any(f"import {name}" in code or f"from {name}" in code for name in ("numpy", "pandas", "matplotlib", "scipy")):
        pytest.importorskip("numpy")
        pytest.importorskip("pandas")
        pytest.importorskip("matplotlib")
        pytest.importorskip("scipy")
    result = caller.result(code)
    assert (result["status"], result["stdout"], result["stderr"]) == ("ok", "1000\n", ""), result["stderr"]
    assert [file["path"] for file in result["files"] if file["path"].startswith(".")] == []  # caches are not results


def test_node_workers(caller):
    code = """
const { Worker } = require('worker_threads');
let sum = 0, left = 4;
for (let i = 0; i < 4; i++)
  new Worker('require("worker_threads").parentPort.postMessage(250)', { eval: true })
    .on('message', (n) => { sum += n; if (--left === 0) console.log(sum); });"""
    result = caller.result(code, language="javascript")
    assert (result["status"], result["stdout"], result["stderr"]) == ("ok", "1000\n", "")


def test_bash_pipelines(caller):
    code = """
set -euo pipefail
seq 1000 | awk '{ s += $1 } END { print s }' > sum
printf 'b\\na\\nb\\n' | sort | uniq -c | sed 's/^ *//' | tr '\\n' ';'
diff <(echo x) <(echo x) && cat <<< here
find . -type f -name 'su*' | xargs grep -c . | head -1
tar cf - sum | gzip | gunzip | tar tf -
mkfifo p; (echo through > p &) ; cat p
cat sum | tee copy | md5sum | cut -c1-4"""
    result = caller.result(code, language="bash")
    want = "1 a;2 b;here\n1\nsum\nthrough\n8a8c\n"
    assert (result["status"], result["stderr"]) == ("ok", ""), result
    assert result["stdout"][:-5] == want[:-5]


@pytest.mark.parametrize("language, code", [("bash", "cat in.txt; echo -n more >out.txt"),
                                            ("javascript", "const fs = require('fs'); process.stdout.write("
                                                           "fs.readFileSync('in.txt')); fs.writeFileSync('out.txt', 'more')")])
def test_files_of_every_language(caller, language, code):
    given, out = caller.home / "given.txt", caller.home / f"results-{language}"
    given.write_text("given")
    done = caller.run("run", "-l", language, "--file", f"{given}:in.txt", "--out", out, "-c", code)
    assert (done.returncode, done.stdout) == (0, b"given"), done.stderr
    assert (out / "out.txt").read_text() == "more"
