"""I: the channel to the host, driven by hand from inside the guest."""
import threading
import time

import pytest
import rpc
from arena import RAW, arena, lab  # noqa: F401 (fixtures)

GARBAGE = {
    "random": "import random\nraw(random.Random(1).randbytes(100000))",
    "text": "raw(b'GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n')",
    "zeros": "raw(bytes(64))",
    "zero-length frames": "raw(frame(0) * 1000000)",
    "ones": "raw(b'\\xff' * 4096)",
}


def test_I1_garbage(arena):
    for code in GARBAGE.values():
        arena.broken(code)


def test_I1_one_byte(arena):
    """Where a frame begins is lost; what follows either cannot be a frame or never ends."""
    arena.once(RAW + "raw(b'\\x01')", ("lost", "timeout"), timeout=1)


def test_I1_a_million_empty_displays(arena, count):
    result = arena.once(RAW + f"raw(frame(DISPLAY) * {count(200000, 1000000)})\n1")
    assert result["flags"] == ["truncated"] and len(result["displays"]) == 256
    assert result["value"] == {"text/plain": "1"}


def test_I1_a_million_empty_plots(arena, count):
    result = arena.once(RAW + f"raw(frame(PLOT) * {count(200000, 1000000)})\n1")
    assert result["flags"] == ["truncated"] and len(result["plots"]) == 256


def test_I1_json_of_many_values(arena):
    """Small as text, huge as objects."""
    display = "raw(frame(DISPLAY, (MIME, 'application/json'), (DATA, %s)))"
    many = arena.once(RAW + display % "'[' + '[],' * 3000000 + '1]'")
    assert many["flags"] == ["truncated"] and many["displays"][0]["mime"] == {"application/json": None}
    text = arena.once(RAW + display % "json.dumps('\\\\\",' * 600000)")
    assert text["flags"] == [] and len(text["displays"][0]["mime"]["application/json"]) == 1800000


def test_I1_json_of_many_values_adds_up(caller):
    data = "'[' + '[],' * 100000 + '1]'"
    result = caller.result(RAW + f"raw(frame(DISPLAY, (MIME, 'application/json'), (DATA, {data})) * 4)")
    assert result["flags"] == ["truncated"]
    assert [bool(d["mime"]["application/json"]) for d in result["displays"]] == [True, True, False, False]


MAX_FRAME = 32 << 20


def test_I2_length_beyond_the_maximum(arena):
    for length in (0xFFFFFFFF, 1 << 31, (1 << 31) - 1, MAX_FRAME + 1):
        arena.broken(f"raw(struct.pack('<IBBH', {length}, RESULT, 0, 0))")


def test_I2_length_at_the_maximum(arena):
    """Allowed, so the broker waits, without holding room for bytes that do not come; the limit ends it."""
    one = arena.session()
    arena.run(one, "x = 1")
    result = arena.run(one, RAW + f"raw(struct.pack('<IBBH', {MAX_FRAME}, RESULT, 0, 0))\nx = 2\nimport time\ntime.sleep(99)",
                       "timeout", timeout=0.5)
    assert result["state"] == "rolled_back" and one.value("x") == "1"


def test_I2_more_than_a_cell_may_send(arena):
    arena.broken("data = frame(DISPLAY, (DATA, bytes(16 << 20)))\nfor _ in range(8): raw(data)")


def test_I2_malformed_fields(arena):
    for fields in ("struct.pack('<II', 5, 100) + b'short'", "struct.pack('<II', 5, 0xffffffff)", "b'123'",
                   "struct.pack('<II', 0x105, 0)", "field(5, b'') * 5000"):
        arena.broken(f"payload = {fields}\nraw(struct.pack('<IBBH', len(payload), RESULT, 0, 0) + payload)")


def test_I4_unknown_types_and_reserved_bits(arena):
    for head in ((0, 0, 0), (9, 0, 0), (63, 0, 0), (64, 0, 0), (65, 0, 0), (69, 0, 0), (255, 0, 0), (4, 1, 0), (4, 0, 1),
                 (2, 0x80, 0), (2, 0, 0x8000)):
        arena.broken(f"raw(struct.pack('<IBBH', 0, *{head}))")


