"""The reference page docs/rpc.md: every example in it is sent; and what `retort rpc` does with lines that are no requests."""
import contextlib
import dataclasses
import json
import pathlib
import re
import resource
import time

import pytest
import rpc
import traces

PAGE = (pathlib.Path(__file__).resolve().parents[2] / "docs/rpc.md").read_text()
EXAMPLES = {json.loads(request)["method"]: (json.loads(request), json.loads(answer))
            for request, answer in re.findall(r"```json\n(\{.*\})\n(\{.*\})\n```", PAGE)}


@pytest.fixture(scope="module")
def server(light):
    running = rpc.Server(light)
    yield running
    assert running.close() == 0


def same_shape(expected, seen, path=""):
    """Every member of the example is there, of the same type."""
    assert type(expected) is type(seen) or (isinstance(expected, (int, float)) and isinstance(seen, (int, float))), path
    if isinstance(expected, dict):
        for name, value in expected.items():
            assert name in seen, f"{path}.{name} is missing"
            same_shape(value, seen[name], f"{path}.{name}")
    elif isinstance(expected, list) and expected and seen:
        same_shape(expected[0], seen[0], path + "[0]")


def prepared(server, method):
    """A session in which the example makes sense."""
    session = server.call("session.create")["session"]
    if method in ("session.undo", "output.read", "ledger.result", "ledger.verify", "ledger.replay"):
        server.call("session.execute", session=session, code="print(1)")
    if method == "skills.learn":
        server.call("session.execute", session=session, code="def double(x):\n    'Doubles.'\n    return 2 * x\nprint(double(1), double(2))")
    if method in ("files.read", "files.delete"):
        server.call("files.write", session=session, path="hello.txt", base64="aGVsbG8K")
    if method in ("environments.show", "environments.update", "environments.remove"):
        server.call("environments.create", name="example")
    if method in ("skills.show", "skills.export", "skills.test", "skills.remove"):
        server.call("skills.add", **EXAMPLES["skills.add"][0]["params"])
    return session


def test_the_page_names_every_method(server):
    assert set(EXAMPLES) == set(server.call("server.info")["methods"])


@pytest.mark.parametrize("method", sorted(set(EXAMPLES) - {"tools.result", "tools.approve"}))
def test_example(server, method):
    request, answer = EXAMPLES[method]
    session = prepared(server, method)
    params = {**request["params"], **({"session": session} if "session" in request["params"] else {})}
    if "sessions" in params:
        params["sessions"] = [session] * len(params["sessions"])
    same_shape(answer["result"], server.call(method, **params), method)
    if {"name": "example"} in server.call("environments.list")["environments"]:
        server.call("environments.remove", name="example")
    if server.call("skills.list")["skills"]:
        server.call("skills.remove", name="example")


def test_example_of_a_tools_answer(server):
    """tools.result answers a call that is open."""
    session = server.call("session.create")["session"]
    server.call("tools.register", **{**EXAMPLES["tools.register"][0]["params"], "session": session})
    given = []
    server.tools["price"] = lambda article: given.append(article) or EXAMPLES["tools.result"][0]["params"]["result"]
    result = server.call("session.execute", session=session, code="import tools; tools.price('tea')")
    assert (given, result["value"]["text/plain"]) == (["tea"], "9.5")


