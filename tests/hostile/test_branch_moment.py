"""The moment of a branch, at which memory of the guest has capabilities: none is kept, nobody hangs, nothing is left."""
import time

import pytest
import rpc
import traces
from arena import MODES, arena, lab  # noqa: F401 (fixtures)

PRELUDE = r"""
import ctypes, os, sys, errno, threading, time
libc = ctypes.CDLL(None, use_errno=True)
USER, NS, PID, NET, IPC, UTS, CGROUP = 0x10000000, 0x20000, 0x20000000, 0x40000000, 0x8000000, 0x4000000, 0x2000000
def setns(fd, kind):
    return 0 if libc.syscall(308, fd, kind) == 0 else ctypes.get_errno()
def caps(who='self'):
    return {line[3:6]: line.split()[1] for line in open('/proc/%s/status' % who) if line.startswith('Cap')}
def bare(who='self'):
    dead = 'State:\tZ' in open('/proc/%s/status' % who).read()
    return dead or set(caps(who).values()) == {'0' * 16}
def held():
    found = (ctypes.c_uint * 6)()
    libc.syscall(125, (ctypes.c_uint * 2)(0x20080522, 0), found)
    return list(found)
"""

# Everybody in the session, and whoever of its branches it sees.
EVERYBODY = "[(p, bare(p)) for p in os.listdir('/proc') if p.isdigit() and os.access('/proc/%s/status' % p, os.R_OK)]"


def begin(session):
    return session.server.start("session.branch", session=session.id, count=1)


def branch(arena, session, pending=None):
    """Branches that are, however they were made, sessions without a capability."""
    made = (pending or begin(session)).answer()["sessions"]
    made = [rpc.Session(session.server, {"session": one, "isolation": session.isolation}) for one in made]
    arena.sessions += made
    for one in made:
        assert all(is_bare for _, is_bare in eval(one.value(PRELUDE + EVERYBODY)))
        assert one.value("setns(os.open('/proc/self/ns/user', 0), USER), setns(-1, 0)") == "(1, 1)"
    return made


def check_parent(session):
    """Nobody has a capability, once those who were killed are gone."""
    deadline = time.monotonic() + traces.PATIENCE
    while not (bare := all(is_bare for _, is_bare in eval(session.value(EVERYBODY)))) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert bare
    assert session.value("setns(os.open('/proc/self/ns/net', 0), NET)") == "1"


def test_setns_and_capset_are_refused_at_once(arena):
    one = arena.session()
    arena.run(one, PRELUDE)
    assert one.value("[setns(os.open('/proc/self/ns/' + kind, 0), flag) for kind, flag in (('user', USER), ('mnt', NS),"
                     " ('pid', PID), ('net', NET), ('ipc', IPC), ('uts', UTS), ('user', 0))]") == str([1] * 7)
    assert one.value("setns(-1, 0), setns(0, USER), libc.syscall(126, 0, 0), ctypes.get_errno()") == "(1, 1, -1, 1)"
    assert one.value("libc.prctl(24, 0, 0, 0, 0), ctypes.get_errno(), libc.prctl(4, 0, 0, 0, 0), ctypes.get_errno()") \
        == "(-1, 22, -1, 22)"


def test_asking_again_and_again_tires_nobody(arena):
    one, beside = arena.session(), arena.session()
    arena.run(one, PRELUDE + "for _ in range(3000): setns(-1, USER)")
    assert one.value("setns(-1, USER)") in ("1", "38"), "refused, by us or, when nobody listens any more, by the kernel"
    assert beside.value("1") == "1"
    (made,) = one.server.call("session.branch", session=one.id, count=1)["sessions"]
    arena.sessions.append(rpc.Session(one.server, {"session": made, "isolation": one.isolation}))
    result = arena.sessions[-1].run("bare()")
    assert result["value"]["text/plain"] == "True" and result["state_via"] == "replay"


def test_what_is_noted_is_permitted_however_often(arena):
    """Options of multicast, and where a cgroup counts them shared memory and queues: programs may set and make thousands. They
    wait, and neither they nor others are refused."""
    one, beside = arena.session(), arena.session()
    often = ("import socket\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
             "len([s.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 1) for _ in range(1500)])")
    assert one.value(often) == "1500"
    assert beside.value(often.replace("1500", "15")) == "15"
    arena.run(one, PRELUDE)
    assert one.value("setns(-1, USER)") == "1", "the gate listens still"


