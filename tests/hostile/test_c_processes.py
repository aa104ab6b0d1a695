"""C: processes, signals, persistence."""
from ring import refused

BOMBS = {
    "fork": ("python", "import os, time\ntry:\n    while True: os.fork()\nexcept OSError: time.sleep(0.5)"),
    "bash": ("bash", ":() { : | : & sleep 0.4; }; :; sleep 1"),
    "vfork": ("python", """
import ctypes, os, signal, time
libc = ctypes.CDLL(None)
held = 0
try:
    while True:
        if os.posix_spawn('/bin/sleep', ['sleep', '60'], {}): held += 1
except OSError: time.sleep(0.5)
"""),
}


def test_C1_fork_bomb(box):
    done = box.run_all(BOMBS, "--pids", "40", "--timeout", "20", status=("ok", "exit", "error"))
    for bomb, outcome in done.items():
        assert "pids_limit" in outcome["flags"], bomb
        assert outcome["resources"]["processes"] <= 44, bomb


def test_C1_thread_bomb(box):
    code = """
import threading, time
try:
    while True: threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
except RuntimeError: print('refused', threading.active_count(), flush=True)
import os; os._exit(0)
"""
    outcome = box.run(code, "--pids", "40", status="exit")
    word, count = outcome["stdout"].split()
    assert word == "refused" and 30 <= int(count) <= 45
    if box.cgroup:  # a count of processes shows no threads
        assert outcome["flags"] == ["pids_limit"]


DAEMON = """
import os, signal, sys, time
ready, done = os.pipe()
if os.fork() == 0:
    os.setsid()
    for _ in range(4):
        if os.fork() == 0:
            for number in set(range(1, 65)) - {9, 19, 32, 33}: signal.signal(number, signal.SIG_IGN)
            os.write(done, b'x')
            os.closerange(0, 1024)
            while True: time.sleep(1)
    os._exit(0)
os.read(ready, 1)
"""


def test_C2_daemons(box):
    ends = {"": "ok", "raise SystemExit(3)": "exit", "os._exit(0)": "exit", "os.abort()": "signal",
            "while True: pass": "timeout"}
    done = box.run_all({end: DAEMON + end for end in ends}, "--timeout", "2", status=set(ends.values()))
    assert {end: outcome["status"] for end, outcome in done.items()} == ends


def test_C2_daemon_of_bash_and_node(box):
    box.run("setsid nohup sleep 600 & disown; (trap '' TERM HUP INT; setsid sleep 600 &)", language="bash")
    box.run("require('child_process').spawn('sleep', ['600'], { detached: true, stdio: 'ignore' }).unref()",
            language="javascript")


def test_C4_kill_everything(box):
    code = """
import signal
attempt('kill all', os.kill, -1, 9)
attempt('kill init', os.kill, 1, 9)
attempt('stop init', os.kill, 1, signal.SIGSTOP)
attempt('terminate init', os.kill, 1, signal.SIGTERM)
for pid in range(2, 500):
    if pid != os.getpid():
        try: os.kill(pid, 9)
        except ProcessLookupError: continue
        tell(f'pid {pid}', 'DONE')
tell('init lives', os.getppid() == 1)
"""
    attempts = box.attempts(code)
    assert attempts.pop("init_lives") == "True"
    assert not any(label.startswith("pid_") for label in attempts)
    refused({label: outcome for label, outcome in attempts.items() if outcome != "DONE None"}, "ESRCH", "EPERM")


def test_C4_killed_by_own_hand(box):
    for code in ("os.kill(os.getpid(), 9)", "os.killpg(0, 9)", "os.kill(0, 9)"):
        assert box.run(f"import os\n{code}", status="signal")["signal"] == 9
    assert box.run("kill -9 0", language="bash", status="signal")["signal"] == 9


DEAF = """
import signal, time
def endless(*_):
    while True: pass
for number in set(range(1, 65)) - {9, 19, 32, 33}: signal.signal(number, HANDLER)
while True:
    try: time.sleep(1)
    except BaseException: pass
"""


def test_C6_deaf_to_signals(box):
    cases = {how: DEAF.replace("HANDLER", how) for how in ("signal.SIG_IGN", "lambda *_: None", "endless")}
    cases["stopped"] = "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)"
    cases["trap"] = ("bash", "trap '' INT TERM HUP QUIT; while :; do sleep 1; done")
    box.run_all(cases, "--timeout", "0.5", at_once=5, status="timeout")


def test_C7_zombies_and_orphans(box):
    code = """
import os, time
zombies = 0
try:
    while zombies < 10000:
        if os.fork() == 0: os._exit(0)
        zombies += 1
except BlockingIOError: pass
print(zombies <= 68)  # with room for our own
while True:
    try: os.waitpid(-1, 0)
    except ChildProcessError: break
orphans = 0
while orphans < 500:
    try: pid = os.fork()
    except BlockingIOError:
        time.sleep(0.01)
        continue
    if pid == 0:
        try:
            if os.fork() == 0: time.sleep(0.001)
        finally: os._exit(0)
    os.waitpid(pid, 0)
    orphans += 1
print(orphans)
"""
    assert box.run(code, "--timeout", "300")["stdout"] == "True\n500\n"  # a thousand forks on a busy machine


