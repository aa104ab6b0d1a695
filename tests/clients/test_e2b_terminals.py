"""Terminals of a sandbox: real ones, the sandbox's own, and no more than it may have."""
import base64
import json
import re

import pytest

from sandboxes import ONE, Stream, asked, call, executed, made, opened

pytestmark = pytest.mark.by_turns

START, INPUT, UPDATE, SIGNAL, LIST = (
    "process.Process/" + name for name in ("Start", "SendInput", "Update", "SendSignal", "List"))
SHELL = {"cmd": "/bin/bash", "args": ["--norc", "--noprofile", "-i"], "envs": {"TERM": "dumb", "PS1": "> "}}


@pytest.fixture(scope="module")
def port(light_caller):
    with opened(light_caller) as (_, port):
        yield port


@pytest.fixture
def sandbox(port):
    opens = made(port)
    yield opens
    assert call(port, "DELETE", f"/sandboxes/{opens[0]}", key=ONE)[0] == 204


class Terminal:
    def __init__(self, port, opens, process=SHELL, rows=24, cols=80):
        self.port, self.opens, self.text, self.end = port, opens, "", None
        self.stream = Stream(port, opens, START, process=process, pty={"size": {"rows": rows, "cols": cols}})
        first = self.stream.next()
        self.pid = first["event"]["start"]["pid"] if first else None

    def type(self, text):
        self.tell(text.encode())

    def tell(self, data):
        assert asked(self.port, self.opens, INPUT, process={"pid": self.pid},
                     input={"pty": base64.b64encode(data).decode()}) == (200, {})

    def shows(self, pattern):
        """Reads on until it does."""
        while not re.search(pattern, self.text):
            message = self.stream.next()
            assert message, self.text
            event = message["event"]
            self.text += base64.b64decode(event.get("data", {}).get("pty", "")).decode()
            self.end = event.get("end", self.end)
        return True

    def ends(self):
        while message := self.stream.next():
            self.end = message["event"].get("end", self.end)
        self.stream.close()
        return self.end["exitCode"], self.end["exited"]


def test_a_shell_in_a_terminal(port, sandbox):
    """With a size, jobs, and signals by its keys."""
    t = Terminal(port, sandbox, rows=25, cols=81)
    t.type("test -t 0 && test -t 1 && test -t 2 && stty size\n")
    t.shows("25 81")
    assert asked(port, sandbox, UPDATE, process={"pid": t.pid}, pty={"size": {"rows": 30, "cols": 100}}) == (200, {})
    t.type("stty size\n")
    t.shows("30 100")
    t.type("sh -c \"echo be''gun; exec sleep 600\"\n")
    t.shows("begun")  # by the one that is to be interrupted: between two commands, bash may miss the key
    t.type("\x03")
    t.type("echo status $?\n")
    t.shows("status 130")
    t.type("echo re''ady; cat\n")
    t.shows("ready")  # before, the shell has the terminal, and what is typed is shown once
    t.type("twice\n")
    t.shows("twice(.|\n)*twice")
    t.type("\x1a")
    t.shows("Stopped")
    t.type("kill %1; fg; exit 3\n")
    assert t.ends() == (3, True)
    assert asked(port, sandbox, LIST)[1] == {"processes": []}


def test_who_comes_later_sees_what_comes_then(port, sandbox):
    t = Terminal(port, sandbox)
    other = Stream(port, sandbox, "process.Process/Connect", process={"pid": t.pid})
    assert other.next() == {"event": {"start": {"pid": t.pid}}}
    t.type("echo se''en\n")
    t.shows("seen")
    heard = ""
    while "seen" not in heard:
        heard += base64.b64decode(other.next()["event"].get("data", {}).get("pty", "")).decode()
    other.close()
    assert asked(port, sandbox, SIGNAL, process={"pid": t.pid}, signal="SIGNAL_SIGKILL") == (200, {})
    assert t.ends() == (-1, False)


