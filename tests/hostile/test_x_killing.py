"""X14: a process that does not die stops nobody but its own session, and an engine that ends in the middle of a killing
leaves nothing.

The programs are those of build/ablation, which can be told to have no end of patience: where the killing of a session
would be given up after two seconds, it goes on for as long as the test needs."""
import contextlib
import ctypes
import dataclasses
import errno
import os
import pathlib
import re
import signal
import time

import pytest
import rpc
import traces

pytestmark = pytest.mark.as_root  # nobody else may trace what a session runs
LEAVE = "import subprocess, time\nleft = subprocess.Popen(['/usr/bin/sleep', '{}'])\n"
PTRACE_CONT, PTRACE_DETACH, PTRACE_SEIZE, PTRACE_O_TRACEEXIT, PTRACE_EVENT_EXIT, WALL = 7, 17, 0x4206, 0x40, 6, 0x40000000
ROUNDS = 4


@pytest.fixture
def failing(light_caller, programs_that_fail):
    return dataclasses.replace(light_caller, programs=programs_that_fail)


@pytest.fixture
def patient(failing):
    """patient(step): an engine that waits for that step for ever."""
    made = []

    def start(step):
        made.append(rpc.Server(failing, RETORT_FAILPOINT=f"{step}:{errno.EPERM}"))
        return made[-1]

    before = traces.Before()
    yield start
    for server in made:
        server.close()
    assert before.left() == []


def seen(look):
    """What `look` finds, as soon as that is something."""
    deadline = time.monotonic() + traces.PATIENCE
    while not (found := look()):
        assert time.monotonic() < deadline, "it does not come"
        time.sleep(0.01)
    return found


def arguments(pid):
    with contextlib.suppress(OSError):
        return pathlib.Path(f"/proc/{pid}/cmdline").read_text().split("\0")[1:-1]


def sleeper(server, seconds):
    """The process of a session that sleeps for so long."""
    return seen(lambda: next((pid for pid in traces.tree(server.pid) if arguments(pid) == [seconds]), None))


def state(pid):
    return re.search(r"^State:\t(.)", pathlib.Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)[1]


def ptrace(request, pid, data=0):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    if libc.ptrace(request, pid, None, data) < 0:
        raise OSError(ctypes.get_errno(), "ptrace")


@contextlib.contextmanager
def held_at_its_exit(pid, kill):
    """`kill` has the process killed, which then neither runs nor is gone."""
    ptrace(PTRACE_SEIZE, pid, PTRACE_O_TRACEEXIT)
    kill()
    while (status := os.waitpid(pid, WALL)[1]) >> 8 != signal.SIGTRAP | PTRACE_EVENT_EXIT << 8:
        assert os.WIFSTOPPED(status), "it is gone"
    yield
    ptrace(PTRACE_DETACH, pid)


def lives(server):
    """A whole life, in which the supervisor is needed again and again."""
    one = server.session(record=False, checkpoint="always")
    assert one.run(LEAVE.format(77) + "x = 7")["status"] == "ok"
    assert one.run("import os; os._exit(3)")["status"] == "exit"
    assert one.value("x") == "7"
    one.close()


@pytest.mark.parametrize("how", ["sweep", "cut"])
def test_X14_nobody_waits_for_anothers_death(patient, how):
    """Held while what its cell left is killed; while all of its cell is, past a limit."""
    server = patient("kill_patience")
    one = server.session(record=False)
    pending = one.start(LEAVE.format(88) + "while True: time.sleep(0.01)", timeout=1 if how == "cut" else 600)
    held = sleeper(server, "88")
    with held_at_its_exit(held, one.interrupt if how == "sweep" else lambda: None):
        for _ in range(ROUNDS):
            lives(server)
            assert state(held) == "t"
            assert pending.box.empty()
    assert pending.answer()["status"] == ("interrupted" if how == "sweep" else "timeout")


def frozen(pid):
    """Whether its cgroup is; where there is none, whether it has been stopped."""
    for line in pathlib.Path(f"/proc/{pid}/cgroup").read_text().splitlines():
        _, names, place = line.split(":", 2)
        if "/retort-" not in place:
            continue
        if "freezer" in names:
            return pathlib.Path("/sys/fs/cgroup/freezer" + place, "freezer.state").read_text() == "FROZEN\n"
        if not names:
            return pathlib.Path("/sys/fs/cgroup" + place, "cgroup.freeze").read_text() == "1\n"
    return state(pid) == "T"


def roles(server):
    """The keeper, which is the broker's child; and the supervisor, pid 1 below it."""
    found = {"broker": server.pid}
    for pid in traces.tree(server.pid):
        with contextlib.suppress(OSError):
            status = pathlib.Path(f"/proc/{pid}/status").read_text()
            if re.search(r"^Name:\tretort-super", status) and f"PPid:\t{server.pid}\n" in status:
                found["keeper"] = pid
            if re.search(r"^Name:\tretort-super", status) and re.search(r"^NSpid:\t\d+\t1$", status, re.MULTILINE):
                found["supervisor"] = pid
    return found


@pytest.mark.parametrize("who", ["broker", "keeper", "supervisor"])
def test_X14_an_engine_that_ends_in_the_middle_of_a_killing(patient, failing, who):
    """While the session is frozen, in which state nothing of it dies. What cgroups the keeper would have removed, the next
    engine does."""
    server = patient("stop_patience")
    one = server.session(record=False)
    one.start(LEAVE.format(99) + "left.pid")
    held = sleeper(server, "99")
    seen(lambda: frozen(held))
    os.kill(roles(server)[who], signal.SIGKILL)
    seen(lambda: not pathlib.Path(f"/proc/{held}").exists())
    server.process.kill()
    server.process.stdin.close()
    server.close()
    assert failing.run("run", "-c", "print(6 * 7)").stdout == b"42\n"
