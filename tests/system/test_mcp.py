"""MCP as a model sees it: what `retort mcp` and /mcp answer in both eras, and the options of the doors on standard input."""
import contextlib
import itertools
import json
import os
import pathlib
import re
import shlex
import subprocess
import time
import tomllib

import pytest

import rpc
import serving

META = "io.modelcontextprotocol/"
MODERN = {META + "protocolVersion": "2026-07-28", META + "clientInfo": {"name": "test", "version": "1"},
          META + "clientCapabilities": {}}
ERAS = ["legacy", "modern"]


class Client:
    """One client; `post` sends a message and gives every message that comes back for it."""

    def __init__(self, era, post):
        self.era, self.post, self.last = era, post, 0
        if era == "legacy":
            self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}})

    def ask(self, method, params, token=None):
        """The result, and the notifications that came before it."""
        self.last += 1
        meta = dict(MODERN) if self.era == "modern" else {}
        if token:
            meta["progressToken"] = token
        request = {"jsonrpc": "2.0", "id": self.last, "method": method, "params": {**params, **({"_meta": meta} if meta else {})}}
        *notes, answer = self.post(request)
        assert answer["id"] == self.last
        return answer.get("result", answer.get("error")), notes

    def call(self, name, token=None, **arguments):
        return self.ask("tools/call", {"name": name, "arguments": arguments}, token)

    def run(self, code, **arguments):
        """What the model is shown of a cell: its text blocks as one."""
        return shown(self.call("run_code", code=code, **arguments)[0])


def shown(result):
    """The text, without the word that stands before what would be JSON."""
    texts = [block["text"] for block in result["content"] if block["type"] == "text"]
    return "\n".join(texts[1:] if texts[0] == "[result]" else texts)


@contextlib.contextmanager
def on_stdio(caller, era, *options):
    process = caller.popen("mcp", *options, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def post(request):
        process.stdin.write(json.dumps(request) + "\n")
        process.stdin.flush()
        while True:
            message = json.loads(process.stdout.readline())
            yield message
            if message.get("id") == request["id"]:
                return

    try:
        yield Client(era, post)
    finally:
        process.stdin.close()
        assert process.wait(timeout=60) == 0
        process.stdout.close()


def over_http(server, era, token=None):
    connection = serving.Client(server, token)
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}

    def post(request):
        more = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": request["method"]} if era == "modern" else {}
        if era == "modern" and "name" in request["params"]:
            more["Mcp-Name"] = request["params"]["name"]
        status, told, body = connection.request("POST", "/mcp", json.dumps(request), {**headers, **more})
        assert status == 200, body
        if "mcp-session-id" in told:
            headers["Mcp-Session-Id"] = told["mcp-session-id"]
        if told["content-type"] == "application/json":
            return [json.loads(body)]
        return [json.loads(line[6:]) for line in body.decode().splitlines() if line.startswith("data: ")]

    return Client(era, post)


@pytest.fixture(scope="module", name="server")
def server_with_tokens(light, tmp_path_factory):
    tokens = tmp_path_factory.mktemp("tokens") / "tokens"
    tokens.write_text("first-token-0123456789abcdef name=one\nsecond-token-0123456789abcdef name=two\n")
    with serving.serving(light, "--token-file", tokens) as running:
        yield running


FIRST, SECOND = "first-token-0123456789abcdef", "second-token-0123456789abcdef"


@contextlib.contextmanager
def client_by(transport, era, light, server):
    if transport == "http":
        yield over_http(server, era, FIRST)
    else:
        with on_stdio(light, era) as client:
            yield client


@pytest.mark.parametrize("transport", ["stdio", "http"])
@pytest.mark.parametrize("era", ERAS)
def test_state_stays_without_a_handle(light, server, era, transport):
    with client_by(transport, era, light, server) as client:
        client.call("reset")
        client.run("x = 41")
        assert client.run("x + 1").splitlines()[0] == "42"
        assert client.run("x + 2").splitlines()[0] == "43"


def test_a_process_has_one_session_however_many_calls(light, count):
    with on_stdio(light, "modern") as client:
        first = client.run("n = 0")
        assert re.fullmatch(r"\[no output\]\n\[new session s_[0-9a-f]+: nothing of earlier calls is in it\]", first)
        for i in range(count(30, 300)):
            assert client.run("n += 1\nn") == str(i + 1)  # and no word about sessions: there is one