WRONG = {
    "ready twice": "raw(frame(READY))",
    "checkpointed unasked": "raw(frame(CHECKPOINTED))",
    "resumed unasked": "raw(frame(RESUMED))",
    "completions unasked": "raw(frame(COMPLETIONS))",
    "listing unasked": "raw(frame(LISTING))",
    "two results at once": "raw(frame(RESULT, (KIND, 0)) * 2)\nimport time\ntime.sleep(99)",
    "display after result": "raw(frame(RESULT, (KIND, 0)) + frame(DISPLAY))\nimport time\ntime.sleep(99)",
    "call after result": "raw(frame(RESULT, (KIND, 0)) + frame(TOOL_CALL, (CALL, 1)))\nimport time\ntime.sleep(99)",
    "result of no kind": "raw(frame(RESULT, (KIND, 17)))",
    "result of a negative kind": "raw(frame(RESULT, (KIND, -1)))",
    "call without a number": "raw(frame(TOOL_CALL, (NAME, 'x'), (JSON, '{}')))",
}


def test_I5_wrong_state(arena):
    for code in WRONG.values():
        arena.broken(code)


def test_I5_result_before_the_next_cell(arena):
    """A frame that comes between two cells is no answer to the second."""
    one = arena.session(checkpoint="off")
    arena.run(one, RAW + "import threading\ngo = threading.Event()\n"
              "def late():\n    go.wait(); raw(frame(RESULT, (KIND, 0), (VALUE, b''), (MIME, 'text/plain'), (DATA, b'forged')))\n"
              "    go.done = True\nthreading.Thread(target=late, daemon=True).start()")
    arena.run(one, "import time\nthreading.Timer(0.05, go.set).start()")
    time.sleep(0.5)
    result = arena.run(one, "1", "lost")
    assert result["flags"] == ["protocol_error"] and result["value"] is None


def test_I6_forged_result_then_death(arena):
    for death, status in (("os._exit(9)", "exit"), ("os.kill(os.getpid(), 11)", "signal")):
        one = arena.session()
        arena.run(one, "x = 1")
        first = arena.run(one, RAW + "x = 2\nraw(frame(RESULT, (KIND, 0)))\n" + death, ("ok", status))
        if first["state"] == "kept":  # the forged result was quicker: the death is found by the next cell
            second = arena.run(one, "x", status)
            assert second["value"] is None
            if second["state"] == "lost":  # and when it was run again, the death was quicker
                assert second["state_notes"] == ["cell 2 could not be run again: this time it ended its interpreter or was stopped"]
            else:
                assert second["state"] == "rolled_back"
        else:
            assert one.value("x") == "1"


def test_I6_forged_result_then_silence(arena):
    """The session is busy with what follows; the next cell does not get its turn and says so."""
    one = arena.session(limits={"timeout": 0.5})
    arena.run(one, RAW + "raw(frame(RESULT, (KIND, 0), (VALUE, b''), (MIME, 'text/plain'), (DATA, b'1')))\nwhile True: pass")
    second = arena.run(one, "2", ("timeout", "lost"))
    assert second["value"] is None and second["state"] in ("lost", "rolled_back")


UNREAD = """
import sys, time
channel = next(m for m in sys.modules.values() if hasattr(m, 'read_frame'))
read = channel._read
def forge(size, *rest):
    if size > 100000:
        raw(frame(RESULT, (15, 2), (KIND, 0)))
        time.sleep(1000)
    return read(size, *rest)
channel._read = forge
"""


def test_I6_forged_result_before_the_code_was_read(arena):
    """The channel is full from then on; neither the session nor the checkpoints of others wait for it."""
    one, other = arena.session(), arena.session()
    arena.run(one, RAW + UNREAD)
    time.sleep(0.1)  # its checkpoint, which is answered
    result = arena.run(one, "#" * 500000, "lost")
    assert result["flags"] == ["protocol_error"]
    for _ in range(100):
        arena.run(other, "x = 1")
        time.sleep(0.05)
        if arena.run(other, "import os; os._exit(1)", "exit")["state_via"] == "checkpoint":
            break
    else:
        pytest.fail("nobody takes checkpoints any more")


def test_I6_library_replaced(arena):
    one = arena.session()
    result = arena.run(one, "import sys\nguest = sys.modules['retort_guest.channel']\n"
                       "guest.write = lambda *_: None\nimport os\nos._exit(5)", "exit")
    assert (result["exit_code"], result["state"]) == (5, "rolled_back")
    muted = arena.run(one, "import sys\nsys.modules['retort_guest.channel'].write = lambda *_: None", "timeout", timeout=0.5)
    assert muted["state"] == "rolled_back" and one.value("1") == "1"