NASTY = [
    (b"", None), (b"   \t\r", None), (b"{", -32700), (b"}", -32700), (b'"', -32700), (b"\xff\xfe", -32700), (b"\0", -32700),
    (b"\xef\xbb\xbf{}", -32700), (b"[" * 1000, -32700), (b'{"a":' * 1000, -32700), (b"[]", -32600), (b"{}", -32600),
    (b"null", -32600), (b"0", -32600), (b'{"jsonrpc":"2.0","id":1,"method":"server.info"}{}', -32700),
    (b'{"jsonrpc":"2.0","id":1,"id":1,"method":"server.info"}', -32700), (b'{"jsonrpc":"2.0","id":[],"method":"server.info"}', -32600),
    (b'{"jsonrpc":"2.0","id":9e999,"method":"server.info"}', -32700), (b'{"jsonrpc":"2.0","id":"a","method":"no.such"}', -32601),
    (b'{"jsonrpc":"2.0","id":"a","method":""}', -32601), (b'{"jsonrpc":"2.0","id":"a","method":"server.info","params":[]}', -32600),
    (b'{"jsonrpc":"2.0","id":"a","method":"server.info","params":{"x":{}}}', -32602), (b'{"jsonrpc":"2.0","id":"a","result":1}', -32600),
    (b'{"jsonrpc":"2.0","id":"a","method":"session.execute","params":{"session":"\\u0000","code":""}}', -32602),
    (b'{"jsonrpc":"2.0","id":"a","method":"session.execute","params":{"session":"s_x","code":"1"}}', -32001),
    (b'{"jsonrpc":"2.0","id":"a","method":"files.write","params":{"session":"s_x","path":"a","base64":"?"}}', -32001),
    (b'{"jsonrpc":"2.0","id":"\\ud83d","method":"server.info"}', -32700), (b"x" * (33 << 20), -32700),
]


def test_nasty_lines_get_their_error_and_nothing_is_lost(light):
    """Every line is answered in the same conversation, and a good request between any two of them still works."""
    good = b'{"jsonrpc":"2.0","id":"good","method":"server.info"}\n'
    done = light.run("rpc", input=b"".join(line + b"\n" + good for line, _ in NASTY))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    refused = sorted(answer["error"]["code"] for answer in answers if "error" in answer)
    assert done.returncode == 0
    # A good request may still be open when the next comes: its id is then in use, which is an error of its own.
    expected = sorted(code for _, code in NASTY if code is not None)
    in_use = len(refused) - len(expected)
    assert sorted(expected + [-32600] * in_use) == refused
    assert sum("result" in answer for answer in answers) + in_use == len(NASTY)


def test_code_with_nul_bytes_has_an_answer(server):
    session = server.call("session.create")["session"]
    try:
        assert server.call("session.execute", session=session, code="a\0b")["status"] == "error"
    except rpc.Failure as failure:
        assert failure.code == -32602
    assert server.call("session.execute", session=session, code="1")["status"] == "ok"


def test_more_sessions_than_descriptors_at_first(light):
    """The soft limit of the shell that started it is not the program's."""
    limited = dataclasses.replace(light, prefix=(*light.prefix, "/usr/bin/prlimit", "--nofile=64:1024"))
    server = rpc.Server(limited)
    sessions = [server.call("session.create", record=False)["session"] for _ in range(12)]
    assert server.call("session.execute", session=sessions[-1], code="6 * 7")["value"]["text/plain"] == "42"
    assert server.close() == 0


def descriptors(pid):
    return len(list(pathlib.Path(f"/proc/{pid}/fd").iterdir()))


def burst(server, count):
    """Sessions asked for at once: those that there are, and refusals."""
    made, refused = [], []
    for pending in [server.start("session.create", record=False) for _ in range(count)]:
        try:
            made.append(pending.answer()["session"])
        except rpc.Failure as failure:
            refused.append(failure)
    return made, refused


