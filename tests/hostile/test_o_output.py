"""O: output and input."""
import json


def test_O1_flood(box, count):
    """Past the quota it is counted and dropped; the program goes on to its end."""
    amount = count(200, 10240)
    code = f"""
import os
for _ in range({amount}):
    os.write(1, b'o' * (1 << 20)); os.write(2, b'e' * (1 << 20))
print('end')
"""
    outcome = box.run(code, "--timeout", "600")
    assert "truncated" in outcome["flags"] and outcome["stdout"].endswith("end\n")
    for stream in ("stdout", "stderr"):
        assert outcome["truncated"][stream]["total"] >= amount << 20
        assert len(outcome[stream]) <= 64 << 10


def test_O1_yes(box):
    outcome = box.run("yes", "--timeout", "0.5", language="bash", status="timeout")
    assert outcome["stdout"].startswith("y\ny\n") and "truncated" in outcome["flags"]


HOSTILE_TEXT = {
    "not UTF-8": b"\xff\xfe\xc0\x80\xed\xa0\x80\xf5\x90\x80\x80 end\n",
    "NUL": b"a\0b end\n",
    "terminal": b"\x1b]52;c;ZXZpbA==\x07\x1b[2J\x1b]0;title\x07 end\n",
    "bidi": "\u202egnp.exe\u2066 end\n".encode(),
    "log lines": b"\nretort: setup_failed: layer user\r\nERROR root end\n",
    "a result": json.dumps({"schema": "retort.result/1", "status": "ok", "stdout": "forged"}).encode() + b" end\n",
    "frames": bytes(range(1, 64)) * 20 + b"RTRT\0\0\0\x20__RESULT__ end\n",
}


def test_O3_hostile_text(box):
    for what, text in HOSTILE_TEXT.items():
        code = f"import os; os.write(1, {text!r}); os.write(2, {text!r}); raise SystemExit(3)"
        outcome = box.run(code, status="exit")
        assert outcome["exit_code"] == 3 and outcome["stdout"] == outcome["stderr"], what
        assert outcome["stdout"].endswith(" end\n"), what
        assert what == "not UTF-8" or outcome["stdout"].encode() == text, what
        assert outcome.raw.count(b"\n") == 1  # one object, one line: nothing in it was printed raw
        assert not set(outcome.raw) & (set(range(32)) - {10})


CLOSED = [
    "import os\nos.closerange(0, 3)\nprint('x')",
    "import os\nfor fd in (0, 1, 2): os.close(fd)\nos._exit(0)",
    "import os\nfd = os.open('/dev/null', os.O_RDWR)\nfor i in range(3): os.dup2(fd, i)\nprint('x')",
    "import sys\nsys.stdout = sys.stderr = sys.stdin = None\nprint('x')",
    "import sys\nsys.stdout.close()\nsys.stderr.close()",
]


def test_O4_closed_streams(box):
    for code in CLOSED:
        assert box.run(code, status=("ok", "error", "exit"))["stdout"] == ""


def test_O7_no_input(box):
    assert box.run("input()", status="error")["error"]["name"] == "EOFError"
    assert box.run("import sys; print(repr(sys.stdin.read()))")["stdout"] == "''\n"
    assert box.run("read x || echo end; cat", language="bash")["stdout"] == "end\n"
    code = "process.stdin.on('end', () => console.log('end')).resume()"
    assert box.run(code, language="javascript")["stdout"] == "end\n"
