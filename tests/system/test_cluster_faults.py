"""Three servers of NATS, three nodes, many clients, and a fault every few seconds: no acknowledged cell is lost, none runs twice."""
import base64
import collections
import contextlib
import http.client
import json
import os
import pathlib
import random
import signal
import threading
import time

import pytest

import clustered
from clustered import Nats, Node, Raw, Refused, fill, small_disk, supervisors, until
from partition import Spoke, own_network

pytestmark = [pytest.mark.skipif(not clustered.SERVER, reason="nats-server is not installed"), pytest.mark.by_turns]

LEASE = 2
UNABLE = 75  # the status of a node that can do nothing any more
ROOT = os.geteuid() == 0


class Model:
    """What one session must hold."""

    def __init__(self):
        self.cells = []  # of those that were acknowledged
        self.file = {None}  # what its file may hold: more than one after a write of which nobody knows what became


class World:
    """Clients, each with sessions of its own, and how often what happened."""

    def __init__(self, nodes, seed, pause):
        self.nodes, self.random, self.pause, self.counts = nodes, random.Random(seed), pause, collections.Counter()
        self.lock, self.over, self.broken = threading.Lock(), threading.Event(), []

    def count(self, what):
        with self.lock:
            self.counts[what] += 1

    def try_once(self, call, session=None):
        """What a node answers that is picked as a balancer would, which knows nothing; None: it did not."""
        try:
            return call(random.choice(self.nodes))
        except Refused as why:
            if why.error["data"]["fault"] not in ("host", "limit"):
                raise AssertionError((session, why.error, self.told_of(call))) from why
            self.count("refused")
        except (OSError, http.client.HTTPException, ValueError):
            self.count("unreachable")
        return None

    def told_of(self, call):
        """What each node says then, for whoever looks for the cause."""
        said = []
        for node in self.nodes:
            try:
                said.append((node.id, call(node)))
            except (Refused, OSError, http.client.HTTPException, ValueError) as why:
                said.append((node.id, repr(why)))
        return said

    def ask(self, call, session=None):
        while True:
            answer = self.try_once(call, session)
            if answer is not None:
                return answer
            time.sleep(0.2)

    def client(self, number, sessions):
        """Each session is used by one client, so that its model is a list."""
        try:
            cell = 0
            while not self.over.is_set():
                cell += 1
                session, model = random.choice(list(sessions.items()))
                if cell % 5:
                    self.run(session, model, f"c{number}-{cell}", cell)
                else:
                    self.write(session, model, f"{number}-{cell}".encode())
                time.sleep(self.pause * random.random())
        except Exception as why:  # pylint: disable=broad-except
            self.broken.append(repr(why))
            self.over.set()

    def run(self, session, model, name, cell):
        result = self.ask(lambda node: node.run(session, f"log.append({cell}); len(log)", request=name), session)
        if result["status"] == "lost":
            self.count("lost")
            return
        assert result["status"] == "ok", result
        model.cells.append(cell)
        self.count("acknowledged")
        assert result["value"]["text/plain"] == str(len(model.cells)), (session, result["value"], model.cells)

    def write(self, session, model, content):
        if self.try_once(lambda node: node.call("files.write", session=session, path="f",
                                                base64=base64.b64encode(content).decode()), session) is None:
            model.file.add(content)
        else:
            model.file = {content}
            self.count("files acknowledged")


# ---- faults ----

def restart(world, node):
    node.kill()
    time.sleep(world.random.random() * 2 * LEASE)
    node.start()


def pause(world, node):
    node.signal(signal.SIGSTOP)
    time.sleep(LEASE * (0.5 + world.random.random() * 2))
    node.signal(signal.SIGCONT)


def lose_server(world, nats):
    which = world.random.randrange(len(nats.ports))
    nats.kill(which)
    time.sleep(world.random.random() * LEASE)
    nats.start(which)


def lose_supervisor(world, node):
    for pid in supervisors(node)[:1]:
        os.kill(pid, signal.SIGKILL)
        world.count("supervisors that died")
    time.sleep(world.random.random())


def revive(world):
    """A node that can start no supervisor any more ends with a status of its own, and who keeps services running starts it again.
    Nothing else ends a node."""
    for node in world.nodes:
        code = node.process.poll()
        assert code in (None, UNABLE), (code, pathlib.Path(node.log.name).read_text()[-2000:])
        if code == UNABLE:
            world.count("nodes that ended themselves")
            node.start()


def partition(world, node):
    node.spoke.cut()
    time.sleep(LEASE * (0.5 + world.random.random() * 2))
    node.spoke.join()


def fill_disk(world, node):
    filler = fill(node.home)
    time.sleep(LEASE * (0.5 + world.random.random()))
    filler.unlink()


def do_faults(world, nats, hub, seconds):
    """For so long, and each kind at least once."""
    if hub:
        hub.enter()
    end = time.monotonic() + seconds
    any_node = lambda fault: lambda: fault(world, world.random.choice(world.nodes))  # noqa: E731
    kinds = {"kill -9 of a node": any_node(restart), "pause of a node": any_node(pause),
             "kill -9 of a supervisor": any_node(lose_supervisor),
             "kill -9 of a server of NATS": lambda: lose_server(world, nats)}
    if ROOT:
        kinds |= {"partition of a node": any_node(partition), "full disk of a node": any_node(fill_disk)}
    order = []
    while (order or time.monotonic() < end) and not world.over.is_set():
        order = order or world.random.sample(sorted(kinds), len(kinds))
        kind = order.pop()
        world.count(kind)
        kinds[kind]()
        time.sleep(1 + world.random.random() * 2)
        revive(world)