@pytest.mark.parametrize("who", ["broker", "supervisor"])
def test_no_descriptors_left(light, who):
    """Sessions too many are refused with the cause, as something that passes; those that are there go on; and when they have ended
    there is room again, as much as before."""
    server = rpc.Server(light)
    server.session(record=False).close()
    processes = {"broker": [server.pid], "supervisor": [p for p in traces.tree(server.pid) if traces.name_of(p).startswith("retort-super")]}
    before = descriptors(server.pid)
    for pid in processes[who]:
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # a child of the supervisor may just have ended
            few = descriptors(pid) + 100
            resource.prlimit(pid, resource.RLIMIT_NOFILE, (few, few))
    rounds = []
    for _ in range(4):
        end, made = time.monotonic() + traces.PATIENCE, []
        while not made and time.monotonic() < end:  # those of the last round may be ending still
            made, refused = burst(server, 24)
        assert made and refused
        for failure in refused:
            assert failure.code == -32002 and failure.data["fault"] == "limit" and "try again" in failure.data["hint"]
            assert re.search("a process of this engine may have [0-9]+ .*Too many open files", str(failure))
        for session in made:
            assert server.call("session.execute", session=session, code="6 * 7")["value"]["text/plain"] == "42"
            server.call("session.close", session=session)
        rounds.append(len(made))
    assert rounds[-1] >= rounds[0] // 2, rounds  # what is kept for the next ones takes some, and no more each time
    end = time.monotonic() + traces.PATIENCE
    while descriptors(server.pid) > before and time.monotonic() < end:
        time.sleep(0.02)
    assert descriptors(server.pid) <= before
    assert server.close() == 0


MIXED = """
import os, sys
for i in range(200):
    print('a%d' % i)
    if i % 10 == 0:
        os.system('echo b%d' % i)
    print('c%d' % i, file=sys.stderr)
    display(i)
print('end')
"""


def test_text_and_displays_come_in_the_order_they_were_made(server):
    """Text printed after a display does not overtake it, however short the time between them."""
    session, seen = server.session(), [""]
    assert session.run(MIXED)["status"] == "ok"
    for method, params in list(server.notes):
        if params.get("session") == session.id and method == "session.output":
            seen[-1] += params["text"]
        elif params.get("session") == session.id and method == "session.display":
            seen += [params["display"]["mime"]["text/plain"], ""]
    assert seen[1::2] == [str(i) for i in range(200)]
    assert [set(text.split()) for text in seen[0::2]] == [
        {f"a{i}", f"c{i}"} | ({f"b{i}"} if i % 10 == 0 else set()) for i in range(200)] + [{"end"}]


def test_a_handler_displays_while_a_display_is_written(server):
    """It does not wait for the frame that it interrupts, which does not go on before the handler has returned."""
    session = server.session()
    code = """
import signal
alarms = 0
def handler(*_):
    global alarms
    alarms += 1
    if alarms <= 50: display('alarm')
signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
for i in range(100): display({'text/plain': '%03d' % i + 'x' * 180000}, raw=True)
while alarms < 50: pass
signal.setitimer(signal.ITIMER_REAL, 0)
"""
    result = session.run(code)
    assert result["status"] == "ok", result["error"]
    shown = [one["mime"]["text/plain"] for one in result["displays"]]
    assert [text[:3] for text in shown if text != "'alarm'"] == ["%03d" % i for i in range(100)]
    assert shown.count("'alarm'") == 50 and session.value("1 + 1") == "2"


def test_a_display_while_tools_are_called(server):
    """Displays of the main thread wait for the broker; those of other threads and of signal handlers do not, and nothing hangs."""
    session = server.session()
    session.offer(slow=lambda: 1)
    code = """
import signal, threading
def work(n):
    for i in range(20):
        tools.slow(); display(n)
signal.signal(signal.SIGALRM, lambda *_: display('alarm'))
signal.setitimer(signal.ITIMER_REAL, 0.02, 0.05)
threads = [threading.Thread(target=work, args=(n,)) for n in range(3)]
for t in threads: t.start()
work(3)
for t in threads: t.join()
signal.setitimer(signal.ITIMER_REAL, 0)
"""
    result = session.run(code)
    assert result["status"] == "ok", result["error"]
    shown = [one["mime"]["text/plain"] for one in result["displays"]]
    assert [shown.count(str(n)) for n in range(4)] == [20] * 4
    assert session.value("1 + 1") == "2"
