"""Y: objects of the kernel that a session makes many of: counted, taken back, or its own."""
from ring import PRELUDE


def test_Y13_watches_of_epoll(box):
    """The kernel counts them by uid; another session, and the caller, still have theirs."""
    greedy = """
import os, select, time
queues = [select.epoll() for _ in range(200)]
events = [os.eventfd(0) for _ in range(200)]
for queue in queues:
    for fd in events: queue.register(fd, 1)
print('full', flush=True)
time.sleep(600)
"""
    child = box.caller.popen("run", "-c", greedy, stdout=-1)
    try:
        assert child.stdout.readline() == b"full\n"
        assert box.run("import os, select\nselect.epoll().register(os.eventfd(0), 1)\nprint('ok')")["stdout"] == "ok\n"
    finally:
        child.kill()
        child.communicate()


def test_Y13_names_that_there_are_not(box):
    """The kernel remembers each in two file systems: where a cgroup counts them they are taken back, not the session's end."""
    code = """
import os
for place in ('/usr/lib', '/etc', '/work', '/proc', '/dev'):
    for i in range(15000): os.path.exists(f'{place}/missing{i:090}')
print('ok')
"""
    assert box.run(code, "--memory", "32", "--disk", "4", "--timeout", "100")["stdout"] == "ok\n"


def test_Y13_timers_that_never_wait(box):
    """A thousand, each a nanosecond apart, to a signal that is ignored: the cell has its time, and ends."""
    code = """
import ctypes, signal, time
signal.signal(signal.SIGRTMIN + 3, signal.SIG_IGN)
libc = ctypes.CDLL(None)
event = (ctypes.c_int * 16)(0, 0, signal.SIGRTMIN + 3, 0)
every = (ctypes.c_long * 4)(0, 1, 0, 1)
made = 0
for _ in range(2000):
    timer = ctypes.c_void_p()
    if libc.timer_create(1, event, ctypes.byref(timer)): break
    libc.timer_settime(timer, 0, every, None)
    made += 1
time.sleep(0.5)
print(made <= 1024)
"""
    assert box.run(code)["stdout"] == "True\n"


def test_Y13_attributes_of_files(box):
    """They are memory of the kernel, not blocks of the disk."""
    code = PRELUDE + """
kept = 0
try:
    for i in range(4000):
        open(f'f{i}', 'w').close()
        os.setxattr(f'f{i}', 'user.x', bytes(60000)); kept += 60000
except OSError as e: tell('end', errno.errorcode[e.errno])
tell('kept', kept >> 20)
"""
    outcome = box.run(code, "--memory", "64", "--disk", "8", status=("ok", "oom"))
    if outcome["status"] == "ok":
        assert int(outcome.attempts["kept"]) <= 64 and outcome.attempts["end"] in ("ENOSPC", "EOPNOTSUPP", "ENOMEM")


def test_Y13_processes_that_nobody_waits_for(box):
    """And descriptors of them, which keep what is left of each."""
    code = """
import os
kept = []
for i in range(400):
    child = os.fork()
    if child == 0: os._exit(0)
    kept.append(os.pidfd_open(child))
    os.waitpid(child, 0)
print(len(kept))
"""
    assert box.run(code, "--timeout", "60")["stdout"] == "400\n"


# Locks on files, which the kernel charges to nobody. The inode of all event descriptors is one, everybody's.
LOCKS = """
import ctypes, os, struct, sys, time
libc = ctypes.CDLL(None, use_errno=True)
def lock(fd, at, command=6):
    if libc.fcntl(fd, command, struct.pack('hhqqi', 1, 0, at * 2, 1, 0)): raise OSError(ctypes.get_errno(), 'lock')
def lock_all(fds, n=1 << 30):
    for i in range(n): lock(fds[i % len(fds)], i)
"""
BEYOND = {
    "of one inode that all have": "lock_all([os.eventfd(0)])",
    "of many files": "lock_all([os.open(f'f{i}', os.O_RDWR | os.O_CREAT) for i in range(200)])",
    "of many processes": """
for i in range(20):
    if os.fork() == 0: lock_all([os.open(f'f{i}', os.O_RDWR | os.O_CREAT)], 200); time.sleep(600)
while True: pass""",
    "taken by a process whose first thread is gone": """
import threading
def others():
    time.sleep(0.2); lock_all([os.eventfd(0)])
threading.Thread(target=others).start()
libc.syscall(60, 0)""",
    "and then nothing more": "lock_all([os.open('one', os.O_RDWR | os.O_CREAT)], 4000)\ntime.sleep(600)",
}


def test_Y14_locks_on_files_are_counted(box):
    cases = {name: LOCKS + code for name, code in BEYOND.items()}
    outcomes = box.run_all(cases, "--timeout", "120", at_once=2, status="oom")
    assert all("locks on files" in outcome["error"]["message"] for outcome in outcomes.values()), outcomes


def test_Y14_as_many_as_programs_need(box):
    code = LOCKS + """
lock_all([os.open(f'f{i}', os.O_RDWR | os.O_CREAT) for i in range(50)], 1000)
import sqlite3
for mode in ('delete', 'wal'):
    one, two = (sqlite3.connect(mode, isolation_level=None, timeout=0) for _ in '12')
    one.execute(f'pragma journal_mode={mode}'); one.execute('create table t(x)')
    one.execute('begin immediate'); one.execute('insert into t values (1)')
    try: two.execute('begin immediate')
    except sqlite3.OperationalError as e: print(e)
    one.execute('commit'); two.execute('insert into t values (2)')
    print(one.execute('select count(*) from t').fetchone())
begun = time.process_time()
while time.process_time() < begun + 0.5: pass
"""
    assert box.run(code)["stdout"] == "database is locked\n(2,)\n" * 2


def test_Y14_locks_that_would_outlive_who_is_counted(box):
    """Those of an open file, which a mapping keeps; those of a process that shares its files with one that goes on."""
    code = LOCKS + """
attempt('open', lock, os.open('one', os.O_RDWR | os.O_CREAT), 1, 37)
attempt('waiting', lock, os.open('one', os.O_RDWR | os.O_CREAT), 1, 38)
syscall('shared', 56, 0x400 | 17, 0, 0, 0, 0)
"""
    assert box.attempts(code) == {"open": "EINVAL", "waiting": "EINVAL", "shared": "EPERM"}
