"""What several files here share: a server of RPC that all tests of a file use, and a session of its for one test.

The tests under repair/ and pytests/ are input of the agent's tests, not tests of Retort."""
import pytest
import rpc

collect_ignore_glob = ["repair/*", "pytests/*"]


@pytest.fixture(scope="module")
def server(caller):
    running = rpc.Server(caller)
    yield running
    assert running.close() == 0


@pytest.fixture
def session(server):
    one = server.session()
    yield one
    one.close()
