"""`retort run` in an engine of the same user that is running already: the outcome is that of a run alone, and whatever is
wrong with the engine, nobody hears of it."""
import concurrent.futures
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import struct
import subprocess
import threading
import time

import pytest

# With so few descriptors a run alone is refused: one that succeeds was made by the engine.
FEW = ("prlimit", "--nofile=40")
PEAK = re.compile(rb"(, the)? peak (was )?\d+ MiB")
MARK = "98765.{}"  # seconds that a process of the code sleeps, by which it is found

pytestmark = pytest.mark.by_turns

PROGRAMS = {
    "output": ("import sys; print('a'); print('b', file=sys.stderr)",),
    "bytes": ("import os; os.write(1, bytes(range(256)) * 999); os.write(2, b'\\xff')",),
    "much": ("print('x' * 3000000)",),
    "exception": ("def f(): return 1 / 0\nf()",),
    "exit": ("import sys; sys.exit(7)",),
    "abrupt": ("import os; os._exit(9)",),
    "signal": ("import os; os.kill(os.getpid(), 11)",),
    "time": ("while True: pass", "--timeout", "2"),
    "memory": ("x = bytearray(1 << 30)", "--memory", "64"),
    "variable": ("import os; print(os.environ['A'], os.environ['B'])", "--env", "A=1 2", "--env", "B="),
    "seed": ("import random; print(random.random())", "--seed", "5"),
    "bash": ("echo $0 $((6 * 7)); exit 3", "-l", "bash"),
    "fresh": ("print(1)", "--fresh"),
    "main": ("import sys; print(__name__, sys.argv)",),
    "syntax": ("print(",),
    "option": ("print(1)", "--memory", "1"),
    "environment": ("print(1)", "--environment", "nowhere"),
}


@pytest.fixture(scope="module")
def someone(light_caller):
    return light_caller


@contextlib.contextmanager
def resident(someone, place, *options, words=("--resident",)):
    """An engine that listens at the place."""
    process = someone.popen("serve", *words, *options, env={"XDG_RUNTIME_DIR": str(place)}, stdin=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, text=True)
    log = []
    try:
        for line in process.stderr:
            log.append(line)
            if json.loads(line)["event"] == "listening":
                break
        thread = threading.Thread(target=lambda: log.extend(process.stderr))
        thread.start()
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)
        thread.join()
    assert process.returncode in (0, -signal.SIGKILL), log


def make_place(someone, name):
    place = someone.home / name
    subprocess.run(someone.command("mkdir", "-m", "700", place), check=True)
    return place


@pytest.fixture(scope="module")
def place(someone):
    place = make_place(someone, "place")
    with resident(someone, place):
        yield place


@pytest.fixture
def empty(someone):
    place = make_place(someone, "empty")
    yield place
    shutil.rmtree(place)


def words(someone, place, *arguments, prefix=()):
    return dict(args=[*prefix, *someone.command(someone.retort, "run", *arguments)], cwd=someone.home,
                env=someone.environment(XDG_RUNTIME_DIR=str(place)))


def run(someone, place, *arguments, prefix=(), input=b"", **options):
    return subprocess.run(**words(someone, place, *arguments, prefix=prefix), input=input, capture_output=True, timeout=120,
                          check=False, **options)


def outcome(done):
    return done.returncode, done.stdout, PEAK.sub(b"", done.stderr)


def steady(done):
    """The result without what differs between any two runs."""
    result = json.loads(PEAK.sub(b"", done.stdout))
    for name in ("session", "resources"):
        result.pop(name)
    return done.returncode, result, done.stderr


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.few(4)
def test_the_outcome_is_that_of_a_run_alone(someone, place, name):
    code, *options = PROGRAMS[name]
    engine = () if name in ("option", "environment") else FEW
    assert outcome(run(someone, place, *options, "-c", code, prefix=engine)) == outcome(
        run(someone, place, "--alone", *options, "-c", code))
    if name not in ("option", "environment"):
        assert steady(run(someone, place, "--json", *options, "-c", code, prefix=engine)) == steady(
            run(someone, place, "--json", "--alone", *options, "-c", code))


