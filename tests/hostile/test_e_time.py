"""E: CPU and time."""
import errno
import os

import pytest
from ring import refused

BUSY = {
    "loop": "while True: pass",
    "with the lock held": "import ctypes\nctypes.PyDLL(None).pause()",
    "regular expression": "import re\nre.match(r'(a+)+$', 'a' * 60 + 'b')",
    "power": "9 ** 9 ** 9",
    "digits": "import sys; sys.set_int_max_str_digits(0)\nint('9' * 10**7)",
    "bash": ("bash", "while :; do :; done"),
    "javascript": ("javascript", "for (;;);"),
    "hashing": "import hashlib; hashlib.pbkdf2_hmac('sha256', b'', b'', 2**31 - 1)",
}


@pytest.mark.few
def test_E1_busy(box):
    box.run_all(BUSY, "--timeout", "1", at_once=8, status="timeout")


def test_E1_cpu_of_the_whole_tree(box):
    """Four processes that burn a little each."""
    code = "import os\nfor _ in range(2): os.fork()\nwhile True: pass"
    box.run(code, "--cpu", "0.6", "--timeout", "20", status="cpu_limit")


IDLE = {
    "sleep": "import time\nwhile True: time.sleep(1000)",
    "lock": "import threading; l = threading.Lock(); l.acquire(); l.acquire()",
    "poll": "import select; select.poll().poll(-1)",
    "pause": "import signal; signal.pause()",
    "pipe": "import os; r, w = os.pipe(); os.read(r, 1)",
    "join": "import threading, time\nt = threading.Thread(target=time.sleep, args=(1000,)); t.start()\nt.join()",
    "child": "import subprocess; subprocess.run(['sleep', '1000'])",
    "at exit": "import atexit, time; atexit.register(time.sleep, 1000)",
    "thread left": "import threading, time\nthreading.Thread(target=time.sleep, args=(1000,)).start()",
}


def test_E3_idle(box):
    box.run_all(IDLE, "--timeout", "0.5", at_once=10, status="timeout")


def test_E5_clock(box):
    code = """
import time
attempt('clock_settime', time.clock_settime, time.CLOCK_REALTIME, 0)
timeval = (ctypes.c_long * 2)(0, 0)
syscall('settimeofday', 164, timeval, None)
syscall('adjtimex', 159, ctypes.create_string_buffer(256))
syscall('clock_adjtime', 305, 0, ctypes.create_string_buffer(256))
syscall('unshare time', 272, 0x80)
attempt('time offsets', lambda: os.write(os.open('/proc/self/timens_offsets', os.O_WRONLY), b'monotonic 1000 0'))
"""
    refused(box.attempts(code), "EPERM", "ENOENT", "EACCES")


def test_E6_just_below(box):
    """CPU time is counted over the life of the program, however it is spread."""
    code = """
import os, time
while True:
    if os.fork() == 0:
        end = time.process_time() + 0.05
        while time.process_time() < end: pass
        os._exit(0)
    os.wait()
    time.sleep(0.01)
"""
    box.run(code, "--cpu", "0.5", "--timeout", "20", status="cpu_limit")


SLICES = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def slice_ns():
    attr = (ctypes.c_uint64 * 7)(56)
    assert libc.syscall(315, 0, attr, 56, 0) == 0  # sched_getattr
    return attr[3]
def longer():
    attr = (ctypes.c_uint64 * 7)(56, 0, 0, 100_000_000)
    return libc.syscall(314, 0, attr, 0), ctypes.get_errno()  # sched_setattr
if os.fork() == 0:
    print(slice_ns(), *longer(), flush=True)
    os._exit(0)
os.wait()
print(slice_ns(), *longer())
"""


def test_E4_turns_are_short_and_stay_so(box):
    """Whoever wakes up beside code that computes has its turn soon. Linux has had slices for each process since 6.12."""
    lines = box.run(SLICES)["stdout"].splitlines()
    major, minor = map(int, os.uname().release.split(".")[:2])
    assert lines == [f"{100000 if (major, minor) >= (6, 12) else 0} -1 {errno.EPERM}"] * 2


@pytest.mark.alone
def test_E4_many_processes_have_one_share(box):
    """Each in a session of its own, so that automatic groups do not help. Without a cgroup nothing holds them; SECURITY.md says so."""
    burn = "t = time.monotonic() + {}\nwhile time.monotonic() < t: pass\n"
    attack = ("import os, time\nfor _ in range(30):\n    if os.fork() == 0:\n        os.setsid()\n"
              + "".join("        " + line + "\n" for line in burn.format(1.6).splitlines()) + "        os._exit(0)\n"
              "print('go', flush=True)\nfor _ in range(30): os.wait()\nprint(os.times().children_user / 1.6 / 30)")
    victim = "import time\n" + burn.format(0.8) + "print(time.process_time() / 0.8)"
    child = box.caller.popen("run", "--cpu", "600", "-c", attack, stdout=-1)
    try:
        assert child.stdout.readline() == b"go\n"
        outcome = box.run(victim)
        each = float(child.stdout.readline())
    finally:
        child.kill()
        child.communicate()
    if "cgroup" not in outcome["isolation"]["missing"]:
        assert float(outcome["stdout"]) > 4 * each, f"{outcome['stdout']} of a second, and {each} for each of the thirty"