def test_they_are_the_sandboxs_own(port, sandbox):
    """A fork has none of its parent's, and neither has the other's."""
    t = Terminal(port, sandbox)
    t.type("secret=1; tty\n")
    t.shows("/dev/pts/0")
    status, text = call(port, "POST", f"/sandboxes/{sandbox[0]}/fork", {}, key=ONE)
    assert status == 201, text
    fork = json.loads(text)[0]["sandbox"]
    opens = fork["sandboxID"], fork["envdAccessToken"]
    look = "import os\nsorted(set(os.listdir('/dev/pts')) - {'ptmx'})"
    assert [line["text"] for line in executed(port, *opens, look) if line["type"] == "result"] == ["[]"]
    theirs = Terminal(port, opens)
    theirs.type("echo its''own; tty\n")
    theirs.shows("/dev/pts/0")
    t.type("echo mi''ne\n")
    t.shows("mine")
    assert "itsown" not in t.text and "mine" not in theirs.text
    assert call(port, "DELETE", f"/sandboxes/{opens[0]}", key=ONE)[0] == 204
    t.type("exit\n")
    assert t.ends() == (0, True)


def test_there_are_so_many_and_no_more(port, sandbox):
    sleep = {"cmd": "/bin/sleep", "args": ["600"]}
    had = [Terminal(port, sandbox, sleep) for _ in range(16)]
    assert all(t.pid for t in had)
    refused = Terminal(port, sandbox, sleep)
    assert refused.pid is None and refused.stream.error["code"] == "resource_exhausted"
    assert asked(port, sandbox, SIGNAL, process={"pid": had[0].pid}, signal="SIGNAL_SIGKILL") == (200, {})
    had[0].ends()
    again = Terminal(port, sandbox, sleep)
    assert again.pid
    for t in (*had[1:], again, refused):
        t.stream.close()


def test_it_types_into_no_other(port, sandbox):
    """What would type into a terminal, or make another one's the own, is refused as everywhere."""
    code = """
import errno, fcntl, os, pty
controller, terminal = os.openpty()
told = []
for number in (0x5412, 0x540e, 0x541d, 0x5423):  # TIOCSTI, TIOCSCTTY, TIOCCONS, TIOCSETD
    try: fcntl.ioctl(terminal, number, b"x" * 8)
    except OSError as error: told.append(errno.errorcode[error.errno])
told
"""
    asked(port, sandbox, LIST)  # from now on there are terminals
    assert [line["text"] for line in executed(port, *sandbox, code) if line["type"] == "result"] == [
        "['EPERM', 'EPERM', 'EPERM', 'ENOTTY']"]


@pytest.mark.parametrize("size", [{}, {"rows": 0, "cols": 80}, {"rows": 24, "cols": 65536}, {"rows": "x", "cols": 1}, []])
def test_a_wrong_size_is_refused(port, sandbox, size):
    t = Terminal(port, sandbox)
    wrong = Stream(port, sandbox, START, process=SHELL, pty={"size": size})
    assert wrong.next() is None and wrong.error["code"] == "invalid_argument"
    wrong.close()
    assert asked(port, sandbox, UPDATE, process={"pid": t.pid}, pty={"size": size})[1]["code"] == "invalid_argument"
    t.type("echo th''ere; exit\n")
    t.shows("there")
    t.ends()


def test_who_reads_nothing_makes_nobody_wait(port, sandbox):
    """More input than a pipe holds, for a process that does not read: it is kept to a bound, and what is read arrives."""
    reader = Stream(port, sandbox, START, process={"cmd": "/bin/sh", "args": ["-c", "while ! test -e /work/go; do sleep 0.1; done; wc -c"]},
                    stdin=True)
    pid = reader.next()["event"]["start"]["pid"]
    data, sent, status = base64.b64encode(b"x" * (1 << 19)).decode(), 0, 200
    while status == 200 and sent < 32:
        status, told = asked(port, sandbox, INPUT, process={"pid": pid}, input={"stdin": data})
        sent += status == 200
    assert told["code"] == "resource_exhausted" and sent >= 8
    assert asked(port, sandbox, "process.Process/CloseStdin", process={"pid": pid}) == (200, {})
    executed(port, *sandbox, "open('/work/go', 'w').close()")
    out = b""
    while message := reader.next():
        out += base64.b64decode(message["event"].get("data", {}).get("stdout", ""))
    assert int(out) == sent << 19
    reader.close()


def test_a_wrong_question_ends_nothing(port, sandbox):
    t = Terminal(port, sandbox)
    for question in ({"process": []}, {"process": {"cmd": 5}}, {"process": {"cmd": "x", "args": 3}}, {"process": {"pid": t.pid}, "input": 7}):
        for method in (START, INPUT, UPDATE, SIGNAL):
            status, _ = asked(port, sandbox, method, **question)
            assert 400 <= status < 600
    t.type("echo ali''ve; exit\n")
    t.shows("alive")
    assert t.ends() == (0, True)
