"""H: each check of whether what a session has left is as new, overlooked: what it was there for gets by. Without this nobody would
know that a check is needed, nor that the cases of test_h_reuse.py and test_h_remains.py try it.

A case names checks. With all of them overlooked, the next session sees what the last one has left, or gets what it must not get.
With any single one of them in force it does not: of one that is named alone, test_h_reuse.py or test_h_remains.py show that, or
an engine that overlooks nothing.

The programs are those of build/ablation, the only build in which a check can be told to overlook something
(src/sandbox/ablation/checks.def)."""
import contextlib
import ctypes
import dataclasses
import os
import pathlib
import re
import signal
import time

import pytest
import rpc
import test_h_remains as remains
import test_h_reuse as reuse
from heirs import Engine

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHECKS = re.findall(r"^CHECK\((\w+)\)$", (ROOT / "src/sandbox/ablation/checks.def").read_text(), re.MULTILINE)

pidfd_getfd = 438
libc = ctypes.CDLL(None, use_errno=True)


@dataclasses.dataclass
class Case:
    checks: str
    about: object  # the module: of what is used again
    left: object  # what a session leaves there: a name of that module's LEFT, or code, or a function of the session
    seen: str = ""  # what the next session sees otherwise than the first of an engine; empty: nothing, but it may not be there
    aside: str = ""  # checks that are overlooked in all engines: they may happen to see something, too


def speak_javascript(session):
    result = session.server.call("session.execute", session=session.id, code="console.log(1)", language="javascript")
    assert result["status"] == "ok"


def ask_for_a_file(session):
    """Of a collector, which finds none: nothing is changed."""
    with pytest.raises(rpc.Failure, match="No such file"):
        session.read("nothing")


def namespace(pid, kind):
    with contextlib.suppress(OSError):
        return os.stat(f"/proc/{pid}/ns/{kind}").st_ino
    return None


def processes(session):
    """Of the host's, those in its network namespace: its own, and those beside them."""
    network, own = (int(session.value(f"import os\nos.stat('/proc/self/ns/{kind}').st_ino")) for kind in ("net", "pid"))
    there = [int(path.name) for path in pathlib.Path("/proc").glob("[0-9]*") if namespace(path.name, "net") == network]
    return [pid for pid in there if namespace(pid, "pid") == own], [pid for pid in there if namespace(pid, "pid") != own]


def keep_a_collector(session):
    """It does not hear that its session has ended."""
    ask_for_a_file(session)
    collector, = processes(session)[1]
    os.kill(collector, signal.SIGSTOP)


held = []


def keep_a_socket(session):
    """By somebody outside."""
    number = int(session.value("import socket\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\ns.fileno()"))
    interpreter = max(processes(session)[0])
    pidfd = os.pidfd_open(interpreter)
    held.append(libc.syscall(pidfd_getfd, pidfd, number, 0))
    os.close(pidfd)
    assert held[-1] >= 0


def fork_and_fork(session):
    """By a thread: neither it nor its child is among those that are known. If the broker, which ends what a cell leaves, ends the
    child, there is another."""
    result = session.run("""
import os, threading, time
def fork():
    while True:
        child = os.fork()
        if child == 0: time.sleep(99)
        os.waitpid(child, 0)
threading.Thread(target=fork, daemon=True).start()""")
    assert result["status"] == "ok"
    time.sleep(0.02)


A_FILE = "open('/tmp/left', 'w').close()\n"  # so that no more than the network namespace is used again
NAMES_OF_NOTHING = "for i in range(30000): os.path.exists(f'/usr/share/left-{i}')"  # the kernel remembers, for who has asked

