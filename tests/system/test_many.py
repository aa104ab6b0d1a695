"""Many sessions in one engine: each is limited as the first was, and none costs the others anything for being there."""
import contextlib
import os
import pathlib
import re
import resource
import subprocess
import time

import pytest
import rpc
import traces
from test_pairs import server, status_of, supervisors  # noqa: F401 (a fixture)

BIRTHS = 32  # after which the supervisor takes another directory (src/supervisor/birth.c)
NAMESPACES = [f"max_{kind}_namespaces" for kind in ("user", "mnt", "pid", "net", "ipc", "uts", "cgroup", "time")]
LIMITS = [*NAMESPACES, "max_inotify_instances", "max_inotify_watches"]


def inits(server):
    """The first processes of sessions: children of the supervisor, and each pid 1 of a namespace."""
    (_, supervisor), = supervisors(server)
    return [pid for pid in traces.children(supervisor) if re.search(r"^NSpid:\t\d+\t\d+\t1$", status_of(pid), re.MULTILINE)]


def limits(pid):
    """Of the user namespace that this process is in."""
    found = subprocess.run(["nsenter", "--user", "--preserve-credentials", f"--target={pid}", "cat",
                            *(f"/proc/sys/user/{name}" for name in LIMITS)],
                           check=True, capture_output=True, text=True).stdout
    return dict(zip(LIMITS, found.split(), strict=True))


@pytest.fixture
def directory(server):
    """directory(): of the one below which limits are set for births (which one it is, whether it is in the /proc that is mounted), or None."""
    with contextlib.ExitStack() as held:  # or the kernel would give the number of one that is gone to the next

        def look():
            (_, supervisor), = supervisors(server)
            mounted = pathlib.Path(f"/proc/{supervisor}/root/proc").stat().st_dev
            for entry in pathlib.Path(f"/proc/{supervisor}/fd").iterdir():
                with contextlib.suppress(FileNotFoundError):  # closed meanwhile
                    if str(entry.readlink()).endswith("/sys/user"):
                        fd = os.open(entry, os.O_PATH)
                        held.callback(os.close, fd)
                        found = os.fstat(fd)
                        return (found.st_dev, found.st_ino), found.st_dev == mounted
            return None

        yield look


@pytest.mark.every_caller
@pytest.mark.few
def test_every_session_is_limited_wherever_its_limits_were_written(server):
    """They are written below one directory for some births, and then below another."""
    sessions = [server.session(record=False) for _ in range(2 * BIRTHS + 3)]
    branches = server.call("session.branch", session=sessions[-1].id, count=2)["sessions"]
    assert len(branches) == 2
    found = [limits(pid) for pid in inits(server)]
    assert len(found) >= len(sessions) + len(branches)
    loose = [each for each in found if any(each[name] != "0" for name in NAMESPACES)]
    assert loose == []
    assert {(each["max_inotify_instances"] in ("0", "8"), each["max_inotify_watches"]) for each in found} == {(True, "1024")}
    assert sessions[0].value("6 * 7") == sessions[-1].value("6 * 7") == "42"


def begin(server, number):
    """They stay: what is left of one that has ended would be the next."""
    for _ in range(number):
        server.session(record=False)


@pytest.mark.few
def test_what_the_kernel_remembers_of_births_is_given_back(server, directory):
    """It keeps names below /proc/sys/user for each living user namespace, all in the same place."""
    begin(server, 1)
    assert directory() is None  # a program that has one session needs no other than what is there
    seen = set()
    for _ in range(3):
        begin(server, BIRTHS)
        which, mounted = directory()
        assert not mounted
        seen.add(which)
    assert len(seen) == 3


LOW = 512  # numbers that a session's first process copies (src/supervisor/sockets.h)