def test_tokens_share_nothing_and_every_client_of_one_shares_all(server):
    over_http(server, "modern", FIRST).run("secret = 1")
    assert over_http(server, "modern", FIRST).run("secret").startswith("1")
    assert "NameError" in over_http(server, "modern", SECOND).run("secret")


def test_a_session_that_was_closed_behind_the_clients_back_says_so(server):
    client = over_http(server, "modern", SECOND)
    client.run("x = 1")
    door = serving.Client(server, SECOND)
    for session in door.result("session.list")["sessions"]:
        door.result("session.close", session=session["session"])
    text = client.run("x")
    assert "NameError" in text and "the one before was closed, its variables and files are gone]" in text
    assert "[new session" not in client.run("1")


def test_a_small_result_costs_a_few_characters(light):
    with on_stdio(light, "modern") as client:
        client.run("1")
        result, _ = client.call("run_code", code="print(6*7)")
        del result["_meta"]
        assert result == {"content": [{"type": "text", "text": "[result]"}, {"type": "text", "text": "42"}], "isError": False, "resultType": "complete"}
        whole, _ = client.call("run_code", code="6*7", details=True)
        assert whole["structuredContent"]["value"] == "42" and whole["structuredContent"]["cell"] == 3


@pytest.mark.parametrize("path", ["a.txt", "/work/a.txt", "/work//a.txt"])
def test_files_are_shown_and_named_with_or_without_work(light, path):
    with on_stdio(light, "legacy") as client:
        assert shown(client.call("files", action="write", path=path, text="banana\n")[0]).startswith("written: 7 bytes")
        assert shown(client.call("files", action="read", path=path)[0]) == "banana\n"
        assert client.run("open('/work/a.txt').read()") == "'banana\\n'"
        assert shown(client.call("files", action="list")[0]) == "a.txt (7 bytes)"
        assert shown(client.call("files", action="delete", path=path)[0]) == "deleted"
        assert shown(client.call("files", action="list")[0]) == "[no files]"


def test_every_door_takes_paths_with_work(light):
    with contextlib.closing(rpc.Server(light)) as server:
        session = server.call("session.create")["session"]
        server.call("files.write", session=session, path="/work/d/a", base64="aGk=")
        assert server.call("files.read", session=session, path="d/a")["base64"] == "aGk="
        for path in ("/work", "/work/", "/etc/passwd", "/work/../etc/passwd", "/workx/a"):
            with pytest.raises(rpc.Failure):
                server.call("files.read", session=session, path=path)


def test_long_texts_are_paged(light):
    with on_stdio(light, "modern") as client:
        text = client.run("for i in range(20000): print(i)")
        assert text.startswith("0\n1\n2\n") and "\n19999\n" in text and len(text) < 17000
        call = json.loads(re.search(r"left out: files (\{.*?\})", text)[1])
        page = shown(client.call("files", **call)[0])
        digits = "".join(f"{i}\n" for i in range(20000))
        assert page.startswith(digits[call["offset"]:call["offset"] + 1000])
        offset = int(re.search(r"go on with offset (\d+)\]", page)[1])
        assert shown(client.call("files", action="output", offset=offset)[0]).startswith(digits[offset:offset + 1000])
        client.run("open('big', 'w').write('é' * 40000)")
        seen, offset = "", 0
        while offset is not None:
            part, *rest = (block["text"] for block in client.call("files", action="read", path="big", offset=offset)[0]["content"])
            seen += part
            offset = int(re.search(r"offset (\d+)", rest[0])[1]) if rest else None
        assert seen == "é" * 40000


def test_a_binary_file_is_described(light):
    with on_stdio(light, "modern") as client:
        client.run("open('b', 'wb').write(bytes(range(256)))")
        assert shown(client.call("files", action="read", path="b")[0]) == "[a binary file of 256 bytes: read it in code]"


def test_a_model_is_told_limit_and_peak_of_memory(light_caller):
    with on_stdio(light_caller, "modern", "--memory", "64") as client:
        assert re.search(r"64 MiB.* peak (was )?[1-9]\d* MiB", client.run("x = bytearray(900 << 20)"))


