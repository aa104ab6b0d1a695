"""A running `retort serve`, and plain HTTP against it."""
import contextlib
import http.client
import json
import pathlib
import queue
import shutil
import signal
import subprocess
import tempfile
import threading
import time


class Server:
    """A running `retort serve`: its port, its log, and how it ended."""

    def __init__(self, caller, *options, folder=None, state=None, listen="127.0.0.1:0", env=None):
        # Started as root, the server becomes nobody: its socket is where nobody may make it.
        self.folder, self.kept = folder or pathlib.Path(tempfile.mkdtemp(prefix="retort-serve-")), folder is not None
        self.folder.chmod(0o777)
        self.socket = self.folder / "socket"
        self.state = str(state or self.folder / "state")  # started as root, it may say that it has another
        self.process = caller.popen("serve", "--listen", listen, "--socket", self.socket, *options,
                                    env={"RETORT_STATE": self.state, **(env or {})}, stdin=subprocess.DEVNULL,
                                    stderr=subprocess.PIPE, text=True)
        self.log = []
        self.port = None
        while self.port is None:
            line = self.process.stderr.readline()
            assert line, "\n".join(map(str, self.log))
            self.note(line)
        threading.Thread(target=self.read_log, daemon=True).start()

    def note(self, line):
        try:
            entry = json.loads(line)
        except ValueError:
            entry = {"text": line}
        self.log.append(entry)
        self.port = entry.get("port", self.port)
        if entry.get("event") == "state":
            self.state = entry["path"]

    def read_log(self):
        for line in self.process.stderr:
            self.note(line)

    def entry(self, wanted):
        """The first log entry for which wanted(entry) holds; it may come after the reply."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            for entry in list(self.log):
                if wanted(entry):
                    return entry
            time.sleep(0.01)
        raise AssertionError("no such entry in the log")

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(timeout=60)
        finally:
            if not self.kept:
                shutil.rmtree(self.folder, ignore_errors=True)


@contextlib.contextmanager
def serving(caller, *options, **places):
    """`folder` holds the state and the socket, and stays; without one they go with the server."""
    server = Server(caller, *options, **places)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.stop()


class Client:
    """HTTP with one token (or none), one connection a request unless `keep`."""

    def __init__(self, server, token=None):
        self.server, self.token = server, token

    def request(self, method, path, body=None, headers=None):
        """Status, headers in lower case, body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        given = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        try:
            connection.request(method, path, body, {**given, **(headers or {})})
            reply = connection.getresponse()
            return reply.status, {name.lower(): value for name, value in reply.getheaders()}, reply.read()
        finally:
            connection.close()

    def rpc(self, method, **params):
        """Status and answer of POST /rpc."""
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        status, _, answer = self.request("POST", "/rpc", body, {"Content-Type": "application/json"})
        return status, json.loads(answer)

    def result(self, method, **params):
        status, answer = self.rpc(method, **params)
        assert status == 200, answer
        return answer["result"]

    def session(self, **options):
        return self.result("session.create", **options)["session"]

    def run(self, session, code, **options):
        return self.result("session.execute", session=session, code=code, **options)


class Payer:
    """A client of JSON-RPC whose tool it is: it listens, and pays."""

    def __init__(self, server, token):
        self.rpc, self.paid, self.notes = Client(server, token), [], queue.Queue()
        self.session = self.rpc.session()
        tool = {"name": "pay", "parameters": {"type": "object", "properties": {"to": {"type": "string"}}}, "approval": "ask"}
        self.rpc.result("tools.register", session=self.session, tools=[tool])
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        self.connection.request("GET", f"/events?session={self.session}", headers={"Authorization": f"Bearer {token}"})
        self.reply = self.connection.getresponse()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.reply:
            if not line.startswith(b"data:"):
                continue
            note = json.loads(line[5:])
            self.notes.put((note["method"], note["params"]))
            if note["method"] == "tools.call":
                self.paid.append(note["params"]["arguments"])
                self.rpc.result("tools.result", call=note["params"]["call"], result="paid")

    def until(self, method):
        while True:
            name, params = self.notes.get(timeout=60)
            if name == method:
                return params