# ---- afterwards ----

def check_session(world, session, model):
    """It holds what was acknowledged, each cell is on record once, and the chain holds."""
    last = world.ask(lambda node: node.run(session, "log, open('f').read() if __import__('os').path.exists('f') else None",
                                           request="last"))
    held = [str((model.cells, content and content.decode())) for content in model.file]
    assert last["value"]["text/plain"] in held, (session, last["value"], held)
    entries = world.ask(lambda node: node.call("ledger.list", session=session))["entries"]
    begun = collections.Counter(e["body"]["request"] for e in entries if e["kind"] == "cell_intent" and "request" in e["body"])
    assert not [name for name, times in begun.items() if times > 1], session
    assert len([e for e in entries if e["kind"] == "cell_outcome" and e["body"]["status"] == "ok"]) >= len(model.cells)
    assert world.ask(lambda node: node.call("ledger.verify", session=session))["sound"], session


def check_owners(world, held):
    """No session is on two nodes: a list has those of all."""
    def listed():
        return collections.Counter(s["session"] for s in world.ask(lambda node: node.call("session.list"))["sessions"])
    until(lambda: max(listed().values()) == 1)
    assert set(listed()) <= set(held)


def healthy(node):
    with contextlib.suppress(OSError):
        return node.get("/healthz")[0] == 200
    return False


def check_all(world, held):
    until(lambda: revive(world) or all(healthy(node) for node in world.nodes))
    work = collections.deque(held.items())

    def check():
        try:
            while work and not world.broken:
                check_session(world, *work.popleft())
        except Exception as why:  # pylint: disable=broad-except
            world.broken.append(repr(why))
    together([threading.Thread(target=check) for _ in range(8)])
    print(*world.broken, sep="\n")
    for session in held:
        if any(session in why for why in world.broken):
            print(session, *what_happened(world, session), sep="\n")
    assert not world.broken
    check_owners(world, held)


def what_happened(world, session):
    """For whoever looks for the cause: its entries, one a line."""
    for e in world.ask(lambda node: node.call("ledger.list", session=session))["entries"]:
        yield {name: e["body"].get(name) for name in ("cell", "request", "status", "path", "blob") if name in e["body"]} | {
            name: e.get(name) for name in ("entry", "kind", "time")}


def together(threads):
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


# ---- the test ----

def make_nodes(stack, light, size):
    nats, nodes = Nats(3, address="0.0.0.0" if ROOT else "127.0.0.1"), []
    stack.callback(nats.close)
    for i in range(3):
        spoke, home = None, None
        if ROOT:
            spoke, home = Spoke(i), small_disk(stack, light, size)
            stack.callback(spoke.close)
        nodes.append(Node(light, nats, replicas=3, lease=LEASE, spoke=spoke, home=home))
        stack.callback(nodes[-1].close)
    return nats, nodes


def what_the_log_says(nats, sessions):
    """Of sessions that something was wrong with: their last entry, and how many there are, as each server of NATS leads to it."""
    said = []
    for port in nats.ports:
        with contextlib.suppress(OSError, AssertionError):
            raw = Raw(port)
            for session in sessions:
                subject = f"retort.tests.log.{session}"
                last = raw.ask("$JS.API.STREAM.MSG.GET.RETORT-tests-LOG", json.dumps({"last_by_subj": subject}).encode())
                info = raw.ask("$JS.API.STREAM.INFO.RETORT-tests-LOG", json.dumps({"subjects_filter": subject}).encode())
                head = base64.b64decode(last.get("message", {}).get("data", "")).split(b"\n")[0]
                said.append((port, session, head or last, info.get("state"), info.get("cluster")))
    return said


def live(stack, hub, light, count):
    clients, sessions_each, seconds = count(6, 50), count(2, 20), count(10, 600)
    seed = random.randrange(1 << 30)
    nats, nodes = make_nodes(stack, light, count("300m", "4g"))
    world = World(nodes, seed, count(0.6, 0))
    held = [{world.ask(lambda node: node.session()): Model() for _ in range(sessions_each)} for _ in range(clients)]
    everything = {session: model for sessions in held for session, model in sessions.items()}
    for session in everything:
        world.ask(lambda node, session=session: node.run(session, "log = []", request="first"))
    threads = [threading.Thread(target=world.client, args=(i, sessions)) for i, sessions in enumerate(held)]
    for thread in threads:
        thread.start()
    try:
        do_faults(world, nats, hub, seconds)
    finally:
        world.over.set()
    for thread in threads:
        thread.join()
    print(f"seed {seed}, {len(everything)} sessions, {clients} clients, {seconds} s:", dict(sorted(world.counts.items())))
    if world.broken:
        print(what_the_log_says(nats, {session for session in everything if any(session in why for why in world.broken)}))
    assert not world.broken, print(*world.broken, sep="\n")
    check_all(world, everything)
    assert world.counts["acknowledged"] > 0


def test_nothing_acknowledged_is_lost_and_nothing_runs_twice(light, count):
    """In a thread, which has a network of its own where links can be cut."""
    failed = []

    def run():
        try:
            with contextlib.ExitStack() as stack:
                hub = own_network() if ROOT else None
                if hub:
                    stack.callback(hub.close)
                live(stack, hub, light, count)
        except BaseException as why:  # pylint: disable=broad-except
            failed.append(why)
    together([threading.Thread(target=run)])
    if failed:
        raise failed[0]