@pytest.mark.few
def test_sessions_that_rest_leave_low_descriptors_to_births(server):
    """What is not low is neither copied nor closed when another session is born."""
    def numbers():
        (_, supervisor), = supervisors(server)
        return [int(entry.name) for entry in pathlib.Path(f"/proc/{supervisor}/fd").iterdir()]
    sessions = [server.session(record=False) for _ in range(60)]
    end = time.monotonic() + traces.PATIENCE
    while sum(number < LOW for number in numbers()) > 150 and time.monotonic() < end:
        time.sleep(0.1)
    assert sum(number < LOW for number in numbers()) <= 150
    assert sum(number >= LOW for number in numbers()) >= 4 * len(sessions)
    # All of them are heard where they are now, and what is born now is whole.
    assert [session.value("6 * 7") for session in sessions] == ["42"] * len(sessions)
    assert sessions[0].run("import os; os._exit(3)")["state"] == "rolled_back"
    assert server.session(record=False).value("6 * 7") == "42"


@pytest.mark.few
def test_a_session_that_rests_is_small_in_its_supervisor(server, build):
    """The kernel copies page tables for all of its memory whenever another session is born."""
    def kilobytes():
        (_, supervisor), = supervisors(server)
        return int(re.search(r"^RssAnon:\s*(\d+) kB$", status_of(supervisor), re.MULTILINE)[1])
    sessions = [server.session(record=False) for _ in range(20)]
    before = kilobytes()
    sessions += [server.session(record=False) for _ in range(100)]
    most = 3 if build.name == "build" else 30  # sanitizers need more
    assert (kilobytes() - before) / 100 < most
    assert sessions[-1].value("6 * 7") == "42"


@pytest.fixture
def roots(light):
    one = rpc.Server(light)
    yield one
    assert one.close() == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root's sessions give descriptors up")
def test_more_sessions_than_their_descriptors(roots):
    """Where the program may have few, as root: quiet sessions keep three of twelve, and have all again with the next cell."""
    server, few, batch = roots, 480, 10

    def used():
        return len(list(pathlib.Path(f"/proc/{server.process.pid}/fd").iterdir())) - before

    def come_down_to(number):
        end = time.monotonic() + traces.PATIENCE
        while used() > number and time.monotonic() < end:
            time.sleep(0.1)
        assert used() <= number
    before = 0
    sessions = [server.session(record=False)]
    sessions[0].run("x = 6; open('a', 'w').write('b')")
    before = used()
    resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (before + few, before + few))
    for _ in range(9):
        come_down_to(few - 14 * batch)  # so that there is room for the next ones, and for what it takes to make them
        sessions += [server.session(record=False) for _ in range(batch)]
    come_down_to(3.5 * len(sessions) + 20)
    # All of them are whole: code, output, files, what went wrong, an interrupt that nobody can have meant.
    for session in sessions[1::10]:
        server.call("session.interrupt", session=session.id)
        assert session.run("import sys; print(1); print(2, file=sys.stderr); 6 * 7")["stdout"] == "1\n"
    assert sessions[0].value("x, open('a').read()") == "(6, 'b')"
    assert sessions[5].run("import os; os._exit(3)")["state"] == "rolled_back"
    assert sessions[-1].value("6 * 7") == "42"


def sockets(pid):
    count = 0
    for entry in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # closed meanwhile
            count += str(entry.readlink()).startswith("socket:")
    return count


def test_who_reaches_files_is_asked_for_when_there_are_some(server):
    """A session has a socket to its owner and one to its init in the supervisor, and none for files that it has not."""
    first = [server.session(record=False) for _ in range(10)]
    (_, supervisor), = supervisors(server)
    before = sockets(supervisor)
    more = [server.session(record=False) for _ in range(40)]
    assert sockets(supervisor) - before <= 2.4 * len(more)  # others are being made for the pool
    # One that has never been asked for its files has them, and can be asked again and again.
    session = first[0]
    session.run("open('a', 'w').write('b')")
    assert [session.value("open('a').read()") for _ in range(2)] == ["'b'"] * 2
    assert [entry["path"] for entry in server.call("files.list", session=session.id)["files"]] == ["a"]
