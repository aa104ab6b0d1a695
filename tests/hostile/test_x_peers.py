"""A quiet session beside one that wears something out: processors, memory, page cache, disk, descriptors, network, locks of
the kernel, the supervisor's loop, the broker's threads. The attacks are those that bench/peers.py measures.

How long the quiet one's cells take is for the bench to say. Here each of them comes to its end, with the right answer, while
the attack goes on; and the kernel says that all of the attacker's processes have one share of the processors."""
import pathlib
import sys
import threading

import pytest
import rpc
import traces
from arena import arena, lab  # noqa: F401 (fixtures)

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "bench"))
from peers import ATTACKS  # noqa: E402

NAMED = "open('/proc/self/comm', 'w').write(%r)\n"


class Attacker:
    """A client, or several, that do one thing again and again until they are told to stop."""

    def __init__(self, arena, attack):
        self.arena, self.attack, self.rounds, self.over = arena, attack, 0, threading.Event()
        act = {"sessions": self.sessions, "branches": self.branches, "requests": self.requests}.get(attack.kind, self.cells)
        self.one = None if attack.kind == "sessions" else arena.session(record=attack.recorded)
        if attack.name == "calls":
            self.one.offer(one=lambda: 1)
        self.threads = [threading.Thread(target=self.again, args=(act,), daemon=True) for _ in range(attack.clients)]
        for thread in self.threads:
            thread.start()

    def again(self, act):
        while not self.over.is_set():
            act()
            self.rounds += 1

    def cells(self):
        self.one.run(NAMED % "attacker" + self.attack.code)

    def sessions(self):
        one = self.arena.server.session(record=False)
        one.run(self.attack.code)
        one.close()

    def branches(self):
        for branch in self.arena.server.call("session.branch", session=self.one.id, count=2)["sessions"]:
            each = rpc.Session(self.arena.server, {"session": branch, "isolation": None})
            each.run(self.attack.code)
            each.close()

    def requests(self):
        for method in ("files.list", "session.info"):
            self.arena.server.call(method, session=self.one.id)

    def goes_on(self):
        """It is in the middle of a cell that it has begun; or it has come to the end of another round since."""
        began = self.rounds
        while self.rounds == began:
            assert all(thread.is_alive() for thread in self.threads), "the attack has come to its end"
            if self.attack.kind == "cells" and self.one.info()["running"] and self.spoke():
                return
            self.arena.pause()

    def spoke(self):
        return any(params.get("session") == self.one.id for _, params in list(self.arena.server.notes))

    def stop(self):
        self.over.set()
        while any(thread.is_alive() for thread in self.threads):
            if self.one:
                self.one.interrupt()
            self.threads[0].join(0.1)
            self.threads = [thread for thread in self.threads if thread.is_alive()]


def share(pid):
    """The cgroup of a process that shares out the processors, and its weight there."""
    for line in pathlib.Path(f"/proc/{pid}/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        mount, file = ("/sys/fs/cgroup/cpu", "cpu.shares") if "cpu" in controllers.split(",") else ("/sys/fs/cgroup", "cpu.weight")
        weight = pathlib.Path(f"{mount}{path}/{file}")
        if "retort-" in path and weight.exists():
            return path, weight.read_text()
    return None


def shares(arena, name):
    found = set()
    for pid in traces.tree(arena.pid):
        if traces.name_of(pid) == name:
            try:
                found.add(share(pid))
            except OSError:
                pass  # it has ended meanwhile
    return found - {None}  # that of one that is ending


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
@pytest.mark.few(4)
def test_X14_a_quiet_session_goes_on(arena, attack):
    quiet = arena.session(record=attack.recorded)
    quiet.value(NAMED % "quiet" + "n = 0")
    attacker = Attacker(arena, attack)
    try:
        attacker.goes_on()
        for i in range(10):
            assert quiet.value("n += 1; n") == str(i + 1)
        if attack.name == "cpu" and "cgroup" not in quiet.isolation["missing"]:
            (theirs,), (own,) = shares(arena, "attacker"), shares(arena, "quiet")
            assert theirs[0] != own[0] and theirs[1] == own[1]
        attacker.goes_on()
    finally:
        attacker.stop()
    assert quiet.value("n") == "10"