HOOKS = {
    # in the branch, with whatever it has, before anything of ours goes on there
    "looks for capabilities": "os.register_at_fork(after_in_child=lambda: seen.append(set(caps().values()) == {'0' * 16} and not any(held())))",
    "joins other namespaces": "os.register_at_fork(after_in_child=lambda: seen.append([setns(os.open('/proc/%s/ns/%s' % (p, k), 0), f)"
                              " for p in ('1', 'self') for k, f in (('user', USER), ('net', NET)) if os.access('/proc/%s/ns/%s' % (p, k), 4)]))",
    "never answers": "os.register_at_fork(after_in_child=lambda: time.sleep(60))",
    "ends": "os.register_at_fork(after_in_child=lambda: os._exit(0))",
    "is killed": "os.register_at_fork(after_in_child=lambda: os.kill(os.getpid(), 9))",
    "forks": "os.register_at_fork(after_in_child=lambda: libc.fork() or time.sleep(60))",
    "has a thread": "os.register_at_fork(after_in_child=lambda: threading.Thread(target=time.sleep, args=(60,)).start())",
    "the parent never answers": "os.register_at_fork(before=lambda: time.sleep(60))",
    "the parent dies": "os.register_at_fork(after_in_parent=lambda: os._exit(1))",
}


@pytest.mark.parametrize("what", HOOKS)
def test_code_at_the_moment_of_the_fork(arena, what):
    one = arena.session()
    arena.run(one, PRELUDE + "seen = []\nx = 7")
    arena.run(one, "fork = os.fork\n" + HOOKS[what] + "\nos.fork = lambda: 1/0")
    try:
        [made] = begin(one).answer()["sessions"]
    except rpc.Failure:
        assert "parent" in what, "it is not lost by what a branch does"
        return
    session = rpc.Session(one.server, {"session": made, "isolation": one.isolation})
    arena.sessions.append(session)
    result = session.run("print(x, seen, bare(), [(p, bare(p)) for p in os.listdir('/proc') if p.isdigit()])", timeout=5)
    if result["status"] == "ok":
        assert result["stdout"].startswith("7 ") and "False" not in result["stdout"], result["stdout"]
    else:  # its own hooks keep it from answering
        assert result["status"] in ("timeout", "exit") and result["state"] == "rolled_back", result


# A middle process of the guest's own: the library's place is taken by this.
MIDDLE = r"""
import socket, array
from retort_guest import _retort, checkpoint
def namespaces(sock):
    s = socket.socket(fileno=sock)
    _, anc, _, _ = s.recvmsg(1, socket.CMSG_SPACE(28))
    s.detach()
    return list(array.array('i', anc[0][2]))
KINDS = (USER, NS, PID, NET, IPC, UTS, CGROUP)
def drop():
    for cap in range(64): libc.prctl(24, cap, 0x6272616e, 0, 0)
    libc.prctl(28, 0xef & 0, 0x6272616e, 0, 0)
    libc.syscall(126, (ctypes.c_uint * 2)(0x20080522, 0), (ctypes.c_uint * 6)())
def report(sock):
    s = socket.socket(fileno=sock); s.send(b'd'); s.detach()
"""
ATTACKS = {
    "keeps its capabilities": """
def branch(sock):
    fds = namespaces(sock)
    if libc.fork() == 0:
        for fd, kind in zip(fds, KINDS): setns(fd, kind)
        if libc.fork() == 0:
            report(sock); time.sleep(60)
        os._exit(0)
    os.wait(); return 1, 0
""",
    "leaves somebody behind": """
def branch(sock):
    fds = namespaces(sock)
    if libc.fork() == 0:
        setns(fds[0], USER)
        if libc.fork() == 0:
            time.sleep(60); os._exit(0)
        for fd, kind in zip(fds[1:], KINDS[1:]): setns(fd, kind)
        if libc.fork() == 0:
            if libc.fork() == 0:
                time.sleep(60); os._exit(0)
            drop(); report(sock); time.sleep(60)
        os._exit(0)
    os.wait(); return 1, 0
""",
    "stays in the middle": """
def branch(sock):
    fds = namespaces(sock)
    if libc.fork() == 0:
        for fd, kind in zip(fds, KINDS): setns(fd, kind)
        if libc.fork() == 0:
            drop(); report(sock); time.sleep(60)
        time.sleep(60)
    return 1, 0
""",
    "goes itself": """
def branch(sock):
    fds = namespaces(sock)
    tried.append([setns(fd, kind) for fd, kind in zip(fds, KINDS)])
    raise OSError('no')
""",
    "goes twice": """
def branch(sock):
    fds = namespaces(sock)
    for _ in range(2):
        if libc.fork() == 0:
            for fd, kind in zip(fds, KINDS): setns(fd, kind)
            if libc.fork() == 0:
                drop(); report(sock); time.sleep(60)
            os._exit(0)
    time.sleep(0.2); return 1, 0
""",
    "answers twice": """
def branch(sock):
    fds = namespaces(sock)
    if libc.fork() == 0:
        for fd, kind in zip(fds, KINDS): setns(fd, kind)
        if libc.fork() == 0:
            drop(); report(sock); report(sock); time.sleep(60)
        time.sleep(0.3); os._exit(0)
    os.wait(); return 1, 0
""",
    "only half way": """
def branch(sock):
    fds = namespaces(sock)
    if libc.fork() == 0:
        for fd, kind in zip(fds[:4], KINDS): setns(fd, kind)
        if libc.fork() == 0:
            drop(); report(sock); time.sleep(60)
        os._exit(0)
    os.wait(); return 1, 0
""",
    "answers from outside": """
def branch(sock):
    namespaces(sock); report(sock); return 1, 0
""",
    "has a thread with capabilities": """
def branch(sock):
    fds = namespaces(sock)
    if libc.fork() == 0:
        for fd, kind in zip(fds, KINDS): setns(fd, kind)
        if libc.fork() == 0:
            import _thread
            _thread.start_new_thread(time.sleep, (60,))
            time.sleep(0.1); drop(); report(sock); time.sleep(60)
        os._exit(0)
    os.wait(); return 1, 0
""",
    "kills what it made": """
def branch(sock):
    fds = namespaces(sock)
    for p in os.listdir('/proc'):
        if p.isdigit() and int(p) not in (1, os.getpid()):
            os.kill(int(p), 9)
    raise OSError('no')
""",
}


