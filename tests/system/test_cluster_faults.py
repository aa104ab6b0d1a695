"""Three servers of NATS, three nodes, many clients, and a fault every few seconds: no acknowledged cell is lost, none runs twice."""
import collections
import contextlib
import http.client
import random
import signal
import threading
import time

import pytest

import clustered
from clustered import Nats, Node, Refused, until

pytestmark = [pytest.mark.skipif(not clustered.SERVER, reason="nats-server is not installed"), pytest.mark.by_turns]

LEASE = 2


class World:
    """What every session must hold, and how often what happened."""

    def __init__(self, nodes, seed):
        self.nodes, self.random, self.counts = nodes, random.Random(seed), collections.Counter()
        self.lock, self.over, self.broken = threading.Lock(), threading.Event(), []

    def count(self, what):
        with self.lock:
            self.counts[what] += 1

    def ask(self, call):
        """Asks random nodes until one has answered."""
        while True:
            node = random.choice(self.nodes)
            try:
                return call(node)
            except Refused as why:
                assert why.error["data"]["fault"] in ("host", "limit"), why.error
                self.count("refused")
            except (OSError, http.client.HTTPException, ValueError):
                self.count("unreachable")
            time.sleep(0.2)

    def client(self, number, sessions):
        """Each session is used by one client, so that its model is a list."""
        try:
            self.work(number, sessions)
        except Exception as why:  # pylint: disable=broad-except
            self.broken.append(repr(why))
            self.over.set()

    def work(self, number, sessions):
        cell = 0
        while not self.over.is_set():
            session, held = random.choice(list(sessions.items()))
            cell += 1
            name = f"c{number}-{cell}"
            result = self.ask(lambda node: node.run(session, f"log.append({cell}); len(log)", request=name))
            if result["status"] == "lost":
                self.count("lost")
                continue
            assert result["status"] == "ok", result
            held.append(cell)
            self.count("acknowledged")
            assert result["value"]["text/plain"] == str(len(held)), (session, result["value"], held)


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


def do_faults(world, nats, seconds):
    end = time.monotonic() + seconds
    kinds = {"kill -9 of a node": lambda: restart(world, world.random.choice(world.nodes)),
             "pause of a node": lambda: pause(world, world.random.choice(world.nodes)),
             "kill -9 of a server of NATS": lambda: lose_server(world, nats)}
    while time.monotonic() < end and not world.over.is_set():
        kind = world.random.choice(sorted(kinds))
        world.count(kind)
        kinds[kind]()
        time.sleep(1 + world.random.random() * 2)


def check_record(world, session, held):
    """Every acknowledged cell is on record once, and the chain holds."""
    entries = world.ask(lambda node: node.call("ledger.list", session=session))["entries"]
    begun = collections.Counter(e["body"]["request"] for e in entries if e["kind"] == "cell_intent" and "request" in e["body"])
    assert not [name for name, times in begun.items() if times > 1], session
    assert len([e for e in entries if e["kind"] == "cell_outcome" and e["body"]["status"] == "ok"]) >= len(held)
    assert world.ask(lambda node: node.call("ledger.verify", session=session))["sound"], session


def test_nothing_acknowledged_is_lost_and_nothing_runs_twice(light, count):
    clients, sessions_each, seconds = count(4, 50), count(2, 20), count(25, 600)
    seed = random.randrange(1 << 30)
    with contextlib.ExitStack() as stack:
        nats = Nats(3)
        stack.callback(nats.close)
        nodes = []
        for _ in range(3):
            nodes.append(Node(light, nats, replicas=3, lease=LEASE))
            stack.callback(nodes[-1].close)
        world = World(nodes, seed)
        held = [{world.ask(lambda node: node.session()): [] for _ in range(sessions_each)} for _ in range(clients)]
        for sessions in held:
            for session in sessions:
                world.ask(lambda node, session=session: node.run(session, "log = []", request="first"))
        threads = [threading.Thread(target=world.client, args=(i, sessions)) for i, sessions in enumerate(held)]
        for thread in threads:
            thread.start()
        do_faults(world, nats, seconds)
        world.over.set()
        for thread in threads:
            thread.join()
        print(f"seed {seed}:", dict(world.counts))
        assert not world.broken, (seed, world.broken)
        until(lambda: all(node.get("/healthz")[0] == 200 for node in nodes))
        for sessions in held:
            for session, cells in sessions.items():
                last = world.ask(lambda node, session=session: node.run(session, "log", request="last"))
                assert last["value"]["text/plain"] == str(cells), (seed, session)
                check_record(world, session, cells)
        assert world.counts["acknowledged"] > 0
