"""The agent against aimock, a model server from npm that the official SDKs accept; its chaos modes included."""
import contextlib
import pathlib
import socket
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "system"))
from agents import run_agent  # noqa: E402
from npm import install  # noqa: E402

MOCK = HERE / "aimock"


def wait_for(server):
    """Until it listens; one that ends instead fails the test with its last words."""
    said = b""
    for line in server.stdout:
        said += line
        if b"listening" in line:
            return
    pytest.fail(f"aimock ended with status {server.wait()}: {said.decode(errors='replace')[-500:]}")


@pytest.fixture(scope="session")
def aimock(node):
    """aimock(*flags): a server, as a context that gives its address. It needs a newer node than Debian 12 has."""
    install(MOCK, (MOCK / "node_modules/.package-lock.json").exists)

    @contextlib.contextmanager
    def serve(*flags):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        program = MOCK / "node_modules/@copilotkit/aimock/dist/cli.js"
        server = subprocess.Popen([node, program, "-p", str(port), "-f", MOCK / "fixtures", *flags],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            wait_for(server)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.terminate()
            server.communicate()

    return serve


@pytest.fixture(scope="module")
def retort(light):
    return light


def ask(retort, url, api, task="What is six times seven?"):
    return run_agent(retort, task, "--api", api, "--base-url", url, "--model", "any",
                     env={"OPENAI_API_KEY": "k", "ANTHROPIC_API_KEY": "k"})


@pytest.mark.few
def test_a_server_that_does_not_start_is_not_taken_for_one(aimock):
    with pytest.raises(pytest.fail.Exception, match="aimock ended with status"):
        with aimock("--no-such-flag"):
            pass


@pytest.mark.parametrize("chunk", ["1", "20"])
@pytest.mark.few(1)
def test_conversation(retort, aimock, chunk):
    with aimock("-c", chunk) as url:
        for api in ("openai", "anthropic"):
            done = ask(retort, url, api)
            assert (done.code, done.answer) == (0, "The product is 42."), done.text


def test_bad_key(retort, aimock):
    with aimock() as url:
        done = ask(retort, url, "openai", "no key")
    assert (done.code, done.stop) == (4, "model")
    assert done.of("stop")[0]["message"].startswith("bad_key")


@pytest.mark.parametrize("flag", ["--chaos-drop", "--chaos-malformed", "--chaos-disconnect", "--chaos-ratelimit"])
@pytest.mark.few(1)
def test_chaos(retort, aimock, flag):
    """Always: the right stop reason after two retries. Now and then: the answer, or that stop reason."""
    for rate in ("1", "0.3"):
        with aimock(flag, rate) as url:
            done = ask(retort, url, "openai")
        if done.code == 0:
            assert (rate, done.answer) == ("0.3", "The product is 42.")
        else:
            assert (done.code, done.stop) == (4, "model"), done.text
            assert len([event for event in done.of("model") if "retry" in event]) >= 2
