"""The page of `retort serve` and `retort ui`: its files over HTTP, and a Chromium that people's steps are taken with."""
import dataclasses
import gzip
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest

from npm import HERE, install
from serving import Client, Payer, serving

sys.path.insert(0, str(HERE.parent / "system"))
from fake_model import FakeModel  # noqa: E402

WALK = HERE / "page"
CHROMIUM = pathlib.Path("/usr/bin/chromium")
ROOT = HERE.parent.parent
CODE, ANSWER = {"text": "```python\nprint('product', 6 * 7)\n```"}, {"text": "The product is 42, and the sum is 99."}
TOKEN, PLAIN = "0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"
ORDERS = "region,units,price\n" + "".join(f"{region},{units},{price}\n" for region, units, price in [
    ("North", 10, 2.5), ("North", 20, 2.4), ("South", 12, 2.6), ("West", 7, 3.1), ("West", 9, 2.9), ("South", 11, 2.7)])


class Model(FakeModel):
    """Says the same in every conversation: code first, then an answer."""

    def step(self, body):
        if "Wait for me." in json.dumps(body["messages"]):
            return {"text": "```python\nimport time\nprint('it waits', flush=True)\ntime.sleep(600)\n```"}
        return ANSWER if any(said["role"] == "assistant" for said in body["messages"]) else CODE


@pytest.fixture(scope="module")
def asking(light):
    """Makes servers whose agent asks a model."""
    tokens = light.home / "tokens-of-the-page"
    tokens.write_text(f"{TOKEN} name=page admin\n{PLAIN} name=plain\n")
    with Model([]) as model:
        settings = (("RETORT_MODEL_URL", model.url), ("RETORT_MODEL", "played"), ("RETORT_MODEL_API", "openai"))
        yield lambda folder, configured=(): serving(dataclasses.replace(light, configured=(*configured, *settings)),
                                                    "--token-file", tokens, folder=folder)


@pytest.fixture(scope="module")
def server(asking):
    with asking(None) as running:  # several steps use libraries
        yield running


