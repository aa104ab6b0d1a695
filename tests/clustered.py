"""Servers of NATS and nodes of a cluster, for tests: all on loopback, all ended when the test ends."""
import contextlib
import dataclasses
import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

SERVER = shutil.which("nats-server") or shutil.which("nats-server", path="/usr/sbin:/usr/local/sbin")


def free_ports(count):
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in held]
    for one in held:
        one.close()
    return ports


def until(check, seconds=60, every=0.05):
    """Waits until it is so; the time-out only keeps a hanging test from hanging the suite."""
    end = time.monotonic() + seconds
    while True:
        value = check()
        if value:
            return value
        assert time.monotonic() < end, "it never became so"
        time.sleep(every)


def small_disk(stack, caller, size):
    """A file system of its own, for the state of a node. For root."""
    place = pathlib.Path(tempfile.mkdtemp(prefix="retort-node-", dir=caller.home))
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode=711", "none", place], check=True)
    stack.callback(subprocess.run, ["umount", "-l", place], check=True)
    return place


def fill(place):
    """Not a byte is left; the file that has them all."""
    filler = place / "filler"
    for piece in (1 << 20, 512):
        with open(filler, "ab", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(piece))
    return filler


class Nats:
    """One or several servers with JetStream that keep one log."""

    def __init__(self, count=1, extra="", address="127.0.0.1"):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="retort-nats-"))
        ports = free_ports(2 * count)
        self.ports, self.routes = ports[:count], ports[count:]
        self.running = [None] * count
        for i in range(count):
            routes = ", ".join(f'"nats://127.0.0.1:{port}"' for port in self.routes)
            cluster = f'cluster {{ name: tests, listen: "127.0.0.1:{self.routes[i]}", routes: [{routes}], no_advertise: true }}' if count > 1 else ""
            (self.dir / f"{i}.conf").write_text(
                f'listen: "{address}:{self.ports[i]}"\nserver_name: n{i}\n'
                f'jetstream {{ store_dir: "{self.dir}/{i}", max_mem: 64MB, max_file: 8GB }}\n{cluster}\n{extra}\n')
            self.start(i)

    @property
    def urls(self):
        return self.urls_at("127.0.0.1")

    def urls_at(self, address):
        return ",".join(f"nats://{address}:{port}" for port in self.ports)

    def start(self, i):
        with open(self.dir / f"{i}.log", "ab") as log:
            self.running[i] = subprocess.Popen([SERVER, "-c", self.dir / f"{i}.conf"], stdout=log, stderr=log)
        until(lambda: self.listens(i))

    def listens(self, i):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.ports[i]), 1) as held:
            return held.recv(4) == b"INFO"
        return False

    def kill(self, i, number=signal.SIGKILL):
        self.running[i].send_signal(number)
        self.running[i].wait()

    def close(self):
        for one in self.running:
            with contextlib.suppress(ProcessLookupError):
                one.send_signal(signal.SIGCONT)
                one.kill()
            one.wait()
        shutil.rmtree(self.dir, ignore_errors=True)


class Raw:
    """A client of NATS, as its protocol is."""

    def __init__(self, port):
        self.link = socket.create_connection(("127.0.0.1", port), 10)
        self.file = self.link.makefile("rwb")
        assert self.file.readline().startswith(b"INFO ")
        self.file.write(b'CONNECT {"verbose": false}\r\nSUB answers 1\r\n')

    def publish(self, subject, data):
        self.file.write(f"PUB {subject} {len(data)}\r\n".encode() + data + b"\r\nPING\r\n")
        self.file.flush()
        while self.file.readline() != b"PONG\r\n":
            pass

    def ask(self, subject, question, reply="answers"):
        """What JetStream answers; or the first line of what a node does, to another subject."""
        self.file.write((f"SUB {reply} 2\r\n" if reply != "answers" else "").encode() + f"PUB {subject} {reply} {len(question)}\r\n".encode() + question + b"\r\n")
        self.file.flush()
        while not (line := self.file.readline()).startswith(b"MSG"):
            assert line, "the server has gone"
        return json.loads(self.file.read(int(line.split()[-1]) + 2).splitlines()[0])