@pytest.mark.every_caller
def test_the_walls_are_those_of_a_run_alone(someone, place):
    code = "import os, socket\nprint(os.getcwd(), os.listdir('/work'), os.getuid(), os.getpid() < 9, socket.if_nameindex())\n" \
           "print(*(line for line in open('/proc/self/status') if line.startswith(('Cap', 'NoNewPrivs', 'Seccomp'))))"
    engine = steady(run(someone, place, "--json", "-c", code, prefix=FEW))
    assert engine == steady(run(someone, place, "--json", "--alone", "-c", code))
    assert engine[1]["isolation"]["layers"]


def test_few_descriptors_are_too_few_for_a_run_alone(someone, place):
    done = run(someone, place, "--alone", "-c", "print(1)", prefix=FEW)
    assert done.returncode == 125 and b"files may be open" in done.stderr


def test_code_comes_from_a_file_or_standard_input(someone, place):
    (someone.home / "program.py").write_text("print(__file__)\n1 / 0")
    for arguments, text in ((("program.py",), b""), (("-",), b"print(5)"), ((), b"print(6)")):
        assert outcome(run(someone, place, *arguments, input=text, prefix=FEW)) == outcome(
            run(someone, place, "--alone", *arguments, input=text))


def brought_out(someone, place, name, *options, prefix=()):
    code = "import os, pathlib\nos.makedirs('d/e')\npathlib.Path('d/e/f').write_text(pathlib.Path('in').read_text() * 2)\n" \
           "open(b'a\\nb', 'wb').write(bytes(3000000))\n" \
           "os.symlink('/etc/passwd', 'link')"
    done = run(someone, place, *options, "--file", "source:in", "--out", name, "-c", code, prefix=prefix, umask=0o027)
    folder = someone.home / name
    files = {str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mode & 0o777, path.stat().st_uid)
             for path in folder.rglob("*") if path.is_file()}
    return outcome(done), files


def test_files_go_in_and_come_out_with_the_rights_of_the_caller(someone, place):
    (someone.home / "source").write_text("text")
    os.chmod(someone.home / "source", 0o604)
    engine = brought_out(someone, place, "out1", prefix=FEW)
    assert engine == brought_out(someone, place, "out2", "--alone")
    assert engine[0][0] == 0 and engine[1]["d/e/f"][:2] == (b"texttext", 0o640) and len(engine[1]) == 2


def test_what_cannot_go_in_or_come_out_is_told_as_ever(someone, place):
    (someone.home / "large").write_bytes(bytes(3 << 20))
    for arguments in (("--file", "nothing"), ("--file", "."), ("--disk", "1", "--file", "large"), ("--file", "large:/etc/x"),
                      ("--out", "/proc/nothing")):
        done = run(someone, place, *arguments, "-c", "print(1)")
        assert done.returncode == 125 and outcome(done) == outcome(run(someone, place, "--alone", *arguments, "-c", "print(1)"))


def test_a_pipe_goes_in_all_the_same(someone, place):
    line = f"{someone.retort} run --file <(echo text):in -c 'print(open(\"in\").read())'"
    done = subprocess.run(someone.command("bash", "-c", line), env=someone.environment(XDG_RUNTIME_DIR=str(place)),
                          cwd=someone.home, capture_output=True, check=True, timeout=120)
    assert done.stdout == b"text\n\n"


def test_runs_at_the_same_time_do_not_meet(someone, place):
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        done = pool.map(lambda n: run(someone, place, "-c", f"open('f', 'x').write('{n}'); print(open('f').read())", prefix=FEW),
                        range(24))
    assert [outcome(one) for one in done] == [(0, b"%d\n" % n, b"") for n in range(24)]


def test_a_record_another_interpreter_the_network_and_a_fixed_clock_are_no_matter_of_the_engine(someone, place):
    for option in (("--record",), ("--python", "/usr/bin/python3"), ("--allow", "example.com"), ("--deterministic",)):
        assert run(someone, place, *option, "-c", "print(1)", prefix=FEW).returncode == 125
        done = run(someone, place, *option, "-c", "print(1)")
        assert outcome(done)[:2] == (0, b"1\n")
        if option[0] == "--record":
            assert done.stderr.split()[-1] in someone.run("log").stdout


# --- who goes away ---


