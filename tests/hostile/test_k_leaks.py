"""K: what a session may learn about its host."""
import os
import pathlib
import platform
import socket

from ring import refused

PUBLISHED = {"PATH", "HOME", "USER", "LANG", "TERM", "TMPDIR", "PWD", "PYTHONDONTWRITEBYTECODE", "MPLBACKEND", "MPLCONFIGDIR",
             "XDG_CACHE_HOME", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "NUMEXPR_MAX_THREADS"}
OF_THE_SHELL = {"SHLVL", "_", "OLDPWD"}


def test_K1_init(box):
    code = """
for name in ('environ', 'maps', 'auxv', 'cmdline', 'status', 'stat', 'comm', 'mountinfo', 'cgroup', 'limits', 'io'):
    attempt('read ' + name, lambda: open('/proc/1/' + name).read())
for name in ('root', 'cwd', 'exe', 'ns/user'): attempt('link ' + name, os.readlink, '/proc/1/' + name)
for name in ('fd', 'fdinfo', 'task', 'root/'): attempt('list ' + name, os.listdir, '/proc/1/' + name)
"""
    refused(box.attempts(code), "EACCES", "EPERM", "ENOENT")


def test_K1_own_memory_holds_no_secret(box):
    """All of the interpreter's memory, and every file of /proc/self: the invariants look for the canary in what it prints."""
    code = """
import os, re
found = set()
with open('/proc/self/maps') as maps, open('/proc/self/mem', 'rb', 0) as memory:
    for line in maps:
        match = re.match(r'([0-9a-f]+)-([0-9a-f]+) r.* ', line)
        if not match or '[v' in line: continue
        start, end = int(match[1], 16), int(match[2], 16)
        memory.seek(start)
        try: found.update(re.findall(rb'canary[0-9a-f]{24}', memory.read(end - start)))
        except OSError: pass
for place, folders, files in os.walk('/proc/self'):
    folders[:] = [f for f in folders if f not in ('fd', 'task', 'map_files')]
    for name in files:
        if name in ('mem', 'pagemap', 'clear_refs'): continue
        try:
            with open(os.path.join(place, name), 'rb', 0) as f: found.update(re.findall(rb'canary[0-9a-f]{24}', f.read(1 << 20)))
        except OSError: pass
print(found)
"""
    assert box.run(code)["stdout"] == "set()\n"


def test_K2_proc_and_sys(box):
    names = ["kallsyms", "keys", "key-users", "timer_list", "sched_debug", "version", "cmdline", "kcore", "kmsg", "config.gz",
             "meminfo", "cpuinfo", "stat", "uptime", "loadavg", "interrupts", "iomem", "modules", "partitions", "diskstats",
             "sys/kernel/hostname", "sys/kernel/random/boot_id", "sys/kernel/core_pattern", "sysrq-trigger", "swaps",
             "vmallocinfo", "slabinfo", "bus", "driver", "fs", "irq", "acpi"]
    code = f"""
for name in {names!r}: attempt(name, lambda: open('/proc/' + name).read())
attempt('sys', os.listdir, '/sys')
attempt('debug', os.listdir, '/sys/kernel/debug')
"""
    refused(box.attempts(code), "ENOENT", "EACCES")


def test_K2_mounts_name_no_host_path(box):
    seen = box.run("for name in ('mountinfo', 'mounts', 'maps'): print(open('/proc/self/' + name).read())")
    for path in (box.caller.home, box.caller.programs, box.canary.tree, pathlib.Path.cwd(), os.environ.get("HOME", "/root")):
        assert str(path) == "/" or f"{path}/" not in seen["stdout"]
    roots = [line.split()[3] for line in seen["stdout"].splitlines() if " - " in line]
    assert roots and all(root in ("/", "/work", "/tmp", "/shm", "/dev", "/null", "/zero", "/full", "/random", "/urandom")
                         for root in roots), roots


def test_K3_environment(box):
    assert set(box.run("import os; print(*os.environ)")["stdout"].split()) == PUBLISHED
    bash = box.run("env", language="bash")["stdout"].splitlines()
    assert {line.split("=")[0] for line in bash} - OF_THE_SHELL == PUBLISHED
    node = box.run("console.log(Object.keys(process.env).join(' '))", language="javascript")["stdout"].split()
    assert set(node) == PUBLISHED
    assert set(box.run("import os; print(*os.environ)", "--env", "MORE=1")["stdout"].split()) == PUBLISHED | {"MORE"}


def test_K5_names_of_the_host(box):
    code = """
import os, platform, socket, uuid
print(socket.gethostname(), os.uname().nodename, socket.getfqdn(), open('/etc/hostname').read().strip())
import ctypes
name = ctypes.create_string_buffer(256); ctypes.CDLL(None).getdomainname(name, 256)
print(name.value in (b'', b'(none)'), uuid.getnode() >> 40 & 1)
import os
print([os.path.exists(p) for p in ('/etc/machine-id', '/var/lib/dbus/machine-id', '/proc/sys/kernel/random/boot_id')])
"""
    lines = box.run(code)["stdout"].splitlines()
    assert set(lines[0].split()) <= {"retort", "localhost"} and lines[1] == "True 1"  # a random node, not a MAC address
    assert lines[2] == "[False, False, False]"
    if socket.gethostname() != "retort":
        assert socket.gethostname() not in lines[0].split()


def test_K7_kernel_log(box):
    code = """
b = ctypes.create_string_buffer(4096)
for action in (2, 3, 9, 10): syscall(f'syslog {action}', 103, action, b, 4096)
attempt('kmsg', open, '/dev/kmsg')
attempt('proc kmsg', open, '/proc/kmsg')
attempt('log', os.listdir, '/var/log')
"""
    refused(box.attempts(code), "EPERM", "ENOENT", "EACCES")


def test_K8_processes(box):
    """Those of the session and no others; not even init can be looked at."""
    code = "import os; print(sorted(int(p) for p in os.listdir('/proc') if p.isdigit()) == [os.getpid()], os.getppid(), os.getpid() < 20)"
    assert box.run(code)["stdout"] == "True 1 True\n"
    listing = box.run("ps -e -o comm= 2>/dev/null; ls /proc | grep -c '^[0-9]'", language="bash")["stdout"].split()
    assert set(listing[:-1]) <= {"bash", "ps", "ls", "grep"} and int(listing[-1]) <= 3


def test_K10_what_is_documented(box):
    """Kernel release, processor model and count can be learnt by instruction or call; memory and load of the host cannot."""
    code = """
import os
print(os.uname().release)
print(os.cpu_count(), len(os.sched_getaffinity(0)))
for name in ('/proc/meminfo', '/proc/cpuinfo', '/proc/loadavg', '/sys/devices/system/cpu'): print(os.path.exists(name))
"""
    lines = box.run(code)["stdout"].splitlines()
    assert lines[0] == platform.release() and lines[2:] == ["False"] * 4