def test_I6_claims_do_not_become_facts(arena):
    result = arena.once(RAW + "raw(frame(RESULT, (KIND, 2), (EXIT_CODE, 1 << 40), (31, -5)))\nimport time\ntime.sleep(9)",
                        ("exit", "timeout"), timeout=1)
    assert result["exit_code"] in (None, 0) and result["resources"]["threads"] == 0


def test_I9_another_sessions_id(arena):
    other = arena.session()
    arena.run(other, "y = 1")
    arena.once(RAW + f"raw(frame(DISPLAY, (ID, '{other.id}'), (MIME, 'text/plain'), (DATA, b'to another')))")
    assert other.notes("session.display") == [] and other.value("y") == "1"


CALLS = """
calls = b''.join(frame(TOOL_CALL, (CALL, i), (NAME, 'add'), (JSON, '{"a": 1, "b": 2}')) for i in range(100))
"""


def test_I10_calls_beyond_the_cap(arena, count):
    one = arena.session()
    one.offer(add=lambda a, b: a + b)
    before = len(one.notes("tools.call"))
    result = arena.run(one, "refused = 0\nfor i in range(%d):\n    try: tools.add(1, i)\n"
                       "    except tools.ToolError as e: refused += 'too many' in str(e)\nrefused" % count(1200, 5000), timeout=60)
    assert int(result["value"]["text/plain"]) == count(200, 4000) and "denied" in result["flags"]
    assert len(one.notes("tools.call")) - before == 1000


def test_I10_calls_that_nobody_waits_for(arena, count):
    """Answers pile up until their bound; then the session ends."""
    one = arena.session()
    result = arena.run(one, RAW + CALLS.replace("'add'", "'none'") + f"for _ in range({count(3000, 10000)}): raw(calls)",
                       ("lost", "ok"), timeout=60)
    assert set(result["flags"]) & {"denied", "protocol_error"}


ARGUMENTS = {
    "5 MB": "b'{\"a\": \"' + b'x' * (5 << 20) + b'\"}'", "depth": "b'{\"a\": ' + b'[' * 100000 + b']' * 100000 + b'}'",
    "keys": "json.dumps({str(i): i for i in range(300000)}).encode()", "twice": "b'{\"a\": 1, \"a\": 2}'",
    "infinite": "b'{\"a\": 1e400}'", "digits": "b'{\"a\": ' + b'9' * 1000000 + b'}'", "nan": "b'{\"a\": NaN}'",
    "not utf-8": "b'{\"a\": \"\\xff\\xfe\"}'", "surrogate": "b'{\"a\": \"\\\\ud800\"}'", "bom": "b'\\xef\\xbb\\xbf{}'",
    "nothing": "b''", "list": "b'[]'", "trailing": "b'{} {}'", "number": "b'1'", "nul": "b'{\"a\": 1}\\0'",
    "deep object": "b'{\"a\":' * 100 + b'1' + b'}' * 100",
}


CALL = """
import retort_guest.channel as channel
raw(frame(TOOL_CALL, (CALL, 7), (NAME, %s), (JSON, %s)))
dict(channel.receive()[1]).get(channel.F_ERROR_MESSAGE, b'').decode()
"""


def test_I11_arguments(arena):
    one = arena.session()
    one.offer(add=lambda a, b: a + b)
    for what, text in ARGUMENTS.items():
        result = arena.run(one, RAW + CALL % ("'add'", text))
        why = eval(result["value"]["text/plain"])
        assert "JSON" in why and why.isprintable() and result["flags"] == ["denied"], what
    assert one.notes("tools.call") == []


def test_I11_zero_character(arena):
    one = arena.session()
    one.offer(echo=lambda text: text)
    assert one.value("tools.echo('a\\0b')") == "'a\\x00b'"


def test_I12_names(arena):
    one, other = arena.session(), arena.session()
    one.offer(add=lambda a, b: a + b)
    other.offer(other=lambda: 1)
    for name in ("'../../x'", "'__import__'", "'x' * 65536", "'unknown'", "''", "'add\\0'", "b'\\xff'", "'eval(1)'", "'other'"):
        result = arena.run(one, RAW + CALL % (name, "'{}'"))
        assert "no tool" in result["value"]["text/plain"] and result["flags"] == ["denied"], name
    assert one.notes("tools.call") == []


