"""Interpreters of several languages in one session: none speaks for another, or takes another along."""
import json

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
@pytest.mark.few(1)
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


# ---- the walls are the same from each language ----

def said(session, language, code):
    result = session.server.call("session.execute", session=session.id, code=code, language=language, limits={"timeout": 20})
    return result["status"], result["stdout"]


LOOKS = {"javascript": "for (const p of {paths}) {{ try {{ require('fs').readFileSync(p); console.log('open', p) }} catch {{}} }}",
         "bash": "for p in {words}; do cat \"$p\" >/dev/null 2>&1 && echo open $p; done; true"}
SECRET = ["/etc/shadow", "/root", "/proc/1/environ", "/proc/1/mem", "/proc/kcore", "/dev/sda", "/dev/mem", "/sys/kernel/debug", "/proc/1/root/etc/shadow"]
WRITES = {"javascript": "for (const p of {paths}) {{ try {{ require('fs').writeFileSync(p, 'x'); console.log('wrote', p) }} catch {{}} }}",
          "bash": "for p in {words}; do (echo x > \"$p\") 2>/dev/null && echo wrote $p; done; true"}
FORBIDDEN = ["/etc/x", "/usr/bin/x", "/opt/retort/x", "/proc/sys/kernel/hostname", "/proc/1/oom_score_adj", "/dev/x", "/sys/x", "/x"]


@pytest.mark.parametrize("language", ["javascript", "bash"])
def test_no_language_reads_or_writes_what_is_not_the_session_s(session, language):
    for codes, paths in ((LOOKS, SECRET), (WRITES, FORBIDDEN)):
        assert said(session, language, codes[language].format(paths=repr(paths), words=" ".join(paths))) == ("ok", "")


def test_sql_opens_nothing_but_what_the_session_may(session):
    for statement in ("ATTACH '/etc/shadow' AS a; SELECT * FROM a.sqlite_master", "SELECT load_extension('/usr/lib/x.so')",
                      "ATTACH '/etc/new.db' AS b; CREATE TABLE b.t AS SELECT 1", "SELECT readfile('/etc/shadow')", "SELECT * FROM '/etc/shadow.csv'"):
        assert said(session, "sql", statement)[0] == "error", statement


CONNECTS = {"javascript": "const s = require('net').connect({port: 53, host: '8.8.8.8'}); await new Promise(r => { "
                          "s.on('connect', () => { console.log('connected'); r() }); s.on('error', r) })",
            "bash": "(exec 3<>/dev/tcp/8.8.8.8/53) 2>/dev/null && echo connected; true"}


@pytest.mark.parametrize("language", ["javascript", "bash"])
def test_no_language_has_a_network(session, language):
    assert said(session, language, CONNECTS[language]) == ("ok", "")


SEES = {"javascript": "const fs = require('fs'); console.log(fs.readdirSync('/proc').filter(n => /^\\d+$/.test(n)).map(n => "
                      "fs.readFileSync(`/proc/${n}/comm`, 'utf8').trim()).sort().join(' ')); try { process.kill(1, 9) } catch {}; undefined",
        "bash": "for p in /proc/[0-9]*; do read -r name < $p/comm; echo $name; done | sort | tr '\\n' ' '; kill -9 1 2>/dev/null; true"}


@pytest.mark.parametrize("language", ["javascript", "bash"])
def test_no_language_sees_or_ends_processes_of_others(session, language):
    session.run("x = 1")
    status, told = said(session, language, SEES[language])
    assert status == "ok" and told and set(told.split()) <= {"init", "python3", "node", "bash", "sort", "tr"}, told
    assert session.value("x") == "1"  # init is deaf to what is inside


HOLDS = {"javascript": "console.log(require('fs').readdirSync('/proc/self/fd').map(n => { try { return require('fs').readlinkSync('/proc/self/fd/' + n) } "
                       "catch { return '' } }).filter(t => t.startsWith('/')).join(' '))",
         "bash": "for f in /proc/$$/fd/*; do t=$(readlink $f); [[ $t == /* ]] && echo $t; done; true"}


@pytest.mark.parametrize("language", ["javascript", "bash"])
def test_no_language_holds_descriptors_of_the_host(session, language):
    status, told = said(session, language, HOLDS[language])
    names = {name for name in told.split() if not name.startswith(("/dev/null", "/memfd:", "/opt/retort/", "/proc/", "/dev/urandom", "/tmp/#", "(deleted)"))}
    assert status == "ok" and not names, told


REPORT = "import runpy; runpy.run_path('/opt/retort/python/doctor.py', {'PORT': 1})"
REPORTS = {"python": REPORT, "bash": f'/usr/bin/python3 -c "{REPORT}"',
           "javascript": f"console.log(require('child_process').execFileSync('/usr/bin/python3', ['-c', {json.dumps(REPORT)}], {{encoding: 'utf8'}}))"}
OTHERS_RUN = ("processes", "forks")  # how many there are, and so how many more there can be


def test_the_isolation_report_is_the_same_from_each_language(session):
    """Every layer is tried by a child of each interpreter, which has the walls of that interpreter and no others."""
    found = {}
    for language, code in REPORTS.items():
        status, told = said(session, language, code)
        assert status == "ok", (language, told)
        found[language] = json.loads(told)
        assert found[language]["status"]["Seccomp"] == 2 and found[language]["status"]["CapEff"] == 0
    walls = {language: {name: value for name, value in report.items() if name not in OTHERS_RUN} for language, report in found.items()}
    assert walls["bash"] == walls["python"] and walls["javascript"] == walls["python"]


FILLS = {"python": "open('f', 'wb').write(bytes(64 << 20))", "bash": "head -c 64M /dev/zero > f",
         "javascript": "require('fs').writeFileSync('f', Buffer.alloc(64 << 20))",
         "sql": "CREATE TABLE f AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 64) SELECT zeroblob(1 << 20) FROM n"}


@pytest.mark.parametrize("language", FILLS)
def test_no_language_writes_more_than_the_disk_has(light_caller, language):
    server = rpc.Server(light_caller)
    session = server.session(limits={"disk": 16})
    result = server.call("session.execute", session=session.id, code=FILLS[language], language=language, limits={"timeout": 60})
    assert result["status"] in ("error", "exit"), result
    assert int(session.value("import os; sum(os.lstat(os.path.join(at, name)).st_blocks * 512 for at, _, names in os.walk('.') for name in names)")) <= 16 << 20
    assert server.close() == 0
