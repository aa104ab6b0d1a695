"""Hostile cells in live sessions of one `retort rpc`, beside a victim that must not notice.

`arena` is for one case. When it is over, the invariants are checked (security: 5.0): the broker is the same process, as
large as before, with as many descriptors and threads; what the case started is gone; the victim's work is right; a
fresh session is as good as ever; no secret was spoken and nobody on the host was called."""
import os
import pathlib
import re
import shutil
import time

import pytest
import ring
import rpc
import traces

MODES = ["root", "user"] if os.geteuid() == 0 else ["user"]
GROWTH_KB = 6144  # a thread may have an arena of its own by now, and each of SQLite's two connections 2,000 KiB of pages
WORKERS = 4  # threads that serve requests are started when there is work for them, and wait for more
VICTIM = "import hashlib\nfor _ in range(2000): seal = hashlib.sha256(seal).digest()\nrounds += 1\nseal.hex(), rounds"

# Frames by hand, past our own library.
ROOT = pathlib.Path(__file__).resolve().parents[2]
RAW = """
import os, struct, json
def field(tag, data):
    data = struct.pack('<q', data) if isinstance(data, int) else data.encode() if isinstance(data, str) else data
    return struct.pack('<II', tag, len(data)) + data
def frame(kind, *fields):
    payload = b''.join(field(*f) for f in fields)
    return struct.pack('<IBBH', len(payload), kind, 0, 0) + payload
def raw(data):
    view = memoryview(data)
    while view: view = view[os.write(3, view):]
"""
FRAMES = re.findall(r"^(FRAME|TAG)\((\w+), (\d+), ", (ROOT / "src/wire/frames.def").read_text(), re.MULTILINE)
RAW += "".join(f"{name} = {number}\n" for kind, name, number in FRAMES if kind == "TAG" or int(number) < 64)


def broker_state(pid):
    status = dict(line.split(":", 1) for line in open(f"/proc/{pid}/status"))
    return {"descriptors": len(os.listdir(f"/proc/{pid}/fd")), "threads": int(status["Threads"]),
            "memory": int(status["VmRSS"].split()[0]), "processes": len(traces.tree(pid) - traces.spare(pid))}


class Lab:
    """The server that all cases of a module share."""

    def __init__(self, caller):
        self.caller = caller
        self.canary = ring.Canary(caller.home.stat().st_uid)
        self.tripwire = ring.Tripwire()
        self.server = rpc.Server(caller, **self.canary.environment())
        self.victim = self.server.session(checkpoint="always")  # it has one from its second cell on, however busy the machine is
        self.victim.value("seal = b'victim'; rounds = 0\nrounds")
        self.turn().answer()
        self.most = self.settled(rounds=100)
        self.threads = self.most["threads"]

    def turn(self):
        """One round of the victim's work, checked."""
        return self.victim.start(VICTIM)

    def settled(self, rounds=5):
        """The broker's state once it has been the same for a while: pools refill, checkpoints are taken."""
        before, same, patience = None, 0, time.monotonic() + traces.PATIENCE
        while same < rounds and time.monotonic() < patience:
            now = broker_state(self.server.pid)
            same = same + 1 if before and {**now, "memory": 0} == {**before, "memory": 0} else 0
            before = now
            time.sleep(0.01)
        return before

    def before(self):
        """What a case finds. Where the next refill or checkpoint is late, as much as an earlier case found."""
        now = self.settled()
        for kind in ("descriptors", "processes"):
            self.most[kind] = max(self.most[kind], now[kind])
        return {**self.most, "memory": now["memory"]}

    def close(self):
        assert self.server.close() == 0
        shutil.rmtree(self.canary.tree)


class Arena:
    rpc = rpc

    def __init__(self, lab):
        self.lab, self.server, self.sessions, self.raw = lab, lab.server, [], []
        self.pid = lab.server.pid
        self.before = lab.before()
        self.work = lab.turn()

    def session(self, **options):
        self.sessions.append(self.server.session(**{"record": False, **options}))
        return self.sessions[-1]

    def run(self, one, code, status="ok", **limits):
        """One cell; checks what holds for every result, and the status: one or several."""
        result = one.run(code, **limits)
        self.raw.append(result)
        wanted = (status,) if isinstance(status, str) else status
        assert result["status"] in wanted, {k: v for k, v in result.items() if k not in ("isolation", "displays")}
        message = (result["error"] or {}).get("message") or ""
        assert len(message) < 65536
        for place in (self.lab.caller.home, self.lab.caller.programs):
            assert str(place) not in message
        return result

    def once(self, code, status="ok", options=None, **limits):
        """One cell in a session of its own."""
        return self.run(self.session(**(options or {})), code, status, **limits)

    def broken(self, code, **limits):
        """A cell that breaks the protocol: its session ends, and says so."""
        one = self.session()
        result = self.run(one, RAW + code, "lost", **limits)
        assert result["flags"] == ["protocol_error"] and result["state"] == "lost"
        with pytest.raises(rpc.Failure, match="ended"):
            one.run("1")
        return result

    @staticmethod
    def pause():
        time.sleep(0.01)

    def check(self):
        assert self.server.pid == self.pid and self.server.process.poll() is None
        victim = self.work.answer()
        assert victim["status"] == "ok" and victim["state"] == "kept"
        for one in self.sessions:
            one.close()
        fresh = self.server.session(record=False)
        assert fresh.value("6 * 7") == "42"
        fresh.close()
        self.check_broker()
        assert self.lab.canary.token not in str(self.raw)
        assert ring.digest(self.lab.canary.tree) == self.lab.canary.before
        assert self.lab.tripwire.seen() == []

    def check_broker(self):
        """Equal again, or soon: what has been killed takes a moment to be gone."""
        patience = time.monotonic() + traces.PATIENCE
        while True:
            now = self.lab.settled()
            more = {k: (self.before[k], now[k]) for k in ("descriptors", "processes") if now[k] > self.before[k]}
            grown = traces.growth(self.before["memory"], now["memory"])
            threads = now["threads"] - self.lab.threads
            if (not more and threads <= WORKERS and grown < GROWTH_KB) or time.monotonic() > patience:
                break
        assert more == {}, f"the broker has more than before: {more}"
        assert threads <= WORKERS, f"the broker has {threads} more threads"
        assert grown < GROWTH_KB, f"the broker has grown by {grown} KiB"


@pytest.fixture(scope="module", params=MODES)
def lab(request, new_caller, lightened):
    """A module with LIBRARIES = True has sessions of interpreters that have imported numpy and the like, as they are by default."""
    caller = new_caller(request.param)
    made = Lab(caller if getattr(request.module, "LIBRARIES", False) else lightened(caller))
    yield made
    made.close()


@pytest.fixture
def arena(lab):
    one = Arena(lab)
    yield one
    one.check()