def sleepers(mark):
    """Processes of the code that sleep as long as this, and no others do."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if path.read_bytes() == f"sleep\0{mark}\0".encode():
                found.append(int(path.parent.name))
    return found


def until(condition):
    """Waits for it; the end of patience only keeps a test that hangs from hanging the suite."""
    for _ in range(3000):
        if condition():
            return
        time.sleep(0.02)
    pytest.fail("it does not happen")


SLEEPING = "import subprocess, sys; sys.stdout.write('begun\\n' * {}); sys.stdout.flush(); subprocess.run(['sleep', '{}']); print('over')"


@pytest.mark.every_caller
@pytest.mark.parametrize("how", ["interrupt", "kill", "pipe"])
def test_code_ends_with_the_program_that_asked_for_it(someone, place, how):
    mark = MARK.format(abs(hash((how, someone.name))) % 10**6)
    code = SLEEPING.format(1, mark)
    if how == "pipe":
        code = f"import subprocess; subprocess.Popen(['sleep', '{mark}'])\nwhile True: print('begun')"
    with subprocess.Popen(**words(someone, place, "-c", code, prefix=FEW), stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"begun\n"
        until(lambda: sleepers(mark))
        if how == "pipe":
            process.stdout.close()
        else:
            process.send_signal(signal.SIGINT if how == "interrupt" else signal.SIGKILL)
        assert process.wait(60) == -{"interrupt": signal.SIGINT, "kill": signal.SIGKILL, "pipe": signal.SIGPIPE}[how]
    until(lambda: not sleepers(mark))
    assert run(someone, place, "-c", "print(1)", prefix=FEW).returncode == 0


@pytest.mark.parametrize("said", [0, 1])
def test_an_engine_that_dies_is_missed_by_those_alone_who_have_heard_of_it(someone, empty, said):
    mark = (MARK if said else "4.{}").format(abs(hash((said, someone.name))) % 10**6)
    with resident(someone, empty) as engine:
        with subprocess.Popen(**words(someone, empty, "-c", SLEEPING.format(said, mark)), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            until(lambda: sleepers(mark))
            first = sleepers(mark)
            if said:
                assert process.stdout.readline() == b"begun\n"
            engine.kill()
            until(lambda: not set(first) & set(sleepers(mark)))
            out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == ((125, b"") if said else (0, b"over\n"))
    assert err == (b"retort: the engine that ran the code is gone, and its result with it\n" if said else b"")
    assert run(someone, empty, "-c", "print(1)").stdout == b"1\n"


# --- engines that are none ---


@contextlib.contextmanager
def listener(place, answer):
    """Somebody who takes connections there and does with each what `answer` says."""
    folder = place / "retort"
    folder.mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX) as s:
        s.bind(str(folder / "engine"))
        for path in (folder, folder / "engine"):
            os.chown(path, place.stat().st_uid, place.stat().st_gid)
        code = f"import os, socket, sys, time\nos.setresuid(*[{place.stat().st_uid}] * 3)\n" \
               f"s = socket.socket(fileno={s.fileno()})\ns.listen()\nprint(flush=True)\n" \
               f"while True:\n c, _ = s.accept()\n {answer}"
        with subprocess.Popen(["/usr/bin/python3", "-c", code], pass_fds=[s.fileno()], stdout=subprocess.PIPE) as process:
            process.stdout.readline()
            yield
            process.kill()


ANSWERS = {
    "goes": "c.close()",
    "reads and goes": "c.recv(9); c.close()",
    "noise": "c.sendall(os.urandom(99)); c.close()",
    "a large size": "c.sendall(bytes([0, 3, 0, 0, 255, 255, 255, 255])); c.recv(1 << 20)",
    "accepts and goes": "c.sendall(bytes([0, 3, 0, 0, 0, 0, 0, 0])); c.close()",
    "half a message": "c.sendall(bytes([0, 3, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 9, 0, 0, 0, 65])); c.close()",
    "says nothing": "time.sleep(99)",
}


@pytest.mark.parametrize("answer", ANSWERS)
def test_who_does_not_answer_is_left_without_a_word(someone, empty, answer):
    with listener(empty, ANSWERS[answer]):
        assert outcome(run(someone, empty, "-c", "print(1)")) == (0, b"1\n", b"")


def test_long_code_does_not_wait_for_who_reads_nothing(someone, empty):
    with listener(empty, ANSWERS["says nothing"]):
        assert outcome(run(someone, empty, "-", input=b"#" * 3000000 + b"\nprint(1)")) == (0, b"1\n", b"")


@pytest.mark.parametrize("wrong", ["nothing", "no socket", "left over", "mode", "link", "no directory"])
def test_a_place_that_is_no_good_is_left_without_a_word(someone, empty, wrong):
    folder = empty / "retort"
    if wrong == "no directory":
        folder.write_text("")
    elif wrong != "nothing":
        folder.mkdir(mode=0o700)
        os.chown(folder, empty.stat().st_uid, empty.stat().st_gid)
    if wrong == "no socket":
        (folder / "engine").write_text("")
    elif wrong == "left over":
        with socket.socket(socket.AF_UNIX) as s:
            s.bind(str(folder / "engine"))
    elif wrong == "mode":
        folder.chmod(0o755)
    elif wrong == "link":
        folder.rmdir()
        folder.symlink_to(someone.home / "place/retort")
    assert outcome(run(someone, empty, "-c", "print(1)")) == (0, b"1\n", b"")
    if wrong in ("mode", "link"):
        assert run(someone, empty, "-c", "print(1)", prefix=FEW).returncode == 125


@pytest.mark.as_root
def test_an_engine_of_another_user_is_left_without_a_word(light_user, new_caller, lightened):
    """Root could serve a user, and a user root, if both wanted it: neither does."""
    root = lightened(new_caller("root"))
    place = make_place(root, "place")
    with resident(root, place):
        other = make_place(light_user, "other")
        (other / "retort").mkdir(mode=0o700)
        os.link(place / "retort/engine", other / "retort/engine")
        for path in (other / "retort", other / "retort/engine"):
            os.chown(path, light_user.uid, light_user.uid)
        assert run(light_user, other, "-c", "print(1)", prefix=FEW).returncode == 125
        assert outcome(run(light_user, other, "-c", "print(1)")) == (0, b"1\n", b"")
        assert run(root, place, "-c", "print(1)", prefix=FEW).returncode == 0


def test_an_engine_of_another_build_or_configuration_is_left_without_a_word(someone, place):
    copy = someone.home / "copy"
    shutil.copytree(someone.programs / "guest", copy / "guest")
    for name in ("retort", "retort-doors", "retort-supervisor", "retort-gate", "retort-init"):
        shutil.copy2(someone.programs / name, copy)
    (copy / "retort-supervisor").touch()
    other = type(someone)(**{**vars(someone), "programs": copy})
    for change in ({"XDG_STATE_HOME": "/elsewhere"}, {"XDG_CONFIG_HOME": "/elsewhere"}):
        changed = type(someone)(**{**vars(someone), "configured": (*someone.configured, *change.items())})
        assert run(changed, place, "-c", "print(1)", prefix=FEW).returncode == 125
        assert outcome(run(changed, place, "-c", "print(1)")) == (0, b"1\n", b"")
    assert run(other, place, "-c", "print(1)", prefix=FEW).returncode == 125
    assert outcome(run(other, place, "-c", "print(1)")) == (0, b"1\n", b"")


def test_noise_does_not_hurt_the_engine(someone, place):
    noise = [b"\0", b"\0" * 8, b"\0\0\0\0\4\0\0\0abc\0", b"\0\0\0\0\xff\xff\xff\xff", b"\0\7" + b"x" * 100, os.urandom(100)]
    code = "import socket, sys\nfor line in sys.argv[2:]:\n s = socket.socket(socket.AF_UNIX)\n s.connect(sys.argv[1])\n" \
           " s.sendall(bytes.fromhex(line))\n s.close()"
    subprocess.run(someone.command("/usr/bin/python3", "-c", code, place / "retort/engine", *(text.hex() for text in noise)),
                   check=True)
    assert outcome(run(someone, place, "-c", "print(1)", prefix=FEW)) == (0, b"1\n", b"")


# --- how an engine comes and goes ---


def engine_pid(place):
    """Who listens there, as the kernel tells; None if nobody does."""
    with socket.socket(socket.AF_UNIX) as s:
        try:
            s.connect(str(place / "retort/engine"))
        except OSError:
            return None
        return struct.unpack("3i", s.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]


def engines(place):
    """Engines that were started for this place."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if f"XDG_RUNTIME_DIR={place}\0".encode() in path.read_bytes() and \
                    (path.parent / "cmdline").read_bytes() == b"serve\0--resident\0":
                found.append(int(path.parent.name))
    return found