class Node:
    """`retort serve --cluster`, with a state directory of its own."""

    def __init__(self, caller, nats, *options, replicas=1, lease=2, name="tests", home=None, token=None, spoke=None):
        self.nats, self.token, self.spoke = nats, token, spoke
        self.caller = dataclasses.replace(caller, prefix=(*spoke.prefix, *caller.prefix)) if spoke else caller
        self.home = home or pathlib.Path(tempfile.mkdtemp(prefix="retort-node-", dir=caller.home))
        if not caller.root and os.geteuid() == 0:
            os.chown(self.home, caller.uid, caller.uid)
        elif caller.root:
            caller.home.chmod(0o711)
        self.home.chmod(0o711)
        self.port, = free_ports(1)
        auth = [] if any(str(o).startswith("--token-file") for o in options) else ["--no-auth"]
        self.words = ["serve", "--listen", f"127.0.0.1:{self.port}", *auth, "--cluster", nats.urls_at(spoke.hub) if spoke else nats.urls, "--cluster-name",
                      name, "--replicas", replicas, "--lease", lease, *options]
        self.start()

    def start(self):
        self.log = open(self.home.parent / f"{self.home.name}.log", "w+b")  # pylint: disable=consider-using-with
        self.process = self.caller.popen(*[str(word) for word in self.words], stderr=self.log,
                                         env={"RETORT_STATE": str(self.home / "state")})
        until(self.is_ready)
        self.id = next(e["node"] for e in self.events() if e["event"] == "cluster")

    def events(self):
        self.log.flush()
        return [json.loads(line) for line in pathlib.Path(self.log.name).read_text().splitlines() if line.startswith("{")]

    def is_ready(self):
        assert self.process.poll() is None, pathlib.Path(self.log.name).read_text()
        return any(e["event"] == "listening" for e in self.events())

    def call(self, method, timeout=120, **params):
        """The result; an error raises Refused."""
        if self.spoke:
            self.spoke.enter()
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        try:
            link.request("POST", "/rpc", json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}), headers)
            answer = json.loads(link.getresponse().read())
        finally:
            link.close()
        if "error" in answer:
            raise Refused(answer["error"])
        return answer["result"]

    def get(self, path):
        if self.spoke:
            self.spoke.enter()
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            link.request("GET", path)
            answer = link.getresponse()
            return answer.status, answer.read().decode()
        finally:
            link.close()

    def session(self, **params):
        return self.call("session.create", **params)["session"]

    def run(self, session, code, **params):
        return self.call("session.execute", session=session, code=code, **params)

    def acknowledged(self):
        """How many messages of this node the log has taken so far, and the seconds that they took."""
        told = dict(line.rsplit(" ", 1) for line in self.get("/metrics")[1].splitlines() if line.startswith("retort_cluster"))
        return int(told["retort_cluster_appended_total"]), float(told["retort_cluster_append_seconds_total"])

    def signal(self, number):
        self.process.send_signal(number)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def close(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.terminate()
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.log.close()


def supervisors(node):
    """Processes that the node started to keep sessions."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            name, rest = entry.read_text().rsplit(")", 1)
            if "(retort-supervis" in name and int(rest.split()[1]) == node.process.pid:
                found.append(int(entry.parent.name))
    return found


class Refused(Exception):
    """The error object of an answer."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.error = error


@contextlib.contextmanager
def cluster(caller, nats):
    """Gives make(…): another node, which ends with the cluster."""
    with contextlib.ExitStack() as stack:
        def make(*options, servers=nats, **more):
            node = Node(caller, servers, *options, **more)
            stack.callback(node.close)
            return node
        yield make


def text(result):
    """The value of a cell that ran well."""
    assert result["status"] == "ok", result
    return result["value"]["text/plain"]