WAITED_FOR = ("leaves somebody behind", "stays in the middle", "goes twice")  # until patience ends: all at once


@pytest.mark.parametrize("cases", [WAITED_FOR, *([name] for name in ATTACKS if name not in WAITED_FOR)], ids=", ".join)
def test_another_middle_process(arena, cases):
    begun = []
    for what in cases:
        one = arena.session()
        arena.run(one, PRELUDE + MIDDLE + "x = 7; tried = []\n" + ATTACKS[what] +
                  "\nreal, _retort.branch = _retort.branch, branch")
        begun.append((one, begin(one)))
    for one, pending in begun:
        try:
            branch(arena, one, pending)
        except rpc.Failure:
            continue  # the parent is lost, and the broker says so
        check_parent(one)
        assert one.value("x, all(set(t) <= {1} for t in tried)") == "(7, True)"


def test_an_earlier_branch_is_out_of_reach_of_a_later_one(arena):
    """Descriptors of the namespaces of the first, which belongs to the same user, instead of those of the second."""
    one = arena.session()
    arena.run(one, PRELUDE + MIDDLE + """
kept, seen = [], []
real = _retort.branch
def first(sock):
    s = socket.socket(fileno=sock)
    _, anc, _, _ = s.recvmsg(1, socket.CMSG_SPACE(28), socket.MSG_PEEK)
    s.detach()
    kept.extend(array.array('i', anc[0][2]))
    return real(sock)
def second(sock):
    fds = namespaces(sock)
    if libc.fork() == 0:
        for fd, kind in zip(kept, KINDS): setns(fd, kind)
        for _ in range(3):
            if libc.fork() == 0:
                report(sock); time.sleep(60); os._exit(0)
        os._exit(0)
    os.wait(); return 1, 0
_retort.branch = first
""")
    (earlier,) = branch(arena, one)
    if "cgroup" in one.isolation["missing"]:
        assert one.value("len(kept)") == "0", "replayed: nothing was forked"
        return
    arena.run(one, "_retort.branch = second")
    branch(arena, one)
    check_parent(one)
    assert all(is_bare for _, is_bare in eval(earlier.value(EVERYBODY))), "nobody came in"


def test_many_sessions_branch_at_once(arena):
    several = [arena.session() for _ in range(4)]
    for i, one in enumerate(several):
        arena.run(one, f"x = {i}")
    pending = [one.server.start("session.branch", session=one.id, count=4) for one in several]
    for i, answer in enumerate(pending):
        for each in answer.answer()["sessions"]:
            session = rpc.Session(several[i].server, {"session": each, "isolation": several[i].isolation})
            arena.sessions.append(session)
            assert session.value("x") == str(i)