def test_I14_channel_closed(arena):
    result = arena.once("x = 1\nimport os, time\nos.close(3)\ntime.sleep(99)", "lost")
    assert result["flags"] == ["protocol_error"]


def test_I14_channel_shut_down(arena):
    for how in ("SHUT_RD", "SHUT_WR", "SHUT_RDWR"):
        one = arena.session()
        arena.run(one, "x = 1")
        code = f"import os, socket\nsocket.fromfd(3, socket.AF_UNIX, socket.SOCK_STREAM).shutdown(socket.{how})\nx = 2"
        result = arena.run(one, code, ("ok", "exit", "lost"))
        if result["state"] == "kept":  # the result was under way; the end is found by the next cell
            result = arena.run(one, "x", ("exit", "lost"))
        assert result["state"] in ("rolled_back", "lost") and result["value"] is None


def test_I14_death_during_a_call(arena):
    one = arena.session()
    asked, answer = threading.Event(), threading.Event()

    def slow():
        asked.set()
        answer.wait(rpc.PATIENCE)
        return 1

    one.offer(slow=slow)
    arena.run(one, "x = 1")
    pending = one.start("import os, threading\nthreading.Timer(0.1, os._exit, (4,)).start()\ntools.slow()")
    asked.wait(rpc.PATIENCE)
    time.sleep(0.3)
    answer.set()
    died = pending.answer()
    assert (died["status"], died["exit_code"], died["state"]) == ("exit", 4, "rolled_back")
    assert one.value("x") == "1"


def test_I15_protocol_text_on_stdout(arena):
    result = arena.once(RAW + "data = frame(RESULT, (KIND, 1)) + frame(DISPLAY)\nos.write(1, data); os.write(2, data)\n5")
    assert result["value"] == {"text/plain": "5"} and result["displays"] == [] and len(result["stdout"]) >= 16


def test_I15_channel_over_stdout(arena):
    arena.once("import os\nos.dup2(3, 1)\nprint('x' * 100, flush=True)", "lost")


def test_I15_stdout_over_channel(arena):
    one = arena.session()
    arena.run(one, "x = 1")
    result = arena.run(one, "import os\nos.dup2(1, 3)\nx = 2", ("exit", "lost"))
    assert result["state"] == "lost" or one.value("x") == "1"


PATHS = ["/etc/passwd", "../etc/passwd", "a/../../etc/passwd", "link", "out/passwd", "x\0y", "a" * 5000, "/proc/self/environ",
         ".", "", "fifo", "a//../..", "loop/x"]


def test_I17_paths(arena):
    one = arena.session()
    arena.run(one, "import os\nos.symlink('/etc/passwd', 'link'); os.symlink('/etc', 'out'); os.mkfifo('fifo')\n"
              "os.symlink('loop', 'loop')")
    for path in PATHS:
        for act in (one.read, lambda path: one.write(path, b"x"), lambda path: one.write(path, b"x", offset=3)):
            with pytest.raises(rpc.Failure) as failure:
                act(path)
            assert "root:" not in str(failure.value) and str(arena.lab.caller.home) not in str(failure.value)


def test_I18_failures_of_tools_tell_nothing_of_the_host(arena):
    one = arena.session()
    one.offer(fail=lambda: 1 / 0)
    result = arena.run(one, "tools.fail()", "error")
    assert result["error"]["message"] == "division by zero"  # what the client said, and nothing of ours
    gone = arena.run(one, "tools.fail(1, 2, 3)", "error")
    assert str(arena.lab.caller.programs) not in str(gone["error"])


def test_I19_values_are_never_interpreted(arena):
    payload = "cos\\nsystem\\n(S'touch /tmp/pwned'\\ntR."
    result = arena.once(RAW + f"raw(frame(DISPLAY, (MIME, 'application/x-python-pickle'), (DATA, b\"{payload}\"), "
                        "(MIME, 'application/json'), (DATA, b'{\"__class__\": \"os.system\", \"$ref\": \"/etc/passwd\"}'), "
                        "(MIME, 'application/x-yaml'), (DATA, b'!!python/object/apply:os.system [id]')))\n"
                        "raw(frame(DISPLAY, (MIME, 'te xt'), (DATA, b'1'), (MIME, 'a' * 500), (DATA, b'2')))")
    first, second = result["displays"]
    assert first["mime"]["application/json"] == {"__class__": "os.system", "$ref": "/etc/passwd"}
    assert first["mime"]["application/x-python-pickle"].isascii() and second["mime"] == {}