CASES = [
    Case("sockstat", reuse, keep_a_socket),
    Case("dev snmp", reuse, "refused packets", "net", aside="fib_triestat"),
    Case("snmp", reuse, "a call without a route", "net", aside="fib_triestat"),
    Case("snmp6", reuse, "a call without a route of IPv6", "net"),
    Case("rt6_stats", reuse, "a cached route of IPv6", "net"),
    Case("cached_routes", reuse, "a cached route", "routes 0", aside="fib_triestat"),
    Case("told", reuse, "a group", aside="dev snmp"),  # which the kernel reports some time later, by packets
    Case("network_told", reuse, A_FILE + reuse.LEFT["a group"][0], aside="dev snmp"),
    Case("network_companions", reuse, speak_javascript),
    Case("network_collector", reuse, keep_a_collector),
    Case("told", remains, "shared memory", "queues"),
    Case("collected", remains, ask_for_a_file),
    Case("branched", remains, remains.branch),
    Case("companions", remains, speak_javascript, aside="tasks tasks_left memory"),
    Case("tasks tasks_left", remains, fork_and_fork, aside="memory"),
    Case("directories", remains, "rights of a directory", "directories"),
    Case("directories inode", remains, "a file of another directory", "directories"),
    Case("inode", remains, "files without a name"),
    Case("priority", remains, "the first process's priority", "first process"),
    Case("processors", remains, "the first process's processors", "first process"),
    Case("pids", remains, "children", "children"),
    Case("memory", remains, NAMES_OF_NOTHING),
]


@pytest.fixture(scope="module")
def overlooking(ablation_programs, new_caller, lightened):
    """overlooking(module, checks): an engine that does not see what these would."""
    someone = dataclasses.replace(lightened(new_caller("root" if os.geteuid() == 0 else "user")), programs=ablation_programs)

    @contextlib.contextmanager
    def make(about, checks, tries=38):
        engine = Engine(someone, about.LOOK + ("look()" if about is reuse else ""), about.WHERE, tries, RETORT_OVERLOOK=",".join(checks))
        yield engine
        assert engine.server.close() == 0
        while held:
            os.close(held.pop())

    return make


def inherited(engine, left, case):
    """The end of a companion may be told to whoever is about to get the session: it sees that, and no session."""
    try:
        return engine.inherited(left, 8)
    except rpc.Failure as failure:
        if "companions" not in case.checks or "unexpected answer" not in str(failure):
            raise
        engine.took = engine.tries
        return {"begin": str(failure)}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.checks} of {case.about.__name__}")
def test_H12_each_check_is_needed(overlooking, case):
    checks, aside, listed = set(case.checks.split()), set(case.aside.split()), case.left in case.about.LEFT
    left = case.left if callable(case.left) else case.about.TRY + (case.about.LEFT[case.left][0] if listed else case.left)
    if case.left == "the first process's processors" and len(os.sched_getaffinity(0)) == 1:
        pytest.skip("there is one processor")
    if case.left in (keep_a_collector, keep_a_socket) and os.geteuid() != 0:
        pytest.skip("only root finds the process")
    with overlooking(case.about, checks | aside) as engine:
        other = inherited(engine, left, case)
        assert other is not None and (not case.seen or case.seen in other), other
        tries = 2 * engine.took + 4  # one that is used again comes as soon in the others
    for alone in () if listed and len(checks) == 1 else checks:
        with overlooking(case.about, checks - {alone} | aside, tries) as engine:
            assert engine.inherited(left) is None, f"{alone} alone"


@pytest.mark.parametrize("overlooked", [set(), {"uses"}], ids=str)
def test_H12_one_is_used_so_often_and_no_more(overlooking, overlooked):
    """What nobody has thought of does not add up."""
    most, seen = int(re.search(r"#define MAX_USES SOON\(\d+, (\d+)\)", (ROOT / "src/supervisor/spare.c").read_text())[1]), {}
    with overlooking(remains, overlooked) as engine:
        for _ in range(10 * most):
            one = engine.session()
            place = one.value(remains.WHERE)
            seen[place] = seen.get(place, 0) + 1
            one.close()
    assert max(seen.values()) > most + 1 if overlooked else max(seen.values()) == most + 1


def test_H12_every_check_has_a_case():
    elsewhere = {"uses", "layers", "fib_triestat"}  # above; in tests/vm: no layer can be off here, and not every kernel has that file
    assert set(" ".join(case.checks for case in CASES).split()) | elsewhere == set(CHECKS)