def test_a_run_starts_an_engine_for_those_that_follow(someone, empty):
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda _: run(someone, empty, "--resident", "-c", "print(1)"), range(4)))
    assert {outcome(one) for one in done} == {(0, b"1\n", b"")}
    until(lambda: engine_pid(empty) and len(engines(empty)) == 1)
    pid, = engines(empty)
    try:
        assert engine_pid(empty) == pid
        assert os.readlink(f"/proc/{pid}/cwd") == "/" and {os.readlink(f"/proc/{pid}/fd/{fd}") for fd in range(3)} == {"/dev/null"}
        assert outcome(run(someone, empty, "--resident", "-c", "print(1)", prefix=FEW)) == (0, b"1\n", b"")
        assert engines(empty) == [pid]
    finally:
        os.kill(pid, signal.SIGTERM)
        until(lambda: not engines(empty))
    assert not (empty / "retort/engine").exists()
    assert outcome(run(someone, empty, "-c", "print(1)")) == (0, b"1\n", b"")


def test_an_engine_that_nobody_uses_ends(someone, empty):
    with resident(someone, empty, "--idle", "1") as engine:
        assert engine.wait(60) == 0
    assert not (empty / "retort/engine").exists()


def test_a_second_engine_is_not_needed(someone, place):
    done = someone.run("serve", "--resident", env={"XDG_RUNTIME_DIR": str(place)})
    assert (done.returncode, done.stderr) == (0, b"")
    assert run(someone, place, "-c", "print(1)", prefix=FEW).returncode == 0


