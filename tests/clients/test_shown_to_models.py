"""What models are really shown: unmodified clients from npm call Retort's tools as a scripted model tells them, and the model's
server keeps what it was given back. docs/mcp-clients.md is the table of outcomes; it is made from the runs and must not be stale."""
import concurrent.futures
import os
import pathlib
import shutil
import tempfile

import pytest

import programs
from npm import HERE
from serving import serving
from programs import BEGIN, CLIENTS, ERROR, ITEMS, PLOT, READ, SILENT, VALUE, WRITE

AT_ONCE = 8  # clients that run at a time
REMOTE = [name for name in CLIENTS if name not in ("SDK 1.x", "SDK 2.x", "Inspector")]  # those: test_mcp_clients.py
PAGE = HERE.parent.parent / "docs/mcp-clients.md"

PREFACE = """# MCP clients

What current clients make of `retort mcp` ([how to set them up](mcp.md)), each unmodified from npm at the version of `tests/clients/package-lock.json`, headless, with
a server in the place of its model that asks for the same eight calls and keeps what the model is shown. Made by
`RETORT_UPDATE=1 make check T=shown_to_models`; the tests fail when it differs from what they see.

*State*: three calls use the same variable. *File*: a file written and read as `/work/fruit.txt` comes back as text. *Plot*: the figure
reaches the model as an image. *Error*: with its line and its hint. *Silent cell*: a cell that says nothing for 12 s returns, and the
client hears of progress meanwhile, if it asks. *Over HTTP*: all of that through `retort serve`, each client with a token of its own.

"""

NOTES = """
SDK 1.x, SDK 2.x and the Inspector have no model: theirs is the content that a host is given. The SDKs are told to give up after 8 s
without progress. Claude Code (`MCP_TOOL_TIMEOUT`, ms), Codex (`tool_timeout_sec` of the server) and Gemini CLI (`timeout` of the server,
ms) count the whole call, and progress does not prolong it: where cells may take longer than what is set there, raise it.
"""


# Each with the way to its server.
EVERY = [(name, "stdio") for name in CLIENTS] + [(name, "http") for name in REMOTE]
QUICK = [("Codex", "stdio"), ("SDK 2.x", "stdio"), ("ai-sdk", "http")]  # a program, a library and a framework that start soon


@pytest.fixture(scope="session")
def retort(drawing):
    return drawing


@pytest.fixture(scope="module")
def tokens(retort):
    """A token for each client; the file belongs to whoever starts the server."""
    file = retort.home / "client-tokens"
    given = {name: f"token-of-the-client-{i:04}" for i, name in enumerate(REMOTE)}
    file.write_text("".join(token + "\n" for token in given.values()))
    file.chmod(0o600)
    return file, given


@pytest.fixture(scope="module")
def runs(node, retort, tokens, request):
    """The clients that the chosen tests ask for, side by side: each spends most of its time in the silent cell."""
    params = [item.callspec.params for item in request.session.items if item.path == request.path and hasattr(item, "callspec")]
    wanted = [one for one in EVERY if one in {p.get("way") for p in params}] or EVERY
    homes = {one: pathlib.Path(tempfile.mkdtemp(prefix="retort-client-")) for one in wanted}
    with serving(retort, "--token-file", tokens[0]) as server, concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        doors = {(name, "http"): programs.Door(url=server.url + "/mcp", token=token) for name, token in tokens[1].items()}
        yield {one: pool.submit(CLIENTS[one[0]].run, retort, home, doors.get(one)) for one, home in homes.items()}
    for home in homes.values():
        shutil.rmtree(home, ignore_errors=True)


@pytest.fixture
def run(runs, way):
    return runs[way].result()


every_client = pytest.mark.parametrize("way", [way if way in QUICK else pytest.param(way, marks=pytest.mark.few) for way in EVERY], ids="-".join)


@every_client
def test_the_conversation_comes_to_its_end(run):
    assert (run.status, run.answer) == (0, True), run.output[-2000:]
    assert len(run.shown) == len(programs.STEPS)


def keeps_state(run):
    return "new session" in run.text(BEGIN) and "42" in run.text(VALUE) and "[21, 22]" in run.text(ITEMS)


def shows_file(run):
    return "9 bytes" in run.text(WRITE) and "banana 7" in run.text(READ)


def shows_plot(run):
    return [block["mime"] for block in run.images(PLOT)] == ["image/png"] and run.images(PLOT)[0]["bytes"] > 1000


def shows_error(run):
    return all(part in run.text(ERROR) for part in ("KeyError", "line 2", "did you mean 'alpha'?"))


def lives_through_silence(run):
    return "awake" in run.text(SILENT)


@every_client
def test_state_is_kept_over_three_calls(run):
    assert keeps_state(run), run.shown[:ITEMS + 1]


@every_client
def test_a_result_is_short(run):
    """A structured object, where a client prefers it, costs the model seven times as much."""
    assert len(run.text(VALUE)) < 120, run.text(VALUE)


@every_client
def test_the_text_of_a_file(run):
    assert shows_file(run), run.shown[WRITE:READ + 1]


@every_client
def test_a_plot(run):
    assert shows_plot(run), run.shown[PLOT:]


@every_client
def test_an_error_with_its_hint(run):
    assert shows_error(run), run.shown[ERROR:]


@every_client
def test_a_silent_cell(run):
    assert lives_through_silence(run), run.shown[SILENT:]
    if run.progress is not None:  # the first at once, then one at least every five seconds
        assert len(run.progress) >= 1 + programs.SILENCE // 5, run.progress


CHECKS = (keeps_state, shows_file, shows_plot, shows_error, lives_through_silence)


def row(name, runs):
    run, client = runs[name, "stdio"].result(), CLIENTS[name]
    protocol = client.hurried[0] if client.hurried and run.protocol == client.hurried[1] else run.protocol
    marks = ["yes" if check(run) else "**no**" for check in CHECKS]
    marks[-1] += ", progress" if run.progress else ""
    remote = runs[name, "http"].result() if name in REMOTE else None
    marks.append("" if remote is None else "the same" if all(check(remote) for check in CHECKS) else "**not all**")
    return f"| {name} (`{client.package}` {client.version}) | {protocol} | {' | '.join(marks)} |\n"


@pytest.mark.few
def test_page_is_fresh(runs):
    if len(runs) < len(EVERY):
        pytest.skip("only some of the clients were asked for")
    table = "| client | protocol | state | file | plot | error | silent cell | over HTTP |\n|---|---|---|---|---|---|---|---|\n"
    page = PREFACE + table + "".join(row(name, runs) for name in CLIENTS) + NOTES
    if os.environ.get("RETORT_UPDATE"):
        PAGE.write_text(page)
    assert PAGE.read_text() == page