def test_numbers_have_the_fewest_digits(light):
    """In the text itself: a parser would hide it."""
    code = "import pandas\nt = pandas.DataFrame({'a': [0.1, 1 / 3]})"
    process = light.popen("mcp", stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    out, _ = process.communicate(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "run_code", "arguments": {"code": code, "details": True}, "_meta": MODERN}}) + "\n", timeout=120)
    assert '"head":[[0.1],[0.3333333333333333]]' in out


SILENT = "import time\ntime.sleep(4.5)"


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_a_silent_cell_is_heard_of(light, server, transport):
    with client_by(transport, "modern", light, server) as client:
        _, notes = client.call("run_code", token="mine", code=SILENT)
        assert [note["params"]["progressToken"] for note in notes] == ["mine"] * len(notes)
        assert re.fullmatch(r"running, \d+ s", notes[-1]["params"]["message"])
        rising = [note["params"]["progress"] for note in notes]
        assert rising == sorted(set(rising)) and len(rising) >= 2


def test_a_bar_becomes_progress_and_total(light):
    with on_stdio(light, "modern") as client:
        _, notes = client.call("run_code", token=7, code="import sys, time\nfor i in range(5):\n"
                               "    sys.stderr.write(f'\\r{i * 25:3}%|##   |')\n    sys.stderr.flush()\n    time.sleep(0.05)")
        told = [(note["params"]["progress"], note["params"].get("total")) for note in notes if "%" in note["params"]["message"]]
        assert (25, 100) in told and told[-1] == (100, 100)


def test_nothing_is_told_to_those_who_did_not_ask(light):
    with on_stdio(light, "modern") as client:
        assert client.call("run_code", code="print(1)")[1] == []


def test_the_text_of_the_tool_tells_what_is_there(light):
    with on_stdio(light, "modern", "--timeout", "7", "--memory", "300", "--disk", "50") as client:
        tools = {tool["name"]: tool for tool in client.ask("tools/list", {})[0]["tools"]}
        text = tools["run_code"]["description"]
        assert "Limits: 7 s a call, 300 MB of memory, 50 MB of files." in text
        assert not any("outputSchema" in tool for tool in tools.values())
        promised = re.findall(r"(?:with |, )([A-Za-z0-9]+) \d", text.split("Python 3")[1].split("Limits")[0])
        assert client.run("import importlib.util\n[m for m in %r if not importlib.util.find_spec(m)]" % promised).startswith("[]")
        version = re.search(r"Python (3\.\d+)", text)
        assert version is None or client.run("import sys\nprint('%d.%d' % sys.version_info[:2])") == version[1]


def test_options_of_mcp_are_for_its_sessions(light, tmp_path):
    (tmp_path / "d.csv").write_text("1,2\n")
    tmp_path.chmod(0o755)
    options = ["--file", tmp_path / "d.csv", "--file", f"{tmp_path / 'd.csv'}:sub/e.csv", "--env", "A=b", "--timeout", "60"]
    with on_stdio(light, "modern", *options) as client:
        text = client.run("import os\nprint(os.environ['A'], open('/work/d.csv').read(), os.listdir('sub'))")
        assert text.startswith("b 1,2\n ['e.csv']\n[new session ") and text.endswith("; files: d.csv, sub/e.csv]")
        client.call("reset")
        assert client.run("open('d.csv').read()") == "'1,2\\n'"


def test_calls_may_be_in_any_language(light):
    with on_stdio(light, "modern", "-l", "bash", "--no-record") as client:
        assert client.run("x=42; echo $x | tee a").startswith("42\n[file created] a (3 bytes)\n[new session ")
        assert client.run("echo $x; exit 3").startswith("42\n[exit status 3]")
        assert client.run("int(open('a').read()) + 1", language="python") == "43"
        assert client.run("%%javascript\nlet y = 6; y * 7") == "42"
        assert client.run("echo still $x") == "still 42"


