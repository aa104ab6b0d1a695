"""Interpreters of several languages in one session: none speaks for another, or takes another along."""
import pytest
import rpc


@pytest.fixture
def session(light_caller):
    server = rpc.Server(light_caller)
    yield server.session()
    assert server.close() == 0


def javascript(session, code):
    return session.server.call("session.execute", session=session.id, code=code, language="javascript", limits={"timeout": 5})


FORGED = {
    "garbage": "Buffer.alloc(64, 255)",
    "a result of another cell": "Buffer.from([32,0,0,0,4,0,0,0, 15,0,0,0,8,0,0,0, 99,0,0,0,0,0,0,0, 19,0,0,0,8,0,0,0, 0,0,0,0,0,0,0,0])",
    "ready once more": "Buffer.from([0,0,0,0,1,0,0,0])",
    "checkpointed": "Buffer.from([0,0,0,0,6,0,0,0])",
}


@pytest.mark.parametrize("bytes", FORGED.values(), ids=FORGED)
def test_a_forged_channel_speaks_for_its_own_interpreter_alone(session, bytes):
    session.run("x = 1")
    javascript(session, "let a = 2")
    result = javascript(session, f"a = 3; require('fs').writeSync(3, {bytes}); while (true) {{}}")
    assert (result["status"], result["state"]) == ("lost", "rolled_back") and "protocol_error" in result["flags"]
    assert session.value("x") == "1"
    assert javascript(session, "a")["value"]["text/plain"] == "2"


def test_no_interpreter_reaches_the_channel_of_another(session):
    javascript(session, "let a = 1")
    tried = session.value("""
import ctypes, os
libc, found = ctypes.CDLL(None, use_errno=True), []
for pid in filter(str.isdigit, os.listdir("/proc")):
    if int(pid) in (1, os.getpid()):
        continue
    try:
        os.close(os.open(f"/proc/{pid}/fd/3", os.O_RDWR))
        found.append(pid)
    except OSError:
        pass
    held = libc.syscall(434, int(pid), 0)
    if held >= 0 and libc.syscall(438, held, 3, 0) >= 0:
        found.append(pid)
found""")
    assert tried == "[]"
    assert javascript(session, "a")["value"]["text/plain"] == "1"


def test_what_kills_one_interpreter_spares_the_others(session):
    session.run("import os, signal; x = 1")
    javascript(session, "let a = 2")
    session.run("for pid in filter(str.isdigit, os.listdir('/proc')):\n    if int(pid) not in (1, os.getpid()): os.kill(int(pid), 9)")
    assert session.value("x") == "1"
    assert javascript(session, "a")["value"]["text/plain"] == "2"


def test_limits_hold_for_all_together(session):
    session.run("x = bytearray(100 << 20)")
    result = javascript(session, "let all = []; while (true) all.push(Buffer.alloc(1 << 20, 1))")
    assert result["status"] in ("oom", "error", "signal") and session.value("len(x)") == str(100 << 20)