def test_C8_change_of_user(box):
    code = """
for name in ('setuid', 'setgid', 'seteuid', 'setegid'):
    attempt(name, getattr(os, name), 0)
attempt('setresuid', os.setresuid, 0, 0, 0)
attempt('setresgid', os.setresgid, 0, 0, 0)
attempt('setgroups', os.setgroups, [0])
syscall('setfsuid', 122, 0)
header = (ctypes.c_uint * 2)(0x20080522, 0)
syscall('capset', 126, header, (ctypes.c_uint * 6)(*[0xffffffff] * 6))
for path in ('uid_map', 'gid_map', 'setgroups'):
    attempt('write ' + path, lambda: os.write(os.open('/proc/self/' + path, os.O_WRONLY), b'0 0 1'))
syscall('keep caps', 157, 8, 1, 0, 0, 0)
syscall('ambient', 157, 47, 2, 21, 0, 0)
syscall('securebits', 157, 28, 0, 0, 0, 0)
"""
    refused(box.attempts(code), "EPERM", "EACCES", "EINVAL", "ENOENT")
    helper = box.run("newuidmap $$ 0 0 1; id -u", language="bash")
    assert helper["stdout"] == "1000\n"


def test_C10_setuid_programs(box):
    code = """
for f in /usr/bin/su /usr/bin/sudo /usr/bin/mount /usr/bin/newgrp /usr/bin/chfn /usr/bin/passwd /usr/bin/pkexec; do
    [ -u $f ] && timeout 5 $f -c 'id -u' root < /dev/null 2>/dev/null
done
cp /usr/bin/id . && ./id -u
grep -E '^(NoNewPrivs|CapEff|CapBnd)' /proc/self/status | tr '\\n' ' '"""
    outcome = box.run(code, language="bash")
    assert "0" not in outcome["stdout"].splitlines()[:-1]
    assert outcome["stdout"].endswith("1000\nCapEff:\t0000000000000000 CapBnd:\t0000000000000000 NoNewPrivs:\t1 ")


def test_C11_reparenting(box):
    code = """
import ctypes, os, time
libc = ctypes.CDLL(None)
libc.prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
for _ in range(20):
    if os.fork() == 0:
        libc.prctl(1, 0, 0, 0, 0)  # PR_SET_PDEATHSIG off
        if os.fork() == 0:
            os.setsid()
            time.sleep(600)
        os._exit(0)
print('ready')
"""
    assert box.run(code)["stdout"] == "ready\n"
    box.run(code + "os._exit(0)", status="exit")


def test_C12_look_into_others(box):
    code = """
import time
child = os.fork()
if child == 0:
    time.sleep(600)
for pid in (1, child):
    syscall(f'ptrace {pid}', 101, 16, pid, 0, 0)
    syscall(f'seize {pid}', 101, 0x4206, pid, 0, 0)
    buffer = ctypes.create_string_buffer(8)
    iov = (ctypes.c_void_p * 2)(ctypes.addressof(buffer), 8)
    syscall(f'vm_readv {pid}', 310, pid, iov, 1, iov, 1, 0)
    syscall(f'vm_writev {pid}', 311, pid, iov, 1, iov, 1, 0)
    syscall(f'kcmp {pid}', 312, pid, os.getpid(), 0, 0, 0)
    fd = os.pidfd_open(pid)
    syscall(f'pidfd_getfd {pid}', 438, fd, 0, 0)
    syscall(f'madvise {pid}', 440, fd, iov, 1, 4, 0)
for name in ('mem', 'environ', 'maps', 'auxv', 'stack', 'syscall', 'pagemap', 'map_files', 'fd', 'root', 'cwd', 'exe', 'ns/net',
             'task/1/mem', 'clear_refs', 'oom_score_adj'):
    path = '/proc/1/' + name
    if name in ('root', 'cwd', 'exe', 'ns/net'): attempt('link ' + name, os.readlink, path)
    elif name in ('fd', 'map_files'): attempt('list ' + name, os.listdir, path)
    elif name == 'oom_score_adj': attempt('write ' + name, lambda: os.write(os.open(path, os.O_WRONLY), b'-1000'))
    else: attempt('open ' + name, lambda: open(path, 'rb').read(1))
"""
    refused(box.attempts(code), "EPERM", "EACCES", "ENOENT")


def test_C14_crash_loop(box, count):
    code = f"""
import os, resource, signal
print(resource.getrlimit(resource.RLIMIT_CORE))
for _ in range({count(200, 10000)}):
    if os.fork() == 0: os.kill(os.getpid(), signal.SIGSEGV)
    _, status = os.wait()
    assert os.WTERMSIG(status) == signal.SIGSEGV and not os.WCOREDUMP(status)
print(os.listdir('.'))
"""
    assert box.run(code)["stdout"] == "(1, 1)\n[]\n"


def test_C16_daemons_of_the_host(box):
    code = """
for c in "systemd-run --user id" "systemctl start x" "at now" "crontab -l" "dbus-send --system / a.b" "docker ps" "loginctl" \
         "busctl list" "machinectl"; do
    $c < /dev/null > out 2>&1 && [ -s out ] && echo "worked: $c"
done
ls /run /var 2>/dev/null; true"""
    assert box.run(code, language="bash")["stdout"] == ""
