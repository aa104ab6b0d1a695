"""The door for E2B's clients without a client: plain requests, and streams of the Connect protocol."""
import contextlib
import http.client
import json

from serving import Server

TOKENS = "e2b_00112233445566778899 name=one\ne2b_99887766554433221100 name=two\n"
ONE, TWO = (line.split()[0] for line in TOKENS.splitlines())
HEADERS = {"key": "X-API-KEY", "sandbox": "E2b-Sandbox-Id", "secret": "X-Access-Token", "traffic": "E2B-Traffic-Access-Token"}


@contextlib.contextmanager
def opened(caller, *options, folder=None):
    """(server, port of the door)."""
    tokens = caller.home / "tokens-of-e2b"
    tokens.write_text(TOKENS)
    server = Server(caller, "--token-file", tokens, "--e2b", "127.0.0.1:0", *options, folder=folder)
    try:
        yield server, server.entry(lambda entry: entry.get("door") == "e2b")["port"]
    finally:
        assert server.stop() == 0


def call(port, method, path, body=None, **headers):
    """Status and body. `key` is that of an account, `sandbox` and `secret` those of a sandbox."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request(method, path, body if body is None or isinstance(body, bytes) else json.dumps(body),
                           {HEADERS.get(name, name): value for name, value in headers.items()})
        reply = connection.getresponse()
        return reply.status, reply.read()
    finally:
        connection.close()


def made(port, key=ONE, **body):
    status, text = call(port, "POST", "/v2/sandboxes", body, key=key)
    assert status == 201, text
    found = json.loads(text)
    return found["sandboxID"], found["envdAccessToken"]


def executed(port, sandbox, secret, code, **more):
    """The lines that came of it, by their type."""
    _, text = call(port, "POST", "/execute", {"code": code, **more}, sandbox=sandbox, secret=secret)
    return [json.loads(line) for line in text.splitlines()]


def asked(port, opens, method, **question):
    """Status and answer of a call with one answer; `opens` is (sandbox, secret)."""
    status, text = call(port, "POST", "/" + method, question, sandbox=opens[0], secret=opens[1], **{"Content-Type": "application/json"})
    return status, json.loads(text)


class Stream:
    """A call whose answers come one by one; `next` is None after the last, and `error` what that one had."""

    def __init__(self, port, opens, method, **question):
        text = json.dumps(question).encode()
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.connection.request("POST", "/" + method, b"\0" + len(text).to_bytes(4, "big") + text, {
            "Content-Type": "application/connect+json", HEADERS["sandbox"]: opens[0], HEADERS["secret"]: opens[1]})
        self.reply, self.error = self.connection.getresponse(), None

    def next(self):
        head = self.reply.read(5)
        if len(head) < 5:
            return None
        message = json.loads(self.reply.read(int.from_bytes(head[1:], "big")))
        if head[0] != 2:
            return message
        self.error = message.get("error")
        return None

    def close(self):
        self.reply.close()
        self.connection.close()