def test_options_of_rpc_are_what_clients_do_not_ask_for(light):
    with contextlib.closing(rpc.Server(light, ["--env", "A=1", "--env", "B=2", "--timeout", "3"])) as server:
        session = server.call("session.create", env={"B": "3"})["session"]
        code = "import os\nos.environ['A'] + os.environ['B']"
        assert server.call("session.execute", session=session, code=code)["value"]["text/plain"] == "'13'"
        assert server.call("session.info", session=session)["limits"]["timeout"] == 3
        session = server.call("session.create", limits={"timeout": 2})["session"]
        assert server.call("session.info", session=session)["limits"]["timeout"] == 2


def test_limits_of_the_command_line_are_the_most(light_caller):
    """For clients of rpc and for models behind mcp; what is not given there is free, or the configuration's."""
    with contextlib.closing(rpc.Server(light_caller, ["--timeout", "3", "--memory", "128"])) as server:
        session = server.call("session.create")["session"]
        for method, more in (("session.create", {"limits": {"timeout": 5}}), ("session.create", {"limits": {"memory": 256}}),
                             ("session.execute", {"session": session, "code": "1", "limits": {"timeout": 60}})):
            with pytest.raises(rpc.Failure, match=r"limit (timeout|memory): .* asked for, cap (3 s|128 MiB)"):
                server.call(method, **more)
        assert server.call("session.execute", session=session, code="1", limits={"timeout": 1, "cpu": 90})["status"] == "ok"
    with on_stdio(light_caller, "modern", "--timeout", "2") as client:
        refused = client.call("run_code", code="1", timeout=60)[0]
        assert refused["isError"] and "limit timeout: 60 s asked for, cap 2 s" in shown(refused)
        assert client.run("1 + 1", timeout=1).startswith("2")


def test_the_command_line_has_the_last_word_on_limits(light):
    (light.home / "capped/retort").mkdir(parents=True)
    (light.home / "capped/retort/config.json").write_text('{"preload": [], "limits": {"timeout": 5, "memory": 100}}')
    with contextlib.closing(rpc.Server(light, ["--timeout", "9"], XDG_CONFIG_HOME=str(light.home / "capped"))) as server:
        session = server.call("session.create", limits={"timeout": 8})["session"]
        assert server.call("session.info", session=session)["limits"]["timeout"] == 8
        for limits in ({"timeout": 10}, {"memory": 101}):
            with pytest.raises(rpc.Failure, match="limits of the server"):
                server.call("session.create", limits=limits)


@pytest.mark.parametrize("command", ["mcp", "rpc"])
@pytest.mark.parametrize("options, complaint", [
    (["--memory", "1"], "memory"),
    (["--file", "/nowhere/at/all"], "--file /nowhere/at/all: No such file"),
    (["--environment", "none-such"], "no environment none-such"),
    (["-l", "perl"], "unknown language perl"),
    (["--nonsense"], "--nonsense"),
    (["operand"], "operand"),
    (["--dir", "/none/such"], "--dir /none/such"),
    (["--dir", "/etc/passwd"], "--dir /etc/passwd"),
])
def test_wrong_options_are_told_before_anything_is_served(light, command, options, complaint):
    done = light.run(command, *options)
    assert done.returncode == 125 and complaint in done.stderr.decode() and done.stdout == b""


def test_a_directory_is_copied_and_a_session_recorded_elsewhere(light):
    """Links are not followed, and what the code does to its copy stays in the session."""
    folder, state = light.home / "shared", light.home / "elsewhere"
    (folder / "deep/er").mkdir(parents=True)
    (folder / "a.txt").write_text("one")
    (folder / "deep/er/b.txt").write_text("two")
    (folder / "empty").touch()
    (folder / "link").symlink_to("/etc/passwd")
    os.mkfifo(folder / "pipe")
    code = ("import pathlib\nprint(sorted(str(p) for p in pathlib.Path('.').rglob('*') if p.is_file()))\n"
            "print(open('deep/er/b.txt').read())\nopen('a.txt', 'w').write('changed')")
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                       "params": {"name": "run_code", "arguments": {"code": code}, "_meta": MODERN}}) + "\n"
    done = light.run("mcp", "--dir", folder, "--state", state, input=line.encode())
    told = "\n".join(block["text"] for block in json.loads(done.stdout)["result"]["content"])
    assert "['a.txt', 'deep/er/b.txt', 'empty']\ntwo" in told
    assert (folder / "a.txt").read_text() == "one"
    recorded = light.run("log", env={"RETORT_STATE": str(state)}).stdout.decode()
    assert re.search(r"s_[0-9a-f]{20}", told).group() in recorded