class Browser:
    """Takes the steps of walk.mjs, all in one Chromium."""

    def __init__(self, server, scratch, pictures):
        self.scratch, self.errors = scratch, scratch / "errors"
        with open(self.errors, "wb") as errors:
            self.process = subprocess.Popen(
                [shutil.which("node", path="/usr/bin:/bin"), WALK / "walk.mjs"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
                text=True, env={"PATH": "/usr/bin:/bin", "HOME": str(scratch), "LANG": "C.UTF-8", "URL_OF_SERVER": server.url, "TOKEN": TOKEN,
                                "SCRATCH": str(scratch), "CHROMIUM": str(CHROMIUM), "PICTURES": str(pictures)})

    def take(self, step, **words):
        self.process.stdin.write(json.dumps({"step": step, **words}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, self.errors.read_text()
        answer = json.loads(line)
        assert "error" not in answer, answer["error"]
        return answer["ok"]

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=60)


@pytest.fixture(scope="module")
def browser(server, tmp_path_factory):
    if not CHROMIUM.exists():
        pytest.skip("this release has no package of Chromium")
    install(WALK, (WALK / "node_modules/puppeteer-core/package.json").exists)
    made = Browser(server, tmp_path_factory.mktemp("browser"), ROOT / "docs/page" if os.environ.get("RETORT_UPDATE") else "")
    yield made
    made.close()


# --- over HTTP ---


@pytest.fixture
def stranger(server):
    return Client(server)


def test_the_files_need_no_token_and_the_interface_does(stranger):
    assert stranger.request("GET", "/")[0] == 200
    assert stranger.request("GET", "/page/main.js")[0] == 200
    assert stranger.request("GET", "/page/none.js")[0] == 404
    assert stranger.request("POST", "/")[0] in (401, 405)
    assert stranger.rpc("server.info")[0] == 401


def test_nothing_of_others_can_come_into_the_page(stranger):
    for path in ("/", "/page/main.js", "/page/frame.css"):
        _, headers, _ = stranger.request("GET", path)
        policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
        assert (policy["default-src"], policy["script-src"], policy["frame-ancestors"]) == ("'none'", "'self'", "'none'")
        assert "unsafe" not in headers["content-security-policy"] and "http" not in headers["content-security-policy"]
        assert (headers["x-content-type-options"], headers["referrer-policy"]) == ("nosniff", "no-referrer")


def test_the_page_loads_nothing_from_elsewhere():
    for file in (ROOT / "src/page").iterdir():
        assert re.findall(r"https?://(?!www\.w3\.org/2000/svg)", file.read_text()) == [], file


def test_what_a_browser_has_is_not_sent_again(stranger):
    _, plain, text = stranger.request("GET", "/page/page.css")
    _, packed, data = stranger.request("GET", "/page/page.css", headers={"Accept-Encoding": "gzip, deflate"})
    assert gzip.decompress(data) == text and packed["content-encoding"] == "gzip" and plain["etag"] != packed["etag"]
    assert stranger.request("GET", "/page/page.css", headers={"If-None-Match": plain["etag"]})[::2] == (304, b"")
    assert stranger.request("GET", "/page/page.css", headers={"If-None-Match": packed["etag"]})[0] == 200
    assert stranger.request("HEAD", "/")[::2] == (200, b"")


@pytest.mark.parametrize("headers", [{"Host": "retort.example"}, {"Origin": "https://elsewhere.example"}])
def test_other_names_and_origins_are_refused(stranger, headers):
    assert stranger.request("GET", "/", headers=headers)[0] == 403


# --- retort ui ---


@pytest.fixture
def ui(light_caller):
    """Starts it, and ends it with Ctrl-C."""
    started = []
    light_caller.home.chmod(0o711)

    def start(*options, **env):
        process = light_caller.popen("ui", *options, env={"RETORT_STATE": str(light_caller.home / "ui-state"), **env}, stdin=subprocess.DEVNULL,
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        started.append(process)
        return re.fullmatch(r"http://127\.0\.0\.1:(\d+)/#token=([0-9a-f]{32})\n", process.stdout.readline())

    yield start
    for process in started:
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 0, process.stderr.read()


class At:
    def __init__(self, port):
        self.port = int(port)


def test_ui_is_for_who_has_its_address(ui):
    address = ui()
    mine = Client(At(address[1]), address[2])
    session = mine.session()
    assert mine.run(session, "6 * 7")["value"]["text/plain"] == "42"
    assert Client(At(address[1])).rpc("server.info")[0] == 401
    assert Client(At(address[1]), "f" * 32).rpc("server.info")[0] == 401
    assert Client(At(address[1])).request("GET", "/")[0] == 200
    assert mine.result("ledger.result", session=session, entry=3)["status"] == "ok"
    again = ui()
    assert again[2] != address[2]
    assert session in [one["session"] for one in Client(At(again[1]), again[2]).result("ledger.list")["sessions"]]


def test_ui_gives_the_browser_the_address_by_a_private_file(ui, light_caller):
    folder = light_caller.home / "bin"
    folder.mkdir(mode=0o777, exist_ok=True)
    folder.chmod(0o777)
    (folder / "xdg-open").write_text(f'#!/bin/sh\nstat -c %a "$1" >{folder}/new && cat "$1" >>{folder}/new && mv {folder}/new {folder}/seen\n')
    (folder / "xdg-open").chmod(0o755)
    address = ui("--open", PATH=f"{folder}:/usr/bin:/bin", XDG_RUNTIME_DIR=str(folder))
    end = time.monotonic() + 60
    while not (folder / "seen").exists() and time.monotonic() < end:
        time.sleep(0.05)
    seen = (folder / "seen").read_text()
    assert seen.startswith("600\n") and address[0].strip() in seen


def test_ui_listens_on_the_loopback_alone(light_caller):
    done = light_caller.run("ui", "--listen", "0.0.0.0:0")
    assert done.returncode == 125 and b"loopback" in done.stderr


# --- in a browser ---


@pytest.mark.parametrize("step", ["token", "correction", "interrupt", "queue", "undo", "reload", "lost", "rename", "sleep", "others", "views", "output", "hostile", "record", "agent", "branches", "operations", "window"])
@pytest.mark.few(2)
def test_walk(browser, step):
    browser.take(step)


@pytest.mark.few
def test_calls_that_somebody_has_to_allow(server, browser):
    """Allowed, denied, decided in another tab, interrupted, left alone, and left: called only when it was allowed."""
    payer = Payer(server, TOKEN)
    browser.take("approval", session=payer.session)
    assert [payer.until("tools.decided")["verdict"] for _ in range(6)] == ["allowed", "denied", "denied", "allowed", "cancelled", "expired"]
    assert [call["to"] for call in payer.paid] == ["<b>ann</b>\u202e"] * 2
    payer.rpc.result("session.interrupt", session=payer.session)
    assert payer.until("tools.decided")["verdict"] == "cancelled" and len(payer.paid) == 2
    notes = [entry["event"] for entry in payer.rpc.result("ledger.list", session=payer.session)["entries"] if entry["kind"] == "note"]
    assert [(note["verdict"], note["by"], note["door"]) for note in notes[:2]] == [("allowed", "page", "http"), ("denied", "page", "http")]


@pytest.mark.few
def test_many_cells(browser):
    """More than are ever in the page at once, which are fewer than 150."""
    browser.take("many", cells=10000 if os.environ.get("RETORT_SOAK") else 220)


def test_operations_are_for_administrators(browser):
    browser.take("plain", other=PLAIN)


@pytest.fixture
def orders(browser):
    file = browser.scratch / "orders.csv"
    file.write_text(ORDERS)
    return str(file)


@pytest.mark.parametrize("step", ["analysis", "stop"])
@pytest.mark.few(1)
def test_walk_with_a_file(browser, orders, step):
    browser.take(step, file=orders)


def test_keyboard(light, asking, browser, orders):
    """At a server without the sessions of the other steps: each of them is ten more times Tab on the way."""
    folder = light.home / "keyboard"
    folder.mkdir()
    with asking(folder, light.configured) as running:
        browser.take("keyboard", file=orders, url=running.url)


def test_calls_and_requests_have_their_verdicts(light, browser):
    folder = light.home / "verdicts"
    folder.mkdir()
    tokens = folder / "tokens"
    tokens.write_text(f"{TOKEN}\n")
    with serving(light, "--token-file", tokens, "--allow", "nobody.test", folder=folder) as running:
        browser.take("verdicts", url=running.url)


def test_the_first_view_is_small(server, browser):
    """Bytes are no clock: what comes over the wire until the sessions are there, heads and all."""
    assert browser.take("wire", most=150_000)


@pytest.mark.few
def test_the_page_outlives_its_server(light, browser):
    tokens = light.home / "tokens"
    tokens.write_text(f"{TOKEN}\n")
    folder = light.home / "restarted"
    folder.mkdir()
    with serving(light, "--token-file", tokens, folder=folder) as first:
        browser.take("before_restart", url=first.url)
    browser.take("while_down")
    with serving(light, "--token-file", tokens, folder=folder, listen=f"127.0.0.1:{first.port}"):
        browser.take("after_restart")
