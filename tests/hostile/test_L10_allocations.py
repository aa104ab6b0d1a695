"""L10: the n-th allocation of the broker fails. It answers every request, goes on, gives no wrong answer, holds no lock and
records nothing by halves. (That of the supervisor: tests/hostile/test_L10_failpoints.py.)"""
import contextlib
import dataclasses
import json
import os
import pathlib
import signal
import subprocess

import pytest
import rpc

SOURCE = pathlib.Path(__file__).with_name("nth_malloc.c")
REPLIES = [{"text": "```python\nprint('product', 6 * 7)\n```"}, {"text": "FINAL: 42"}]


class Server(rpc.Server):
    """One request at a time: an error whose id could not be read is the answer to it."""

    def read(self):
        for line in self.process.stdout:
            message = json.loads(line)
            if "method" not in message and self.open:
                self.open.pop(next(iter(self.open))).box.put(message)
        for pending in list(self.open.values()):
            pending.box.put({"error": {"code": 0, "message": "retort rpc has ended"}})


@pytest.fixture(scope="module")
def failing_malloc(tmp_path_factory):
    place = tmp_path_factory.mktemp("preload")
    place.chmod(0o755)
    subprocess.run(["gcc", "-O2", "-Wall", "-Werror", "-shared", "-fPIC", "-o", place / "nth_malloc.so", SOURCE], check=True)
    return str(place / "nth_malloc.so")


class Life:
    """A session's, as far as it goes. `refused` has every refusal, in order."""

    def __init__(self, server):
        self.server, self.refused, self.x = server, [], None

    def ask(self, method, **params):
        try:
            return self.server.call(method, **params)
        except rpc.Failure as failure:
            self.refused.append(str(failure))
            return None
        except BrokenPipeError:
            pytest.fail(f"the broker has ended with status {self.server.process.wait(60)}")

    def cell(self, session, code, x):
        """Whatever it says of x is so; what x is from here on is known only if it says."""
        result = self.ask("session.execute", session=session, code=code)
        shown = result and result["status"] == "ok" and result["value"]
        if shown and self.x is not None:
            assert shown["text/plain"] == str(x), result
        recorded = shown and result["ledger"] or {}
        self.x = x if recorded.get("entry") and not recorded.get("error") else None
        if result and result["status"] == "lost":
            self.refused.append("the session is lost")

    def live(self):
        made = self.ask("session.create", record=True)
        if made:
            session = made["session"]
            self.x = 41
            self.cell(session, "x = 41; x", 41)
            if self.ask("files.write", session=session, path="f", base64="ZGF0YQ=="):
                read = self.ask("files.read", session=session, path="f")
                assert not read or read["base64"] == "ZGF0YQ=="
            self.ask("session.branch", session=session, count=1)
            self.cell(session, "x += 1; x", 42)
            if self.x and self.ask("session.undo", session=session):
                self.cell(session, "x", 41)
            else:  # refused, or done without an answer
                self.x = None
            self.ask("session.close", session=session)
            if self.ask("session.resume", session=session) and self.x:
                self.cell(session, "x", self.x)
        done = self.ask("agent.run", task="What is six times seven?", replies=REPLIES)
        assert not done or done["answer"] in ("FINAL: 42", None)


def test_L10_the_nth_allocation_that_fails(light, programs_that_fail, failing_malloc, count):
    caller = dataclasses.replace(light, programs=programs_that_fail)
    rounds, step = count((40, 67), (1500, 2))
    server = Server(caller, LD_PRELOAD=failing_malloc, NTH_MALLOC=f"1:{step}")
    witness = server.call("session.create", record=False)["session"]
    server.call("session.execute", session=witness, code="w = 7")
    refused = 0
    for turn in range(rounds):
        life = Life(server)
        if turn:
            os.kill(server.pid, signal.SIGUSR2)
        life.live()
        os.kill(server.pid, signal.SIGUSR1)
        assert turn or not life.refused
        refused += bool(life.refused)
        for each in server.call("session.list")["sessions"]:  # nobody holds a lock of theirs
            if each["session"] != witness:
                with contextlib.suppress(rpc.Failure):
                    server.call("session.close", session=each["session"])
        assert server.call("session.execute", session=witness, code="w")["value"]["text/plain"] == "7", turn
    assert refused > rounds // 5
    for each in server.call("ledger.list")["sessions"]:  # nothing is half-written
        assert server.call("ledger.verify", session=each["session"])["sound"], each
    assert server.close() == 0
