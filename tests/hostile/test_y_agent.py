"""Y: a model server that means harm. The agent ends with a reason, in bounded memory, and code runs in a session or not at all."""
import contextlib
import itertools
import json
import os
import socket
import threading

import pytest

MIB = 1 << 20
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"


def event(delta, finish=None):
    return b"data: " + json.dumps({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}).encode() + b"\n\n"


def calls(many, arguments):
    return [{"index": i, "id": f"c{i}", "type": "function", "function": {"name": "run_python", "arguments": arguments}}
            for i in range(many)]


def endless(piece):
    while True:
        yield piece * max(1, 65536 // len(piece))


CODE = json.dumps({"code": "open('/work/ran', 'a').write('x')"})
REPLIES = {
    "text without end": lambda: [HEAD, endless(event({"content": "all work and no play " * 50}))],
    "nothing but comments": lambda: [HEAD, itertools.islice(endless(b": still there\n\n"), 64)],
    "an event without end": lambda: [HEAD, b"data: {\"choices\": [", endless(b"[" * 1000)],
    "headers without end": lambda: [b"HTTP/1.1 200 OK\r\n", endless(b"X-Y: " + b"z" * 1000 + b"\r\n")],
    "an error without end": lambda: [b"HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\n\r\n", endless(b"{" * 1000)],
    "redirections": lambda: [b"HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n"],
    "deep arguments": lambda: [HEAD, event({"tool_calls": calls(1, "[" * 200000)}), event({}, "tool_calls"), b"data: [DONE]\n\n"],
    "calls without end": lambda: [HEAD, event({"tool_calls": calls(3000, CODE)}), event({}, "tool_calls"), b"data: [DONE]\n\n"],
    "indices of calls": lambda: [HEAD, event({"tool_calls": [{**calls(1, CODE)[0], "index": i} for i in (2**40, -1, 10**9)]}),
                                 event({}, "tool_calls"), b"data: [DONE]\n\n"],
}


class Model:
    """Answers every request in the same way, as fast as it is read."""

    def __init__(self, reply):
        self.reply = reply
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}/v1"
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        with contextlib.suppress(OSError):  # when it is closed
            while True:
                threading.Thread(target=self.answer, args=(self.listener.accept()[0],), daemon=True).start()

    def answer(self, connection):
        with connection, contextlib.suppress(OSError):
            connection.recv(65536)
            for part in self.reply():
                for piece in [part] if isinstance(part, bytes) else part:
                    connection.sendall(piece)


@pytest.mark.parametrize("kind", REPLIES)
@pytest.mark.few(2)
def test_Y12_a_hostile_model(light, kind):
    model = Model(REPLIES[kind])
    child = light.popen("agent", "count the letters", "--base-url", model.url, "--model", "m", "--api", "openai", "--json", "--max-steps",
                        "3", env={"OPENAI_API_KEY": "sk-y", "RETORT_STATE": str(light.home / "state")}, stdout=-1, stderr=-1)
    said, complaint = [], []
    readers = [threading.Thread(target=lambda f=f, to=to: to.append(f.read()))
               for f, to in ((child.stdout, said), (child.stderr, complaint))]
    for reader in readers:
        reader.start()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    for reader in readers:
        reader.join()
    model.listener.close()
    assert child.returncode in (3, 4, 125), complaint
    assert used.ru_maxrss < 400 * 1024
    assert len(said[0]) < 64 * MIB and b"root:" not in said[0] + complaint[0]
    events = [json.loads(line) for line in said[0].splitlines() if line.startswith(b"{")]
    assert len([e for e in events if e.get("event") == "observation"]) < 200