def test_resources_do_not_wait_for_a_cell_that_runs(light):
    """A list leaves its session out as soon as the cell has begun, and a file of it is refused."""
    process = light.popen("mcp", stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    numbers = itertools.count()

    def ask(method, **params):
        line = {"jsonrpc": "2.0", "id": next(numbers), "method": method, "params": {**params, "_meta": MODERN}}
        process.stdin.write(json.dumps(line) + "\n")
        process.stdin.flush()
        return line["id"]

    def answer(method, **params):
        number, told = ask(method, **params), json.loads(process.stdout.readline())
        assert told["id"] == number  # the endless one is not answered before the others
        return told

    answer("tools/call", name="run_code", arguments={"code": "open('a', 'w').write('1')"})
    (file,) = answer("resources/list")["result"]["resources"]
    endless = ask("tools/call", name="run_code", arguments={"code": "import time\nwhile True: time.sleep(1)"})
    while answer("resources/list")["result"]["resources"]:
        time.sleep(0.01)
    assert answer("resources/read", uri=file["uri"])["error"]["code"] == -32002
    process.stdin.write(json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": endless}}) + "\n")
    process.stdin.close()
    assert process.wait(timeout=60) == 0
    process.stdout.close()


PAGE = pathlib.Path(__file__).resolve().parent.parent.parent / "docs/mcp.md"
BLOCKS = re.findall(r"^```(json|toml|sh)\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)


def servers_of(kind, text):
    """The configured servers of a block, or the command after `--`."""
    if kind == "json":
        (servers,) = json.loads(text).values()
        return servers.values()
    if kind == "toml":
        return tomllib.loads(text)["mcp_servers"].values()
    _, _, command = text.partition(" -- ")
    return [{"command": shlex.split(command)[0], "args": shlex.split(command)[1:]}] if command else [{"url": text}]


@pytest.mark.parametrize("kind, text", BLOCKS)
def test_the_configurations_of_the_page_work(light, tmp_path, kind, text):
    (tmp_path / "data.csv").write_text("1\n")
    tmp_path.chmod(0o755)
    for server in servers_of(kind, text):
        if "command" not in server:
            assert "http://127.0.0.1:8700/mcp" in str(server)
            continue
        done = light.run(*server["args"], cwd=tmp_path)
        assert (server["command"], done.returncode) == ("retort", 0), done.stderr
        assert done.stderr.startswith(b"retort mcp ") and done.stderr.count(b"\n") == 1


# ---- check_answer ----

SALES = "sales = {'North': 64661.15, 'South': 58893.41}\nfor k, v in sales.items():\n    print(k, 'sales:', v)"


@pytest.mark.parametrize("era", ERAS)
def test_a_draft_is_checked_against_what_ran(light, era):
    with on_stdio(light, era) as client:
        client.run(SALES)
        true = "North sold 64,661.15, South {{sales['South']:,.0f}}."
        assert shown(client.call("check_answer", answer=true)[0]) == (
            "Accepted: all its numbers are proved by what ran.\nThe answer, filled in:\nNorth sold 64,661.15, South 58,893.\n")
        wrong = shown(client.call("check_answer", answer="North sold 64,661.15, together with South 123,555.56.", question="How much?")[0])
        assert wrong.splitlines()[0] == "1 of 2 numbers are not proved:"
        assert wrong.splitlines()[1].startswith("- 123,555.56 ")
        assert shown(client.call("check_answer", answer="Nobody knows.")[0]) == "There is no number in it that needs a proof.\n"
        told = client.call("check_answer", answer="North sold 64,661.15.", details=True)[0]
        assert [one["verdict"] for one in told["structuredContent"]["numbers"]] == ["grounded"]
        failed = client.call("check_answer", answer="It is {{nobody}}.")[0]
        assert failed["isError"] and "NameError" in failed["content"][0]["text"]


def test_nothing_is_checked_before_something_ran(light):
    with on_stdio(light, "modern") as client:
        assert client.call("check_answer", answer="It is 42.")[0]["isError"]
