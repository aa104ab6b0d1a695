"""L10: the n-th thread or eventfd of a server cannot be had. Either it says so and ends with 125, or it serves."""
import contextlib
import http.client
import pathlib
import subprocess

import pytest
from serving import Client, Server

SOURCE = pathlib.Path(__file__).with_name("nth_thread.c")


@pytest.fixture(scope="module")
def failing_threads(tmp_path_factory):
    place = tmp_path_factory.mktemp("preload")
    place.chmod(0o755)
    subprocess.run(["gcc", "-O2", "-Wall", "-Werror", "-shared", "-fPIC", "-o", place / "nth_thread.so", SOURCE, "-ldl"], check=True)
    return str(place / "nth_thread.so")


class Attempt(Server):
    """Whose port is None if it ended before it listened."""

    def __init__(self, *args, **named):
        with contextlib.suppress(AssertionError):
            super().__init__(*args, **named)


def is_served(server):
    """Whether one of three clients in a row gets its answer."""
    for _ in range(3):
        with contextlib.suppress(OSError, AssertionError, KeyError, http.client.HTTPException):
            client = Client(server)
            return client.run(client.session(), "6 * 7")["value"]["text/plain"] == "42"
    return False


# A server that goes on without a thread that it needs would serve, too: so many it cannot do without.
@pytest.mark.parametrize("what, needed", [("NTH_THREAD", 3), ("NTH_EVENTFD", 1)])
def test_L10_the_nth_that_cannot_be_had(light, failing_threads, what, needed):
    ended = served = 0
    for n in range(1, 13):
        server = Attempt(light, "--no-auth", env={"LD_PRELOAD": failing_threads, what: str(n)})
        if server.port is None:
            assert server.process.wait(60) == 125, (n, server.log)
            assert any("retort: " in entry.get("text", "") for entry in server.log), (n, server.log)
            ended += 1
        else:
            assert is_served(server), (n, server.log)
            assert server.stop() == 0, n
            served += 1
    assert ended >= needed and served