def test_a_server_for_all_serves_its_own_user_too(light_user):
    place = make_place(light_user, "all")
    with resident(light_user, place, words=("--socket",)):
        assert outcome(run(light_user, place, "-c", "print(1)", prefix=FEW)) == (0, b"1\n", b"")
        with socket.socket(socket.AF_UNIX) as s:
            s.connect(str(place / "retort/engine"))
            s.sendall(b'{"jsonrpc": "2.0", "id": 1, "method": "session.list"}\n')
            assert b'"id":1' in s.recv(1 << 16)


def test_options_that_exclude_each_other(someone, empty):
    env = {"XDG_RUNTIME_DIR": str(empty)}
    assert run(someone, empty, "--resident", "--alone", "-c", "1").returncode == 125
    for options in (("--resident", "--listen", "127.0.0.1:0", "--no-auth"), ("--resident", "--user", "nobody"),
                    ("--idle", "5", "--no-auth")):
        assert someone.run("serve", *options, env=env).returncode == 125


@pytest.mark.as_root
def test_a_full_directory_is_no_matter(light):
    place = make_place(light, "full")
    line = 'mount -t tmpfs -o nr_inodes=1,mode=700 none "$0" && shift 0 && exec "$@"'
    done = subprocess.run(["unshare", "-m", "bash", "-c", line, place, light.retort, "run", "--resident", "-c", "print(1)"],
                          env=light.environment(XDG_RUNTIME_DIR=str(place)), cwd=light.home, capture_output=True, timeout=120,
                          check=False)
    assert outcome(done) == (0, b"1\n", b"")
    until(lambda: not engines(place))


def test_a_service_manager_may_open_the_socket(someone, empty):
    manager = "import os, socket, sys\nos.makedirs(os.path.dirname(sys.argv[1]), 0o700)\ns = socket.socket(socket.AF_UNIX)\n" \
              "s.bind(sys.argv[1])\ns.listen()\nos.dup2(os.dup(s.fileno()), 3)\n" \
              "os.environ.update(LISTEN_FDS='1', LISTEN_PID=str(os.getpid()))\n" \
              "os.execv(sys.argv[2], ['retort', 'serve', '--resident'])"
    with subprocess.Popen(someone.command("/usr/bin/python3", "-c", manager, empty / "retort/engine", someone.retort),
                          env=someone.environment(XDG_RUNTIME_DIR=str(empty)), stderr=subprocess.DEVNULL) as engine:
        try:
            until(lambda: engine.poll() is not None or run(someone, empty, "-c", "print(1)", prefix=FEW).returncode == 0)
        finally:
            engine.terminate()
        assert engine.wait(60) == 0
    assert (empty / "retort/engine").exists()
    assert outcome(run(someone, empty, "-c", "print(1)")) == (0, b"1\n", b"")
